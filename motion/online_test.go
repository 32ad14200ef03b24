package motion_test

import (
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/internal/testkit/tasks"
	"github.com/softrobot-rcc/rccd/motion"
	"github.com/softrobot-rcc/rccd/motion/profile"
)

const cycle = 0.01

// smooth checks that axes have gone from one state to the next one within limits, with nothing jumping but jerk.
func smooth(t *testing.T, a, b []profile.State, limits []profile.Limits, time float64) {
	t.Helper()
	const more = 1 + 1e-9
	for i, l := range limits {
		if math.Abs(b[i].Vel) > l.Vel*more || math.Abs(b[i].Acc) > l.Acc*more {
			t.Fatalf("axis %d is beyond %+v: %+v", i, l, b[i])
		}
		most := 2 * l.Acc
		if !math.IsInf(l.Jerk, 1) {
			most = min(most, l.Jerk*time+1e-9)
		}
		steady := a[i].Pos + time*(a[i].Vel+b[i].Vel)/2
		if d := math.Abs(b[i].Pos - steady); d > most*time*time+1e-9 {
			t.Fatalf("axis %d jumps by %v from %+v to %+v", i, d, a[i], b[i])
		}
		if d := math.Abs(b[i].Vel - a[i].Vel - time*(a[i].Acc+b[i].Acc)/2); d > most*time+1e-9 {
			t.Fatalf("velocity of axis %d jumps by %v from %+v to %+v", i, d, a[i], b[i])
		}
		if d := math.Abs(b[i].Acc - a[i].Acc); d > most*more {
			t.Fatalf("acceleration of axis %d jumps by %v from %+v to %+v", i, d, a[i], b[i])
		}
	}
}

// TestOnline: goals change at random times; axes stay within the limits, and when a goal stays they arrive in the time that a
// plan takes, and remain there.
func TestOnline(t *testing.T) {
	m := newMaker(20)
	const axes = 3
	a, b := make([]profile.State, axes), make([]profile.State, axes)
	for range tasks.Samples(20_000) / 20 {
		k := m.moves(axes)
		sync := motion.Sync(m.IntN(3))
		o := motion.NewOnline(axes, sync)
		o.Set(k.from)
		o.Step(0, a)
		for range 5 {
			k.to = m.goals(k.limits)
			for range m.IntN(100) {
				o.Aim(k.to, k.limits)
				if out := o.Step(cycle, b); !out.Solved() {
					t.Fatal(out)
				}
				smooth(t, a, b, k.limits, cycle)
				a, b = b, a
				follow(k.to, cycle)
			}
		}
		k.to = m.goals(k.limits)
		plan := motion.NewJoints(axes)
		plan.Plan(sync, a, k.to, k.limits)
		o.Aim(k.to, k.limits)
		o.Step(0, a)
		if left := o.Left(); math.Abs(left-plan.Duration()) > openTime+1e-9*left {
			t.Fatalf("takes %v instead of %v", left, plan.Duration())
		}
		arrives(t, o, k, a)
	}
}

// arrives goes on until the end, and after it.
func arrives(t *testing.T, o *motion.Online, k moves, a []profile.State) {
	t.Helper()
	b := make([]profile.State, len(a))
	for o.Left() > 0 {
		time := min(cycle, o.Left())
		o.Step(time, b)
		follow(k.to, time)
		o.Aim(k.to, k.limits)
		smooth(t, a, b, k.limits, time)
		a, b = b, a
	}
	for range 3 {
		for i, to := range k.to {
			if !to.Moving && (to.Vel != 0 || to.Acc != 0) {
				continue // has gone on
			}
			if !tasks.Near(a[i].Pos, to.Pos, to.Pos) || !tasks.Near(a[i].Vel, to.Vel, 0) {
				t.Fatalf("axis %d is at %+v instead of %+v", i, a[i], to)
			}
		}
		o.Step(cycle, a)
		follow(k.to, cycle)
		o.Aim(k.to, k.limits)
	}
}

func (m maker) goals(limits []profile.Limits) []profile.Goal {
	to := make([]profile.Goal, len(limits))
	kind := m.IntN(3)
	for i, l := range limits {
		to[i].State = m.Within(l)
		switch kind {
		case 0:
			to[i].Vel, to[i].Acc = 0, 0
		case 1:
			to[i].Vel, to[i].Acc, to[i].Moving = 0.9*to[i].Vel, 0, true
		}
	}
	return to
}

