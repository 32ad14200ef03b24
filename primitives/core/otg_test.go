package core_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/internal/testkit"
	"github.com/softrobot-rcc/rccd/primitives/core"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// move is a task for a generator: from a state to a goal.
type move struct {
	period         time.Duration
	pos, vel, goal float64
	maxVel, maxAcc float64
}

func text(v float64) string { return string(value.Double.Append(nil, v)) }

// axis runs a generator that was started from a state and then keeps its own.
type axis struct {
	net                    *testkit.Single
	curPos, curVel, goal   *spec.Out[float64]
	outPos, outVel, outAcc *spec.Out[float64]
}

func newAxis(t testing.TB, name string, m move) *axis {
	goal := map[string]string{"Core::OTG": "inDestPos", "Core::OTG2": "inDesPos"}[name]
	net := kit.Single(t, name, m.period, map[string]string{"maxVel": text(m.maxVel), "maxAcc": text(m.maxAcc)}, "inCurPos", "inCurVel", goal)
	return &axis{
		net:    net,
		curPos: testkit.In[float64](t, net, "inCurPos"), curVel: testkit.In[float64](t, net, "inCurVel"), goal: testkit.In[float64](t, net, goal),
		outPos: testkit.Out[float64](t, net, "outPos"), outVel: testkit.Out[float64](t, net, "outVel"), outAcc: testkit.Out[float64](t, net, "outAcc"),
	}
}

func (a *axis) step(goal float64) { a.net.Next(); a.goal.Set(a.net.Cy, goal); a.net.Phases() }

func (a *axis) start(m move) {
	a.net.Next()
	a.curPos.Set(a.net.Cy, m.pos)
	a.curVel.Set(a.net.Cy, m.vel)
	a.goal.Set(a.net.Cy, m.goal)
	a.net.Phases()
}

// braking returns the way that an axis needs to stop when it brakes from the first cycle on. The velocity falls by change in
// every cycle; steady checks that it falls in the course of the cycle and not at its beginning.
func braking(vel, change, period float64, steady bool) float64 {
	way := 0.0
	for vel > 0 {
		next := max(vel-change, 0)
		if steady {
			way += (vel + next) / 2 * period
		} else {
			way += next * period
		}
		vel = next
	}
	return way
}

// TestGeneratorProperties: whatever the start, an axis keeps its limits; it arrives, and stays; and a goal that it can
// brake for is not overshot.
func TestGeneratorProperties(t *testing.T) {
	for _, name := range []string{"Core::OTG", "Core::OTG2"} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) { travel(t, r, name) })
		})
	}
}

// TestGeneratorBrakesLong: 80 s of braking at 8 kHz do not add up to an error.
func TestGeneratorBrakesLong(t *testing.T) {
	m := move{period: 125 * time.Microsecond, maxVel: 10, maxAcc: 0.12041367590427399, pos: 6.369131385931065e-05, vel: -10, goal: 0.956075394526124}
	a := newAxis(t, "Core::OTG2", m)
	a.start(m)
	for range 1_700_000 {
		a.step(m.goal)
		if a.outPos.V > m.goal+1e-12 {
			t.Fatalf("cycle %d: overshoots by %g", a.net.Cy.N, a.outPos.V-m.goal)
		}
	}
	if a.outPos.V != m.goal || a.outVel.V != 0 {
		t.Errorf("ends at %g with velocity %g", a.outPos.V, a.outVel.V)
	}
}

func travel(t *testing.T, r *rapid.T, name string) {
	m := move{
		period: time.Duration(rapid.SampledFrom([]int{1, 4, 10}).Draw(r, "period")) * time.Millisecond,
		maxVel: rapid.Float64Range(0.1, 10).Draw(r, "maxVel"), maxAcc: rapid.Float64Range(1, 100).Draw(r, "maxAcc"),
		pos: rapid.Float64Range(-5, 5).Draw(r, "pos"), goal: rapid.Float64Range(-5, 5).Draw(r, "goal"),
	}
	period := m.period.Seconds()
	change := m.maxAcc * period
	m.vel = rapid.Float64Range(-1, 1).Draw(r, "vel") * m.maxVel
	way := math.Abs(m.goal - m.pos)
	towards := m.vel * sign(m.goal-m.pos)
	reachable := braking(towards, change, period, name == "Core::OTG2") <= way

	a := newAxis(t, name, m)
	a.start(m)
	slack := 1e-9 * (1 + math.Abs(m.goal) + math.Abs(m.pos))
	// never slower than: stop, speed up to full velocity and brake again, with some cycles for rounding up each part
	longest := int((way/m.maxVel+6*m.maxVel/m.maxAcc)/period) + 20
	last, arrived := m.vel, -1
	for n := range longest {
		if n > 0 {
			a.step(m.goal)
		}
		if v := a.outVel.V; math.Abs(v) > m.maxVel*(1+1e-12) || math.Abs(v-last) > change*(1+1e-9)+1e-12 {
			r.Fatalf("cycle %d: velocity %g after %g, limits %g and %g in a cycle", n+1, v, last, m.maxVel, change)
		}
		if over := (a.outPos.V - m.goal) * sign(m.goal-m.pos); reachable && over > slack {
			r.Fatalf("cycle %d: overshoots by %g", n+1, over)
		}
		there := math.Abs(a.outPos.V-m.goal) <= slack && math.Abs(a.outVel.V) <= 1e-6*m.maxVel
		switch {
		case there && arrived < 0:
			arrived = n + 1
		case !there && arrived >= 0:
			r.Fatalf("cycle %d: leaves the goal: %g with velocity %g", n+1, a.outPos.V, a.outVel.V)
		}
		last = a.outVel.V
	}
	if arrived < 0 {
		r.Fatalf("not there after %d cycles: %g with velocity %g", longest, a.outPos.V, a.outVel.V)
	}
}

