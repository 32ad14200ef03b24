package actuator

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// approach leads joints to a goal that may be another one in each cycle, within their limits, up to their ends. When the command is
// cancelled they come to rest.
func approach(c *mapping.Context, goal mapping.JointGoal) (mapping.JointPositions, mapping.Part) {
	j := JointsOf(c)
	if len(goal.Pos) != j.Len() {
		c.Fail(fmt.Errorf("a goal of %d joints: %w", len(goal.Pos), robotics.ErrJoints))
		return mapping.JointPositions{}, mapping.Part{}
	}
	pos, g := lead(c, j, goal, robotics.Asynchronous, j.ends())
	return mapping.JointPositions{Pos: pos, InFlight: true}, mapping.Part{Done: g.Done}
}

// glide leads joints at velocities that may be others in each cycle, within their limits: each heads for one of its ends, as fast as
// given, and rests there. When the command is cancelled, or for no velocity, they come to rest.
func glide(c *mapping.Context, goal mapping.JointVelocities) (mapping.JointPositions, mapping.Part) {
	j := JointsOf(c)
	if len(goal.Vel) != j.Len() {
		c.Fail(fmt.Errorf("velocities of %d joints: %w", len(goal.Vel), robotics.ErrJoints))
		return mapping.JointPositions{}, mapping.Part{}
	}
	limits := j.limits(c)
	share, later := overrideOf(c), graph.Not(graph.Rising(c.Active))
	last := j.Last(c.Net)
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
		rest = append(rest, g.Done)
	}
	return mapping.JointPositions{Pos: pos}, mapping.Part{Done: c.And(rest...)}
}

// slew changes a velocity to what is wanted within limits of acceleration and jerk, to 0 when the command is cancelled. A
// generator of positions does it, one derivative higher. It reports whether the velocity is 0 and stays so.
func slew(c *mapping.Context, want graph.Signal[float64], acc, jerk float64) (vel graph.Signal[float64], rests graph.Signal[bool]) {
	goal := graph.If(c.Cancelled, c.Real(0), want)
	p := c.Add("Motion::OTG").Link("inActive", c.Active.Port).Link("inDestPos", goal.Port).Set("Moving", false)
	p.Set("MaxVel", acc).Set("MaxAcc", min(jerk, acc/leastRise)).Set("MaxJerk", infinite)
	vel = mapping.Link[float64](p, "outPos")
	return vel, c.And(c.Cancelled, mapping.Link[bool](p, "outReached"))
}

// integrate moves a frame with a velocity that may be another one in each cycle. When the command is cancelled it comes to rest.
func integrate(c *mapping.Context, goal mapping.CartesianVelocity) (mapping.CartesianPosition, mapping.Part) {
	all, _ := Cartesian(c)
	limits := pairs(all)
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

// Converters lead joints to goals, and at velocities, that may be others in each cycle.
func (j *Joints) Converters() []mapping.Converter {
	return []mapping.Converter{mapping.Convert(approach), mapping.Convert(glide)}
}
