package sched

import (
	"errors"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// The phases of a cycle are all that counts as its execution, and those of the newest cycles are kept, in their order.
func TestPhases(t *testing.T) {
	s := newByHand(t, Config{})
	a, b := s.started(t, nil, nil), s.started(t, nil, nil)
	if err := s.KeepPhases(a); err != nil {
		t.Fatal(err)
	}
	x, ticks := s.executorOf(a.slot), int64(0)
	tick := func() {
		ticks++
		x.tick(ticks*x.period, ticks*x.period, 0)
	}
	for range phasesKept {
		tick()
	}
	list, err := s.Phases(a)
	if err != nil || len(list) != phasesKept {
		t.Fatal(len(list), err)
	}
	least, most := time.Hour, time.Duration(0)
	for i, p := range list {
		if p.Cycle != uint64(1+i) {
			t.Fatalf("cycle %d comes after %d others", p.Cycle, i)
		}
		sum := p.Sense + p.Run + p.Act
		least, most = min(least, sum), max(most, sum)
	}
	if stats, err := s.Stats(a); err != nil || stats.Execution.Min != least || stats.Execution.Max != most {
		t.Errorf("%v to %v is not %v to %v, %v", least, most, stats.Execution.Min, stats.Execution.Max, err)
	}
	if list, err := s.Phases(b); err != nil || list != nil {
		t.Errorf("nobody has asked for %v, %v", list, err)
	}

	if err := s.KeepPhases(b); err != nil {
		t.Fatal(err)
	}
	if n := alloc.Least(tick); n != 0 {
		t.Errorf("%d allocations in a tick", n)
	}
	for net, first := range map[Ref]uint64{a: uint64(ticks) - phasesKept + 1, b: phasesKept + 1} {
		list, err := s.Phases(net)
		if err != nil || len(list) == 0 || list[0].Cycle != first || list[len(list)-1].Cycle != uint64(ticks) {
			t.Errorf("the cycles of net %v are not %d to %d: %v, %v", net, first, ticks, list, err)
		}
	}
	if err := s.KeepPhases(Ref{}); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
}

// Each phase is measured by itself.
func TestPhasesAreToldApart(t *testing.T) {
	s := newByHand(t, Config{})
	const long = 2 * time.Millisecond
	a := s.started(t, func(*spec.Cycle) {
		for begin := rt.Stopwatch(); rt.Stopwatch()-begin < int64(long); {
		}
	}, nil)
	if err := s.KeepPhases(a); err != nil {
		t.Fatal(err)
	}
	x := s.executorOf(a.slot)
	x.tick(x.period, x.period, 0)
	if list, err := s.Phases(a); err != nil || len(list) != 1 || list[0].Act < long {
		t.Error(list, err)
	}
}
