package sim

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

const smallRack = `
slaves:
  - {type: EK1100, name: head}
  - {type: EL1008, name: in}
  - {type: EL2008, name: out}
  - {type: EL3102, name: ai}
  - {type: EL4132, name: ao}
  - {type: drive, name: arm, drive: {axes: 6, freeRun: true, velocity: 1e6, acceleration: 1e7}}
`

// A rack of thirty slaves comes to Op, and every one takes part in the process data.
func TestStartOfThirty(t *testing.T) {
	var text strings.Builder
	text.WriteString("slaves:\n  - {type: EK1100}\n")
	types := []string{
		"EL1008", "EL1018", "EL1809", "EL2008", "EL2809", "EL2024", "EL3062", "EL3064", "EL3102", "EL3104", "EL3154", "EL4004", "EL4102",
		"EL4132", "EL4134", "EL4002", "EL1002", "EL1004", "EL2002", "EL2004", "EL1808", "EL2808", "EL3162", "EL3164", "EL4104", "EL3102-0010",
	}
	for _, k := range types {
		fmt.Fprintf(&text, "  - {type: %s, name: %s}\n", k, k)
	}
	text.WriteString("  - {type: EK1110}\n  - {type: EK1100, name: second}\n  - {type: EL2008, name: last}\n")
	m := newMaster(t, text.String())
	m.start(wire.Op)
	n, _ := m.send(wire.BRD, wire.Broadcast(wire.RegStatus), 0, 0)
	if n != 30 {
		t.Errorf("%d slaves", n)
	}
	if got := m.exchange(); got != m.expected || got == 0 {
		t.Errorf("working counter %d, want %d", got, m.expected)
	}
	m.place(m.slave("EL2809"), wire.FMMUWrite)[1] = 0x80
	m.place(m.slave("last"), wire.FMMUWrite)[0] = 1
	if err := m.slave("EL1809").SetDigital(16, true); err != nil {
		t.Fatal(err)
	}
	m.exchange()
	for name, channel := range map[string]int{"EL2809": 16, "last": 1} {
		if on, err := m.slave(name).Digital(channel); !on || err != nil {
			t.Errorf("%s: channel %d is off, %v", name, channel, err)
		}
	}
	if got := m.place(m.slave("EL1809"), wire.FMMURead); !bytes.Equal(got, []byte{0, 0x80}) {
		t.Errorf("% x", got)
	}
}

// Positions, addresses and working counters of every command (facts of the working counter).
func TestWorkingCounters(t *testing.T) {
	m := newMaster(t, smallRack)
	m.start(wire.PreOp)
	memory := wire.Register(0x1f00) // of those with that much memory
	tests := []struct {
		c    wire.Command
		a    wire.Address
		want uint16
		adp  uint16
	}{
		{wire.NOP, wire.Broadcast(0), 0, 0},
		{wire.APRD, wire.Position(2, wire.RegType), 1, 4},
		{wire.APWR, wire.Position(2, wire.RegEventMask), 1, 4},
		{wire.APRW, wire.Position(2, wire.RegEventMask), 3, 4},
		{wire.APRD, wire.Position(6, wire.RegType), 0, 0},
		{wire.FPRD, wire.Station(0x1003, wire.RegType), 1, 0x1003},
		{wire.FPWR, wire.Station(0x1003, wire.RegEventMask), 1, 0x1003},
		{wire.FPRW, wire.Station(0x1003, wire.RegEventMask), 3, 0x1003},
		{wire.FPRD, wire.Station(0x1100, wire.RegType), 0, 0x1100},
		{wire.FPRD, wire.Station(0x1003, 0xf000), 0, 0x1003},
		{wire.BRD, wire.Broadcast(wire.RegType), 6, 6},
		{wire.BWR, wire.Broadcast(wire.RegEventMask), 6, 6},
		{wire.BRW, wire.Broadcast(wire.RegEventMask), 18, 6},
		{wire.BWR, wire.Broadcast(memory), 6, 6},
		{wire.ARMW, wire.Position(1, wire.RegEventMask), 5, 5},
		{wire.FRMW, wire.Station(0x1003, wire.RegEventMask), 4, 0x1003},
	}
	for _, tt := range tests {
		d, ok := m.try(tt.c, tt.a, []byte{0, 0})
		if !ok || d.Counter != tt.want || d.Address.ADP() != tt.adp {
			t.Errorf("%v: counter %d, want %d, ADP %04x, want %04x", tt.c, d.Counter, tt.want, d.Address.ADP(), tt.adp)
		}
	}
	m.write(m.slave("in"), wire.RegEventMask, 0x10, 0)
	m.write(m.slave("out"), wire.RegEventMask, 0x01, 0)
	if _, data := m.send(wire.BRD, wire.Broadcast(wire.RegEventMask), 4, 0); data[0]&0x15 != 0x15 {
		t.Errorf("BRD does not put together: %02x", data[0])
	}
	m.write(m.slave("in"), wire.RegEventMask, 0xff, 0xff)
	m.write(m.slave("out"), wire.RegEventMask, 0, 0)
	if _, data := m.send(wire.FRMW, wire.Station(0x1002, wire.RegEventMask), 0, 0); data[0] != 0xff {
		t.Errorf("% x", data)
	}
	if got := m.read(m.slave("ao"), wire.RegEventMask, 2); got[0] != 0xff {
		t.Errorf("was not written behind: % x", got)
	}
	if got := m.read(m.slave("head"), wire.RegEventMask, 2); got[0] == 0xff {
		t.Error("was written before")
	}
}

// A part that cannot read and write at once says so and is not in LRW, but in LRD and LWR.
func TestNoLRW(t *testing.T) {
	m := newMaster(t, "slaves:\n  - {type: EK1100}\n  - {type: EL2008, name: out, noLRW: true}\n")
	m.scan()
	s := m.slave("out")
	m.processData(s)
	m.want(s, wire.Op)
	if features := word16(m.read(s, wire.RegFeatures, 2)); features&wire.FeatureNoLRW == 0 || s.Description().General.Flags&sii.NoLRW == 0 {
		t.Errorf("%04x", features)
	}
	for c, want := range map[wire.Command]uint16{wire.LRW: 0, wire.LRD: 0, wire.LWR: 1} {
		if n, _ := m.send(c, wire.Logical(0), 0xff); n != want {
			t.Errorf("%v: working counter %d", c, n)
		}
		if on, _ := s.Digital(1); on && want == 0 {
			t.Errorf("%v switches an output", c)
		}
		m.send(wire.LWR, wire.Logical(0), 0)
	}
}

