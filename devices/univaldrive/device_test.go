package univaldrive_test

import (
	"encoding/json"
	"encoding/xml"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// simulatedBus is a bus that is not there.
type simulatedBus struct{ ecat.Master }

func (simulatedBus) Simulated() bool { return true }

// TestTwin: one parameter exchanges the robot for one that lives in the time of the cell, and so does a bus that is simulated.
func TestTwin(t *testing.T) {
	k := kind(t)
	all := params{"ethercatdevice": "bus", "counts_per_rad": "[1,1,1,1,1,1]", "max_vel": "[1,1,1,1,1,1]", "startup": "0x605A=2/16"}
	for name, tt := range map[string]struct {
		bus   device.Device
		given params
	}{
		"said so":         {nil, params{"simulated": "true", "faults": "1s off"}},
		"a simulated bus": {simulatedBus{}, nil},
	} {
		p := params{}
		for _, m := range []params{all, tt.given} {
			for key, v := range m {
				p[key] = v
			}
		}
		if wrong := k.Check(p); len(wrong) > 0 {
			t.Errorf("%s: %v", name, wrong)
		}
		d, err := k.Open(&device.Env{Name: "robot", Device: func(string) (device.Device, error) { return tt.bus, nil }}, p)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, ok := d.(device.Cyclic); !ok || d.Status().State != device.Operational {
			t.Errorf("%s: %T %v", name, d, d.Status())
		}
		is, err := newCell(t, options{}).open(nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := is.Interfaces(), d.Interfaces(); len(got) != len(want) {
			t.Errorf("%s: the robot is %v, its twin %v", name, got, want)
		}
	}
	if wrong := k.Check(params{"ethercatdevice": "bus", "counts_per_rad": "[1,1,1,1,1,1]", "faults": "1s off"}); len(wrong) == 0 {
		t.Error("faults of a robot that is there")
	}
}

// TestPage shows what the drive does, and what it has reported by itself.
func TestPage(t *testing.T) {
	c := ready(t, options{})
	c.move(100)
	v := c.view()
	for _, want := range []string{
		`"status":"operational"`, `"stage":"following"`, `"state":"operation enabled, follows"`, `"mode":"cyclic synchronous position"`, `"joint":"J1"`,
		`"error":"no error"`, `"slave":"slave 2`, `"syncAhead":0.002`,
	} {
		if !strings.Contains(v, want) {
			t.Errorf("no %s in %s", want, v)
		}
	}
	c.bus.Do("slave arm fault 3 0x7305")
	c.run(50)
	c.bus.Tend(time.Second)
	v = c.view()
	for _, want := range []string{`"error":"0x7305 first encoder"`, `"state":"fault`, `"code":"0x7305","text":"first encoder"`, `"stops":1`} {
		if !strings.Contains(v, want) {
			t.Errorf("no %s in %s", want, v)
		}
	}
	if err := c.tell(params{}); err == nil {
		t.Error("told nothing")
	}
	for _, m := range c.arm.Metrics() {
		switch m.Name {
		case "drive_enabled":
			if m.Value != 0 {
				t.Error("enabled")
			}
		case "drive_stops_total":
			if m.Value != 1 {
				t.Errorf("%v stops", m.Value)
			}
		case "drive_targets_total":
			if m.Value < 150 {
				t.Errorf("%v targets", m.Value)
			}
		}
		if math.IsNaN(m.Value) {
			t.Errorf("%s is not a number", m.Name)
		}
	}
}

// view returns what the page shows, which must be XML as well.
func (c *cell) view() string {
	c.t.Helper()
	for _, page := range kind(c.t).Pages {
		if page.Path != "drives" {
			continue
		}
		v, err := page.View(c.arm, nil)
		if err != nil {
			c.t.Fatal(err)
		}
		if _, err := xml.Marshal(v); err != nil {
			c.t.Error(err)
		}
		b, err := json.Marshal(v)
		if err != nil {
			c.t.Fatal(err)
		}
		return string(b)
	}
	c.t.Fatal("no page")
	return ""
}

// TestHolds: the bus is not to be stopped while drives are on.
func TestHolds(t *testing.T) {
	c := started(t, options{params: params{"arm": "false"}})
	c.run(50)
	if got := c.arm.Holds(); got != "" {
		t.Errorf("holds the bus: %s", got)
	}
	c.rearm()
	c.until(device.Operational, "")
	if got := c.arm.Holds(); got != "drives are on" {
		t.Errorf("%q", got)
	}
}

// TestOfflineCannotBeArmed: what is asked for before anything is heard of the drive is not kept for later.
func TestOfflineCannotBeArmed(t *testing.T) {
	c := newCell(t, options{})
	var err error
	if c.arm, err = c.open(params{"arm": "false"}); err != nil {
		t.Fatal(err)
	}
	if err := c.tell(params{"arm": "true"}); err == nil || !strings.Contains(err.Error(), "the bus does not run") {
		t.Error(err)
	}
	c.bus.Start()
	c.run(300)
	c.rests()
}
