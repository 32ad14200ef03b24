package kukarsi_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/devices/kukarsi/rsisim"
	"github.com/softrobot-rcc/rccd/internal/testkit/conform"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// controllers are those that the driver has to do with.
var controllers = []struct {
	name   string
	change func(o *rsisim.Options)
	params params
}{
	{"KR C4", nil, nil},
	{"12 ms", func(o *rsisim.Options) { o.Cycle = 12 * time.Millisecond }, nil},
	{"relative", func(o *rsisim.Options) { o.Relative, o.Hold = true, false }, params{"mode": "relative"}},
	{"without the first step", func(o *rsisim.Options) { o.ReadFirst = false }, nil},
	{"another version", func(o *rsisim.Options) {
		o.Capitals, o.Shuffled, o.Spaced, o.GoesOn, o.Step = true, true, true, true, 1
	}, nil},
	{"jitter", func(o *rsisim.Options) { o.Precision = 6 }, nil},
}

func TestConform(t *testing.T) {
	for _, k := range controllers {
		t.Run(k.name, func(t *testing.T) {
			conform.Joints(t, func(t *testing.T) *conform.Mechanism {
				c := ready(t, k.change, k.params)
				if k.name == "jitter" {
					c.station.Jitter = time.Millisecond
				}
				t.Cleanup(func() { c.t = t; c.smooth() })
				if k.name == "without the first step" && t.Name() == "TestConform/without_the_first_step/tools" {
					t.Skip("no tools without it")
				}
				return c.mechanism(t, c.arm)
			})
		})
	}
	conform.Kinematics(t, func(t *testing.T) device.ArmKinematics { return ready(t, nil, nil).arm })
	conform.IO(t, func(t *testing.T) device.IO { return ready(t, nil, nil).arm })
}

// TestExternalAxes: devices beside an arm conform as it does.
func TestExternalAxes(t *testing.T) {
	conform.Joints(t, func(t *testing.T) *conform.Mechanism {
		c := open(t, nil, nil)
		d, err := c.create("track", "kuka_kr_extaxis", params{"kr_arm": "arm", "axiscount": "2", "first_axis": "7"})
		if err != nil {
			t.Fatal(err)
		}
		c.until(device.Operational, "")
		t.Cleanup(c.smooth)
		return c.mechanism(t, d.(device.MultiJoint))
	})
}

// TestAnnounced is what clients look for when they have created a device.
func TestAnnounced(t *testing.T) {
	c := open(t, nil, nil)
	want := []device.Interface{
		{Name: "armkinematics"},
		{Name: "robotarm", Params: params{"jointcount": "6"}},
		{Name: "multijoint", Params: params{"jointcount": "6"}},
		{Name: "io", Params: params{"digin": "4", "digout": "4", "anin": "0", "anout": "0"}},
	}
	if diff := cmp.Diff(want, c.arm.Interfaces()); diff != "" {
		t.Error(diff)
	}
}
