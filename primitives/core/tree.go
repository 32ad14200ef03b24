package core

import (
	"math"

	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// earliest finds the last of many times that is not later than a given one in a logarithm of steps, whatever their
// order: a tree of minima, whose leaves are the second half.
type earliest struct {
	min []value.Time
}

func newEarliest(env *spec.Env, places int) (earliest, error) {
	leaves := 1
	for leaves < places {
		leaves *= 2
	}
	times, err := spec.Make[value.Time](env, 2*leaves)
	for i := range times {
		times[i] = math.MaxInt64
	}
	return earliest{min: times}, err
}

func (e *earliest) places() int { return len(e.min) / 2 }

// at and set are total: a bounds check that fails would end the process.
func (e *earliest) at(i int) value.Time {
	if all := e.min; i >= 0 && i < len(all) {
		return all[i]
	}
	return math.MaxInt64
}

func (e *earliest) set(i int, v value.Time) {
	if all := e.min; i >= 0 && i < len(all) {
		all[i] = v
	}
}

func (e *earliest) put(place int, v value.Time) {
	i := place + e.places()
	e.set(i, v)
	for i /= 2; i > 0; i /= 2 {
		e.set(i, min(e.at(2*i), e.at(2*i+1)))
	}
}

// last returns the highest place below limit whose time is not later than wanted, or -1.
func (e *earliest) last(limit int, wanted value.Time) int {
	if limit >= e.places() {
		return e.descend(1, wanted)
	}
	for i := limit + e.places(); i > 1; i /= 2 {
		if i%2 == 1 && e.at(i-1) <= wanted {
			return e.descend(i-1, wanted)
		}
	}
	return -1
}

// descend returns the highest place under a node whose time is not later than wanted, or -1.
func (e *earliest) descend(i int, wanted value.Time) int {
	if e.at(i) > wanted {
		return -1
	}
	for i < e.places() {
		i = 2*i + 1
		if e.at(i) > wanted {
			i--
		}
	}
	return i - e.places()
}
