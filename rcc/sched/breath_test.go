package sched

import (
	"testing"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// An executor that has not slept for long leaves ticks out, and only then.
func TestBreath(t *testing.T) {
	s := newByHand(t, Config{})
	p := int64(ms)
	x := newExecutor(s, key{period: p}, 0, 0)
	x.unbroken = 100 * p
	if next := x.breathe(5*p, 4*p); next != 5*p || x.unbroken != 0 {
		t.Errorf("after a tick that was through in time: %d, %d", next, x.unbroken)
	}
	for _, c := range []struct{ unbroken, next, now, want int64 }{
		{8 * p, 10 * p, 11*p + 1, 10 * p}, // runs at once, late
		{9 * p, 20 * p, 21*p + 1, 22 * p},
		{9 * p, 30 * p, 31*p + p/2, 33 * p}, // what is left of the period is not enough
		{1600 * p, 2000 * p, 3600 * p, 3701 * p},
	} {
		x.unbroken = c.unbroken
		if next := x.breathe(c.next, c.now); next != c.want {
			t.Errorf("%+v: %d", c, next)
		}
	}
	if next := x.breathe(2000*p, 3650*p); next != 3701*p { // an alarm does not end it
		t.Errorf("after an alarm: %d", next)
	}
}

// The decisions of an executor for all others count as if it had executed nets: it is the one that does not sleep.
func TestDecidingTakesBreathToo(t *testing.T) {
	const long = int64(ms) / 10
	clock := new(nagged)
	s, err := New(Config{Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	a := s.started(t, nil, nil)
	if err := s.AddRule(t.Context(), Rule{After: a}); err != nil { // of which something is to be told when it ends
		t.Fatal(err)
	}
	x := s.executorOf(a.slot)
	x.tick(x.period, x.period, 0)
	s.turn.Add(1)
	s.change(&command{stop: []Ref{a}}, Aborted)
	s.turn.Store(0)
	clock.nag = func() {
		for came := rt.Stopwatch(); rt.Stopwatch()-came < long; {
		}
	}
	x.unbroken = 0
	x.tick(2*x.period, 2*x.period, 0)
	if x.unbroken < long {
		t.Errorf("%d ns, the turn alone took %d", x.unbroken, long)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Nets with more to do than there is time for do not keep those of longer periods from the CPU that they share.
func TestOverloadLeavesTimeToOthers(t *testing.T) {
	cpus, err := rt.Affinity(0)
	if err != nil {
		t.Skip("skip:", err)
	}
	ended := make(chan Ref, 10)
	s := newReal(t, Config{
		CPUs: cpus[:1], Threads: &Threads{Priority: 50},
		OnEvent: func(e Event) {
			if e.Kind == NetEnded {
				ended <- e.Net
			}
		},
	})
	busy := net.NewProgram(ms, nil, func(*spec.Cycle) {
		for end := rt.Stopwatch() + int64(2*ms); rt.Stopwatch() < end; {
		}
	}, nil, nil)
	hog, err := s.Admit(busy, Options{Realtime: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context(), hog); err != nil {
		t.Fatal(err)
	}
	below, err := s.Admit(ending(20*ms, 5), Options{Realtime: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context(), below); err != nil {
		t.Fatal(err)
	}
	if r := <-ended; r != below {
		t.Errorf("%v has ended instead of %v", r, below)
	}
	for _, x := range s.Executors() {
		if x.Ordinary != nil {
			t.Skip("skip: the threads were ordinary goroutines:", x.Ordinary)
		}
	}
}
