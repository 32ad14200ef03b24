package profile_test

import (
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/tasks"
	"github.com/softrobot-rcc/rccd/motion/profile"
)

// course is some course within limits: from a start through legs of constant jerk or, without limit of jerk, acceleration.
func (m maker) course(l profile.Limits) (from, to profile.State, duration float64) {
	steep := math.IsInf(l.Jerk, 1)
	for {
		from, duration = m.Within(l), 0
		to = from
		keeps := true
		for range 1 + m.IntN(6) {
			jerk := m.Around(l.Jerk)
			if steep {
				to.Acc, jerk = m.Around(l.Acc), 0
			}
			t := m.Float64() * (l.Acc/l.Jerk + m.Float64()*l.Vel/l.Acc)
			if m.IntN(3) == 0 && jerk*to.Acc < 0 { // back to no acceleration, as good courses do
				t = -to.Acc / jerk
			}
			next := step(to, t, jerk)
			turn := to.Vel
			if at := -to.Acc / jerk; at > 0 && at < t {
				turn = step(to, at, jerk).Vel
			}
			if math.Abs(next.Acc) > l.Acc || math.Abs(next.Vel) > l.Vel || math.Abs(turn) > l.Vel {
				keeps = false
				break
			}
			to, duration = next, duration+t
		}
		if steep {
			to.Acc = 0
		}
		if keeps && l.Keeps(to) {
			return from, to, duration
		}
	}
}

// TestNothingIsFaster: whatever course leads to a goal, the profile is not slower; and the time it takes is one for which there
// is a profile too, also where shorter and longer times are not.
func TestNothingIsFaster(t *testing.T) {
	m := newMaker(7)
	blocked := 0
	for range tasks.Samples(100_000) {
		l := m.limits()
		from, end, duration := m.course(l)
		goal := profile.Goal{State: end}
		if end.Acc == 0 && math.Abs(end.Vel) < l.Vel && m.IntN(2) == 0 {
			goal.Moving = true
			goal.Pos -= end.Vel * duration
		}
		var x profile.Transfer
		if r := x.Set(from, goal, l); r != profile.Solved {
			t.Fatalf("%+v to %+v, %+v: %v", from, goal, l, r)
		}
		// Rounding of positions is a motion from rest to rest, and takes the time of one.
		rounding := 1e-9 + 3*restToRest(3e-15*(1+math.Abs(end.Pos)+l.Vel*duration), l)
		if fastest := x.Earliest(0); !(fastest <= duration*(1+1e-9)+rounding) {
			t.Fatalf("%+v to %+v, %+v: %v, but there is one of %v", from, goal, l, fastest, duration)
		}
		if next := x.Earliest(duration); !(next-duration <= 1e-9*duration+rounding) {
			t.Fatalf("%+v to %+v, %+v: next after %v is %v", from, goal, l, duration, next)
		}
		if longer := duration * (1 + m.Float64()); x.Earliest(longer) > longer {
			blocked++
		}
	}
	if blocked == 0 {
		t.Error("no goal with times that are too long for it and too short")
	}
}

// restToRest returns the duration in closed form (Biagiotti and Melchiorri, §3.2 and §3.4).
func restToRest(way float64, l profile.Limits) float64 {
	if math.IsInf(l.Jerk, 1) {
		if way < l.Vel*l.Vel/l.Acc {
			return 2 * math.Sqrt(way/l.Acc)
		}
		return way/l.Vel + l.Vel/l.Acc
	}
	ramp := l.Vel/l.Acc + l.Acc/l.Jerk // to full velocity and acceleration
	if l.Vel*l.Jerk < l.Acc*l.Acc {
		ramp = 2 * math.Sqrt(l.Vel/l.Jerk)
	}
	if way >= l.Vel*ramp {
		return way/l.Vel + ramp
	}
	if way < 2*l.Acc*l.Acc*l.Acc/(l.Jerk*l.Jerk) {
		return 4 * math.Cbrt(way/(2*l.Jerk))
	}
	a := l.Acc
	return a/l.Jerk + math.Sqrt(square(a/l.Jerk)+4*way/a)
}

func square(v float64) float64 { return v * v }

func TestRestToRest(t *testing.T) {
	m := newMaker(8)
	for range tasks.Samples(100_000) {
		l := m.limits()
		way := math.Pow(10, 6*m.Float64()-4)
		from, to := profile.State{Pos: m.Around(1)}, profile.Goal{}
		to.Pos = from.Pos + math.Copysign(way, m.Float64()-0.5)
		var p profile.Profile
		if r := p.Plan(from, to, l); r != profile.Solved {
			t.Fatal(r)
		}
		want := restToRest(math.Abs(to.Pos-from.Pos), l)
		if math.Abs(p.Duration()-want) > 1e-9*want {
			t.Fatalf("%v by %+v: %v instead of %v", way, l, p.Duration(), want)
		}
		if n := 7; p.Phases() > n {
			t.Fatalf("%d phases", p.Phases())
		}
	}
}

// TestAnySize: numbers of all sizes have an answer, and what is solved is sound.
func TestAnySize(t *testing.T) {
	m := newMaker(9)
	extremes := []float64{0, 1, -1, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, 5e-324, 1e-160, 1e160}
	any := func() float64 {
		if m.IntN(10) == 0 {
			return extremes[m.IntN(len(extremes))]
		}
		return math.Copysign(math.Pow(10, 24*m.Float64()-12), m.Float64()-0.5)
	}
	solved := 0
	for range tasks.Samples(100_000) {
		k := task{profile.State{Pos: any(), Vel: any(), Acc: any()}, profile.Goal{State: profile.State{Pos: any(), Vel: any(), Acc: any()}}, profile.Limits{Vel: any(), Acc: any(), Jerk: any()}}
		var p profile.Profile
		if p.Plan(k.from, k.to, k.limits) == profile.Solved {
			solved++
			if s := p.At(p.Duration() * m.Float64()); math.IsNaN(s.Pos+s.Vel+s.Acc) || !(p.Duration() >= 0) {
				t.Fatalf("%+v: %+v", k, p)
			}
		}
		p.Stop(k.from, k.limits)
		p.PlanIn(any(), k.from, k.to, k.limits)
		p.At(any())
	}
	if solved < tasks.Samples(100_000)/1000 {
		t.Errorf("%d solved", solved)
	}
}
