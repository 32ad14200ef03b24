package ecslave_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/ethercat/sim"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

const (
	gauges = "../../ethercat/esi/testdata/gauges.xml"
	rack   = "../../ethercat/esi/testdata/rack.xml"
)

// gauge returns a slave as gauges.xml describes it.
func gauge() sim.GenericGiven {
	channel := func(pdo, object uint16, state sim.EntryGiven, optional bool) []sim.PDOGiven {
		value := sim.EntryGiven{Index: object, Sub: 17, Type: "INT"}
		entries := []sim.EntryGiven{{Index: object, Sub: 1, Type: "BOOL"}, {Index: object, Sub: 2, Type: "BOOL"}, {Index: object, Sub: 3, Type: "BIT2"}, {Bits: 11}, state, value}
		return []sim.PDOGiven{{Index: pdo, Entries: entries}, {Index: pdo + 1, Entries: []sim.EntryGiven{value}, Optional: optional}}
	}
	inputs := channel(0x1a00, 0x6000, sim.EntryGiven{Index: 0x1800, Sub: 7, Type: "BOOL"}, true)
	return sim.GenericGiven{
		Vendor: 0xa5a, Product: 0x1001, Revision: 0x20000, Assign: true,
		Outputs: []sim.PDOGiven{{Index: 0x1600, Entries: []sim.EntryGiven{{Index: 0x7000, Sub: 1, Type: "BOOL"}, {Index: 0x7000, Sub: 2, Type: "BIT3"}, {Bits: 12}}}},
		Inputs:  append(inputs, channel(0x1a02, 0x6010, sim.EntryGiven{Bits: 1}, true)...),
		Objects: []sim.ObjectGiven{
			{Index: 0x8000, Sub: 0x15, Type: "UINT", Access: "preop"}, {Index: 0x8000, Sub: 0x16, Type: "UINT"}, {Index: 0x8000, Sub: 0x17, Type: "UINT", Value: "7"},
		},
	}
}

// TestDescribed: names, types, PDOs and start-up objects are those of the file, and the wire has them where the slave has.
func TestDescribed(t *testing.T) {
	for _, tt := range []struct {
		p       params
		names   string
		clocked bool
	}{
		{params{"device": "MG-2"}, "Tare BOOL, Range BIT3, Gauge Channel 1/Underrange BOOL, Gauge Channel 1/Overrange BOOL, Gauge Channel 1/Limit 1 BIT2, TxPDO State BOOL, " +
			"Gauge Channel 1/Value INT, Gauge Channel 2/Underrange BOOL, Gauge Channel 2/Overrange BOOL, Gauge Channel 2/Limit 1 BIT2, Gauge Channel 2/Value INT", false},
		{params{"product": "0x1001", "mapping": "Compact"}, "Tare BOOL, Range BIT3, Gauge Compact Channel 1/Value INT, Gauge Compact Channel 2/Value INT", false},
		{params{"device": "MG-2", "pdo": "0x1A00 0x1A03 depth=0x6010:17/INT"}, "Tare BOOL, Range BIT3, Underrange BOOL, Overrange BOOL, Limit 1 BIT2, TxPDO State BOOL, Value INT, depth INT", false},
	} {
		all := params{"esi": gauges, "startup": "0x8000:22=3/UINT"}
		maps.Copy(all, tt.p)
		d, b, is := alone(t, sim.SlaveGiven{Type: "generic", Generic: gauge()}, all)
		status(t, d, device.Operational, "")
		if got := strings.Join(names(d), ", "); got != tt.names {
			t.Errorf("%s\ninstead of\n%s", got, tt.names)
		}
		if err := is.SetEntry(0x6010, 17, "-77"); err != nil {
			t.Fatal(err)
		}
		set(t, d, "Range", 5)
		b.Cycles(3)
		if v := value(t, d, "0x6010:17"); v != -77 {
			t.Error(v)
		}
		for sub, want := range map[uint8]byte{0x15: 2, 0x16: 10, 0x17: 7} { // 0x16 is written again before Op
			if got, err := is.Entry(0x8000, sub); err != nil || got[0] != want {
				t.Errorf("0x8000:%d is %v %v", sub, got, err)
			}
		}
		if got, err := is.Entry(0x7000, 2); err != nil || got[0] != 5 {
			t.Error(got, err)
		}
	}
	old := gauge()
	old.Inputs = old.Inputs[:1]
	d, _, _ := tryAlone(t, sim.SlaveGiven{Type: "generic", Generic: old}, params{"esi": gauges, "device": "MG-2", "assign": "off"})
	status(t, d, device.Offline, "inputs: the slave has not assigned 0x1a02")
	other := gauge()
	other.Product = 0x1003
	d, _, _ = tryAlone(t, sim.SlaveGiven{Type: "generic", Generic: other}, params{"esi": gauges, "device": "MG-2"})
	status(t, d, device.Offline, "its product is 0x00001003 instead of 0x00001001")
}

