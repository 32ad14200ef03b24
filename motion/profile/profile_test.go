package profile_test

import (
	"math"
	"slices"
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/internal/testkit/tasks"
	"github.com/softrobot-rcc/rccd/motion/profile"
)

// task is what a profile is made for.
type task struct {
	from   profile.State
	to     profile.Goal
	limits profile.Limits
}

type maker struct{ tasks.Maker }

func newMaker(seed uint64) maker { return maker{tasks.New(6, seed)} }

func (m maker) limits() profile.Limits {
	size := func() float64 { return math.Pow(10, 2*m.Float64()-1) }
	l := profile.Limits{Vel: size(), Acc: size(), Jerk: size() * 10}
	if m.IntN(4) == 0 {
		l.Jerk = math.Inf(1)
	}
	return l
}

// task has a start within the limits, or any one, and a goal that rests, moves on or may be anything.
func (m maker) task() task {
	l := m.limits()
	k := task{from: m.Within(l), to: profile.Goal{State: m.Within(l)}, limits: l}
	switch m.IntN(6) {
	case 0:
		k.from.Vel, k.from.Acc, k.to.Vel, k.to.Acc = 0, 0, 0, 0
	case 1:
		k.from = profile.State{Pos: m.Around(3), Vel: m.Around(2 * l.Vel), Acc: m.Around(2 * l.Acc)}
	case 2:
		k.to.Acc, k.to.Vel, k.to.Moving = 0, 0.9*k.to.Vel, true
	case 3:
		k.to.Pos = k.from.Pos + m.Around(1e-3)
	case 4:
		k.to.Vel, k.to.Acc = 0, 0
	}
	return k
}

// check follows a profile through its phases: it is where it should begin and end, nothing but jerk jumps, and no limit is
// passed that was not passed at the start.
func check(t *testing.T, k task, p *profile.Profile) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Logf("%+v, duration %v", k, p.Duration())
		for i := range p.Phases() {
			begin, at, jerk := p.Phase(i)
			t.Logf("%9.6f %+v %v", begin, at, jerk)
		}
		t.Fatalf(format, args...)
	}
	steep := math.IsInf(k.limits.Jerk, 1)
	size := math.Abs(k.from.Pos) + math.Abs(k.to.Pos) + k.limits.Vel*p.Duration()
	end := k.to.State
	if k.to.Moving {
		end.Pos += end.Vel * p.Duration()
	}
	at := k.from
	maxVel, maxAcc := math.Abs(at.Vel)+at.Acc*at.Acc/2/k.limits.Jerk, math.Abs(at.Acc)
	if steep {
		maxAcc = 0
	}
	maxVel, maxAcc = max(maxVel, k.limits.Vel), max(maxAcc, k.limits.Acc)
	for i := range p.Phases() + 1 {
		begin, next, jerk := p.Duration(), end, 0.0
		if i < p.Phases() {
			begin, next, jerk = p.Phase(i)
		}
		if !tasks.Near(at.Pos, next.Pos, size) || !tasks.Near(at.Vel, next.Vel, maxVel) || !steep && !tasks.Near(at.Acc, next.Acc, maxAcc) {
			fail("phase %d does not begin where the one before has ended: %+v", i, at)
		}
		if math.Abs(next.Vel) > maxVel*(1+1e-9) || math.Abs(next.Acc) > maxAcc*(1+1e-9) || math.Abs(jerk) > k.limits.Jerk*(1+1e-12) {
			fail("phase %d is beyond the limits", i)
		}
		if next.Acc*(next.Acc+jerk*1e-9) < 0 || jerk*next.Acc < 0 { // a turn of velocity inside of the phase
			turn := next.Vel - next.Acc*next.Acc/2/jerk
			after := p.Duration()
			if i+1 < p.Phases() {
				after, _, _ = p.Phase(i + 1)
			}
			if -next.Acc/jerk < after-begin && math.Abs(turn) > maxVel*(1+1e-9) {
				fail("phase %d turns at %v", i, turn)
			}
		}
		if i+1 < p.Phases() {
			after, _, _ := p.Phase(i + 1)
			at = step(next, after-begin, jerk)
		} else if i < p.Phases() {
			at = step(next, p.Duration()-begin, jerk)
		}
	}
	if p.End() != p.At(p.Duration()) || !tasks.Near(p.End().Pos, end.Pos, size) || p.End().Vel != end.Vel {
		fail("ends at %+v", p.End())
	}
	// Limits that were passed at the start are kept again as soon as possible, and for good.
	if over := soonest(k); over > 0 {
		for i := range 50 {
			s := p.At(over + (p.Duration()-over)*float64(i)/50)
			if math.Abs(s.Vel) > k.limits.Vel*(1+1e-9) || math.Abs(s.Acc) > k.limits.Acc*(1+1e-9) {
				fail("beyond the limits at %+v", s)
			}
		}
	}
}

// soonest returns the time after which limits that were passed at the start must be kept: first the acceleration is brought to
// its limit, then the velocity.
func soonest(k task) float64 {
	l, s := k.limits, k.from
	if math.IsInf(l.Jerk, 1) {
		return max(0, math.Abs(s.Vel)-l.Vel) / l.Acc
	}
	t := max(0, math.Abs(s.Acc)-l.Acc) / l.Jerk
	s = step(s, t, -math.Copysign(l.Jerk, s.Acc))
	over := max(0, math.Abs(s.Vel)+s.Acc*s.Acc/2/l.Jerk-l.Vel)
	if over == 0 {
		return t
	}
	return t + 2*math.Abs(s.Acc)/l.Jerk + 2*math.Sqrt(over/l.Jerk) + over/l.Acc + l.Acc/l.Jerk
}

