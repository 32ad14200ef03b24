package robotics_test

import (
	"errors"
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/motion/path"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// TestWalk: a way is gone to its end with the model, or it is told where on it and why not; what is not known is not judged.
func TestWalk(t *testing.T) {
	arm := kr16()
	walk := func(arm *robotics.Arm, in *world.Frame, to geom.Frame, l robotics.CartesianLimits) ([]float64, error) {
		line, err := path.Line(poseAt(point), to)
		if err != nil {
			t.Fatal(err)
		}
		return arm.Walk(robotics.Way{Path: line, Of: arm.Flange(), In: in, Limits: l}, point)
	}
	up, far := poseAt(point), poseAt(point)
	up.Pos.Z, far.Pos.X = up.Pos.Z+0.1, 5
	end, err := walk(arm, arm.Base(), up, slow)
	if err != nil || !robots.KR16().Forward(end).Near(up, 1e-9, 1e-9) {
		t.Errorf("%v, %v", end, err)
	}
	var way *robotics.WayError
	slowest := robotics.CartesianLimits{Vel: 1e-6, Acc: 1, Jerk: 1, RotVel: 1, RotAcc: 1, RotJerk: 1} // singular poses do not matter
	if _, err = walk(arm, arm.Base(), far, slowest); !errors.As(err, &way) || !(errors.Is(err, robotics.ErrReach) || errors.Is(err, robotics.ErrBeyond)) || way.Share <= 0 {
		t.Errorf("%v", err)
	}
	fast := robotics.CartesianLimits{Vel: 50, Acc: 1e5, Jerk: math.Inf(1), RotVel: 50, RotAcc: 1e5, RotJerk: math.Inf(1)}
	if _, err = walk(arm, arm.Base(), up, fast); !errors.Is(err, robotics.ErrTooFast) || !errors.As(err, &way) || way.Joint < 0 {
		t.Errorf("%v", err)
	}
	if end, err = walk(arm, world.NewFrame("nowhere"), far, slow); end != nil || err != nil {
		t.Errorf("%v, %v", end, err)
	}
	if end, err = walk(robotics.NewArm("kr16", nil), arm.Base(), far, slow); end != nil || err != nil {
		t.Errorf("%v, %v", end, err)
	}
}
