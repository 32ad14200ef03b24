package motion_test

import (
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/tasks"
	"github.com/softrobot-rcc/rccd/motion"
	"github.com/softrobot-rcc/rccd/motion/profile"
)

// odd is any number: large, tiny, negative, infinite or none.
func (m maker) odd() float64 {
	switch m.IntN(12) {
	case 0:
		return math.NaN()
	case 1:
		return math.Inf(1 - 2*m.IntN(2))
	case 2:
		return 0
	case 3:
		return math.Pow(10, 600*m.Float64()-300)
	default:
		return math.Pow(10, 6*m.Float64()-3) * float64(1-2*m.IntN(2))
	}
}

func (m maker) oddState() profile.State {
	return profile.State{Pos: m.odd(), Vel: m.odd(), Acc: m.odd()}
}

// TestTotal: whatever numbers come in, and however many, there is an answer, and generators have finite states.
func TestTotal(t *testing.T) {
	m := newMaker(50)
	const axes = 3
	j, o := motion.NewJoints(axes), motion.NewOnline(axes, motion.Synchronous)
	room := []profile.Limits{{Vel: 1, Acc: 1, Jerk: 1}}
	pace, err := motion.NewPace(room, room, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	states, jerks := make([]profile.State, axes+1), make([]float64, axes+1)
	for range tasks.Samples(20_000) {
		n := axes
		if m.IntN(8) == 0 {
			n = m.IntN(axes + 2)
		}
		from, to, limits := make([]profile.State, n), make([]profile.Goal, n), make([]profile.Limits, n)
		for i := range n {
			from[i], to[i] = m.oddState(), profile.Goal{State: m.oddState(), Moving: m.IntN(4) == 0}
			limits[i] = profile.Limits{Vel: math.Abs(m.odd()), Acc: math.Abs(m.odd()), Jerk: math.Abs(m.odd())}
			if m.IntN(3) != 0 {
				from[i].Vel, from[i].Acc, to[i] = 0, 0, profile.Goal{State: profile.State{Pos: to[i].Pos}}
			}
		}
		before := j.Duration()
		if out := j.Plan(motion.Sync(m.IntN(4)), from, to, limits); !out.Solved() && j.Duration() != before {
			t.Fatalf("%v, and there is another motion", out)
		}
		j.PlanIn(m.odd(), motion.Sync(m.IntN(4)), from, to, limits)
		j.At(m.odd(), states)
		j.Jerk(m.odd(), jerks)
		j.Stop(m.odd(), limits)
		if d := j.Duration(); !(d >= 0 && d <= math.MaxFloat64) {
			t.Fatalf("takes %v", d)
		}

		if m.IntN(3) == 0 {
			o.Set(from)
		}
		if m.IntN(3) == 0 {
			o.Stop(limits)
		}
		if m.IntN(3) == 0 {
			o.Aim(to, limits)
		}
		o.Step(math.Mod(m.odd(), 1), states[:axes])
		for i := range axes {
			if s := states[i]; math.IsNaN(s.Pos + s.Vel + s.Acc) {
				t.Fatalf("axis %d is nowhere: %+v", i, states)
			}
		}
		if left := o.Left(); !(left >= 0) {
			t.Fatalf("needs %v", left)
		}

		pace.To(m.odd())
		if now := pace.Step(math.Mod(m.odd(), 1)); math.IsNaN(now) {
			t.Fatal("there is no time")
		}
		pace.Apply(states)
	}
}
