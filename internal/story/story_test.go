package story

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
)

// TestStory: arms carry something around, both give way when one of them is pushed, start again, and rest in the end.
func TestStory(t *testing.T) {
	c := cells.New(t, cells.Only(), cells.With(cells.Device{Name: "lwr", Kind: "kuka_lwr_sim"}), cells.With(cells.Device{Name: "lwr2", Kind: "kuka_lwr_sim"})).Free()
	first, second := c.Arm("lwr"), c.Arm("lwr2")
	robot := c.Connect()
	told, over := context.WithCancelCause(t.Context()) // until the story is over
	until := func(what string, s robotics.State) {
		t.Helper()
		wait := robotics.NewWaitForCancel()
		wait.OnEntered(s, robotics.Cancel(wait))
		if err := robot.Execute(told, wait); err != nil {
			t.Fatalf("until %s: %v, %v", what, err, context.Cause(told))
		}
	}
	both := func(of func(*actuator.Lightweight) robotics.State) robotics.State {
		return robotics.And(of(left), of(right))
	}
	controlled := func(s actuator.Strategy) robotics.State {
		return both(func(arm *actuator.Lightweight) robotics.State { return arm.Controlled(s) })
	}
	sideways := robotics.Component(robotics.Position(robotics.Pose(left.Flange(), left.Base())), robotics.Y)

	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		err := Tell(ctx, c.Connect())
		over(err)
		ended <- err
	}()
	for range 2 {
		until("they carry", robotics.Above(sideways, 0.1))
		until("they carry back", robotics.Below(sideways, -0.1))
		tell(ctx, c.URL(), "lwr2", "forces", "force", "{x:0,y:25,z:0}")
		until("they give way", controlled(actuator.ByCartesianSprings))
		tell(ctx, c.URL(), "lwr2", "forces", "force", "{x:0,y:0,z:0}")
		until("they are stiff", controlled(actuator.ByPosition))
	}
	until("they carry again", robotics.Above(sideways, 0.1))
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	first.Smooth()
	second.Smooth()
}

// TestPerform: after an emergency stop, wherever it hits, the program waits, says why, and starts again when the stop is
// released. When somebody ends it, it ends, and says so. Nothing is left of runs that failed.
func TestPerform(t *testing.T) {
	c := cells.New(t, cells.Only(), cells.With(cells.Device{Name: "lwr", Kind: "kuka_lwr_sim"}), cells.With(cells.Device{Name: "lwr2", Kind: "kuka_lwr_sim"})).Free()
	robot := c.Connect()
	until := func(what string, s robotics.State) {
		t.Helper()
		wait := robotics.NewWaitForCancel()
		wait.OnEntered(s, robotics.Cancel(wait))
		if err := robot.Execute(t.Context(), wait); err != nil {
			t.Fatalf("until %s: %v", what, err)
		}
	}
	sideways := robotics.Component(robotics.Position(robotics.Pose(left.Flange(), left.Base())), robotics.Y)
	said := make(chan string, 1000)
	hear := func(what string) {
		t.Helper()
		for {
			select {
			case why := <-said:
				if what == "" && why == "" || what != "" && strings.Contains(why, what) {
					return
				}
			case <-time.After(time.Minute):
				t.Fatalf("never said: %q", what)
			}
		}
	}
	happen := func(what string) {
		t.Helper()
		for _, arm := range arms {
			if err := c.Core.Devices.Tell(arm, "happen", map[string]string{"what": what}); err != nil {
				t.Fatal(err)
			}
		}
	}
	ended := make(chan error, 1)
	go func() { ended <- Perform(t.Context(), c.URL(), func(why string) { said <- why }) }()
	for _, hits := range []string{"carrying", "giving way", ""} {
		hear("")
		until("they carry", robotics.Above(sideways, 0.1))
		if hits == "giving way" {
			tell(t.Context(), c.URL(), "lwr2", "forces", "force", "{x:0,y:25,z:0}")
			until("they give way", robotics.And(left.Controlled(actuator.ByCartesianSprings), right.Controlled(actuator.ByCartesianSprings)))
			tell(t.Context(), c.URL(), "lwr2", "forces", "force", "{x:0,y:0,z:0}")
		}
		if hits != "" {
			happen("estop")
			hear("emergency stop")
			happen("release")
		}
	}
	bell, stop := c.Core.Changes.Watch()
	defer stop()
	for over := false; !over; {
		for _, n := range c.Core.Nets.All() { // again with each change: the program may just have been between two nets
			_ = n.Abort(t.Context())
		}
		select {
		case why := <-said:
			over = strings.Contains(why, "has ended: ")
		case <-bell:
		case <-time.After(time.Minute):
			t.Fatal("the program goes on without its nets")
		}
	}
	if err := <-ended; err == nil {
		t.Error("it has ended without a reason")
	}
}

// TestText: the program that is shown is short, and is the program.
func TestText(t *testing.T) {
	text := Text()
	if lines := strings.Count(text, "\n"); lines > 40 || !strings.HasPrefix(text, "// Tell has") || !strings.Contains(text, "func Tell(") {
		t.Errorf("%d lines\n%s", lines, text)
	}
}
