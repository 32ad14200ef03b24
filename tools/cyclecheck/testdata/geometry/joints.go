package main

import (
	"github.com/softrobot-rcc/rccd/motion"
	"github.com/softrobot-rcc/rccd/motion/profile"
)

// axes are several of them.
type axes struct {
	plan    *motion.Joints
	online  *motion.Online
	pace    motion.Pace
	states  []profile.State
	goals   []profile.Goal
	limits  []profile.Limits
	outcome motion.Outcome
}

func newAxes() axes {
	const some = 6
	return axes{plan: motion.NewJoints(some), online: motion.NewOnline(1, motion.Synchronous)}
}

//go:noinline
func plans(c *cell) {
	a := &c.axes
	a.outcome = a.plan.Plan(motion.Sync(c.index), a.states, a.goals, a.limits)
	a.outcome = a.plan.PlanIn(c.number, motion.Sync(c.index), a.states, a.goals, a.limits)
	a.outcome = a.plan.Stop(c.number, a.limits)
	a.plan.At(c.number, a.states)
	a.plan.Jerk(c.number, c.joints)
	c.number = a.plan.Duration()
	c.index = a.plan.Axes() + int(a.plan.Sync())
	c.ok = a.outcome.Solved()
}

//go:noinline
func steps(c *cell) {
	a := &c.axes
	a.online.Set(a.states)
	a.online.Aim(a.goals, a.limits)
	a.online.Stop(a.limits)
	a.outcome = a.online.Step(c.number, a.states)
	c.number = a.online.Left()
	c.ok = a.online.Stopping()
	goals, limits := a.goals, a.limits
	for i := range goals {
		if i < len(limits) {
			goals[i], c.ok = motion.Within(goals[i], limits[i])
		}
	}
	paces(c)
}

//go:noinline
func paces(c *cell) {
	p := &c.axes.pace
	p.Begin(c.number, c.number)
	p.To(c.number)
	c.number = p.Step(c.number)
	p.Apply(c.axes.states)
	c.number, _ = p.Rate()
}
