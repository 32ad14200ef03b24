package sched

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// hand is a clock that nobody drives: the test ticks the executors itself.
type hand struct{}

func (hand) Now() int64         { return 0 }
func (hand) Unix(t int64) int64 { return t }

func newByHand(tb testing.TB, c Config) *Scheduler {
	tb.Helper()
	c.Clock = hand{}
	s, err := New(c)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = s.Close(context.Background()) })
	return s
}

// started runs a program without functions of its own, except act.
func (s *Scheduler) started(tb testing.TB, act func(*spec.Cycle), board *spec.Board) Ref {
	tb.Helper()
	return s.startedEvery(tb, ms, act, board)
}

// slowly is a period for which nothing but a net keeps a cycle from its CPU.
const slowly = 100 * ms

func (s *Scheduler) startedEvery(tb testing.TB, period time.Duration, act func(*spec.Cycle), board *spec.Board) Ref {
	tb.Helper()
	p := net.NewProgram(period, nil, nil, act, nil)
	if board != nil {
		p.Board = board
	}
	r, err := s.Admit(p, Options{})
	if err != nil {
		tb.Fatal(err)
	}
	if err := s.Start(tb.Context(), r); err != nil {
		tb.Fatal(err)
	}
	return r
}

func TestTickAllocatesNothing(t *testing.T) {
	s := newByHand(t, Config{})
	part := signal(t, "a", ms, "f")
	a := s.started(t, part.act, part.board)
	b := s.started(t, nil, nil)
	p, variables := condition(t, "a.outX | !!a.outX & a.outX", map[string]Ref{"a": a})
	if err := s.AddRule(t.Context(), Rule{Condition: p, Variables: variables, Stop: []Ref{a}}); err != nil {
		t.Fatal(err)
	}
	x := s.executorOf(a.slot)
	ticks := uint64(0)
	if n := alloc.Least(func() {
		for range 1000 {
			ticks++
			due := int64(ticks) * x.period
			x.tick(due, due, 0)
		}
	}); n != 0 {
		t.Errorf("%d allocations in 1000 ticks", n)
	}
	if stats, _ := s.Stats(b); stats.Cycles != ticks || stats.Cycle.Mean != ms || stats.Cycle.StdDev != 0 {
		t.Errorf("stats %+v", stats)
	}
}