// An alias is listened to when that is switched on.
func TestAlias(t *testing.T) {
	m := newMaster(t, "slaves:\n  - {type: EK1100, alias: 0x4711}\n")
	if d, _ := m.try(wire.FPRD, wire.Station(0x4711, wire.RegType), []byte{0}); d.Counter != 0 {
		t.Error("answers to the alias")
	}
	m.send(wire.BWR, wire.Broadcast(wire.RegLinkControl+3), 1)
	if d, _ := m.try(wire.FPRD, wire.Station(0x4711, wire.RegAlias), []byte{0, 0}); d.Counter != 1 || word16(d.Data) != 0x4711 {
		t.Errorf("%+v", d)
	}
}

// The bit in the sender's address is set, unless no slave does.
func TestMark(t *testing.T) {
	for _, unmarked := range []bool{false, true} {
		m := newMaster(t, fmt.Sprintf("slaves:\n  - {type: EK1100, unmarked: %v}\n", unmarked))
		m.w.Clear()
		m.w.Add(wire.BRD, 1, wire.Broadcast(wire.RegType), 1)
		m.link.Send(m.w.Frame(), 0)
		frame, at, ok := m.link.Receive(cycleTime)
		if !ok || wire.WasProcessed(frame) == unmarked || at < 60*nsPerByte {
			t.Errorf("%v % x at %d", ok, frame[:12], at)
		}
	}
}

// The SII is read in all the ways that masters have, and says what the description says (§14.1 of the facts).
func TestSII(t *testing.T) {
	for _, four := range []bool{false, true} {
		m := newMaster(t, fmt.Sprintf("slaves:\n  - {type: EK1100, fourBytes: %v}\n  - {type: EL3102, fourBytes: %v, serial: 77}\n", four, four))
		m.scan()
		s := m.slave("EL3102-2")
		size := 8
		if four {
			size = 4
		}
		ready := func() uint16 {
			for range 100 {
				if v := word16(m.read(s, wire.RegSIIControl, 2)); v&wire.SIIBusy == 0 {
					return v
				}
			}
			t.Fatal("busy for ever")
			return 0
		}
		read := func(at int, command func(at uint32)) []byte {
			command(uint32(at / 2))
			if v := ready(); v&wire.SIIErrors != 0 || v&wire.SIIEight != 0 == four {
				t.Fatalf("status %04x", v)
			}
			return m.read(s, wire.RegSIIData, size)
		}
		want, err := sii.Encode(&s.kind.description)
		if err != nil {
			t.Fatal(err)
		}
		ways := map[string]func(at uint32){
			"at once": func(at uint32) {
				m.write(s, wire.RegSIIControl, append([]byte{0, wire.SIIRead >> 8}, long(at)...)...)
			},
			"one after the other": func(at uint32) {
				m.write(s, wire.RegSIIAddress, long(at)...)
				m.write(s, wire.RegSIIControl, 0, wire.SIIRead>>8)
			},
			"broadcast": func(at uint32) {
				m.send(wire.BWR, wire.Broadcast(wire.RegSIIControl), append([]byte{0, wire.SIIRead >> 8}, long(at)...)...)
			},
		}
		for name, way := range ways {
			var image []byte
			for need := sii.Need(nil); len(image) < need; need = sii.Need(image) {
				image = append(image, read(len(image), way)...)
			}
			if !bytes.Equal(image, want[:len(image)]) {
				t.Errorf("%s: another image", name)
			}
			d, err := sii.Decode(image)
			if err != nil || len(d.Problems) > 0 || d.Identity.Serial != 77 || d.General.Order != "EL3102" {
				t.Errorf("%s: %v %+v", name, err, d)
			}
		}
		// Beyond the end there is nothing, and writing needs to be enabled.
		if got := read(1<<20, ways["at once"]); got[0] != 0xff {
			t.Errorf("% x", got)
		}
		m.write(s, wire.RegSIIControl, 0, wire.SIIWrite>>8, 4, 0, 0, 0)
		if v := ready(); v&wire.SIIWriteError == 0 {
			t.Errorf("status %04x", v)
		}
		m.write(s, wire.RegSIIControl, 0, 0)
		m.write(s, wire.RegSIIData, 0x34, 0x12)
		m.write(s, wire.RegSIIControl, wire.SIIWritable, wire.SIIWrite>>8, 4, 0, 0, 0)
		ready()
		m.write(s, wire.RegSIIControl, 0, wire.SIIReload>>8)
		ready()
		if got := word16(m.read(s, wire.RegAlias, 2)); got != 0x1234 {
			t.Errorf("alias %04x", got)
		}
	}
}

// A slave that keeps its SII answers with an error until it is taken back; one that hangs stays busy until it is mended.
func TestSIIOwners(t *testing.T) {
	m := newMaster(t, "slaves:\n  - {type: EK1100}\n  - {type: EL3102, name: ai, takesSII: true}\n")
	m.start(wire.PreOp)
	s := m.slave("ai")
	request := func() uint16 {
		m.write(s, wire.RegSIIControl, 0, wire.SIIRead>>8, 8, 0, 0, 0)
		m.exchange()
		return word16(m.read(s, wire.RegSIIControl, 2))
	}
	if v := request(); v&wire.SIICommandError == 0 {
		t.Errorf("status %04x", v)
	}
	m.write(s, wire.RegSIIOwner, 2)
	m.write(s, wire.RegSIIOwner, 0)
	if v := request(); v&(wire.SIICommandError|wire.SIIBusy) != 0 {
		t.Errorf("status %04x", v)
	}
	m.do("slave ai stuck on")
	if v := request(); v&wire.SIIBusy == 0 {
		t.Errorf("status %04x", v)
	}
	m.do("slave ai stuck off")
	if v := word16(m.read(s, wire.RegSIIControl, 2)); v&wire.SIIBusy != 0 {
		t.Errorf("status %04x", v)
	}
}

// Registers are memory of any length, except for those that only the slave writes.
func TestRegisters(t *testing.T) {
	m := newMaster(t, smallRack)
	m.scan()
	s := m.slave("arm")
	m.write(s, wire.RegWatchdog, 0x34)
	m.write(s, wire.RegWatchdog+1, 0x12)
	if got := m.read(s, wire.RegDivider, 0x22); word16(got) != 2498 || word16(got[0x20:]) != 0x1234 {
		t.Errorf("% x", got)
	}
	before := m.read(s, 0, 16)
	m.send(wire.FPWR, wire.Station(s.Station(), 0), bytes.Repeat([]byte{0xaa}, 16)...)
	m.write(s, wire.RegStatus, 0xaa, 0xaa)
	if got := m.read(s, 0, 16); !bytes.Equal(got, before) {
		t.Errorf("% x became % x", before, got)
	}
	if got := m.read(s, wire.RegStatus, 6); got[0] != byte(wire.Init) {
		t.Errorf("% x", got)
	}
	if s.Order() != "drive" || before[0] != chipET1100 || before[5] != 4 {
		t.Errorf("%s % x", s.Order(), before)
	}
	// R, E and S one after another are a reset.
	for _, letter := range "RRES" {
		m.write(s, wire.RegReset, byte(letter))
	}
	if s.Station() == 0 {
		t.Error("was reset by a wrong word")
	}
	m.write(s, wire.RegReset, 'x')
	for _, letter := range "RES" {
		m.write(s, wire.RegReset, byte(letter))
	}
	if s.Station() != 0 {
		t.Error("was not reset")
	}
}

