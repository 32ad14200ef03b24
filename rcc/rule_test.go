package rcc_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc"
)

// rule adds a rule that has to be accepted.
func (c *cell) rule(condition string, stop, start []string) *rcc.Rule {
	c.t.Helper()
	r, err := c.Rules.Add(c.t.Context(), rcc.RuleRequest{Condition: condition, Stop: stop, Start: start})
	c.must(err)
	return r
}

func (c *cell) expect(r *rcc.Rule, want rcc.RuleState) {
	c.t.Helper()
	if state, reason := r.State(); state != want {
		c.t.Errorf("rule %d is %v (%s), want %v", r.Number(), state, reason, want)
	}
}

func TestRuleSwitchesWhenAVariableBecomesTrue(t *testing.T) {
	c := newCell(t)
	first, second := c.load(onRequest), c.load(onRequest)
	c.must(first.Start(t.Context()))
	r := c.rule("rpinet0.outstopped", []string{"rpinet0"}, []string{"rpinet1"})
	c.advance(50 * time.Millisecond)
	c.expect(r, rcc.RuleActive)
	if second.State() != rcc.Scheduled {
		t.Errorf("before the rule fires the net is %v", second.State())
	}
	c.must(first.Set([]rcc.KeyValue{{Key: "instop", Value: "true"}}))
	c.advance(20 * time.Millisecond)
	c.expect(r, rcc.RuleFired)
	if first.State() != rcc.Terminated || second.State() != rcc.Running {
		t.Errorf("after it has fired: %v and %v", first.State(), second.State())
	}
}

func TestRuleOnATerminatedNet(t *testing.T) {
	c := newCell(t)
	first, second := c.load(onRequest), c.load(onRequest)
	c.must(first.Set([]rcc.KeyValue{{Key: "instop", Value: "true"}}))
	c.must(first.Start(t.Context()))
	c.advance(50 * time.Millisecond)
	if first.State() != rcc.Terminated {
		t.Fatal(first.State())
	}
	c.expect(c.rule("!rpinet0.outstopped", nil, nil), rcc.RuleInactive)
	c.expect(c.rule("rpinet0.outstopped", []string{"rpinet0"}, []string{"rpinet1"}), rcc.RuleFired)
	if second.State() != rcc.Running {
		t.Error(second.State())
	}
}

func TestNetsOfARuleThatCannotFireAreReadyAgain(t *testing.T) {
	c := newCell(t)
	first, second := c.load(onRequest), c.load(onRequest)
	c.must(first.Start(t.Context()))
	one := c.rule("rpinet0.outstopped&!rpinet0.outstopped", nil, []string{"rpinet1"})
	other := c.rule("rpinet1.outstopped", nil, []string{"rpinet1"})
	c.must(first.Abort(t.Context()))
	c.expect(one, rcc.RuleInactive)
	c.expect(other, rcc.RuleActive)
	if second.State() != rcc.Scheduled {
		t.Errorf("with a rule still waiting: %v", second.State())
	}
}

func TestConditionsAboutWhatIsNotThere(t *testing.T) {
	c := newCell(t)
	c.load(`{x=Core::DoubleNetcommOut(Key='x'), stopped=Core::BooleanNetcommOut(Key='b'), outTerminate=Core::BooleanValue().outValue}`)
	for condition, want := range map[string]string{
		"rpinet0.b":    `did you mean "outb"?`,
		"rpinet0.outx": "is double, not bool",
		"rpinet0.outy": `no variable "outy"`,
	} {
		_, err := c.Rules.Add(t.Context(), rcc.RuleRequest{Condition: condition})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", condition, err, want)
		}
	}
	if _, err := c.Rules.Get(0); !errors.Is(err, rcc.ErrNoRule) {
		t.Errorf("a refused rule is on record: %v", err)
	}
}

func TestFollow(t *testing.T) {
	c := newCell(t)
	first, second, third := c.load(onRequest), c.load(onRequest), c.load(onRequest)
	c.must(first.Start(t.Context()))
	c.must(c.Rules.Follow(t.Context(), second.Name(), first.Name()))
	c.must(c.Rules.Follow(t.Context(), third.Name(), second.Name()))
	c.advance(50 * time.Millisecond)
	if second.State() != rcc.Scheduled {
		t.Errorf("before the end of the first it is %v", second.State())
	}
	c.must(first.Set([]rcc.KeyValue{{Key: "instop", Value: "true"}}))
	c.advance(20 * time.Millisecond)
	if first.State() != rcc.Terminated || second.State() != rcc.Running {
		t.Errorf("after the end of the first: %v and %v", first.State(), second.State())
	}
	c.must(second.Abort(t.Context()))
	if third.State() != rcc.Rejected || len(third.Problems()) != 1 || third.Problems()[0].Minor != 14 {
		t.Errorf("the follower of an aborted net is %v: %v", third.State(), third.Problems())
	}
	c.must(third.Unload(t.Context()))
}

