package motion_test

import (
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/internal/testkit/tasks"
	"github.com/softrobot-rcc/rccd/motion"
	"github.com/softrobot-rcc/rccd/motion/profile"
)

// openTime is what is left open, in s, of the duration of a motion that is made again shortly before the end of another one:
// the way that is left hardly depends on the time then.
const openTime = 1e-4

// begins and ends report whether a motion is where it should be.
func begins(t *testing.T, k moves, j *motion.Joints) {
	t.Helper()
	s := make([]profile.State, len(k.from))
	j.At(0, s)
	for i, want := range k.from {
		if math.IsInf(k.limits[i].Jerk, 1) {
			s[i].Acc, want.Acc = 0, 0
		}
		if !tasks.Near(s[i].Pos, want.Pos, want.Pos) || !tasks.Near(s[i].Vel, want.Vel, 0) || !tasks.Near(s[i].Acc, want.Acc, want.Acc) {
			t.Fatalf("axis %d begins at %+v instead of %+v", i, s[i], want)
		}
	}
}

func ends(t *testing.T, k moves, j *motion.Joints) {
	t.Helper()
	s := make([]profile.State, len(k.from))
	j.At(j.Duration(), s)
	for i, to := range k.to {
		want := to.State
		if to.Moving {
			want.Pos += to.Vel * j.Duration()
		}
		if early := j.Sync() == motion.Asynchronous; early && to.Vel != 0 && !to.Moving {
			continue // has gone on since it has passed its goal
		} else if early || math.IsInf(k.limits[i].Jerk, 1) {
			s[i].Acc, want.Acc = 0, 0
		}
		if !tasks.Near(s[i].Pos, want.Pos, want.Pos) || s[i].Vel != want.Vel || !tasks.Near(s[i].Acc, want.Acc, 0) {
			t.Fatalf("axis %d ends at %+v instead of %+v (%v)", i, s[i], want, j.Sync())
		}
	}
}

// TestSynchronisation: every way of synchronisation is within the limits and ends where it should; what is synchronised less
// is never slower, and what is synchronous is as fast as its slowest axis allows.
func TestSynchronisation(t *testing.T) {
	m := newMaker(1)
	const axes = 4
	j := motion.NewJoints(axes)
	straight := 0
	for range tasks.Samples(10_000) {
		k := m.moves(axes)
		var took [3]float64
		for _, sync := range []motion.Sync{motion.Asynchronous, motion.Synchronous, motion.FullySynchronous} {
			out := j.Plan(sync, k.from, k.to, k.limits)
			if !out.Solved() || out.Sync != j.Sync() || out.Sync > sync {
				t.Fatalf("%+v: %v", k, out)
			}
			if out.Sync == motion.FullySynchronous {
				straight++
			}
			took[sync] = j.Duration()
			begins(t, k, j)
			ends(t, k, j)
			keeps(t, m, j, k.limits, 10)
			if out.Sync == motion.Synchronous {
				slowest(t, k, out, j.Duration())
			}
		}
		if took[0] > took[1]*(1+1e-12) || took[1] > took[2]*(1+1e-9) {
			t.Fatalf("%+v takes %v", k, took)
		}
	}
	if straight == 0 {
		t.Error("nothing was fully synchronous")
	}
}

// slowest: the reported axis cannot have done it much earlier, and all others can do it just then.
func slowest(t *testing.T, k moves, out motion.Outcome, took float64) {
	t.Helper()
	for i := range k.from {
		var x profile.Transfer
		x.Set(k.from[i], k.to[i], k.limits[i])
		if e := x.Earliest(took); e > took*(1+1e-11) {
			t.Fatalf("axis %d cannot do it in %v, but in %v", i, took, e)
		}
		if e := x.Earliest(took * (1 - 1e-6)); i == out.Axis && e < took*(1-1e-9) {
			t.Fatalf("%+v: axis %d takes %v, but can do it in %v", k, i, took, e)
		}
	}
}

