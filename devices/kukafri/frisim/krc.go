package frisim

import (
	"fmt"
	"math"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/plant"
	"github.com/softrobot-rcc/rccd/rcc/device/yielding"
)

// KRC is a controller with its robot. It belongs to one goroutine.
type KRC struct {
	config Config
	period float64 // s
	began  int64   // ns, of the first step
	now    int64
	open   bool   // the interface is
	opens  int64  // when it is opened again
	cycles uint64 // since it was opened

	joints   *plant.Joints
	body     *yielding.Body
	springs  *yielding.Springs
	load     device.Payload
	push     geom.Wrench
	feeling  yielding.Feeling
	strategy device.Strategy

	state    wire.State
	base     [wire.Joints]float64 // commanded without the interface
	commands [wire.Joints]float64
	speeds   [wire.Joints]float64 // of the newest commands
	judge    judge
	motion   *plant.Judge // of commands
	variable wire.KRL     // for the PC
	program  program
	id       uint16 // of telegrams
	length   int
	sent     wire.Measurement
	network  network
	figures  Figures
}

// New makes a controller whose interface is open.
func New(c Config) (*KRC, error) {
	if err := c.complete(); err != nil {
		return nil, err
	}
	brakes := make([]float64, len(c.Home))
	for i := range brakes {
		brakes[i] = 20
	}
	joints, err := plant.New(plant.Options{Bandwidth: 25, Damping: 1, Stiffness: 1e4, Seed: 1}, c.Cycle, c.Home, brakes)
	if err != nil {
		return nil, err
	}
	joints.Power(c.Power)
	k := &KRC{
		config: c, period: c.Cycle.Seconds(), open: true, joints: joints, springs: yielding.NewSprings(),
		strategy: device.PositionControl, state: wire.Monitor, id: wire.MeasurementID, length: wire.MeasurementSize,
	}
	k.body = yielding.NewBody(c.Chain, joints, &k.load)
	// Half a unit of single precision is 1.2e-7, and a PC that mirrors adds two numbers.
	limits := plant.JudgeOptions{Cycle: c.Cycle.Seconds(), Vel: make([]float64, wire.Joints), Acc: steepest[:], Rounding: 2.5e-7}
	for i := range limits.Vel {
		limits.Vel[i] = c.Limits * fastest[i]
	}
	if k.motion, err = plant.NewJudge(limits, c.Home); err != nil {
		return nil, err
	}
	copy(k.base[:], c.Home)
	copy(k.commands[:], c.Home)
	k.judge.open()
	k.network.open(&k.config)
	k.program.begin(k)
	return k, nil
}

// Cycle returns how often Step is to be called.
func (k *KRC) Cycle() time.Duration { return k.config.Cycle }

// Strategy returns the control strategy in force.
func (k *KRC) Strategy() device.Strategy { return k.strategy }

// State returns the state of the interface.
func (k *KRC) State() wire.State {
	if !k.open {
		return wire.Off
	}
	return k.state
}

// Joint returns the position of a joint, and its commanded position.
func (k *KRC) Joint(i int) (is, commanded float64) { return k.joints.Position(i), k.commands[i] }

// Push lets a torque act on a joint from outside.
func (k *KRC) Push(joint int, torque float64) { k.joints.Push(joint, torque) }

// PushTip lets force and torque act on the tip, along the axes of the base.
func (k *KRC) PushTip(w geom.Wrench) { k.push = w }

// Pushed returns the force and torque that were set.
func (k *KRC) Pushed() (torques []float64, tip geom.Wrench) {
	torques = make([]float64, wire.Joints)
	for i := range torques {
		torques[i] = k.joints.Torque(i)
	}
	return torques, k.push
}

// Variable returns a value of the PC's newest answer.
func (k *KRC) Variable() *wire.KRL { return &k.judge.answer.KRL }

// Load returns the load of the flange as the controller knows it.
func (k *KRC) Load() *device.Payload { return &k.load }