// DL status shows the shape of the rack: two couplers, the first one with a branch.
func TestTopology(t *testing.T) {
	m := newMaster(t, `
slaves:
  - {type: EK1100, name: head}
  - {type: EL1008, name: a}
  - {type: EL1008, name: b}
  - {type: EK1100, name: next}
  - {type: EL2008, name: c}
`)
	m.scan()
	open := map[string]int{"head": 3, "a": 2, "b": 1, "next": 2, "c": 1}
	for name, want := range open {
		if got := wire.LinkStatus(word16(m.read(m.slave(name), wire.RegLinkStatus, 2))); got.OpenPorts() != want {
			t.Errorf("%s: %016b, want %d open ports", name, got, want)
		}
	}
	m.do("slave b break")
	if n, _ := m.send(wire.BRD, wire.Broadcast(wire.RegType), 0); n != 4 {
		t.Errorf("%d slaves behind a cable that is broken", n)
	}
	if got := wire.LinkStatus(word16(m.read(m.slave("a"), wire.RegLinkStatus, 2))); got.OpenPorts() != 1 || !got.Closed(1) {
		t.Errorf("%016b", got)
	}
	if got := m.read(m.slave("a"), wire.RegLostLinks+1, 1); got[0] != 1 {
		t.Errorf("%d lost links", got[0])
	}
	if got := wire.LinkStatus(m.slave("b").word(wire.RegLinkStatus)); !got.Closed(0) {
		t.Errorf("other side: %016b", got)
	}
	m.do("slave b mend")
	// A master can close a port as well.
	m.write(m.slave("head"), wire.RegLinkControl+1, byte(wire.LoopClosed)<<4)
	if n, _ := m.send(wire.BRD, wire.Broadcast(wire.RegType), 0); n != 3 {
		t.Errorf("%d slaves while the port to the next coupler is closed", n)
	}
	m.write(m.slave("head"), wire.RegLinkControl+1, 0)
	if n, _ := m.send(wire.BRD, wire.Broadcast(wire.RegType), 0); n != 5 {
		t.Errorf("%d slaves", n)
	}
}

// States and their codes (§3 and §11 of the facts).
func TestStates(t *testing.T) {
	ready := func(m *master, s *Slave) { m.mailboxes(s); m.want(s, wire.PreOp) }
	tests := []struct {
		name  string
		slave string
		do    func(m *master, s *Slave)
		ask   wire.State
		want  wire.State
		code  wire.Code
	}{
		{"skips a state", "ai", nil, wire.SafeOp, wire.Init | wire.ErrorBit, wire.CodeTransition},
		{"unknown state", "ai", nil, 7, wire.Init | wire.ErrorBit, wire.CodeUnknownState},
		{"no Boot", "ai", nil, wire.Boot, wire.Init | wire.ErrorBit, wire.CodeNoBoot},
		{"no mailbox set", "ai", nil, wire.PreOp, wire.Init | wire.ErrorBit, wire.CodeMailbox},
		{"mailbox of another size", "ai", func(m *master, s *Slave) {
			m.mailboxes(s)
			m.alter(s, 0, 2, 64, 0)
		}, wire.PreOp, wire.Init | wire.ErrorBit, wire.CodeMailbox},
		{"inputs without SyncManager", "ai", ready, wire.SafeOp, wire.PreOp | wire.ErrorBit, wire.CodeInputs},
		{"inputs of another size", "ai", func(m *master, s *Slave) {
			ready(m, s)
			m.processData(s)
			m.alter(s, 3, 2, 7, 0)
		}, wire.SafeOp, wire.PreOp | wire.ErrorBit, wire.CodeInputs},
		{"outputs of another size", "ao", func(m *master, s *Slave) {
			ready(m, s)
			m.processData(s)
			m.alter(s, 2, 2, 3, 0)
		}, wire.SafeOp, wire.PreOp | wire.ErrorBit, wire.CodeOutputs},
		{"SyncManager of the wrong direction", "ao", func(m *master, s *Slave) {
			ready(m, s)
			m.processData(s)
			m.alter(s, 2, 4, byte(wire.ControlInputs))
		}, wire.SafeOp, wire.PreOp | wire.ErrorBit, wire.CodeSyncManager},
		{"a cycle that is not supported", "arm", func(m *master, s *Slave) {
			ready(m, s)
			m.processData(s)
			m.write(s, wire.RegSync0Cycle, long(777)...)
			m.write(s, wire.RegActivation, wire.SyncCyclic|wire.Sync0)
		}, wire.SafeOp, wire.PreOp | wire.ErrorBit, wire.CodeClockCycle},
		{"SYNC0 without a cycle", "arm", func(m *master, s *Slave) {
			ready(m, s)
			m.processData(s)
			m.write(s, wire.RegActivation, wire.SyncCyclic|wire.Sync0)
		}, wire.SafeOp, wire.PreOp | wire.ErrorBit, wire.CodeClockSync},
		{"waits for SYNC0 that does not come", "arm", func(m *master, s *Slave) {
			ready(m, s)
			m.processData(s)
			m.write(s, wire.RegSync0Cycle, long(cycleTime)...)
			m.write(s, wire.RegSyncStart, quad(1)...) // is past
			m.write(s, wire.RegActivation, wire.SyncCyclic|wire.Sync0)
			m.want(s, wire.SafeOp)
		}, wire.Op, wire.SafeOp, wire.NoCode},
		{"the same, but impatient", "hasty", func(m *master, s *Slave) {
			ready(m, s)
			m.processData(s)
			m.want(s, wire.SafeOp)
		}, wire.Op, wire.SafeOp | wire.ErrorBit, wire.CodeNoSync},
		{"is told what it shows", "in", nil, wire.Op | wire.ErrorBit, wire.Op | wire.ErrorBit, wire.NoCode},
		{"goes down at once", "ai", func(m *master, s *Slave) {
			ready(m, s)
			m.processData(s)
			m.want(s, wire.SafeOp)
		}, wire.Init, wire.Init, wire.NoCode},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newMaster(t, smallRack+`
  - {type: drive, name: hasty, patience: 20ms}
`)
			m.chain.slaves[5].kind.cycles = []int64{cycleTime}
			m.scan()
			s := m.slave(tt.slave)
			if tt.do != nil {
				tt.do(m, s)
			}
			is, code := m.request(s, tt.ask)
			if is != tt.want || code != tt.code {
				t.Errorf("%v, %v, want %v, %v", is, code, tt.want, tt.code)
			}
			if !tt.want.Error() || s.kind.emulation {
				return
			}
			m.write(s, wire.RegControl, byte(wire.Init), 0) // is not heard before the error is acknowledged
			m.exchange()
			if is, _ := s.State(); is != tt.want {
				t.Errorf("%v without acknowledgement", is)
			}
			m.write(s, wire.RegControl, byte(tt.want.Base()|wire.ErrorBit), 0)
			if got := m.read(s, wire.RegStatus, 6); got[0] != byte(tt.want.Base()) || got[4] != 0 {
				t.Errorf("% x after acknowledgement", got)
			}
		})
	}
}

