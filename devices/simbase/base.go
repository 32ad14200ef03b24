package simbase

import (
	"math"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/script"
)

var (
	_ device.Base      = (*Base)(nil)
	_ device.Cartesian = (*Base)(nil)
	_ device.Cyclic    = (*Base)(nil)
)

// Base is a simulated base.
type Base struct {
	device.Rest
	period  time.Duration
	limits  plane // of velocity
	accel   plane // of acceleration
	wheels  shape
	powered atomic.Bool
	stopped atomic.Bool // by an emergency stop
	failed  atomic.Bool
	script  *script.Script
	stop    *device.Stop
	halted  bool // by it

	stream  stream         // of the net that commands
	refused atomic.Bool    // a pose was, and the base has not been left alone since
	refusal *device.Latest // which one
	asked   atomic.Int64   // when the base was commanded last, whether that was refused or not
	given   *device.Latest // from nets to the drives: a command
	state   *device.Latest // from the drives to all threads: words below

	now    motion // of the drives
	angles [wheels]float64
	words  [stateWords]uint64
}

const wheels = 4

// plane is something in the plane: ahead, to the left, and about Z.
type plane struct{ x, y, a float64 }

// motion is where the drives are, and how they drive seen from the base.
type motion struct{ pos, vel plane }

// Words of the state.
const (
	wordPos       = 0            // pose, seen from where the base counts its way from
	wordVel       = wordPos + 3  // seen from the base
	wordGoal      = wordVel + 3  // pose that is commanded
	wordCommanded = wordGoal + 3 // velocity that is commanded, seen from the base
	wordAngles    = wordCommanded + 3
	wordTurns     = wordAngles + wheels
	stateWords    = wordTurns + wheels
)

func newBase(stop *device.Stop, s *simulation, drive, turn limits, w shape) (*Base, error) {
	happens, err := script.Parse(s.Faults, events)
	if err != nil {
		return nil, device.WrongParam("faults", "%w", err)
	}
	b := &Base{
		period: s.Cycle, limits: plane{drive.vel, drive.vel, turn.vel}, accel: plane{drive.acc, drive.acc, turn.acc}, wheels: w,
		script: happens, stop: stop, refusal: device.NewLatest(refusalWords),
		given: device.NewLatest(commandWords), state: device.NewLatest(stateWords),
	}
	b.now.pos = planeOf(s.Home)
	b.powered.Store(s.Power)
	b.publish(plane{}, b.now.pos)
	return b, nil
}

// Status is operational while there is power and nothing has failed. Its cause names a pose that was refused (any).
func (b *Base) Status() device.Status {
	switch f := b.fault(); {
	case b.stopped.Load():
		return device.Status{State: device.SafeOperational, Cause: "emergency stop"}
	case f == device.BaseDrivesOff || f == device.BaseFailed:
		return device.Status{State: device.SafeOperational, Cause: f.String()}
	case f == device.BaseElsewhere:
		return device.Status{State: device.Operational, Cause: b.trouble()}
	}
	return device.Status{State: device.Operational}
}

// Interfaces returns those that applications look for (any).
func (b *Base) Interfaces() []device.Interface {
	return []device.Interface{{Name: device.RobotBaseName}, {Name: device.CartesianName}}
}

// Close does nothing.
func (b *Base) Close() error { return nil }

func (b *Base) fault() device.BaseFault {
	switch {
	case !b.powered.Load() || b.stopped.Load():
		return device.BaseDrivesOff
	case b.failed.Load():
		return device.BaseFailed
	case b.refused.Load():
		return device.BaseElsewhere
	}
	return device.BaseGood
}

// Period returns the cycle of the drives.
func (b *Base) Period() time.Duration { return b.period }

// Tick executes a cycle of the drives: it takes the newest command and drives for one period (cycle).
func (b *Base) Tick(t device.Tick) {
	b.happen(t.Time)
	c, there := b.command(t.Time)
	there = there && !b.Halting()
	if !there && b.refused.Load() && t.Time-b.asked.Load() > alone {
		b.refused.Store(false)
	}
	f := b.fault()
	powered := f != device.BaseDrivesOff && f != device.BaseFailed
	commanded, goal, want := plane{}, b.now.pos, plane{}
	switch {
	case !there || !powered:
	case c.poses:
		var rate plane
		goal, rate = c.at(t.Time)
		commanded = rate.seenFrom(b.now.pos.a)
		want = b.catchUp(goal, commanded, t.Period)
	default:
		commanded = c.vel
		want = c.vel
	}
	v := &b.now.vel
	v.x = change(v.x, want.x, b.limits.x, b.accel.x*t.Period)
	v.y = change(v.y, want.y, b.limits.y, b.accel.y*t.Period)
	v.a = change(v.a, want.a, b.limits.a, b.accel.a*t.Period)
	b.now.move(t.Period)
	turns := b.wheels.turns(b.now.vel)
	for i := range turns {
		b.angles[i] += turns[i] * t.Period
	}
	if !there || !powered || !c.poses {
		goal = b.now.pos
	}
	b.publish(commanded, goal)
	b.Note(*v == plane{})
}

