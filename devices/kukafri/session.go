package kukafri

import (
	"math"

	"github.com/softrobot-rcc/rccd/devices/kukafri/krl"
	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/link"
	"github.com/softrobot-rcc/rccd/rcc/device/yielding"
)

// session is what the thread of the wire knows of a robot that calls.
type session struct {
	coming wire.Measurement // the one that has just arrived
	now    wire.Measurement // the newest in order
	out    wire.Answer      // the newest
	lost   int              // telegrams before the newest one
	time   int64            // of the newest one, as estimated
	period float64          // s
	heard  int64            // when the newest telegram was taken

	missing uint32 // answers, as the newest telegram counts them
	since   int    // cycles since one was missing or rated badly, up to recent

	other other // telegrams that are not of this session

	measured [seven]device.JointMotion
	sight    sight
	springs  springs
	values   [seven]float64 // of set-points
	sent     [seven]float64 // the newest
	anchor   anchor
	control
}

// springs is whose springs the robot has in command mode. Under impedance control it would jump with any others.
type springs uint8

const (
	unknown springs = iota // those of a driver before this one
	ours
)

// anchor is how frames of the controller follow from those of the kinematics here.
type anchor struct {
	frame geom.Frame // that the controller commanded
	back  geom.Frame // inverse of what the kinematics had then
	tcp   geom.Frame // tip of the tool, as known then
}

func (s *session) open(r *Robot) {
	s.talk = krl.NewTalk(krl.Options{
		Kind: r.kind, Handshake: r.config.Handshake, Communication: r.config.Communication, Patience: int64(r.config.Patience),
	})
	s.period = r.config.Cycle.Seconds()
	for i := range s.values {
		s.sight.mirror[i] = r.axes.Commanded(i).Pos
	}
	r.block()
	r.publish()
}

// Answer reads a telegram and answers it (cycle).
func (r *Robot) Answer(telegram, answer []byte, at link.Stamp) (int, link.Verdict) {
	s := &r.session
	if why := s.coming.Decode(telegram); why != wire.Good {
		r.shown.refused.Store(uint32(why))
		return 0, link.Verdict{Kind: link.Garbage}
	}
	v := link.Verdict{}
	if at.N > 1 {
		if v = r.order(at); v.Kind != link.InOrder {
			return 0, v
		}
	} else {
		r.begin()
	}
	s.lost = int(v.Lost)
	before := s.now.State
	r.measure(at.N == 1)
	s.now = s.coming
	r.estimate(at)
	r.take()
	r.look()
	s.heard = at.Taken
	r.answered()
	if at.N == 1 && s.now.State == wire.Command {
		s.talk.Keep(&s.out.KRL, r.Strategy())
	}
	v.Cycle = int64(r.cycle()) // as the controller reports it
	answers := r.control(before, at.Taken-s.time >= v.Cycle)
	r.publish()
	r.show()
	r.shown.heard.Store(at.Taken)
	if !answers {
		return 0, v
	}
	return r.reply(answer), v
}

// begin forgets the session before.
func (r *Robot) begin() {
	s := &r.session
	s.talk.Reset()
	s.out.Header, s.out.Bool, s.out.Int = wire.Header{}, 0, [16]int32{}
	s.out.Count = s.coming.Reflected
	s.now = s.coming
	s.sight.open()
	s.other = other{}
	s.phase, s.missing, s.since = listening, s.now.Missed, recent
	r.shown.refused.Store(uint32(wire.Good))
}

// look finds out what the controller commands.
func (r *Robot) look() {
	s := &r.session
	s.sight.look(&s.now, 1+s.lost, s.period, s.now.State != wire.Command || !s.now.Powered())
	if s.now.State != wire.Command {
		s.springs = ours
	}
	if wire.Newer(s.now.Reflected, s.out.Count) {
		s.out.Count = s.now.Reflected // of a driver before this one; the controller drops what is not newer
	}
}

// measure takes the positions of joints, and derives their velocity and acceleration.
func (r *Robot) measure(first bool) {
	s := &r.session
	if p := math.Round(float64(s.coming.MeasurePeriod)*1e6) * 1e-6; p >= 0.0005 && p <= 1 && p != s.period {
		s.period = p
		r.axes.SetCycle(r.cycle())
	}
	span := s.period * float64(1+s.lost)
	for i := range s.measured {
		m := &s.measured[i]
		is := device.JointMotion{Pos: float64(s.coming.Joint[i])}
		if !first {
			is.Vel = (is.Pos - m.Pos) / span
			is.Acc = (is.Vel - m.Vel) / span
		}
		*m = is
	}
}

