package net_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/internal/testkit/motion"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

var motions = []motion.Net{motion.PTP, motion.Lin, motion.SyncLin, motion.Flat}

// types are those of the tests, which the interpreter knows.
var types = motion.Types{
	Clock: "Test::Clock", Snapshot: "Test::Snapshot", Joint: "Test::Joint(inPosition=%s,Robot='arm',Axis='%d')",
}

// TestInterpreter makes sure that the benchmarks compare equals.
func TestInterpreter(t *testing.T) {
	for _, m := range motions {
		text := m.Text(types)
		p, probes := compile(t, text)
		i := newInterpreter(parse(t, text))
		places := map[string]*place{}
		for _, at := range i.ref.all {
			places[at.path] = at
		}
		if p.Primitives < m.Primitives*9/10 || p.Primitives > m.Primitives*11/10 || len(places) != p.Primitives {
			t.Fatalf("%s: %d primitives, %d in the reference", m.Name, p.Primitives, len(places))
		}
		var cy spec.Cycle
		for range 300 {
			cycle(p, &cy)
			i.step()
			for _, probe := range probes {
				o := outRef{places[probe.Path], probe.Port}
				if probe.Port == "outLastUpdated" {
					continue
				}
				if want, got := i.value(o), current(probe.Cell, &cy); !same(want, got) && !unseen(probe, want) {
					t.Fatalf("cycle %d: %s.%s is %v, want %v", cy.N, probe.Path, probe.Port, got, want)
				}
			}
		}
	}
}

func TestCycleAllocatesNothing(t *testing.T) {
	for _, m := range motions {
		p, _ := compile(t, m.Text(types))
		var cy spec.Cycle
		if n := alloc.Least(func() {
			for range 100 {
				cycle(p, &cy)
			}
		}); n != 0 {
			t.Errorf("%s: %d allocations in 100 cycles", m.Name, n)
		}
	}
}

// others is what happens between two cycles of a net: memory is touched and branches are taken by other code.
type others struct {
	memory  []uint64
	numbers []int
	nets    []*net.Program
	cycles  []spec.Cycle
	sum     uint64
}

func newOthers(b *testing.B) *others {
	o := &others{memory: make([]uint64, 8<<20/8), numbers: make([]int, 1<<13)}
	for i := range o.numbers {
		o.numbers[i] = rand.Int()
	}
	for i := range 4 {
		p, _ := compile(b, motion.Net{Primitives: 300 + 100*i, Fragments: i%2 == 0}.Text(types))
		o.nets = append(o.nets, p)
	}
	o.cycles = make([]spec.Cycle, len(o.nets))
	return o
}

func (o *others) run() {
	for i := 0; i < len(o.memory); i += 8 {
		o.memory[i]++
		o.sum += o.memory[i]
	}
	rand.Shuffle(len(o.numbers), func(i, j int) { o.numbers[i], o.numbers[j] = o.numbers[j], o.numbers[i] })
	slices.Sort(o.numbers)
	for i, p := range o.nets {
		cycle(p, &o.cycles[i])
	}
}

// BenchmarkCycle measures one cycle of a robot motion, compiled and interpreted side by side: warm, one cycle after
// another, and cold, with other work in between. BenchmarkLive has it in a thread that wakes up once per millisecond.
func BenchmarkCycle(b *testing.B) {
	between := newOthers(b)
	for _, m := range motions {
		b.Run(m.Name+"/warm", func(b *testing.B) { measure(b, m.Text(types), func() {}) })
		b.Run(m.Name+"/cold", func(b *testing.B) { measure(b, m.Text(types), between.run) })
	}
}

func measure(b *testing.B, text string, between func()) {
	p, _ := compile(b, text)
	i := newInterpreter(parse(b, text))
	runs, guards := p.Steps()
	var cy spec.Cycle
	compiled, interpreted := make([]time.Duration, 0, b.N), make([]time.Duration, 0, b.N)
	for b.Loop() {
		between()
		start := time.Now()
		cycle(p, &cy)
		compiled = append(compiled, time.Since(start))
		between()
		start = time.Now()
		i.step()
		interpreted = append(interpreted, time.Since(start))
	}
	c, r := median(compiled)/float64(p.Primitives), median(interpreted)/float64(p.Primitives)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(c, "ns/primitive")
	b.ReportMetric(r, "reference-ns/primitive")
	b.ReportMetric(c/r, "of-reference")
	b.ReportMetric(float64(runs), "runs")
	b.ReportMetric(float64(guards), "guards")
}

// median is what a cycle takes when nothing else happens to this machine.
func median(d []time.Duration) float64 {
	slices.Sort(d)
	return float64(d[len(d)/2])
}

// BenchmarkCompile measures loading.
func BenchmarkCompile(b *testing.B) {
	for _, m := range []motion.Net{motion.SyncLin, motion.Flat} {
		b.Run(m.Name, func(b *testing.B) {
			tree, opt := parse(b, m.Text(types)), options(b)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := net.Compile(tree, opt); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("parse", func(b *testing.B) {
		text := motion.Flat.Text(types)
		for b.Loop() {
			if _, err := grammar.ParseNet(text, grammar.Limits{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
