package actuator

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// Base is a mobile base that drives in the plane.
type Base struct {
	device       string
	omni         bool
	origin, body *world.Frame
	defaults     []robotics.Param
}

// NewBase returns the proxy of a base that can drive in all directions. It measures its pose from its origin, which may be related to
// other frames, and carries its body.
func NewBase(device string, defaults ...robotics.Param) *Base { return newBase(device, true, defaults) }

// NewDifferentialBase returns the proxy of a base that drives ahead and turns.
func NewDifferentialBase(device string, defaults ...robotics.Param) *Base {
	return newBase(device, false, defaults)
}

func newBase(device string, omni bool, defaults []robotics.Param) *Base {
	b := &Base{device: device, omni: omni, origin: world.NewFrame(device + " origin"), body: world.NewFrame(device)}
	b.defaults = robotics.DefaultsOf(defaults, robotics.MotionCenter{Frame: b.body}, BaseLimits{Vel: 0.25, RotVel: 0.3}, robotics.Speed(1), robotics.Acceleration(1))
	if _, err := world.Couple(b.origin, b.body, drives{b}); err != nil {
		panic(err) // both are new
	}
	return b
}

// BaseLimits are how fast a base drives, ahead and to the sides each, and turns, m/s and rad/s.
type BaseLimits struct{ Vel, RotVel float64 }

func (b *Base) String() string { return b.device }

// Origin returns the frame from which the base measures its pose.
func (b *Base) Origin() *world.Frame { return b.origin }

// Body returns the frame of the base.
func (b *Base) Body() *world.Frame { return b.body }

// Defaults returns the parameters for commands that have no others.
func (b *Base) Defaults() []robotics.Param { return b.defaults }

// drives couples origin and body: as far as the base knows.
type drives struct{ base *Base }

// MapCoupling reads where the base is.
func (d drives) MapCoupling(m *mapping.Net) graph.Signal[geom.Frame] {
	return mapping.Link[geom.Frame](d.base.monitor(m), "outPos")
}

type baseKey struct{ device string }

func (b *Base) monitor(m *mapping.Net) *graph.Primitive {
	return mapping.Once(m, baseKey{b.device}, func() *graph.Primitive { return m.Add("RobotBase::BaseMonitor").Set("Robot", b.device) })
}

// Understands returns goals, to which the base finds its path, and velocities.
func (b *Base) Understands() []mapping.Flow {
	return []mapping.Flow{mapping.CartesianGoal{}, mapping.CartesianVelocity{}}
}

// MapActuator drives.
func (b *Base) MapActuator(c *mapping.Context, flow mapping.Flow) mapping.Part {
	switch f := flow.(type) {
	case mapping.CartesianGoal:
		return b.goTo(c, f)
	case mapping.CartesianVelocity:
		return b.drive(c, f)
	}
	return mapping.Part{}
}

// goTo goes to a goal by a controller of velocity. When the command is cancelled the goal is where the base is: so it brakes.
func (b *Base) goTo(c *mapping.Context, goal mapping.CartesianGoal) mapping.Part {
	at := mapping.Link[geom.Frame](b.monitor(c.Net), "outPos")
	if dependent(b.origin, goal.In, drives{b}) {
		c.Fail(fmt.Errorf("frame %v: %w", goal.In, robotics.ErrOwnFrame))
	}
	if dependent(b.body, goal.Of, drives{b}) {
		c.Fail(fmt.Errorf("frame %v: %w", goal.Of, robotics.ErrNotCarried))
	}
	there := c.Express(goal.CartesianPosition, b.body, b.origin)
	limits, speed := b.limits(c)
	name := "RobotBase::OmnidirectionalBaseController"
	if !b.omni {
		name = "RobotBase::DifferentialDriveController"
	}
	p := c.Add(name).Link("inActive", c.Active.Port).Link("inPos", at.Port).Set("velX", limits.Vel).Set("velYaw", limits.RotVel)
	if b.omni {
		p.Set("velY", limits.Vel)
	}
	p.Link("inDest", graph.If(c.Cancelled, at, there).Port)
	want := mapping.Link[geom.Twist](p, "outVel")
	arrived := graph.If(c.Cancelled, c.False(), mapping.Link[bool](p, "outCompleted"))
	return b.command(c, scaled(c, want, speed), graph.Or(arrived, c.And(c.Cancelled, still(c, want))))
}