// take hands over what the robot feels and what the KRL program has set.
func (r *Robot) take() {
	s := &r.session
	m := &s.now
	f := yielding.Feeling{Tip: geom.Wrench{
		Force:  geom.Vector{X: float64(m.Tip[0]), Y: float64(m.Tip[1]), Z: float64(m.Tip[2])},
		Torque: geom.Vector{X: float64(m.Tip[5]), Y: float64(m.Tip[4]), Z: float64(m.Tip[3])}, // on the wire z comes first
	}}
	for i := range m.Torque {
		f.Measured[i], f.External[i] = float64(m.Torque[i]), float64(m.External[i])
	}
	r.Put(&f)
	for i := range 16 {
		r.image.SetDigitalIn(i, m.Bit(r.port+i))
		r.image.SetAnalogIn(i, float64(m.Real[i]))
	}
	switch m.Controller {
	case wire.PositionController:
		r.strategy.Store(int32(device.PositionControl))
	case wire.CartesianImpedance:
		r.strategy.Store(int32(device.CartesianCompliance))
	case wire.JointImpedance:
		r.strategy.Store(int32(device.JointCompliance))
	}
}

// reply writes the answer.
func (r *Robot) reply(into []byte) int {
	s := &r.session
	a := &s.out
	a.Count++
	a.Reflected = s.now.Count
	for i := range a.Joint {
		a.Joint[i] = float32(s.sent[i])
	}
	ports := r.image.Ports()
	for i := range ports.DigitalOut {
		a.SetBit(r.port+i, r.image.DigitalOut(i))
	}
	for i := range a.Real {
		if i < ports.AnalogOut {
			a.Real[i] = float32(r.image.AnalogOut(i))
		}
	}
	switch r.Strategy() {
	case device.CartesianCompliance:
		r.frame(a)
		a.Flags = wire.ForCartesianImpedance
		r.tipSprings(a)
	case device.JointCompliance:
		a.Flags = wire.ForJointImpedance
		r.jointSprings(a)
	default:
		a.Flags = wire.ForPosition
	}
	s.sight.answered(a.Count, &s.sent)
	return a.Encode(into)
}

func (r *Robot) jointSprings(a *wire.Answer) {
	for i := range a.Stiffness {
		is := r.JointImpedance(i)
		a.Stiffness[i], a.Damping[i], a.Torque[i] = float32(is.Stiffness), float32(is.Damping), float32(is.Add)
	}
}

func (r *Robot) tipSprings(a *wire.Answer) {
	is := r.CartesianImpedance()
	a.Springs, a.Dampers, a.Wrench = turned(&is.Stiffness), turned(&is.Damping), turned(&is.Add)
}

// turned returns the components of a wrench as the wire has them: those about axes from z to x.
func turned(w *geom.Wrench) [6]float32 {
	return [6]float32{
		float32(w.Force.X), float32(w.Force.Y), float32(w.Force.Z), float32(w.Torque.Z), float32(w.Torque.Y), float32(w.Torque.X),
	}
}

// frame moves the controller's frame on as joints move. As long as the robot is not commanded by frames of this tool the frame is the
// controller's own, as only that knows its base and tool.
func (r *Robot) frame(a *wire.Answer) {
	s := &r.session
	led := s.signals.has(commanded|powered) && a.Flags == wire.ForCartesianImpedance
	if !led || s.anchor.tcp != r.Carried.TCP {
		s.anchor.frame = frameOf(&s.now.CommandedFrame).Mul(frameOf(&s.now.FrameOffset))
		s.anchor.back = r.tip(s.sight.mirror[:]).Invert()
		s.anchor.tcp = r.Carried.TCP
	}
	f := s.anchor.frame.Mul(s.anchor.back.Mul(r.tip(s.sent[:])))
	m := f.Rot.Matrix()
	for i, at := range [3]float64{f.Pos.X, f.Pos.Y, f.Pos.Z} {
		row := a.Frame[4*i : 4*i+4]
		row[0], row[1], row[2], row[3] = float32(m[i][0]), float32(m[i][1]), float32(m[i][2]), float32(at)
	}
}

// tip returns where the kinematics have the tip of the tool.
func (r *Robot) tip(q []float64) geom.Frame { return r.arm.Chain.Forward(q).Mul(r.Carried.TCP) }

func frameOf(w *[12]float32) geom.Frame {
	v := func(i int) float64 {
		if uint(i) < uint(len(w)) {
			return float64(w[i])
		}
		return 0
	}
	return geom.Frame{
		Pos: geom.Vector{X: v(3), Y: v(7), Z: v(11)},
		Rot: geom.FromMatrix([3][3]float64{{v(0), v(1), v(2)}, {v(4), v(5), v(6)}, {v(8), v(9), v(10)}}),
	}
}

// Lost ends the session (cycle).
func (r *Robot) Lost(_ link.Stamp, why link.Cause) link.Cause {
	s := &r.session
	if s.now.State == wire.Command {
		r.disarm(lostConnection)
	}
	r.fail()
	s.talk.Reset()
	s.phase = offline
	r.shown.refused.Store(uint32(wire.Good))
	r.block()
	r.publish()
	r.shown.phase.Store(uint32(offline))
	return ending(why)
}
