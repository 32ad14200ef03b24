package robotics_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

// TestExecute: who ends the context of a motion ends the motion as well, and hears of it when everything is at rest.
func TestExecute(t *testing.T) {
	c := cells.New(t).Free()
	r := c.Connect()
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	ended := false
	move := robotics.NewCommand(kr16(), motions.JointHold{})
	move.OnEntered(move.Active(), robotics.External(func() { cancel(enough) }))
	move.OnEntered(move.Completed(), robotics.External(func() { ended = true }))
	if err := r.Execute(ctx, move); !errors.Is(err, enough) || !ended {
		t.Errorf("%v, ended: %t", err, ended)
	}
	if err := r.Execute(t.Context(), robotics.NewWait(time.Second)); err != nil {
		t.Errorf("%v", err)
	}
	if err := r.Execute(ctx, robotics.NewWait(time.Second)); !errors.Is(err, context.Canceled) {
		t.Errorf("begun without time: %v", err)
	}
}