// Op needs outputs first.
func TestWaitsForOutputs(t *testing.T) {
	m := newMaster(t, smallRack)
	m.start(wire.SafeOp)
	s := m.slave("ao")
	s.data.seen = false
	m.write(s, wire.RegControl, byte(wire.Op), 0)
	for range 20 {
		m.now += cycleTime
		m.chain.Advance(m.now)
	}
	if is, code := s.State(); is != wire.SafeOp || code != wire.NoCode {
		t.Errorf("%v %v", is, code)
	}
	m.exchange()
	m.exchange()
	if is, _ := s.State(); is != wire.Op {
		t.Errorf("%v after outputs", is)
	}
}

// Without outputs terminals and drives fall back, and outputs drop.
func TestWatchdog(t *testing.T) {
	m := newMaster(t, smallRack)
	m.start(wire.Op)
	m.place(m.slave("out"), wire.FMMUWrite)[0] = 0xff
	copy(m.place(m.slave("ao"), wire.FMMUWrite), word(fullScale))
	m.exchange()
	m.exchange()
	if v, err := m.slave("ao").Analog(1); v != 10 || err != nil {
		t.Errorf("%g V, %v", v, err)
	}
	m.now += 90_000_000
	m.chain.Advance(m.now)
	for _, name := range []string{"out", "ao", "arm"} {
		if is, _ := m.slave(name).State(); is != wire.Op {
			t.Errorf("%s: %v after 90 ms", name, is)
		}
	}
	m.now += 20_000_000
	m.chain.Advance(m.now)
	for _, name := range []string{"out", "ao", "arm"} {
		s := m.slave(name)
		if is, code := s.State(); is != wire.SafeOp|wire.ErrorBit || code != wire.CodeWatchdog {
			t.Errorf("%s: %v %v", name, is, code)
		}
		if got := m.read(s, wire.RegWatchdogState, 3); got[0] != 0 || got[2] != 1 {
			t.Errorf("%s: % x", name, got)
		}
	}
	if on, _ := m.slave("out").Digital(3); on {
		t.Error("output is on")
	}
	if v, _ := m.slave("ao").Analog(1); v != 0 {
		t.Errorf("%g V", v)
	}
	for _, name := range []string{"out", "ao", "arm"} {
		s := m.slave(name)
		m.write(s, wire.RegControl, byte(wire.SafeOp|wire.ErrorBit), 0)
		m.write(s, wire.RegControl, byte(wire.SafeOp), 0)
		m.want(s, wire.Op)
	}
	if m.exchange(); !func() bool { on, _ := m.slave("out").Digital(3); return on }() {
		t.Error("outputs do not come back")
	}
	m.write(m.slave("out"), wire.RegWatchdog, 0, 0) // no watchdog
	m.now += 1e9
	m.chain.Advance(m.now)
	if is, _ := m.slave("out").State(); is != wire.Op {
		t.Error(is)
	}
}

// Analog inputs as their status words show them, with both layouts of the EL3102.
func TestAnalogInputs(t *testing.T) {
	m := newMaster(t, `
slaves:
  - {type: EK1100}
  - {type: EL3102, name: new}
  - {type: EL3102-0010, name: old}
  - {type: EL3154, name: loop}
  - {type: EL3062, name: coarse}
`)
	m.start(wire.Op)
	tests := []struct {
		slave   string
		command string
		want    string
	}{
		{"new", "analog 1 10", "00.. ff7f"},
		{"new", "analog 1 -10", "00.. 0180"},
		{"new", "analog 1 10.5", "42.. ff7f"},
		{"new", "analog 1 -11", "41.. 0180"},
		{"new", "analog 1 0", "00.. 0000"},
		{"new", "wire 1 off", "40.. 0000"},
		{"old", "analog 1 5", "00 0040"},
		{"old", "analog 1 12", "02 ff7f"},
		{"loop", "analog 1 12", "00.. 0040"},
		{"loop", "analog 1 3", "41.. 0000"},
		{"coarse", "analog 1 5", "00.. 0040"},
		{"coarse", "analog 1 0.001", "00.. 0000"},
	}
	for _, tt := range tests {
		m.do("slave " + tt.slave + " " + tt.command)
		m.exchange()
		m.exchange()
		area := m.place(m.slave(tt.slave), wire.FMMURead)
		got := fmt.Sprintf("%02x.. %x", area[0], area[2:4])
		if tt.slave == "old" {
			got = fmt.Sprintf("%02x %x", area[0], area[1:3])
		}
		if got != tt.want {
			t.Errorf("%s %s: %s, want %s", tt.slave, tt.command, got, tt.want)
		}
	}
	area := m.place(m.slave("new"), wire.FMMURead)
	if word16(area)&(1<<14) == 0 {
		t.Error("a broken wire is valid")
	}
	before := area[1] & 0x80
	m.exchange()
	if area[1]&0x80 == before {
		t.Error("toggle bit stands still")
	}
}

