package story

import (
	"context"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/robotics"
)

// TestStory: arms carry something around, give way both when one of them is pushed, begin anew, and rest in the end.
func TestStory(t *testing.T) {
	c := cells.New(t, cells.Only(), cells.With(cells.Device{Name: "lwr", Kind: "kuka_lwr_sim"}), cells.With(cells.Device{Name: "lwr2", Kind: "kuka_lwr_sim"})).Free()
	first, second := c.Arm("lwr"), c.Arm("lwr2")
	robot := c.Connect()
	until := func(what string, s robotics.State) {
		t.Helper()
		wait := robotics.NewWaitForCancel()
		wait.OnEntered(s, robotics.Cancel(wait))
		if err := robot.Execute(t.Context(), wait); err != nil {
			t.Fatalf("until %s: %v", what, err)
		}
	}
	both := func(of func(*robotics.Lightweight) robotics.State) robotics.State {
		return robotics.And(of(left), of(right))
	}
	controlled := func(s robotics.Strategy) robotics.State {
		return both(func(arm *robotics.Lightweight) robotics.State { return arm.Controlled(s) })
	}
	sideways := robotics.Component(robotics.Position(robotics.Pose(left.Flange(), left.Base())), robotics.Y)

	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- Tell(ctx, c.Connect()) }()
	for range 2 {
		until("they carry", robotics.Above(sideways, 0.1))
		until("they carry back", robotics.Below(sideways, -0.1))
		feel(ctx, c.URL(), "{x:0,y:25,z:0}")
		until("they give way", controlled(robotics.ByCartesianSprings))
		feel(ctx, c.URL(), "{x:0,y:0,z:0}")
		until("they are stiff", controlled(robotics.ByPosition))
	}
	until("they carry again", robotics.Above(sideways, 0.1))
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	first.Smooth()
	second.Smooth()
}

// TestText: the program that is shown is short, and is the program.
func TestText(t *testing.T) {
	text := Text()
	if lines := strings.Count(text, "\n"); lines > 40 || !strings.HasPrefix(text, "// Tell has") || !strings.Contains(text, "func Tell(") {
		t.Errorf("%d lines\n%s", lines, text)
	}
}
