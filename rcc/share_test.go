package rcc_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/sched"
)

// little is a limit that a net of one primitive in 10 ms fits, and two do not.
func little(c *rcc.Config) { c.Sched.Share, c.Sched.CPUs = 150, []int{4} }

// Nets for which there is no time on their CPU are refused with figures and names, by a command and by a rule.
func TestStartWithoutTime(t *testing.T) {
	c := newCell(t, little)
	a, b := c.load(endless), c.load(endless)
	if err := a.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	const want = "rpinet1 cannot be started: of CPU 4 nets may have 0.015 %, those that run take 0.01 %, and this would add 0.01 %"
	err := b.Start(t.Context())
	if !errors.Is(err, rcc.ErrLoad) || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("start: %v", err)
	}
	r, err := c.Rules.Add(t.Context(), rcc.RuleRequest{Condition: "", Start: []string{b.Name()}})
	if err != nil {
		t.Fatal(err)
	}
	if state, why := r.State(); state != rcc.RuleFailed || why != want {
		t.Errorf("rule: %v, %s", state, why)
	}
	if cpus := c.Executors.CPUs(); len(cpus) != 1 || cpus[0].Number != 4 || cpus[0].Limit != 150 || cpus[0].Taken == 0 {
		t.Errorf("%+v", cpus)
	}
	if err := a.Abort(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := b.Start(t.Context()); err != nil {
		t.Errorf("when there is time again: %v", err)
	}
}

// A twin needs no time of a CPU.
func TestTwinHasTime(t *testing.T) {
	c := newCell(t, little)
	twin, err := c.Twin(rcc.TwinOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		n, err := twin.Nets.Load(rcc.LoadRequest{Text: endless})
		if err != nil {
			t.Fatal(err)
		}
		if err := n.Start(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if cpus := twin.Executors.CPUs(); cpus[0].Limit != sched.Share(0) {
		t.Errorf("%+v", cpus)
	}
	if err := twin.Close(closed()); err != nil {
		t.Error(err)
	}
}
