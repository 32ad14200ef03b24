package clock

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
)

// tree is slaves with cables of known length, and what they latch when a frame goes through them.
type tree struct {
	slaves []Slave
	cables []int64 // to the slave
	truth  []int64 // when the frame comes to the slave
}

// pass lets a frame go through a slave and all behind it, and returns when it has left again.
func (r *tree) pass(i int, now int64, clocks []int64) int64 {
	s := &r.slaves[i]
	r.truth[i] = now
	s.Received[s.Entry] = uint32(now + clocks[i])
	for _, p := range wire.PortOrder {
		if p == s.Entry || !s.Open[p] {
			continue
		}
		for c := range r.slaves {
			if r.slaves[c].Parent == i && r.slaves[c].ParentPort == p {
				now = r.pass(c, now+r.cables[c], clocks) + r.cables[c]
			}
		}
		s.Received[p] = uint32(now + clocks[i])
	}
	return now
}

// drawTree makes any tree in the order in which frames pass it.
func drawTree(t *rapid.T, withoutClock bool) *tree {
	r := &tree{}
	var grow func(parent, port, depth int)
	grow = func(parent, port, depth int) {
		i := len(r.slaves)
		r.slaves = append(r.slaves, Slave{Parent: parent, ParentPort: port, HasClock: true})
		r.cables = append(r.cables, rapid.Int64Range(10, 2000).Draw(t, "cable"))
		if withoutClock && i > 0 {
			r.slaves[i].HasClock = rapid.Bool().Draw(t, "clock")
		}
		r.slaves[i].Open[0] = true
		for _, p := range []int{3, 1, 2} {
			alone := withoutClock && !r.slaves[i].HasClock && (r.slaves[i].Open[1] || r.slaves[i].Open[3])
			if depth < 5 && len(r.slaves) < 30 && !alone && rapid.Bool().Draw(t, "branch") {
				r.slaves[i].Open[p] = true
				grow(i, p, depth+1)
			}
		}
	}
	grow(NoParent, 0, 0)
	r.truth = make([]int64, len(r.slaves))
	return r
}

// Delays are those of the cables, whatever the shape of the bus and wherever the clocks stand. Slaves without clock are in lines:
// a cable that has one has the same length on both sides.
func TestDelays(t *testing.T) {
	for name, without := range map[string]bool{"all have clocks": false, "some have none": true} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				r := drawTree(t, without)
				clocks := rapid.SliceOfN(rapid.Int64(), len(r.slaves), len(r.slaves)).Draw(t, "clocks")
				r.pass(0, 0, clocks)
				want := make([]int64, len(r.slaves))
				for i, s := range r.slaves {
					if s.HasClock {
						want[i] = r.truth[i] - r.truth[0]
					} else {
						for p := range r.slaves[i].Received {
							r.slaves[i].Received[p] = 0xdeadbeef
						}
					}
				}
				if diff := cmp.Diff(want, Delays(r.slaves)); diff != "" {
					t.Fatal(diff)
				}
			})
		})
	}
}

// The vectors of the facts.
func TestVectors(t *testing.T) {
	s := Slave{Open: [4]bool{true, true}, Received: [4]uint32{0xfffffff0, 0x00000010}}
	if s.own() != 32 {
		t.Errorf("%d ns, not 32", s.own())
	}
	parent := Slave{Parent: NoParent, HasClock: true, Open: [4]bool{true, true}, Received: [4]uint32{0xfffffff0, 0x00000010}}
	child := Slave{Parent: 0, ParentPort: 1, HasClock: true, Open: [4]bool{true}}
	if diff := cmp.Diff([]int64{0, 16}, Delays([]Slave{parent, child})); diff != "" {
		t.Error(diff)
	}
	t.Run("reference at 0xFFFFFF00 with a cycle of 1 ms", func(t *testing.T) {
		var r Reading
		r.Seed(5<<32 - 0x100)
		before := r.Take(0xffffff00, false)
		after := r.Take((0xffffff00+1_000_000)&math.MaxUint32, false)
		if before != 5<<32-0x100 || after-before != 1e6 {
			t.Errorf("%d then %d", before, after)
		}
		g := NewGrid(before, 100e6, 1e6, 0)
		if g.Start%1e6 != 0 || g.Start < before+100e6 || g.Start >= before+101e6 {
			t.Errorf("starts at %d", g.Start)
		}
		for at := before; at < before+3e6; at += 333_333 { // pulses are those of 64 bits, then cut
			if n := g.Next(at); n <= at || n > at+1e6 || n%1e6 != 0 {
				t.Fatalf("after %d comes %d", at, n)
			}
		}
	})
	t.Run("offset", func(t *testing.T) {
		if got := Offset(0x5_0000_0010, 0xdead_beef_ffff_fff0, false); got != 0x20 {
			t.Errorf("%#x", got)
		}
		if got := Offset(0x10, 0x20, false); got != 0xffff_fff0 {
			t.Errorf("%#x: a sign goes on above 32 bits", got)
		}
		if got := Offset(0x10, 0x20, true); got != 0xffff_ffff_ffff_fff0 {
			t.Errorf("%#x", got)
		}
	})
	t.Run("garbage above 32 bits", func(t *testing.T) {
		var r Reading
		r.Seed(7 << 32)
		if got := r.Take(0xdeadbeef_00000005, false); got != 7<<32+5 {
			t.Errorf("%#x", got)
		}
		if got := r.Take(0xffff_fff0, false); got != 7<<32-16 { // a little back
			t.Errorf("%#x", got)
		}
	})
}