// TestDescribedModules: modules in slots have their entries, and are announced to the slave.
func TestDescribedModules(t *testing.T) {
	g := sim.GenericGiven{
		Vendor: 2650, Product: 0x2000, Revision: 1, Assign: true, Complete: true,
		Outputs: []sim.PDOGiven{{Index: 0x1602, Entries: []sim.EntryGiven{{Index: 0x7020, Sub: 1, Type: "REAL"}}}},
		Inputs: []sim.PDOGiven{
			{Index: 0x1a01, Entries: []sim.EntryGiven{{Index: 0x6010, Sub: 1, Type: "BOOL"}, {Index: 0x6010, Sub: 2, Type: "BOOL"}, {Bits: 14}}},
			{Index: 0x1bff, Entries: []sim.EntryGiven{{Index: 0xf100, Sub: 1, Type: "UINT"}}},
		},
		Objects: []sim.ObjectGiven{
			{Index: 0xf030, Sub: 1, Type: "UDINT"}, {Index: 0xf030, Sub: 2, Type: "UDINT"}, {Index: 0xf030, Sub: 3, Type: "UDINT"}, {Index: 0x8020, Sub: 1, Type: "USINT"},
		},
	}
	d, b, is := alone(t, sim.SlaveGiven{Type: "generic", Generic: g}, params{"esi": rack, "modules": "['','4 digital inputs',MR-1AO]"})
	status(t, d, device.Operational, "")
	if got := strings.Join(names(d), ", "); got != "Current REAL, Diagnosis UINT, Input 1 BOOL, Input 2 BOOL" {
		t.Error(got)
	}
	d.SetAnalogOut(0, 4.5, 0)
	if err := is.SetEntry(0x6010, 2, "true"); err != nil {
		t.Fatal(err)
	}
	b.Cycles(3)
	if v, err := is.Entry(0x7020, 1); err != nil || v[2] != 0x90 || v[3] != 0x40 || !d.DigitalIn(1) || d.DigitalIn(0) {
		t.Errorf("%x %v", v, err)
	}
	for sub, want := range map[uint8]byte{1: 0x10, 2: 0x11, 3: 0x12} {
		if v, err := is.Entry(0xf030, sub); err != nil || v[0] != want {
			t.Errorf("0xf030:%d is %x %v", sub, v, err)
		}
	}
	if v, err := is.Entry(0x8020, 1); err != nil || v[0] != 1 {
		t.Error(v, err)
	}
}

// TestDescribedKeys: a slave without objects is compared with its description.
func TestDescribedKeys(t *testing.T) {
	keys := []sim.EntryGiven{{Index: 0x6000, Sub: 1, Type: "BOOL"}, {Index: 0x6000, Sub: 2, Type: "BOOL"}, {Bits: 6}}
	g := sim.GenericGiven{Vendor: 0xa5a, Product: 0x1002, Mailbox: -1, Inputs: []sim.PDOGiven{{Entries: keys}}}
	d, _, _ := alone(t, sim.SlaveGiven{Type: "generic", Generic: g}, params{"esi": gauges, "device": "MG-8"})
	status(t, d, device.Operational, "")
	if got := strings.Join(names(d), ", "); got != "Up BOOL, Down BOOL" {
		t.Error(got)
	}
	g.Inputs[0].Entries = append(g.Inputs[0].Entries, sim.EntryGiven{Index: 0x6001, Sub: 1, Type: "USINT"})
	d, _, _ = tryAlone(t, sim.SlaveGiven{Type: "generic", Generic: g}, params{"esi": gauges, "device": "MG-8"})
	status(t, d, device.Offline, "0x1a00 has 16 bits in the slave, and 8 in the configuration")
}

