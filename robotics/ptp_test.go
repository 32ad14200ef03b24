package robotics_test

import (
	"errors"
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

func kr16() *actuator.Arm { return actuator.NewArm("kr16", model()) }

func model() *kinematics.Arm { return robots.KR16() }

// point is where the KR 16 can be, and stands well.
var point = []float64{0.3, -1.5, 1.5, 0, 1, 0}

func near(a, b []float64, by float64) bool {
	for i := range a {
		if !(math.Abs(a[i]-b[i]) <= by) {
			return false
		}
	}
	return len(a) == len(b)
}

// TestPTP: from an application to a robot that has moved.
func TestPTP(t *testing.T) {
	c := cells.New(t).Free()
	r := c.Connect()
	for _, sync := range []robotics.Sync{robotics.Asynchronous, robotics.Synchronous, robotics.FullySynchronous} {
		goal := append([]float64{}, point...)
		goal[0] += float64(len(sync)) / 50
		if err := r.Execute(t.Context(), robotics.NewCommand(kr16(), motions.PTP{To: goal, Sync: sync})); err != nil {
			t.Fatal(sync, err)
		}
		if at := c.Where("kr16"); !near(at, goal, 1e-4) {
			t.Errorf("%s: at %v, not at %v", sync, at, goal)
		}
	}
}

// TestPTPFrom: a motion that does not begin where the robot is moves nothing.
func TestPTPFrom(t *testing.T) {
	c := cells.New(t).Free()
	r := c.Connect()
	arm := kr16()
	before := c.Where("kr16")
	err := r.Execute(t.Context(), robotics.NewCommand(arm, motions.PTP{From: point, To: point}))
	var fault *robotics.FaultError
	if !errors.As(err, &fault) || fault.Fault != motions.FaultStart || fault.Of != "kr16" {
		t.Errorf("%v", err)
	}
	if at := c.Where("kr16"); !near(at, before, 0) {
		t.Errorf("moved to %v", at)
	}
	if err := r.Execute(t.Context(), robotics.NewCommand(arm, motions.PTP{From: before, To: point})); err != nil {
		t.Error(err)
	}
}

// TestCancel: a cancelled motion comes to rest on its way, and a motion after it begins there.
func TestCancel(t *testing.T) {
	c := cells.New(t)
	arm, far := kr16(), []float64{2.5, -1.5, 1.5, 0, 1, 0}
	from := c.Where("kr16")
	first := robotics.NewCommand(arm, motions.PTP{To: far, Sync: robotics.FullySynchronous})
	second := robotics.NewCommand(arm, motions.PTP{To: from})
	both := robotics.Sequence(first, second)
	both.OnEntered(robotics.Above(arm.Measured(0), far[0]/10), robotics.Cancel(first))
	watch := map[string]robotics.Sensor[float64]{"q0": last(arm, 0), "q4": last(arm, 4)}
	r := trace(t, c, both, states{"done": first.Completed(), "last": second.Completed()}, watch)
	turned := 0.0
	for r.Step() {
		q0, q4 := r.Number("q0"), r.Number("q4")
		turned = max(turned, q0)
		if !r.Is("done") && math.Abs(q4*far[0]-q0*far[4]) > 1e-9 {
			t.Fatalf("cycle %d: %v and %v are not on the line", r.Cycle, q0, q4)
		}
	}
	if !(turned > far[0]/10 && turned < far[0]/2) {
		t.Errorf("turned by %v", turned)
	}
	if !r.Is("last") {
		t.Error("the second motion has not come to its end")
	}
}
