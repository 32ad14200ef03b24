package sim

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"testing"
	"testing/fstest"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// Start, length and control of a SyncManager that is on cannot be written, only that it is on; when it is off they can (data sheet,
// section II, tables 89 to 91).
func TestLockedManager(t *testing.T) {
	m := newMaster(t, "slaves:\n  - {type: EK1100}\n  - {type: EL3104, name: ai}\n")
	s := m.slave("ai")
	m.start(wire.Op)
	at := wire.SyncManagerAt(mailIn)
	before := m.read(s, at, wire.SyncManagerSize)
	other := wire.SyncManager{Start: 0x1300, Length: 40, Control: wire.ControlMailIn, Activate: wire.SyncEnable}
	all := make([]byte, wire.SyncManagerSize)
	other.Put(all)
	m.write(s, at, all...)
	if after := m.read(s, at, wire.SyncManagerSize); !bytes.Equal(after, before) {
		t.Errorf("% x became % x", before, after)
	}
	m.write(s, at, make([]byte, wire.SyncManagerSize)...)
	before[wire.SyncUseOffset] = 0
	if after := m.read(s, at, wire.SyncManagerSize); !bytes.Equal(after, before) {
		t.Errorf("% x became % x when it was switched off", before, after)
	}
	m.write(s, at, all...)
	if after := m.read(s, at, wire.SyncManagerSize); !bytes.Equal(after, all) {
		t.Errorf("% x became % x", all, after)
	}
}

// A SyncManager that its slave has switched off is empty and closed, whatever masters write, until the slave goes from Init to Pre-Op again
// (data sheet, section I, §8.7).
func TestClosedManager(t *testing.T) {
	m := newMaster(t, "slaves:\n  - {type: EK1100}\n  - {type: EL3104, name: ai}\n")
	s := m.slave("ai")
	m.start(wire.Op)
	m.do("slave ai emergency 0x1234")
	at := wire.SyncManagerAt(mailIn)
	if got := m.read(s, at+wire.SyncStatusOffset, 1)[0]; got&wire.SyncFull == 0 {
		t.Fatalf("status %02x with mail", got)
	}
	m.do("slave ai close 1")
	if got := m.read(s, at, wire.SyncManagerSize); got[wire.SyncStatusOffset]&wire.SyncFull != 0 || got[7]&wire.SyncClosed == 0 {
		t.Errorf("% x", got)
	}
	b := s.Description().Mailbox
	if n, _ := m.send(wire.FPRD, wire.Station(s.Station(), wire.Register(b.In)), make([]byte, b.InSize)...); n != 0 {
		t.Error("its area can be read")
	}
	m.write(s, at+wire.SyncUseOffset, wire.SyncEnable, 0)
	if got := m.read(s, at, wire.SyncManagerSize); got[7]&wire.SyncClosed == 0 {
		t.Errorf("a master has opened it: % x", got)
	}
	m.want(s, wire.Init)
	m.mailboxes(s)
	m.want(s, wire.PreOp)
	if got := m.upload(s, 0x1018, 1); !bytes.Equal(got, []byte{2, 0, 0, 0}) {
		t.Errorf("% x", got)
	}
	for _, wrong := range []string{"slave ai close", "slave ai close x", "slave ai close 9"} {
		if err := m.chain.Do(wrong); err == nil {
			t.Errorf("%s is taken", wrong)
		}
	}
}

// A device whose description asks for its modules has the lists of ETG.5001, and compares them on the way to Safe-Op.
func TestModuleLists(t *testing.T) {
	file, err := os.ReadFile("testdata/island.xml")
	if err != nil {
		t.Fatal(err)
	}
	file = bytes.Replace(file, []byte(`<Slots `), []byte(`<Slots DownloadModuleIdentList="1" MaxSlotCount="4" `), 1)
	r, err := ParseRack([]byte("slaves:\n  - {type: generic, name: island, generic: {esi: island.xml, modules: [DO4, AI1]}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewChain(r, fstest.MapFS{"island.xml": {Data: file}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	m := newMaster(t, "slaves:\n  - {type: EK1100}\n")
	m.chain, m.link = c, &Link{Chain: c}
	s := m.slave("island")
	m.start(wire.PreOp)
	down := func(index uint16, sub uint8, complete bool, data ...byte) error {
		return m.talk(s, func(c *coe.Client) { c.Download(index, sub, complete, data) }).Err()
	}
	ident := func(n uint32) []byte { return binary.LittleEndian.AppendUint32(nil, n) }
	for sub, want := range [][]byte{{4}, ident(0x11), ident(0x12), ident(0), ident(0)} {
		if got := m.upload(s, 0xf050, uint8(sub)); !bytes.Equal(got, want) {
			t.Errorf("0xf050:%02x is % x", sub, got)
		}
	}
	if got := m.upload(s, 0xf030, 0); got[0] != 0 {
		t.Errorf("% x are configured", got)
	}
	if err := down(0xf050, 1, false, ident(1)...); !errors.Is(err, coe.AbortReadOnly) {
		t.Error(err)
	}
	if err := down(0xf030, 0, false, 5); !errors.Is(err, coe.AbortRange) {
		t.Error(err)
	}
	for _, step := range []struct {
		idents []uint32
		state  wire.State
		code   wire.Code
	}{
		{[]uint32{0x11, 0x11}, wire.PreOp | wire.ErrorBit, wire.CodeModules},
		{[]uint32{0x11, 0x12, 0x11}, wire.PreOp | wire.ErrorBit, wire.CodeModules},
		{[]uint32{0x11, 0x12}, wire.SafeOp, wire.NoCode},
	} {
		list := []byte{byte(len(step.idents)), 0}
		for _, n := range step.idents {
			list = append(list, ident(n)...)
		}
		if err := down(0xf030, 0, true, list...); err != nil {
			t.Fatal(err)
		}
		m.processData(s)
		if state, code := m.request(s, wire.SafeOp); state != step.state || code != step.code {
			t.Errorf("%x: %v %v", step.idents, state, code)
		}
		m.request(s, wire.PreOp|wire.ErrorBit)
	}
	m.want(s, wire.SafeOp)
	if err := down(0xf030, 0, false, 0); !errors.Is(err, coe.AbortStoreState) {
		t.Error(err)
	}
}
