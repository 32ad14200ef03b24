package rcc_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/rcc"
	book "github.com/softrobot-rcc/rccd/rcc/number"
)

// endless is a net that runs until somebody ends it.
const endless = `{end=Cancel(),outTerminate=end.outCancel}`

// TestNoNumbersLeft: when no numbers can be kept, anything that needs one is refused with the reason. Nets that exist run, start
// and end as before.
func TestNoNumbersLeft(t *testing.T) {
	full := errors.New("no space left on device")
	opened := false
	numbers, err := book.Open(book.First(), func(book.Counts) error {
		if opened {
			return full
		}
		opened = true
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	c := newCell(t, func(cfg *rcc.Config) { cfg.Numbers = numbers })
	runs, ready := c.load(endless), c.load(endless)
	c.must(runs.Start(t.Context()))
	for _, of := range []book.Kind{book.Net, book.Session, book.Rule} {
		for err = nil; err == nil; {
			_, err = numbers.Take(of)
		}
	}
	_, noNet := c.Nets.Load(rcc.LoadRequest{Text: endless})
	_, noSession := c.Sessions.Open("")
	_, noRule := c.Rules.Add(t.Context(), rcc.RuleRequest{Condition: "t", Start: []string{ready.Name()}})
	for _, err := range []error{noNet, noSession, noRule} {
		if !errors.Is(err, rcc.ErrBusy) || !strings.Contains(err.Error(), full.Error()) {
			t.Errorf("refused by %v", err)
		}
	}
	c.advance(20 * time.Millisecond)
	c.must(ready.Start(t.Context()))
	c.advance(20 * time.Millisecond)
	c.must(runs.Abort(t.Context()))
	if is, was := ready.State(), runs.State(); is != rcc.Running || was != rcc.Terminated {
		t.Errorf("the nets are %v and %v", is, was)
	}
}