// follow moves the goals that move.
func follow(to []profile.Goal, time float64) {
	for i := range to {
		if to[i].Moving {
			to[i].Pos += time * to[i].Vel
		}
	}
}

// TestOnlineAgain: plans that are made again in each cycle, as goals and states are a little different in each, lead where
// one plan does, in about the same time.
func TestOnlineAgain(t *testing.T) {
	m := newMaker(21)
	const axes = 2
	a, b := make([]profile.State, axes), make([]profile.State, axes)
	for range tasks.Samples(20_000) / 100 {
		k := m.moves(axes)
		for i := range k.to {
			k.to[i] = profile.Goal{State: profile.State{Pos: k.to[i].Pos}}
		}
		for sync := range motion.FullySynchronous + 1 {
			o := motion.NewOnline(axes, sync)
			o.Set(k.from)
			o.Aim(k.to, k.limits)
			o.Step(0, a)
			left := o.Left()
			for at := 0.0; at < left; at += cycle {
				for i := range k.to {
					k.to[i].Pos += 1e-12 * (2*m.Float64() - 1)
				}
				o.Aim(k.to, k.limits)
				o.Step(cycle, b)
				smooth(t, a, b, k.limits, cycle)
				a, b = b, a
			}
			if o.Left() > cycle+0.02*left {
				t.Fatalf("%v: needs %v more than %v", sync, o.Left(), left)
			}
		}
	}
}

// TestOnlineWithOtherLimits: limits that become narrower are kept again after a while, those that stay are kept in the meantime.
func TestOnlineWithOtherLimits(t *testing.T) {
	m := newMaker(22)
	const axes = 2
	a, b := make([]profile.State, axes), make([]profile.State, axes)
	for range tasks.Samples(20_000) / 20 {
		k := m.moves(axes)
		o := motion.NewOnline(axes, motion.Sync(m.IntN(2)))
		o.Set(k.from)
		o.Step(0, a)
		for range 3 {
			next := m.moves(axes)
			for i := range next.limits {
				next.limits[i].Jerk = max(next.limits[i].Jerk, 10)
			}
			o.Aim(next.to, next.limits)
			regained := 0.0
			for i := range a {
				regained = max(regained, regain(a[i], next.limits[i]))
			}
			wide := make([]profile.Limits, axes)
			for i, l := range next.limits {
				over := a[i].Acc * a[i].Acc / 2 / l.Jerk
				wide[i] = profile.Limits{Vel: max(l.Vel, math.Abs(a[i].Vel)+over), Acc: max(l.Acc, math.Abs(a[i].Acc)), Jerk: l.Jerk}
			}
			for at := 0.0; at < regained+0.5; at += cycle {
				o.Aim(next.to, next.limits)
				o.Step(cycle, b)
				follow(next.to, cycle)
				if at+cycle > regained {
					wide = next.limits
				}
				if !math.IsInf(next.limits[0].Jerk, 1) {
					smooth(t, a, b, wide, cycle)
				}
				a, b = b, a
			}
		}
	}
}

// regain returns an upper bound of how long it takes to be within limits.
func regain(s profile.State, l profile.Limits) float64 {
	steep := math.IsInf(l.Jerk, 1)
	over := max(0, math.Abs(s.Vel)-l.Vel)
	if steep {
		return over / l.Acc
	}
	over += s.Acc * s.Acc / l.Jerk
	return 2*math.Abs(s.Acc)/l.Jerk + 2*math.Sqrt(over/l.Jerk) + over/l.Acc + l.Acc/l.Jerk
}

