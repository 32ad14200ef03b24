package robotics_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/directio/client"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/motions"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// nowhere is an address where no daemon is.
const nowhere = "http://127.0.0.1:1"

// gone waits until a daemon has forgotten all nets.
func gone(t *testing.T, c *cells.Cell) {
	t.Helper()
	bell, stop := c.Core.Changes.Watch()
	defer stop()
	enough, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for len(c.Core.Nets.All()) > 0 {
		select {
		case <-bell:
		case <-enough.Done():
			for _, n := range c.Core.Nets.All() {
				t.Errorf("%s stays for ever, %v", n.Name(), n.State())
			}
			return
		}
	}
}

// TestUncontrolled: what was to be ended while the connection was lost is ended when it is back, and a caller that waits hears
// that it has not ended yet.
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
	hold := robotics.NewCommand(kr16(), motions.JointHold{})
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
	if len(c.Core.Nets.All()) != 1 {
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
	hold := robotics.NewCommand(kr16(), motions.JointHold{})
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
	h, err := r.Start(t.Context(), robotics.NewCommand(kr16(), motions.JointHold{}))
	if err != nil {
		t.Fatal(err)
	}
	name := h.Net().Name
	r.Close()
	n, err := c.Core.Nets.Get(name)
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
	hold := robotics.NewCommand(kr16(), motions.JointHold{})
	for range 20 {
		h, err := r.Start(t.Context(), hold)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(h.Cancel(t.Context()), h.Wait(t.Context())); err != nil {
			t.Fatal(err)
		}
		if n := len(c.Core.Nets.All()); n > 0 {
			t.Fatalf("%d nets are there after Wait", n)
		}
	}
	if err := r.Daemon().RemoveDevice(t.Context(), "kr16"); err != nil {
		t.Error(err)
	}
}

// TestInUse: who finds an arm in use hears by what.
func TestInUse(t *testing.T) {
	c := cells.New(t, cells.Only("kr16")).Free()
	mine, other := c.Connect(), c.Connect()
	hold := robotics.NewCommand(kr16(), motions.JointHold{})
	h, err := mine.Start(t.Context(), hold)
	if err != nil {
		t.Fatal(err)
	}
	_, run := other.Start(t.Context(), hold)
	later, err := other.Load(t.Context(), hold)
	if err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{"started": run, "loaded": later.Start(t.Context())} {
		want := fmt.Sprintf("kr16 is in use by the command %q (%s, joint 0): wait for its end, or cancel it", hold, h.Net().Name)
		var used *client.InUseError
		if !errors.As(err, &used) || !errors.As(err, new(*client.RefusedError)) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := errors.Join(later.Forget(t.Context()), h.Cancel(t.Context()), h.Wait(t.Context())); err != nil {
		t.Error(err)
	}
}

// TestCancelledByOthers: a motion that others have ended has not arrived.
func TestCancelledByOthers(t *testing.T) {
	c := cells.New(t, cells.Only("kr16")).Free()
	r := c.Connect()
	hold := robotics.NewCommand(kr16(), motions.JointHold{})
	h, err := r.Start(t.Context(), hold)
	if err != nil {
		t.Fatal(err)
	}
	n, err := c.Core.Nets.Get(h.Net().Name)
	if err != nil {
		t.Fatal(err)
	}
	if err := n.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := h.Wait(t.Context()); !errors.Is(err, robotics.ErrCancelledByOthers) {
		t.Errorf("by others: %v", err)
	}
	if h, err = r.Start(t.Context(), hold); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Synchronize(t.Context(), robotics.Now, robotics.Switch{Cancel: []*robotics.Handle{h}}); err != nil {
		t.Fatal(err)
	}
	if err := h.Wait(t.Context()); err != nil {
		t.Errorf("by a rule of the program: %v", err)
	}
}

// TestWhy: what a device has refused another command is not why this one has failed.
func TestWhy(t *testing.T) {
	c := cells.New(t, cells.Only("kr16")).Free()
	r := c.Connect()
	arm := kr16()
	raft := world.NewFrame("raft")
	if _, err := world.Couple(arm.Base(), raft, calm{}); err != nil {
		t.Fatal(err)
	}
	if err := r.Execute(t.Context(), robotics.NewCommand(arm, motions.PTP{To: point})); err != nil {
		t.Fatal(err)
	}
	failing, err := r.Load(t.Context(), robotics.NewCommand(arm, motions.LIN{To: moved(poseAt(point), geom.Vector{X: 3}, 0, 0, 0), In: raft}))
	if err != nil {
		t.Fatal(err)
	}
	n, err := c.Core.Nets.Get(failing.Net().Name)
	if err != nil {
		t.Fatal(err)
	}
	c.Hold() // or the device is asked so late that it has forgotten
	started := make(chan error, 1)
	go func() { started <- failing.Start(t.Context()) }()
	for cause := ""; cause == ""; {
		c.Pass(1)
		if cause, err = r.Daemon().Cause(t.Context(), "kr16"); err != nil {
			t.Fatal(err)
		}
		if _, ended := n.Ended(); ended && cause == "" {
			t.Fatal("the device tells nothing")
		}
	}
	h, err := r.Load(t.Context(), robotics.NewCommand(arm, motions.JointHold{}))
	if err != nil {
		t.Fatal(err)
	}
	if why := h.Why(t.Context(), "kr16"); why != "" {
		t.Errorf("%q", why)
	}
	c.Free()
	if err := <-started; err != nil {
		t.Error(err)
	}
	if err := failing.Wait(t.Context()); !contains(err, robotics.FaultRefused) {
		t.Errorf("%v", err)
	}
}