func (k *KRC) tell(what, why string) {
	if k.config.Tell != nil {
		k.config.Tell(Event{At: time.Duration(k.now - k.began).Seconds(), What: what, Why: why})
	}
}

// Step executes a cycle: it judges the answer to the telegram before, moves the robot, and puts the next telegram into the network.
// Times are in ns.
func (k *KRC) Step(now int64) {
	if k.began == 0 {
		k.began = now
	}
	k.now = now
	k.network.settle(k, now)
	if !k.open && k.opens != 0 && now >= k.opens {
		k.reopen()
	}
	timely := k.judge.next()
	if !timely && k.open && k.cycles > 0 {
		k.figures.Missed++
	}
	if k.open && k.state == wire.Command {
		k.follow(timely)
	}
	k.program.step(k)
	k.move()
	if !k.open {
		return
	}
	k.cycles++
	k.measure()
	k.judge.count = k.sent.Count
	k.network.telegram(&k.sent, k.id, k.length, now)
	k.figures.Sent++
}

// move lets the robot go on for a cycle. Without power brakes hold it, and commands are where it is.
func (k *KRC) move() {
	k.feeling = k.body.Step(&yielding.Act{
		Strategy: k.strategy, Commands: k.commands[:], Springs: k.springs, Load: &k.load, Push: k.push, Period: k.period,
	})
	if k.joints.Powered() {
		return
	}
	for i := range k.commands {
		k.commands[i] = k.joints.Position(i)
		k.base[i], k.speeds[i] = k.commands[i], 0
	}
	k.motion.Place(k.base[:])
}

// follow does what the answer commands, or goes on as before where it is missing.
func (k *KRC) follow(timely bool) {
	a := &k.judge.answer
	switch {
	case !timely && k.judge.gap > k.config.Bridge:
		k.fall(device.Counted(k.judge.gap, "answer is", "answers are") + " missing")
	case !k.joints.Powered():
		k.mirrored(a, timely)
	case !timely:
		for i := range k.commands {
			k.commands[i] += k.speeds[i] * k.period
		}
		k.motion.Carry(k.commands[:])
	case !k.fits(a.Flags):
		k.violate(fmt.Sprintf("flags %#04x do not fit the strategy %d", uint32(a.Flags), k.strategy))
	default:
		k.command(a)
	}
}

// mirrored checks whether the PC commands what is, as it must where nothing can be commanded.
func (k *KRC) mirrored(a *wire.Answer, timely bool) {
	if !timely || k.sent.Power != 0 { // when it was answered, there still was power
		return
	}
	for i, is := range k.sent.Commanded {
		if away := math.Abs(float64(a.Joint[i]) - float64(is+k.sent.Offset[i])); !(away < 1e-4) {
			k.violate(fmt.Sprintf("joint %d is commanded by %.3g rad elsewhere without power", i, away))
			return
		}
	}
}

// fits reports whether the flags are those that the strategy needs.
func (k *KRC) fits(f wire.Flags) bool {
	need := wire.ForPosition
	switch k.strategy {
	case device.CartesianCompliance:
		need = wire.ForCartesianImpedance
	case device.JointCompliance:
		need = wire.ForJointImpedance
	}
	return f&need == need
}

