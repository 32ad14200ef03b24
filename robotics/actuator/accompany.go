package actuator

import (
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// A path relative to a moving frame begins and ends in motion, but joints rest before and after it (ADR 0023). Such a
// motion has them catch up first: their distance to where they are to be is led to 0, so that they meet any motion exactly. In
// the end, and as long as their goals are unknown, they are brought to rest.

// followFrame leads joints to where an action says, which moves already when it begins, and brings them to rest when all has been said.
func (j *Joints) followFrame(c *mapping.Context, t moving, pos []graph.Signal[float64]) (led []graph.Signal[float64], done graph.Signal[bool]) {
	e := &frameFollower{c: c, of: j, taken: t, limits: j.limits(c)}
	now := make([]graph.Wire[float64], j.Len())
	e.limits.vel = j.allowed(c).vel // the speed of the frame does not depend on the share that motions may use
	for i := range now {
		now[i] = graph.NewWire[float64](c.Graph)
		e.before = append(e.before, graph.Pre(now[i].Signal))
	}
	goals := e.ahead(pos)
	all := graph.Pre(e.before[0])
	for _, change := range goals.change {
		all = graph.Add(all, change)
	}
	known := mapping.Near(all, all, 0) // a number: joints have moved, and have been wanted somewhere, for two cycles

	met := graph.NewWire[bool](c.Graph)
	said, late := c.Said(), func(s graph.Signal[bool]) graph.Signal[bool] { return c.Definite(graph.Pre(s)) }
	over := graph.Or(c.And(said, graph.Not(late(met.Signal))), late(said))
	alone := c.And(c.Active, graph.Or(over, graph.Not(known)))
	rest, left := e.bringToRest(alone)
	lacks, reached := e.catchUp(goals, known, rest)
	met.Connect(c.And(known, reached))
	c.Join(met.Signal)

	for i := range now {
		led = append(led, graph.If(alone, rest.pos[i], graph.Add(pos[i], lacks[i])))
		now[i].Connect(led[i])
	}
	return led, c.And(over, graph.Not(graph.Greater(left, c.Real(0))))
}

// frameFollower leads joints that move with a frame.
type frameFollower struct {
	c      *mapping.Context
	of     *Joints
	taken  moving
	limits limits
	before []graph.Signal[float64] // where the joints were commanded to be at the end of the cycle before
}

// half is how far the middle of a cycle is from its ends.
const half = 0.5

// goals are where joints were to be at the end of the cycle before, how fast they are to get from there to where they are to be at the end
// of this one, and what that is more than in the cycle before.
type goals struct{ before, vel, change []graph.Signal[float64] }

func (e *frameFollower) ahead(pos []graph.Signal[float64]) (g goals) {
	for i := range pos {
		before := graph.Pre(pos[i])
		vel, change := steps(e.c.Net, pos[i], before, graph.Pre(before))
		g.before, g.vel, g.change = append(g.before, before), append(g.vel, vel), append(g.change, change)
	}
	return g
}

// course is where joints are at the end of a cycle, and how they move.
type course struct{ pos, vel, acc []graph.Signal[float64] }

func (f *course) add(pos, vel, acc graph.Signal[float64]) {
	f.pos, f.vel, f.acc = append(f.pos, pos), append(f.vel, vel), append(f.acc, acc)
}

// bringToRest brings joints to rest from when a signal becomes true on: from how they are in flight in the first cycle, and later from
// how they have moved in the last three, if there were as many; before, they were brought to rest already.
func (e *frameFollower) bringToRest(from graph.Signal[bool]) (rest course, left graph.Signal[float64]) {
	c, first, last := e.c, graph.Rising(e.c.Active), e.of.Last(e.c.Net)
	var at course
	for i, before := range e.before {
		earlier := graph.Pre(before)
		step, change := steps(c.Net, before, earlier, graph.Pre(earlier))
		at.add(graph.If(first, last[i], before), graph.Add(step, graph.Mul(c.Real(half), change)), graph.Div(change, c.CycleTime()))
	}
	if !e.taken.first.Open() {
		vel, acc := c.Elements(e.taken.vel, e.of.Len()), c.Elements(e.taken.acc, e.of.Len())
		for i := range vel {
			at.vel[i], at.acc[i] = graph.If(first, vel[i], at.vel[i]), graph.If(first, acc[i], at.acc[i])
		}
	}
	pos := c.Array(at.pos)
	p := e.generator(from, pos, c.Array(at.vel), c.Array(at.acc)).Link("inStop", c.True().Port).Link("inDestPos", pos.Port)
	p.Set("MaxVel", e.limits.vel).Set("MaxAcc", e.limits.acc).Set("MaxJerk", e.limits.jerk)
	elements := func(out string) []graph.Signal[float64] {
		return c.Elements(mapping.Link[[]float64](p, out), e.of.Len())
	}
	return course{elements("outPos"), elements("outVel"), elements("outAcc")}, mapping.Link[float64](p, "outLeft")
}

// catchUp returns what joints lack to where they are to be, from when a signal becomes true on, when they were brought to rest before. It is led
// to nothing within what the goals leave of the limits. No joint gets much faster than its goal, or than it was in flight.
func (e *frameFollower) catchUp(to goals, from graph.Signal[bool], rest course) (lacks []graph.Signal[float64], reached graph.Signal[bool]) {
	const (
		faster = 0.5   // than its goal, of its velocity,
		slow   = 0.05  // or, of its limit, what a joint may be faster than a goal that is slow
		least  = 0.002 // of its limit, what is left by a goal at the limit
		room   = 0.25  // the same, of acceleration
	)
	c, l, cycle := e.c, e.limits, e.c.CycleTime()
	var begun []graph.Signal[float64]
	if !e.taken.first.Open() {
		begun = e.taken.begun(c, e.of.Len())
	}
	var at course
	var vel, acc []graph.Signal[float64]
	var jerk []float64
	for i := range e.of.Len() {
		want, needs := abs(to.vel[i]), graph.Div(to.change[i], cycle)
		more := graph.Max(graph.Mul(want, c.Real(faster)), c.Real(slow*l.vel[i]))
		if begun != nil {
			more = graph.Max(more, begun[i])
		}
		vel = append(vel, graph.Max(c.Real(least*l.vel[i]), graph.Min(graph.Sub(c.Real(l.vel[i]), want), more)))
		acc = append(acc, graph.Max(c.Real(room*l.acc[i]), graph.Sub(c.Real(l.acc[i]), abs(needs))))
		jerk = append(jerk, half*l.jerk[i])

		begins := graph.Sub(to.vel[i], graph.Mul(c.Real(half), to.change[i])) // how fast the goal is when the cycle begins
		at.add(graph.Sub(e.before[i], to.before[i]), graph.Sub(graph.Pre(rest.vel[i]), begins), graph.Sub(graph.Pre(rest.acc[i]), needs))
	}
	p := e.generator(from, c.Array(at.pos), c.Array(at.vel), c.Array(at.acc)).Set("Moving", false)
	p.Link("inDestPos", c.Array(c.Reals(make([]float64, e.of.Len()))).Port)
	p.Link("inMaxVel", c.Array(vel).Port).Link("inMaxAcc", c.Array(acc).Port).Set("MaxJerk", jerk)
	return c.Elements(mapping.Link[[]float64](p, "outPos"), e.of.Len()), mapping.Link[bool](p, "outReached")
}

// generator returns one of the joints, each for itself, that takes their positions and velocities when a signal becomes true.
func (e *frameFollower) generator(when graph.Signal[bool], pos, vel, acc graph.Signal[[]float64]) *graph.Primitive {
	c, n, otherwise := e.c, e.of.Len(), graph.Not(graph.Rising(when))
	once := func(v graph.Signal[[]float64]) graph.Port {
		return c.Add("Core::DoubleArraySetNull").Set("Size", n).Link("inValue", v.Port).Link("inNull", otherwise.Port).Out("outValue")
	}
	p := c.Add("Motion::SyncOTG").Set("Size", n).Set("Sync", string(robotics.Asynchronous)).Link("inActive", c.Active.Port)
	return p.Link("inCurPos", once(pos)).Link("inCurVel", once(vel)).Link("inCurAcc", once(acc))
}
