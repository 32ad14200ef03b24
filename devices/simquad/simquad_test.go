package simquad_test

import (
	"math"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/devices/simquad"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

const gravity = 9.81

// opened is a quadcopter with the time that it lives in.
type opened struct {
	device.Quadcopter
	at device.Instant
}

func open(t *testing.T, params map[string]string) *opened {
	t.Helper()
	d, err := simquad.Types()[0].Open(&device.Env{Name: "crazyflie"}, params)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	period := d.(device.Cyclic).Period()
	return &opened{d.(device.Quadcopter), device.Instant{Time: 1_700_000_000_000_000_000, Period: period.Seconds()}}
}

// pass lets some time pass, in which a net comes after the device in every cycle, if it has something to command.
func (o *opened) pass(seconds float64, command func() device.Attitude) device.QuadcopterState {
	for range int(math.Round(seconds / o.at.Period)) {
		o.at.Cycle++
		o.at.Time += int64(math.Round(o.at.Period * 1e9))
		o.Quadcopter.(device.Cyclic).Tick(device.Tick{N: o.at.Cycle, Time: o.at.Time, Period: o.at.Period})
		if command != nil {
			o.CommandAttitude(command(), o.at)
		}
	}
	return o.QuadcopterState()
}

func steady(a device.Attitude) func() device.Attitude { return func() device.Attitude { return a } }

var hover = steady(device.Attitude{Thrust: gravity})

// TestHover: where the thrust is the weight it keeps its height, and goes wherever the air goes.
func TestHover(t *testing.T) {
	high := map[string]string{"home": "{x:1,y:2,z:3}", "resolution": "0"}
	o := open(t, high)
	if s := o.pass(2, hover); s.Pos.Sub(geom.Vector{X: 1, Y: 2, Z: 3}).Length() > 5e-3 {
		t.Errorf("it has flown to %v", s.Pos)
	}
	high["draft"] = "{x:0.5,y:0,z:0}"
	o = open(t, high)
	s := o.pass(20, hover)
	after := o.pass(1, hover)
	if speed := after.Pos.X - s.Pos.X; math.Abs(speed-0.5) > 0.01 {
		t.Errorf("in air that moves with 0.5 m/s it moves with %v", speed)
	}
}

// TestTilt: it is accelerated to where it is tilted, seen from where it points to, by what its thrust gives.
func TestTilt(t *testing.T) {
	const angle, time = 0.2, 0.5
	for name, tt := range map[string]struct {
		yaw         string
		is          device.Attitude
		towardsX, y float64
	}{
		"ahead":              {"0", device.Attitude{Pitch: angle}, 1, 0},
		"to the right":       {"0", device.Attitude{Roll: angle}, 0, -1},
		"ahead, turned left": {"1.5707963267948966", device.Attitude{Pitch: angle, Yaw: math.Pi / 2}, 0, 1},
	} {
		o := open(t, map[string]string{"home": "{x:0,y:0,z:5}", "home_yaw": tt.yaw, "drag": "0", "resolution": "0", "latency": "0s"})
		tt.is.Thrust = gravity / math.Cos(angle)
		o.pass(1, steady(tt.is)) // until attitude and thrust are reached
		a := o.QuadcopterState().Pos
		b := o.pass(time, steady(tt.is)).Pos
		c := o.pass(time, steady(tt.is)).Pos
		acc := c.Sub(b).Sub(b.Sub(a)).Scale(1 / (time * time))
		want := geom.Vector{X: tt.towardsX, Y: tt.y}.Scale(gravity * math.Tan(angle))
		if acc.Sub(want).Length() > 5e-3 {
			t.Errorf("%s: %v m/s², not %v", name, acc, want)
		}
	}
}

// TestGround: it stands until it pushes more than it weighs, and is not commanded to the ground, where it stays.
func TestGround(t *testing.T) {
	o := open(t, map[string]string{"draft": "{x:1,y:0,z:0}"})
	if s := o.pass(1, steady(device.Attitude{Pitch: 0.3, Thrust: 0.9 * gravity})); s.Pos != (geom.Vector{}) {
		t.Errorf("too weak to fly: %+v", s.Pos)
	}
	s := o.pass(1, steady(device.Attitude{Thrust: 1.2 * gravity}))
	if s.Pos.Z < 0.5 || s.Commanded.Thrust != 1.2*gravity {
		t.Errorf("%+v", s)
	}
	fell := 0.0
	for n := 0; o.QuadcopterState().Pos.Z > 0; n++ {
		before := o.QuadcopterState().Pos.Z
		fell = max(fell, before-o.pass(0.1, nil).Pos.Z)
		if n > 200 {
			t.Fatal("it does not come down")
		}
	}
	if s := o.QuadcopterState(); s.Commanded != (device.Attitude{}) || fell > 0.15 {
		t.Errorf("it comes down by %v m in a tenth of a second: %+v", fell, s)
	}
	if on := o.QuadcopterState().Pos; o.pass(2, nil).Pos != on {
		t.Errorf("it does not stay at %v", on)
	}
}

// TestTracking: positions come late, and as exact as the tracking system is; while it sees nothing there are none.
func TestTracking(t *testing.T) {
	up := steady(device.Attitude{Thrust: 12})
	exact := open(t, map[string]string{"resolution": "0", "latency": "0s"})
	late := open(t, map[string]string{"resolution": "0", "latency": "20ms"})
	rough := open(t, map[string]string{"resolution": "0.01", "latency": "0s"})
	exact.pass(1, up)
	rough.pass(1, up)
	if is := rough.QuadcopterState().Pos.Z; math.Abs(is-exact.QuadcopterState().Pos.Z) > 0.005 || math.Abs(is*100-math.Round(is*100)) > 1e-9 {
		t.Errorf("%v is seen as %v", exact.QuadcopterState().Pos.Z, is)
	}
	late.pass(1.02, up)
	if is, was := late.QuadcopterState().Pos, exact.QuadcopterState().Pos; is.Sub(was).Length() > 1e-12 {
		t.Errorf("20 ms after %v it is seen at %v", was, is)
	}
	o := open(t, map[string]string{"faults": "1s lost; 2s seen"})
	seen := o.pass(0.9, up)
	lost := o.pass(1, up)
	if !seen.Seen || lost.Seen || lost.Pos.Z > seen.Pos.Z+1 || o.Status().Cause == "" || o.Status().State != device.Operational {
		t.Errorf("%+v, then %+v: %+v", seen, lost, o.Status())
	}
	if s := o.pass(1, up); !s.Seen || s.Pos.Z < lost.Pos.Z+1 || o.Status().Cause != "" {
		t.Errorf("seen again: %+v", s)
	}
}

// TestPower: without power it falls, and stays off after an emergency stop until it is switched on.
func TestPower(t *testing.T) {
	o := open(t, map[string]string{"home": "{x:0,y:0,z:20}", "faults": "1s off; 1.5s on; 2s estop; 2.2s release; 3s on"})
	for _, tt := range []struct {
		seconds float64
		fault   device.BaseFault
		cause   string
	}{
		{0.9, device.BaseGood, ""},
		{0.3, device.BaseDrivesOff, "drives are off"},
		{0.5, device.BaseGood, ""},
		{0.4, device.BaseDrivesOff, "emergency stop"},
		{0.5, device.BaseDrivesOff, "drives are off"},
		{0.6, device.BaseGood, ""},
	} {
		s := o.pass(tt.seconds, hover)
		if s.Fault != tt.fault || o.Status().Cause != tt.cause || (tt.fault != device.BaseGood) != (s.Commanded == device.Attitude{}) {
			t.Errorf("cycle %d: %+v, %+v", o.at.Cycle, s, o.Status())
		}
	}
}

// TestMisuse: what it cannot do is not commanded, and wrong parameters are refused.
func TestMisuse(t *testing.T) {
	o := open(t, nil)
	for _, tt := range []struct {
		is   device.Attitude
		want device.PositionFault
	}{
		{device.Attitude{Roll: 0.7, Thrust: 10}, device.PositionOutOfRange},
		{device.Attitude{Pitch: -0.7, Thrust: 10}, device.PositionOutOfRange},
		{device.Attitude{Thrust: -1}, device.PositionOutOfRange},
		{device.Attitude{Thrust: 100}, device.PositionOutOfRange},
		{device.Attitude{Yaw: math.Inf(1)}, device.PositionNotANumber},
		{device.Attitude{Roll: math.NaN()}, device.PositionNotANumber},
		{device.Attitude{Roll: 0.6, Pitch: -0.6, Yaw: 12, Thrust: 18}, device.PositionGood},
	} {
		if got := o.CheckAttitude(tt.is); got != tt.want {
			t.Errorf("%+v: %v", tt.is, got)
		}
		if s := o.pass(0.1, steady(tt.is)); (s.Commanded == device.Attitude{}) != (tt.want != device.PositionGood) {
			t.Errorf("%+v has become %+v", tt.is, s.Commanded)
		}
	}
	for _, params := range []map[string]string{{"faults": "1s lots"}, {"home": "{x:nan,y:0,z:0}"}, {"max_thrust": "5"}} {
		if _, err := simquad.Types()[0].Open(&device.Env{}, params); err == nil || !strings.Contains(err.Error(), "parameter") {
			t.Errorf("%v: %v", params, err)
		}
	}
}

// TestTune: the draft changes while it flies.
func TestTune(t *testing.T) {
	kind := simquad.Types()[0]
	o := open(t, map[string]string{"home": "{x:0,y:0,z:5}"})
	o.pass(2, hover)
	if at := o.QuadcopterState().Pos; at.X != 0 {
		t.Errorf("still air: %v", at)
	}
	if _, err := kind.Tune(o.Quadcopter, nil, map[string]string{"draft": "{x:-1,y:0,z:0}"}); err != nil {
		t.Fatal(err)
	}
	if at := o.pass(2, hover).Pos; at.X > -0.3 {
		t.Errorf("in a draft: %v", at)
	}
	if _, err := kind.Tune(o.Quadcopter, nil, map[string]string{"draft": "{x:inf,y:0,z:0}"}); err == nil {
		t.Error("it can be blown away")
	}
}
