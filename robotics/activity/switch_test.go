package activity_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/activity"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

// clamped is a motion of joints while an axis of another arm is kept.
type clamped struct{ motions.PTP }

func (a clamped) MapAction(c *mapping.Context) mapping.Part {
	c.Add("RobotArm::JointPosition").Set("Robot", "tx90").Set("Axis", 0).Link("inActive", c.False().Port).Link("inPosition", c.Real(0).Port)
	return a.PTP.MapAction(c)
}

// TestNotSwitched: when the daemon cannot switch to a motion that is ready, what moves goes on to its end, and its caller hears why;
// the robot does what comes next.
func TestNotSwitched(t *testing.T) {
	const axis = "{off=Core::BooleanValue(Value='false'),at=Core::DoubleValue(Value='0')," +
		"axis=RobotArm::JointPosition(Robot='tx90',Axis='0',inPosition=at.outValue,inActive=off.outValue),outTerminate=off.outValue}"
	for name, tt := range map[string]struct {
		meddle  func(c *cell)
		account string
	}{
		"another program has taken what it needs": {func(c *cell) { c.Trace(axis) }, "is held by"},
		"somebody has removed it":                 {(*cell).unloadWaiting, "cannot be started"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCell(t)
			robot := c.kr16()
			c.come(robot)
			goal := place(0, 0.2, 0)
			x := c.pass(robot.Lin(goal, robot.Arm().Base(), slow).Blend(0.5))
			waits, early := c.asking(robot.Do(clamped{motions.PTP{To: home}}, robotics.End{Joints: home}))
			if early != nil {
				t.Fatal(early.err)
			}
			tt.meddle(c)
			for _, waiting := c.rules(); waiting > 0; _, waiting = c.rules() {
				c.Pass(1)
			}
			var failed *activity.SwitchError // who hears of it while the robot moves; when it rests the motion would begin there
			if b := <-waits; !errors.As(b.err, &failed) || !strings.Contains(failed.Account, tt.account) {
				t.Errorf("%v", b.err)
			}
			c.end(x)
			if at := model().Forward(c.Arm("kr16").At()); !at.Near(goal, 1e-6, 1e-6) {
				t.Errorf("at %v, not at %v", at, goal)
			}
			c.Free()
			if err := robot.PTP(home).Execute(t.Context()); err != nil {
				t.Error(err)
			}
			c.Arm("kr16").Smooth()
		})
	}
}

// unloadWaiting removes the net that a rule is to start.
func (c *cell) unloadWaiting() {
	c.t.Helper()
	all, _ := c.rules()
	for _, name := range all[len(all)-1].Request().Start {
		n, err := c.Core.Nets.Get(name)
		if err != nil {
			c.t.Fatal(err)
		}
		if err := n.Unload(c.t.Context()); err != nil {
			c.t.Fatal(err)
		}
	}
}
