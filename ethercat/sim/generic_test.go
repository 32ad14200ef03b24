package sim

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// valveIsland is a slave of no type that is built in.
const valveIsland = `
  - type: generic
    name: valves
    generic:
      vendor: 0x1234
      product: 0x5678
      revision: 0x10002
      order: VI-8
      completeAccess: true
      assign: true
      outputs:
        - name: Valves
          entries:
            - {index: 0x7000, sub: 1, name: Valve 1, type: BOOL}
            - {index: 0x7000, sub: 2, name: Valve 2, type: BOOL}
            - {bits: 6}
            - {index: 0x7010, name: Pressure, type: INT}
        - {name: Extra, optional: true, entries: [{index: 0x7020, sub: 1, name: Speed, type: REAL}]}
      inputs:
        - {name: State, entries: [{index: 0x6000, sub: 1, name: Ready, type: BIT8}, {index: 0x6010, name: Measured, type: INT}]}
      echo: true
      objects:
        - {index: 0x8000, sub: 1, object: Settings, name: Enable, type: BOOL, value: true}
        - {index: 0x8000, sub: 2, name: Mode, type: BIT2}
        - {index: 0x8000, sub: 3, name: Kind, type: SINT, values: [-1, 3]}
        - {index: 0x8000, sub: 4, name: Limit, type: INT, value: -5, min: -10, max: 10}
        - {index: 0x8001, name: Gain, type: REAL, value: 2.5, max: 3}
        - {index: 0x8002, name: Key, type: UDINT, access: wo}
        - {index: 0x8003, name: Serial text, type: STRING, value: abc, access: ro}
        - {index: 0x8004, name: Start, type: UINT, access: preop}
`

// A slave that is described in the rack has the process data and the objects that are described, and works.
func TestGeneric(t *testing.T) {
	m := newMaster(t, "slaves:"+valveIsland)
	s := m.slave("valves")
	m.start(wire.Op)
	image, err := sii.Decode(s.image)
	if err != nil || len(image.Problems) > 0 || image.Identity.Vendor != 0x1234 || image.Identity.Revision != 0x10002 || len(image.RxPDOs) != 2 || len(image.TxPDOs) != 1 {
		t.Errorf("%v %+v", err, image)
	}
	copy(m.place(s, wire.FMMUWrite), []byte{2, 0xfe, 0xff})
	m.exchange()
	m.exchange()
	if got := m.place(s, wire.FMMURead); !bytes.Equal(got, []byte{2, 0xfe, 0xff}) {
		t.Errorf("% x", got)
	}
	if got, err := s.Entry(0x7010, 0); err != nil || !bytes.Equal(got, []byte{0xfe, 0xff}) {
		t.Errorf("% x %v", got, err)
	}
	m.do("slave valves entry 0x8001 0 0.5")
	if got := m.upload(s, 0x8001, 0); !bytes.Equal(got, []byte{0, 0, 0, 0x3f}) {
		t.Errorf("% x", got)
	}
	if got := m.upload(s, 0x8003, 0); string(got) != "abc" {
		t.Errorf("%q", got)
	}
	if c := m.talk(s, func(c *coe.Client) { c.Upload(0x8000, 0, true) }); !bytes.Equal(c.Data(), []byte{4, 0, 1, 0, 0xfb, 0xff}) {
		t.Errorf("% x %v", c.Data(), c.Err())
	}
}

