package robotics_test

import (
	"errors"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

// TestReadings: all joints are read at once, asked for and listened to, and compared.
func TestReadings(t *testing.T) {
	c := cells.New(t).Free()
	r := c.Connect()
	arm := kr16()
	var told [][]float64
	l, err := robotics.ListenAll(t.Context(), r, arm.CommandedAll(), func(at []float64) { told = append(told, at) })
	if err != nil {
		t.Fatal(err)
	}
	there := false
	move := robotics.Sequence(robotics.NewCommand(arm, motions.PTP{To: point}), robotics.NewWaitUntil(arm.At(point, 1e-4)))
	move.OnEntered(arm.At(point, 1e-4), robotics.External(func() { there = true }))
	if err := r.Execute(t.Context(), move); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(l.Stop(t.Context()), l.Stop(t.Context())); err != nil {
		t.Errorf("stopped twice: %v", err)
	}
	if n := len(told); n < 2 || !near(told[n-1], point, 1e-5) {
		t.Errorf("%d times, at last %v", n, told)
	}
	if at, err := robotics.Value(t.Context(), r, arm.MeasuredAll()); err != nil || !near(at, point, 1e-4) || !there {
		t.Errorf("at %v, %v, %t", at, err, there)
	}
	if vel, err := robotics.Value(t.Context(), r, arm.MeasuredVelocities()); err != nil || !near(vel, make([]float64, 6), 1e-2) {
		t.Errorf("moves at %v, %v", vel, err)
	}
	if vel, err := robotics.Value(t.Context(), r, arm.CommandedVelocity(2)); err != nil || vel != 0 {
		t.Errorf("is to move at %v, %v", vel, err)
	}
}

// TestMeasuredPose: of an arm that gives way it is measured where its flange is, which is not where it is commanded.
func TestMeasuredPose(t *testing.T) {
	c := cells.New(t).Free()
	r := c.Connect()
	arm := lwr()
	soft := actuator.CartesianImpedance{Stiffness: geom.Wrench{Force: geom.Vector{X: 500, Y: 500, Z: 500}}}
	if err := r.Execute(t.Context(), robotics.Sequence(
		robotics.NewCommand(arm, motions.PTP{To: bent}), robotics.NewCommand(arm, actuator.SwitchControl{To: soft}),
	)); err != nil {
		t.Fatal(err)
	}
	happen(t, c, "tip 0 0 5 0 0 0")
	waited := robotics.NewWaitUntil(robotics.Above(robotics.Component(robotics.Position(arm.MeasuredPose()), robotics.Z), robots.LWR4().Forward(bent).Pos.Z+0.005))
	if err := r.Execute(t.Context(), waited); err != nil {
		t.Fatal(err)
	}
	is, err := robotics.Value(t.Context(), r, arm.MeasuredPose())
	told, errTold := robotics.Value(t.Context(), r, robotics.Pose(arm.Flange(), arm.Base()))
	if away := is.Pos.Z - told.Pos.Z; err != nil || errTold != nil || away < 0.004 || away > 0.012 {
		t.Errorf("%v away, %v, %v", away, err, errTold)
	}
}

// TestReady: a command waits until a robot has power, also after an emergency stop.
func TestReady(t *testing.T) {
	for _, by := range [][2]string{{"off", "on"}, {"estop", "on"}} {
		c := cells.New(t)
		arm := lwr()
		happen(t, c, by[0])
		c.Pass(10)
		move := robotics.NewCommand(arm, motions.PTP{To: bent})
		both := robotics.Sequence(robotics.NewWaitUntil(arm.Ready()), move)
		r := trace(t, c, both, states{"ready": arm.Ready(), "off": arm.NoPower(), "moves": move.Started()}, nil)
		for range 100 {
			r.Step()
		}
		if r.Is("ready") || !r.Is("off") || r.Is("moves") {
			t.Fatalf("%s: %v", by[0], r.Values)
		}
		if by[0] == "estop" {
			happen(t, c, "release")
		}
		happen(t, c, by[1])
		for r.Step() {
		}
		if !r.Is("ready") || r.Is("off") || r.Is("failed") || !near(c.Where("lwr"), bent, 1e-6) {
			t.Errorf("%s: %v", by[0], r.Values)
		}
	}
}

// TestBaseReady: what holds for arms holds for bases.
func TestBaseReady(t *testing.T) {
	c := cells.New(t)
	base := actuator.NewBase("base")
	r := trace(t, c, robotics.NewWaitUntil(robotics.Not(base.Ready())), states{"ready": base.Ready()}, nil)
	for range 10 {
		if r.Step(); !r.Is("ready") {
			t.Fatal("it is not")
		}
	}
	if err := c.Core.Devices.Tell("base", "happen", map[string]string{"what": "off"}); err != nil {
		t.Fatal(err)
	}
	for n := 0; r.Step(); n++ {
		if n > 10 {
			t.Fatal("nothing happens")
		}
	}
}