// Other PDOs can be assigned, and what is exchanged changes with them.
func TestAssignment(t *testing.T) {
	m := newMaster(t, "slaves:\n  - {type: EK1100}\n  - {type: EL3102, name: ai}\n")
	m.start(wire.PreOp)
	s := m.slave("ai")
	down := func(index uint16, sub uint8, data ...byte) error {
		return m.talk(s, func(c *coe.Client) { c.Download(index, sub, false, data) }).Err()
	}
	if err := down(0x1c13, 1, 0x01, 0x1a); !errors.Is(err, coe.AbortSubZero) {
		t.Errorf("%v", err)
	}
	for _, step := range []struct {
		sub  uint8
		data []byte
		want error
	}{
		{0, []byte{0}, nil},
		{1, []byte{0x01, 0x1a}, nil},
		{2, []byte{0x03, 0x1a}, nil},
		{2, []byte{0x00, 0x16}, coe.AbortNotMappable}, // of the other direction
		{2, []byte{0x77, 0x1a}, coe.AbortNotMappable}, // does not exist
		{1, []byte{0x01}, coe.AbortLengthLow},
		{1, []byte{1, 2, 3}, coe.AbortLengthHigh},
		{9, []byte{1, 2}, coe.AbortNoSub},
		{0, []byte{9}, coe.AbortRange},
		{0, []byte{2}, nil},
	} {
		if err := down(0x1c13, step.sub, step.data...); !errors.Is(err, step.want) {
			t.Errorf("0x1c13:%02x = % x: %v, want %v", step.sub, step.data, err, step.want)
		}
	}
	if err := down(0x1c12, 0, 0); !errors.Is(err, coe.AbortNoObject) {
		t.Errorf("0x1c12 of an input: %v", err)
	}
	if err := down(0x1018, 1, 1, 2, 3, 4); !errors.Is(err, coe.AbortReadOnly) {
		t.Errorf("%v", err)
	}
	sm := s.Description().SyncManagers[3]
	m.manager(s, 3, sm, 4)
	m.want(s, wire.SafeOp)
	if err := down(0x1c13, 0, 0); !errors.Is(err, coe.AbortStoreState) {
		t.Errorf("in Safe-Op: %v", err)
	}
	m.do("slave ai analog 2 10")
	m.exchange()
	m.exchange()
	if got := m.read(s, wire.Register(sm.Start), 4); !bytes.Equal(got, []byte{0, 0, 0xff, 0x7f}) {
		t.Errorf("% x", got)
	}
}

// The dictionary of a drive through its mailbox: every object can be described and read, with complete access too.
func TestDictionary(t *testing.T) {
	m := newMaster(t, smallRack)
	m.start(wire.PreOp)
	s := m.slave("arm")
	list := m.talk(s, func(c *coe.Client) { c.List(coe.ListAll) }).Listed()
	if len(list) < 150 {
		t.Errorf("%d objects", len(list))
	}
	for _, index := range list[:40] {
		o, ok := m.talk(s, func(c *coe.Client) { c.Object(index) }).Described()
		if !ok || o.Name == "" {
			t.Fatalf("object %04x: %+v", index, o)
		}
		var all []byte
		for sub := range o.MaxSub + 1 {
			e, ok := m.talk(s, func(c *coe.Client) { c.Entry(index, sub) }).DescribedEntry()
			if !ok {
				continue
			}
			data := m.upload(s, index, sub)
			if len(data) != (int(e.Bits)+7)/8 {
				t.Errorf("%04x:%02x has %d bytes and %d bits", index, sub, len(data), e.Bits)
			}
			if sub > 0 {
				all = append(all, data...)
			}
		}
		c := m.talk(s, func(c *coe.Client) { c.Upload(index, 1, true) })
		if o.Code == coe.Variable {
			if !errors.Is(c.Err(), coe.AbortComplete) {
				t.Errorf("%04x: %v", index, c.Err())
			}
		} else if !bytes.Equal(c.Data(), all) {
			t.Errorf("%04x: % x with complete access, % x without: %v", index, c.Data(), all, c.Err())
		}
	}
	if got := m.upload(s, 0x1008, 0); string(got) != "arm" {
		t.Errorf("%q", got)
	}
	// A new mapping, first all at once, then refused and nothing changed.
	mapping := append([]byte{2, 0}, long(uint32(coe.Map(0x6040, 0, 16)))...)
	mapping = append(mapping, long(uint32(coe.Map(0x607a, 0, 32)))...)
	if err := m.talk(s, func(c *coe.Client) { c.Download(0x1600, 0, true, mapping) }).Err(); err != nil {
		t.Error(err)
	}
	if got := m.upload(s, 0x1600, 0); got[0] != 2 {
		t.Errorf("% x", got)
	}
	wrong := append([]byte{1, 0}, long(uint32(coe.Map(0x5fff, 0, 16)))...)
	if err := m.talk(s, func(c *coe.Client) { c.Download(0x1600, 0, true, wrong) }).Err(); !errors.Is(err, coe.AbortNotMappable) {
		t.Error(err)
	}
	if got := m.upload(s, 0x1600, 0); got[0] != 2 {
		t.Errorf("% x after a write that was refused", got)
	}
	if c := m.talk(m.slave("ai"), func(c *coe.Client) { c.Upload(0x1018, 0, true) }); !errors.Is(c.Err(), coe.AbortComplete) {
		t.Errorf("complete access that the SII does not offer: %v", c.Err())
	}
}