// A write of the master is checked as real devices do: there, allowed, at this time, of this length, of this value; in this order.
func TestValuesAreChecked(t *testing.T) {
	m := newMaster(t, "slaves:"+valveIsland+"  - {type: drive, name: arm}\n")
	m.start(wire.SafeOp)
	tests := []struct {
		slave string
		index uint16
		sub   uint8
		data  []byte
		want  coe.Abort
	}{
		{"valves", 0x8000, 1, []byte{1}, 0},
		{"valves", 0x8000, 1, []byte{0x78}, coe.AbortRange},
		{"valves", 0x8000, 2, []byte{3}, 0},
		{"valves", 0x8000, 2, []byte{4}, coe.AbortHigh},
		{"valves", 0x8000, 3, []byte{0xff}, 0},
		{"valves", 0x8000, 3, []byte{0}, coe.AbortRange},
		{"valves", 0x8000, 4, []byte{0xf6, 0xff}, 0},
		{"valves", 0x8000, 4, []byte{0xf5, 0xff}, coe.AbortLow},
		{"valves", 0x8000, 4, []byte{11, 0}, coe.AbortHigh},
		{"valves", 0x8000, 4, []byte{1}, coe.AbortLengthLow},
		{"valves", 0x8000, 4, []byte{1, 0, 0}, coe.AbortLengthHigh},
		{"valves", 0x8000, 5, []byte{1, 0, 0}, coe.AbortNoSub},
		{"valves", 0x8000, 0, []byte{1}, coe.AbortReadOnly},
		{"valves", 0x8001, 0, []byte{0, 0, 0x80, 0x40}, coe.AbortHigh}, // 4.0
		{"valves", 0x8002, 0, []byte{1, 2, 3, 4}, 0},
		{"valves", 0x8003, 0, []byte("xyz"), coe.AbortReadOnly},
		{"valves", 0x8004, 0, []byte{1, 0}, coe.AbortStoreState},
		{"valves", 0x8005, 0, []byte{1, 0}, coe.AbortNoObject},
		{"valves", 0x1000, 0, []byte{1, 0, 0, 0}, coe.AbortReadOnly},
		{"valves", 0x1018, 1, []byte{1, 0, 0, 0}, coe.AbortReadOnly},
		{"valves", 0x1c12, 0, []byte{0}, coe.AbortStoreState},
		{"valves", 0x1600, 0, []byte{0}, coe.AbortReadOnly},
		{"arm", 0x6060, 0, []byte{8}, 0},
		{"arm", 0x6060, 0, []byte{0}, 0},
		{"arm", 0x6060, 0, []byte{99}, coe.AbortRange},
		{"arm", 0x6860, 0, []byte{9}, coe.AbortRange},
		{"arm", 0x6061, 0, []byte{8}, coe.AbortReadOnly},
		{"arm", 0x605a, 0, []byte{9, 0}, coe.AbortRange},
		{"arm", 0x605e, 0, []byte{0xff, 0xff}, coe.AbortRange},
		{"arm", 0x60c2, 2, []byte{0xfd}, coe.AbortStoreState},
		{"arm", 0x6041, 0, []byte{0, 0}, coe.AbortReadOnly},
		{"arm", 0x6502, 0, []byte{0, 0, 0, 0}, coe.AbortReadOnly},
	}
	for _, tt := range tests {
		err := m.talk(m.slave(tt.slave), func(c *coe.Client) { c.Download(tt.index, tt.sub, false, tt.data) }).Err()
		if tt.want == 0 && err != nil || tt.want != 0 && !errors.Is(err, tt.want) {
			t.Errorf("%s 0x%04x:%02x % x: %v, want %v", tt.slave, tt.index, tt.sub, tt.data, err, tt.want)
		}
	}
	for _, index := range []uint16{0x8002, 0x9999} {
		c := m.talk(m.slave("valves"), func(c *coe.Client) { c.Upload(index, 0, false) })
		if want := map[uint16]coe.Abort{0x8002: coe.AbortWriteOnly, 0x9999: coe.AbortNoObject}[index]; !errors.Is(c.Err(), want) {
			t.Errorf("reading 0x%04x: %v", index, c.Err())
		}
	}
}

// Complete access writes what it reads, bits side by side, and nothing when one entry refuses its value.
func TestCompleteAccess(t *testing.T) {
	m := newMaster(t, "slaves:"+valveIsland)
	m.start(wire.PreOp)
	s := m.slave("valves")
	down := func(data ...byte) error {
		return m.talk(s, func(c *coe.Client) { c.Download(0x8000, 1, true, data) }).Err()
	}
	up := func() []byte { return m.talk(s, func(c *coe.Client) { c.Upload(0x8000, 1, true) }).Data() }
	if err := down(0x06, 3, 10, 0); err != nil || !bytes.Equal(up(), []byte{6, 3, 10, 0}) {
		t.Errorf("%v: % x", err, up())
	}
	for want, data := range map[coe.Abort][]byte{
		coe.AbortRange: {0x06, 4, 10, 0}, coe.AbortHigh: {0x06, 3, 11, 0}, coe.AbortLengthLow: {0x06, 3, 10}, coe.AbortLengthHigh: {0x06, 3, 10, 0, 0},
	} {
		if err := down(data...); !errors.Is(err, want) || !bytes.Equal(up(), []byte{6, 3, 10, 0}) {
			t.Errorf("%v, want %v: % x", err, want, up())
		}
	}
}

