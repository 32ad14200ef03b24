package sched

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc/rule"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// signal is a part that publishes one Boolean variable: per cycle t, f, or - for a cycle that does not write it. The
// last letter holds on; the net ends with the series when that ends with a full stop.
func signal(t *testing.T, name string, period time.Duration, series string) part {
	t.Helper()
	board := new(spec.Board)
	offset, err := board.Add(spec.NewVar("outX", false))
	if err != nil || offset != 0 {
		t.Fatal(offset, err)
	}
	board.Seal()
	p := part{name: name, period: period, board: board}
	if last := len(series) - 1; series[last] == '.' {
		series = series[:last]
		p.cycles = uint64(last)
	}
	p.act = func(cy *spec.Cycle) {
		switch series[min(int(cy.N), len(series))-1] {
		case 't':
			board.Write(0, []uint64{1})
		case 'f':
			board.Write(0, []uint64{0})
		}
	}
	return p
}

func condition(t *testing.T, text string, nets map[string]Ref) (*rule.Program, []Variable) {
	t.Helper()
	c, err := grammar.ParseCond(text, grammar.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	p, err := rule.Compile(c)
	if err != nil {
		t.Fatal(err)
	}
	var variables []Variable
	for _, v := range p.Variables() {
		r, ok := nets[v.Net]
		if !ok {
			t.Fatalf("no net %s", v.Net)
		}
		variables = append(variables, Variable{Net: r})
	}
	return p, variables
}

func (l *cell) rule(id RuleID, text string, stop, cancel, start []Ref) {
	l.t.Helper()
	nets := map[string]Ref{}
	for r, name := range l.names {
		nets[name] = r
	}
	p, variables := condition(l.t, text, nets)
	l.must(l.AddRule(l.t.Context(), Rule{
		ID: id, Condition: p, Variables: variables, Stop: stop, Cancel: cancel, Start: start,
	}))
}

func TestRuleAtOnce(t *testing.T) {
	l := newCell(t, Config{})
	a := l.admit(part{name: "a", period: ms, cycles: 1})
	l.rule(7, "t", nil, nil, []Ref{a})
	l.advance(2 * ms)
	wantStrings(t, "events", l.told(), "a started at 1ms", "rule 7 fired", "a ended terminated after 1")
	l.rule(8, "!t", nil, nil, nil)
	wantStrings(t, "events of a rule that is never true", l.told(), "rule 8 inactive")
}

// The stopped net acts in the tick in which the condition has become true, the started one in the next (architecture).
func TestRuleSwitchesWithoutGap(t *testing.T) {
	l := newCell(t, Config{})
	pa := signal(t, "a", ms, "fft")
	pa.resources = joint(1)
	a, b := l.admit(pa), l.admit(part{name: "b", period: ms, cycles: 2, resources: joint(1)})
	c := l.admit(part{name: "c", period: ms, cycles: 5})
	l.must(l.Start(t.Context(), a, c))
	l.rule(1, "a.outX", []Ref{a}, []Ref{c}, []Ref{b})
	wantStrings(t, "events before", l.told(), "a started at 1ms", "c started at 1ms")
	l.advance(6 * ms)
	wantStrings(t, "trace", l.traced(), "a 1 @1ms", "c 1 @1ms", "a 2 @2ms", "c 2 @2ms", "a 3 @3ms", "c 3 @3ms",
		"b 1 @4ms", "c 4 @4ms cancelled", "b 2 @5ms", "c 5 @5ms cancelled")
	wantStrings(t, "events", l.told(), "c cancelling", "a ended replaced after 3", "b started at 4ms", "rule 1 fired",
		"b ended terminated after 2", "c ended terminated after 5")
}

// A rule over nets of two periods sees both as they are after the same tick, and acts on both from one tick on.
func TestRuleAcrossExecutors(t *testing.T) {
	l := newCell(t, Config{})
	a := l.admit(signal(t, "a", 2*ms, "fft"))
	b := l.admit(signal(t, "b", 3*ms, "ft"))
	c := l.admit(part{name: "c", period: 4 * ms, cycles: 1})
	l.must(l.Start(t.Context(), a, b)) // at 6 ms; a is true from 10 ms, b from 9 ms
	l.rule(1, "a.outX & b.outX", []Ref{a, b}, nil, []Ref{c})
	l.advance(40 * ms)
	wantStrings(t, "events", l.told(), "a started at 6ms", "b started at 6ms", "a ended replaced after 3",
		"b ended replaced after 2", "c started at 12ms", "rule 1 fired", "c ended terminated after 1")
	wantStrings(t, "trace", l.traced(), "a 1 @6ms", "b 1 @6ms", "a 2 @8ms", "b 2 @9ms", "a 3 @10ms", "c 1 @12ms")
}

func TestRuleOverValues(t *testing.T) {
	tests := []struct {
		name, series, condition string
		after                   uint64 // cycles of a when the rule fires, 0 = it gets inactive
	}{
		{"never written", "-----.", "a.outX", 0},
		{"not written is not false", "-----.", "!a.outX", 0},
		{"false", "ff--f.", "a.outX", 0},
		{"not false", "-f---.", "!a.outX", 2},
		{"in the last cycle", "fffft.", "a.outX", 5},
		{"written once and not any more", "t----.", "a.outX & t", 1},
		{"indeterminate or true", "--t--.", "!a.outX | a.outX", 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newCell(t, Config{})
			a := l.admit(signal(t, "a", ms, tt.series))
			l.rule(1, tt.condition, []Ref{a}, nil, nil)
			l.must(l.Start(t.Context(), a))
			l.advance(10 * ms)
			last := "rule 1 inactive"
			if tt.after > 0 {
				last = "rule 1 fired"
			}
			n, err := l.Stats(a)
			l.must(err)
			if want := map[bool]uint64{true: tt.after, false: 5}[tt.after > 0]; n.Cycles != want {
				t.Errorf("%d cycles, want %d", n.Cycles, want)
			}
			told := l.told()
			found := false
			for _, text := range told {
				found = found || text == last
			}
			if !found {
				t.Errorf("%q is not among %q", last, told)
			}
		})
	}
}