// TestTheLeastCommonTime looks for a common time that is shorter, with many tries.
func TestTheLeastCommonTime(t *testing.T) {
	m := newMaker(2)
	j := motion.NewJoints(3)
	for range tasks.Samples(100_000) / 100 {
		k := m.moves(3)
		j.Plan(motion.Synchronous, k.from, k.to, k.limits)
		var x [3]profile.Transfer
		for i := range x {
			x[i].Set(k.from[i], k.to[i], k.limits[i])
		}
		for try := range 200 {
			time, all := j.Duration()*float64(try)/201, true
			for i := range x {
				all = all && x[i].Earliest(time) == time
			}
			if all {
				t.Fatalf("%+v takes %v instead of %v", k, j.Duration(), time)
			}
		}
	}
}

// TestStraight: from rest to rest axes that are fully synchronous do the same share of their way at any time, and one of
// them has come to one of its limits.
func TestStraight(t *testing.T) {
	m := newMaker(3)
	const axes = 5
	j := motion.NewJoints(axes)
	s := make([]profile.State, axes)
	for range tasks.Samples(10_000) {
		k := m.moves(axes).atRest()
		if out := j.Plan(motion.FullySynchronous, k.from, k.to, k.limits); out.Sync != motion.FullySynchronous {
			t.Fatalf("%+v: %v", k, out)
		}
		keeps(t, m, j, k.limits, 5)
		least := 0.0
		for i := range k.from {
			var p profile.Profile
			p.Plan(k.from[i], k.to[i], k.limits[i])
			least = max(least, p.Duration())
		}
		if j.Duration() < least*(1-1e-12) {
			t.Fatalf("takes %v, and one axis alone %v", j.Duration(), least)
		}
		j.At(j.Duration()*m.Float64(), s)
		onLine(t, k.from, k.to, s)
	}
}

// onLine reports whether all axes have covered the same share of their paths.
func onLine(t *testing.T, from []profile.State, to []profile.Goal, s []profile.State) (share float64) {
	t.Helper()
	far := 0
	for i := range s {
		if math.Abs(to[i].Pos-from[i].Pos) > math.Abs(to[far].Pos-from[far].Pos) {
			far = i
		}
	}
	share = (s[far].Pos - from[far].Pos) / (to[far].Pos - from[far].Pos)
	for i := range s {
		if want := from[i].Pos + share*(to[i].Pos-from[i].Pos); math.Abs(s[i].Pos-want) > 1e-9 {
			t.Fatalf("axis %d is %v away from the line", i, s[i].Pos-want)
		}
	}
	return share
}

// TestStraightWithVelocity: also a motion that goes on along the line stays on it.
func TestStraightWithVelocity(t *testing.T) {
	m := newMaker(4)
	const axes = 3
	j, s := motion.NewJoints(axes), make([]profile.State, axes)
	for range tasks.Samples(10_000) {
		k := m.moves(axes).atRest()
		j.Plan(motion.FullySynchronous, k.from, k.to, k.limits)
		j.At(m.Float64()*j.Duration(), s)
		if math.Abs(s[0].Pos-k.to[0].Pos) < 1e-6 {
			continue // rounding has turned the line
		}
		if out := j.Plan(motion.FullySynchronous, s, k.to, k.limits); out.Sync != motion.FullySynchronous {
			t.Fatalf("from %+v to %+v: %v", s, k.to, out)
		}
		begins(t, moves{s, k.to, k.limits}, j)
		keeps(t, m, j, k.limits, 5)
		j.At(m.Float64()*j.Duration(), s)
		onLine(t, k.from, k.to, s)
	}
}

func TestGivenTime(t *testing.T) {
	m := newMaker(5)
	const axes = 3
	j := motion.NewJoints(axes)
	refused := 0
	for range tasks.Samples(10_000) {
		k := m.moves(axes)
		for _, sync := range []motion.Sync{motion.Asynchronous, motion.Synchronous, motion.FullySynchronous} {
			j.Plan(max(sync, motion.Synchronous), k.from, k.to, k.limits)
			before := j.Duration()
			time := before * (1 + 2*m.Float64())
			out := j.PlanIn(time, sync, k.from, k.to, k.limits)
			if !out.Solved() {
				refused++
				if j.Duration() != before || out.Result != profile.NoCourse {
					t.Fatalf("%v after %v, with %v instead of %v", out, before, j.Duration(), time)
				}
				continue
			}
			if j.Duration() != time {
				t.Fatalf("takes %v instead of %v", j.Duration(), time)
			}
			begins(t, k, j)
			ends(t, k, j)
			keeps(t, m, j, k.limits, 5)
			if out := j.PlanIn(before*0.9, sync, k.from, k.to, k.limits); out.Solved() && before > 0 && sync != motion.FullySynchronous {
				t.Fatalf("takes %v, but the fastest took %v", j.Duration(), before)
			}
		}
	}
	if refused == 0 {
		t.Error("every time was possible, so nothing was refused")
	}
}

