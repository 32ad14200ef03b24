package univaldrive_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/ethercat/sim"
	"github.com/softrobot-rcc/rccd/internal/testkit/conform"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// drives are those that the driver has to do with.
var drives = []struct {
	name string
	options
}{
	{"as it is", options{}},
	{"four times as fast a bus", options{bus: time.Millisecond}},
	{"without clocks", options{free: true, params: params{"activate": "0"}}},
	{"other process data", options{
		rack: func(d *sim.DriveYAML) {
			d.Outputs, d.Inputs = []string{"0x607A", "pad8", "0x6040", "0x60FE"}, []string{"pad16", "0x6064", "0x6041"}
			d.Strict = false
		},
		params: params{"mode": "sdo", "axis_order": "6 5 4 3 2 1", "shift": "1ms"},
	}},
	{"a coupled wrist", options{params: params{
		"coupling": "[1,0,0,0,0,0,0,1,0,0,0,0,0,1,1,0,0,0,0,0,0,1,0,0,0,0,0,0.5,1,0,0,0,0,0,1,1]", "offset": "[0.1,0,0,0,-0.2,0]",
	}}},
}

func TestConform(t *testing.T) {
	for _, k := range drives {
		t.Run(k.name, func(t *testing.T) {
			conform.Joints(t, func(t *testing.T) *conform.Mechanism { return ready(t, k.options).mechanism() })
		})
	}
	conform.Kinematics(t, func(t *testing.T) device.ArmKinematics { return ready(t, options{}).arm })
	conform.IO(t, func(t *testing.T) device.IO { return ready(t, options{}).arm })
}

// TestAnnounced is what clients look for when they have created a device.
func TestAnnounced(t *testing.T) {
	c := newCell(t, options{})
	arm, err := c.open(nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []device.Interface{
		{Name: "armkinematics"},
		{Name: "robotarm", Params: params{"jointcount": "6"}},
		{Name: "multijoint", Params: params{"jointcount": "6"}},
		{Name: "io", Params: params{"digin": "8", "digout": "8", "anin": "0", "anout": "0"}},
	}
	if diff := cmp.Diff(want, arm.Interfaces()); diff != "" {
		t.Error(diff)
	}
}
