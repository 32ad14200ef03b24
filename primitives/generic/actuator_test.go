package generic_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// TestAlone: who comes second knows at once, who comes first a cycle later, and nobody any more when one is left.
func TestUsers(t *testing.T) {
	env := &spec.Env{}
	actuators := make([]generic.Actuator, 3)
	for i := range actuators {
		actuators[i].Claim(env, "arm", "joint 1")
	}
	var other generic.Actuator
	other.Claim(env, "arm", "joint 2")
	for _, step := range []struct {
		n     uint64
		want  []bool // of those that enter, in their order
		alone bool
	}{
		{1, []bool{false}, true},
		{2, []bool{false, true}, false},
		{3, []bool{true, true, true}, false},
		{4, []bool{true}, true},
		{5, []bool{false}, true},
		{6, []bool{false, true}, false},
		{8, []bool{false}, true}, // nobody in cycle 7
	} {
		cy, next := &spec.Cycle{N: step.n}, &spec.Cycle{N: step.n + 1}
		if other.Enter(cy) || !other.Alone(cy) {
			t.Errorf("cycle %d: an actuator of something else is not alone", step.n)
		}
		for i, want := range step.want {
			if got := actuators[i].Enter(cy); got != want {
				t.Errorf("cycle %d, primitive %d: %v", step.n, i, got)
			}
		}
		for i := range actuators {
			if got := actuators[i].Alone(cy); got != step.alone || actuators[i].Alone(next) {
				t.Errorf("cycle %d: alone %v", step.n, got)
			}
		}
	}
	want := []device.Resource{{Device: "arm", Channel: "joint 1"}, {Device: "arm", Channel: "joint 2"}}
	if diff := cmp.Diff(want, env.Resources); diff != "" {
		t.Errorf("resources (-want +got):\n%s", diff)
	}
}

// TestJudge: what stands in front of the rest is told as the code, and all that is wrong by flags.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		others, there bool
		fault         int32
		illegal       device.PositionFault
		want          generic.Errors
	}{
		{want: generic.Errors{}},
		{there: true, want: generic.Errors{}},
		{others: true, want: generic.Errors{}},
		{others: true, there: true, fault: 7, illegal: device.PositionNotANumber, want: generic.Errors{Code: -1, Concurrent: true, Failed: true, Illegal: true}},
		{there: true, fault: 7, illegal: device.PositionNotANumber, want: generic.Errors{Code: 7, Failed: true, Illegal: true}},
		{there: true, illegal: device.PositionNotANumber, want: generic.Errors{Code: 2, Illegal: true}},
		{fault: 7, want: generic.Errors{Code: 7, Failed: true}},
	} {
		env, cy := &spec.Env{}, &spec.Cycle{N: 1}
		var one, other generic.Actuator
		one.Claim(env, "arm", "joint 1")
		other.Claim(env, "arm", "joint 1")
		if c.others {
			other.Enter(cy)
		}
		if got := one.Judge(cy, c.there, c.fault, c.illegal); got != c.want {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

// TestRequest: what a device tells counts for what it was asked last only.
func TestRequest(t *testing.T) {
	var r generic.Request
	check := func(step string, wanted, due, done bool, fault int32) {
		t.Helper()
		if r.Wanted() != wanted || r.Due() != due || r.Done() != done || r.Fault() != fault {
			t.Errorf("%s: wanted %v, due %v, done %v, fault %d", step, r.Wanted(), r.Due(), r.Done(), r.Fault())
		}
	}
	check("nothing", false, false, false, 0)
	r.Want()
	check("wanted", true, true, false, 0)
	if _, ok := r.Ticket(); ok {
		t.Error("there is nothing to ask about yet")
	}
	r.Asked(5)
	check("asked", true, false, false, 0)
	if ticket, ok := r.Ticket(); !ok || ticket != 5 {
		t.Error(ticket, ok)
	}
	r.Heard(true, 3)
	check("heard", true, false, true, 3)
	r.Want()
	check("something else", true, true, false, 0)
	if _, ok := r.Ticket(); ok {
		t.Error("the device would tell about what was wanted before")
	}
	r.Forget()
	check("forgotten", false, false, false, 0)
}
