package esi_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/ethercat/esi"
)

func read(t testing.TB, name string) *esi.File {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	f, err := esi.Read(bytes.NewReader(text), name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func find(t testing.TB, f *esi.File, w esi.Wanted) *esi.Device {
	t.Helper()
	d, err := f.Find(w)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// told returns PDOs as text.
func told(list []esi.PDO) (words []string) {
	for _, p := range list {
		w := fmt.Sprintf("%d %04x %s:", p.SyncManager, p.Index, p.Name)
		for _, e := range p.Entries {
			typ, _ := e.Type.Plain()
			w += fmt.Sprintf(" %s %04x:%d %s/%d", e.Name, e.Index, e.Sub, typ, e.Bits)
		}
		words = append(words, w)
	}
	return words
}

// TestGauges: several revisions and languages, bit fields and gaps, lists of PDOs that exclude each other, fixed and mandatory ones.
func TestGauges(t *testing.T) {
	f := read(t, "gauges.xml")
	if f.Vendor != 0xa5a || f.Maker != "Mueller Sensors" || len(f.Devices) != 3 {
		t.Errorf("%+v", f)
	}
	d := find(t, f, esi.Wanted{Type: "MG-2"})
	if d.Revision != 0x20000 || d.Name != "MG-2 gauge, 2 channels" || !d.CoE.Assign || d.CoE.Config || d.Line != 27 {
		t.Errorf("%+v", d)
	}
	if old := find(t, f, esi.Wanted{Product: 0x1001, Revision: 0x1ffff}); old.Revision != 0x10000 {
		t.Errorf("%x", old.Revision)
	}
	if next := find(t, f, esi.Wanted{Product: 0x1001, Revision: 0x30000}); next.Revision != 0x20000 {
		t.Errorf("%x", next.Revision)
	}
	s, err := d.Select(esi.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"2 1600 Control: Tare 7000:1 BOOL/1 Range 7000:2 BIT3/3  0000:0 /12"}, told(s.Outputs)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{
		"3 1a00 Gauge Channel 1: Underrange 6000:1 BOOL/1 Overrange 6000:2 BOOL/1 Limit 1 6000:3 BIT2/2  0000:0 /11 TxPDO State 1800:7 BOOL/1 Value 6000:17 INT/16",
		"3 1a02 Gauge Channel 2: Underrange 6010:1 BOOL/1 Overrange 6010:2 BOOL/1 Limit 1 6010:3 BIT2/2  0000:0 /12 Value 6010:17 INT/16",
	}, told(s.Inputs)); diff != "" {
		t.Error(diff)
	}
	if s.Clock != nil || len(s.Start) != 1 || s.Start[0].Index != 0x8000 || s.Start[0].Sub != 0x15 || len(s.Late) != 1 || !bytes.Equal(s.Late[0].Data, []byte{10, 0}) {
		t.Errorf("%+v %+v %+v", s.Clock, s.Start, s.Late)
	}
	s, err = d.Select(esi.Choice{Mapping: "Compact", Clock: "DC"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"3 1a01 Gauge Compact Channel 1: Value 6000:17 INT/16", "3 1a03 Gauge Compact Channel 2: Value 6010:17 INT/16"}, told(s.Inputs)); diff != "" {
		t.Error(diff)
	}
	if c := s.Clock; c == nil || c.Activate != 0x700 || c.Factor0 != 1 || c.Factor1 != -1 || c.Shift != -5000 {
		t.Errorf("%+v", c)
	}
	s, err = d.Select(esi.Choice{Inputs: []uint16{0x1a03, 0x1a00}, Outputs: []uint16{0x1601, 0x1600}, Clock: "off"})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Outputs) != 2 || s.Outputs[0].SyncManager != 2 || len(s.Inputs) != 2 || s.Inputs[0].Index != 0x1a03 {
		t.Errorf("%q %q", told(s.Outputs), told(s.Inputs))
	}
	if keys, err := find(t, f, esi.Wanted{Product: 0x1002}).Select(esi.Choice{}); err != nil || len(keys.Inputs) != 1 || keys.Device.CoE != nil {
		t.Errorf("%+v %v", keys, err)
	}
	for want, c := range map[string]esi.Choice{
		"MG-2 (gauges.xml:27) has no mapping \"Small\"; it has Standard, Compact":               {Mapping: "Small"},
		"MG-2 (gauges.xml:27) has no clock mode \"SM\"; it has FreeRun, DC":                     {Clock: "SM"},
		"gauges.xml:61: PDO 0x1a01 cannot be assigned together with 0x1a00":                     {Inputs: []uint16{0x1a01, 0x1a00}},
		"gauges.xml:45: PDO 0x1600 is mandatory; assign it too":                                 {Outputs: []uint16{0x1601}},
		"MG-2 (gauges.xml:27) has no PDO 0x1a07; its inputs are 0x1a00, 0x1a01, 0x1a02, 0x1a03": {Inputs: []uint16{0x1a07}},
		"gauges.xml:61: PDO 0x1a01 is assigned twice":                                           {Inputs: []uint16{0x1a01, 0x1a01}},
		"1 modules are given, MG-2 has 0 slots (gauges.xml:27)":                                 {Modules: []string{"x"}},
	} {
		if _, err := d.Select(c); err == nil || err.Error() != want {
			t.Errorf("%v instead of %s", err, want)
		}
	}
	for want, w := range map[string]esi.Wanted{
		"gauges.xml: several devices fit; say which one by device: MG-2, MG-8":          {},
		`gauges.xml: no device "MG-3" with product 0x00000001; the file has MG-2, MG-8`: {Type: "MG-3", Product: 1},
	} {
		if _, err := f.Find(w); err == nil || err.Error() != want {
			t.Errorf("%v instead of %s", err, want)
		}
	}
}

// TestModules: PDOs and objects of modules are further on by their slot, and the list of modules is written to the slave.
func TestModules(t *testing.T) {
	d := find(t, read(t, "rack.xml"), esi.Wanted{})
	s, err := d.Select(esi.Choice{Modules: []string{"", "MR-4DI", "-", "1 analog output"}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{
		"3 1bff Coupler: Diagnosis f100:1 UINT/16",
		"3 1a01 4 DI: Input 1 6010:1 BOOL/1 Input 2 6010:2 BOOL/1  0000:0 /14",
	}, told(s.Inputs)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"2 1603 1 AO: Current 7030:1 REAL/32"}, told(s.Outputs)); diff != "" {
		t.Error(diff)
	}
	var writes []string
	for _, w := range s.Start {
		writes = append(writes, fmt.Sprintf("%04x:%d %v %x", w.Index, w.Sub, w.Complete, w.Data))
	}
	if diff := cmp.Diff([]string{"f030:0 true 040010000000110000000000000012000000", "8030:1 false 01"}, writes); diff != "" {
		t.Error(diff)
	}
	if s, err := d.Select(esi.Choice{Modules: []string{"0x10", "#x11", "0x99"}}); err != nil || len(s.Modules) != 3 || s.Modules[2].Type != "MR-X" {
		t.Errorf("%+v %v", s, err)
	}
	for want, modules := range map[string][]string{
		"rack.xml:18: slot 1 does not take module \"MR-4DI\"; it takes MR-PS":                {"MR-4DI"},
		"rack.xml:18: slot 1 needs a module; it takes MR-PS":                                 {"-"},
		"rack.xml:19: slot 2 does not take module \"MR-2DI\"; it takes MR-4DI, MR-1AO, MR-X": {"", "MR-2DI"},
		"6 modules are given, MR-BC has 5 slots (rack.xml:6)":                                {"", "-", "-", "-", "-", "MR-4DI"},
	} {
		if _, err := d.Select(esi.Choice{Modules: modules}); err == nil || err.Error() != want {
			t.Errorf("%v instead of %s", err, want)
		}
	}
}

// TestWrong: every mistake in a file is reported with its line.
func TestWrong(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "rack.xml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ old, now, wrong string }{
		{"</Vendor>", "", "f.xml:41: element <Vendor> closed by"},
		{"#x2000", "#y2000", `f.xml:7: Type: ProductCode "#y2000" is not a number of 32 bits`},
		{"<Id>2650</Id>", "", "f.xml:3: Vendor: Id is missing"},
		{"<BitLen>16</BitLen>", "<BitLen>0</BitLen>", "f.xml:14: Entry: BitLen is 0; 1 to 255 are possible"},
		{"<BitLen>16</BitLen>", "", "f.xml:14: Entry: BitLen is missing"},
		{"<BitLen>16</BitLen>", "<BitLen>8</BitLen>", "f.xml:14: DataType: UINT has 16 bits, but BitLen is 8"},
		{"<SubIndex>1</SubIndex>", "<SubIndex>1000</SubIndex>", `f.xml:14: SubIndex: "1000" is not a number of 8 bits`},
		{"<Data>01</Data>", "<Data>0</Data>", "f.xml:36: Data: \"0\" is not bytes in hexadecimal"},
		{`MaxInstances="4"`, `MaxInstances="4000"`, "f.xml:19: Slot: 0 to 4000 instances"},
		{`SlotPdoIncrement="1"`, `SlotPdoIncrement="-1"`, `f.xml:17: Slots: SlotPdoIncrement "-1" is not a number of 16 bits`},
		{`<?xml version="1.0"?>`, `<?xml version="1.0" encoding="KOI8-R"?>`, `unknown encoding "KOI8-R"; save the file as UTF-8`},
		{"EtherCATInfo>", "Info>", "f.xml:2: not a description of EtherCAT devices"},
		{string(text), "", "f.xml:1: unexpected end of the file"},
		{string(text), "<EtherCATInfo>" + strings.Repeat("<a>", 100), "f.xml:1: elements are nested more than 64 deep"},
		{string(text), "<EtherCATInfo><Descriptions><Devices><Device>" + strings.Repeat("<a>", 100), "f.xml:1: elements are nested more than 64 deep"},
	} {
		now := strings.Replace(string(text), tt.old, tt.now, -1)
		_, err := esi.Read(strings.NewReader(now), "f.xml")
		if err == nil || !strings.Contains(err.Error(), tt.wrong) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s -> %s: %v", tt.old, tt.now, err)
		}
	}
}

// FuzzRead: whatever is in a file, it is read or refused, and so is every selection of it.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"gauges.xml", "rack.xml"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := esi.Read(bytes.NewReader(text), "f.xml")
		if err != nil {
			return
		}
		for i := range file.Devices {
			d := &file.Devices[i]
			for _, modules := range [][]string{nil, {"", "MR-4DI", "-", "MR-1AO"}} {
				s, err := d.Select(esi.Choice{Modules: modules})
				if err != nil {
					continue
				}
				for _, p := range append(s.Outputs, s.Inputs...) {
					if p.SyncManager < 0 || p.SyncManager >= len(d.SyncManagers) || p.Bits() < len(p.Entries) {
						t.Errorf("%+v", p)
					}
				}
			}
		}
	})
}