// Mail: empty and full are shown by the working counter, by a bit, and by an FMMU; what was lost is repeated.
func TestMailbox(t *testing.T) {
	m := newMaster(t, smallRack)
	m.start(wire.PreOp)
	s := m.slave("arm")
	box := s.Description().Mailbox
	out, in := wire.Station(s.Station(), wire.Register(box.Out)), wire.Station(s.Station(), wire.Register(box.In))
	fetch := func() (uint16, []byte) { return m.send(wire.FPRD, in, make([]byte, box.InSize)...) }
	full := func() bool { return m.read(s, wire.SyncManagerAt(mailIn)+5, 1)[0]&wire.SyncFull != 0 }
	fmmu := wire.FMMU{
		Logical: 0x9000, Length: 1, StartBit: 4, EndBit: 4, Physical: uint16(wire.SyncManagerAt(mailIn)) + 5, PhysicalBit: 3,
		Type: wire.FMMURead, Active: true,
	}
	b := make([]byte, wire.FMMUSize)
	fmmu.Put(b)
	m.write(s, wire.FMMUAt(2), b...)
	mapped := func() bool {
		n, data := m.send(wire.LRD, wire.Logical(0x9000), 0)
		if n != 1 {
			t.Fatalf("working counter %d", n)
		}
		return data[0] == 0x10
	}
	if n, _ := fetch(); n != 0 || full() || mapped() {
		t.Error("is there mail?")
	}
	request := func(index uint16) []byte {
		c := coe.NewClient(int(box.OutSize)) // counters by hand
		c.Upload(index, 0, false)
		mail, _ := c.Request()
		return append(mail, make([]byte, int(box.OutSize)-len(mail))...)
	}
	first := request(0x1000)
	if n, _ := m.send(wire.FPWR, out, first...); n != 1 {
		t.Error("mail is not taken")
	}
	if n, _ := m.send(wire.FPWR, out, first...); n != 0 {
		t.Error("mail is taken although the box is full")
	}
	m.exchange()
	if !full() || !mapped() {
		t.Error("is there no mail?")
	}
	// The middle of it cannot be read first.
	if n, _ := m.send(wire.FPRD, in+1<<16, make([]byte, box.InSize-1)...); n != 0 {
		t.Error("mail is read from the middle")
	}
	n, answer := fetch()
	if h, ok := coe.ParseHeader(answer); n != 1 || !ok || h.Type != coe.TypeCoE || h.Counter != 1 || full() {
		t.Errorf("%d % x", n, answer[:16])
	}
	// That frame was lost: ask for it again, while the next one is there already.
	second := request(0x1018)
	second[5] = byte(coe.TypeCoE) | 2<<4
	m.send(wire.FPWR, out, second...)
	m.exchange()
	activate := wire.SyncManagerAt(mailIn) + 6
	m.write(s, activate, wire.SyncEnable|wire.SyncRepeat)
	if got := m.read(s, activate, 2); got[1]&wire.SyncRepeated == 0 {
		t.Errorf("% x", got)
	}
	if n, again := fetch(); n != 1 || !bytes.Equal(again, answer) {
		t.Errorf("% x\n% x", answer[:16], again[:16])
	}
	m.exchange()
	if n, next := fetch(); n != 1 || next[5]>>4 != 2 {
		t.Errorf("the next one is gone: % x", next[:16])
	}
	// In two parts, the second one with the last byte.
	m.send(wire.FPWR, out, first[:20]...)
	if full() {
		t.Error("half a mail")
	}
	first[5] = byte(coe.TypeCoE) | 3<<4
	m.send(wire.FPWR, out, first[:20]...)
	if n, _ := m.send(wire.FPWR, out+wire.Address(uint32(box.OutSize-1)<<16), 0); n != 1 {
		t.Error("the last byte is not taken")
	}
	m.exchange()
	if !full() {
		t.Error("no answer to a mail in two parts")
	}
	fetch()
	// An answer that is lost within the slave never comes.
	m.do("slave arm losemail")
	first[5] = byte(coe.TypeCoE) | 4<<4
	m.send(wire.FPWR, out, first...)
	m.exchange()
	if full() {
		t.Error("is not lost")
	}
	fetch()
	m.client(s).Upload(0x1000, 0, false) // the client goes on behind counter 4
	for range 4 {
		m.client(s).Request()
		m.client(s).Upload(0x1000, 0, false)
	}
	m.do("slave arm abort 0x1000 0x06060000")
	if c := m.talk(s, func(c *coe.Client) { c.Upload(0x1000, 0, false) }); !errors.Is(c.Err(), coe.AbortHardware) {
		t.Error(c.Err())
	}
	m.do("slave arm abort 0x1000 0")
	m.upload(s, 0x1000, 0)
}

// FMMUs map bits like a copy one after another.
func TestFMMU(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := newMaster(t, "slaves:\n  - {type: drive, name: arm}\n")
		m.scan()
		s := m.slave("arm")
		bits := rapid.IntRange(1, 70).Draw(rt, "bits")
		from, at := rapid.Uint8Range(0, 7).Draw(rt, "start bit"), rapid.Uint32Range(100, 110).Draw(rt, "logical")
		last := int(from) + bits - 1
		f := wire.FMMU{
			Logical: at, Length: uint16(last/8 + 1), StartBit: from, EndBit: uint8(last % 8), Physical: 0x2000,
			PhysicalBit: rapid.Uint8Range(0, 7).Draw(rt, "bit"), Type: wire.FMMUWrite, Active: true,
		}
		b := make([]byte, wire.FMMUSize)
		f.Put(b)
		m.write(s, wire.FMMUAt(0), b...)
		begin := rapid.Uint32Range(95, 112).Draw(rt, "datagram")
		data := rapid.SliceOfN(rapid.Byte(), 1, 20).Draw(rt, "data")
		want, touched := make([]byte, 32), false
		for i := range bits {
			inData := (int(at)-int(begin))*8 + int(from) + i
			if inData < 0 || inData >= len(data)*8 {
				continue
			}
			touched = true
			inMemory := int(f.PhysicalBit) + i
			want[inMemory/8] |= data[inData/8] >> (inData % 8) & 1 << (inMemory % 8)
		}
		n, _ := m.send(wire.LWR, wire.Logical(begin), data...)
		if (n == 1) != touched {
			rt.Fatalf("working counter %d", n)
		}
		if got := s.memory[0x2000:0x2020]; !bytes.Equal(got, want) {
			rt.Fatalf("% x, want % x", got, want)
		}
		// The other way: bits of memory come, all others stay.
		f.Type = wire.FMMURead
		f.Put(b)
		m.write(s, wire.FMMUAt(0), b...)
		_, back := m.send(wire.LRD, wire.Logical(begin), data...)
		if !bytes.Equal(back, data) {
			rt.Fatalf("% x, want % x", back, data)
		}
	})
}

// Overlapping outputs and inputs: the answer holds the inputs, and the outputs are those that were sent.
func TestOverlap(t *testing.T) {
	m := newMaster(t, "slaves:\n  - {type: EK1100}\n  - {type: EL1008, name: in}\n  - {type: EL2008, name: out}\n")
	m.start(wire.Op)
	b := make([]byte, wire.FMMUSize)
	wire.MapBytes(0x100, digitalInAt, 1, wire.FMMURead).Put(b)
	m.write(m.slave("in"), wire.FMMUAt(0), b...)
	wire.MapBytes(0x100, digitalOutAt, 1, wire.FMMUWrite).Put(b)
	m.write(m.slave("out"), wire.FMMUAt(0), b...)
	m.do("slave in input 2 on")
	n, data := m.send(wire.LRW, wire.Logical(0x100), 0x55)
	if n != 3 || data[0] != 2 {
		t.Errorf("working counter %d, % x", n, data)
	}
	// The output comes behind the input, so it gets what the input has put there.
	if on, _ := m.slave("out").Digital(2); !on {
		t.Error("output 2")
	}
}