// A net that has ended keeps its last values until another net gets one of its resources (§6.2).
func TestRuleAfterTheEnd(t *testing.T) {
	l := newCell(t, Config{})
	pa := signal(t, "a", ms, "ft.")
	pa.resources = append(joint(1), joint(2)...)
	a := l.admit(pa)
	l.must(l.Start(t.Context(), a))
	l.advance(5 * ms)
	l.rule(1, "a.outX", nil, nil, nil)
	l.rule(2, "!a.outX", nil, nil, nil)
	other := l.admit(part{name: "other", period: ms, cycles: 1, resources: joint(3)})
	l.must(l.Start(t.Context(), other))
	l.rule(3, "a.outX", nil, nil, nil)
	thief := l.admit(part{name: "thief", period: ms, cycles: 1, resources: joint(2)})
	l.must(l.Start(t.Context(), thief))
	l.rule(4, "a.outX", nil, nil, nil)
	wantStrings(t, "events", l.told(), "a started at 1ms", "a ended terminated after 2", "rule 1 fired",
		"rule 2 inactive", "other started at 6ms", "rule 3 fired", "thief started at 6ms", "rule 4 inactive")
}

// A rule whose preconditions are not met changes nothing and is discarded (§6.1).
func TestRuleFails(t *testing.T) {
	l := newCell(t, Config{})
	a := l.admit(signal(t, "a", ms, "ft"))
	holder := l.admit(part{name: "holder", period: ms, resources: joint(1)})
	b := l.admit(part{name: "b", period: ms, resources: joint(1)})
	l.must(l.Start(t.Context(), a, holder))
	l.rule(1, "a.outX", []Ref{a}, nil, []Ref{b})
	l.advance(4 * ms)
	wantStrings(t, "events", l.told(), "a started at 1ms", "holder started at 1ms", "rule 1 failed: *sched.TakenError")
	l.rule(2, "a.outX", []Ref{holder}, nil, []Ref{b})
	wantStrings(t, "events of a better rule", l.told(), "holder ended replaced after 4", "b started at 5ms", "rule 2 fired")
}

