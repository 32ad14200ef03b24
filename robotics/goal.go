package robotics

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// everybodys are converters that no action or actuator has to bring.
var everybodys = []mapping.Converter{
	mapping.Convert(approach), mapping.Convert(glide), mapping.Convert(integrate),
}

// approach leads joints to a goal that may be another one in each cycle, within their limits, up to their ends. When the command is
// cancelled they come to rest.
func approach(c *mapping.Context, goal mapping.JointGoal) (mapping.JointPositions, mapping.Part) {
	j := joints(c)
	if len(goal.Pos) != j.Len() {
		c.Fail(fmt.Errorf("a goal of %d joints: %w", len(goal.Pos), ErrJoints))
		return mapping.JointPositions{}, mapping.Part{}
	}
	pos, g := lead(c, j, goal, Asynchronous, j.ends())
	return mapping.JointPositions{Pos: pos, InFlight: true}, mapping.Part{Done: g.done}
}

// glide leads joints at velocities that may be others in each cycle, within their limits: each goes for one of its ends, as fast as
// it is told, and rests there. When the command is cancelled, or for no velocity, they come to rest.
func glide(c *mapping.Context, goal mapping.JointVelocities) (mapping.JointPositions, mapping.Part) {
	j := joints(c)
	if len(goal.Vel) != j.Len() {
		c.Fail(fmt.Errorf("velocities of %d joints: %w", len(goal.Vel), ErrJoints))
		return mapping.JointPositions{}, mapping.Part{}
	}
	limits := j.limits(c)
	share, later := overrideOf(c), graph.Not(graph.Rising(c.Active))
	last := j.last(c.Net)
	pos := make([]graph.Signal[float64], j.Len())
	rest := []graph.Signal[bool]{c.Cancelled}
	reach := j.ends()
	for i := range pos {
		ahead, back := c.Real(reach.most[i]), c.Real(reach.least[i])
		end := graph.If(graph.Greater(goal.Vel[i], c.Real(0)), ahead, back)
		speed := graph.Max(goal.Vel[i], graph.Mul(goal.Vel[i], c.Real(-1)))
		begin := c.Add("Core::DoubleSetNull").Link("inValue", last[i].Port).Link("inNull", later.Port)
		p := c.Add("Motion::OTG").Set("Moving", false).Link("inCurPos", begin.Out("outValue")).Link("inDestPos", end.Port).Set("MaxAcc", limits.acc[i]).Set("MaxJerk", limits.jerk[i])
		g := generate(c, p.Link("inMaxVel", graph.Mul(share, graph.Min(speed, c.Real(limits.vel[i]))).Port))
		pos[i] = mapping.Link[float64](p, "outPos")
		rest = append(rest, g.done)
	}
	return mapping.JointPositions{Pos: pos}, mapping.Part{Done: c.And(rest...)}
}

// slew changes a velocity to what is wanted within limits of acceleration and jerk, to 0 when the command is cancelled. A
// generator of positions does it, one derivative higher. It tells whether the velocity is 0 and stays so.
func slew(c *mapping.Context, want graph.Signal[float64], acc, jerk float64) (vel graph.Signal[float64], rests graph.Signal[bool]) {
	goal := graph.If(c.Cancelled, c.Real(0), want)
	p := c.Add("Motion::OTG").Link("inActive", c.Active.Port).Link("inDestPos", goal.Port).Set("Moving", false)
	p.Set("MaxVel", acc).Set("MaxAcc", min(jerk, acc/leastRise)).Set("MaxJerk", infinite)
	vel = mapping.Link[float64](p, "outPos")
	return vel, c.And(c.Cancelled, mapping.Link[bool](p, "outReached"))
}

// integrate moves a frame with a velocity that may be another one in each cycle. When the command is cancelled it comes to rest.
func integrate(c *mapping.Context, goal mapping.CartesianVelocity) (mapping.CartesianPosition, mapping.Part) {
	limits, _ := cartesian(c)
	goal = ownAxes(c, goal)
	share := paceOf(c, goal.Of, goal.In)
	parts := c.Add("World::TwistToXYZ").Link("inValue", goal.Twist.Port)
	smooth := c.Add("World::TwistFromXYZ")
	rest := []graph.Signal[bool]{c.Cancelled}
	for i, axis := range []string{"X", "Y", "Z", "C", "B", "A"} {
		k := i / 3 //nolint:mnd // translation, then rotation
		// Each of three axes gets what is left of the limit when all three are at theirs.
		const third = 0.57
		most := graph.Mul(share, c.Real(third*limits.vel[k]))
		want := graph.Max(graph.Mul(c.Real(-1), most), graph.Min(most, mapping.Link[float64](parts, "out"+axis)))
		vel, done := slew(c, want, third*limits.acc[k], third*limits.jerk[k])
		smooth.Link("in"+axis, vel.Port)
		rest = append(rest, done)
	}
	last := graph.NewWire[geom.Frame](c.Graph)
	moved := c.Add("World::FrameAddTwist").Link("inFrame", last.Port).Link("inTwist", smooth.Out("outValue")).Link("inActive", c.Active.Port)
	pose := mapping.Link[geom.Frame](moved, "outValue")
	before := graph.Pre(pose)
	last.Connect(graph.If(graph.IsNull(before), c.Identity(c.Transform(goal.In, goal.Of)), before))
	return mapping.CartesianPosition{Pose: pose, Of: goal.Of, In: goal.In}, mapping.Part{Done: c.And(rest...)}
}

