package simbase_test

import (
	"math"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/devices/simbase"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/conform"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

func typeOf(t *testing.T, name string) *device.Type {
	t.Helper()
	for _, kind := range simbase.Types() {
		if kind.Name == name {
			return &kind
		}
	}
	t.Fatalf("no type %s", name)
	return nil
}

// opened is a base with the time that it lives in.
type opened struct {
	device.Base
	at device.Instant
}

func open(t *testing.T, name string, params map[string]string) *opened {
	t.Helper()
	d, err := typeOf(t, name).Open(&device.Env{Name: "base"}, params)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	o := &opened{Base: d.(device.Base)}
	period := d.(device.Cyclic).Period()
	o.at = device.Instant{Time: 1_700_000_000_000_000_000, Period: period.Seconds()}
	return o
}

// step lets a tick pass, in which the net comes after the device.
func (o *opened) step() device.Instant {
	o.at.Cycle++
	o.at.Time += int64(math.Round(o.at.Period * 1e9))
	o.Base.(device.Cyclic).Tick(device.Tick{N: o.at.Cycle, Time: o.at.Time, Period: o.at.Period})
	return o.at
}

func TestConformance(t *testing.T) {
	for _, tt := range []struct {
		name, kind string
		params     map[string]string
		vel, acc   [3]float64
	}{
		{"any", "robotbase_sim", nil, [3]float64{1, 1, 1}, [3]float64{1, 1, 2}},
		{"slow", "robotbase_sim", map[string]string{"max_vel": "0.2", "max_acc": "0.1", "cycle": "10ms"}, [3]float64{0.2, 0.2, 1}, [3]float64{0.1, 0.1, 2}},
		{"quick", "robotbase_sim", map[string]string{"max_vel": "3", "max_acc": "30", "max_acc_yaw": "50", "cycle": "500us"}, [3]float64{3, 3, 1}, [3]float64{30, 30, 50}},
		{"youbot", "kuka_youbot_base_sim", nil, [3]float64{0.8, 0.8, 1.24}, [3]float64{1, 1, 2}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			conform.Base(t, func(t *testing.T) conform.Drive {
				t.Helper()
				o := open(t, tt.kind, tt.params)
				return conform.Drive{Base: o.Base, Step: o.step, Vel: tt.vel, Acc: tt.acc}
			})
		})
	}
}

// TestCircle: velocities are seen from the base. A circle ends where it began, at any direction of the wheels.
func TestCircle(t *testing.T) {
	for _, v := range []geom.Vector{{X: 0.5}, {Y: -0.5}, {X: 0.3, Y: 0.4}} {
		o := open(t, "robotbase_sim", map[string]string{"max_acc": "1000000", "max_acc_yaw": "1000000", "cycle": "1ms", "home": "{pos:{x:1,y:2,z:0},rot:{a:0.5,b:0,c:0}}"})
		begin := o.BaseState().Pos
		const cycles = 8000 // of 1 ms for one turn
		by := 2 * math.Pi / (cycles * 0.001)
		widest := 0.0
		for range cycles {
			at := o.step()
			o.CommandVelocity(geom.Twist{Vel: v, Rot: geom.Vector{Z: by}}, at)
			widest = max(widest, o.BaseState().Pos.Pos.Sub(begin.Pos).Length())
		}
		o.step()
		end := o.BaseState()
		if away := end.Pos.Pos.Sub(begin.Pos).Length(); away > 1e-9 {
			t.Errorf("%v: it is %v away from where it began", v, away)
		}
		if diameter := 2 * v.Length() / by; math.Abs(widest-diameter) > 1e-3 {
			t.Errorf("%v: a circle of %v, not %v", v, widest, diameter)
		}
	}
}

// TestMecanum: what wheels do in each direction.
func TestMecanum(t *testing.T) {
	const r, arm = 0.0475, (0.471 + 0.300) / 2
	for _, tt := range []struct {
		v    geom.Twist
		want [4]float64 // front left, front right, rear left, rear right
	}{
		{geom.Twist{Vel: geom.Vector{X: 0.1}}, [4]float64{0.1 / r, 0.1 / r, 0.1 / r, 0.1 / r}},
		{geom.Twist{Vel: geom.Vector{Y: 0.1}}, [4]float64{-0.1 / r, 0.1 / r, 0.1 / r, -0.1 / r}},
		{geom.Twist{Rot: geom.Vector{Z: 0.1}}, [4]float64{-0.1 * arm / r, 0.1 * arm / r, -0.1 * arm / r, 0.1 * arm / r}},
	} {
		o := open(t, "kuka_youbot_base_sim", nil)
		for range 500 {
			o.CommandVelocity(tt.v, o.step())
		}
		for i, want := range tt.want {
			if got := o.Wheel(i).Vel; math.Abs(got-want) > 1e-9 {
				t.Errorf("%v: wheel %d turns with %v, not %v", tt.v, i, got, want)
			}
		}
	}
}