func TestOnlineStops(t *testing.T) {
	m := newMaker(23)
	const axes = 3
	a, b := make([]profile.State, axes), make([]profile.State, axes)
	for range tasks.Samples(20_000) / 20 {
		k := m.moves(axes)
		sync := motion.Sync(m.IntN(3))
		o := motion.NewOnline(axes, sync)
		o.Set(k.from)
		o.Aim(k.to, k.limits)
		for range m.IntN(100) {
			o.Step(cycle, a)
		}
		o.Step(0, a)
		o.Stop(k.limits)
		o.Step(0, b)
		if !o.Stopping() {
			t.Fatal("does not stop")
		}
		for o.Left() > 0 {
			time := min(cycle, o.Left())
			o.Stop(k.limits)
			o.Step(time, b)
			smooth(t, a, b, k.limits, time)
			a, b = b, a
		}
		o.Step(cycle, b)
		for i := range b {
			if b[i].Vel != 0 || b[i].Acc != 0 || !tasks.Near(a[i].Pos, b[i].Pos, b[i].Pos) {
				t.Fatalf("axis %d moves: %+v", i, b[i])
			}
		}
		k.to = m.goals(k.limits)
		o.Aim(k.to, k.limits)
		o.Step(0, b)
		arrives(t, o, k, b)
	}
}

// TestOnlineFollowsOutside: a state from outside is where the axes are then.
func TestOnlineFollowsOutside(t *testing.T) {
	l := []profile.Limits{{Vel: 1, Acc: 2, Jerk: 20}}
	o, s := motion.NewOnline(1, motion.Synchronous), make([]profile.State, 1)
	o.Set([]profile.State{{Pos: 3, Vel: 0.5}})
	if o.Step(cycle, s); s[0].Pos != 3 {
		t.Errorf("has not stayed: %+v", s)
	}
	o.Aim([]profile.Goal{{State: profile.State{Pos: 4}}}, l)
	if o.Step(cycle, s); !(s[0].Pos > 3 && s[0].Pos < 3+0.6*cycle) {
		t.Errorf("has not begun where it was: %+v", s)
	}
	o.Set([]profile.State{{Pos: -1}})
	if o.Step(cycle, s); !(s[0].Pos > -1 && s[0].Pos < -1+1e-4) {
		t.Errorf("has not begun where it was: %+v", s)
	}
	left := o.Left()
	o.Set(s)
	if o.Step(cycle, s); math.Abs(left-cycle-o.Left()) > 1e-12 {
		t.Errorf("has planned again for the state it was in: %v after %v", o.Left(), left)
	}
	o.Set([]profile.State{{Pos: -2, Vel: 1}})
	o.Stop(l)
	if o.Step(10, s); !(s[0].Pos > -2 && s[0].Pos < -1 && s[0].Vel == 0) {
		t.Errorf("has not stopped from where it was: %+v", s)
	}
}

func TestOnlineClampsAndRefuses(t *testing.T) {
	l := []profile.Limits{{Vel: 1, Acc: 2, Jerk: 20}, {Vel: 1, Acc: 2, Jerk: 20}}
	good := []profile.Goal{{State: profile.State{Pos: 1}}, {State: profile.State{Pos: 1}}}
	goal := func(g profile.Goal) []profile.Goal { return []profile.Goal{good[0], g} }
	for name, test := range map[string]struct {
		tell func(*motion.Online)
		want profile.Result
		end  profile.State // of axis 1, some time later
	}{
		"good":       {func(o *motion.Online) { o.Aim(good, l) }, profile.Solved, profile.State{Pos: 1}},
		"not finite": {func(o *motion.Online) { o.Aim(goal(profile.Goal{State: profile.State{Pos: math.NaN()}}), l) }, profile.BadState, profile.State{Pos: 1}},
		"no limits":  {func(o *motion.Online) { o.Aim(good, []profile.Limits{l[0], {}}) }, profile.BadLimits, profile.State{Pos: 1}},
		"too few":    {func(o *motion.Online) { o.Aim(good, l[:1]) }, profile.BadState, profile.State{Pos: 1}},
		"nowhere":    {func(o *motion.Online) { o.Set([]profile.State{{}, {Vel: math.Inf(1)}}) }, profile.BadState, profile.State{Pos: 1}},
		"stop without limits": {
			func(o *motion.Online) { o.Stop([]profile.Limits{l[0], {Vel: 1}}) }, profile.BadLimits, profile.State{Pos: 1},
		},
		"too fast": {
			func(o *motion.Online) { o.Aim(goal(profile.Goal{State: profile.State{Vel: -2, Acc: 1}}), l) },
			profile.BeyondLimit,
			profile.State{Vel: -1},
		},
		"too much acceleration": {
			func(o *motion.Online) { o.Aim(goal(profile.Goal{State: profile.State{Vel: 0.9, Acc: 7}}), l) },
			profile.BeyondLimit,
			profile.State{Vel: 1},
		},
	} {
		o, s := motion.NewOnline(2, motion.Asynchronous), make([]profile.State, 2)
		o.Aim(good, l)
		o.Step(cycle, s)
		test.tell(o)
		for range 1000 {
			if out := o.Step(cycle, s); out.Result != test.want || out.Result != profile.Solved && out.Axis != 1 {
				t.Fatalf("%s: %v", name, out)
			}
		}
		if !tasks.Near(s[1].Vel, test.end.Vel, 0) || test.end.Vel == 0 && s[1].Pos != test.end.Pos {
			t.Errorf("%s: is %+v in the end", name, s[1])
		}
		o.Set(s)
		o.Aim(good, l)
		if out := o.Step(cycle, s); !out.Solved() {
			t.Errorf("%s, and then good again: %v", name, out)
		}
	}
}

