package drives

import (
	"fmt"
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

// Axes are joints that drives move, all together.
type Axes struct {
	*multijoint.Group
	*multijoint.Tools
	*ports.Driven

	cfg     *Options
	bus     ecat.Master
	clock   rt.Clock
	stop    *device.Stop // of the cell
	changed func()
	models  []kinematics.Joint
	units   []*unit
	clocked bool

	axes   *setpoint.Axes
	gear   *Gear
	image  *ports.Image
	inputs *terminals

	wish    atomic.Int32 // of people: to arm or to disarm
	closing atomic.Bool
	shown   shown

	// Of the thread of the bus.
	pace      pace
	beat      beat
	power     power
	quality   ecat.Quality
	confirmed bool  // all drives have answered the newest outputs
	lost      int64 // cycles in a row without an answer
	begun     bool  // targets are those of nets
	values    []float64
}

// Arm is axes with kinematics.
type Arm struct {
	*Axes
	arm *kinematics.Arm
}

// NewArm makes an arm of axes (load).
func NewArm(a *Axes, is *kinematics.Arm) *Arm { return &Arm{a, is} }

var (
	_ device.ArmKinematics = (*Arm)(nil)
	_ device.Described     = (*Axes)(nil)
	_ device.IO            = (*Axes)(nil)
	_ device.Meter         = (*Axes)(nil)
	_ ecat.Holder          = (*Axes)(nil)
	_ ecat.Driver          = (*unit)(nil)
)

// Options describe axes.
type Options struct {
	What   string // what a slave is called
	Units  []Unit
	Joints []kinematics.Joint
	Start  []float64
	Gear   *Gear
	Mode   cia402.Mode // one of the cyclic ones
	// FollowBit reports whether bit 12 of statuswords says that an axis follows.
	FollowBit bool
	Loop      Loop

	Setting
	Ports
	Motion
}

// Unit is a slave with axes: which slave, and which of its axes, from 0, are the next joints.
type Unit struct {
	Where ecat.Where
	Order []int
}

// Loop computes velocities or torques from positions, in the modes that have these as targets.
type Loop struct {
	Gain    float64   // velocity for a distance, 1/s
	Stiff   []float64 // torque for a distance, N·m/rad or N/m
	Damp    []float64 // torque for a difference of velocities
	Rated   []float64 // torque that drives call 1000
	Longest float64   // share of the rated torque
}

const (
	wishArm    = 1
	wishDisarm = 2
	wishHome   = 3 // of all axes; of joint n, from 1: n more
)

// New makes axes of drives at a bus. They are to be added to it (load).
func New(env *device.Env, bus ecat.Master, o Options) (*Axes, error) {
	if period := bus.Period(); period <= 0 || o.Cycle%period != 0 {
		return nil, device.WrongParam("cycle", "%v is not a multiple of the cycle of the bus, %v", o.Cycle, period)
	}
	if o.Unit == 0 {
		return nil, device.WrongParam("analog_unit", "it must not be 0")
	}
	n := len(o.Joints)
	r := &Axes{
		cfg: &o, bus: bus, clock: env.Clock, stop: env.Stop, changed: env.Changed, models: o.Joints, gear: o.Gear, values: make([]float64, n),
	}
	r.power.axes, r.shown.axes = make([]axis, n), make([]axisShown, n)
	if err := r.gear.fits(r.models); err != nil {
		return nil, err
	}
	if err := r.join(); err != nil {
		return nil, err
	}
	var err error
	if r.inputs, err = newTerminals(&o.Ports); err != nil {
		return nil, err
	}
	r.image = ports.New(r.inputs.count(env.Name))
	r.Driven = r.image.Driven()
	if r.axes, err = setpoint.New(r.models, o.Start, setpoint.Options{
		Cycle: o.Cycle, Smooth: o.Smooth, Ahead: o.Ahead, Lapse: o.Lapse, Margin: o.Margin, Slack: o.Slack,
	}); err != nil {
		return nil, err
	}
	r.Group, r.Tools = multijoint.New(r.axes), multijoint.NewTools(n)
	r.pace = pace{clocked: r.clocked, cycle: int64(o.Cycle), shift: int64(o.Shift)}
	cycles := func(d time.Duration) int { return int((d + o.Cycle - 1) / o.Cycle) }
	p := &r.power
	p.patience, p.backoff, p.most, p.armed, p.mode, p.follows = cycles(o.Patience), cycles(o.Backoff), o.Resets, o.Motion.Arm, o.Mode, o.FollowBit
	p.search = cycles(o.Search)
	for i, j := range r.models {
		a := &p.axes[i]
		a.bounds = setpoint.Bounds{Vel: j.Velocity * (1 + o.Margin), Acc: j.Acceleration * o.Slack, Span: o.Cycle.Seconds()}
		a.told, a.measured.Is.Pos = o.Start[i], o.Start[i]
	}
	r.hold(offline)
	r.publish(offline)
	return r, nil
}

// join makes the slaves.
func (r *Axes) join() error {
	o, first := r.cfg, 0
	for i := range o.Units {
		u := &unit{of: r, where: o.Units[i].Where, order: o.Units[i].Order, first: first}
		var err error
		if u.identity, err = o.Identity(); err != nil {
			return err
		}
		if u.setup, err = o.setup(u.order, o.Mode); err != nil {
			return err
		}
		r.clocked = u.setup.Clock != nil
		first += len(u.order)
		r.units = append(r.units, u)
	}
	if first != len(r.models) {
		return fmt.Errorf("%d axes of drives for %d joints", first, len(r.models))
	}
	return nil
}

// Arm returns the kinematics (any).
func (r *Arm) Arm() *kinematics.Arm { return r.arm }

// Interfaces returns those that applications look for (any).
func (r *Arm) Interfaces() []device.Interface { return multijoint.Announce(r) }

// Interfaces returns those that applications look for (any).
func (r *Axes) Interfaces() []device.Interface { return multijoint.Announce(r) }

// Close stops the drives, and leaves the bus when nothing moves any more.
func (r *Axes) Close() error {
	r.Halt()
	if clock, ok := r.clock.(*rt.Real); ok {
		const most = int64(3 * time.Second)
		var alarm rt.Alarm
		until := clock.Now() + most
		for next := clock.Now(); !r.AtRest() && next < until; next += int64(r.cfg.Cycle) {
			clock.SleepUntil(next, &alarm)
		}
	}
	r.bus.Remove(r)
	return nil
}

// Halt lets the joints come to rest within their limits, and then shuts the drives down. Those that do not follow are stopped by their quick
// stop (any).
func (r *Axes) Halt() { r.closing.Store(true) }

// AtRest reports whether the drives have no power any more, or the bus does not know (any).
func (r *Axes) AtRest() bool { return r.Holds() == "" || r.bus.Trouble() != "" }

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

// Faults of joints of this driver.
const (
	faultOffline = device.JointOwnFaults
	faultHeld    = device.JointOwnFaults + 1 // a net that commanded before has not let go
)

// step is a cycle of the drive (cycle).
func (r *Axes) step(at *ecat.Moment, b beat) {
	p := r.decide(at, b)
	now := r.clock.Unix(b.instant)
	if b.missed > 0 || p <= waiting {
		r.axes.Restart()
	}
	if p == ready && !r.begun {
		r.begin()
	}
	if p == ready {
		leaves := r.closing.Load()
		if leaves {
			r.revoke()
		}
		switch {
		case !r.lead(now):
			r.power.lose(beyondLimits, 0)
			p = r.phase()
		case leaves:
			r.power.rests(r.still())
		}
	} else {
		r.hold(p)
		r.axes.Values(now, r.values)
	}
	r.power.command()
	r.publish(p)
	r.show(at, b, p, now)
	r.confirmed = false
}

// decide finds out what may be done with the drive (cycle).
func (r *Axes) decide(at *ecat.Moment, b beat) phase {
	p := &r.power
	r.gather()
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

// unplug is called when the drive is not under control: pending orders end (cycle).
func (r *Axes) unplug(why loss) {
	if p := &r.power; p.stage > down {
		p.lose(why, 0)
	}
}

// listen does what people wish. As long as there is an emergency stop of the cell they cannot arm the drives (cycle).
func (r *Axes) listen() {
	p := &r.power
	switch wish := int(r.wish.Swap(0)); {
	case wish == wishArm:
		if p.stage == down {
			p.arm()
		}
	case wish == wishDisarm:
		p.lose(byPeople, 0)
	case wish >= wishHome:
		p.home(wish - wishHome - 1)
	}
	switch {
	case r.closing.Load():
		p.leave()
	case r.stop.Pressed():
		p.lose(byStop, 0)
	}
}

// supervise checks that axes are where they were commanded to be (cycle).
func (r *Axes) supervise() {
	p := &r.power
	axes := p.axes
	for i := range axes {
		a := &axes[i]
		if !(math.Abs(a.told-a.measured.Is.Pos) <= r.cfg.Following) {
			p.lose(apart, i)
			return
		}
	}
}

// phase returns the one that follows from the stage (cycle).
func (r *Axes) phase() phase {
	switch p := &r.power; {
	case p.stage == following:
		return ready
	case p.stage == down && p.stopping, p.stage == retiring:
		return stopping
	case p.stage == down:
		return unpowered
	default:
		return starting
	}
}

// begin lets nets command joints from where these are. Those that commanded them before have to let go first (cycle).
func (r *Axes) begin() {
	r.hold(starting)
	r.begun = true
	for i := range r.models {
		r.axes.Unblock(i)
		r.axes.Revoke(i, faultHeld)
	}
}

// revoke lets no net command joints any more: they come to rest (cycle).
func (r *Axes) revoke() {
	for i := range r.models {
		r.axes.Revoke(i, device.JointDrivesOff)
	}
}

// still reports whether no joint moves or is commanded to (cycle).
func (r *Axes) still() bool {
	axes := r.power.axes
	for i := range axes {
		if axes[i].vel != 0 || r.axes.Commanded(i).Vel != 0 {
			return false
		}
	}
	return !r.power.moves()
}

// hold makes where axes are their targets, and lets no net command (cycle).
func (r *Axes) hold(p phase) {
	r.begun = false
	axes := r.power.axes
	seeks := r.power.stage == seeking
	for i := range axes {
		a := &axes[i]
		if seeks && !a.homing { // it stays where it was commanded to be
			a.vel = 0
			r.axes.Block(i, p.fault(a), a.told)
			continue
		}
		a.told, a.vel, a.target, a.speed, a.torque, a.order = a.measured.Is.Pos, 0, a.actual, 0, 0, int8(r.cfg.Mode)
		if seeks {
			a.order = int8(cia402.Homing)
		}
		r.axes.Block(i, p.fault(a), a.told)
	}
	if seeks {
		var rest vector
		r.drive(&rest)
	}
}

// fault returns what a joint shows (cycle).
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

// lead goes on to the set-points of nets (cycle). When it is unknown whether the newest targets have arrived, they are repeated. It is
// false when there is no target for the drive.
func (r *Axes) lead(now int64) bool {
	r.axes.Values(now, r.values)
	axes := r.power.axes
	if !r.confirmed {
		for i := range axes {
			axes[i].vel = 0
		}
		return true
	}
	const digits = 1e-9
	values := r.values
	var next, vel vector
	for i := 0; i < Most && i < len(axes) && i < len(values); i++ {
		a := &axes[i]
		next[i], vel[i] = a.bounds.Towards(a.told, a.vel, values[i], r.axes.Commanded(i).Vel)
		if step := math.Abs(next[i] - a.told); !(step <= a.bounds.Vel*a.bounds.Span+digits) {
			return false
		}
	}
	counts, ok := r.gear.counts(&next)
	if !ok {
		return false
	}
	for i := 0; i < Most && i < len(axes); i++ {
		a := &axes[i]
		a.told, a.vel, a.target = next[i], vel[i], counts[i]
	}
	return r.drive(&vel)
}

// drive makes of positions and velocities of joints what drives take beside or instead of targets of positions. It is false when that
// cannot be commanded (cycle).
func (r *Axes) drive(vel *vector) bool {
	axes, loop := r.power.axes, &r.cfg.Loop
	var rates vector
	for i := 0; i < Most && i < len(axes); i++ {
		a := &axes[i]
		rates[i] = vel[i]
		if r.cfg.Mode == cia402.CyclicVelocity {
			v := vel[i] + loop.Gain*(a.told-a.measured.Is.Pos)
			rates[i] = max(-a.bounds.Vel, min(a.bounds.Vel, v))
		}
	}
	rates = r.gear.rates(&rates)
	torques, rated := r.torques(vel), loop.Rated
	for i := 0; i < Most && i < len(axes); i++ {
		a := &axes[i]
		v := math.RoundToEven(rates[i])
		if !(v >= math.MinInt32 && v <= math.MaxInt32) {
			return false
		}
		a.speed = int32(v)
		if i >= len(rated) {
			continue
		}
		const whole = 1000
		torque := math.RoundToEven(max(-whole*loop.Longest, min(whole*loop.Longest, whole*torques[i]/rated[i])))
		if !(torque >= math.MinInt16 && torque <= math.MaxInt16) {
			return false
		}
		a.torque = int16(torque)
	}
	return true
}

// torques returns those that axes need so that joints go where they were commanded to be, none where these are not the targets (cycle).
func (r *Axes) torques(vel *vector) (torques vector) {
	axes, stiff, damp := r.power.axes, r.cfg.Loop.Stiff, r.cfg.Loop.Damp
	for i := 0; i < Most && i < len(axes) && i < len(stiff) && i < len(damp); i++ {
		is := axes[i].measured.Is
		torques[i] = stiff[i]*(axes[i].told-is.Pos) + damp[i]*(vel[i]-is.Vel)
	}
	return r.gear.torques(&torques)
}

// publish makes the state of the joints visible to all threads (cycle).
func (r *Axes) publish(p phase) {
	axes := r.power.axes
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
