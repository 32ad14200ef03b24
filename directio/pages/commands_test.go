package pages

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/rcc"
)

// atOnce is a net that ends in its first cycle.
const atOnce = `{outTerminate=Core::BooleanValue(Value='true').outValue}`

// interposed is a context that calls a function as soon as the scheduler asks whether it is done.
type interposed struct {
	context.Context
	once sync.Once
	do   func()
}

func (m *interposed) Done() <-chan struct{} {
	m.once.Do(m.do)
	return nil
}

// TestAbortOfWhatHasGone: an abort that comes when the net has ended and is unloaded is answered like any to a net that is not there.
func TestAbortOfWhatHasGone(t *testing.T) {
	c := newCell(t, Options{})
	n := c.load(atOnce, "", "")
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	err := n.Abort(&interposed{Context: t.Context(), do: func() {
		c.advance(10 * time.Millisecond)
		if err := errors.Join(c.Changes.Settle(t.Context()), n.Unload(t.Context())); err != nil {
			t.Error(err)
		}
	}})
	if p := problemOf(err); p.Status != http.StatusNotFound || p.Code != codeNoNet {
		t.Errorf("%d: %v", p.Status, err)
	}
}

// TestCommandsOfThoseWhoHaveGone: a client that has closed its half of the connection, as nc does, is heard, and answered.
func TestCommandsOfThoseWhoHaveGone(t *testing.T) {
	c := newCell(t, Options{})
	for range 20 { // a scheduler that looks at the context first would do so by chance
		n := c.load(counting, "", "")
		for _, step := range []struct {
			action string
			state  rcc.State
		}{{"START", rcc.Running}, {"CANCEL", rcc.Cancelling}, {"ABORT", rcc.Terminated}} {
			gone, cancel := context.WithCancel(t.Context())
			cancel()
			a := c.answer(request("POST", "/nets/"+n.Name()+"/", "action="+step.action, "Content-Type", "application/x-www-form-urlencoded").WithContext(gone))
			if a.StatusCode != http.StatusOK || n.State() != step.state {
				t.Fatalf("%s: %s, %v", step.action, a.Status, n.State())
			}
		}
	}
}
