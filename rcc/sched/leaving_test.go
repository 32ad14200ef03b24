package sched

import (
	"slices"
	"testing"
)

// leaving is a net of 2 ms that goes on until one of 3 ms replaces it, at their common tick, 6 ms. It is 2 ms.
func leaving(t *testing.T, series string) (l *cell, old Ref) {
	t.Helper()
	l = newCell(t, Config{})
	p := signal(t, "old", 2*ms, series)
	p.resources = joint(1)
	old = l.admit(p)
	successor := l.admit(part{name: "successor", period: 3 * ms, resources: joint(1)})
	l.must(l.Start(t.Context(), old))
	l.advance(2 * ms)
	l.must(l.Switch(t.Context(), Switch{Stop: []Ref{old}, Start: []Ref{successor}}))
	l.told()
	l.traced()
	return l, old
}

// A net that waits for its successor runs, and can be cancelled like any other.
func TestLeavingNetIsCancelled(t *testing.T) {
	l, old := leaving(t, "f")
	l.must(l.Cancel(t.Context(), old))
	l.advance(4 * ms)
	wantStrings(t, "trace", l.traced(), "old 2 @4ms cancelled", "successor 1 @6ms")
}

// Abort ends a net at the next tick, whoever is to replace it later.
func TestLeavingNetIsAborted(t *testing.T) {
	l, old := leaving(t, "f")
	l.must(l.Abort(t.Context(), old))
	wantStrings(t, "events", l.told(), "old ended aborted after 1", "successor started at 6ms")
	l.advance(4 * ms)
	wantStrings(t, "trace", l.traced(), "successor 1 @6ms")
}

// As long as a net runs its variables count, although its resources have been promised to another one (§6.1).
func TestVariablesOfALeavingNetCount(t *testing.T) {
	l, _ := leaving(t, "ft")
	other := l.admit(part{name: "other", period: 2 * ms})
	l.must(l.Start(t.Context(), other))
	l.told()
	l.rule(1, "old.outX", []Ref{other}, nil, nil)
	l.advance(2 * ms)
	if told := l.told(); !slices.Contains(told, "rule 1 fired") {
		t.Errorf("when the variable became true: %q", told)
	}
}

// A net that ends in a tick does not make rules look at it beside what the others did a tick before.
func TestEndOfATickComesAfterAllOfIt(t *testing.T) {
	l := newCell(t, Config{})
	a, b := l.admit(signal(t, "a", ms, "ffft.")), l.admit(signal(t, "b", 2*ms, "tf"))
	l.must(l.Start(t.Context(), a))
	l.must(l.Start(t.Context(), b))
	l.rule(1, "a.outX & b.outX", nil, nil, nil)
	l.advance(6 * ms)
	if told := l.told(); slices.Contains(told, "rule 1 fired") {
		t.Errorf("the variables were never true in the same tick: %q", told)
	}
}

// A net whose predecessor did not come to its own end is started by no other rule either, and those that were to follow it
// have nothing to wait for.
func TestBarredNetsAreNeverStarted(t *testing.T) {
	l := newCell(t, Config{})
	before, next := l.admit(part{name: "before", period: ms}), l.admit(part{name: "next", period: ms})
	last, other := l.admit(part{name: "last", period: ms}), l.admit(signal(t, "other", ms, "fft"))
	l.must(l.Start(t.Context(), before, other))
	l.must(l.AddRule(t.Context(), Rule{ID: 1, After: before, Start: []Ref{next}}))
	l.must(l.AddRule(t.Context(), Rule{ID: 2, After: next, Start: []Ref{last}}))
	l.rule(3, "other.outX", nil, nil, []Ref{next})
	l.told()
	l.must(l.Abort(t.Context(), before))
	l.advance(5 * ms)
	wantStrings(t, "events", l.told(), "before ended aborted after 0", "rule 1 inactive", "rule 2 inactive",
		"rule 3 failed: *sched.NotStartableError")
	for _, r := range []Ref{next, last} {
		l.must(l.Retire(t.Context(), r))
	}
}

// Whoever adds a rule is answered when all that follows from it has been told, also what other rules make of the nets that
// it ends.
func TestAnswersComeLast(t *testing.T) {
	l := newCell(t, Config{})
	n := l.admit(signal(t, "n", ms, "f"))
	l.must(l.Start(t.Context(), n))
	l.rule(1, "n.outX", nil, nil, nil)
	l.told()
	answered := make(chan bool, 1)
	l.config.OnEvent = func(e Event) {
		if e.Kind == RuleInactive {
			answered <- len(l.freeCommands) == maxCommands
		}
	}
	l.rule(2, "t", []Ref{n}, nil, nil)
	if <-answered {
		t.Error("the answer was before the event")
	}
}