// All conditions of a tick see the same: the first rule of two that want the same fires, the other fails.
func TestRulesOfOneTick(t *testing.T) {
	l := newCell(t, Config{})
	pa := signal(t, "a", ms, "ft")
	pa.resources = joint(1)
	a := l.admit(pa)
	b := l.admit(part{name: "b", period: ms, resources: joint(1)})
	c := l.admit(part{name: "c", period: ms, resources: joint(1)})
	l.must(l.Start(t.Context(), a))
	l.rule(1, "a.outX", []Ref{a}, nil, []Ref{b})
	l.rule(2, "a.outX", []Ref{a}, nil, []Ref{c})
	l.advance(4 * ms)
	wantStrings(t, "events", l.told(), "a started at 1ms", "a ended replaced after 2", "b started at 3ms",
		"rule 1 fired", "rule 2 failed: *sched.TakenError")
}

// A net of the condition that is unloaded unstarted takes the rule with it.
func TestRuleOfAnUnloadedNet(t *testing.T) {
	l := newCell(t, Config{})
	a := l.admit(signal(t, "a", ms, "t"))
	l.rule(1, "a.outX", nil, nil, nil)
	wantStrings(t, "events of a net that may still start", l.told())
	l.must(l.Retire(t.Context(), a))
	wantStrings(t, "events of retiring", l.told(), "rule 1 inactive", "a gone")
}

func TestRuleIsRefused(t *testing.T) {
	l := newCell(t, Config{Rules: 2})
	a := l.admit(signal(t, "a", ms, "f"))
	b := l.admit(part{name: "b", period: ms, cycles: 1})
	l.must(l.Start(t.Context(), b))
	l.advance(2 * ms)
	p, variables := condition(t, "a.outX", map[string]Ref{"a": a})
	var state *NotStartableError
	for range 5 {
		if err := l.AddRule(t.Context(), Rule{Start: []Ref{b}}); !errors.As(err, &state) || state.State != Ended {
			t.Errorf("start of a net that has ended: %v", err)
		}
	}
	if err := l.AddRule(t.Context(), Rule{Condition: p}); !errors.Is(err, ErrMismatch) {
		t.Errorf("variables without place: %v", err)
	}
	var overlap *OverlapError
	if err := l.AddRule(t.Context(), Rule{Stop: []Ref{a}, Cancel: []Ref{a}}); !errors.As(err, &overlap) {
		t.Errorf("a net in two sets: %v", err)
	}
	for range 2 {
		l.must(l.AddRule(t.Context(), Rule{Condition: p, Variables: variables}))
	}
	if err := l.AddRule(t.Context(), Rule{Condition: p, Variables: variables}); !errors.Is(err, ErrTooMany) {
		t.Errorf("too many rules: %v", err)
	}
}

// A rule is given up as soon as its condition cannot become true any more, whatever still runs.
func TestRulesThatCanNeverFire(t *testing.T) {
	tests := []struct {
		condition          string
		added, ended, lost bool // whether it is given up at once, when "ends" has ended with false, and when it has lost its joint
	}{
		{"runs.outX & !t", true, true, true},
		{"!(runs.outX | t)", true, true, true},
		{"runs.outX & !runs.outX", true, true, true},
		{"ends.outX & runs.outX", false, true, true},
		{"!ends.outX & runs.outX", false, false, true},
		{"ends.outX | runs.outX", false, false, false},
		{"ready.outX & runs.outX", false, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.condition, func(t *testing.T) {
			l := newCell(t, Config{})
			p := signal(t, "ends", ms, "ff.")
			p.resources = joint(1)
			ends, runs := l.admit(p), l.admit(signal(t, "runs", ms, "f"))
			l.admit(signal(t, "ready", ms, "f"))
			l.must(l.Start(t.Context(), ends, runs))
			l.advance(ms)
			l.told()
			inactive := false
			look := func(when string, want bool) {
				t.Helper()
				inactive = inactive || slices.Contains(l.told(), "rule 1 inactive")
				if inactive != want {
					t.Errorf("%s: given up: %v", when, inactive)
				}
			}
			l.rule(1, tt.condition, nil, nil, []Ref{l.admit(part{name: "next", period: ms})})
			look("at once", tt.added)
			l.advance(ms)
			look("when a net has ended", tt.ended)
			l.must(l.Start(t.Context(), l.admit(part{name: "thief", period: ms, resources: joint(1)})))
			look("when it has lost its joint", tt.lost)
		})
	}
}