func step(s profile.State, t, jerk float64) profile.State {
	return profile.State{
		Pos: s.Pos + s.Vel*t + s.Acc*t*t/2 + jerk*t*t*t/6, Vel: s.Vel + s.Acc*t + jerk*t*t/2, Acc: s.Acc + jerk*t,
	}
}

func TestFastest(t *testing.T) {
	m := newMaker(1)
	for range tasks.Samples(100_000) {
		k := m.task()
		var p profile.Profile
		if r := p.Plan(k.from, k.to, k.limits); r != profile.Solved {
			t.Fatalf("%+v: %v", k, r)
		}
		check(t, k, &p)
	}
}

// TestGivenTime: for any time there is a profile that takes it, or the next time for which there is one.
func TestGivenTime(t *testing.T) {
	m := newMaker(2)
	for range tasks.Samples(100_000) {
		k := m.task()
		var x profile.Transfer
		if r := x.Set(k.from, k.to, k.limits); r != profile.Solved {
			t.Fatalf("%+v: %v", k, r)
		}
		var p profile.Profile
		wanted := x.Earliest(0) * (1 + 3*m.Float64()*m.Float64())
		got := x.Earliest(wanted)
		if got < wanted || x.Earliest(got) > got*(1+1e-12) {
			t.Fatalf("%+v: %v is not a time, but %v, and then %v", k, wanted, got, x.Earliest(got))
		}
		x.In(got, &p)
		check(t, k, &p)
	}
}

// TestTimeWithoutEnd: nothing takes a time that is infinite or no number, and the profile of before stays.
func TestTimeWithoutEnd(t *testing.T) {
	to, limits := profile.Goal{State: profile.State{Pos: 1}}, profile.Limits{Vel: 1, Acc: 1, Jerk: 1}
	var before profile.Profile
	if r := before.Plan(profile.State{Pos: 3}, to, limits); r != profile.Solved {
		t.Fatal(r)
	}
	for _, duration := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		p := before
		if r := p.PlanIn(duration, profile.State{}, to, limits); r != profile.NoCourse || p != before {
			t.Errorf("in %v: %v, %+v", duration, r, p)
		}
		var x profile.Transfer
		x.Set(profile.State{}, to, limits)
		if r := x.In(duration, &p); r != profile.NoCourse || p != before {
			t.Errorf("transfer in %v: %v, %+v", duration, r, p)
		}
	}
}

func TestStop(t *testing.T) {
	m := newMaker(3)
	for range tasks.Samples(100_000) {
		k := m.task()
		var p profile.Profile
		if r := p.Stop(k.from, k.limits); r != profile.Solved {
			t.Fatal(r)
		}
		k.to = profile.Goal{State: profile.State{Pos: p.End().Pos}}
		check(t, k, &p)
	}
}

// TestStopAtTheEndOfAStop: what is left of a stop is a stop, without a jump of acceleration, however little is left.
func TestStopAtTheEndOfAStop(t *testing.T) {
	m := newMaker(10)
	for range tasks.Samples(100_000) / 10 {
		k := m.task()
		var whole, rest profile.Profile
		if r := whole.Stop(k.from, k.limits); r != profile.Solved {
			t.Fatal(r)
		}
		before := whole.At(whole.Duration() * (1 - math.Pow(10, -15*m.Float64())))
		if r := rest.Stop(before, k.limits); r != profile.Solved {
			t.Fatal(r)
		}
		if math.IsInf(k.limits.Jerk, 1) {
			continue
		}
		if n := rest.Phases(); n > 0 {
			begin, at, jerk := rest.Phase(n - 1)
			if left := step(at, rest.Duration()-begin, jerk); math.Abs(left.Acc) > 1e-6*k.limits.Acc || math.Abs(left.Vel) > 1e-9*k.limits.Vel {
				t.Fatalf("%+v: what is left of a stop from %+v ends with %+v", k, before, left)
			}
		}
	}
}

func TestAllocatesNothing(t *testing.T) {
	m := newMaker(4)
	k := m.task()
	var p profile.Profile
	if n := alloc.Least(func() { p.Plan(k.from, k.to, k.limits); p.At(0.1); p.Stop(k.from, k.limits) }); n != 0 {
		t.Errorf("%d allocations", n)
	}
}

func BenchmarkPlan(b *testing.B) {
	m := newMaker(5)
	tasks := make([]task, 1000)
	for i := range tasks {
		for tasks[i] = m.task(); math.IsInf(tasks[i].limits.Jerk, 1); tasks[i] = m.task() {
		}
	}
	for name, change := range map[string]func(*task){
		"any":  func(*task) {},
		"rest": func(k *task) { k.from.Vel, k.from.Acc, k.to.Vel, k.to.Acc, k.to.Moving = 0, 0, 0, 0, false },
		"last": func(k *task) { k.to.Vel, k.to.Acc, k.to.Moving = 0, 0, false },
	} {
		b.Run(name, func(b *testing.B) {
			tasks := slices.Clone(tasks)
			for i := range tasks {
				change(&tasks[i])
			}
			b.ReportAllocs()
			var p profile.Profile
			i := 0
			for b.Loop() {
				k := &tasks[i%len(tasks)]
				p.Plan(k.from, k.to, k.limits)
				i++
			}
		})
	}
}
