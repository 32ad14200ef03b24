package ecslave_test

import (
	"math"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/ethercat/sim"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// everyType returns a slave with an entry of each type in both directions, with gaps and bit fields between them, whose inputs are what its
// outputs are.
func everyType(name string) (outputs, inputs []sim.PDOGiven) {
	list := func(index uint16, pdo string) sim.PDOGiven {
		p := sim.PDOGiven{Name: pdo}
		for i, typ := range []string{
			"BOOL", "BIT2", "BIT5", "SINT", "USINT", "", "BIT3", "INT", "UINT", "BOOL", "DINT", "UDINT", "", "LINT", "ULINT", "REAL", "LREAL",
		} {
			if typ == "" {
				p.Entries = append(p.Entries, sim.EntryGiven{Bits: 6})
				continue
			}
			p.Entries = append(p.Entries, sim.EntryGiven{Index: index, Sub: uint8(i + 1), Name: name + typ, Type: typ})
		}
		return p
	}
	return []sim.PDOGiven{list(0x7000, "Out")}, []sim.PDOGiven{list(0x6000, "In")}
}

// TestEveryType: a value of any type goes from a net to the wire and back, wherever the description of process data comes from.
func TestEveryType(t *testing.T) {
	for _, tt := range []struct {
		name  string
		given func(g *sim.GenericGiven)
		other func(g *sim.SlaveGiven)
		p     params
	}{
		{"objects", func(g *sim.GenericGiven) { g.NoSII = true }, nil, nil},
		{"objects at once", func(g *sim.GenericGiven) { g.NoSII, g.Complete = true, true }, nil, nil},
		{"objects and SII", func(*sim.GenericGiven) {}, nil, nil},
		{"objects without descriptions", func(*sim.GenericGiven) {}, func(g *sim.SlaveGiven) { g.NoInfo = true }, nil},
		{"SII only", func(g *sim.GenericGiven) { g.Mailbox = -1 }, nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := sim.GenericGiven{Vendor: 0x1234, Product: 5, Echo: true}
			g.Outputs, g.Inputs = everyType("")
			tt.given(&g)
			given := sim.SlaveGiven{Type: "generic", Generic: g}
			if tt.other != nil {
				tt.other(&given)
			}
			d, b, _ := alone(t, given, tt.p)
			status(t, d, device.Operational, "")
			if got := d.Ports(); got.DigitalIn != 2 || got.DigitalOut != 2 || got.AnalogIn != 13 || got.AnalogOut != 13 {
				t.Fatalf("%+v: %q", got, names(d))
			}
			for sub, values := range map[string][]float64{
				"1": {1, 0}, "2": {3}, "3": {17}, "4": {-128, 127}, "5": {255}, "7": {5}, "8": {-32768}, "9": {65535}, "10": {1},
				"11": {math.MinInt32}, "12": {math.MaxUint32}, "14": {-1 << 40}, "15": {1 << 60}, "16": {-0.1}, "17": {math.Pi},
			} {
				for _, v := range values {
					set(t, d, "0x7000:"+sub, v)
					b.Cycles(3)
					want := v
					if sub == "16" {
						want = float64(float32(v))
					}
					if got := value(t, d, "0x6000:"+sub); got != want {
						t.Errorf("%s: %v came back as %v", sub, v, got)
					}
				}
			}
		})
	}
}

// TestNames: an entry has its own name where it is the only one with it, otherwise that of its PDO in front.
func TestNames(t *testing.T) {
	entries := func(index uint16) []sim.EntryGiven {
		return []sim.EntryGiven{{Index: index, Sub: 1, Name: "Value", Type: "INT"}, {Index: index, Sub: 2, Type: "BOOL"}, {Bits: 7}}
	}
	g := sim.GenericGiven{Inputs: []sim.PDOGiven{
		{Name: "Channel 1", Entries: entries(0x6000)},
		{Name: "Channel 2", Entries: entries(0x6010)},
		{Name: "Status", Entries: []sim.EntryGiven{{Index: 0xf000, Sub: 1, Name: "Ready", Type: "BOOL"}, {Index: 0xf000, Sub: 2, Name: "Ready", Type: "BOOL"}, {Bits: 6}}},
	}}
	d, _, _ := alone(t, sim.SlaveGiven{Type: "generic", Generic: g}, nil)
	want := "Channel 1/Value INT, 0x6000:2 BOOL, Channel 2/Value INT, 0x6010:2 BOOL, Status/Ready 0xf000:1 BOOL, Status/Ready 0xf000:2 BOOL"
	if got := strings.Join(names(d), ", "); got != want {
		t.Errorf("%s\ninstead of\n%s", got, want)
	}
}

// TestMayAssign: PDOs are assigned and mapped where the slave says that it can do that, or where the configuration insists.
func TestMayAssign(t *testing.T) {
	entry := func(sub uint8) []sim.EntryGiven {
		return []sim.EntryGiven{{Index: 0x6000, Sub: sub, Name: "x", Type: "INT"}}
	}
	for _, tt := range []struct {
		assign, config bool
		p              params
		state          device.State
		cause          string
	}{
		{true, true, params{"pdo": "0x1A01 second=0x6000:2/INT"}, device.Operational, ""},
		{true, true, params{"pdo": "0x1A00 second=0x6000:2/INT"}, device.Operational, ""},
		{true, false, params{"pdo": "0x1A01"}, device.Operational, ""},
		{false, false, params{"pdo": "0x1A01"}, device.Offline, "inputs: the slave has assigned 0x1a00, which the configuration does not list"},
		{true, true, params{"pdo": "0x1A01", "assign": "off"}, device.Offline, "inputs: the slave has assigned 0x1a00, which the configuration does not list"},
		{false, false, params{"pdo": "0x1A01", "assign": "on"}, device.Offline, ""},
		{true, true, params{"pdo": "0x1A05"}, device.Offline, ""},
	} {
		g := sim.GenericGiven{Assign: tt.assign, Config: tt.config, Inputs: []sim.PDOGiven{{Entries: entry(1)}, {Entries: entry(2), Optional: true}}}
		d, _, _ := tryAlone(t, sim.SlaveGiven{Type: "generic", Generic: g}, tt.p)
		status(t, d, tt.state, tt.cause)
	}
}
