package robotics_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/directio/client"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

// jointsOfKR16 returns its joints, of which something is changed.
func jointsOfKR16(change func(j []kinematics.Joint)) *actuator.Joints {
	var list []kinematics.Joint
	for i := range robots.KR16().Len() {
		list = append(list, robots.KR16().Joint(i))
	}
	change(list)
	return actuator.NewJoints("kr16", list)
}

// TestModel: a difference from the device's model is reported before anything moves, in one sentence.
func TestModel(t *testing.T) {
	c := cells.New(t, cells.With(cells.Device{Name: "jerky", Kind: "kuka_kr_arm_sim", Params: map[string]string{"max_jerk": "[90,90,90,90,90,90]"}})).Free()
	r := c.Connect()
	hold := func(a robotics.Actuator) robotics.Command {
		h := robotics.NewCommand(a, motions.JointHold{})
		h.OnEntered(h.Active(), robotics.Cancel(h))
		return h
	}
	for _, tt := range []struct {
		name string
		of   robotics.Actuator
		want string
	}{
		{"another arm", actuator.NewArm("tx90", robots.TX90()), "tx90: joint J3: place of its axis where all joints are at 0, m: {x:0.05,y:0,z:0.903} in the model of the application, {x:0.05,y:0,z:0.978} in the device"},
		{"another maker", actuator.NewArm("kr16", robots.UR5()), "kr16: joint shoulder_pan: direction of its axis where all joints are at 0: {x:0,y:0,z:1} in the model of the application, {x:0,y:0,z:-1} in the device"},
		{"more joints", actuator.NewArm("kr16", robots.LWR4()), "kr16: number of joints: 7 in the model of the application, 6 in the device"},
		{"another kind", jointsOfKR16(func(j []kinematics.Joint) { j[5].Kind = kinematics.Prismatic }), "kr16: joint A6: kind: prismatic in the model of the application, revolute in the device"},
		{"too far", jointsOfKR16(func(j []kinematics.Joint) { j[1].Max = 1 }), "kr16: joint A2: greatest position: 1 rad in the model of the application, 0.610865 rad in the device"},
		{"too far back", jointsOfKR16(func(j []kinematics.Joint) { j[1].Min -= 0.001 }), "kr16: joint A2: least position: -2.70626 rad in the model of the application, -2.70526 rad in the device"},
		{"too fast", jointsOfKR16(func(j []kinematics.Joint) { j[2].Velocity = 3; j[3].Velocity = 99 }), "kr16: joint A3: limit of velocity: 3 rad/s in the model of the application, 2.72271 rad/s in the device"},
		{"too hasty", jointsOfKR16(func(j []kinematics.Joint) { j[0].Acceleration = 99 }), "kr16: joint A1: limit of acceleration: 99 rad/s² in the model of the application, "},
		{"too jerky", actuator.NewJoints("jerky", withoutJerk()), "jerky: joint A1: limit of jerk: none in the model of the application, 90 rad/s³ in the device"},
		{"narrower", jointsOfKR16(func(j []kinematics.Joint) { j[1].Max, j[2].Velocity, j[3].Acceleration = 0.5, 1, 1 }), ""},
		{"the same", kr16(), ""},
	} {
		err := r.Execute(t.Context(), hold(tt.of))
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%s: %v", tt.name, err)
		case tt.want == "":
		case !errors.Is(err, robotics.ErrModel) || !errors.As(err, new(*actuator.ModelError)) || !strings.HasPrefix(err.Error(), tt.want) || strings.Count(err.Error(), "\n") > 0:
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	var kind *client.KindError
	if err := r.Execute(t.Context(), hold(actuator.NewArm("io", robots.KR16()))); !errors.As(err, &kind) || err.Error() != `io: device "io" does not offer robotarm: it is of type io_sim and offers io` {
		t.Errorf("no arm: %v", err)
	}
	if err := r.Execute(t.Context(), hold(actuator.NewArm("kr17", robots.KR16()))); !errors.As(err, new(*client.RefusedError)) || strings.Count(err.Error(), "no such device") != 1 {
		t.Errorf("no device: %v", err)
	}
	if _, err := robotics.Value(t.Context(), r, robotics.Pose(actuator.NewArm("tx90", robots.TX90()).Flange(), actuator.NewArm("tx90", robots.TX90()).Base())); err == nil {
		t.Error("frames of different arms have nothing to do with each other")
	}
	wrong := actuator.NewArm("tx90", robots.TX90())
	if _, err := robotics.Value(t.Context(), r, robotics.Pose(wrong.Flange(), wrong.Base())); !errors.Is(err, robotics.ErrModel) {
		t.Errorf("where the flange is: %v", err)
	}
}

func withoutJerk() (list []kinematics.Joint) {
	for i := range robots.KR16().Len() {
		j := robots.KR16().Joint(i)
		j.Jerk = 0
		list = append(list, j)
	}
	return list
}

// TestModelOfDevice: applications need no model; that of the device can do the same.
func TestModelOfDevice(t *testing.T) {
	c := cells.New(t, cells.With(cells.Device{Name: "own", Kind: "kuka_kr_arm_sim", Params: map[string]string{"max_vel": "[1,1,1,1,1,1]"}})).Free()
	r := c.Connect()
	for name, model := range map[string]*kinematics.Arm{"kr16": robots.KR16(), "tx90": robots.TX90L(), "lwr": robots.LWR4(), "own": robots.KR16()} {
		arm, err := actuator.FindArm(t.Context(), r, name, robotics.Speed(0.5))
		if err != nil {
			t.Fatal(err)
		}
		goal := make([]float64, arm.Len())
		copy(goal, []float64{0.3, -1.2, 1.2, 0.1, 0.7, 0.2, 0.1})
		if err := r.Execute(t.Context(), robotics.NewCommand(arm, motions.PTP{To: goal})); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		at, err := robotics.Value(t.Context(), r, robotics.Pose(arm.Flange(), arm.Base()))
		if want := model.Forward(goal); err != nil || !at.Near(want, 1e-3, 1e-3) {
			t.Errorf("%s is at %v, not at %v: %v", name, at, want, err)
		}
		up := motions.LIN{To: geom.Frame{Pos: at.Pos.Add(geom.Vector{Z: -0.05}), Rot: at.Rot}, In: arm.Base()}
		if err := r.Execute(t.Context(), robotics.NewCommand(arm, up, robotics.Acceleration(0.2))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	own, err := actuator.FindJoints(t.Context(), r, "own")
	if err != nil || own.Len() != 6 || own.Joint(3).Velocity != 1 || own.Joint(3).Name != "A4" {
		t.Errorf("%v, %v", own, err)
	}
	rail := map[string]string{"kr_arm": "kr16"}
	if err := c.Core.Devices.Create("rail", "kuka_kr_extaxis", rail); err != nil {
		t.Fatal(err)
	}
	axes, err := actuator.FindJoints(t.Context(), r, "rail")
	if err != nil || axes.Len() != 1 || axes.Joint(0).Kind != kinematics.Prismatic {
		t.Errorf("%v, %v", axes, err)
	}
	if _, err := actuator.FindArm(t.Context(), r, "rail"); !errors.Is(err, robotics.ErrUntold) {
		t.Errorf("an axis is an arm: %v", err)
	}
	for _, name := range []string{"io", "nowhere"} {
		if _, err := actuator.FindArm(t.Context(), r, name); err == nil {
			t.Errorf("%s is an arm", name)
		}
		if _, err := actuator.FindJoints(t.Context(), r, name); err == nil {
			t.Errorf("%s has joints", name)
		}
	}
}

// TestModelChanges: another device of the same name is found out about, at the latest after it has refused something.
func TestModelChanges(t *testing.T) {
	c := cells.New(t).Free()
	r := c.Connect()
	move := func(to float64) error {
		goal := slices.Clone(point)
		goal[0] = to
		h, err := r.Start(t.Context(), robotics.NewCommand(kr16(), motions.PTP{To: goal}))
		if err != nil {
			return err
		}
		err = h.Wait(t.Context())
		_, gone := h.Net().Wait(t.Context(), client.Unloaded) // and the device is not in use any more
		return errors.Join(err, gone)
	}
	if err := move(0.4); err != nil {
		t.Fatal(err)
	}
	slow := map[string]string{"max_vel": "[0.1,0.1,0.1,0.1,0.1,0.1]"}
	if err := errors.Join(c.Core.Devices.Remove("kr16"), c.Core.Devices.Create("kr16", "kuka_kr_arm_sim", slow)); err != nil {
		t.Fatal(err)
	}
	var fault *robotics.FaultError
	if err := move(0.8); !errors.As(err, &fault) || strings.Count(err.Error(), "limit of velocity: ") == 0 || !strings.Contains(err.Error(), "rad/s, 0.1 is allowed)") {
		t.Errorf("%v", err)
	}
	if err := move(0.8); !errors.Is(err, robotics.ErrModel) {
		t.Errorf("%v", err)
	}
	arm, err := actuator.FindArm(t.Context(), r, "kr16")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Execute(t.Context(), robotics.NewCommand(arm, motions.PTP{To: point})); err != nil {
		t.Errorf("%v", err)
	}
}