// JointHold keeps joints where they are when it begins, until it is cancelled.
type JointHold struct{}

func (JointHold) String() string { return "hold joints" }

// MapAction remembers where the joints are.
func (JointHold) MapAction(c *mapping.Context) mapping.Part {
	var pos []graph.Signal[float64]
	for _, last := range joints(c).last(c.Net) {
		pos = append(pos, graph.Hold(last, graph.Rising(c.Active), 0))
	}
	return mapping.Part{Flow: mapping.JointPositions{Pos: pos}, Done: c.Cancelled}
}

// CartesianHold keeps the motion centre where it is when it begins, seen from a frame, until it is cancelled. When the frame
// moves the motion centre follows, within the limits of the joints.
type CartesianHold struct{ In *world.Frame }

func (CartesianHold) String() string { return "hold" }

// MapAction remembers where the motion centre is.
func (h CartesianHold) MapAction(c *mapping.Context) mapping.Part {
	center := mapping.Param[MotionCenter](c).Frame
	pose := begin(c, c.Identity(c.Transform(h.In, center)))
	goal := mapping.CartesianGoal{CartesianPosition: mapping.CartesianPosition{Pose: pose, Of: center, In: h.In}, Moving: true}
	return mapping.Part{Flow: goal, Done: c.Cancelled}
}

// JogJoints moves joints with velocities that sensors tell, until it is cancelled. Joints come to rest before their limits.
type JogJoints struct{ Velocities []Sensor[float64] }

func (JogJoints) String() string { return "jog joints" }

// MapAction reads the sensors.
func (g JogJoints) MapAction(c *mapping.Context) mapping.Part {
	var vel []graph.Signal[float64]
	for _, s := range g.Velocities {
		vel = append(vel, Read(c.Net, s))
	}
	return mapping.Part{Flow: mapping.JointVelocities{Vel: vel}, Done: c.Cancelled}
}

// Jog moves the motion centre with a velocity that a sensor tells, seen from a frame, until it is cancelled. The frame may be one that the
// robot carries, as the motion centre itself: then the velocity is along its axes, wherever they are.
type Jog struct {
	Velocity Sensor[geom.Twist]
	In       *world.Frame
}

func (Jog) String() string { return "jog" }

// MapAction reads the sensor.
func (g Jog) MapAction(c *mapping.Context) mapping.Part {
	center := mapping.Param[MotionCenter](c).Frame
	return mapping.Part{Flow: mapping.CartesianVelocity{Twist: Read(c.Net, g.Velocity), Of: center, In: g.In}, Done: c.Cancelled}
}

// FollowJoints leads joints to where sensors tell, in each cycle, within their limits, until it is cancelled. A goal beyond where a joint
// can be is one at its end, where the joint comes to rest; of a constant that is a mistake. While one of them is no number, or null, all
// joints come to rest. Smooth is as in Follow.
type FollowJoints struct {
	Goals  []Sensor[float64]
	Smooth bool
}

func (FollowJoints) String() string { return "follow joints" }

// MapAction reads the sensors.
func (f FollowJoints) MapAction(c *mapping.Context) mapping.Part {
	var pos []graph.Signal[float64]
	j := joints(c)
	for i, s := range f.Goals {
		if says, constant := s.(*derived[float64]); constant && says.always != nil && !math.IsNaN(*says.always) && i < j.Len() {
			j.checkJoint(c, i, *says.always)
		}
		pos = append(pos, Read(c.Net, s))
	}
	return mapping.Part{Flow: mapping.JointGoal{Pos: pos, Moving: f.Smooth}, Done: c.Cancelled}
}

// Follow leads the motion centre to where a sensor tells, in each cycle, seen from a frame, within the limits of what moves it,
// until it is cancelled. A goal that moves smoothly is followed without delay; of one with noise, or that jumps, the difference
// from cycle to cycle says nothing about where it will be.
type Follow struct {
	Goal   Sensor[geom.Frame]
	In     *world.Frame
	Smooth bool
}

func (Follow) String() string { return "follow" }

// MapAction reads the sensor.
func (f Follow) MapAction(c *mapping.Context) mapping.Part {
	center := mapping.Param[MotionCenter](c).Frame
	at := mapping.CartesianPosition{Pose: Read(c.Net, f.Goal), Of: center, In: f.In}
	return mapping.Part{Flow: mapping.CartesianGoal{CartesianPosition: at, Moving: f.Smooth}, Done: c.Cancelled}
}

// DriveTo brings the motion centre to a pose, seen from a frame, on a way of the actuator's own. Bases drive in the plane: a pose for which
// they would have to rise or to tilt is a mistake.
type DriveTo struct {
	To geom.Frame
	In *world.Frame
}

func (DriveTo) String() string { return "drive to" }

// MapAction says where to go; the actuator knows when it is there.
func (d DriveTo) MapAction(c *mapping.Context) mapping.Part {
	center := mapping.Param[MotionCenter](c).Frame
	checkReach(c, center, d.In, d.To)
	checkPlane(c, center, d.In, d.To)
	at := mapping.CartesianPosition{Pose: constant(c, d.To), Of: center, In: d.In}
	return mapping.Part{Flow: mapping.CartesianGoal{CartesianPosition: at}}
}
