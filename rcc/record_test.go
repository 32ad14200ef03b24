package rcc_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/rcc"
)

// armUntil commands the arm until it is told that it has finished, which it publishes, and stays with it.
const armUntil = `{v=Core::DoubleValue(Value='1'), a=Test::Actuator(Device='arm',inValue=v.outValue),
	in=Core::BooleanNetcommIn(Key='finished'), out=Core::BooleanNetcommOut(Key='finished',inValue=in.outValue),
	outTerminate=Core::BooleanValue(Value='false').outValue}`

func (c *cell) wantRecord(what string, r *rcc.Rule, want rcc.Record) {
	c.t.Helper()
	if diff := cmp.Diff(want, r.Record()); diff != "" {
		c.t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// tick is the instant of the test clock after so many milliseconds.
func tick(ms int64) time.Time { return time.Unix(1_000_000, ms*1_000_000) }

// Why did it switch, or why not: the record answers, also when the nets are gone.
func TestRecordOfARuleThatFires(t *testing.T) {
	c := newCell(t)
	c.must(c.Devices.Create("arm", "test", nil))
	first, second, over := c.load(armUntil), c.load(armUntil), c.load(onRequest)
	r, err := c.Rules.Add(t.Context(), rcc.RuleRequest{
		Condition: "rpinet0.outfinished", Stop: []string{"rpinet0", "rpinet2"}, Start: []string{"rpinet1"},
	})
	c.must(err)
	variable := rcc.RuleVariable{Net: "rpinet0", Key: "outfinished", Value: "indeterminate", State: "READY", Why: "the net has not run yet"}
	c.wantRecord("before the start", r, rcc.Record{Tick: tick(0), Value: "indeterminate", Variables: []rcc.RuleVariable{variable}})

	c.must(first.Start(t.Context()))
	c.advance(20 * time.Millisecond)
	variable = rcc.RuleVariable{Net: "rpinet0", Key: "outfinished", Value: "false", Cycle: 2, State: "RUNNING"}
	c.wantRecord("while it waits", r, rcc.Record{Tick: tick(20), Value: "false", Variables: []rcc.RuleVariable{variable}})

	c.must(first.Set([]rcc.KeyValue{{Key: "infinished", Value: "true"}}))
	c.advance(50 * time.Millisecond)
	c.must(first.Unload(t.Context()))
	c.must(over.Unload(t.Context()))
	variable.Value, variable.Cycle = "true", 3
	c.wantRecord("when it has fired", r, rcc.Record{
		State: rcc.RuleFired, Tick: tick(30), Value: "true", Variables: []rcc.RuleVariable{variable}, From: tick(40),
		Changes: []rcc.RuleChange{
			{Action: "stop", Net: "rpinet0", Before: "RUNNING", Done: true},
			{Action: "stop", Net: "rpinet2", Before: "READY"},
			{Action: "start", Net: "rpinet1", Before: "SCHEDULED", Done: true},
		},
	})
	if second.State() != rcc.Running {
		t.Errorf("the net that it has started is %v", second.State())
	}
}

// A rule that fails says which precondition did not hold, and nothing has happened (§6.1).
func TestRecordOfARuleThatFails(t *testing.T) {
	c := newCell(t)
	c.must(c.Devices.Create("arm", "test", nil))
	holder, wanting, gone := c.load(armUntil), c.load(armUntil), c.load(onRequest)
	c.must(holder.Start(t.Context()))
	c.must(holder.Set([]rcc.KeyValue{{Key: "infinished", Value: "true"}}))
	unloaded := c.rule("rpinet0.outfinished", nil, []string{gone.Name()})
	c.must(gone.Unload(t.Context()))
	started := c.rule("rpinet0.outfinished", nil, []string{wanting.Name()})
	bystander := c.load(onRequest)
	c.must(bystander.Start(t.Context()))
	stopping := c.rule("rpinet0.outfinished", []string{bystander.Name()}, []string{wanting.Name()})
	early := c.load(onRequest)
	running := c.rule("rpinet0.outfinished", nil, []string{early.Name()})
	c.must(early.Start(t.Context()))
	c.advance(20 * time.Millisecond)
	for _, tt := range []struct {
		rule *rcc.Rule
		want rcc.Precondition
	}{
		{unloaded, rcc.Precondition{Net: "rpinet2", State: "UNLOADED", Message: "rpinet2 cannot be started, it is UNLOADED"}},
		{started, rcc.Precondition{Net: "rpinet1", Resource: "arm/channel 0", Holder: "rpinet0", Message: "rpinet1 cannot be started: arm/channel 0 is held by rpinet0"}},
		{stopping, rcc.Precondition{Net: "rpinet1", Resource: "arm/channel 0", Holder: "rpinet0", Message: "rpinet1 cannot be started: arm/channel 0 is held by rpinet0"}},
		{running, rcc.Precondition{Net: "rpinet4", State: "RUNNING", Message: "rpinet4 cannot be started, it is RUNNING"}},
	} {
		c.wantRecord("a rule that fails", tt.rule, rcc.Record{
			State: rcc.RuleFailed, Reason: tt.want.Message, Tick: tick(10), Value: "true", Failed: &tt.want,
			Variables: []rcc.RuleVariable{{Net: "rpinet0", Key: "outfinished", Value: "true", Cycle: 1, State: "RUNNING"}},
		})
	}
	if holder.State() != rcc.Running || bystander.State() != rcc.Running || wanting.State() != rcc.Scheduled {
		t.Errorf("nets are %v, %v and %v", holder.State(), bystander.State(), wanting.State())
	}
}

// A rule that can no longer fire says what its variables were in the end.
func TestRecordOfARuleThatCannotFire(t *testing.T) {
	c := newCell(t)
	c.must(c.Devices.Create("arm", "test", nil))
	first, thief := c.load(armUntil), c.load(armUntil)
	c.must(first.Start(t.Context()))
	c.advance(10 * time.Millisecond)
	c.must(first.Abort(t.Context()))
	c.must(thief.Start(t.Context()))
	v := rcc.RuleVariable{Net: "rpinet0", Key: "outfinished", Value: "indeterminate", Cycle: 1, State: "TERMINATED"}
	v.Why = "the net has ended, and another one has taken a resource of it since"
	c.wantRecord("a rule that comes too late", c.rule("rpinet0.outfinished", nil, nil), rcc.Record{
		State: rcc.RuleInactive, Reason: "the condition cannot become true any more", Tick: tick(10),
		Value: "indeterminate", Variables: []rcc.RuleVariable{v},
	})
	c.wantRecord("a rule that cannot be true", c.rule("!t", nil, nil), rcc.Record{
		State: rcc.RuleInactive, Reason: "the condition is never true", Tick: tick(10), Value: "false",
	})
}

// Following is a rule too, about the end of a net.
func TestRecordOfFollowing(t *testing.T) {
	c := newCell(t)
	first, second := c.load(onRequest), c.load(onRequest)
	c.must(first.Start(t.Context()))
	c.must(c.Rules.Follow(t.Context(), second.Name(), first.Name()))
	c.advance(10 * time.Millisecond)
	c.must(first.Abort(t.Context()))
	rules := c.Rules.All()
	c.wantRecord("a rule whose net was aborted", rules[0], rcc.Record{
		State: rcc.RuleInactive, Reason: "rpinet0 did not come to its own end", Tick: tick(10), Value: "false",
		Variables: []rcc.RuleVariable{{Net: "rpinet0", Value: "false", Cycle: 1, State: "TERMINATED"}},
	})
}