// command takes over what is commanded, unless it is too fast.
func (k *KRC) command(a *wire.Answer) {
	const digits = 5e-7 // that single precision has of a position
	k.look(a)
	var speeds [wire.Joints]float64
	for i := range speeds {
		to := float64(a.Joint[i])
		speeds[i] = (to - k.commands[i]) / k.period
		share := (math.Abs(speeds[i]) - digits/k.period) / (fastest[i] * k.config.Limits)
		change := (math.Abs(speeds[i]-k.speeds[i]) - 2*digits/k.period) / k.period / steepest[i]
		k.figures.Fastest, k.figures.Steepest = max(k.figures.Fastest, share), max(k.figures.Steepest, change)
		switch joint := k.config.Chain.Joint(i); {
		case !(share <= 1.001):
			k.violate(fmt.Sprintf("joint %d is commanded %.3g times as fast as it may be", i, share))
			return
		case !(change <= 1.001):
			k.violate(fmt.Sprintf("joint %d is commanded to change its speed %.3g times as fast as it may", i, change))
			return
		case to < joint.Min-1e-6 || to > joint.Max+1e-6:
			k.violate(fmt.Sprintf("joint %d is commanded to %.4g, beyond its limits", i, to))
			return
		}
	}
	for i := range speeds {
		k.commands[i], k.speeds[i] = float64(a.Joint[i]), speeds[i]
	}
	k.give(a)
}

// look lets the judge look at what an answer asks of the joints, before any limit of the controller applies.
func (k *KRC) look(a *wire.Answer) {
	var to [wire.Joints]float64
	for i := range to {
		to[i] = float64(a.Joint[i])
	}
	if k.motion.Ask(to[:]) > 0 {
		k.tell("jump", k.motion.Newest().String())
	}
}

// interrupted counts the end of command mode in which a joint moves faster than it can stop in a cycle.
func (k *KRC) interrupted() {
	hard := false
	for i, speed := range k.speeds {
		if speed = math.Abs(speed); speed > steepest[i]*k.period {
			hard = true
			k.figures.Interrupted = max(k.figures.Interrupted, speed)
		}
	}
	if hard {
		k.figures.Interruptions++
	}
}

// give takes over what springs should be, and checks whether joints and frame of an answer say the same.
func (k *KRC) give(a *wire.Answer) {
	switch k.strategy {
	case device.JointCompliance:
		for i := range a.Stiffness {
			k.springs.SetJointImpedance(i, device.JointImpedance{
				Stiffness: float64(a.Stiffness[i]), Damping: float64(a.Damping[i]), Add: float64(a.Torque[i]),
			})
		}
	case device.CartesianCompliance:
		k.springs.SetCartesianImpedance(device.CartesianImpedance{
			Stiffness: turned(&a.Springs), Damping: turned(&a.Dampers), Add: turned(&a.Wrench),
		})
		here, there := k.config.Chain.Forward(k.commands[:]).Mul(k.load.TCP), FrameOf(&a.Frame)
		if !here.Near(there, 1e-4, 1e-4) {
			k.violate(fmt.Sprintf("joints lead to %v and the frame is %v", here, there))
		}
	}
}

// fall ends command mode. The robot stops, and commands stay where they are.
func (k *KRC) fall(why string) {
	if k.state != wire.Command {
		return
	}
	k.interrupted()
	k.stop()
	k.tell("monitor", why)
}

func (k *KRC) violate(why string) {
	k.figures.Violations++
	k.fall(why)
}

// stop is friStop, with the motion to where the robot is commanded that programs have behind it.
func (k *KRC) stop() {
	k.state, k.base = wire.Monitor, k.commands
	k.speeds = [wire.Joints]float64{}
	k.motion.Place(k.base[:])
}

// start is friStart. It reports whether the controller agrees.
func (k *KRC) start() bool {
	if !k.open || k.state != wire.Monitor || !k.joints.Powered() || k.quality() < wire.Fine {
		return false
	}
	k.state, k.base = wire.Command, k.commands
	k.speeds = [wire.Joints]float64{}
	k.motion.Place(k.base[:])
	k.judge.gap = 0
	k.tell("command", "")
	return true
}

// close is friClose: nothing is sent any more. When it opens again, all begins again.
func (k *KRC) close(opens int64) {
	k.open, k.opens = false, opens
	k.stop()
	k.tell("closed", "")
}

func (k *KRC) reopen() {
	k.open, k.opens, k.cycles = true, 0, 0
	k.judge.open()
	k.sent.Count = 0
	k.program.begin(k)
	k.tell("opened", "")
}

