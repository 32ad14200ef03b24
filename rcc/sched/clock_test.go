package sched

import (
	"context"
	"errors"
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// Time that runs on its own runs nets, and stands still when it is paused again.
func TestVirtualTimeOnItsOwn(t *testing.T) {
	for _, speed := range []float64{100, math.Inf(1)} {
		clock := rt.NewVirtual(zero)
		ended := make(chan Event, 10)
		s, err := New(Config{Clock: clock, OnEvent: func(e Event) {
			if e.Kind == NetEnded {
				ended <- e
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		clock.SetSpeed(speed)
		for range 3 {
			r, err := s.Admit(ending(20*ms, 50), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Start(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			if e := <-ended; e.Cause != Terminated || e.Cycle != 50 || e.Net != r {
				t.Errorf("speed %v: %+v", speed, e)
			}
		}
		clock.SetSpeed(0)
		before := clock.Now()
		if err := s.Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		if clock.Now() != before || before < int64(3*50*20*ms) {
			t.Errorf("speed %v: paused at %v, now %v", speed, time.Duration(before), time.Duration(clock.Now()))
		}
		if err := s.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// ending makes a program that ends after some cycles.
func ending(period time.Duration, cycles uint64) *net.Program {
	end := new(spec.Out[bool])
	return net.NewProgram(period, nil, func(cy *spec.Cycle) { end.Set(cy, cy.N == cycles) }, nil, end)
}

// On the real clock an executor goes when it has had no net for a while, commands are obeyed without any, and the next
// net brings a new one.
func TestExecutorsComeAndGo(t *testing.T) {
	events := make(chan Event, 100)
	s, err := New(Config{Linger: 2 * ms, OnEvent: func(e Event) { events <- e }})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		r, err := s.Admit(ending(ms, 3), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Start(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		expect(t, events, NetStarted, NetEnded)
		if x := s.executorOf(r.slot); x != s.executors[0].Load() || s.executorsUsed() != 1 {
			t.Errorf("executor %d of %d", x.index, s.executorsUsed())
		}
		if err := s.Retire(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		expect(t, events, NetGone)
		for s.executors[0].Load() != nil {
			runtime.Gosched()
		}
		if err := s.AddRule(t.Context(), Rule{ID: 1}); err != nil {
			t.Fatal(err)
		}
		expect(t, events, RuleFired)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// A command does not wait for the next tick of an executor that sleeps for long, nor for one that rests.
func TestCommandsWakeExecutors(t *testing.T) {
	s := newReal(t, Config{Linger: time.Hour})
	slow, err := s.Admit(ending(time.Hour, 0), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, do := range []func(context.Context, ...Ref) error{s.Start, s.Cancel, s.Abort} {
		if err := do(t.Context(), slow); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Retire(t.Context(), slow); err != nil {
		t.Fatal(err)
	}
}

// A net that does not come to the end of its cycle holds up its own executor only.
func TestStuckNetHoldsUpNoCommands(t *testing.T) {
	s := newReal(t, Config{Linger: time.Hour})
	stuck, release := make(chan struct{}), make(chan struct{})
	a, err := s.Admit(net.NewProgram(ms, nil, func(cy *spec.Cycle) {
		if cy.N == 1 {
			close(stuck)
			<-release
		}
	}, nil, nil), Options{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Admit(ending(2*ms, 0), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	<-stuck
	for _, do := range []func(context.Context, ...Ref) error{s.Start, s.Cancel, s.Abort} {
		if err := do(t.Context(), b); err != nil {
			t.Error(err)
		}
	}
	close(release)
}

// An executor without anything to do rests. Nets that are started then start in the future, those of several executors at once.
func TestRestingExecutors(t *testing.T) {
	started := make(chan Event, 10)
	s := newReal(t, Config{OnEvent: func(e Event) {
		if e.Kind == NetStarted {
			started <- e
		}
	}})
	var first [3]Ref
	for i, period := range []time.Duration{ms, 2 * ms, 4 * ms} {
		r, err := s.Admit(ending(period, 1), Options{})
		if err != nil {
			t.Fatal(err)
		}
		first[i] = r
	}
	for _, r := range first {
		for x := s.executorOf(r.slot); !x.rests(); {
			runtime.Gosched()
		}
	}
	before := s.clock.Unix(s.clock.Now())
	if err := s.Start(t.Context(), first[:]...); err != nil {
		t.Fatal(err)
	}
	at := (<-started).Time
	for range 2 {
		if e := <-started; e.Time != at {
			t.Errorf("nets start at %d and at %d", at, e.Time)
		}
	}
	if at <= before || at%int64(4*ms) != 0 {
		t.Errorf("start at %d, commanded at %d", at, before)
	}
}

// A decision while no executor ticks bears the time of then.
func TestTimeOfRulesWithoutExecutors(t *testing.T) {
	events := make(chan Event, 10)
	s := newReal(t, Config{OnEvent: func(e Event) { events <- e }})
	for range 2 {
		before := s.clock.Unix(s.clock.Now())
		if err := s.AddRule(t.Context(), Rule{}); err != nil {
			t.Fatal(err)
		}
		if e := <-events; e.Kind != RuleFired || e.Time < before {
			t.Errorf("%v at %d, commanded at %d", e.Kind, e.Time, before)
		}
		if _, err := s.Admit(ending(ms, 0), Options{}); err != nil { // its executor rests
			t.Fatal(err)
		}
	}
}

func newReal(t *testing.T, c Config) *Scheduler {
	t.Helper()
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Every period needs an executor, of which there is a limited number; those without nets are replaced at once.
func TestPeriodsAreLimited(t *testing.T) {
	virtual := rt.NewVirtual(zero)
	for name, clock := range map[string]rt.Clock{"real": rt.NewReal(), "virtual": virtual} {
		t.Run(name, func(t *testing.T) {
			gone := make(chan struct{}, 1)
			s := newReal(t, Config{Clock: clock, OnEvent: func(e Event) {
				if e.Kind == NetGone {
					gone <- struct{}{}
				}
			}})
			var nets []Ref
			admit := func(n int) error {
				r, err := s.Admit(ending(time.Duration(n+1)*ms, 0), Options{})
				nets = append(nets, r)
				return err
			}
			for i := range maxExecutors {
				if err := admit(i); err != nil {
					t.Fatal(err)
				}
			}
			for i := range 3 * maxExecutors {
				if err := admit(maxExecutors + i); !errors.Is(err, ErrPeriods) {
					t.Fatalf("one period too many: %v", err)
				}
				nets = nets[:maxExecutors]
				if err := s.Retire(t.Context(), nets[0]); err != nil {
					t.Fatal(err)
				}
				<-gone
				nets = nets[1:]
				if err := admit(maxExecutors + i); err != nil {
					t.Fatalf("a place that was given back: %v", err)
				}
				last := nets[len(nets)-1]
				if err := s.Start(t.Context(), last); err != nil {
					t.Fatal(err)
				}
				if err := s.Abort(t.Context(), last); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func expect(t *testing.T, events <-chan Event, kinds ...Kind) {
	t.Helper()
	for _, k := range kinds {
		if e := <-events; e.Kind != k {
			t.Fatalf("event %+v, want %v", e, k)
		}
	}
}

// Readers see the figures of one cycle while the next ones are recorded, even at the shortest period.
func TestStatsWhileRunning(t *testing.T) {
	s := newByHand(t, Config{})
	a := s.started(t, nil, nil)
	x := s.executorOf(a.slot)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for due := x.period; due < 1000*x.period; due += x.period {
			begin := rt.Stopwatch()
			x.tick(due, due, 0)
			for rt.Stopwatch()-begin < shortestPeriod {
				runtime.Gosched()
			}
		}
	}()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		stats, err := s.Stats(a)
		if err != nil || stats.Cycles != stats.Execution.Count || stats.Cycles != stats.Cycle.Count+min(1, stats.Cycles) {
			t.Errorf("torn: %d cycles, %d and %d times, %v", stats.Cycles, stats.Execution.Count, stats.Cycle.Count, err)
			break
		}
	}
	<-done
}

func TestMessages(t *testing.T) {
	a, b := Ref{1, 2}, Ref{3, 4}
	for want, err := range map[string]error{
		"net 1.2 cannot be started: it is cancelling":             &NotStartableError{a, Cancelling},
		"net 1.2 cannot be started: arm/1 is taken by net 3.4":    &TakenError{a, joint(1)[0], b},
		"nets 1.2 and 3.4 both need arm/1":                        &SharedError{joint(1)[0], [2]Ref{a, b}},
		"net 1.2 is named twice":                                  &OverlapError{a},
		"the periods of the nets have no common tick within 1m0s": NoCommonTickError{},
		"period 1µs is not between 10µs and 1h0m0s":               &PeriodError{time.Microsecond},
	} {
		if err.Error() != want {
			t.Errorf("%q, want %q", err, want)
		}
	}
}

// An executor that has gone is not kept for one that sleeps for long.
func TestGravesAreForgotten(t *testing.T) {
	s := newReal(t, Config{Threads: &Threads{}, Linger: time.Hour})
	r, err := s.Admit(ending(time.Hour, 0), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for x := s.executorOf(r.slot); x.steps.Load()%2 == 0; {
		runtime.Gosched()
	}
	looping := func() int {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.looping)
	}
	for i := range int64(20) {
		s.mu.Lock()
		x, err := s.executorFor(key{period: i + 1})
		if err != nil {
			t.Fatal(err)
		}
		s.dismissExecutor(int(x.index))
		s.mu.Unlock()
		for looping() > 1 {
			runtime.Gosched()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.retired) != 1 {
		t.Errorf("%d executors are kept", len(s.retired))
	}
}

// Executors of nets that a rule waits to start do not rest, so that these begin with the next tick. They rest again when the
// net has moved to another executor or is retired.
func TestExecutorsOfExpectedNetsAreAwake(t *testing.T) {
	s := newReal(t, Config{CPUs: []int{0, 1}, Linger: time.Hour})
	admit := func(p part) Ref {
		program := net.NewProgram(p.period, nil, nil, p.act, nil)
		if p.board != nil {
			program.Board = p.board
		}
		r, err := s.Admit(program, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	until := func(x *executor, rests bool) {
		for x.rests() != rests {
			runtime.Gosched()
		}
	}
	a := admit(signal(t, "a", time.Second, "f"))
	waits, beside := admit(part{period: ms}), admit(part{period: ms})
	home, other := s.executorOf(waits.slot), s.executorOf(beside.slot)
	if home == other {
		t.Fatal("both are on one executor")
	}
	until(home, true)
	c, variables := condition(t, "a.outX", map[string]Ref{"a": a})
	if err := s.AddRule(t.Context(), Rule{ID: 1, Condition: c, Variables: variables, Start: []Ref{waits}}); err != nil {
		t.Fatal(err)
	}
	until(home, false)
	until(other, true)
	s.mu.Lock()
	s.move(waits.slot, other)
	s.mu.Unlock()
	until(home, true)
	until(other, false)
	if err := s.Retire(t.Context(), waits); err != nil {
		t.Fatal(err)
	}
	until(other, true)
	if err := s.Retire(t.Context(), a); err != nil { // decides the rule
		t.Fatal(err)
	}
	if err := s.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if home.expected.Load() != 0 || other.expected.Load() != 0 {
		t.Errorf("%d and %d rules wait", home.expected.Load(), other.expected.Load())
	}
}
