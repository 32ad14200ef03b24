package robotics

import (
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/net"
)

// A way that is seen from a frame which moves begins and ends in motion, but joints rest before and after it (ADR 0023). Who sees from
// there has them catch up first: what they lack to where they are to be is led to nothing, so that they meet any motion exactly. In the
// end, and as long as nobody knows where they are to be, they are brought to rest.

// accompany leads joints to where an action says, which moves already when it begins, and brings them to rest when all has been said.
func (j *Joints) accompany(c *mapping.Context, t moving, pos []net.Signal[float64]) (led []net.Signal[float64], done net.Signal[bool]) {
	e := &escort{c: c, of: j, taken: t, limits: j.limits(c)}
	now := make([]net.Wire[float64], j.Len())
	e.limits.vel = j.allowed(c).vel // the frame is as fast as it is, whatever share motions may use
	for i := range now {
		now[i] = net.NewWire[float64](c.Graph)
		e.before = append(e.before, net.Pre(now[i].Signal))
	}
	goals := e.ahead(pos)
	all := net.Pre(e.before[0])
	for _, change := range goals.change {
		all = net.Add(all, change)
	}
	known := equals(all, all, 0) // a number: joints have moved, and have been wanted somewhere, for two cycles

	met := net.NewWire[bool](c.Graph)
	said, late := c.Said(), func(s net.Signal[bool]) net.Signal[bool] { return c.Definite(net.Pre(s)) }
	over := net.Or(c.And(said, net.Not(late(met.Signal))), late(said))
	alone := c.And(c.Active, net.Or(over, net.Not(known)))
	rest, left := e.bringToRest(alone)
	lacks, reached := e.catchUp(goals, known, rest)
	met.Connect(c.And(known, reached))
	c.Join(met.Signal)

	for i := range now {
		led = append(led, net.If(alone, rest.pos[i], net.Add(pos[i], lacks[i])))
		now[i].Connect(led[i])
	}
	return led, c.And(over, net.Not(net.Greater(left, c.Real(0))))
}

// escort leads joints that move with a frame.
type escort struct {
	c      *mapping.Context
	of     *Joints
	taken  moving
	limits limits
	before []net.Signal[float64] // where the joints were commanded to be at the end of the cycle before
}

// half is how far the middle of a cycle is from its ends.
const half = 0.5

// goals are where joints were to be at the end of the cycle before, how fast they are to get from there to where they are to be at the end
// of this one, and what that is more than in the cycle before.
type goals struct{ before, vel, change []net.Signal[float64] }

func (e *escort) ahead(pos []net.Signal[float64]) (g goals) {
	for i := range pos {
		before := net.Pre(pos[i])
		vel, change := steps(e.c.Net, pos[i], before, net.Pre(before))
		g.before, g.vel, g.change = append(g.before, before), append(g.vel, vel), append(g.change, change)
	}
	return g
}

// course is where joints are at the end of a cycle, and how they move.
type course struct{ pos, vel, acc []net.Signal[float64] }

func (f *course) add(pos, vel, acc net.Signal[float64]) {
	f.pos, f.vel, f.acc = append(f.pos, pos), append(f.vel, vel), append(f.acc, acc)
}

// bringToRest brings joints to rest from when a signal becomes true on: from how they are in flight in the first cycle, and later from
// how they have moved in the last three, if there were as many; before, they were brought to rest already.
func (e *escort) bringToRest(from net.Signal[bool]) (rest course, left net.Signal[float64]) {
	c, first, last := e.c, net.Rising(e.c.Active), e.of.last(e.c.Net)
	var at course
	for i, before := range e.before {
		earlier := net.Pre(before)
		step, change := steps(c.Net, before, earlier, net.Pre(earlier))
		at.add(net.If(first, last[i], before), net.Add(step, net.Mul(c.Real(half), change)), net.Div(change, c.CycleTime()))
	}
	if !e.taken.first.Open() {
		vel, acc := c.Elements(e.taken.vel, e.of.Len()), c.Elements(e.taken.acc, e.of.Len())
		for i := range vel {
			at.vel[i], at.acc[i] = net.If(first, vel[i], at.vel[i]), net.If(first, acc[i], at.acc[i])
		}
	}
	pos := c.Array(at.pos)
	p := e.generator(from, pos, c.Array(at.vel), c.Array(at.acc)).Link("inStop", c.True().Port).Link("inDestPos", pos.Port)
	p.Set("MaxVel", e.limits.vel).Set("MaxAcc", e.limits.acc).Set("MaxJerk", e.limits.jerk)
	elements := func(out string) []net.Signal[float64] { return c.Elements(mapping.Link[[]float64](p, out), e.of.Len()) }
	return course{elements("outPos"), elements("outVel"), elements("outAcc")}, mapping.Link[float64](p, "outLeft")
}