// compareTime holds the time from rest to rest against that of continuous time.
func compareTime(r *rapid.T, m move, cycles int) {
	way := math.Abs(m.goal - m.pos)
	best := 2 * math.Sqrt(way/m.maxAcc)
	if way > m.maxVel*m.maxVel/m.maxAcc {
		best = way/m.maxVel + m.maxVel/m.maxAcc
	}
	if least := best/m.period.Seconds() - 2; float64(cycles) < least || float64(cycles) > least+6 {
		r.Fatalf("%d cycles from rest to rest, continuous time takes %.1f", cycles, least+2)
	}
}

func sign(v float64) float64 { return math.Copysign(1, v) }

// TestGeneratorFromRest: no motion from rest to rest takes longer than it must.
func TestGeneratorFromRest(t *testing.T) {
	for _, name := range []string{"Core::OTG", "Core::OTG2"} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) {
				m := move{
					period: time.Millisecond, maxVel: rapid.Float64Range(0.1, 2).Draw(r, "maxVel"), maxAcc: rapid.Float64Range(1, 20).Draw(r, "maxAcc"),
					goal: rapid.Float64Range(-2, 2).Draw(r, "goal"),
				}
				a := newAxis(t, name, m)
				a.start(m)
				cycles := 1
				for ; math.Abs(a.outPos.V-m.goal) > 1e-9 || math.Abs(a.outVel.V) > 1e-9; cycles++ {
					if cycles > 30_000 {
						r.Fatalf("does not arrive: %g with velocity %g", a.outPos.V, a.outVel.V)
					}
					a.step(m.goal)
				}
				compareTime(r, m, cycles)
			})
		})
	}
}

// TestGeneratorFollows: a goal that moves within the limits is caught up with and then met in every cycle.
func TestGeneratorFollows(t *testing.T) {
	m := move{period: time.Millisecond, maxVel: 1, maxAcc: 5, goal: 0.3}
	a := newAxis(t, "Core::OTG2", m)
	a.start(m)
	for n := 1; n < 3000; n++ {
		goal := m.goal + 0.4*float64(n)*0.001
		a.step(goal)
		if n > 1500 && math.Abs(a.outPos.V-goal) > 1e-9 {
			t.Fatalf("cycle %d: at %g, the goal at %g", n+1, a.outPos.V, goal)
		}
	}
}

// TestGeneratorWithoutLimits: an axis that loses its limits in full motion brakes with the last ones.
func TestGeneratorWithoutLimits(t *testing.T) {
	net := kit.Single(t, "Core::OTG", time.Millisecond, nil, "inDestPos", "inMaxVel", "inMaxAcc")
	goal, maxVel, maxAcc := testkit.In[float64](t, net, "inDestPos"), testkit.In[float64](t, net, "inMaxVel"), testkit.In[float64](t, net, "inMaxAcc")
	outVel := testkit.Out[float64](t, net, "outVel")
	last := 0.0
	for n := range 1000 {
		net.Next()
		goal.Set(net.Cy, 100)
		maxVel.Set(net.Cy, 1)
		if n < 500 {
			maxAcc.Set(net.Cy, 10)
		} else if n < 550 {
			maxAcc.Set(net.Cy, math.NaN())
		}
		net.Phases()
		if math.Abs(outVel.V-last) > 0.01+1e-12 {
			t.Fatalf("cycle %d: velocity changes from %g to %g", n+1, last, outVel.V)
		}
		last = outVel.V
	}
	if last != 0 {
		t.Errorf("velocity %g without limits", last)
	}
}

func BenchmarkAdd(b *testing.B)         { benchmark(b, "Core::DoubleAdd") }
func BenchmarkConditional(b *testing.B) { benchmark(b, "Core::DoubleConditional") }
func BenchmarkPre(b *testing.B)         { benchmark(b, "Core::DoublePre") }
func BenchmarkOTG(b *testing.B)         { benchmark(b, "Core::OTG") }

// benchmark runs 1000 instances of a primitive with all ports connected, the time is that of one instance.
func benchmark(b *testing.B, name string) {
	const instances = 1000
	for _, p := range core.Primitives() {
		if p.Name != name {
			continue
		}
		block, env, cells := p.New(instances), &spec.Env{Period: time.Millisecond}, []spec.Cell{}
		for i := range instances {
			for k := range p.In {
				cell := block.Source(i, k)
				block.Link(i, k, cell)
				cells = append(cells, cell)
			}
			if err := block.Init(i, make([]*string, len(p.Params)), env); err != nil {
				b.Fatal(err)
			}
		}
		run := block.Kernel(spec.Run, 0, instances)
		cy := spec.Cycle{N: 1, Period: 0.001}
		for _, cell := range cells {
			cell.SetWords(&spec.Cycle{N: math.MaxUint64}, []uint64{math.Float64bits(1)})
		}
		b.ReportAllocs()
		for i := 0; i < b.N; i += instances {
			cy.N++
			run(&cy)
		}
	}
}