// Process data that only the SII knows, and such that only the dictionary knows.
func TestGenericSources(t *testing.T) {
	const io = `
      outputs: [{entries: [{index: 0x7000, sub: 1, type: USINT}]}]
      inputs: [{entries: [{index: 0x6000, sub: 1, type: USINT}]}]
      echo: true
`
	m := newMaster(t, "slaves:\n  - type: generic\n    name: simple\n    generic:\n      mailbox: -1"+io+
		"  - type: generic\n    name: quiet\n    generic:\n      noSIIPDOs: true"+io)
	simple, quiet := m.slave("simple"), m.slave("quiet")
	d, err := sii.Decode(simple.image)
	if err != nil || d.Mailbox.InSize != 0 || len(d.SyncManagers) != 2 || d.SyncManagers[0].Length != 1 || len(d.TxPDOs) != 1 {
		t.Errorf("%v %+v", err, d)
	}
	if d, err = sii.Decode(quiet.image); err != nil || len(d.RxPDOs)+len(d.TxPDOs) > 0 || d.SyncManagers[2].Length != 0 {
		t.Errorf("%v %+v", err, d)
	}
	m.start(wire.Op)
	if got := m.upload(quiet, 0x1c12, 1); !bytes.Equal(got, []byte{0, 0x16}) {
		t.Errorf("% x", got)
	}
	for _, s := range []*Slave{simple, quiet} {
		m.place(s, wire.FMMUWrite)[0] = 0x5a
		m.exchange()
		m.exchange()
		if got := m.place(s, wire.FMMURead); got[0] != 0x5a {
			t.Errorf("%s: % x", s.Name(), got)
		}
	}
}

// Mistakes of slaves in the field, on demand.
func TestWrongSlaves(t *testing.T) {
	m := newMaster(t, "slaves:"+strings.Replace(valveIsland, "name: valves", "name: valves\n    shortSubZero: true\n    unassigned: true", 1))
	m.start(wire.PreOp)
	s := m.slave("valves")
	if c := m.talk(s, func(c *coe.Client) { c.Upload(0x8000, 0, true) }); !bytes.Equal(c.Data(), []byte{4, 1, 0, 0xfb, 0xff}) {
		t.Errorf("% x %v", c.Data(), c.Err())
	}
	if got := m.upload(s, 0x1c12, 0); got[0] != 0 {
		t.Errorf("%d PDOs are assigned", got[0])
	}
	if d := s.Description(); d.SyncManagers[2].Length != 3 {
		t.Errorf("the SII gives SyncManager 2 %d bytes", d.SyncManagers[2].Length)
	}
	m.want(s, wire.SafeOp) // without process data
	for fault := range siiFaults {
		m := newMaster(t, "slaves:"+strings.Replace(valveIsland, "name: valves", "name: valves\n    siiFaults: ["+string(fault)+"]", 1))
		image := m.slave("valves").image
		d, err := sii.Decode(image)
		good, goodErr := sii.Decode(newMaster(t, "slaves:"+valveIsland).slave("valves").image)
		if goodErr != nil {
			t.Fatal(goodErr)
		}
		if err == nil && len(d.Problems) == 0 && d.Identity == good.Identity && d.Mailbox == good.Mailbox && d.Protocols == good.Protocols && len(d.RxPDOs) == len(good.RxPDOs) {
			t.Errorf("%s: nothing is wrong", fault)
		}
		if !slices.ContainsFunc(image, func(b byte) bool { return b != 0 }) && fault != "zero" {
			t.Errorf("%s: nothing is there", fault)
		}
	}
}
