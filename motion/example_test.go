package motion_test

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/motion"
	"github.com/softrobot-rcc/rccd/motion/path"
	"github.com/softrobot-rcc/rccd/motion/profile"
)

// Two axes move to a goal, the faster one waiting for the slower one.
func ExampleJoints() {
	axes := []profile.Limits{{Vel: 1, Acc: 2, Jerk: 20}, {Vel: 0.5, Acc: 2, Jerk: 20}}
	from := make([]profile.State, 2)
	to := []profile.Goal{{State: profile.State{Pos: 1}}, {State: profile.State{Pos: -1}}}

	j := motion.NewJoints(2)
	for _, sync := range []motion.Sync{motion.Asynchronous, motion.Synchronous, motion.FullySynchronous} {
		out := j.Plan(sync, from, to, axes)
		states := make([]profile.State, 2)
		j.At(1, states)
		fmt.Printf("%.2f s, after 1 s at %.2f and %.2f: %v\n", j.Duration(), states[0].Pos, states[1].Pos, out)
	}
	// Output:
	// 2.35 s, after 1 s at 0.70 and -0.41: asynchronous, axis 2 is the slowest
	// 2.35 s, after 1 s at 0.40 and -0.41: synchronous, axis 2 is the slowest
	// 2.35 s, after 1 s at 0.41 and -0.41: fully synchronous, axis 2 is the slowest
}

// The goal changes while the axis is on its way.
func ExampleOnline() {
	axis := []profile.Limits{{Vel: 1, Acc: 2, Jerk: 20}}
	goal := func(pos float64) []profile.Goal { return []profile.Goal{{State: profile.State{Pos: pos}}} }
	state := make([]profile.State, 1)

	o := motion.NewOnline(1, motion.Synchronous)
	for cycle := range 1500 {
		if cycle < 500 {
			o.Aim(goal(1), axis)
		} else {
			o.Aim(goal(0.2), axis)
		}
		o.Step(0.001, state)
		if cycle%300 == 299 {
			fmt.Printf("%.1f s: %6.3f at %6.3f/s\n", float64(cycle+1)/1000, state[0].Pos, state[0].Vel)
		}
	}
	// Output:
	// 0.3 s:  0.063 at  0.500/s
	// 0.6 s:  0.300 at  1.000/s
	// 0.9 s:  0.537 at  0.500/s
	// 1.2 s:  0.597 at -0.100/s
	// 1.5 s:  0.477 at -0.700/s
}

// A motion is slowed down, stops on its way, and goes on.
func ExamplePace() {
	planned := []profile.Limits{{Vel: 1, Acc: 2, Jerk: 20}}
	j := motion.NewJoints(1)
	j.Plan(motion.Synchronous, make([]profile.State, 1), []profile.Goal{{State: profile.State{Pos: 1}}}, planned)

	pace, err := motion.NewPace(planned, planned, 0.9)
	if err != nil {
		fmt.Println(err)
		return
	}
	state := make([]profile.State, 1)
	for cycle := range 4000 {
		switch cycle {
		case 500:
			pace.To(0)
		case 2000:
			pace.To(0.9)
		}
		j.At(pace.Step(0.001), state)
		pace.Apply(state)
		if cycle%1000 == 999 {
			fmt.Printf("%d s: at %.3f, %.3f/s\n", cycle/1000+1, state[0].Pos, state[0].Vel)
		}
	}
	// Output:
	// 1 s: at 0.542, 0.558/s
	// 2 s: at 0.639, 0.000/s
	// 3 s: at 0.799, 0.316/s
	// 4 s: at 1.000, 0.000/s
}

// Around a corner without stopping.
func ExampleOverlap() {
	limits := profile.Limits{Vel: 0.5, Acc: 2, Jerk: 20}
	along := func(from, to geom.Vector) *motion.Along {
		line, err := path.Line(geom.Frame{Pos: from}, geom.Frame{Pos: to})
		if err != nil {
			panic(err)
		}
		a := motion.NewAlong(line)
		room := profile.Limits{Vel: limits.Vel, Acc: 0.7 * limits.Acc, Jerk: 0.7 * limits.Jerk}
		a.Plan(profile.State{}, profile.State{Pos: line.Length()}, room)
		return a
	}
	first, second := along(geom.Vector{}, geom.Vector{X: 1}), along(geom.Vector{X: 1}, geom.Vector{X: 1, Y: 1})

	o, err := motion.NewOverlap(first, second)
	if err != nil {
		fmt.Println(err)
		return
	}
	o.Plan(motion.Arriving(first, 0.1), limits, limits)
	fmt.Printf("%.2f s instead of %.2f s\n", o.Duration(), first.Duration()+second.Duration())
	for _, t := range []float64{-0.2, 0, 0.2, 0.4} {
		p := o.At(o.Begins() + t)
		fmt.Printf("%.3f at %.3f/s\n", p.Frame.Pos, p.Velocity.Vel.Length())
	}
	// Output:
	// 4.49 s instead of 4.91 s
	// {0.800 0.000 0.000} at 0.500/s
	// {0.900 0.000 0.000} at 0.494/s
	// {0.977 0.016 0.000} at 0.326/s
	// {1.000 0.086 0.000} at 0.477/s
}

// A straight line of the tool, and a motion of the joints that goes on without stopping.
func ExampleBlend() {
	arm, joints := robots.KR16(), []float64{0, -1.5, 1.5, 0, 0.5, 0}
	from := arm.Forward(joints)
	to := from
	to.Pos.Z -= 0.2
	line, err := path.Line(from, to)
	if err != nil {
		fmt.Println(err)
		return
	}
	along := motion.NewAlong(line)
	along.Plan(profile.State{}, profile.State{Pos: line.Length()}, profile.Limits{Vel: 0.25, Acc: 1, Jerk: 10})
	down, err := motion.NewByArm(along, arm, joints)
	if err != nil {
		fmt.Println(err)
		return
	}

	corner, limits := make([]profile.State, arm.Len()), make([]profile.Limits, arm.Len())
	down.At(down.Duration(), corner)
	goals := make([]profile.Goal, arm.Len())
	for i := range goals {
		v := arm.Joint(i).Velocity
		limits[i] = profile.Limits{Vel: v, Acc: 4 * v, Jerk: 40 * v}
		goals[i].Pos = corner[i].Pos + 0.3
	}
	away := motion.NewJoints(arm.Len())
	away.Plan(motion.FullySynchronous, corner, goals, limits)

	blend := motion.NewBlend(down, away, arm.Len())
	out := blend.Plan(motion.Arriving(along, 0.03), 0.2, limits)
	fmt.Printf("%v: %.2f s instead of %.2f s\n", out, blend.Duration(), down.Duration()+away.Duration())
	// Output:
	// synchronous, axis 3 is the slowest: 1.30 s instead of 1.60 s
}
