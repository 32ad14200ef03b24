package motion

import (
	"math"

	"github.com/softrobot-rcc/rccd/motion/profile"
)

// keepWithin has axes come to rest at their ends: those whose goals are beyond, and those that follow a goal that moves there as soon as
// they could hardly come to rest on this side (cycle).
func (g *generator) keepWithin(least, most []float64, period float64) {
	goals, at, limits := g.goals, g.at, g.limits
	for k := range goals {
		if k >= len(at) || k >= len(limits) {
			return
		}
		low, high := element(least, k, math.Inf(-1)), element(most, k, math.Inf(1))
		goal := &goals[k]
		pos := goal.Pos
		if goal.Moving {
			pos += goal.Vel * period // at the end of the cycle
		}
		way := brakes(&at[k], &limits[k], period)
		switch up, down := goal.Moving && goal.Vel > 0, goal.Moving && goal.Vel < 0; {
		case pos >= high || up && at[k].Vel > 0 && at[k].Pos+way >= high:
			*goal = profile.Goal{State: profile.State{Pos: high}}
		case pos <= low || down && at[k].Vel < 0 && at[k].Pos-way <= low:
			*goal = profile.Goal{State: profile.State{Pos: low}}
		case down && goal.Pos > high || up && goal.Pos < low: // it comes back from beyond, where it is not to be met
			*goal = profile.Goal{State: profile.State{Pos: pos}}
		}
	}
}

// brakes is about how far an axis goes until it rests, rather more: its acceleration comes to its end first, then it takes the time that a
// whole change of acceleration needs. In the meantime some cycles pass (cycle).
func brakes(at *profile.State, l *profile.Limits, period float64) float64 {
	const late = 6 // cycles: a state may get worse by that until it is seen again
	speed, rise := math.Abs(at.Vel), 0.0
	if at.Acc*at.Vel > 0 {
		rise = math.Abs(at.Acc)
	}
	time := rise / l.Jerk
	fastest := speed + rise*time/2
	return speed*time + rise*time*time/3 + fastest*(fastest/l.Acc+l.Acc/l.Jerk)/2 + fastest*late*period
}
