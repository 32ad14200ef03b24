package robotics_test

import (
	"errors"
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/motion/path"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// TestWalk: a path is followed to its end with the model, or the error says where it fails and why; what is not known is not judged.
func TestWalk(t *testing.T) {
	arm := kr16()
	walk := func(arm *actuator.Arm, in *world.Frame, to geom.Frame, l robotics.CartesianLimits) ([]float64, error) {
		line, err := path.Line(poseAt(point), to)
		if err != nil {
			t.Fatal(err)
		}
		end, _, err := arm.Walk(actuator.FramePath{Path: line, Of: arm.Flange(), In: in, Limits: l}, point)
		return end, err
	}
	up, far := poseAt(point), poseAt(point)
	up.Pos.Z, far.Pos.X = up.Pos.Z+0.1, 5
	end, err := walk(arm, arm.Base(), up, slow)
	if err != nil || !robots.KR16().Forward(end).Near(up, 1e-9, 1e-9) {
		t.Errorf("%v, %v", end, err)
	}
	var way *actuator.PathError
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
	if end, err = walk(actuator.NewArm("kr16", nil), arm.Base(), far, slow); end != nil || err != nil {
		t.Errorf("%v, %v", end, err)
	}
}

// TestWalkSlower: what joints can follow at a share of the speed they can follow with limits of that share, and hardly any faster.
func TestWalkSlower(t *testing.T) {
	arm, to := kr16(), poseAt(point)
	to.Pos.Y += 0.5
	line, err := path.Line(poseAt(point), to)
	if err != nil {
		t.Fatal(err)
	}
	fast := robotics.CartesianLimits{Vel: 5, Acc: 50, Jerk: 500, RotVel: 5, RotAcc: 50, RotJerk: 500}
	walk := func(l robotics.CartesianLimits, joints robotics.JointLimits, slowest robotics.Slowest) (float64, error) {
		_, share, err := arm.Walk(actuator.FramePath{Path: line, Of: arm.Flange(), In: arm.Base(), Limits: l, Joints: joints, Slowest: slowest}, point)
		return share, err
	}
	for name, joints := range map[string]robotics.JointLimits{
		"its own":      {},
		"velocity":     {Vel: []float64{0.2, 0, 0, 0, 0, 0}},
		"acceleration": {Acc: []float64{0, 0, 0.5, 0, 0, 0}},
		"jerk":         {Jerk: []float64{2, 2, 2, 2, 2, 2}},
	} {
		share, err := walk(fast, joints, 0.01)
		if err != nil || !(share > 0.01 && share < 0.9) {
			t.Errorf("%s: at %v, %v", name, share, err)
		}
		if again, err := walk(fast.Slower(share), joints, 0); err != nil || again != 1 {
			t.Errorf("%s: %v times as fast: at %v, %v", name, share, again, err)
		}
		var way *actuator.PathError
		if _, err = walk(fast.Slower(1.03*share), joints, 0); !errors.As(err, &way) || !errors.Is(err, robotics.ErrTooFast) || !(way.Speed > 0.9 && way.Speed < 1) {
			t.Errorf("%s: %v times as fast: %v", name, 1.03*share, err)
		}
	}
	if _, err := walk(fast, robotics.JointLimits{}, 1.5); !errors.Is(err, robotics.ErrShare) {
		t.Error(err)
	}
	withoutJerk := fast
	withoutJerk.Jerk, withoutJerk.RotJerk = math.Inf(1), math.Inf(1)
	if share, err := walk(withoutJerk, robotics.JointLimits{Jerk: []float64{1, 1, 1, 1, 1, 1}}, 0.01); err != nil || share < 0.1 {
		t.Errorf("at %v, %v", share, err)
	}
}
