package generic

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// MostCycles bounds the memory of a primitive: 16 min at 1 ms.
const MostCycles = 1_000_000

// hair makes up for binary fractions: 0.3 s are three cycles of 0.1 s, neither two nor four.
const hair = 1e-9

// CyclesUntil returns how many cycles begin within a time, so that a history of that length reaches as far back.
func CyclesUntil(env *spec.Env, param string, seconds float64, most int) (int, error) {
	return bounded(param, seconds, math.Ceil(seconds/env.Period.Seconds()*(1-hair)), 0, most)
}

// CyclesWithin returns how many whole cycles fit into a time, at least one.
func CyclesWithin(env *spec.Env, param string, seconds float64) (int, error) {
	return bounded(param, seconds, math.Floor(seconds/env.Period.Seconds()*(1+hair)), 1, MostCycles)
}

func bounded(param string, seconds, cycles float64, least, most int) (int, error) {
	switch {
	case !(seconds >= 0):
		return 0, fmt.Errorf("parameter %s: %g s is not a duration", param, seconds)
	case cycles < float64(least):
		return 0, fmt.Errorf("parameter %s: %g s is shorter than a cycle", param, seconds)
	case cycles > float64(most):
		return 0, fmt.Errorf("parameter %s: %g s is more than %d cycles", param, seconds, most)
	}
	return int(cycles), nil
}
