package sim

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// A slave as its description has it, with modules in its slots: SyncManagers, PDOs, objects with their defaults, and it works.
func TestESI(t *testing.T) {
	r, err := ParseRack([]byte("slaves:\n  - {type: generic, name: island, generic: {esi: island.xml, device: ISLAND-1, modules: [DO4, AI1, \"0x11\"]}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewChain(r, os.DirFS("testdata"), 0)
	if err != nil {
		t.Fatal(err)
	}
	m := newMaster(t, "slaves:\n  - {type: EK1100}\n")
	m.chain, m.link = c, &Link{Chain: c}
	s := m.slave("island")
	d, err := sii.Decode(s.image)
	if err != nil || len(d.Problems) > 0 {
		t.Fatal(err, d.Problems)
	}
	if want := (sii.Mailbox{Out: 0x1000, OutSize: 256, In: 0x1100, InSize: 192}); d.Mailbox != want || d.Identity.Vendor != 0xb0b || d.Identity.Revision != 0x20001 {
		t.Errorf("%+v %+v", d.Mailbox, d.Identity)
	}
	if d.SyncManagers[2].Start != 0x1200 || d.SyncManagers[2].Length != 2 || d.SyncManagers[3].Length != 4 {
		t.Errorf("%+v", d.SyncManagers)
	}
	m.start(wire.Op)
	for _, tt := range []struct {
		index uint16
		sub   uint8
		want  []byte
	}{
		{0x1000, 0, []byte{0x89, 0x13, 0, 0}},
		{0x1008, 0, []byte("ISLAND-1")},
		{0x1009, 0, []byte("V2.0")},
		{0x1600, 1, []byte{4, 1, 0x00, 0x70}},
		{0x1602, 1, []byte{4, 1, 0x20, 0x70}},
		{0x1a01, 1, []byte{16, 1, 0x10, 0x60}},
		{0x1c12, 0, []byte{2}},
		{0x1c13, 0, []byte{2}},
		{0x1c13, 1, []byte{0x80, 0x1a}},
		{0x8000, 2, []byte{20, 0}},
		{0x8010, 1, []byte{1}},
		{0x8010, 3, []byte{0, 0, 0, 0x3f}},
	} {
		if got := m.upload(s, tt.index, tt.sub); !bytes.Equal(got, tt.want) {
			t.Errorf("0x%04x:%02x is % x, want % x", tt.index, tt.sub, got, tt.want)
		}
	}
	if err := m.talk(s, func(c *coe.Client) { c.Download(0x8000, 1, false, []byte{1, 0}) }).Err(); !errors.Is(err, coe.AbortStoreState) {
		t.Errorf("written in Op: %v", err)
	}
	copy(m.place(s, wire.FMMUWrite), []byte{3, 9})
	m.do("slave island entry 0x6010 1 -2")
	m.exchange()
	m.exchange()
	if got, err := s.Entry(0x7020, 1); err != nil || got[0] != 9 {
		t.Errorf("% x %v", got, err)
	}
	if got := m.place(s, wire.FMMURead); !bytes.Equal(got, []byte{0, 0, 0xfe, 0xff}) {
		t.Errorf("% x", got)
	}
}

// Descriptions that cannot be used are refused with what is wrong.
func TestESIRefused(t *testing.T) {
	for given, want := range map[string]string{
		"esi: none.xml":                                    "none.xml",
		"esi: island.xml, device: ISLAND-2":                "did you mean ISLAND-1",
		"esi: island.xml, modules: [DO5]":                  "did you mean DO4",
		"outputs: [{index: 0x1a00}]":                       "not a PDO of this direction",
		"outputs: [{entries: [{index: 1, type: X}]}]":      "not a type",
		"outputs: [{entries: [{index: 1, type: STRING}]}]": "cannot be mapped",
		"mailbox: 7": "a mailbox of 7 bytes",
		"objects: [{index: 1, type: INT, value: x}]":               "not a value",
		"objects: [{index: 1, type: INT, access: no}]":             "access",
		"objects: [{index: 1, type: INT, min: 70000}]":             "not a value",
		"inputs: [{entries: [{bits: 255}, {bits: 255}]}], esi: ''": "",
	} {
		r, err := ParseRack([]byte("slaves:\n  - {type: generic, generic: {" + given + "}}\n"))
		if err == nil {
			_, err = NewChain(r, os.DirFS("testdata"), 0)
		}
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %s", given, err, want)
		}
	}
}

// PDOs that do not fit into memory cannot be assigned together: three buffers lie one behind the other.
func TestTooMuchAssigned(t *testing.T) {
	const narrow = `<EtherCATInfo><Vendor><Id>1</Id></Vendor><Descriptions><Devices><Device Physics="YY"><Type ProductCode="2">N</Type>
<Sm StartAddress="#x1000" DefaultSize="64" ControlByte="#x26" Enable="1">MBoxOut</Sm><Sm StartAddress="#x1040" DefaultSize="64" ControlByte="#x22" Enable="1">MBoxIn</Sm>
<Sm StartAddress="#x1100" ControlByte="#x64" Enable="1">Outputs</Sm><Sm StartAddress="#x1106" ControlByte="#x20" Enable="0">Inputs</Sm>
<RxPdo Sm="2"><Index>#x1600</Index><Entry><Index>#x7000</Index><SubIndex>1</SubIndex><BitLen>16</BitLen><DataType>UINT</DataType></Entry></RxPdo>
<RxPdo><Index>#x1601</Index><Entry><Index>#x7000</Index><SubIndex>2</SubIndex><BitLen>8</BitLen><DataType>USINT</DataType></Entry></RxPdo>
<Mailbox><CoE SdoInfo="1" PdoAssign="1"/></Mailbox></Device></Devices></Descriptions></EtherCATInfo>`
	r, err := ParseRack([]byte("slaves:\n  - {type: generic, name: narrow, generic: {esi: narrow.xml}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewChain(r, fstest.MapFS{"narrow.xml": {Data: []byte(narrow)}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	m := newMaster(t, "slaves:\n  - {type: EK1100}\n")
	m.chain, m.link = c, &Link{Chain: c}
	s := m.slave("narrow")
	m.start(wire.PreOp)
	for _, tt := range []struct {
		sub  uint8
		data []byte
		want error
	}{{0, []byte{0}, nil}, {2, word(0x1601), nil}, {0, []byte{2}, coe.AbortPDOLength}, {1, word(0x1601), nil}, {0, []byte{1}, nil}} {
		if err := m.talk(s, func(c *coe.Client) { c.Download(0x1c12, tt.sub, false, tt.data) }).Err(); !errors.Is(err, tt.want) {
			t.Errorf("0x1c12:%02x % x: %v, want %v", tt.sub, tt.data, err, tt.want)
		}
	}
}
