package robotics_test

import (
	"errors"
	"testing"

	"github.com/softrobot-rcc/rccd/directio/client"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

// TestReferred: a command that another one takes over is not forgotten while that one is being loaded, and no net is loaded that refers to
// one that is forgotten already: the daemon would reject it.
func TestReferred(t *testing.T) {
	c := cells.New(t).Free()
	r := c.Connect()
	arm := kr16()
	first, err := r.Start(t.Context(), robotics.NewCommand(arm, motions.JointHold{}, robotics.HandOver(true)))
	if err != nil {
		t.Fatal(err)
	}
	release, err := robotics.Refer(first)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := first.Net().Wait(t.Context(), client.Terminated); err != nil {
		t.Fatal(err)
	}
	takesOver := robotics.NewCommand(arm, motions.JointHold{}, robotics.TakeOver{Of: first})
	for range 20 { // long enough for it to be forgotten
		second, err := r.Load(t.Context(), takesOver)
		if err != nil {
			t.Errorf("it was forgotten: %v", err)
			break
		}
		if err := second.Forget(t.Context()); err != nil {
			t.Error(err)
		}
	}
	release()
	<-first.Ended()

	var rejected *client.RefusedError
	if third, err := r.Load(t.Context(), takesOver); third != nil || !errors.Is(err, client.ErrUnloaded) || errors.As(err, &rejected) {
		t.Errorf("loaded after the other one was forgotten: %v", err)
	}
}