// TestDescribedObjects: what is mapped and written has to be in the dictionary of the file. All mistakes are said at once.
func TestDescribedObjects(t *testing.T) {
	const mixer = "../../ethercat/esi/testdata/dictionary.xml"
	k := kind()
	for startup, want := range map[string]string{
		"0x8000:1=3/UINT 0x8010:17=0.5/REAL 0x8010:1=#02 0x2000='abcd' 0x9000=7/UDINT 0x1C12=0/USINT": "",
		"0x8000:1=3/USINT":            "0x8000:1: it is UINT, not USINT (FILE:28)",
		"0x8000:1=#030405":            "0x8000:1: it is UINT, not 3 bytes (FILE:28)",
		"0x8000:1=3/16":               "",
		"0x8000:9=3/UINT":             "0x8000:9: object 0x8000 of MX-1 (FILE:28) has no subindex 9",
		"0x8020:1=3/UINT":             "0x8020:1: MX-1 (FILE:6) has no object 0x8020",
		"0x8010:17=1/UDINT":           "0x8010:17: it is REAL, not UDINT (FILE:29)",
		"0x8010:18=1/BOOL":            "0x8010:18: it cannot be written in Pre-Op (FILE:29)",
		"0x2001=1/UDINT":              "0x2001:0: it can only be read (FILE:27)",
		"0x2000='abcde'":              "0x2000:0: it is STRING(4), too short for 5 bytes (FILE:26)",
		"0x2001=1/UDINT 0x9001=7/INT": "0x2001:0: it can only be read (FILE:27)\n0x9001:0: MX-1 (FILE:6) has no object 0x9001",
	} {
		told := ""
		for _, w := range k.Check(params{"ethercatdevice": "bus", "esi": mixer, "modules": "MX-T", "startup": startup}) {
			told += w.Err.Error()
		}
		if want = strings.ReplaceAll(want, "FILE", mixer); told != want {
			t.Errorf("%s: %s\ninstead of\n%s", startup, told, want)
		}
	}
	for pdo, want := range map[string]string{
		"0x1600 0x7000/INT 0x7001/REAL":  "",
		"0x1600 0x7000/INT 0x7001/UDINT": "0x7001:0 is REAL or LREAL, not UDINT (FILE:37)",
		"0x1600 0x7000/DINT":             "0x7000:0 has 16 bits, not 32 (FILE:30)",
		"0x1600 0x7000:1/INT":            "object 0x7000 of MX-1 (FILE:30) has no subindex 1",
		"0x1600 0x7002/INT 0x7003/INT":   "MX-1 (FILE:6) has no object 0x7002\nMX-1 (FILE:6) has no object 0x7003",
	} {
		told := ""
		for _, w := range k.Check(params{"ethercatdevice": "bus", "esi": mixer, "pdo": pdo}) {
			told += w.Err.Error()
		}
		if want = strings.ReplaceAll(want, "FILE", mixer); told != want {
			t.Errorf("%s: %s\ninstead of\n%s", pdo, told, want)
		}
	}
	wrong := k.Check(params{"ethercatdevice": "bus", "esi": mixer, "pdo": "0x1600 0x7002/INT", "startup": "0x2001=1/UDINT", "vendor": "3", "activate": "on"})
	var names []string
	for _, w := range wrong {
		names = append(names, w.Name)
	}
	if got := strings.Join(names, " "); got != "vendor pdo startup activate" {
		t.Errorf("%s: %v", got, wrong)
	}
}

// TestDescribedParameters: a configuration is compared with the description without a bus.
func TestDescribedParameters(t *testing.T) {
	k := kind()
	for _, tt := range []struct {
		p     params
		wrong string
	}{
		{params{"esi": "nowhere.xml"}, "esi: open nowhere.xml: no such file"},
		{params{"esi": "doc.go"}, "esi: doc.go:"},
		{params{"esi": gauges}, "device: " + gauges + ": several devices fit; say which one by device: MG-2, MG-8"},
		{params{"esi": gauges, "device": "MG-3"}, `no device "MG-3"; the file has MG-2, MG-8`},
		{params{"esi": gauges, "product": "0x1001", "vendor": "2"}, "vendor: 0x00000002 differs from that of MG-2, 0x00000a5a (" + gauges + ":27)"},
		{params{"esi": gauges, "device": "MG-2", "pdo": "0x1A00 0x1A01"}, "esi: " + gauges + ":53: PDO 0x1a00 cannot be assigned together with 0x1a01"},
		{params{"esi": gauges, "device": "MG-2", "pdo": "0x1601"}, gauges + ":45: PDO 0x1600 is mandatory; assign it too"},
		{params{"esi": gauges, "device": "MG-2", "pdo": "0x1600 0x7000:1/BOOL"}, "pdo: the entries of 0x1600 are fixed (" + gauges + ":45)"},
		{params{"esi": gauges, "device": "MG-2", "pdo": "0x1600 0x1601 0x7000:1/BOOL"}, "pdo: the entries of 0x1601 cannot be changed in MG-2 (" + gauges + ":50)"},
		{params{"esi": gauges, "device": "MG-2", "dc": "SM"}, `has no clock mode "SM"; it has FreeRun, DC`},
		{params{"esi": rack, "modules": "- MR-4DI"}, rack + ":18: slot 1 needs a module; it takes MR-PS"},
		{params{"modules": "MR-4DI"}, "modules: this comes from a device description; name the file with esi"},
	} {
		all := params{"ethercatdevice": "bus"}
		maps.Copy(all, tt.p)
		wrong := k.Check(all)
		if len(wrong) != 1 || !strings.Contains(wrong[0].Error(), tt.wrong) || strings.Contains(wrong[0].Error(), "\n") {
			t.Errorf("%v: %v", tt.p, wrong)
		}
	}
	fine := params{"ethercatdevice": "bus", "esi": gauges, "device": "MG-2", "dc": "DC", "simulated": "true"}
	if wrong := k.Check(fine); len(wrong) > 0 {
		t.Error(wrong)
	}
	d, err := k.Open(&device.Env{Name: "it"}, fine)
	if err != nil || len(d.(device.Entries).Entries()) != 11 {
		t.Errorf("%v %v", d, err)
	}
}
