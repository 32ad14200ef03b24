package rcc_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc"
)

// TestCheck: a check says what loading says, for nets that run, that are rejected and that do not parse, and leaves nothing: the next
// net has the number that it would have had, and devices can be removed.
func TestCheck(t *testing.T) {
	c := newCell(t)
	c.must(c.Devices.Create("test", "test", nil))
	for _, req := range []rcc.LoadRequest{
		{Text: `{a=Test::Actuator(inValue=Core::Clock().outValue,Device='test',Channel='3'),outTerminate=Cancel().outCancel}`},
		{Text: `{a=Test::Actuator(inValue=Core::Clock().outValue,Device='test',Channel='3')}`},
		{Text: `{a=Test::Sensor(Device='none'),b=Core::Nope(),outTerminate=Cancel().outCancel}`},
		{Text: `{outTerminate=Cancel().outCancel}`, Period: time.Hour},
		{Text: `{outTerminate=`},
	} {
		checked, wrong := c.Nets.Check(t.Context(), req)
		if n := len(c.Nets.All()); n != 0 {
			t.Fatalf("%d nets are loaded", n)
		}
		loaded, err := c.Nets.Load(req)
		if err != nil {
			if wrong == nil || wrong.Error() != err.Error() || !errors.As(wrong, new(*grammar.Error)) {
				t.Errorf("%s: %v, not %v", req.Text, wrong, err)
			}
			continue
		}
		if name := loaded.Name(); wrong != nil || !strings.HasPrefix(name, "rpinet") {
			t.Errorf("%s: %s %v", name, req.Text, wrong)
		}
		got, want := said(checked.Problems, checked.Warnings), said(loaded.Problems(), loaded.Warnings())
		if got != want || (loaded.State() == rcc.Rejected) != (len(checked.Problems) > 0) {
			t.Errorf("%s:\n%s, not\n%s", req.Text, got, want)
		}
		c.must(loaded.Unload(t.Context()))
	}
	if checked, err := c.Nets.Check(t.Context(), rcc.LoadRequest{Text: `{a=Test::Sensor(Device='test',Channel='3'),outTerminate=Cancel().outCancel}`}); err != nil || len(checked.Problems) > 0 {
		t.Error(checked, err)
	}
	c.must(c.Devices.Remove("test"))
}

func said(lists ...[]rcc.Problem) string {
	var b strings.Builder
	for _, list := range lists {
		for _, p := range list {
			b.WriteString(p.String() + "\n")
		}
		b.WriteString("--\n")
	}
	return b.String()
}
