package motion_test

import (
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/tasks"
	"github.com/softrobot-rcc/rccd/motion/profile"
)

// maker makes up tasks.
type maker struct{ tasks.Maker }

func newMaker(seed uint64) maker { return maker{tasks.New(7, seed)} }

func (m maker) limits() profile.Limits {
	size := func() float64 { return math.Pow(10, m.Float64()-0.5) }
	l := profile.Limits{Vel: size(), Acc: 3 * size(), Jerk: 30 * size()}
	return l
}

// moves is a task for several axes.
type moves struct {
	from   []profile.State
	to     []profile.Goal
	limits []profile.Limits
}

// moves makes a task up: from rest to rest, from anything to rest, with goals that move, or from anything to anything.
func (m maker) moves(axes int) moves {
	k := moves{make([]profile.State, axes), make([]profile.Goal, axes), make([]profile.Limits, axes)}
	kind, steep := m.IntN(4), m.IntN(8) == 0
	for i := range axes {
		l := m.limits()
		if steep {
			l.Jerk = math.Inf(1)
		}
		k.limits[i], k.from[i], k.to[i].State = l, m.Within(l), m.Within(l)
		switch {
		case kind == 0:
			k.from[i].Vel, k.from[i].Acc, k.to[i].Vel, k.to[i].Acc = 0, 0, 0, 0
		case kind == 1:
			k.to[i].Vel, k.to[i].Acc = 0, 0
		case kind == 2 && m.IntN(2) == 0:
			k.to[i].Vel, k.to[i].Acc, k.to[i].Moving = 0.9*k.to[i].Vel, 0, true
		}
	}
	return k
}

// atRest returns the task with rest at both ends.
func (k moves) atRest() moves {
	for i := range k.from {
		k.from[i].Vel, k.from[i].Acc = 0, 0
		k.to[i] = profile.Goal{State: profile.State{Pos: k.to[i].Pos}}
	}
	return k
}

// jerky is a motion that knows its jerk.
type jerky interface {
	Duration() float64
	At(t float64, into []profile.State)
	Jerk(t float64, into []float64)
}

// keeps follows a motion at random times: from one to a little later, position, velocity and acceleration change as
// velocity, acceleration and jerk say, and none is beyond its limit.
func keeps(t *testing.T, m maker, motion jerky, limits []profile.Limits, looks int) {
	t.Helper()
	n := len(limits)
	a, b, jerk := make([]profile.State, n), make([]profile.State, n), make([]float64, n)
	const more = 1 + 1e-9
	for range looks {
		at := motion.Duration() * 1.05 * m.Float64()
		step := 1e-5 * m.Float64()
		motion.At(at, a)
		motion.At(at+step, b)
		motion.Jerk(at, jerk)
		for i, l := range limits {
			steep := math.IsInf(l.Jerk, 1)
			if math.Abs(a[i].Vel) > l.Vel*more || math.Abs(a[i].Acc) > l.Acc*more || math.Abs(jerk[i]) > l.Jerk*more {
				t.Fatalf("axis %d is beyond %+v at %v of %v: %+v, jerk %v", i, l, at, motion.Duration(), a[i], jerk[i])
			}
			acc := l.Jerk * step
			if ended := at+step > motion.Duration() || b[i].Acc == 0; steep || ended {
				acc = 2 * l.Acc // a goal's acceleration ends with the course of the axis
			}
			rounding := 1e-11 * (1 + math.Abs(a[i].Pos))
			if d := math.Abs(b[i].Pos - a[i].Pos - step*(a[i].Vel+b[i].Vel)/2); d > acc*step*step+rounding {
				t.Fatalf("axis %d jumps by %v at %v", i, d, at)
			}
			if d := math.Abs(b[i].Vel - a[i].Vel - step*(a[i].Acc+b[i].Acc)/2); d > acc*step+rounding {
				t.Fatalf("velocity of axis %d jumps by %v at %v", i, d, at)
			}
			if d := math.Abs(b[i].Acc - a[i].Acc); !steep && d > acc+rounding {
				t.Fatalf("acceleration of axis %d jumps by %v at %v", i, d, at)
			}
		}
	}
}