func TestFollowersThatCannotBe(t *testing.T) {
	c := newCell(t)
	a := c.load(onRequest)
	b, err := c.Nets.Load(rcc.LoadRequest{Text: onRequest, Period: 5 * time.Millisecond})
	c.must(err)
	for _, pair := range [][2]*rcc.Net{{a, a}, {b, a}} {
		if err := c.Rules.Follow(t.Context(), pair[0].Name(), pair[1].Name()); err == nil {
			t.Errorf("%s follows %s", pair[0].Name(), pair[1].Name())
		}
	}
	if err := c.Rules.Follow(t.Context(), a.Name(), "rpinet9"); !errors.Is(err, rcc.ErrNoNet) {
		t.Error(err)
	}
	if a.State() != rcc.Ready || b.State() != rcc.Ready {
		t.Errorf("they are %v and %v", a.State(), b.State())
	}
}

func TestNetsThatShareAResourceCannotStartTogether(t *testing.T) {
	c := newCell(t)
	c.must(c.Devices.Create("arm", "test", nil))
	first, second := c.load(arm), c.load(arm)
	_, err := c.Rules.Add(t.Context(), rcc.RuleRequest{Condition: "t", Start: []string{first.Name(), second.Name()}})
	if !errors.Is(err, rcc.ErrResource) {
		t.Errorf("got %v, want %v", err, rcc.ErrResource)
	}
	if first.State() != rcc.Ready || second.State() != rcc.Ready {
		t.Errorf("they are %v and %v", first.State(), second.State())
	}
}

// Of rules that are over the newest are kept; one in force is never forgotten.
func TestOldRulesAreForgotten(t *testing.T) {
	c := newCell(t)
	c.load(onRequest)
	waiting := c.rule("rpinet0.outstopped", nil, nil)
	const kept = 1000
	for range kept + 10 {
		c.rule("t", nil, nil)
	}
	if n := len(c.Rules.All()); n != kept {
		t.Errorf("%d rules are kept", n)
	}
	if _, err := c.Rules.Get(1); !errors.Is(err, rcc.ErrNoRule) {
		t.Errorf("the oldest that has fired: %v", err)
	}
	c.expect(waiting, rcc.RuleActive)
	if found, err := c.Rules.Get(waiting.Number()); err != nil || found != waiting {
		t.Errorf("the rule in force: %v", err)
	}
}

// TestRulesAboutVeryMuch: what a rule names costs no more than it is long, and its refusal tells a few reasons once each.
func TestRulesAboutVeryMuch(t *testing.T) {
	c := newCell(t)
	c.load(onRequest)
	var nets, same []string
	var condition, variables strings.Builder
	for i := range 50_000 {
		nets = append(nets, fmt.Sprint("x", i))
		same = append(same, "rpinet0")
		fmt.Fprintf(&condition, "y%d.outa|", i)
		fmt.Fprintf(&variables, "rpinet0.out%d|", i)
	}
	for name, req := range map[string]rcc.RuleRequest{
		"unknown nets":      {Start: nets},
		"one net":           {Start: same},
		"a long name":       {Start: []string{strings.Repeat("x", 1<<20)}},
		"a long condition":  {Condition: condition.String() + "t"},
		"unknown variables": {Condition: variables.String()[:12_000] + "t"},
		"very many of them": {Condition: variables.String() + "t"},
	} {
		_, err := c.Rules.Add(t.Context(), req)
		if err == nil || len(err.Error()) > 1100 {
			t.Errorf("%s: an error of %d bytes", name, len(fmt.Sprint(err)))
		}
	}
	long := strings.Repeat("!!", 8<<10-1) + "t"
	if _, err := c.Rules.Add(t.Context(), rcc.RuleRequest{Condition: long + "  "}); !errors.Is(err, rcc.ErrCondition) {
		t.Errorf("a condition of %d bytes: %v", len(long)+2, err)
	}
}

// A net that is scheduled by a rule which has failed stays so, also when nobody knows that rule any more.
func TestFailedRulesLeaveTheirNetsScheduled(t *testing.T) {
	c, _ := cellWithArm(t, rt.NewVirtual(time.Unix(0, 0)))
	holder, next := c.load(holding), c.load(holding)
	c.must(holder.Start(t.Context()))
	failed := c.rule("t", nil, names([]*rcc.Net{next}))
	c.expect(failed, rcc.RuleFailed)
	for range 1100 {
		c.rule("t", nil, nil)
	}
	if _, err := c.Rules.Get(failed.Number()); !errors.Is(err, rcc.ErrNoRule) {
		t.Errorf("rule %d: %v", failed.Number(), err)
	}
	c.expect(c.rule("!t", nil, names([]*rcc.Net{next})), rcc.RuleInactive)
	if next.State() != rcc.Scheduled {
		t.Errorf("it is %v", next.State())
	}
	if n := len(c.Rules.All()); n > 1000 {
		t.Errorf("%d rules are kept", n)
	}
}