// catchUp is what joints lack to where they are to be, from when a signal becomes true on, when they were brought to rest before. It is led
// to nothing within what the goals leave of the limits. No joint gets much faster than its goal, or than it was in flight.
func (e *escort) catchUp(to goals, from net.Signal[bool], rest course) (lacks []net.Signal[float64], reached net.Signal[bool]) {
	const (
		faster = 0.5   // than its goal, of its velocity,
		slow   = 0.05  // or, of its limit, what a joint may be faster than a goal that is slow
		least  = 0.002 // of its limit, what is left by a goal at the limit
		room   = 0.25  // the same, of acceleration
	)
	c, l, cycle := e.c, e.limits, e.c.CycleTime()
	var begun []net.Signal[float64]
	if !e.taken.first.Open() {
		begun = e.taken.begun(c, e.of.Len())
	}
	var at course
	var vel, acc []net.Signal[float64]
	var jerk []float64
	for i := range e.of.Len() {
		want, needs := abs(to.vel[i]), net.Div(to.change[i], cycle)
		more := net.Max(net.Mul(want, c.Real(faster)), c.Real(slow*l.vel[i]))
		if begun != nil {
			more = net.Max(more, begun[i])
		}
		vel = append(vel, net.Max(c.Real(least*l.vel[i]), net.Min(net.Sub(c.Real(l.vel[i]), want), more)))
		acc = append(acc, net.Max(c.Real(room*l.acc[i]), net.Sub(c.Real(l.acc[i]), abs(needs))))
		jerk = append(jerk, half*l.jerk[i])

		begins := net.Sub(to.vel[i], net.Mul(c.Real(half), to.change[i])) // how fast the goal is when the cycle begins
		at.add(net.Sub(e.before[i], to.before[i]), net.Sub(net.Pre(rest.vel[i]), begins), net.Sub(net.Pre(rest.acc[i]), needs))
	}
	p := e.generator(from, c.Array(at.pos), c.Array(at.vel), c.Array(at.acc)).Set("Moving", false)
	p.Link("inDestPos", c.Array(c.Reals(make([]float64, e.of.Len()))).Port)
	p.Link("inMaxVel", c.Array(vel).Port).Link("inMaxAcc", c.Array(acc).Port).Set("MaxJerk", jerk)
	return c.Elements(mapping.Link[[]float64](p, "outPos"), e.of.Len()), mapping.Link[bool](p, "outReached")
}

// generator is one of the joints, each for itself, that is told where they are and how they move when a signal becomes true.
func (e *escort) generator(when net.Signal[bool], pos, vel, acc net.Signal[[]float64]) *net.Primitive {
	c, n, otherwise := e.c, e.of.Len(), net.Not(net.Rising(when))
	once := func(v net.Signal[[]float64]) net.Port {
		return c.Add("Core::DoubleArraySetNull").Set("Size", n).Link("inValue", v.Port).Link("inNull", otherwise.Port).Out("outValue")
	}
	p := c.Add("Motion::SyncOTG").Set("Size", n).Set("Sync", string(Asynchronous)).Link("inActive", c.Active.Port)
	return p.Link("inCurPos", once(pos)).Link("inCurVel", once(vel)).Link("inCurAcc", once(acc))
}
