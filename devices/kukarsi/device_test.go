package kukarsi_test

import (
	"encoding/json"
	"encoding/xml"
	"math"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/devices/kukarsi"
	"github.com/softrobot-rcc/rccd/devices/kukarsi/rsisim"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// TestTwin: one parameter exchanges the robot for one that lives in the time of the cell, and external axes follow.
func TestTwin(t *testing.T) {
	c := newCell(t)
	d, err := c.create("arm", "kuka_kr_arm_rsi", params{"ethernet": "udp", "simulated": "true", "max_vel": "[1,1,1,1,1,1]", "faults": "1s off"})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := d.(device.Cyclic); !ok || d.Status().State != device.Operational {
		t.Errorf("%T %v", d, d.Status())
	}
	e, err := c.create("track", "kuka_kr_extaxis", params{"kr_arm": "arm"})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := e.(device.Cyclic); !ok {
		t.Errorf("%T", e)
	}
}

// TestRefusedDevices: the errors name what is wrong.
func TestRefusedDevices(t *testing.T) {
	c := open(t, nil, nil)
	for _, tt := range []struct {
		kind   string
		params params
		part   string
	}{
		{"kuka_kr_arm_rsi", params{}, "ethernet: is missing"},
		{"kuka_kr_arm_rsi", params{"ethernet": "nobody"}, `no device "nobody"`},
		{"kuka_kr_arm_rsi", params{"ethernet": "arm"}, "is not a device with a port"},
		{"kuka_kr_arm_rsi", params{"ethernet": "udp"}, "in use"},
		{"kuka_kr_arm_rsi", params{"ethernet": "udp", "max_vel": "[1,1]"}, "parameter max_vel: 2 values of 6 joints"},
		{"kuka_kr_arm_rsi", params{"ethernet": "udp", "digin": "a b:WORD"}, "parameter digin"},
		{"kuka_kr_arm_rsi", params{"ethernet": "udp", "status": "a b"}, "more than one channel"},
		{"kuka_kr_arm_rsi", params{"ethernet": "udp", "actual": ""}, "parameter actual"},
		{"kuka_kr_arm_rsi", params{"ethernet": "udp", "stop": "AK.A1"}, "AK.A1 is given twice"},
		{"kuka_kr_arm_rsi", params{"ethernet": "udp", "ip": "somewhere"}, "parameter ip"},
		{"kuka_kr_arm_rsi", params{"ethernet": "udp", "faults": "1s off"}, "faults"},
		{"kuka_kr_arm_rsi", params{"ethernet": "udp", "holdon": "0"}, "jump back to its start"},
		{"kuka_kr_arm_rsi", params{"ethernet": "udp", "holdon": "1", "mode": "relative"}, "moves the robot on"},
		{"kuka_kr_extaxis", params{"kr_arm": "udp"}, "is not"},
		{"kuka_kr_extaxis", params{"kr_arm": "arm", "first_axis": "11", "axiscount": "2"}, "a controller has axes up to 11, not 12"},
		{"kuka_kr_extaxis", params{"kr_arm": "arm", "bandwidth": "3"}, "bandwidth"},
		{"ethernet_udp_standard", params{}, "port: is missing"},
		{"ethernet_udp_rtnet", params{"port": "1", "address": "x"}, "parameter address"},
	} {
		if _, err := c.create("new", tt.kind, tt.params); err == nil || !strings.Contains(err.Error(), tt.part) {
			t.Errorf("%s %v: %v", tt.kind, tt.params, err)
		}
	}
}

// TestManyExternalAxes: several devices share the controller of one arm; what one has no other one gets, until it is closed.
func TestManyExternalAxes(t *testing.T) {
	c := open(t, nil, nil)
	track, err := c.create("track", "kuka_kr_extaxis", params{"kr_arm": "arm", "home_joint": "[0.5]"})
	if err != nil {
		t.Fatal(err)
	}
	table, err := c.create("table", "kuka_kr_extaxis", params{"kr_arm": "arm", "first_axis": "7", "axiscount": "2"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.create("more", "kuka_kr_extaxis", params{"kr_arm": "arm", "first_axis": "8"}); err == nil || !strings.Contains(err.Error(), "another device") {
		t.Error(err)
	}
	c.until(device.Operational, "")
	for k := range 500 {
		s := 0.1 * math.Pow(math.Sin(0.003*float64(k)), 4)
		track.(device.MultiJoint).CommandPosition(0, s, c.now())
		table.(device.MultiJoint).CommandPosition(1, 2*s, c.now())
		c.run(1)
	}
	is := c.station.Status().Commands
	if math.Abs(is[6]-100*math.Pow(math.Sin(0.003*500), 4)) > 1 || math.Abs(is[8]-2*is[6]) > 1 || is[7] != 0 {
		t.Errorf("commands %v", is)
	}
	if err := table.Close(); err != nil {
		t.Error(err)
	}
	if _, err := c.create("again", "kuka_kr_extaxis", params{"kr_arm": "arm", "first_axis": "8"}); err != nil {
		t.Error(err)
	}
	c.smooth()
}

// TestLateExternalAxes: a device that comes during a session begins where its axes are.
func TestLateExternalAxes(t *testing.T) {
	c := ready(t, func(o *rsisim.Options) { o.Start = []float64{0, -90, 90, 0, 0, 0, 1500} }, nil)
	c.run(100)
	d, err := c.create("track", "kuka_kr_extaxis", params{"kr_arm": "arm"})
	if err != nil {
		t.Fatal(err)
	}
	c.run(100)
	track := d.(device.MultiJoint)
	if j := track.Joint(0); j.Commanded.Pos != 1.5 || j.Fault != device.JointGood {
		t.Errorf("%+v", j)
	}
	for k := range 300 {
		track.CommandPosition(0, 1.5+0.1*math.Pow(math.Sin(0.004*float64(k)), 4), c.now())
		c.run(1)
	}
	c.run(100)
	at := c.station.Status().Commands[6]
	if at < 1540 {
		t.Error(at)
	}
	if err := d.Close(); err != nil { // and when it goes, they stay
		t.Fatal(err)
	}
	c.run(100)
	if is := c.station.Status().Commands[6]; math.Abs(is-at) > 1e-3 {
		t.Errorf("from %v to %v", at, is)
	}
	if d, err = c.create("track", "kuka_kr_extaxis", params{"kr_arm": "arm"}); err != nil {
		t.Fatal(err)
	}
	c.run(100)
	if j := d.(device.MultiJoint).Joint(0); math.Abs(1000*j.Commanded.Pos-at) > 1e-3 || j.Fault != device.JointGood {
		t.Errorf("%+v instead of %v mm", j, at)
	}
	c.run(100)
	if is := c.station.Status().Commands[6]; math.Abs(is-at) > 1e-3 {
		t.Errorf("from %v to %v", at, is)
	}
	c.smooth()
}

// TestPages: all pages can be shown as JSON and XML, before and in control.
func TestPages(t *testing.T) {
	c := open(t, nil, nil)
	for range 2 {
		for _, kind := range c.types() {
			if kind.Name != "kuka_kr_arm_rsi" {
				continue
			}
			for _, page := range kind.Pages {
				if !page.Fits(c.arm) {
					continue // of the twin
				}
				view, err := page.View(c.arm, nil)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := json.Marshal(view); err != nil {
					t.Error(page.Path, err)
				}
				if _, err := xml.Marshal(view); err != nil {
					t.Error(page.Path, err)
				}
			}
		}
		c.until(device.Operational, "")
	}
	names := map[string]bool{}
	for _, m := range c.arm.Metrics() {
		names[m.Name] = true
	}
	if !names["rsi_late_answers"] || !names["link_answer_seconds"] {
		t.Error(names)
	}
}

// TestTable: kinematics are those of a table, as existing clients send it.
func TestTable(t *testing.T) {
	c := open(t, nil, params{
		"dh_d": "[0.4,0,0,0.42,0,0.08]", "dh_a": "[0.025,0.455,-0.035,0,0,0]", "dh_t": "[0,0,1.5707963267948966,0,0,0]",
		"dh_al": "[-1.5707963267948966,0,1.5707963267948966,-1.5707963267948966,1.5707963267948966,0]",
	})
	if p := c.arm.Arm().Forward([]float64{0, -math.Pi / 2, math.Pi / 2, 0, 0, 0}); math.Abs(p.Pos.X-0.525) > 1e-9 || math.Abs(p.Pos.Z-0.89) > 1e-9 {
		t.Error(p)
	}
}

// TestLimits: positions, velocities and jerks of the configuration are kept, whatever nets command.
func TestLimits(t *testing.T) {
	c := ready(t, nil, params{"max_joint": "[0.1,2,2,2,2,2]", "max_vel": "[0.2,1,1,1,1,1]", "max_jerk": "[100,100,100,100,100,100]"})
	for _, tt := range []struct {
		name string
		to   func(s float64) float64
		want device.JointFault
	}{
		{"velocity", func(s float64) float64 { return -0.05 * math.Pow(math.Sin(3.5*s), 4) }, device.JointLimitVelocity},
		{"jerk", func(s float64) float64 { return -0.002 * (1 - math.Cos(60*s)) }, device.JointLimitJerk},
		{"position", func(s float64) float64 { return 0.2 * math.Pow(math.Sin(0.5*s), 4) }, device.JointLimitPosition},
	} {
		from, fault := c.arm.Joint(0).Commanded.Pos, device.JointGood
		for k := 0; k < 2000 && fault == device.JointGood; k++ {
			c.arm.CommandPosition(0, from+tt.to(float64(k)*c.period.Seconds()), c.now())
			c.run(1)
			fault = c.arm.Joint(0).Fault
		}
		if fault != tt.want && !(tt.name == "jerk" && fault == device.JointElsewhere) {
			t.Errorf("%s: %v", tt.name, fault)
		}
		c.run(500)
		if j := c.arm.Joint(0); j.Fault != device.JointGood || j.Commanded.Vel != 0 {
			t.Errorf("%s: afterwards %+v", tt.name, j)
		}
	}
	c.smooth()
}

// TestOtherHost: only the controller that is named may call.
func TestOtherHost(t *testing.T) {
	c := open(t, nil, params{"ip": "192.168.10.3"})
	c.run(50)
	if s := c.arm.Link().Statistics(); s.Sessions != 0 || s.Foreign == 0 {
		t.Errorf("%+v", s)
	}
}

var _ interface {
	device.ArmKinematics
	device.MultiJoint
	device.IO
	device.Meter
} = (*kukarsi.Arm)(nil)