// Every fault of the line does what it says, once.
func TestLineFaults(t *testing.T) {
	exchange := func(m *master, index uint8) (frames [][]byte, times []int64) {
		m.w.Clear()
		m.w.Add(wire.BRD, index, wire.Broadcast(wire.RegType), 1)
		begin := m.now
		m.link.Send(m.w.Frame(), m.now)
		m.now += 10 * cycleTime
		for {
			frame, at, ok := m.link.Receive(m.now)
			if !ok {
				return frames, times
			}
			frames, times = append(frames, frame), append(times, at-begin)
		}
	}
	first := func(frame []byte) wire.Datagram {
		r := wire.Open(frame)
		d, _ := r.Next()
		return d
	}
	tests := []struct {
		command string
		bad     func(frames [][]byte, times []int64) bool
	}{
		{"drop", func(f [][]byte, _ []int64) bool { return len(f) != 0 }},
		{"unanswered", func(f [][]byte, _ []int64) bool { return len(f) != 0 }},
		{"twice 1", func(f [][]byte, _ []int64) bool { return len(f) != 2 || !bytes.Equal(f[0], f[1]) }},
		{"stale", func(f [][]byte, _ []int64) bool { return len(f) != 1 || first(f[0]).Index != 1 }},
		{"cut", func(f [][]byte, _ []int64) bool { return len(f) != 1 || first(f[0]).Index == 2 }},
		{"index", func(f [][]byte, _ []int64) bool { return first(f[0]).Index != 3 }},
		{"late 2ms", func(_ [][]byte, at []int64) bool { return at[0] < 2*cycleTime }},
		{"counter -1", func(f [][]byte, _ []int64) bool { return first(f[0]).Counter != 0 }},
		{"counter 5 1", func(f [][]byte, _ []int64) bool { return first(f[0]).Counter != 6 }},
	}
	for _, tt := range tests {
		m := newMaster(t, "slaves:\n  - {type: EK1100}\n")
		exchange(m, 1)
		m.do(tt.command)
		if frames, times := exchange(m, 2); tt.bad(frames, times) {
			t.Errorf("%s: % x %v", tt.command, frames, times)
		}
		if frames, times := exchange(m, 3); len(frames) != 1 || first(frames[0]).Index != 3 || first(frames[0]).Counter != 1 || times[0] > cycleTime {
			t.Errorf("%s: afterwards % x %v", tt.command, frames, times)
		}
	}
}

// A slave goes, comes back and knows nothing; one that is deaf lets others be reached.
func TestSlaveFaults(t *testing.T) {
	m := newMaster(t, smallRack)
	m.start(wire.Op)
	m.do("slave out deaf")
	if got := m.exchange(); got != m.expected-2 {
		t.Errorf("working counter %d of %d", got, m.expected)
	}
	m.do("slave out hear")
	m.do("slave out vanish")
	if got := m.exchange(); got >= m.expected-2 { // those behind it are gone too
		t.Errorf("working counter %d of %d", got, m.expected)
	}
	if n, _ := m.send(wire.BRD, wire.Broadcast(wire.RegType), 0); n != 3 { // head, in, arm
		t.Errorf("%d slaves", n)
	}
	m.do("slave out return")
	s := m.slave("out")
	if is, _ := s.State(); is != wire.Init || s.Station() != 0 {
		t.Errorf("%v at %04x", is, s.Station())
	}
	for name, want := range map[string]wire.State{"in": wire.Op, "ao": wire.Init, "arm": wire.Op} {
		if is, _ := m.slave(name).State(); is != want { // supply comes through those in front on the E-bus; the arm has its own
			t.Errorf("%s: %v", name, is)
		}
	}
	m.do("slave arm error 0x8001")
	if is, code := m.slave("arm").State(); is != wire.Op|wire.ErrorBit || code != 0x8001 {
		t.Errorf("%v %v", is, code)
	}
	m.do("slave arm error 0x0011 preop")
	if is, code := m.slave("arm").State(); is != wire.PreOp|wire.ErrorBit || code != 0x11 {
		t.Errorf("%v %v", is, code)
	}
	m.do("slave in cycle")
	if is, _ := m.slave("in").State(); is != wire.Init || m.slave("arm").Station() == 0 {
		t.Error(is)
	}
	m.do("slave head cycle")
	for s := range m.chain.Slaves() {
		if (s.Station() == 0) != (s.Name() != "arm") {
			t.Errorf("%s: %04x", s.Name(), s.Station())
		}
	}
	m.do("slave head vanish")
	m.w.Clear()
	m.w.Add(wire.BRD, 1, wire.Broadcast(0), 1)
	m.link.Send(m.w.Frame(), m.now)
	if _, ok := m.link.Next(); ok {
		t.Error("a frame comes back from nowhere")
	}
}

// Commands that make no sense are refused with a hint.
func TestCommands(t *testing.T) {
	m := newMaster(t, smallRack)
	tests := []struct{ command, want string }{
		{"", "no command"},
		{"dorp", "did you mean drop"},
		{"drop x", `drop: "x" is not a count`},
		{"drop 1 2", "unexpected word"},
		{"late", "need how late, such as 200us"},
		{"late soon", "not a duration"},
		{"counter", "need by how much, such as -1"},
		{"counter x", "is not a number"},
		{"slave", "give its name"},
		{"slave arn vanish", "did you mean arm"},
		{"slave arm vanihs", "did you mean vanish"},
		{"slave arm error", "need a code, such as 0x1b"},
		{"slave arm error x", "not a number of 16 bits"},
		{"slave arm error 1 up", "not one of init"},
		{"slave arm abort 1", "need a"},
		{"slave arm abort x 1", "16 bits"},
		{"slave arm abort 1 x", "32 bits"},
		{"slave arm stuck", "on or off"},
		{"slave arm refuse some", "not a count"},
		{"slave arm emergency", "need a code"},
		{"slave arm emergency 0x12345", "16 bits"},
		{"slave in emergency 0x8130", "mailbox of the slave is not open"},
		{"slave arm safety", "open or closed"},
		{"slave arm fault 7 1", "not a channel from 1 to 6"},
		{"slave arm fault 1", "need a"},
		{"slave arm push 1 x", "increments"},
		{"slave in input 9 on", "from 1 to 8"},
		{"slave in input 1", "need a"},
		{"slave out input 1 on", "no command"},
		{"slave ai analog 1 NaN", "not a value"},
		{"slave ai analog 3 1", "from 1 to 2"},
		{"slave ai wire 1 up", "on or off"},
	}
	for _, tt := range tests {
		if err := m.chain.Do(tt.command); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.command, err, tt.want)
		}
	}
	all := strings.Join(m.chain.Commands(), "\n")
	for _, want := range []string{"drop [N]", "slave NAME vanish", "slave NAME safety open|closed", "slave NAME analog CHANNEL VALUE"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %s in\n%s", want, all)
		}
	}
}

// Slaves follow the datagrams and do not look at the length in the header, as controllers do: one master writes 16 too much.
func TestHeaderLength(t *testing.T) {
	for _, wrong := range []int{16, -4, 700, -1000} {
		m := newMaster(t, "slaves:\n  - {type: EK1100}\n  - {type: EL1008}\n")
		m.w.Clear()
		m.w.Add(wire.BRD, 1, wire.Broadcast(wire.RegType), 1)
		m.w.Write(wire.APWR, 1, wire.Position(1, wire.RegStation), word(0x1002))
		frame := m.w.Frame()
		header := frame[wire.EthernetHeader:]
		right := binary.LittleEndian.Uint16(header)
		binary.LittleEndian.PutUint16(header, right&^0x7ff|uint16(int(right&0x7ff)+wrong)&0x7ff)
		m.link.Send(frame, m.now)
		back, _, ok := m.link.Receive(m.now + cycleTime)
		if !ok || m.chain.slaves[1].Station() != 0x1002 {
			t.Fatalf("%+d: no answer, or not carried out", wrong)
		}
		r := wire.Follow(back)
		first, _ := r.Next()
		second, _ := r.Next()
		if _, more := r.Next(); first.Counter != 2 || second.Counter != 1 || more {
			t.Errorf("%+d: working counters %d and %d", wrong, first.Counter, second.Counter)
		}
		if !bytes.Equal(back[wire.EthernetHeader:wire.EthernetHeader+2], header[:2]) {
			t.Errorf("%+d: the header has changed", wrong)
		}
	}
}

