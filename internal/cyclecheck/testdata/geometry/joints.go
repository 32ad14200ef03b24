package main

import (
	"github.com/softrobot-rcc/rccd/motion"
	"github.com/softrobot-rcc/rccd/motion/profile"
)

// axes are several of them.
type axes struct {
	plan    *motion.Joints
	states  []profile.State
	goals   []profile.Goal
	limits  []profile.Limits
	outcome motion.Outcome
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
