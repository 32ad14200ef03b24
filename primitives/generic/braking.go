package generic

import "math"

// reserve of deceleration is kept back from the plan to make up for rounding in a million cycles of braking.
const reserve = 1e-9

// BrakingSpeed returns the speed of a time-optimal motion over the rest of a way: the greatest one from which it can
// still brake to rest in time, if its speed may fall by change in every cycle (cycle). Braking takes n cycles, whose ways
// are an arithmetic series, which is solved for n and then for its first speed.
func BrakingSpeed(way, change, period float64) float64 {
	change *= 1 - reserve
	steps := way / (change * period)
	n := max(1, math.Ceil((math.Sqrt(1+8*steps)-1)/2))
	v := way/(n*period) + change*(n-1)/2
	if v != v { // limits so small that the number of cycles is none
		return 0
	}
	return v
}
