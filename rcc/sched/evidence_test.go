package sched

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/rcc/rule"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// observed adds a rule whose evidence can be read.
func (l *cell) observed(text string, stop, cancel, start []Ref) *Evidence {
	l.t.Helper()
	nets := map[string]Ref{}
	for r, name := range l.names {
		nets[name] = r
	}
	p, variables := condition(l.t, text, nets)
	r := Rule{Condition: p, Variables: variables, Stop: stop, Cancel: cancel, Start: start}
	e := r.Observe()
	l.must(l.AddRule(l.t.Context(), r))
	return e
}

func wantFindings(t *testing.T, what string, e *Evidence, want Findings) {
	t.Helper()
	got := e.Read()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// The evidence of a rule follows the nets of its condition, and stays as it was when the rule is decided.
func TestEvidence(t *testing.T) {
	l := newCell(t, Config{})
	pa := signal(t, "a", ms, "f-t")
	pa.resources = joint(1)
	a, b := l.admit(pa), l.admit(part{name: "b", period: ms, resources: joint(1)})
	over := l.admit(part{name: "over", period: ms, cycles: 1})
	l.must(l.Start(t.Context(), over))
	l.advance(2 * ms)
	at := func(tick int64) int64 { return l.clock.Unix(tick * int64(ms)) }

	e := l.observed("a.outX", []Ref{a, over}, nil, []Ref{b})
	wantFindings(t, "before the start", e, Findings{
		Tick: at(2), Value: rule.Indeterminate, Looks: []Look{{Value: rule.Indeterminate, Lack: NotStarted}},
	})
	l.must(l.Start(t.Context(), a))
	wantFindings(t, "when started", e, Findings{
		Tick: at(2), Value: rule.Indeterminate, Looks: []Look{{Value: rule.Indeterminate, Lack: NotStarted, State: Running}},
	})
	l.advance(ms)
	wantFindings(t, "after the first cycle", e, Findings{
		Tick: at(3), Value: rule.False, Looks: []Look{{Value: rule.False, Lack: Present, State: Running, Cycle: 1}},
	})
	l.advance(ms)
	wantFindings(t, "after a cycle without a value", e, Findings{
		Tick: at(4), Value: rule.Indeterminate, Looks: []Look{{Value: rule.Indeterminate, Lack: NotWritten, State: Running, Cycle: 2}},
	})
	l.advance(5 * ms)
	wantFindings(t, "when it has fired", e, Findings{
		Tick: at(5), Value: rule.True, Looks: []Look{{Value: rule.True, Lack: Present, State: Running, Cycle: 3}},
		Parts: []Part{{State: Running, Affected: true}, {State: Ended}, {State: Ready, Affected: true}},
	})
}

// A net that has ended has values until it loses a resource, which rules notice although nothing ticks for them (§6.2).
func TestEvidenceOfNetsThatHaveEnded(t *testing.T) {
	l := newCell(t, Config{})
	pa := signal(t, "a", ms, "f.")
	pa.resources = joint(1)
	a, waiting := l.admit(pa), l.admit(signal(t, "waiting", ms, "f"))
	l.must(l.Start(t.Context(), a))
	l.advance(ms)
	e := l.observed("a.outX | waiting.outX", nil, nil, nil)
	look := func() Look { return e.Read().Looks[0] }
	if diff := cmp.Diff(Look{Value: rule.False, Lack: Present, State: Ended, Cycle: 1}, look()); diff != "" {
		t.Errorf("after the end: %s", diff)
	}
	l.must(l.Start(t.Context(), l.admit(part{name: "thief", period: ms, cycles: 1, resources: joint(1)})))
	if diff := cmp.Diff(Look{Value: rule.Indeterminate, Lack: Lost, State: Ended, Cycle: 1}, look()); diff != "" {
		t.Errorf("without its resource: %s", diff)
	}
	l.must(l.Retire(t.Context(), a))
	l.must(l.Retire(t.Context(), waiting))
	if diff := cmp.Diff(Look{Value: rule.Indeterminate, Lack: Unloaded, State: Retiring}, look()); diff != "" {
		t.Errorf("unloaded: %s", diff)
	}
}

// Of a net that is followed its end is told.
func TestEvidenceOfFollowing(t *testing.T) {
	l := newCell(t, Config{})
	a, b := l.admit(part{name: "a", period: ms, cycles: 2}), l.admit(part{name: "b", period: ms, cycles: 1})
	r := Rule{After: a, Start: []Ref{b}}
	e := r.Observe()
	l.must(l.AddRule(t.Context(), r))
	l.must(l.Start(t.Context(), a))
	l.advance(ms)
	if diff := cmp.Diff([]Look{{Value: rule.Indeterminate, Lack: NotFollowed, State: Running, Cycle: 1}}, e.Read().Looks); diff != "" {
		t.Errorf("before the end: %s", diff)
	}
	l.advance(2 * ms)
	if diff := cmp.Diff([]Look{{Value: rule.True, Lack: Present, State: Ended, Cycle: 2}}, e.Read().Looks); diff != "" {
		t.Errorf("after the end: %s", diff)
	}
}

// Values that are read while the turn writes belong together: two variables of one net are of the same cycle.
func TestEvidenceBelongsTogether(t *testing.T) {
	s := newByHand(t, Config{})
	part := signal(t, "a", ms, "tf")
	a := s.started(t, part.act, part.board)
	p, _ := condition(t, "a.outX & !a.outX", map[string]Ref{"a": a})
	r := Rule{Condition: p, Variables: []Variable{{Net: a}}}
	e := r.Observe()
	if err := s.AddRule(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	ctx, done := context.WithCancel(t.Context())
	go func() {
		defer done()
		x := s.executorOf(a.slot)
		for due := x.period; due <= 20_000*x.period; due += x.period {
			x.tick(due, due, 0)
		}
	}()
	reads := 0
	for ctx.Err() == nil {
		f := e.Read()
		if cycle := f.Looks[0].Cycle; f.Looks[0].Lack == Present && int64(cycle)*int64(ms) != f.Tick {
			t.Fatalf("cycle %d at tick %d", cycle, f.Tick)
		}
		reads++
	}
	if reads == 0 {
		t.Error("nothing was read")
	}
}

// A net that is to be stopped at a tick ahead runs until then: it can be cancelled, and it is stopped already.
func TestEvidenceOfNetsThatAreAboutToBeStopped(t *testing.T) {
	l := newCell(t, Config{})
	a := l.admit(part{name: "a", period: 2 * ms})
	b := l.admit(part{name: "b", period: 7 * ms})
	c := l.admit(part{name: "c", period: 7 * ms})
	l.must(l.Start(t.Context(), a))
	l.advance(2 * ms)
	l.must(l.Switch(t.Context(), Switch{Stop: []Ref{a}, Start: []Ref{b}})) // at 14 ms
	e := l.observed("t", []Ref{a}, nil, []Ref{c})
	if diff := cmp.Diff([]Part{{State: Running}, {State: Ready, Affected: true}}, e.Read().Parts); diff != "" {
		t.Errorf("stopped once more: %s", diff)
	}
	e = l.observed("t", nil, []Ref{a}, nil)
	if diff := cmp.Diff([]Part{{State: Running, Affected: true}}, e.Read().Parts); diff != "" {
		t.Errorf("cancelled: %s", diff)
	}
	e = l.observed("t", []Ref{a}, nil, nil)
	if diff := cmp.Diff([]Part{{State: Cancelling, Affected: true}}, e.Read().Parts); diff != "" {
		t.Errorf("stopped sooner: %s", diff)
	}
}

// While a net writes nothing is looked at: a rule that is added then waits for the end of the tick.
func TestRulesWaitForANetThatWrites(t *testing.T) {
	s := newByHand(t, Config{})
	part := signal(t, "a", ms, "ft")
	var e *Evidence
	var during Findings
	var a Ref
	a = s.started(t, func(cy *spec.Cycle) {
		part.act(cy)
		if cy.N == 2 {
			p, variables := condition(t, "!a.outX", map[string]Ref{"a": a})
			r := Rule{Condition: p, Variables: variables}
			e = r.Observe()
			if err := s.AddRule(t.Context(), r); err != nil {
				t.Error(err)
			}
			during = e.Read()
		}
	}, part.board)
	x := s.executorOf(a.slot)
	x.tick(int64(ms), int64(ms), 0)
	x.tick(2*int64(ms), 2*int64(ms), 0)
	if diff := cmp.Diff(Findings{Value: rule.Indeterminate, Looks: []Look{{Value: rule.Indeterminate}}}, during); diff != "" {
		t.Errorf("while it writes: %s", diff)
	}
	wantFindings(t, "after the tick", e, Findings{
		Tick: 2 * int64(ms), Value: rule.False, Looks: []Look{{Value: rule.True, Lack: Present, State: Running, Cycle: 2}},
	})
}

// Rules may have more variables than a word has bits, of nets that run, that have not been started and that are unloaded.
func TestEvidenceOfManyVariables(t *testing.T) {
	l := newCell(t, Config{})
	a, b := l.admit(signal(t, "a", ms, "f-t")), l.admit(signal(t, "b", ms, "t"))
	gone := l.admit(signal(t, "gone", ms, "t"))
	l.must(l.Start(t.Context(), a))
	nets := []Ref{a, b, gone, a, a, b}
	var text []string
	var want []Look
	for i := range 200 {
		text = append(text, fmt.Sprintf("n.v%d", i))
		want = append(want, map[Ref]Look{
			a:    {Value: rule.True, Lack: Present, State: Running, Cycle: 3},
			b:    {Value: rule.Indeterminate, Lack: NotStarted},
			gone: {Value: rule.Indeterminate, Lack: Unloaded, State: Retiring},
		}[nets[i%len(nets)]])
	}
	p, variables := condition(t, strings.Join(text, "&")+"|n.last", map[string]Ref{"n": a}) // or it could never become true
	for i := range variables {
		variables[i].Net = nets[i%len(nets)]
	}
	variables[200].Net = b
	want = append(want, Look{Value: rule.Indeterminate, Lack: NotStarted})
	r := Rule{Condition: p, Variables: variables}
	e := r.Observe()
	l.must(l.AddRule(t.Context(), r))
	l.must(l.Retire(t.Context(), gone))
	l.advance(3 * ms)
	wantFindings(t, "in the third cycle", e, Findings{Tick: l.clock.Unix(3 * int64(ms)), Value: rule.Indeterminate, Looks: want})
}