// The tick in which everything happens does not allocate either: a rule fires, a net starts, one is stopped, one ends.
func TestSwitchingAllocatesNothing(t *testing.T) {
	s := newByHand(t, Config{})
	due := int64(0)
	if n := alloc.LeastOf(func() (allocations uint64) {
		part := signal(t, "a", ms, "ft")
		a := s.started(t, part.act, part.board)
		b, err := s.Admit(net.NewProgram(ms, nil, nil, nil, nil), Options{})
		if err != nil {
			t.Fatal(err)
		}
		p, variables := condition(t, "a.outX", map[string]Ref{"a": a})
		r := Rule{Condition: p, Variables: variables, Stop: []Ref{a}, Start: []Ref{b}}
		if err := s.AddRule(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		x := s.executorOf(a.slot)
		tick := func() {
			due += x.period
			x.tick(due, due, 0)
		}
		for range 4 { // in the second one the rule fires
			allocations += alloc.Count(tick)
		}
		if err := s.Abort(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		if stats, _ := s.Stats(b); stats.Cycles != 2 {
			t.Fatalf("the rule did not start its net: %+v", stats)
		}
		return allocations
	}); n != 0 {
		t.Errorf("%d allocations", n)
	}
}

// A late tick is counted, missed ones too; the net goes on with its next cycle.
func TestLateTicks(t *testing.T) {
	s := newByHand(t, Config{})
	var times []int64
	a := s.startedEvery(t, slowly, func(cy *spec.Cycle) { times = append(times, cy.Time) }, nil)
	x := s.executorOf(a.slot)
	p := x.period
	x.tick(p, p, 0)
	x.tick(2*p, 2*p+p*3/4, 0)
	x.tick(6*p, 6*p, 3)
	stats, err := s.Stats(a)
	if err != nil || stats.Cycles != 3 || stats.Late != 1 || stats.Missed != 3 || stats.Overruns != 0 {
		t.Errorf("stats %+v, %v", stats, err)
	}
	if got := stats.Cycle; got.Count != 2 || got.Min != slowly*7/4 || got.Max != slowly*13/4 {
		t.Errorf("cycle times %+v", got)
	}
	if diff := cmp.Diff([]int64{p, 2 * p, 3 * p}, times); diff != "" {
		t.Errorf("logical times: %s", diff)
	}
}

// Cycles that took longer than the period are counted, and end a net for several of them in a row, as the policy says.
func TestOverruns(t *testing.T) {
	always := func(uint64) bool { return true }
	for name, tt := range map[string]struct {
		policy   Policy
		long     func(cycle uint64) bool // takes longer than the period
		cycles   uint64                  // of 6 ticks
		overruns uint64
	}{
		"counted":              {CountOverruns, always, 6, 6},
		"not counted":          {IgnoreOverruns, always, 6, 0},
		"too much to do":       {AbortOverruns, always, enough, enough},
		"too much later":       {AbortOverruns, func(cycle uint64) bool { return cycle > 1 }, 1 + enough, enough},
		"not so many in a row": {AbortOverruns, func(cycle uint64) bool { return cycle%enough != 0 }, 6, 4},
	} {
		t.Run(name, func(t *testing.T) {
			l := newCell(t, Config{Overrun: tt.policy, Outside: new(undisturbed)})
			var a Ref
			a, err := l.Admit(net.NewProgram(ms, nil, nil, func(cy *spec.Cycle) {
				cost := ms
				if tt.long(cy.N) {
					cost++
				}
				l.grows(a, cost)
			}, nil), Options{})
			l.must(err)
			l.must(l.Start(t.Context(), a))
			l.advance(6 * ms)
			l.must(l.Settle(t.Context()))
			stats := l.stats(a.slot).read()
			if stats.Cycles != tt.cycles || stats.Overruns != tt.overruns || stats.Execution.Max <= ms {
				t.Errorf("%+v", stats)
			}
			last := l.events[len(l.events)-1]
			if ended := last.Kind == NetEnded && last.Cause == Overrun; ended != (tt.cycles < 6) {
				t.Errorf("last event: %+v", last)
			}
		})
	}
}

// BenchmarkTick measures ticks in which nets have next to nothing to do, in time of the thread, in turns with ticks in which each of the nets is
// measured.
func BenchmarkTick(b *testing.B) {
	for _, nets := range []int{1, 10, 100, 500} {
		b.Run(fmt.Sprint(nets), func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			s := newByHand(b, Config{})
			var x *executor
			for range nets {
				x = s.executorOf(s.compiled(b, `{cancel=Cancel(),outTerminate=cancel.outCancel}`).slot)
			}
			due := int64(0)
			tick := func() (took int64) {
				due += x.period
				from := rt.ThreadTime()
				x.tick(due, due, 0)
				return rt.ThreadTime() - from
			}
			var some, all int64
			b.ReportAllocs()
			for b.Loop() {
				x.closely = 0
				some += tick()
				x.closely = 2
				all += tick()
			}
			b.ReportMetric(float64(some)/float64(b.N), "ns/tick")
			b.ReportMetric(float64(all)/float64(b.N), "measured-ns/tick")
		})
	}
}

// compiled runs a net of a client.
func (s *Scheduler) compiled(tb testing.TB, text string) Ref {
	tb.Helper()
	catalogue, err := spec.NewCatalogue(primitives.All())
	if err != nil {
		tb.Fatal(err)
	}
	tree, err := grammar.ParseNet(text, grammar.Limits{})
	if err != nil {
		tb.Fatal(err)
	}
	p, err := net.Compile(tree, net.Options{Name: "n", Period: ms, Catalogue: catalogue})
	if err != nil {
		tb.Fatal(err)
	}
	r, err := s.Admit(p, Options{})
	if err != nil {
		tb.Fatal(err)
	}
	if err := s.Start(tb.Context(), r); err != nil {
		tb.Fatal(err)
	}
	return r
}