// catchUp returns the velocity, seen from the base, with which it drives to a pose that moves: the velocity of the pose, and as
// much more as can be braked before the base arrives.
func (b *Base) catchUp(goal, rate plane, period float64) plane {
	way := plane{goal.x - b.now.pos.x, goal.y - b.now.pos.y, turn(goal.a - b.now.pos.a)}.seenFrom(b.now.pos.a)
	return plane{
		rate.x + closing(way.x-rate.x*period, b.accel.x, period),
		rate.y + closing(way.y-rate.y*period, b.accel.y, period),
		rate.a + closing(way.a-rate.a*period, b.accel.a, period),
	}
}

// closing returns the greatest velocity from which one comes to rest after a distance when each period takes acc·period of it.
func closing(distance, acc, period float64) float64 {
	step := acc * period
	v := step / 2 * (math.Sqrt(1+8*math.Abs(distance)/(step*period)) - 1)
	return math.Copysign(min(v, math.Abs(distance)/period), distance)
}

// change brings a velocity to what is wanted, as far as it may go within a period.
func change(v, want, limit, step float64) float64 {
	want = min(max(want, -limit), limit)
	return min(max(want, v-step), v+step)
}

// move drives for a time on an arc.
func (m *motion) move(time float64) {
	half := m.vel.a * time / 2
	chord := time
	if half != 0 {
		chord *= math.Sin(half) / half
	}
	s, c := math.Sincos(m.pos.a + half)
	m.pos.x += chord * (c*m.vel.x - s*m.vel.y)
	m.pos.y += chord * (s*m.vel.x + c*m.vel.y)
	m.pos.a = turn(m.pos.a + 2*half)
}

// seenFrom turns a velocity of the ground into one of a base that has turned by an angle.
func (p plane) seenFrom(angle float64) plane {
	s, c := math.Sincos(angle)
	return plane{c*p.x + s*p.y, c*p.y - s*p.x, p.a}
}

// turn returns an angle within half a turn.
func turn(a float64) float64 {
	if a >= -math.Pi && a <= math.Pi {
		return a
	}
	return math.Remainder(a, 2*math.Pi)
}

// turns returns the velocities of mecanum wheels, whose rollers stand at 45°: front left, front right, rear left, rear right.
func (w *shape) turns(v plane) [wheels]float64 {
	by := w.arm * v.a
	return [wheels]float64{
		(v.x - v.y - by) / w.radius, (v.x + v.y + by) / w.radius,
		(v.x + v.y - by) / w.radius, (v.x - v.y + by) / w.radius,
	}
}

// publish makes the state visible to all threads.
func (b *Base) publish(commanded, goal plane) {
	put := func(at int, p plane) {
		b.words[at], b.words[at+1], b.words[at+2] = math.Float64bits(p.x), math.Float64bits(p.y), math.Float64bits(p.a)
	}
	put(wordPos, b.now.pos)
	put(wordVel, b.now.vel)
	put(wordGoal, goal)
	put(wordCommanded, commanded)
	turns := b.wheels.turns(b.now.vel)
	for i := range turns {
		b.words[wordAngles+i], b.words[wordTurns+i] = math.Float64bits(b.angles[i]), math.Float64bits(turns[i])
	}
	b.state.Put(b.words[:])
}

func planeOf(f geom.Frame) plane {
	a, _, _ := f.Rot.ABC()
	return plane{f.Pos.X, f.Pos.Y, a}
}

func (p plane) frame() geom.Frame {
	return geom.Frame{Pos: geom.Vector{X: p.x, Y: p.y}, Rot: geom.FromABC(p.a, 0, 0)}
}

func (p plane) twist() geom.Twist {
	return geom.Twist{Vel: geom.Vector{X: p.x, Y: p.y}, Rot: geom.Vector{Z: p.a}}
}
