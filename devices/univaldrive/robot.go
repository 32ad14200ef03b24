package univaldrive

import (
	"math"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/cia402"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
	"github.com/softrobot-rcc/rccd/rcc/device/multijoint"
	"github.com/softrobot-rcc/rccd/rcc/device/ports"
	"github.com/softrobot-rcc/rccd/rcc/device/setpoint"
)

// Robot is an arm at a bus.
type Robot struct {
	*multijoint.Group
	*multijoint.Tools
	*ports.Driven

	cfg     *config
	bus     ecat.Master
	clock   rt.Clock
	stop    *device.Stop // of the cell
	changed func()
	arm     *kinematics.Arm
	models  []kinematics.Joint
	slave   slave

	axes   *setpoint.Axes
	gear   *gear
	image  *ports.Image
	inputs *terminals
	layout atomic.Pointer[layout] // nil while it is not known

	wish    atomic.Int32 // of people: to arm or to disarm
	closing atomic.Bool
	shown   shown

	// Of the thread of the bus.
	pace      pace
	beat      beat
	power     power
	quality   ecat.Quality
	heard     int64 // instant of the newest inputs
	confirmed bool  // the drive has answered the newest outputs
	lost      int64 // cycles in a row without an answer
	begun     bool  // targets are those of nets
	values    [six]float64
}

var (
	_ device.ArmKinematics = (*Robot)(nil)
	_ device.Described     = (*Robot)(nil)
	_ device.IO            = (*Robot)(nil)
	_ device.Meter         = (*Robot)(nil)
	_ ecat.Holder          = (*Robot)(nil)
	_ ecat.Driver          = (*Robot)(nil)
)

const (
	wishArm    = 1
	wishDisarm = 2
)

// configure makes what follows from the parameters.
func (r *Robot) configure(name string, start []float64) (err error) {
	cfg := r.cfg
	if err := r.slave.configure(cfg); err != nil {
		return err
	}
	if r.gear, err = newGear(cfg.Counts, cfg.Offset, cfg.Coupling); err != nil {
		return err
	}
	if err := r.gear.fits(r.models); err != nil {
		return err
	}
	if r.inputs, err = newTerminals(cfg); err != nil {
		return err
	}
	r.image = ports.New(r.inputs.count(name))
	r.Driven = r.image.Driven()
	if r.axes, err = setpoint.New(r.models, start, setpoint.Options{
		Cycle: cfg.Cycle, Smooth: cfg.Smooth, Ahead: cfg.Ahead, Lapse: cfg.Lapse, Margin: cfg.Margin, Slack: cfg.Slack,
	}); err != nil {
		return err
	}
	r.Group, r.Tools = multijoint.New(r.axes), multijoint.NewTools(six)
	if cfg.Mass > 0 {
		r.SetTool(six-1, device.Tool{Mass: cfg.Mass, COM: cfg.COM.Pos, Inertia: cfg.MOI})
	}
	r.pace = pace{clocked: r.slave.setup.Clock != nil, cycle: int64(cfg.Cycle), shift: int64(cfg.Shift)}
	cycles := func(d time.Duration) int { return int((d + cfg.Cycle - 1) / cfg.Cycle) }
	r.power = power{patience: cycles(cfg.Patience), backoff: cycles(cfg.Backoff), most: cfg.Resets, armed: cfg.Arm}
	for i, j := range r.models {
		a := &r.power.axes[i]
		a.bounds = setpoint.Bounds{Vel: j.Velocity * (1 + cfg.Margin), Acc: j.Acceleration * cfg.Slack, Span: cfg.Cycle.Seconds()}
		a.told, a.measured.Is.Pos = start[i], start[i]
	}
	r.hold(offline)
	r.publish(offline)
	return nil
}

// Arm is the kinematics (any).
func (r *Robot) Arm() *kinematics.Arm { return r.arm }

// Interfaces are those that applications look for (any).
func (r *Robot) Interfaces() []device.Interface { return multijoint.Announce(r) }

// Close stops the drives, and leaves the bus when nothing moves any more.
func (r *Robot) Close() error {
	r.closing.Store(true)
	if clock, ok := r.clock.(*rt.Real); ok {
		const most = int64(3 * time.Second)
		var alarm rt.Alarm
		until := clock.Now() + most
		for next := clock.Now(); r.Holds() != "" && r.bus.Trouble() == "" && next < until; next += int64(r.cfg.Cycle) {
			clock.SleepUntil(next, &alarm)
		}
	}
	r.bus.Remove(r)
	return nil
}

// phase is whether the robot can be commanded, and if not why.
type phase uint32

const (
	offline phase = iota // nothing is heard of the drive
	waiting              // for the bus, or its clock
	unpowered
	stopping
	starting
	ready
)

// Faults of joints that are the driver's own.
const (
	faultOffline = device.JointOwnFaults
	faultHeld    = device.JointOwnFaults + 1 // a net that commanded before has not let go
)