// TestPower: without power a base stops within its limits and reports why; with power it can be commanded again.
func TestPower(t *testing.T) {
	kind := typeOf(t, "kuka_youbot_base_sim")
	o := open(t, kind.Name, nil)
	ahead := geom.Twist{Vel: geom.Vector{X: 0.5}}
	drive := func() device.BaseState {
		for range 500 {
			o.CommandVelocity(ahead, o.step())
		}
		return o.BaseState()
	}
	if s := drive(); s.Measured != ahead {
		t.Fatalf("%+v", s)
	}
	params, err := kind.Tune(o.Base, nil, map[string]string{"power": "false"})
	if err != nil {
		t.Fatal(err)
	}
	if s := o.Status(); s.State != device.SafeOperational || s.Cause != "drives are off" {
		t.Errorf("status %+v", s)
	}
	if s := drive(); s.Measured != (geom.Twist{}) || s.Commanded != (geom.Twist{}) || s.Fault != device.BaseDrivesOff {
		t.Errorf("%+v without power", s)
	}
	if _, err := kind.Tune(o.Base, params, map[string]string{"power": "true"}); err != nil {
		t.Fatal(err)
	}
	if s := drive(); s.Measured != ahead || s.Fault != device.BaseGood {
		t.Errorf("%+v with power", s)
	}
}

// TestSlowNets: a net whose period is longer than that of the drives moves the base evenly.
func TestSlowNets(t *testing.T) {
	o := open(t, "robotbase_sim", map[string]string{"cycle": "1ms"})
	c := o.Base.(device.Cartesian)
	const every, speed = 20, 0.5
	begin := int64(0)
	for n := range 4000 {
		at := o.step()
		if begin == 0 {
			begin = at.Time
		}
		if n%every == 0 {
			at.Period *= every
			s := float64(at.Time-begin) * 1e-9
			x := speed * s * s / 2 // up to the speed in a second
			if s > 1 {
				x = speed * (s - 0.5)
			}
			c.CommandPose(geom.Frame{Pos: geom.Vector{X: x}}, at)
		}
		if v := o.BaseState().Measured.Vel.X; n > 2000 && math.Abs(v-speed) > 0.005 {
			t.Fatalf("cycle %d: %v m/s", n, v)
		}
	}
	if f := c.Pose().Fault; f != device.BaseGood {
		t.Error(f)
	}
}

// TestFaults: a script switches drives off, presses the emergency stop, lets the base fail, and repairs it. It stops each time.
func TestFaults(t *testing.T) {
	o := open(t, "robotbase_sim", map[string]string{
		"cycle": "10ms", "faults": "100ms off; 200ms on; 300ms estop; 400ms release; 500ms on; 600ms fail; 700ms repair",
	})
	ahead := geom.Twist{Vel: geom.Vector{X: 0.1}}
	off, stop := device.Status{State: device.SafeOperational, Cause: "drives are off"}, device.Status{State: device.SafeOperational, Cause: "emergency stop"}
	failed, good := device.Status{State: device.SafeOperational, Cause: "the base has failed"}, device.Status{State: device.Operational}
	want := map[int]struct {
		fault  device.BaseFault
		status device.Status
	}{
		9: {device.BaseGood, good}, 10: {device.BaseDrivesOff, off}, 19: {device.BaseDrivesOff, off}, 20: {device.BaseGood, good},
		30: {device.BaseDrivesOff, stop}, 40: {device.BaseDrivesOff, off}, 50: {device.BaseGood, good}, 60: {device.BaseFailed, failed}, 70: {device.BaseGood, good},
	}
	for k := range 90 {
		at := o.step()
		s := o.BaseState()
		if w, ok := want[k]; ok && (s.Fault != w.fault || o.Status() != w.status) {
			t.Errorf("cycle %d: %v, %+v", k, s.Fault, o.Status())
		}
		if s.Fault != device.BaseGood && s.Commanded != (geom.Twist{}) {
			t.Errorf("cycle %d: it is commanded %v", k, s.Commanded)
		}
		o.CommandVelocity(ahead, at)
	}
	if v := o.BaseState().Measured.Vel.X; v != 0.1 {
		t.Errorf("at last it drives with %v", v)
	}
	if _, err := typeOf(t, "robotbase_sim").Open(&device.Env{}, map[string]string{"faults": "1s fial"}); err == nil || !strings.Contains(err.Error(), "parameter faults: \"1s fial\": unknown event fial, did you mean fail?") {
		t.Error(err)
	}
}

// TestRefusedPoseIsTold with what it needs, what is allowed, and the cycle; which is also known before the base's next cycle.
func TestRefusedPoseIsTold(t *testing.T) {
	o := open(t, "robotbase_sim", map[string]string{"cycle": "10ms"})
	at := o.step()
	o.Base.(device.Cartesian).CommandPose(geom.Frame{Pos: geom.Vector{Y: -0.5}}, at)
	want := device.Status{State: device.Operational, Cause: "a set-point was too far away for one cycle: -50 m/s to the left, 1 is allowed, in cycle 1 at 2023-11-14T22:13:20.01Z"}
	if got := o.Status(); got != want || o.BaseState().Fault != device.BaseElsewhere {
		t.Errorf("%+v", got)
	}
	for range 20 {
		o.step()
	}
	if got := o.Status(); got != (device.Status{State: device.Operational}) {
		t.Errorf("still told: %+v", got)
	}
}