func (k *KRC) quality() wire.Quality { return k.judge.quality() }

// measure composes the next telegram.
func (k *KRC) measure() {
	m := &k.sent
	m.Header = wire.Header{Count: m.Count + 1, Reflected: k.judge.answer.Count}
	m.KRL = k.variable
	m.Interface = wire.Interface{
		Time: float32(float64(k.cycles) * k.period), State: k.state, Quality: k.quality(),
		MeasurePeriod: float32(k.period), CommandPeriod: float32(k.period), SafetyLimits: float32(k.config.Limits),
	}
	m.Statistics = k.judge.statistics(k.period)
	m.Robot = wire.Robot{Controller: controllerOf(k.strategy)}
	if k.joints.Powered() {
		m.Power = 0x7F
	}
	for i := range m.Joint {
		m.Temperature[i] = 30
		m.Joint[i] = float32(k.joints.Measured(i).Pos)
		m.Commanded[i] = float32(k.base[i])
		m.Offset[i] = float32(k.commands[i] - k.base[i])
		m.Torque[i], m.External[i] = float32(k.feeling.Measured[i]), float32(k.feeling.External[i])
		m.Mass[i][i] = float32(k.body.Inertia(i))
	}
	for i, weight := range k.body.Weight() {
		m.Gravity[i] = float32(weight)
	}
	base := k.config.Chain.Forward(k.base[:]).Mul(k.load.TCP)
	m.Frame, m.CommandedFrame = wordsOf(k.body.Tip()), wordsOf(base)
	m.FrameOffset = wordsOf(base.To(k.config.Chain.Forward(k.commands[:]).Mul(k.load.TCP)))
	m.Tip = swapped(k.feeling.Tip)
	j := k.body.Jacobian()
	for i := range wire.Joints {
		c := &j.Columns[i]
		for row, v := range [...]float64{c.Vel.X, c.Vel.Y, c.Vel.Z, c.Rot.Z, c.Rot.Y, c.Rot.X} {
			m.Jacobian[row][i] = float32(v)
		}
	}
}

func controllerOf(s device.Strategy) wire.Controller {
	switch s {
	case device.PositionControl:
		return wire.PositionController
	case device.CartesianCompliance:
		return wire.CartesianImpedance
	case device.JointCompliance:
		return wire.JointImpedance
	}
	return wire.OtherController
}

// FrameOf reads a frame of a datagram: rotation and position, row by row.
func FrameOf(w *[12]float32) geom.Frame {
	v := func(i int) float64 { return float64(w[i]) }
	return geom.Frame{
		Pos: geom.Vector{X: v(3), Y: v(7), Z: v(11)},
		Rot: geom.FromMatrix([3][3]float64{{v(0), v(1), v(2)}, {v(4), v(5), v(6)}, {v(8), v(9), v(10)}}),
	}
}

func wordsOf(f geom.Frame) (w [12]float32) {
	m := f.Rot.Matrix()
	for i, at := range [3]float64{f.Pos.X, f.Pos.Y, f.Pos.Z} {
		w[4*i], w[4*i+1], w[4*i+2], w[4*i+3] = float32(m[i][0]), float32(m[i][1]), float32(m[i][2]), float32(at)
	}
	return w
}

// turned reads what a datagram has about Z, Y and X in this order.
func turned(v *[6]float32) geom.Wrench {
	return geom.Wrench{
		Force:  geom.Vector{X: float64(v[0]), Y: float64(v[1]), Z: float64(v[2])},
		Torque: geom.Vector{X: float64(v[5]), Y: float64(v[4]), Z: float64(v[3])},
	}
}

func swapped(w geom.Wrench) [6]float32 {
	return [6]float32{
		float32(w.Force.X), float32(w.Force.Y), float32(w.Force.Z), float32(w.Torque.Z), float32(w.Torque.Y), float32(w.Torque.X),
	}
}
