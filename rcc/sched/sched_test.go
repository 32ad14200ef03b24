package sched

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/internal/testkit/leak"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

func TestMain(m *testing.M) { leak.Main(m) }

const ms = time.Millisecond

func wantStrings(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestRunAndTerminate(t *testing.T) {
	l := newCell(t, Config{})
	a := l.admit(part{name: "a", period: ms, cycles: 3})
	l.must(l.Start(t.Context(), a))
	wantStrings(t, "events of the start", l.told(), "a started at 1ms")
	wantStrings(t, "trace before time goes on", l.traced())
	l.advance(10 * ms)
	wantStrings(t, "trace", l.traced(), "a 1 @1ms", "a 2 @2ms", "a 3 @3ms")
	wantStrings(t, "events", l.told(), "a ended terminated after 3")
	var again *NotStartableError
	if err := l.Start(t.Context(), a); !errors.As(err, &again) || again.State != Ended {
		t.Errorf("start of a net that has ended: %v", err)
	}
	l.must(l.Retire(t.Context(), a))
	wantStrings(t, "events of retiring", l.told(), "a gone")
	if err := l.Start(t.Context(), a); !errors.Is(err, ErrUnknown) {
		t.Errorf("start of a net that is gone: %v", err)
	}
}

func TestCancelAndAbort(t *testing.T) {
	l := newCell(t, Config{})
	a := l.admit(part{name: "a", period: ms})
	b := l.admit(part{name: "b", period: ms})
	l.must(l.Start(t.Context(), a, b))
	l.advance(2 * ms)
	l.must(l.Switch(t.Context(), Switch{Cancel: []Ref{a}, Stop: []Ref{b}}))
	wantStrings(t, "events", l.told(), "a started at 1ms", "b started at 1ms", "a cancelling", "b ended aborted after 2")
	l.must(l.Retire(t.Context(), a))
	wantStrings(t, "events of retiring a net that runs", l.told())
	if err := l.Retire(t.Context(), a); !errors.Is(err, ErrUnknown) {
		t.Errorf("retiring a net once more: %v", err)
	}
	l.advance(ms)
	wantStrings(t, "trace", l.traced(), "a 1 @1ms", "b 1 @1ms", "a 2 @2ms", "b 2 @2ms", "a 3 @3ms cancelled")
	l.must(l.Cancel(t.Context(), a, b))
	wantStrings(t, "events of a second cancellation", l.told())
	l.must(l.Abort(t.Context(), a))
	wantStrings(t, "events of the end", l.told(), "a ended aborted after 3", "a gone")
}

func TestStartIsRefused(t *testing.T) {
	l := newCell(t, Config{})
	a := l.admit(part{name: "a", period: ms, resources: joint(1)})
	b := l.admit(part{name: "b", period: ms, resources: append(joint(2), joint(1)...)})
	c := l.admit(part{name: "c", period: ms, resources: joint(2)})
	var shared *SharedError
	if err := l.Start(t.Context(), b, c); !errors.As(err, &shared) || shared.Nets != [2]Ref{b, c} {
		t.Errorf("start of two nets with one resource: %v", err)
	}
	l.must(l.Start(t.Context(), a))
	var held *TakenError
	err := l.Switch(t.Context(), Switch{Stop: []Ref{c}, Start: []Ref{b}})
	if !errors.As(err, &held) || held.Holder != a || held.Resource != joint(1)[0] || held.Net != b {
		t.Errorf("start without its resource: %v", err)
	}
	var overlap *OverlapError
	if err := l.Switch(t.Context(), Switch{Stop: []Ref{a}, Start: []Ref{a}}); !errors.As(err, &overlap) {
		t.Errorf("a net in two sets: %v", err)
	}
	odd := l.admit(part{name: "odd", period: 1*time.Hour - 1})
	var never NoCommonTickError
	if err := l.Start(t.Context(), odd, c); !errors.As(err, &never) {
		t.Errorf("periods that never meet: %v", err)
	}
	wantStrings(t, "events", l.told(), "a started at 1ms")
	l.must(l.Switch(t.Context(), Switch{Stop: []Ref{a}, Start: []Ref{b}}))
	wantStrings(t, "events", l.told(), "a ended aborted after 0", "b started at 1ms")
	if _, err := l.Admit(l.program(part{period: time.Microsecond}), Options{}); err == nil {
		t.Error("a period that no executor can have was admitted")
	}
}

// Nets of different periods start, and are exchanged, at common ticks; in between each keeps its own.
func TestCommonTicks(t *testing.T) {
	l := newCell(t, Config{})
	five := l.admit(part{name: "five", period: 5 * ms, cycles: 2})
	one := l.admit(part{name: "one", period: ms, cycles: 3})
	two := l.admit(part{name: "two", period: 2 * ms, cycles: 2})
	l.advance(3 * ms)
	l.must(l.Start(t.Context(), five, one, two))
	l.advance(20 * ms)
	wantStrings(t, "trace", l.traced(),
		"one 1 @10ms", "two 1 @10ms", "five 1 @10ms", "one 2 @11ms", "one 3 @12ms", "two 2 @12ms", "five 2 @15ms")
	wantStrings(t, "events", l.told(), "five started at 10ms", "one started at 10ms", "two started at 10ms",
		"one ended terminated after 3", "two ended terminated after 2", "five ended terminated after 2")
}

// A change from a net of one period to one of another leaves no tick without a set-point and none with two.
func TestSwitchBetweenPeriods(t *testing.T) {
	l := newCell(t, Config{})
	a := l.admit(part{name: "a", period: 2 * ms, resources: joint(1)})
	b := l.admit(part{name: "b", period: 3 * ms, resources: joint(1)})
	l.must(l.Start(t.Context(), a))
	l.advance(2 * ms)
	l.must(l.Switch(t.Context(), Switch{Stop: []Ref{a}, Start: []Ref{b}}))
	wantStrings(t, "events of the switch", l.told(), "a started at 2ms")
	l.advance(8 * ms)
	wantStrings(t, "trace", l.traced(), "a 1 @2ms", "a 2 @4ms", "b 1 @6ms", "b 2 @9ms")
	wantStrings(t, "events", l.told(), "a ended aborted after 2", "b started at 6ms")
}

// On one executor every tick has exactly one set-point across a switch.
func TestOneSetPointPerTick(t *testing.T) {
	l := newCell(t, Config{})
	points := map[int64]int{}
	act := func(cy *spec.Cycle) { points[cy.Time]++ }
	last := l.admit(part{name: "n", period: ms, resources: joint(1), act: act})
	l.must(l.Start(t.Context(), last))
	for i := range 20 {
		l.advance(time.Duration(i%3) * ms)
		next := l.admit(part{name: "n", period: ms, resources: joint(1), act: act})
		l.must(l.Switch(t.Context(), Switch{Stop: []Ref{last}, Start: []Ref{next}}))
		last = next
	}
	l.must(l.Settle(t.Context()))
	for at := ms; at <= time.Duration(l.clock.Now()); at += ms {
		if n := points[zero.Add(at).UnixNano()]; n != 1 {
			t.Errorf("%d set-points at %v", n, at)
		}
	}
	if len(points) == 0 {
		t.Error("no set-points")
	}
}

// A started net can be stopped before time has gone on, also on an executor that had nothing to do for long.
func TestPausedClockBlocksNothing(t *testing.T) {
	l := newCell(t, Config{Slots: 4})
	l.advance(time.Second + 300*time.Microsecond)
	for range 100 {
		a := l.admit(part{name: "a", period: 2 * ms, resources: joint(1)})
		b := l.admit(part{name: "b", period: ms, resources: joint(2)})
		l.must(l.Start(t.Context(), a, b))
		l.must(l.Cancel(t.Context(), a))
		l.must(l.Abort(t.Context(), a, b))
		l.must(l.Retire(t.Context(), a))
		l.must(l.Retire(t.Context(), b))
		wantStrings(t, "events", l.told(), "a started at 1.002s", "b started at 1.002s", "a cancelling",
			"a ended aborted after 0", "b ended aborted after 0", "a gone", "b gone")
	}
	l.advance(10 * ms)
	wantStrings(t, "trace", l.traced())
}

// Close ends what runs and says so.
func TestClose(t *testing.T) {
	l := newCell(t, Config{})
	a := l.admit(part{name: "a", period: ms})
	b := l.admit(part{name: "b", period: 2 * ms})
	l.must(l.Start(t.Context(), a, b))
	l.advance(4 * ms)
	l.must(l.Close(t.Context()))
	if err := l.Start(t.Context(), a); !errors.Is(err, ErrClosed) {
		t.Errorf("start after closing: %v", err)
	}
	if _, err := l.Admit(l.program(part{period: ms}), Options{}); !errors.Is(err, ErrClosed) {
		t.Errorf("admission after closing: %v", err)
	}
	if got := len(l.events); got != 4 || l.events[2].Kind != NetEnded || l.events[3].Kind != NetEnded {
		t.Errorf("events: %v", l.events)
	}
}

// A context that ends frees the caller, not the command.
func TestContextEnds(t *testing.T) {
	l := newCell(t, Config{})
	a := l.admit(part{name: "a", period: ms})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 3 * maxCommands {
		if err := l.Abort(ctx, a); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	l.must(l.Start(t.Context(), a))
}

func TestResourceNumbersAreReused(t *testing.T) {
	l := newCell(t, Config{Resources: 3})
	for i := range 10 {
		a := l.admit(part{name: "a", period: ms, resources: append(joint(i), joint(i+1)...)})
		over := l.program(part{period: ms, resources: []device.Resource{{Device: "x"}, {Device: "y"}}})
		if _, err := l.Admit(over, Options{}); !errors.Is(err, ErrTooMany) {
			t.Fatalf("too many resources: %v", err)
		}
		l.must(l.Start(t.Context(), a))
		l.must(l.Abort(t.Context(), a))
		l.must(l.Retire(t.Context(), a))
		l.told()
	}
}

// Two runs of the same nets leave the same trace, whatever else the machine does.
func TestReproducible(t *testing.T) {
	run := func() (trace, events []string) {
		l := newCell(t, Config{})
		defer l.close()
		pa := signal(t, "a", ms, "ffft")
		pa.resources = joint(1)
		a := l.admit(pa)
		b := l.admit(part{name: "b", period: 2 * ms, cycles: 7, resources: joint(1)})
		c := l.admit(part{name: "c", period: 5 * ms, realtime: true})
		d := l.admit(part{name: "d", period: 5 * ms})
		l.must(l.Start(t.Context(), a, c))
		l.rule(1, "a.outX", []Ref{a}, []Ref{c}, []Ref{b})
		l.advance(7 * ms)
		l.must(l.Start(t.Context(), d))
		l.advance(33 * ms)
		return l.traced(), l.told()
	}
	trace, events := run()
	if len(trace) < 20 || len(events) < 6 {
		t.Fatalf("too little to compare: %q, %q", trace, events)
	}
	for range 5 {
		again, eventsAgain := run()
		if diff := cmp.Diff(trace, again); diff != "" {
			t.Fatal(diff)
		}
		if diff := cmp.Diff(events, eventsAgain); diff != "" {
			t.Fatal(diff)
		}
	}
}

// Nets that come and go leave nothing behind.
func TestNothingIsLeftBehind(t *testing.T) {
	l := newCell(t, Config{Slots: 16})
	round := func(i int) {
		l.names = map[Ref]string{}
		a := l.admit(part{name: "a", period: ms, cycles: 1, resources: joint(i)})
		b := l.admit(part{name: "b", period: ms, resources: joint(i + 1)})
		l.must(l.Start(t.Context(), a, b))
		l.advance(2 * ms)
		l.must(l.Abort(t.Context(), b))
		l.must(l.Retire(t.Context(), a))
		l.must(l.Retire(t.Context(), b))
		l.must(l.Settle(t.Context()))
		l.traced()
		l.events = nil
	}
	for i := range 100 {
		round(i)
	}
	goroutines, heap := runtime.NumGoroutine(), heapInUse()
	for i := range 5000 {
		round(i)
	}
	var moreGoroutines int
	var moreHeap int64
	for range 1000 { // what is about to go may take its time
		moreGoroutines, moreHeap = runtime.NumGoroutine()-goroutines, heapInUse()-heap
		if moreGoroutines <= 0 && moreHeap <= 1<<20 {
			break
		}
	}
	if moreGoroutines > 0 || moreHeap > 1<<20 {
		t.Errorf("%d goroutines and %d bytes more than before", moreGoroutines, moreHeap)
	}
	if len(l.freeSlots) != 16 || len(l.resources) != 0 {
		t.Errorf("%d slots are free, %d resources known", len(l.freeSlots), len(l.resources))
	}
}

func heapInUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
