package activity_test

import (
	"errors"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/motion/path"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/activity"
)

// TestFindRobot: a robot has the model of its device, and the defaults that were given.
func TestFindRobot(t *testing.T) {
	c := newCell(t)
	robot, err := activity.FindRobot(t.Context(), c.r, "kr16", robotics.Speed(0.3), robotics.Slowest(0.2))
	if err != nil {
		t.Fatal(err)
	}
	if at := robot.Arm().Limits(robotics.JointLimits{}); len(at.Vel) != model().Len() {
		t.Errorf("limits %v", at)
	}
	speed := robotics.Speed(0)
	for _, p := range robot.Arm().Defaults() {
		if s, is := p.(robotics.Speed); is && speed == 0 {
			speed = s
		}
	}
	if speed != 0.3 {
		t.Errorf("speed %v", speed)
	}
	if _, err := activity.FindRobot(t.Context(), c.r, ""); !errors.Is(err, robotics.ErrNoDevice) {
		t.Errorf("no device: %v", err)
	}
}

// TestOrientation: an arc ends with the orientation that it begins with, or with that of its goal.
func TestOrientation(t *testing.T) {
	turned := place(0, 0.2, 0)
	turned.Rot = turned.Rot.Mul(geom.FromABC(0.3, 0, 0))
	for name, tt := range map[string]struct {
		params []robotics.ArcParam
		ends   geom.Frame
	}{
		"turning":  {[]robotics.ArcParam{slow}, turned},
		"constant": {[]robotics.ArcParam{slow, activity.Orientation(path.Constant)}, place(0, 0.2, 0)},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCell(t)
			robot := c.kr16()
			c.come(robot)
			c.end(c.pass(robot.Circ(place(0, 0.1, 0.1).Pos, turned, robot.Arm().Base(), tt.params...)))
			if at := model().Forward(c.Arm("kr16").At()); !at.Near(tt.ends, 1e-3, 1e-3) {
				t.Errorf("at %v, not %v", at, tt.ends)
			}
		})
	}
}
