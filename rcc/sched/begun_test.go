package sched

import (
	"slices"
	"sync"
	"testing"
)

// TestBegun: that a net is through with its first cycle is told once, after that cycle and not before, and not at all of a net that ends
// with it or is stopped before. Slots are used again in between.
func TestBegun(t *testing.T) {
	var mu sync.Mutex
	var begun []Ref
	l := newCell(t, Config{Slots: 4, OnBegun: func(r Ref) {
		mu.Lock()
		defer mu.Unlock()
		begun = append(begun, r)
	}})
	expectBegun := func(when string, want ...Ref) {
		t.Helper()
		l.must(l.Settle(t.Context()))
		mu.Lock()
		defer mu.Unlock()
		if !slices.Equal(begun, want) {
			t.Errorf("%s: begun are %v, want %v", when, begun, want)
		}
		begun = nil
	}
	for range 3 {
		long := l.admit(part{name: "long", period: 10 * ms})
		short := l.admit(part{name: "short", period: ms, cycles: 1})
		quick := l.admit(part{name: "quick", period: ms})
		stopped := l.admit(part{name: "stopped", period: 10 * ms})
		l.must(l.Start(t.Context(), long, short, quick, stopped))
		expectBegun("before the first tick")
		l.must(l.Abort(t.Context(), stopped))
		for range 30 {
			l.advance(ms)
			l.must(l.Settle(t.Context()))
		}
		mu.Lock()
		slices.SortFunc(begun, func(a, b Ref) int { return int(a.slot) - int(b.slot) })
		mu.Unlock()
		both := []Ref{long, quick}
		slices.SortFunc(both, func(a, b Ref) int { return int(a.slot) - int(b.slot) })
		expectBegun("after 30 ms", both...)
		l.must(l.Abort(t.Context(), long, quick))
		l.advance(20 * ms)
		for _, r := range []Ref{long, short, quick, stopped} {
			l.must(l.Retire(t.Context(), r))
		}
		l.advance(ms)
		expectBegun("after the end")
	}
}
