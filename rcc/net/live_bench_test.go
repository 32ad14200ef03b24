package net_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/motion"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// BenchmarkLive measures cycles as they are in a controller: one per millisecond in a real-time thread, in between which
// the machine does what it does, and caches and branch predictors forget. Each tick has a cycle of the program, one of
// a reference, or nothing but reading the clock, in random order, so that none of them meets a quieter machine.
func BenchmarkLive(b *testing.B) {
	for _, m := range motions {
		b.Run(m.Name, func(b *testing.B) {
			newLive(b, m).measure(b)
		})
	}
}

const (
	liveRounds = 5
	liveBlocks = 400 // of a tick for each contestant
	livePeriod = time.Millisecond
)

// Contestants.
const (
	theProgram = iota
	theReference
	nothing
	contestants
)

// live is a run of the benchmark.
type live struct {
	program   *net.Program
	reference func()
	cycle     spec.Cycle
	clock     *rt.Real
	alarm     rt.Alarm

	order   [liveBlocks * contestants]uint8
	took    [contestants][liveBlocks]int64
	medians [contestants][]float64 // by round, without what nothing takes
}

func newLive(b *testing.B, m motion.Net) *live {
	text := m.Text(types)
	p, _ := compile(b, text)
	return &live{program: p, reference: newInterpreter(parse(b, text)).step}
}

func (l *live) measure(b *testing.B) {
	l.clock = rt.NewReal()
	for b.Loop() {
		l.rounds(b)
	}
	l.report(b)
}

func (l *live) rounds(b *testing.B) {
	for range liveRounds {
		for at := 0; at < len(l.order); at += contestants {
			for i, who := range rand.Perm(contestants) {
				l.order[at+i] = uint8(who)
			}
		}
		liveThread(b, l.round)
		idle := medianOf(l.took[nothing][:])
		for who := range l.took {
			l.medians[who] = append(l.medians[who], medianOf(l.took[who][:])-idle)
		}
	}
}

// liveThread runs a body as executors run: detached in a real-time thread on the last CPU, or as far as the machine lets it.
func liveThread(b *testing.B, body func()) {
	t := rt.Thread{Name: "benchmark", CPU: runtime.NumCPU() - 1, Priority: 50}
	if err := t.Detach(body); err != nil {
		b.Log("ordinary pacing:", err)
		body()
	}
}

// round is a block after the other (cycle).
func (l *live) round() {
	next := l.clock.Now()
	for tick := range l.order {
		next += int64(livePeriod)
		l.clock.SleepDetached(next, 0, &l.alarm)
		start := rt.Stopwatch()
		who := l.order[tick]
		switch who {
		case theProgram:
			cycle(l.program, &l.cycle)
		case theReference:
			l.reference()
		}
		l.took[who][tick/contestants] = rt.Stopwatch() - start
	}
}

func (l *live) report(b *testing.B) {
	n := float64(l.program.Primitives)
	program, reference := medianOf(l.medians[theProgram]), medianOf(l.medians[theReference])
	var ratios []float64
	for round := range l.medians[theProgram] {
		ratios = append(ratios, l.medians[theProgram][round]/l.medians[theReference][round])
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(n, "primitives")
	b.ReportMetric(program/1e3, "µs/cycle")
	b.ReportMetric(program/n, "ns/primitive")
	b.ReportMetric(reference/n, "reference-ns/primitive")
	b.ReportMetric(medianOf(ratios), "of-reference")
}

func medianOf[T int64 | float64](list []T) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return float64(sorted[len(sorted)/2])
}