// A fault behind a good datagram does not undo it, and comes back as it was sent.
func TestBrokenBehind(t *testing.T) {
	m := newMaster(t, "slaves:\n  - {type: EK1100}\n")
	m.w.Clear()
	at, _ := m.w.Add(wire.BRD, 1, wire.Broadcast(wire.RegType), 1)
	frame := m.w.Frame()
	frame[at-3] |= 0x80 // more follow, where there is padding: datagrams of nothing, and then the end
	m.link.Send(frame, m.now)
	back, _, ok := m.link.Receive(m.now + cycleTime)
	r := wire.Follow(back)
	if d, _ := r.Next(); !ok || d.Counter != 1 {
		t.Errorf("% x", back)
	}
}

// Racks that cannot be.
func TestRacksRefused(t *testing.T) {
	tests := []struct{ name, rack, want string }{
		{"empty", "slaves: []", "0 slaves"},
		{"unknown key", "slaves:\n  - {typ: EK1100}\n", "typ"},
		{"unknown type", "slaves:\n  - {type: EL1009}\n", "did you mean EL1"},
		{"terminal without coupler", "slaves:\n  - {type: drive}\n  - {type: EL1008}\n", "no coupler"},
		{"no port left", "slaves:\n  - {type: EL1008}\n  - {type: drive}\n", "has a free port"},
		{"the same name", "slaves:\n  - {type: EK1100, name: a}\n  - {type: EL1008, name: a}\n", `the name "a" is used twice`},
		{"name with blanks", "slaves:\n  - {type: EK1100, name: a b}\n", "blanks"},
		{"wrong order", "slaves:\n  - {type: EK1100, name: a}\n  - {type: EK1100, name: b}\n  - {type: EL1008, parent: a, port: 1}\n", "do not pass in this order"},
		{"port that is not there", "slaves:\n  - {type: EK1100, name: a}\n  - {type: EL1008, parent: a, port: 3}\n", "no free port 3"},
		{"unknown parent", "slaves:\n  - {type: EK1100, name: head}\n  - {type: EL1008, parent: haed, port: 1}\n", "did you mean head"},
		{"clock", "slaves:\n  - {type: EK1100, clock: {bits: 16}}\n", "16 bits"},
		{"clock that is far off", "slaves:\n  - {type: EK1100, clock: {ppm: 1e6}}\n", "ppm"},
		{"time", "slaves:\n  - {type: EK1100, mailDelay: -1ms}\n", "negative"},
		{"cable", "slaves:\n  - {type: EK1100}\n  - {type: EL1008, cable: -5}\n", "negative"},
		{"image without file", "slaves:\n  - {type: image}\n", "needs a file"},
		{"axes", "slaves:\n  - {type: drive, drive: {axes: 20}}\n", "20 axes"},
		{"mapping", "slaves:\n  - {type: drive, drive: {outputs: [0x6041]}}\n", "cannot be mapped"},
		{"neither an object", "slaves:\n  - {type: drive, drive: {inputs: [position]}}\n", "neither an object"},
		{"speed", "slaves:\n  - {type: drive, drive: {velocity: -1}}\n", "must be positive"},
		{"bit", "slaves:\n  - {type: drive, drive: {safetyBit: 40}}\n", "no bit 40"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := ParseRack([]byte(tt.rack))
			if err == nil {
				_, err = NewChain(r, nil, 0)
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
}

// Descriptions of terminals are complete, and each has its own words.
func TestDescriptions(t *testing.T) {
	seen := map[uint32]string{}
	for _, k := range terminals() {
		image, err := sii.Encode(&k.description)
		if err != nil {
			t.Fatalf("%s: %v", k.order, err)
		}
		d, err := sii.Decode(image)
		if err != nil || len(d.Problems) > 0 {
			t.Errorf("%s: %v %v", k.order, err, d.Problems)
		}
		if diff := cmp.Diff(k.description.General, d.General); diff != "" {
			t.Errorf("%s: %s", k.order, diff)
		}
		want := binary.LittleEndian.Uint32(image[0x14:])
		if other, ok := seen[want]; ok && !strings.HasPrefix(k.order, other) {
			t.Errorf("%s and %s have product %08x", k.order, other, want)
		}
		seen[want] = k.order
		var number uint32
		if _, err := fmt.Sscanf(k.order[2:], "%d", &number); err != nil || d.Identity.Product>>16 != number || d.Identity.Vendor != 2 {
			t.Errorf("%s has product %08x", k.order, d.Identity.Product)
		}
	}
}

// Whatever comes over the cable, slaves neither fail nor answer beyond the frame.
func FuzzProcess(f *testing.F) {
	w := wire.NewWriter(make([]byte, wire.LongestFrame), wire.MAC{})
	add := func(c wire.Command, a wire.Address, data ...byte) {
		w.Clear()
		w.Write(c, 1, a, data)
		f.Add(bytes.Clone(w.Frame()))
	}
	add(wire.BWR, wire.Broadcast(wire.RegControl), 0x12, 0)
	add(wire.BWR, wire.Broadcast(0x0600), make([]byte, 48)...)
	add(wire.BWR, wire.Broadcast(0x0800), 0, 0x10, 0, 1, 0x26, 0, 1, 0, 0, 0x11, 0, 1, 0x22, 0, 1, 0)
	add(wire.BRW, wire.Broadcast(0x0502), 0, 1, 0, 0, 0, 0)
	add(wire.LRW, wire.Logical(0), make([]byte, 64)...)
	add(wire.BWR, wire.Broadcast(0x0900), make([]byte, 200)...)
	f.Fuzz(func(t *testing.T, frame []byte) {
		m := newMaster(t, smallRack)
		m.start(wire.SafeOp)
		for i := range 3 {
			n := len(frame)
			m.chain.Process(bytes.Clone(frame), m.now+int64(i)*cycleTime, func(back []byte, _ int64) {
				if len(back) != n {
					t.Fatalf("%d bytes became %d", n, len(back))
				}
			})
		}
	})
}
