package sim

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// stranger returns the image of an unknown device.
func stranger() *sii.Description {
	k := terminal("X100", 0x0100, 3, "X100 box")
	withMailbox(k, 64)
	d := &k.description
	d.Identity = sii.Identity{Vendor: 0x999, Product: 0x100, Revision: 3, Serial: 4}
	d.General.Ports = [4]uint8{1, 1}
	entry := func(index uint16, bits uint8) []sii.Entry {
		return []sii.Entry{{Index: index, Sub: 1, Name: "value", Type: uint8(coe.Uint32), Bits: bits}}
	}
	d.RxPDOs = []sii.PDO{{Index: 0x1600, SyncManager: 2, Entries: entry(0x2000, 32)}}
	d.TxPDOs = []sii.PDO{{Index: 0x1a00, SyncManager: 3, Entries: entry(0x2001, 24)}}
	k.setLengths()
	return d
}

func imageOf(t *testing.T, d *sii.Description) []byte {
	t.Helper()
	image, err := sii.Encode(d)
	if err != nil {
		t.Fatal(err)
	}
	return image
}

// Images of devices from files: an unknown one, and a known one of another revision, come to Op with what they say.
func TestImages(t *testing.T) {
	old := oldAnalogIn("EL3102", 0x0c1e, 0x000f, 2, Volts20, 16).description
	files := fstest.MapFS{
		"x100.bin": {Data: imageOf(t, stranger())}, "old.bin": {Data: imageOf(t, &old)},
		"blank.bin": {Data: []byte(strings.Repeat("\xff", 512))}, "short.bin": {Data: []byte{1, 2, 3}},
	}
	build := func(rack string) (*Chain, error) {
		r, err := ParseRack([]byte(rack))
		if err != nil {
			t.Fatal(err)
		}
		return NewChain(r, files, 0)
	}
	c, err := build("slaves:\n  - {type: EK1100}\n  - {type: EL3102, name: old, sii: old.bin}\n  - {type: image, name: box, sii: x100.bin}\n")
	if err != nil {
		t.Fatal(err)
	}
	m := &master{t: t, chain: c, link: &Link{Chain: c}, w: wire.NewWriter(make([]byte, wire.LongestFrame), wire.MAC{1}), cycle: cycleTime}
	m.start(wire.Op)
	if got := m.exchange(); got != m.expected || m.expected != 4 {
		t.Errorf("working counter %d of %d", got, m.expected)
	}
	box := m.slave("box")
	if f := word16(m.read(box, wire.RegFeatures, 2)); f&wire.FeatureClock == 0 || f&wire.FeatureClockSync == 0 {
		t.Errorf("%04x: its SII tells of SYNC0", f)
	}
	if got := m.upload(box, 0x1018, 1); word16(got) != 0x999 {
		t.Errorf("% x", got)
	}
	copy(m.place(box, wire.FMMUWrite), long(0x12345678))
	m.exchange()
	if got := m.upload(box, 0x2000, 1); word16(got) != 0x5678 {
		t.Errorf("% x", got)
	}
	if n := len(m.place(m.slave("old"), wire.FMMURead)); n != 6 {
		t.Errorf("%d bytes of an old EL3102", n)
	}
	for _, tt := range []struct{ file, want string }{
		{"blank.bin", "blank"}, {"short.bin", "3 bytes"}, {"none.bin", "none.bin"},
	} {
		if _, err := build("slaves:\n  - {type: image, sii: " + tt.file + "}\n"); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.file, err)
		}
	}
}

// Whatever is in an image, a slave is made of it that can be talked to, or it is refused.
func FuzzImage(f *testing.F) {
	image, err := sii.Encode(stranger())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(image)
	f.Add(image[:300])
	r, err := ParseRack([]byte("slaves:\n  - {type: image, name: box, sii: box.bin}\n"))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, image []byte) {
		c, err := NewChain(r, fstest.MapFS{"box.bin": {Data: image}}, 0)
		if err != nil {
			return
		}
		m := &master{t: t, chain: c, link: &Link{Chain: c}, w: wire.NewWriter(make([]byte, wire.LongestFrame), wire.MAC{1}), cycle: cycleTime}
		m.scan()
		s := m.slave("box")
		for _, state := range []wire.State{wire.PreOp, wire.SafeOp, wire.Op} {
			m.write(s, wire.RegControl, byte(state), 0)
			m.now += cycleTime
			m.chain.Advance(m.now)
		}
		m.try(wire.BRD, wire.Broadcast(wire.RegType), make([]byte, 1400))
	})
}

// Descriptions of racks from people are refused, never a reason to fail.
func FuzzRack(f *testing.F) {
	f.Add(smallRack)
	f.Add(robot)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseRack([]byte(text))
		if err != nil {
			return
		}
		if c, err := NewChain(r, fstest.MapFS{}, 0); err == nil {
			c.Advance(1e9)
			_ = c.Do(text)
		}
	})
}
