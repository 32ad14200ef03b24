package sched

import (
	"errors"
	"testing"
)

// TestDrain: nothing starts any more, neither by a command nor by a rule that becomes true, and everything is cancelled but
// residents, also what waits for its first tick.
func TestDrain(t *testing.T) {
	l := newCell(t, Config{})
	a := l.admit(part{name: "a", period: ms})
	b := l.admit(part{name: "b", period: ms})
	next := l.admit(part{name: "next", period: ms})
	resident, err := l.Admit(l.program(part{name: "resident", period: ms}), Options{Period: ms, Resident: true})
	l.must(err)
	l.must(l.Start(t.Context(), a, resident))
	l.must(l.AddRule(t.Context(), Rule{ID: 1, After: a, Start: []Ref{next}}))
	l.advance(2 * ms)
	l.must(l.Start(t.Context(), b))
	l.told()
	l.must(l.Drain(t.Context()))
	wantStrings(t, "events of draining", l.told(), "a cancelling", "b cancelling")
	if err := l.Start(t.Context(), next); !errors.Is(err, ErrDrained) {
		t.Errorf("start while draining: %v", err)
	}
	l.must(l.AbortAll(t.Context()))
	wantStrings(t, "events of aborting", l.told(), "a ended aborted after 2", "b ended aborted after 0", "rule 1 inactive")
	if s, err := l.Stats(resident); err != nil || s.Cycles != 2 {
		t.Errorf("the resident: %+v, %v", s, err)
	}
	l.traced()
	l.advance(2 * ms)
	wantStrings(t, "trace afterwards", l.traced(), "resident 3 @3ms", "resident 4 @4ms")
}
