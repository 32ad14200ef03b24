package robotics_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/directio/client"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/robotics"
)

// nowhere is an address where no daemon is.
const nowhere = "http://127.0.0.1:1"

// gone waits until a daemon has forgotten all nets.
func gone(t *testing.T, c *cells.Cell) {
	t.Helper()
	bell, stop := c.Core.Watch()
	defer stop()
	enough, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for len(c.Core.Nets()) > 0 {
		select {
		case <-bell:
		case <-enough.Done():
			for _, n := range c.Core.Nets() {
				t.Errorf("%s stays for ever, %v", n.Name(), n.State())
			}
			return
		}
	}
}

// TestUncontrolled: what was to be ended while the connection was lost is ended when it is back, and who waits hears that it is not yet.
func TestUncontrolled(t *testing.T) {
	c := cells.New(t).Free()
	wire, through := lay(t, c.URL())
	away := make(chan struct{}, 1)
	r, err := robotics.Connect(t.Context(), through, robotics.OnConnection(func(e client.Event) {
		if e.What == client.Lost {
			away <- struct{}{}
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	r.SetPatience(10 * time.Millisecond)
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	begun := make(chan struct{})
	hold := robotics.NewCommand(kr16(), robotics.JointHold{})
	hold.OnEntered(hold.Active(), robotics.External(func() { close(begun) }))
	returned := make(chan error)
	go func() { returned <- r.Execute(ctx, hold) }()
	<-begun
	wire.put(nowhere)
	<-away
	cancel(enough)
	err = <-returned
	var moves *robotics.UncontrolledError
	if !errors.Is(err, enough) || !errors.As(err, &moves) || !errors.As(err, new(*client.LostError)) {
		t.Fatalf("%v", err)
	}
	if len(c.Core.Nets()) != 1 {
		t.Error("it was ended without a connection")
	}
	wire.put(c.URL())
	if err := moves.Handle.Wait(t.Context()); err != nil {
		t.Errorf("when the connection is back: %v", err)
	}
	gone(t, c)
}

// TestContextEndsBetween: whenever the context ends, nothing is left behind.
func TestContextEndsBetween(t *testing.T) {
	c := cells.New(t, cells.Only("kr16")).Free()
	wire, through := lay(t, c.URL())
	r, err := robotics.Connect(t.Context(), through)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	hold := robotics.NewCommand(kr16(), robotics.JointHold{})
	hold.OnEntered(robotics.Long(hold.Active(), 20*time.Millisecond), robotics.Cancel(hold))
	sensor := kr16().Commanded(0)
	for last := 1; last <= 12; last++ {
		for what, do := range map[string]func(ctx context.Context) error{
			"execute": func(ctx context.Context) error { return r.Execute(ctx, hold) },
			"load": func(ctx context.Context) error {
				h, err := r.Load(ctx, hold)
				if h != nil {
					err = h.Forget(t.Context())
				}
				return err
			},
			"listen": func(ctx context.Context) error {
				l, err := robotics.Listen(ctx, r, sensor, func(float64) {})
				if l != nil {
					err = l.Stop(t.Context())
				}
				return err
			},
		} {
			ctx, cancel := context.WithCancel(t.Context())
			times := 0
			wire.onTold(func() {
				if times++; times == last {
					cancel()
				}
			})
			if err := do(ctx); err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("%s, %d: %v", what, last, err)
			}
			wire.onTold(nil)
			cancel()
			gone(t, c)
		}
	}
}

// TestClose: listeners end with the application, commands go on and are forgotten when they have ended.
func TestClose(t *testing.T) {
	c := cells.New(t, cells.Only("kr16")).Free()
	r := c.Connect()
	if _, err := robotics.Listen(t.Context(), r, kr16().Commanded(0), func(float64) {}); err != nil {
		t.Fatal(err)
	}
	h, err := r.Start(t.Context(), robotics.NewCommand(kr16(), robotics.JointHold{}))
	if err != nil {
		t.Fatal(err)
	}
	name := h.Net().Name
	r.Close()
	n, err := c.Core.Net(name)
	if err != nil {
		t.Fatal("the command has ended with the application")
	}
	if err := n.Cancel(t.Context()); err != nil {
		t.Error(err)
	}
	gone(t, c)
}

// TestWaitFrees: who has waited for a command can have its devices.
func TestWaitFrees(t *testing.T) {
	c := cells.New(t, cells.Only("kr16")).Free()
	r := c.Connect()
	hold := robotics.NewCommand(kr16(), robotics.JointHold{})
	for range 20 {
		h, err := r.Start(t.Context(), hold)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(h.Cancel(t.Context()), h.Wait(t.Context())); err != nil {
			t.Fatal(err)
		}
		if n := len(c.Core.Nets()); n > 0 {
			t.Fatalf("%d nets are there after Wait", n)
		}
	}
	if err := r.Daemon().RemoveDevice(t.Context(), "kr16"); err != nil {
		t.Error(err)
	}
}