// step is a cycle of the drive (cycle).
func (r *Robot) step(at *ecat.Moment, b beat) {
	p := r.decide(at, b)
	now := r.clock.Unix(b.instant)
	if b.missed > 0 || p <= waiting {
		r.axes.Restart()
	}
	if p == ready && !r.begun {
		r.begin()
	}
	if p == ready {
		if !r.lead(now) {
			r.power.lose(beyondLimits, 0)
			p = r.phase()
		}
	} else {
		r.hold(p)
		r.axes.Values(now, r.values[:])
	}
	r.power.command()
	r.publish(p)
	r.show(at, b, p, now)
	r.confirmed = false
}

// decide finds out what may be done with the drive (cycle).
func (r *Robot) decide(at *ecat.Moment, b beat) phase {
	p := &r.power
	r.listen()
	r.lost += b.missed
	if !r.confirmed {
		r.lost++
	}
	tooMany, why := r.lost >= int64(r.cfg.Lost), frames
	if b.missed > 0 {
		why = late
	}
	if r.confirmed {
		r.lost = 0
	}
	switch {
	case r.quality == ecat.Invalid:
		r.unplug(frames)
		return offline
	case !at.Operating || b.blind:
		r.unplug(busStopped)
		return waiting
	case tooMany && p.stage > down:
		p.lose(why, 0)
	case !r.confirmed: // what the axes do is not known
		return r.phase()
	default:
		p.advance()
	}
	if p.stage == following && r.begun {
		r.supervise()
	}
	return r.phase()
}

// unplug is that the drive is not under control: what was on its way is over (cycle).
func (r *Robot) unplug(why loss) {
	if p := &r.power; p.stage > down {
		p.lose(why, 0)
	}
}

// listen does what people wish. As long as there is an emergency stop of the cell they cannot arm the drives (cycle).
func (r *Robot) listen() {
	p := &r.power
	switch r.wish.Swap(0) {
	case wishArm:
		if p.stage == down {
			p.arm()
		}
	case wishDisarm:
		p.lose(byPeople, 0)
	}
	switch {
	case r.closing.Load():
		p.lose(byClosing, 0)
	case r.stop.Pressed():
		p.lose(byStop, 0)
	}
}

// supervise looks whether axes are where they were told to be (cycle).
func (r *Robot) supervise() {
	p := &r.power
	for i := range p.axes {
		a := &p.axes[i]
		if !(math.Abs(a.told-a.measured.Is.Pos) <= r.cfg.Following) {
			p.lose(apart, i)
			return
		}
	}
}

// phase is the one that follows from the stage (cycle).
func (r *Robot) phase() phase {
	switch p := &r.power; {
	case p.stage == following:
		return ready
	case p.stage == down && p.stopping:
		return stopping
	case p.stage == down:
		return unpowered
	default:
		return starting
	}
}

// begin lets nets command joints from where these are. Those that commanded them before have to let go first (cycle).
func (r *Robot) begin() {
	r.hold(starting)
	r.begun = true
	for i := range r.models {
		r.axes.Unblock(i)
		r.axes.Expel(i, faultHeld)
	}
}

// hold makes where axes are their targets, and lets no net command (cycle).
func (r *Robot) hold(p phase) {
	r.begun = false
	axes := &r.power.axes
	for i := range axes {
		a := &axes[i]
		a.told, a.vel, a.target = a.measured.Is.Pos, 0, a.actual
		r.axes.Block(i, p.fault(a), a.told)
	}
}

// fault is what a joint shows (cycle).
func (p phase) fault(a *axis) device.JointFault {
	switch {
	case p == ready:
		return device.JointGood
	case p <= waiting:
		return faultOffline
	case a.state() == cia402.Fault || a.state() == cia402.FaultReaction:
		return device.JointFailed
	default:
		return device.JointDrivesOff
	}
}

// lead goes on to the set-points of nets (cycle). When nobody knows whether the newest targets have arrived they are repeated. It is
// false when there is no target that the drive could be told.
func (r *Robot) lead(now int64) bool {
	r.axes.Values(now, r.values[:])
	axes := &r.power.axes
	if !r.confirmed {
		for i := range axes {
			axes[i].vel = 0
		}
		return true
	}
	const digits = 1e-9
	var next, vel sextet
	for i := range axes {
		a := &axes[i]
		next[i], vel[i] = a.bounds.Towards(a.told, a.vel, r.values[i], r.axes.Commanded(i).Vel)
		if step := math.Abs(next[i] - a.told); !(step <= a.bounds.Vel*a.bounds.Span+digits) {
			return false
		}
	}
	counts, ok := r.gear.counts(&next)
	if !ok {
		return false
	}
	for i := range axes {
		a := &axes[i]
		a.told, a.vel, a.target = next[i], vel[i], counts[i]
	}
	return true
}

// publish shows everybody what the joints do (cycle).
func (r *Robot) publish(p phase) {
	axes := &r.power.axes
	for i := range axes {
		a := &axes[i]
		fault, acc := p.fault(a), 0.0
		if p == ready {
			fault, acc = r.axes.Fault(i), r.axes.Commanded(i).Acc
		}
		r.Report(i, device.JointState{
			Commanded: device.JointMotion{Pos: a.told, Vel: a.vel, Acc: acc}, Measured: a.measured.Is, Fault: fault,
		})
	}
}