func TestRefused(t *testing.T) {
	j := motion.NewJoints(2)
	l := profile.Limits{Vel: 1, Acc: 2, Jerk: 20}
	good := func() moves {
		return moves{make([]profile.State, 2), []profile.Goal{{State: profile.State{Pos: 1}}, {State: profile.State{Pos: 2}}}, []profile.Limits{l, l}}
	}
	for name, test := range map[string]struct {
		change func(*moves)
		want   profile.Result
	}{
		"goal is not a number":  {func(k *moves) { k.to[1].Pos = math.NaN() }, profile.BadState},
		"start is not finite":   {func(k *moves) { k.from[1].Vel = math.Inf(1) }, profile.BadState},
		"limit is 0":            {func(k *moves) { k.limits[1].Acc = 0 }, profile.BadLimits},
		"limit is not a number": {func(k *moves) { k.limits[1].Jerk = math.NaN() }, profile.BadLimits},
		"goal is too fast":      {func(k *moves) { k.to[1].Vel = 1.1 }, profile.BeyondLimit},
		"too few":               {func(k *moves) { k.to = k.to[:1] }, profile.BadState},
	} {
		for _, sync := range []motion.Sync{motion.Asynchronous, motion.Synchronous, motion.FullySynchronous} {
			k := good()
			if out := j.Plan(sync, k.from, k.to, k.limits); !out.Solved() {
				t.Fatal(out)
			}
			before := j.Duration()
			test.change(&k)
			if out := j.Plan(sync, k.from, k.to, k.limits); out.Result != test.want || out.Axis != 1 || j.Duration() != before || out.String() == "" {
				t.Errorf("%s, %v: %v", name, sync, out)
			}
		}
	}
	k := good()
	for _, time := range []float64{-1, math.NaN(), math.Inf(1), 0.1} {
		for _, sync := range []motion.Sync{motion.Synchronous, motion.FullySynchronous} {
			if out := j.PlanIn(time, sync, k.from, k.to, k.limits); out.Result != profile.NoCourse {
				t.Errorf("in %v: %v", time, out)
			}
		}
	}
}

func TestJointsAllocateNothing(t *testing.T) {
	m := newMaker(6)
	k, j := m.moves(6), motion.NewJoints(6)
	s := make([]profile.State, 6)
	if n := alloc.Least(func() {
		for sync := range motion.FullySynchronous + 1 {
			j.Plan(sync, k.from, k.to, k.limits)
			j.At(0.1, s)
			j.Stop(0.1, k.limits)
		}
	}); n != 0 {
		t.Errorf("%d allocations", n)
	}
}

func BenchmarkPlan(b *testing.B) {
	m := newMaker(7)
	tasks := make([]moves, 100)
	for i := range tasks {
		tasks[i] = m.moves(6)
		for a := range tasks[i].limits {
			tasks[i].limits[a].Jerk = min(tasks[i].limits[a].Jerk, 100)
		}
	}
	j := motion.NewJoints(6)
	for sync := range motion.FullySynchronous + 1 {
		b.Run(sync.String(), func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				k := &tasks[i%len(tasks)]
				j.Plan(sync, k.from, k.to, k.limits)
				i++
			}
		})
	}
}

// BenchmarkRest is from rest to rest: times and courses of six axes for any ways, each as fast as it can or together.
func BenchmarkRest(b *testing.B) {
	m := newMaker(8)
	tasks := make([]moves, 1000)
	for i := range tasks {
		tasks[i] = m.moves(6).atRest()
		for a := range tasks[i].limits {
			tasks[i].limits[a].Jerk = min(tasks[i].limits[a].Jerk, 100)
		}
	}
	j := motion.NewJoints(6)
	for sync := range motion.FullySynchronous {
		b.Run(sync.String(), func(b *testing.B) {
			for i := 0; b.Loop(); i = (i + 1) % len(tasks) {
				k := &tasks[i]
				j.Plan(sync, k.from, k.to, k.limits)
			}
		})
	}
}