const holding = `{v=Core::DoubleValue(Value='1'),a=Test::Actuator(Device='arm',Channel='0',inValue=v.outValue),` +
	`outTerminate=Core::BooleanValue(Value='false').outValue}`

// Nobody sees a rule that is refused.
func TestRefusedRulesAreNotSeen(t *testing.T) {
	c, _ := cellWithArm(t, rt.NewVirtual(time.Unix(0, 0)))
	one, other := c.load(holding), c.load(holding)
	seen := one.Seen()
	if _, err := c.Rules.Add(t.Context(), rcc.RuleRequest{Start: names([]*rcc.Net{one, other})}); !errors.Is(err, rcc.ErrResource) {
		t.Error(err)
	}
	if steps, _ := one.Since(seen); len(steps) > 1 {
		t.Errorf("%+v", steps)
	}
}

// Until the nets that it replaces have had their last tick, a net is scheduled and can be called off.
func TestNetsThatWaitForTheirFirstTick(t *testing.T) {
	c, _ := cellWithArm(t, rt.NewVirtual(time.Unix(0, 0)))
	load := func(ms int) *rcc.Net {
		n, err := c.Nets.Load(rcc.LoadRequest{Text: holding, Period: time.Duration(ms) * time.Millisecond})
		c.must(err)
		return n
	}
	old, next, last := load(20), load(50), load(50)
	c.must(old.Start(t.Context()))
	c.advance(30 * time.Millisecond)
	c.expect(c.rule("t", names([]*rcc.Net{old}), names([]*rcc.Net{next})), rcc.RuleFired)
	states := func(want ...rcc.State) {
		t.Helper()
		for i, n := range []*rcc.Net{old, next} {
			if n.State() != want[i] {
				t.Errorf("%s is %v, not %v", n.Name(), n.State(), want[i])
			}
		}
	}
	states(rcc.Running, rcc.Scheduled)
	if err := next.Start(t.Context()); err == nil {
		t.Error("it is started twice")
	}
	if _, err := c.Rules.Add(t.Context(), rcc.RuleRequest{Start: names([]*rcc.Net{next})}); !errors.Is(err, rcc.ErrState) {
		t.Error(err)
	}
	c.advance(50 * time.Millisecond)
	states(rcc.Terminated, rcc.Running)
	c.expect(c.rule("t", names([]*rcc.Net{next}), names([]*rcc.Net{last})), rcc.RuleFired)
	c.advance(50 * time.Millisecond)
	c.must(last.Abort(t.Context()))
	if last.State() != rcc.Terminated {
		t.Error(last.State())
	}
}

func TestFollowersNeedWhatThereIs(t *testing.T) {
	c, _ := cellWithArm(t, rt.NewVirtual(time.Unix(0, 0)))
	const both = `{v=Core::DoubleValue(Value='1'),a=Test::Actuator(Device='arm',Channel='0',inValue=v.outValue),` +
		`b=Test::Actuator(Device='arm',Channel='1',inValue=v.outValue),outTerminate=Core::BooleanValue(Value='false').outValue}`
	runs, beside := c.load(holding), c.load(strings.ReplaceAll(holding, "'0'", "'1'"))
	next, late, greedy := c.load(holding), c.load(holding), c.load(both)
	c.must(runs.Start(t.Context()))
	c.must(beside.Start(t.Context()))
	if err := c.Rules.Follow(t.Context(), greedy.Name(), runs.Name()); !errors.Is(err, rcc.ErrResource) || greedy.State() != rcc.Scheduled && greedy.State() != rcc.Ready {
		t.Errorf("%v, it is %v", err, greedy.State())
	}
	c.must(c.Rules.Follow(t.Context(), next.Name(), runs.Name()))
	if err := c.Rules.Follow(t.Context(), late.Name(), runs.Name()); !errors.Is(err, rcc.ErrState) || !strings.Contains(err.Error(), next.Name()) {
		t.Error(err)
	}
	if late.State() != rcc.Ready || greedy.State() != rcc.Ready || next.State() != rcc.Scheduled {
		t.Errorf("%v, %v, %v", late.State(), greedy.State(), next.State())
	}
}

// A net is told that another one is going to take over.
func TestTakeover(t *testing.T) {
	c := newCell(t)
	first := c.load(`{take=Takeover(),out=Core::BooleanNetcommOut(Key='Taken',inValue=take.outTakeover),outTerminate=take.outTakeover}`)
	next := c.load(onRequest)
	c.must(first.Start(t.Context()))
	c.advance(10 * time.Millisecond)
	c.must(c.Rules.Follow(t.Context(), next.Name(), first.Name()))
	c.advance(10 * time.Millisecond)
	if first.State() != rcc.Terminated || next.State() != rcc.Running {
		t.Errorf("%v, %v", first.State(), next.State())
	}
}
