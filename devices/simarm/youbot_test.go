package simarm_test

import (
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/devices/simarm"
	"github.com/softrobot-rcc/rccd/internal/testkit/conform"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// springy opens an arm of a youBot, of which joint 1 is held as configured.
func springy(t *testing.T, is device.DriveSpring) (*simarm.YouBot, func(n int)) {
	t.Helper()
	d := open(t, "kuka_youbot_arm_sim", params{"home_joint": "[3,1,-2,2,3]"})
	y, cycle := d.(*simarm.YouBot), conform.Ticking(d).Cycle
	cycle()
	y.SetDriveSpring(1, is)
	y.SetController(device.ControlImpedance)
	if y.Controller() != device.ControlImpedance || y.DriveSpring(1) != is {
		t.Fatal(y.Controller(), y.DriveSpring(1))
	}
	return y, func(n int) {
		for range n {
			cycle()
		}
	}
}

// TestDriveSprings: a joint gives way by torque through stiffness, and comes back.
func TestDriveSprings(t *testing.T) {
	y, cycles := springy(t, device.DriveSpring{Stiffness: 40, Damping: 0.7, Add: 1})
	y.Plant().Push(1, 3)
	cycles(2000)
	if got := y.Joint(1).Measured.Pos; math.Abs(got-1.1) > 1e-6 {
		t.Errorf("it has given way to %v, not 1.1", got)
	}
	y.SetController(device.ControlPosition)
	if y.Controller() != device.ControlImpedance {
		t.Error("the joint would jump")
	}
	y.Plant().Push(1, -1)
	cycles(2000)
	if got := y.Joint(1).Measured.Pos; math.Abs(got-1) > 1e-6 {
		t.Errorf("it has come back to %v, not 1", got)
	}
	y.SetController(2)
	y.SetController(device.ControlPosition)
	if y.Controller() != device.ControlPosition {
		t.Error("it is where it is commanded")
	}
}

// TestDriveGivesUp: a drive that may not exert more lets go, up to the end of the joint.
func TestDriveGivesUp(t *testing.T) {
	y, cycles := springy(t, device.DriveSpring{Stiffness: 40, Damping: 0.7, Max: 2})
	y.Plant().Push(1, 1.9)
	cycles(3000)
	if got := y.Joint(1).Measured.Pos; math.Abs(got-1-1.9/40) > 1e-6 {
		t.Errorf("%v", got)
	}
	y.Plant().Push(1, 3)
	cycles(5000)
	end := y.Arm().Chain.Joint(1).Max
	if got := y.Joint(1).Measured.Pos; math.Abs(got-end) > 1e-6 {
		t.Errorf("it has stopped at %v, the end is %v", got, end)
	}
}

func TestDriveSpringsRefused(t *testing.T) {
	good := device.DriveSpring{Stiffness: 40, Damping: 0.7, Max: 2}
	y, _ := springy(t, good)
	for _, bad := range []device.DriveSpring{
		{Stiffness: -1}, {Damping: -0.1}, {Damping: 1.1}, {Max: -1}, {Stiffness: math.NaN()}, {Add: math.Inf(1)},
	} {
		if y.SetDriveSpring(1, bad); y.DriveSpring(1) != good {
			t.Errorf("%+v: %+v", bad, y.DriveSpring(1))
		}
	}
	for _, joint := range []int{-1, 5} {
		if y.SetDriveSpring(joint, good); y.DriveSpring(joint) != (device.DriveSpring{}) || y.SlaveFlags(joint) != 0 {
			t.Errorf("joint %d", joint)
		}
	}
}

// TestSlaveFlags: the flags of drives follow from their state.
func TestSlaveFlags(t *testing.T) {
	y, cycles := springy(t, device.DriveSpring{Stiffness: 40})
	const ready = 1 << device.SlaveInitialised
	for _, step := range []struct {
		do   func()
		want uint32
	}{
		{func() {}, ready | 1<<device.SlaveTorque | 1<<device.SlaveReached},
		{func() { y.SetController(device.ControlPosition) }, ready | 1<<device.SlavePosition | 1<<device.SlaveReached},
		{func() { y.Plant().Fail(1, device.JointFailed) }, ready | 1<<device.SlaveOvercurrent | 1<<device.SlaveHalted | 1<<device.SlaveReached},
		{func() { y.Plant().Fail(1, 0); y.Plant().Power(false) }, ready | 1<<device.SlaveHalted | 1<<device.SlaveReached},
	} {
		step.do()
		cycles(1)
		if got := y.SlaveFlags(1); got != step.want || y.Slaves() != 5 {
			t.Errorf("%b, not %b", got, step.want)
		}
	}
}
