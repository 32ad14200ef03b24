package protocol

import (
	"context"
	"testing"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc"
)

// TestRulesOfLostClients: a rule is on record when its client has been lost while it was added. Otherwise it would be left
// to chance whether a rule in force can be found.
func TestRulesOfLostClients(t *testing.T) {
	c := newCell(t)
	names := make([]string, 2)
	for i := range names {
		n, err := c.core.Nets.Load(rcc.LoadRequest{Text: "{outTerminate=Core::BooleanValue(Value='false').outValue}"})
		if err != nil {
			t.Fatal(err)
		}
		names[i] = n.Name()
	}
	lost, cancel := context.WithCancel(t.Context())
	cancel()
	s := &session{core: c.core}
	const each = 20
	for range each {
		if _, err := scheduleNets(s, lost, "t", args{grammar.Str("!t"), grammar.Strs(), grammar.Strs(), grammar.Strs(names[0])}); err != nil {
			t.Error(err)
		}
	}
	if _, err := scheduleNets(s, lost, "t", args{grammar.Str(names[1]), grammar.Str(names[0])}); err != nil {
		t.Error(err)
	}
	if got := len(c.core.Rules.All()); got != each+1 {
		t.Errorf("%d rules of %d are on record", got, each+1)
	}
}
