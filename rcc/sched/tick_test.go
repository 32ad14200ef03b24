package sched

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/internal/figures"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// A rule over nets of two executors waits for the one that is late, and is decided at the end of its tick.
func TestRuleWaitsForALateExecutor(t *testing.T) {
	fired := make(chan Event, 1)
	s := newByHand(t, Config{OnEvent: func(e Event) {
		if e.Kind == RuleFired {
			fired <- e
		}
	}})
	nets := map[string]Ref{}
	for name, period := range map[string]time.Duration{"a": ms, "b": 2 * ms} {
		p := signal(t, name, period, "t")
		program := net.NewProgram(period, nil, nil, p.act, nil)
		program.Board = p.board
		r, err := s.Admit(program, Options{})
		if err != nil {
			t.Fatal(err)
		}
		nets[name] = r
	}
	a, b := nets["a"], nets["b"]
	if err := s.Start(t.Context(), a, b); err != nil {
		t.Fatal(err)
	}
	p, variables := condition(t, "a.outX & b.outX", nets)
	if err := s.AddRule(t.Context(), Rule{Condition: p, Variables: variables, Stop: []Ref{a, b}}); err != nil {
		t.Fatal(err)
	}
	for at := int64(2 * ms); at <= int64(4*ms); at += int64(ms) {
		s.executorOf(a.slot).tick(at, at, 0)
	}
	if err := s.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(fired) > 0 {
		t.Errorf("fired before the late executor had a tick: %+v", <-fired)
	}
	s.executorOf(b.slot).tick(int64(2*ms), int64(4*ms), 0)
	if e := <-fired; e.Time <= int64(4*ms) || e.Time > int64(5*ms) {
		t.Errorf("fired for %v, the first tick that nobody has begun is at 5 ms", time.Duration(e.Time))
	}
}

// A slot is not cleared while any executor is in a tick that it began before the net was given up.
func TestSlotOutlivesTicks(t *testing.T) {
	s := newByHand(t, Config{})
	idle, err := s.Admit(net.NewProgram(2*ms, nil, nil, nil, nil), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var during *net.Program
	running := s.started(t, func(*spec.Cycle) {
		if err := s.Retire(t.Context(), idle); err != nil {
			t.Error(err)
		}
		if err := s.Settle(t.Context()); err != nil {
			t.Error(err)
		}
		during = s.program(idle.slot)
	}, nil)
	s.executorOf(running.slot).tick(int64(ms), int64(ms), 0)
	if err := s.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if during == nil || s.program(idle.slot) != nil {
		t.Errorf("program %v in the tick, %v after it", during, s.program(idle.slot))
	}
	if again, err := s.Admit(net.NewProgram(ms, nil, nil, nil, nil), Options{}); err != nil || again == idle || again.slot != idle.slot {
		t.Errorf("%v after %v, %v", again, idle, err)
	}
}

// Waking up late is nobody's fault: it ends no net, whatever the policy.
func TestLateTicksEndNothing(t *testing.T) {
	s := newByHand(t, Config{Overrun: AbortOverruns})
	a := s.startedEvery(t, slowly, nil, nil)
	x := s.executorOf(a.slot)
	x.tick(x.period, 2*x.period-1, 0)
	x.tick(50*x.period, 51*x.period-1, 48)
	if err := s.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	stats, err := s.Stats(a)
	if err != nil || stats.Late != 2 || stats.Missed != 48 || stats.Overruns != 0 || s.nets.at(a.slot).state != Running {
		t.Errorf("%d late, %d missed, %d overruns, %v, %v", stats.Late, stats.Missed, stats.Overruns, s.nets.at(a.slot).state, err)
	}
}

// However late ticks are, the figures are those of table 11.2, and every tick since the start is a cycle or missed.
func TestFiguresAddUp(t *testing.T) {
	s := newByHand(t, Config{})
	last := int64(0)
	rapid.Check(t, func(rt *rapid.T) {
		a := s.started(t, nil, nil)
		x := s.executorOf(a.slot)
		start := last + x.period
		var begun []int64
		for range rapid.IntRange(2, 50).Draw(rt, "cycles") {
			missed := max(0, rapid.Int64Range(-20, 3).Draw(rt, "missed"))
			due := last + (missed+1)*x.period
			woken := due + rapid.Int64Range(0, x.period-1).Draw(rt, "late")
			x.tick(due, woken, missed)
			last, begun = due, append(begun, woken)
		}
		stats, err := s.Stats(a)
		if err != nil {
			rt.Fatal(err)
		}
		if ticks := uint64(x.ticks(last-start)) + 1; stats.Cycles+stats.Missed != ticks || stats.Cycles != uint64(len(begun)) {
			rt.Errorf("%d cycles and %d missed of %d ticks", stats.Cycles, stats.Missed, ticks)
		}
		sameDistribution(rt, stats.Cycle, begun, x.period)
		if err := s.Abort(t.Context(), a); err != nil {
			rt.Fatal(err)
		}
		if err := s.Retire(t.Context(), a); err != nil {
			rt.Fatal(err)
		}
	})
}

// sameDistribution computes the figures the slow way.
func sameDistribution(t *rapid.T, d Distribution, begun []int64, period int64) {
	var histogram [figures.Buckets]uint64
	low, high, n := int64(math.MaxInt64), int64(0), float64(len(begun)-1)
	mean := float64(begun[len(begun)-1]-begun[0]) / n
	squares := 0.0
	for i := range len(begun) - 1 {
		took := begun[i+1] - begun[i]
		low, high = min(low, took), max(high, took)
		squares += (float64(took) - mean) * (float64(took) - mean)
		histogram[figures.Bucket(max(took-period, period-took))]++
	}
	deviation := 0.0
	if n > 1 {
		deviation = math.Sqrt(squares / (n - 1))
	}
	if d.Count != uint64(n) || int64(d.Min) != low || int64(d.Max) != high || d.Histogram != histogram ||
		math.Abs(float64(d.Mean)-mean) > 1 || math.Abs(float64(d.StdDev)-deviation) > 1 {
		t.Errorf("%+v, but mean %v, deviation %v, from %d to %d, classes %v", d, mean, deviation, low, high, histogram)
	}
}