// A clock of 32 bits that is read often enough is one of 64 bits.
func TestReading(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := rapid.Int64Range(0, 1<<60).Draw(t, "now")
		var r Reading
		r.Seed(now + rapid.Int64Range(-2e9, 2e9).Draw(t, "wrong by"))
		for range 20 {
			if got := r.Take(uint64(uint32(now)), false); got != now {
				t.Fatalf("%d, not %d", got, now)
			}
			now += rapid.Int64Range(0, 2_100_000_000).Draw(t, "later")
		}
		if r.Take(42, true) != 42 || r.Now() != 42 {
			t.Fatal("wide clocks are as they are")
		}
	})
}

func TestGrid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := rapid.Int64Range(0, 1<<60).Draw(t, "now")
		cycle := rapid.Int64Range(1, 1e9).Draw(t, "cycle")
		shift := rapid.Int64Range(-1e6, 1e6).Draw(t, "shift")
		g := NewGrid(now, 100e6, cycle, shift)
		if (g.Start-shift)%cycle != 0 || g.Start-shift < now+100e6 || g.Start-shift >= now+100e6+cycle {
			t.Fatal(g)
		}
		at := now + rapid.Int64Range(-1e12, 1e12).Draw(t, "at")
		n, p := g.Next(at), g.Phase(at)
		if n <= at || n > at+cycle || (n-g.Start)%cycle != 0 || p < 0 || p >= cycle {
			t.Fatal(g, at, n, p)
		}
		if s := (Grid{g.Start + 5, g.Cycle}); s.Phase(at+5) != p {
			t.Fatal(s)
		}
	})
	if g := NewGrid(5, 5, 0, 0); g.Phase(7) != 0 {
		t.Error(g)
	}
}

// A master whose clock is wrong comes to the phase that is wanted and stays there, whatever the phase was.
func TestLock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ppm := rapid.Float64Range(-300, 300).Draw(t, "ppm")
		const cycle = 1e6
		l := Lock{Cycle: cycle, Goal: cycle / 2, Most: cycle / 20}
		g := Grid{0, cycle}
		at := rapid.Float64Range(0, cycle).Draw(t, "phase") // in the time of the reference
		noise := rapid.SliceOfN(rapid.Float64Range(-500, 500), 50, 50).Draw(t, "noise")
		n := int64(0)
		for ; n < 3000; n++ {
			c := l.Correct(g.Phase(int64(at + noise[n%50])))
			if most := max(l.Most, cycle/2*(1-min(n, 1))); c > most || c < -most { // all of it at the beginning
				t.Fatalf("correction of %d", c)
			}
			at += (cycle + float64(c)) * (1 + ppm*1e-6)
		}
		if e := l.Error(); e > 2000 || e < -2000 || l.Settled() < 1000 {
			t.Fatalf("error of %d, settled for %d", e, l.Settled())
		}
		if h := float64(l.Hold()) + ppm*1e-6*cycle; math.Abs(h) > 150 {
			t.Fatalf("has not learnt %v ppm: %d", ppm, l.Hold())
		}
	})
}

func TestNoAllocation(t *testing.T) {
	l, g := Lock{Cycle: 1e6, Most: 1e4}, Grid{0, 1e6}
	var r Reading
	if n := alloc.Least(func() {
		now := r.Take(uint64(uint32(r.Now())+1000), false)
		l.Correct(g.Phase(now))
	}); n != 0 {
		t.Error(n)
	}
}
