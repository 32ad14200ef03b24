package conform

import (
	"math/rand/v2"
	"testing"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Kinematics checks arms that know where they are.
func Kinematics(t *testing.T, open func(t *testing.T) device.ArmKinematics) {
	t.Helper()
	t.Run("announced", func(t *testing.T) { kinematicsAnnounced(t, open(t)) })
	t.Run("there and back", func(t *testing.T) { kinematicsThereAndBack(t, open(t)) })
	t.Run("limits", func(t *testing.T) { kinematicsLimits(t, open(t)) })
}

func kinematicsAnnounced(t *testing.T, d device.ArmKinematics) {
	t.Helper()
	for _, i := range d.Interfaces() {
		if i.Name == device.ArmKinematicsName {
			return
		}
	}
	t.Errorf("%v does not announce %s", d.Interfaces(), device.ArmKinematicsName)
}

// kinematicsThereAndBack: joints that are found from nearby lead to the pose.
func kinematicsThereAndBack(t *testing.T, d device.ArmKinematics) {
	t.Helper()
	arm, rnd := d.Arm(), rand.New(rand.NewPCG(7, 7))
	q, hint, found := make([]float64, arm.Len()), make([]float64, arm.Len()), make([]float64, arm.Len())
	for range 200 {
		for i := range q {
			j := arm.Joint(i)
			low, high := max(j.Min, -3), min(j.Max, 3)
			q[i] = low + (high-low)*(0.05+0.9*rnd.Float64())
			hint[i] = q[i] + 0.01*rnd.NormFloat64()
		}
		want := arm.Forward(q)
		if s := arm.Solver.Nearest(&want, hint, found); !s.Good() {
			t.Fatalf("%v: %v", q, s)
		}
		if got := arm.Forward(found); !got.Near(want, 1e-6, 1e-6) {
			t.Fatalf("%v leads to %v instead of %v", found, got, want)
		}
	}
}

// kinematicsLimits: those of the kinematics are those of the joints.
func kinematicsLimits(t *testing.T, d device.ArmKinematics) {
	t.Helper()
	joints, ok := d.(device.MultiJoint)
	if !ok {
		return
	}
	arm := d.Arm()
	if arm.Len() != joints.Joints() {
		t.Fatalf("%d joints, but the kinematics have %d", joints.Joints(), arm.Len())
	}
	for i := range arm.Len() {
		j := arm.Joint(i)
		for _, inside := range []float64{j.Min, j.Max, (j.Min + j.Max) / 2} {
			if f := joints.CheckPosition(i, inside); f != device.PositionGood {
				t.Errorf("joint %d at %v: %v", i, inside, f)
			}
		}
		for _, outside := range []float64{j.Min - 1e-3, j.Max + 1e-3} {
			if f := joints.CheckPosition(i, outside); f != device.PositionOutOfRange {
				t.Errorf("joint %d at %v: %v", i, outside, f)
			}
		}
	}
}