// TestWithin: what a goal is brought down to is a goal, and a goal that can be had is not changed.
func TestWithin(t *testing.T) {
	m := newMaker(24)
	for range tasks.Samples(20_000) {
		l := m.limits()
		g := profile.Goal{State: profile.State{Pos: m.Around(3), Vel: m.Around(2 * l.Vel), Acc: m.Around(2 * l.Acc)}, Moving: m.IntN(4) == 0}
		near, kept := motion.Within(g, l)
		var p profile.Profile
		r := p.Plan(profile.State{}, g, l)
		if kept != (r == profile.Solved) || kept && !g.Moving && near != g {
			t.Fatalf("%+v becomes %+v, %v: %v", g, near, kept, r)
		}
		if r := p.Plan(profile.State{}, near, l); r != profile.Solved {
			t.Fatalf("%+v becomes %+v: %v", g, near, r)
		}
	}
}

// TestOnlineChases: a goal that is faster than the axis is followed as fast as possible.
func TestOnlineChases(t *testing.T) {
	l := []profile.Limits{{Vel: 1, Acc: 2, Jerk: 20}}
	o, s := motion.NewOnline(1, motion.Asynchronous), make([]profile.State, 1)
	goal := []profile.Goal{{State: profile.State{Pos: 1, Vel: 1.5}, Moving: true}}
	for range 1000 {
		o.Aim(goal, l)
		if out := o.Step(cycle, s); out.Result != profile.BeyondLimit {
			t.Fatal(out)
		}
		follow(goal, cycle)
	}
	if !tasks.Near(s[0].Vel, 1, 0) {
		t.Errorf("follows with %+v", s)
	}
}

func TestOnlineAllocatesNothing(t *testing.T) {
	m := newMaker(25)
	k, o, s := m.moves(6), motion.NewOnline(6, motion.Synchronous), make([]profile.State, 6)
	if n := alloc.Least(func() {
		o.Set(k.from)
		o.Aim(k.to, k.limits)
		o.Step(cycle, s)
		o.Stop(k.limits)
		o.Step(cycle, s)
	}); n != 0 {
		t.Errorf("%d allocations", n)
	}
}

// BenchmarkOnline is a cycle of six axes, with new goals in each of them or with what there is.
func BenchmarkOnline(b *testing.B) {
	m := newMaker(26)
	limits := make([]profile.Limits, 6)
	for i := range limits {
		limits[i] = profile.Limits{Vel: 1, Acc: 3, Jerk: 30}
	}
	goals := make([][]profile.Goal, 100)
	for i := range goals {
		goals[i] = m.goals(limits)
	}
	s := make([]profile.State, 6)
	for sync := range motion.FullySynchronous {
		b.Run(sync.String(), func(b *testing.B) {
			o, i := motion.NewOnline(6, sync), 0
			b.ReportAllocs()
			for b.Loop() {
				o.Aim(goals[i%len(goals)], limits)
				o.Step(0.001, s)
				i++
			}
		})
	}
	b.Run("nothing new", func(b *testing.B) {
		o := motion.NewOnline(6, motion.Synchronous)
		for b.Loop() {
			o.Aim(goals[0], limits)
			o.Step(1e-9, s)
		}
	})
}