// drive drives with a velocity of what the base carries, seen from a frame; if that is carried too, along its axes.
func (b *Base) drive(c *mapping.Context, goal mapping.CartesianVelocity) mapping.Part {
	limits, share := b.limits(c)
	if dependent(b.body, goal.Of, drives{b}) {
		c.Fail(fmt.Errorf("frame %v: %w", goal.Of, robotics.ErrNotCarried))
	}
	along := goal.In
	if own := dependent(b.origin, goal.In, drives{b}); !own || goal.Of != b.body {
		if own {
			goal.Twist, goal.In = c.Turn(goal.Twist, goal.In, b.origin), b.origin
		}
		goal.Twist, along = c.ExpressVelocity(goal, b.body, b.origin), b.origin
	}
	twist := c.Turn(goal.Twist, along, b.body)
	parts := c.Add("World::TwistToXYZ").Link("inValue", twist.Port)
	smooth := c.Add("World::TwistFromXYZ")
	rest := []graph.Signal[bool]{c.Cancelled}
	for _, axis := range []struct {
		name string
		most float64
	}{{"X", limits.Vel}, {"Y", limits.Vel}, {"A", limits.RotVel}} {
		most := graph.Mul(share, c.Real(axis.most))
		want := graph.Max(graph.Mul(c.Real(-1), most), graph.Min(most, mapping.Link[float64](parts, "out"+axis.name)))
		vel, done := slew(c, want, axis.most/rise, axis.most/rise/leastRise)
		smooth.Link("in"+axis.name, vel.Port)
		rest = append(rest, done)
	}
	return b.command(c, mapping.Link[geom.Twist](smooth, "outValue"), c.And(rest...))
}

func (b *Base) command(c *mapping.Context, vel graph.Signal[geom.Twist], done graph.Signal[bool]) mapping.Part {
	p := c.Add("RobotBase::BaseVelocity").Set("Robot", b.device).Link("inActive", c.Active.Port).Link("inVel", vel.Port)
	return mapping.Part{Done: done, Faults: []mapping.Fault{
		{Name: robotics.FaultConcurrent, Of: b.device, Is: mapping.Link[bool](p, "outErrorConcurrentAccess")},
		{Name: robotics.FaultIllegal, Of: b.device, Is: mapping.Link[bool](p, "outErrorIllegalVelocity")},
		{Name: robotics.FaultFailed, Of: b.device, Is: mapping.Link[bool](p, "outErrorBaseFailed")},
	}}
}

// rise is how long a base takes to its limit of velocity, s, and leastRise how long anything takes to its limit of acceleration.
const (
	rise      = 0.5
	leastRise = 0.02
)

// limits returns those of the command, and the share of them at the moment, which changes smoothly.
func (b *Base) limits(c *mapping.Context) (l BaseLimits, share graph.Signal[float64]) {
	l = mapping.Param[BaseLimits](c)
	speed, _ := shares(c)
	if !(l.Vel > 0 && l.RotVel > 0) {
		c.Fail(fmt.Errorf("%+v: %w", l, robotics.ErrLimits))
	}
	first := graph.Rising(c.Active)
	now := overrideOf(c)
	p := c.Add("Motion::OTG").Link("inActive", c.Active.Port).Link("inDestPos", now.Port).Set("Moving", false)
	p.Link("inCurPos", mapping.Link[float64](c.Add("Core::DoubleSetNull").Link("inValue", now.Port).Link("inNull", graph.Not(first).Port), "outValue").Port)
	p.Set("MaxVel", 1/rise).Set("MaxAcc", 1/rise/leastRise).Set("MaxJerk", infinite)
	return BaseLimits{l.Vel * speed, l.RotVel * speed}, mapping.Link[float64](p, "outPos")
}

// scaled returns a twist times a share.
func scaled(c *mapping.Context, t graph.Signal[geom.Twist], share graph.Signal[float64]) graph.Signal[geom.Twist] {
	parts := c.Add("World::TwistToVelocities").Link("inValue", t.Port)
	joined := c.Add("World::TwistFromVelocities")
	for _, part := range []string{"TransVel", "RotVel"} {
		p := c.Add("World::VectorScale").Link("inValue", parts.Out("out"+part)).Link("inFactor", share.Port)
		joined.Link("in"+part, p.Out("outValue"))
	}
	return mapping.Link[geom.Twist](joined, "outValue")
}

// still reports whether a twist is zero.
func still(c *mapping.Context, t graph.Signal[geom.Twist]) graph.Signal[bool] {
	parts := c.Add("World::TwistToVelocities").Link("inValue", t.Port)
	var squares []graph.Signal[float64]
	for _, part := range []string{"outTransVel", "outRotVel"} {
		v := parts.Out(part)
		squares = append(squares, mapping.Link[float64](c.Add("World::VectorDot").Link("inFirst", v).Link("inSecond", v), "outValue"))
	}
	const none = 1e-12
	return graph.Less(graph.Add(squares[0], squares[1]), c.Real(none))
}

// CheckPlane reports a pose of a frame in which a base would not stand on the ground, as far as that is known beforehand.
func CheckPlane(c *mapping.Context, of, in *world.Frame, pose geom.Frame) {
	const upright, level = 1e-4, 1e-4 // rad, m: what frames may be off that were measured
	b, is := c.Actuator.(*Base)
	if !is {
		return
	}
	ground, stands := fixed(b.origin, in)
	held, carried := fixed(of, b.body)
	if !stands || !carried {
		return
	}
	body := ground.Mul(pose).Mul(held)
	up := body.Rot.Rotate(geom.Vector{Z: 1})
	if math.Abs(body.Pos.Z) > level || math.Hypot(up.X, up.Y) > upright || up.Z < 0 {
		c.Fail(fmt.Errorf("pose %v: %w", pose, robotics.ErrPlane))
	}
}
