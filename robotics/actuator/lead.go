package actuator

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// Generator is the progress of a primitive that leads something to a goal (Motion::OTG, Motion::SyncOTG). It plans in each
// cycle from where it is, so that it obeys the override and stops, when the command is cancelled, as fast as its limits allow.
type Generator struct {
	Done graph.Signal[bool]    // the goal is met, or the command is cancelled and all is at rest
	Left graph.Signal[float64] // time until then, s
}

// generate completes a generator, whose goal and limits are linked.
func generate(c *mapping.Context, p *graph.Primitive) Generator {
	p.Link("inActive", c.Active.Port).Link("inStop", c.Cancelled.Port)
	left := mapping.Link[float64](p, "outLeft")
	rests := graph.Not(graph.Greater(left, c.Real(0)))
	return Generator{graph.Or(mapping.Link[bool](p, "outReached"), c.And(c.Cancelled, rests)), left}
}

// ends are where joints cannot go on; none are those of goals that are known not to be beyond.
type ends struct{ least, most []float64 }

// ends returns those of the joints, or far away.
func (j *Joints) ends() (e ends) {
	const endless = 1e6 // where joints go that have no end
	for _, joint := range j.joints {
		e.least, e.most = append(e.least, max(joint.Min, -endless)), append(e.most, min(joint.Max, endless))
	}
	return e
}

// Lead leads joints from where they are to a goal within their limits. Synchronous joints stay so; fully synchronous ones come to rest on
// their line.
func Lead(c *mapping.Context, j *Joints, goal mapping.JointGoal, sync robotics.Sync) ([]graph.Signal[float64], Generator) {
	return lead(c, j, goal, sync, ends{})
}

// lead leads joints from where they are to a goal. Joints that are synchronous stay so; those that are fully synchronous come to rest
// on their line.
func lead(c *mapping.Context, j *Joints, goal mapping.JointGoal, sync robotics.Sync, within ends) ([]graph.Signal[float64], Generator) {
	n, limits := j.Len(), j.limits(c)
	if mapping.Param[InStep](c).Step != nil && !goal.Moving {
		return inLine(c, j, goal.Pos, limits)
	}
	last := c.Array(j.Last(c.Net))
	begin := c.Add("Core::DoubleArraySetNull").Set("Size", n).Link("inValue", last.Port).Link("inNull", graph.Not(graph.Rising(c.Active)).Port)
	fastest := make([]graph.Signal[float64], n)
	share := overrideOf(c)
	t, takesOver := j.taken(c)
	if takesOver {
		share = graph.If(t.first, c.Real(1), share) // without a speed at all, joints in flight could not be brought to rest
	}
	for i := range fastest {
		fastest[i] = graph.Mul(share, c.Real(limits.vel[i]))
	}
	p := c.Add("Motion::SyncOTG").Set("Size", n).Set("Sync", string(sync)).Set("Moving", goal.Moving).Link("inCurPos", begin.Out("outValue"))
	p.Link("inDestPos", c.Array(goal.Pos).Port).Link("inMaxVel", c.Array(fastest).Port).Set("MaxAcc", limits.acc).Set("MaxJerk", limits.jerk)
	if within.most != nil {
		p.Set("MinPos", within.least).Set("MaxPos", within.most)
	}
	if takesOver {
		p.Link("inCurVel", t.vel.Port).Link("inCurAcc", t.acc.Port)
	}
	if goal.Moving {
		p.Link("inDestVel", c.Array(velocities(c.Net, goal.Pos)).Port)
	}
	g := generate(c, p)
	return c.Elements(mapping.Link[[]float64](p, "outPos"), n), g
}

// velocities returns how fast positions change.
func velocities(m *mapping.Net, of []graph.Signal[float64]) []graph.Signal[float64] {
	all := make([]graph.Signal[float64], len(of))
	for i := range of {
		all[i] = m.Rate(of[i])
	}
	return all
}

// Advance leads a place on a path of a frame, seen from another one, from 0 to its length. Each limit is a signal. It does so in
// step with others if the command has InStep.
func Advance(c *mapping.Context, of, in *world.Frame, length, vel, acc, jerk graph.Signal[float64]) (place graph.Signal[float64], g Generator) {
	return advanceAt(c, func() graph.Signal[float64] { return paceOf(c, of, in) }, length, vel, acc, jerk)
}

// advanceAt does so at a share of the speed.
func advanceAt(
	c *mapping.Context, pace func() graph.Signal[float64], length, vel, acc, jerk graph.Signal[float64],
) (place graph.Signal[float64], g Generator) {
	if s := mapping.Param[InStep](c).Step; s != nil {
		return s.advance(c, pace(), length, vel, acc, jerk)
	}
	return byItself(c, pace, length, vel, acc, jerk)
}

// byItself leads a place on a path without others.
func byItself(
	c *mapping.Context, pace func() graph.Signal[float64], length, vel, acc, jerk graph.Signal[float64],
) (place graph.Signal[float64], g Generator) {
	p := c.Add("Motion::OTG").Set("Moving", false).Link("inDestPos", length.Port).Link("inMaxVel", graph.Mul(pace(), vel).Port)
	p.Link("inMaxAcc", acc.Port).Link("inMaxJerk", jerk.Port)
	g = generate(c, p)
	return mapping.Link[float64](p, "outPos"), g
}

// paceOf returns the override of motions of a frame that are seen from another one. When that moves it is 0 until they are seen to stand.
func paceOf(c *mapping.Context, of, in *world.Frame) graph.Signal[float64] {
	share := overrideOf(c)
	if arm, is := c.Actuator.(carrying); is && arm.asArm().carried(of, in) {
		share = graph.If(c.Joined(), share, c.Real(0))
	}
	return share
}

// overrideOf returns the override within its bounds. It is 1 while there is none.
func overrideOf(c *mapping.Context) graph.Signal[float64] {
	return graph.Max(c.Real(0), graph.Min(c.Real(1), c.Override))
}

// CheckShare returns an error for a value that is not a share.
func CheckShare(c *mapping.Context, share float64) {
	if !(share > 0 && share <= 1) {
		c.Fail(fmt.Errorf("%v: %w", share, robotics.ErrShare))
	}
}
