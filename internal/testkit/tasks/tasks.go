// Package tasks makes up tasks for motions, as tests of profiles and of several axes need them.
package tasks

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"

	"github.com/softrobot-rcc/rccd/motion/profile"
)

// Samples returns how many random tasks a law is tried with: RCCD_STEPS of them, or as many as given.
func Samples(usual int) int {
	if n, err := strconv.Atoi(os.Getenv("RCCD_STEPS")); err == nil {
		return n
	}
	return usual
}

// Maker makes up what tasks consist of.
type Maker struct{ *rand.Rand }

// New returns a maker that makes up the same for the same seeds.
func New(kind, seed uint64) Maker { return Maker{rand.New(rand.NewPCG(kind, seed))} }

// Around returns a number up to a bound, often one of its ends or 0.
func (m Maker) Around(bound float64) float64 {
	switch m.IntN(8) {
	case 0:
		return 0
	case 1:
		return bound
	case 2:
		return -bound
	default:
		return bound * (2*m.Float64() - 1)
	}
}

// Within returns a state that keeps limits.
func (m Maker) Within(l profile.Limits) profile.State {
	for {
		s := profile.State{Pos: m.Around(3), Vel: m.Around(l.Vel), Acc: m.Around(l.Acc)}
		if math.IsInf(l.Jerk, 1) {
			s.Acc = 0
		}
		if l.Keeps(s) {
			return s
		}
	}
}

// Near reports whether two numbers are equal up to rounding.
func Near(a, b, size float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(size)) }
