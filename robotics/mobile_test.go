package robotics_test

import (
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/internal/testkit/race"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/motions"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// TestMobile: an arm on a base that drives and turns holds its tool where that is in the hall. It makes up for the distance while
// the base accelerates and brakes.
func TestMobile(t *testing.T) {
	race.Skip(t, "long motions one after another; TestDriveTo races one")
	c := cells.New(t)
	base, arm := actuator.NewBase("base"), actuator.NewArm("tx90", robots.TX90L())
	if _, err := world.Relate(base.Body(), arm.Base(), geom.Frame{Pos: geom.Vector{X: 0.1, Z: 0.4}}); err != nil {
		t.Fatal(err)
	}
	hall := world.NewFrame("hall")
	if _, err := world.Relate(hall, base.Origin(), geom.Frame{Pos: geom.Vector{X: 3, Y: 1}, Rot: geom.FromABC(1, 0, 0)}); err != nil {
		t.Fatal(err)
	}
	come := robotics.NewCommand(arm, motions.PTP{To: []float64{0, 0.5, 1.5, 0, 0.5, 0}})
	drive := robotics.NewCommand(base, motions.DriveTo{To: geom.Frame{Pos: geom.Vector{X: 0.15, Y: 0.1}, Rot: geom.FromABC(0.3, 0, 0)}, In: base.Origin()})
	hold, rest := robotics.NewCommand(arm, motions.CartesianHold{In: hall}), robotics.NewWait(time.Second)
	all := robotics.NewTransaction(hold, drive, rest)
	all.AddStart(come)
	all.OnEntered(come.Completed(), robotics.Start(hold), robotics.Start(drive))
	all.OnEntered(drive.Completed(), robotics.Start(rest))
	all.OnEntered(rest.Completed(), robotics.Cancel(hold))
	sensors := place(arm.Flange(), hall)
	sensors["driven"] = robotics.Length(robotics.Position(robotics.Pose(base.Body(), base.Origin())))
	r := trace(t, c, all, states{"hold": hold.Active()}, sensors)
	var first geom.Vector
	most, held := 0.0, 0
	for r.Step() {
		if !r.Is("hold") {
			continue
		}
		if held++; held == 1 {
			first = placed(r)
		}
		most = max(most, placed(r).Sub(first).Length())
	}
	if left := placed(r).Sub(first).Length(); r.Is("failed") || held < 500 || most > 0.02 || left > 1e-4 || r.Number("driven") < 0.15 {
		t.Errorf("held for %d cycles, %v away at most, %v in the end: %v", held, most, left, r.Values)
	}
	c.Arm("tx90").Smooth()
}

// TestJaws: the gripper of a youBot opens and closes; one that cannot is cancelled.
func TestJaws(t *testing.T) {
	c := cells.New(t, cells.With(cells.Device{Name: "jaws", Kind: "kuka_youbot_gripper_sim"})).Free()
	r := c.Connect()
	jaws := actuator.Jaws{Device: "jaws"}
	for _, distance := range []float64{0.02, 0, 0.01} {
		if err := r.Execute(t.Context(), robotics.NewCommand(jaws, actuator.OpenJaws{Distance: distance})); err != nil {
			t.Fatal(err)
		}
		if is, err := robotics.Value(t.Context(), r, jaws.Distance()); err != nil || is < distance-1e-4 || is > distance+1e-4 {
			t.Errorf("at %v, not at %v, %v", is, distance, err)
		}
	}
	if err := c.Core.Devices.Tell("jaws", "happen", map[string]string{"what": "fail"}); err != nil {
		t.Fatal(err)
	}
	open := robotics.NewCommand(jaws, actuator.OpenJaws{Distance: 0.023})
	if err := r.Execute(t.Context(), cancelAfter(open, time.Second)); err != nil {
		t.Error(err)
	}
}
