package sched

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/net"
)

// TestCostsAreForgottenOneByOne: when the costs of too many shapes are known, a new one displaces one of them.
func TestCostsAreForgottenOneByOne(t *testing.T) {
	s := newByHand(t, Config{})
	p := net.NewProgram(ms, nil, nil, nil, nil)
	p.Shape = 1 << 32
	a, err := s.Admit(p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.stats(a.slot).cost.Store(5)
	s.mu.Lock()
	defer s.mu.Unlock()
	for shape := range uint64(keptCosts) {
		s.costs[shape] = 1
	}
	s.learn(a.slot)
	if len(s.costs) != keptCosts || s.costs[p.Shape] != 5 {
		t.Errorf("%d costs are known, that of the net is %d", len(s.costs), s.costs[p.Shape])
	}
}

// TestExecutedPart: a tick uses at most all of its CPU, and an executor counts a tick of a single net.
func TestExecutedPart(t *testing.T) {
	s := newByHand(t, Config{})
	a := s.started(t, nil, nil)
	x := s.executorOf(a.slot)
	x.tick(x.period, x.period, 0)
	if !(x.executed > 0 && x.executed <= 1) {
		t.Errorf("executed for %v of the tick", x.executed)
	}
	var d Executor
	if x.figures.read(&d); d.Ticks != 1 {
		t.Errorf("%d ticks are counted", d.Ticks)
	}
}

// TestFullExecutor: an executor can run as many nets as there are slots.
func TestFullExecutor(t *testing.T) {
	s := newByHand(t, Config{Residents: 1, Slots: 1})
	x := s.executorOf(s.started(t, nil, nil).slot)
	before := x.n
	x.n = len(x.entries)
	if n := len(x.running()); n != 2 {
		t.Errorf("%d of 2 nets run", n)
	}
	x.n = before
}

// TestBitsOfExecutors: each executor has a bit of its own.
func TestBitsOfExecutors(t *testing.T) {
	seen := uint64(0)
	for i := range uint(maxExecutors) {
		bit := (&executor{index: i}).bit()
		if bit == 0 || seen&bit != 0 {
			t.Errorf("executor %d has bit %#x", i, bit)
		}
		seen |= bit
	}
}

// TestStartIsAnnouncedBeforeTheEnd: a net that ends in its first cycle before its start was announced has both events.
func TestStartIsAnnouncedBeforeTheEnd(t *testing.T) {
	l := newCell(t, Config{})
	a := l.admit(part{name: "a", period: ms, cycles: 1})
	l.must(l.Start(t.Context(), a))
	l.told()
	l.life(a).announced = false
	l.advance(ms)
	if diff := cmp.Diff([]string{"a started at 1ms", "a ended terminated after 1"}, l.told()); diff != "" {
		t.Error(diff)
	}
}

// TestTimeOfAbort: an aborted net has ended at the time of its last cycle.
func TestTimeOfAbort(t *testing.T) {
	l := newCell(t, Config{})
	a := l.admit(part{name: "a", period: ms})
	l.must(l.Start(t.Context(), a))
	l.advance(5 * ms)
	l.must(l.Abort(t.Context(), a))
	l.advance(5 * ms)
	l.must(l.Settle(t.Context()))
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.events[len(l.events)-1]; e.Kind != NetEnded || e.Cycle != 5 || since(e.Time) != 5*ms {
		t.Errorf("%v at %v after %d cycles", e.Kind, since(e.Time), e.Cycle)
	}
}

// TestNamesOfThreads: the system shows which threads are real-time.
func TestNamesOfThreads(t *testing.T) {
	s := newByHand(t, Config{Threads: &Threads{}})
	for name, k := range map[string]key{"rt 1ms": {period: int64(ms), realtime: true}, "net 1ms": {period: int64(ms)}} {
		if got := s.threadOf(k, 0).Name; got != name {
			t.Errorf("%s instead of %s", got, name)
		}
	}
}

// TestObservedCPU: ordinary goroutines of the real clock keep to no CPU; what takes all CPUs from them counts.
func TestObservedCPU(t *testing.T) {
	s := newReal(t, Config{CPUs: []int{3}})
	if cpu := s.observed(0); cpu != rt.AnyCPU {
		t.Errorf("CPU %d is observed for goroutines", cpu)
	}
	if cpu := newByHand(t, Config{CPUs: []int{3}}).observed(0); cpu != 3 {
		t.Errorf("CPU %d is observed for a thread of CPU 3", cpu)
	}
}

// TestMissedTicksAreRealOnes: an executor has not done and missed more ticks than there were.
func TestMissedTicksAreRealOnes(t *testing.T) {
	begin := rt.NewReal()
	before := begin.Now()
	events := make(chan Event, 10)
	s := newReal(t, Config{Clock: begin, OnEvent: func(e Event) { events <- e }})
	a, err := s.Admit(ending(ms, 50), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	expect(t, events, NetStarted, NetEnded)
	var d Executor
	s.executorOf(a.slot).figures.read(&d)
	if all := uint64((begin.Now()-before)/int64(ms)) + 1; d.Ticks < 50 || d.Ticks+d.Missed > all {
		t.Errorf("%d ticks are done and %d missed of %d", d.Ticks, d.Missed, all)
	}
}

// TestCommandsWhileAllTick: a command that comes while all executors are in a tick wakes none of them.
func TestCommandsWhileAllTick(t *testing.T) {
	s := newByHand(t, Config{})
	x := s.executorOf(s.started(t, nil, nil).slot)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.living = 1
	x.begun.Store(x.done.Load() + 1)
	s.requestTurn()
	s.living = 0
}

// TestDecidedRulesAreForgotten: a rule that was decided makes room for another one.
func TestDecidedRulesAreForgotten(t *testing.T) {
	l := newCell(t, Config{Rules: 2})
	for i := range RuleID(10) {
		l.rule(i, "t", nil, nil, nil)
		l.must(l.Settle(t.Context()))
	}
}

// TestEvidenceOfInactiveRules: a rule that can never fire any more shows its nets as they are then, also when another rule bars one
// of them in the same tick, before or after the rule was evaluated.
func TestEvidenceOfInactiveRules(t *testing.T) {
	l := newCell(t, Config{})
	before, next := l.admit(part{name: "before", period: ms}), l.admit(signal(t, "next", ms, "f"))
	l.must(l.Start(t.Context(), before))
	first := l.observed("next.outX", nil, nil, nil)
	l.must(l.AddRule(t.Context(), Rule{ID: 1, After: before, Start: []Ref{next}}))
	last := l.observed("next.outX", nil, nil, nil)
	l.must(l.Abort(t.Context(), before))
	l.advance(5 * ms)
	for name, e := range map[string]*Evidence{"first": first, "last": last} {
		if got := e.Read(); got.Looks[0].State != Barred {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestCloseFreesCounters: a closed scheduler has closed the counters of the system.
func TestCloseFreesCounters(t *testing.T) {
	s, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	var room rt.OutsideRoom
	_, known := s.system.Time(rt.AnyCPU, &room)
	if err := s.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, open := s.system.Time(rt.AnyCPU, &room); open {
		t.Errorf("the counters can be read after the end, as before: %v", known)
	}
}
