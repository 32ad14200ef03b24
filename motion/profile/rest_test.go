package profile_test

import (
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/tasks"
	"github.com/softrobot-rcc/rccd/motion/profile"
)

// TestRestIsLikeAnyOther: what is in closed form from rest to rest is what the search finds that does without it, as a
// start that hardly moves has it do, in the shortest time and in longer ones.
func TestRestIsLikeAnyOther(t *testing.T) {
	m := newMaker(9)
	for range tasks.Samples(50_000) {
		l := m.limits()
		size := math.Pow(10, 6*m.Float64()-5)
		from, to := profile.State{Pos: m.Around(size)}, profile.Goal{State: profile.State{Pos: m.Around(size)}}
		moving := from
		moving.Vel = 1e-100
		var x, search profile.Transfer
		if r, s := x.Set(from, to, l), search.Set(moving, to, l); r != profile.Solved || s != profile.Solved {
			t.Fatal(r, s)
		}
		longer := x.Earliest(0) * (1 + 3*m.Float64())
		for _, notBefore := range []float64{0, longer} {
			d, want := x.Earliest(notBefore), search.Earliest(notBefore)
			if !(math.Abs(d-want) <= 1e-12*(1+want)) {
				t.Fatalf("from %v to %v within %+v takes %v, not %v", from, to, l, d, want)
			}
			var p, like profile.Profile
			x.In(d, &p)
			search.In(want, &like)
			for range 5 {
				at := d * m.Float64()
				a, b := p.At(at), like.At(at)
				if !(math.Abs(a.Pos-b.Pos) <= 1e-12*(1+size) && math.Abs(a.Vel-b.Vel) <= 1e-11*(1+l.Vel)) {
					t.Fatalf("from %v to %v within %+v at %v of %v: %+v, not %+v", from, to, l, at, d, a, b)
				}
			}
		}
	}
}
