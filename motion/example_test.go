package motion_test

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/motion"
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
