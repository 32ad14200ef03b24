package multijoint_test

import (
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/multijoint"
	"github.com/softrobot-rcc/rccd/rcc/device/ports"
	"github.com/softrobot-rcc/rccd/rcc/device/setpoint"
)

// table is a device with nothing but joints.
type table struct{ *multijoint.Group }

func (table) Status() device.Status                         { return device.Status{} }
func (table) Close() error                                  { return nil }
func (table) SetTool(int, device.Tool) uint64               { return 0 }
func (table) ToolDone(int, uint64) (done bool, fault int32) { return true, 0 }

// robot is one with all that is announced.
type robot struct {
	table
	*ports.Image
}

func (robot) Arm() *kinematics.Arm { return nil }

const cycle = time.Millisecond

func newTable(t *testing.T) (table, *setpoint.Axes) {
	t.Helper()
	joint := kinematics.Joint{Name: "A1", Min: -1, Max: 1, Velocity: 2, Acceleration: 20}
	axes, err := setpoint.New([]kinematics.Joint{joint, joint}, []float64{0.25, -0.5}, setpoint.Options{Cycle: cycle})
	if err != nil {
		t.Fatal(err)
	}
	return table{multijoint.New(axes)}, axes
}

// TestReport: what a driver reports of a joint is what readers get, of that joint only.
func TestReport(t *testing.T) {
	d, _ := newTable(t)
	is := device.JointState{
		Commanded: device.JointMotion{Pos: 1, Vel: -2, Acc: 3}, Measured: device.JointMotion{Pos: -4, Vel: 5, Acc: -6}, Fault: -7,
	}
	d.Report(1, is)
	if got := d.Joint(1); got != is {
		t.Errorf("%+v instead of %+v", got, is)
	}
	if got := d.Joint(0); got != (device.JointState{}) {
		t.Errorf("%+v of a joint of which nothing was reported", got)
	}
	for _, joint := range []int{-1, d.Joints()} {
		d.Report(joint, is)
		if got := d.Joint(joint); got != (device.JointState{Fault: device.JointFailed}) {
			t.Errorf("joint %d, which is none: %+v", joint, got)
		}
	}
	if n := alloc.Least(func() { d.Report(0, is); d.Joint(0) }); n != 0 {
		t.Errorf("%d allocations", n)
	}
}

// TestCommand: what nets command comes to the driver, within limits.
func TestCommand(t *testing.T) {
	d, axes := newTable(t)
	if d.CheckPosition(0, 1) != device.PositionGood || d.CheckPosition(0, 1.1) != device.PositionOutOfRange {
		t.Error("limits of the joint are not those of the group")
	}
	values := make([]float64, d.Joints())
	at, now := 0.25, int64(1e18)
	for n := range uint64(20) {
		at += 1e-6
		d.CommandPosition(0, at, device.Instant{Time: now, Period: cycle.Seconds(), Cycle: n})
		axes.Values(now, values)
		now += int64(cycle)
	}
	if !(values[0] > 0.25 && values[0] <= at) || values[1] != -0.5 {
		t.Errorf("%v; joint 0 was commanded from 0.25 to %v, joint 1 was not", values, at)
	}
}

func TestAnnounce(t *testing.T) {
	d, _ := newTable(t)
	for _, test := range []struct {
		of   device.MultiJoint
		want []string
	}{
		{d, []string{device.RobotArm, device.MultiJointAlias}},
		{robot{d, ports.New(device.Ports{DigitalIn: 3})}, []string{device.ArmKinematicsName, device.RobotArm, device.MultiJointAlias, device.IOName}},
	} {
		list := multijoint.Announce(test.of)
		if len(list) != len(test.want) {
			t.Errorf("%v instead of %v", list, test.want)
			continue
		}
		for i, name := range test.want {
			if list[i].Name != name {
				t.Errorf("%s instead of %s", list[i].Name, name)
			}
			if name == device.RobotArm && list[i].Params["jointcount"] != "2" {
				t.Errorf("%v of two joints", list[i])
			}
		}
	}
}
