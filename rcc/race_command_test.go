package rcc_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/rcc"
)

// interposed is a context that calls a function between the look at the state of a net and the command to the scheduler, which
// then asks the context whether it is done.
type interposed struct {
	context.Context
	once sync.Once
	do   func()
}

func (m *interposed) Done() <-chan struct{} {
	m.once.Do(m.do)
	return nil
}

// TestUnloadedMeanwhile: a command to a net that ends and is unloaded at the same time is refused as one to a net that is not there.
func TestUnloadedMeanwhile(t *testing.T) {
	for name, tt := range map[string]struct {
		command func(*rcc.Net, context.Context) error
		runs    bool
	}{
		"abort": {(*rcc.Net).Abort, true}, "cancel": {(*rcc.Net).Cancel, true}, "start": {(*rcc.Net).Start, false},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCell(t)
			n, err := c.Nets.Load(rcc.LoadRequest{Text: `{end=Core::BooleanNetcommIn(Key='end'),outTerminate=end.outValue}`})
			if err != nil {
				t.Fatal(err)
			}
			if tt.runs {
				if err := n.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			err = tt.command(n, &interposed{Context: t.Context(), do: func() {
				if err := n.Set([]rcc.KeyValue{{Key: "inend", Value: "true"}}); err != nil {
					t.Error(err)
				}
				if err := errors.Join(c.clock.Advance(t.Context(), 10*time.Millisecond), c.Changes.Settle(t.Context()), n.Unload(t.Context())); err != nil {
					t.Error(err)
				}
			}})
			if refused := new(rcc.Error); !errors.Is(err, rcc.ErrNoNet) || !errors.As(err, &refused) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestCommandsWhileClosing: what comes too late is told so.
func TestCommandsWhileClosing(t *testing.T) {
	c := newCell(t)
	n, err := c.Nets.Load(rcc.LoadRequest{Text: `{outTerminate=Core::BooleanValue(Value='false').outValue}`})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(closed()); err != nil {
		t.Fatal(err)
	}
	if err := n.Start(t.Context()); !errors.Is(err, rcc.ErrClosed) {
		t.Errorf("got %v", err)
	}
}
