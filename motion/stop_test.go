package motion_test

import (
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/tasks"
	"github.com/softrobot-rcc/rccd/motion"
	"github.com/softrobot-rcc/rccd/motion/profile"
)

// TestStop stops motions at any time: within the limits, from the state they were in, to rest; together, if that is how they were going.
func TestStop(t *testing.T) {
	m := newMaker(10)
	const axes = 4
	j, s, end := motion.NewJoints(axes), make([]profile.State, axes), make([]profile.State, axes)
	for range tasks.Samples(10_000) {
		k := m.moves(axes)
		for _, sync := range []motion.Sync{motion.Asynchronous, motion.Synchronous} {
			j.Plan(sync, k.from, k.to, k.limits)
			at := j.Duration() * m.Float64()
			j.At(at, s)
			if out := j.Stop(at, k.limits); !out.Solved() || out.Sync != sync {
				t.Fatal(out)
			}
			begins(t, moves{from: s, limits: k.limits}, j)
			keeps(t, m, j, k.limits, 10)
			j.At(j.Duration(), end)
			longest := 0.0
			for i := range end {
				var p profile.Profile
				p.Stop(s[i], k.limits[i])
				longest = max(longest, p.Duration())
				if end[i].Vel != 0 || !tasks.Near(end[i].Acc, 0, 0) || !tasks.Near(end[i].Pos, p.End().Pos, end[i].Pos) {
					t.Fatalf("axis %d ends at %+v", i, end[i])
				}
			}
			if j.Duration() < longest-openTime || sync == motion.Asynchronous && j.Duration() != longest {
				t.Fatalf("stops in %v instead of %v", j.Duration(), longest)
			}
		}
	}
}

// TestStopOnLine: fully synchronous axes stop on their line, from any moment, and between here and its end.
func TestStopOnLine(t *testing.T) {
	m := newMaker(11)
	const axes = 4
	j, s := motion.NewJoints(axes), make([]profile.State, axes)
	for range tasks.Samples(10_000) {
		k := m.moves(axes).atRest()
		if j.Plan(motion.FullySynchronous, k.from, k.to, k.limits); j.Duration() == 0 {
			continue // there is no line
		}
		at, left := j.Duration()*m.Float64(), j.Duration()
		left -= at
		j.At(at, s)
		share := onLine(t, k.from, k.to, s)
		if out := j.Stop(at, k.limits); !out.Solved() || out.Sync != motion.FullySynchronous {
			t.Fatal(out)
		}
		begins(t, moves{from: s, limits: k.limits}, j)
		keeps(t, m, j, k.limits, 5)
		if j.Duration() > left+openTime {
			t.Fatalf("stops in %v, but would have come to its end in %v", j.Duration(), left)
		}
		j.At(j.Duration()*m.Float64(), s)
		if next := onLine(t, k.from, k.to, s); next < share-1e-9 {
			t.Fatal("goes back")
		}
		j.At(j.Duration(), s)
		if last := onLine(t, k.from, k.to, s); last > 1+1e-9 {
			t.Fatalf("stops beyond the end, at %v", last)
		}
		for i := range s {
			if s[i].Vel != 0 || s[i].Acc != 0 {
				t.Fatalf("axis %d moves: %+v", i, s[i])
			}
		}
	}
}
