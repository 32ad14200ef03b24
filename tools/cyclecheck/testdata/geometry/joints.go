package main

import (
	"fmt"
	"os"

	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/motion"
	"github.com/softrobot-rcc/rccd/motion/path"
	"github.com/softrobot-rcc/rccd/motion/profile"
)

// axes are several of them.
type axes struct {
	plan    *motion.Joints
	online  *motion.Online
	pace    motion.Pace
	pose    motion.Pose
	blend   *motion.Blend
	overlap *motion.Overlap
	settle  *motion.Settle
	arm     *motion.ByArm
	tip     *motion.OfTip
	states  []profile.State
	goals   []profile.Goal
	limits  []profile.Limits
	limit   profile.Limits
	outcome motion.Outcome
}

// newAxes makes them, with blends of a motion of joints and one along a path that an arm goes.
func newAxes() axes {
	arm, joints := robots.KR16(), []float64{0, -1.5, 1.5, 0, 0.5, 0}
	from := arm.Forward(joints)
	to := from
	to.Pos.Z -= 0.1
	plan, line := motion.NewJoints(arm.Len()), must(path.Line(from, to))
	byArm := must(motion.NewByArm(motion.NewAlong(line), arm, joints))
	settle := motion.NewSettle()
	return axes{
		plan: plan, online: motion.NewOnline(1, motion.Synchronous), tip: motion.NewOfTip(plan, arm.Chain), arm: byArm,
		blend: motion.NewBlend(plan, byArm, arm.Len()), overlap: must(motion.NewOverlap(settle, settle)), settle: settle,
	}
}

func must[T any](made T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return made
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
	blends(c)
}

//go:noinline
func paces(c *cell) {
	p := &c.axes.pace
	p.Begin(c.number, c.number)
	p.To(c.number)
	c.number = p.Step(c.number)
	p.Apply(c.axes.states)
	p.ApplyTo(&c.axes.pose)
	c.number, _ = p.Rate()
}

//go:noinline
func blends(c *cell) {
	a := &c.axes
	a.outcome = a.blend.Plan(c.number, c.number, a.limits)
	a.blend.At(c.number, a.states)
	a.arm.At(c.number, a.states)
	a.pose = a.tip.At(c.number)
	a.overlap.Begin(c.number)
	a.pose = a.overlap.At(c.number)
	c.ok = a.settle.Plan(a.pose, c.frame, a.limit, a.limit) == profile.Solved
	a.pose = a.settle.At(c.number)
	c.number = a.blend.Duration() + a.overlap.Duration() + a.settle.Duration() + a.arm.Duration() + a.tip.Duration()
}
