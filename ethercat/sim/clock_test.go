package sim

import (
	"encoding/binary"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

const clockRack = `
seed: %d
slaves:
  - {type: EK1100, name: head, clock: {ppm: 20, start: %d, jitter: 5}}
  - {type: EL3102, name: a, clock: {ppm: -40, start: 1000000, jitter: 5}}
  - {type: EL3104, name: b, clock: {bits: 32, ppm: 35, start: 0xFFFFFF00, jitter: 5}}
  - {type: EK1100, name: next, cable: 2000, clock: {ppm: 10, start: 77}}
  - {type: EL4132, name: c, clock: {bits: 32, ppm: -25, start: 5}}
  - {type: drive, name: arm, cable: 700, clock: {ppm: 50, start: 1}}
`

// receive returns the port times of a slave.
func (m *master) receive(s *Slave) (t [wire.Ports]uint32) {
	data := m.read(s, wire.RegReceived, 16)
	for i := range t {
		t[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return t
}

// align measures delays as masters do (§8 of the facts), writes them and the offsets, and returns the delays.
func (m *master) align(epoch uint64) map[string]int64 {
	m.t.Helper()
	const times = 16
	sum := map[string]int64{}
	for range times {
		m.send(wire.BWR, wire.Broadcast(wire.RegReceived), 0, 0, 0, 0)
		delay := map[*Slave]int64{}
		for s := range m.chain.Slaves() {
			if p := s.parent; p != nil {
				delay[s] = delay[p] + m.between(p, s)
			}
			sum[s.name] += delay[s]
		}
	}
	for s := range m.chain.Slaves() {
		sum[s.name] /= times
		m.write(s, wire.RegDelay, long(uint32(sum[s.name]))...)
		local := binary.LittleEndian.Uint64(m.read(s, wire.RegReceivedUnit, 8))
		offset := epoch + uint64(sum[s.name]) - local
		if s.given.clock.bits == 32 {
			m.write(s, wire.RegOffset, long(uint32(offset))...)
		} else {
			m.write(s, wire.RegOffset, quad(offset)...)
		}
		m.write(s, wire.RegSpeed, 0, 0x10)
	}
	return sum
}

// between returns the delay from a slave to one behind it.
func (m *master) between(p, s *Slave) int64 {
	tp, ts := m.receive(p), m.receive(s)
	status := wire.LinkStatus(p.word(wire.RegLinkStatus))
	q, before := 0, 0
	for _, port := range wire.PortOrder[1:] {
		if p.ports[port].to == s {
			q = port
			break
		}
		if status.Open(port) {
			before = port
		}
	}
	last := 0
	for _, port := range wire.PortOrder {
		if wire.LinkStatus(s.word(wire.RegLinkStatus)).Open(port) {
			last = port
		}
	}
	loop, own := int64(tp[q]-tp[before]), int64(ts[last]-ts[0])
	return (loop-own)/2 + int64(tp[before]-tp[0])
}

// Delays that are measured from port times are those of the cables, wherever the clocks stand.
func TestDelays(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := newMaster(t, fmt.Sprintf(clockRack, rapid.Uint64Range(0, 1000).Draw(rt, "seed"), rapid.Uint64().Draw(rt, "start")))
		m.scan()
		got := m.align(0)
		for i, p := range m.chain.steps {
			want, hops := p.at-m.chain.steps[0].at, int64(i)
			const asymmetry, noise = 30, 10
			if d := got[p.slave.name] - want; d < -asymmetry*hops-noise || d > asymmetry*hops+noise {
				rt.Errorf("%s: %d ns, is %d ns", p.slave.name, got[p.slave.name], want)
			}
		}
	})
}

// Clocks that run at their own rate follow the reference, small ones and large ones, and keep to it across the wrap of the
// small ones.
func TestFollow(t *testing.T) {
	const epoch = 0x9_FFFF_0000 // the small clocks wrap after 65 µs and again on the way
	m := newMaster(t, fmt.Sprintf(clockRack, 1, uint64(12345)))
	m.scan()
	m.align(epoch)
	m.clocks = true
	for range 1500 {
		m.exchange()
	}
	for range 3300 {
		m.exchange()
		now := m.now
		reference := m.slave("head").SystemTime(now)
		for s := range m.chain.Slaves() {
			behind := int64(reference - s.SystemTime(now))
			if s.given.clock.bits == 32 {
				behind = int64(int32(uint32(reference) - uint32(s.SystemTime(now))))
			}
			if behind < -300 || behind > 300 {
				t.Fatalf("%s is %d ns behind at %d", s.name, behind, m.now)
			}
			if s.name != "head" {
				if d := wire.Difference(binary.LittleEndian.Uint32(m.read(s, wire.RegDifference, 4))); d < -300 || d > 300 {
					t.Fatalf("%s says that it is %d ns ahead", s.name, d)
				}
			}
		}
		m.now += cycleTime - cycleTime/3 // reading takes its time
	}
}

// Of a small clock only the lower half can be seen.
func TestSmallClock(t *testing.T) {
	m := newMaster(t, "slaves:\n  - {type: EK1100}\n  - {type: EL3102, name: s, clock: {bits: 32, start: 0xFFFFFF00}}\n")
	m.scan()
	s := m.slave("s")
	m.send(wire.BWR, wire.Broadcast(wire.RegReceived), 0, 0, 0, 0)
	if data := m.read(s, wire.RegSystemTime, 8); binary.LittleEndian.Uint32(data[4:]) != 0 || binary.LittleEndian.Uint64(data) > 1e6 {
		t.Errorf("% x", data)
	}
	if features := word16(m.read(s, wire.RegFeatures, 2)); features&wire.FeatureClock == 0 || features&wire.FeatureClock64 != 0 {
		t.Errorf("%04x", features)
	}
	if n := len(m.read(s, wire.RegReceivedUnit, 8)); n != 8 {
		t.Error(n)
	}
}

// A terminal without a clock says so, its registers stay empty, and an access to them does not count: FRMW counts clocks, and masters
// recognise by the counter of a read that there is no system time.
func TestNoClock(t *testing.T) {
	m := newMaster(t, "slaves:\n  - {type: EK1100}\n  - {type: EL1008, name: plain}\n  - {type: EL4132}\n")
	m.scan()
	s := m.slave("plain")
	for _, tt := range []struct {
		c    wire.Command
		a    wire.Address
		data []byte
		want uint16
	}{
		{wire.BWR, wire.Broadcast(wire.RegReceived), []byte{1, 2, 3, 4}, 2},
		{wire.FRMW, wire.Station(m.slave("EK1100-1").Station(), wire.RegSystemTime), quad(0), 2},
		{wire.FPRD, wire.Station(s.Station(), wire.RegSystemTime), quad(0), 0},
		{wire.FPWR, wire.Station(s.Station(), wire.RegSystemTime), quad(1000), 0},
		{wire.FPRD, wire.Station(s.Station(), 0x0800), make([]byte, 0x300), 1}, // much else too
		{wire.FPWR, wire.Station(s.Station(), 0x08ff), []byte{1, 2}, 1},
	} {
		if n, _ := m.send(tt.c, tt.a, tt.data...); n != tt.want {
			t.Errorf("%v: working counter %d, want %d", tt.c, n, tt.want)
		}
	}
	for _, b := range m.read(s, 0x08ff, 0x102)[1:0x101] {
		if b != 0 {
			t.Fatal("something is there")
		}
	}
	if features := word16(m.read(s, wire.RegFeatures, 2)); features&wire.FeatureClock != 0 {
		t.Errorf("%04x", features)
	}
}

// A part that measures delays says that it has a clock and latches when frames pass, but there is no system time, and nothing else.
func TestDelaysOnly(t *testing.T) {
	m := newMaster(t, "slaves:\n  - {type: EK1100, clock: {delaysOnly: true}}\n  - {type: EL1008, clock: {delaysOnly: true}}\n  - {type: EL4132}\n")
	m.scan()
	s := m.slave("EL1008-2")
	if features := word16(m.read(s, wire.RegFeatures, 2)); features&wire.FeatureClock == 0 {
		t.Errorf("%04x", features)
	}
	m.now += 5000
	for _, tt := range []struct {
		c    wire.Command
		a    wire.Address
		size int
		want uint16
	}{
		{wire.BWR, wire.Broadcast(wire.RegReceived), 4, 3},
		{wire.FPRD, wire.Station(s.Station(), wire.RegReceived), 16, 1},
		{wire.FPRD, wire.Station(s.Station(), wire.RegSystemTime), 8, 0},
		{wire.FPRD, wire.Station(s.Station(), wire.RegReceivedUnit), 8, 0},
		{wire.FPWR, wire.Station(s.Station(), wire.RegOffset), 8, 0},
		{wire.BWR, wire.Broadcast(wire.RegActivation), 1, 1},
	} {
		if n, _ := m.send(tt.c, tt.a, make([]byte, tt.size)...); n != tt.want {
			t.Errorf("%v: working counter %d, want %d", tt.c, n, tt.want)
		}
	}
	if first, second := m.read(s, wire.RegReceived, 4), m.read(s, wire.RegReceived+4, 4); word16(first) >= word16(second) {
		t.Errorf("% x % x", first, second)
	}
}

// activate switches SYNC0 on.
func (m *master) activate(s *Slave, start uint64, cycle uint32) {
	m.t.Helper()
	m.write(s, wire.RegActivation, 0)
	m.write(s, wire.RegSyncStart, quad(start)...)
	m.write(s, wire.RegSync0Cycle, long(cycle)...)
	m.write(s, wire.RegActivation, wire.SyncCyclic|wire.Sync0)
}

// SYNC0 has a feature bit of its own. Masters do not switch it on without.
func TestSyncFeature(t *testing.T) {
	m := newMaster(t, `
slaves:
  - {type: EK1100, name: head}
  - {type: EL3102, name: ai}
  - {type: EL3104, name: plain, clock: {bits: -1}}
  - {type: EL4132, name: delays, clock: {delaysOnly: true}}
  - {type: drive, name: arm, clock: {bits: 32}}
`)
	m.scan()
	for name, want := range map[string]bool{"head": false, "ai": true, "plain": false, "delays": false, "arm": true} {
		if f := word16(m.read(m.slave(name), wire.RegFeatures, 2)); f&wire.FeatureClockSync != 0 != want {
			t.Errorf("%s: %04x", name, f)
		}
	}
}

// SYNC0 begins when it should, goes on in its cycle, and never begins when that was past; on small clocks after one round.
func TestSync0(t *testing.T) {
	tests := []struct {
		name   string
		bits   int
		start  uint64 // reading at power-on
		ahead  int64  // of the first SYNC0
		cycle  uint32
		after  int64
		pulses uint64
	}{
		{"large", 64, 1 << 40, 10e6, 1e6, 15_500_000, 6},
		{"not yet", 64, 1 << 40, 10e6, 1e6, 9e6, 0},
		{"once", 64, 1 << 40, 10e6, 0, 15e6, 1},
		{"past", 64, 1 << 40, -1e6, 1e6, 20e9, 0},
		{"small", 32, 1 << 20, 10e6, 1e6, 15_500_000, 6},
		{"small across the wrap", 32, 1<<32 - 5e6, 10e6, 3e6, 16_500_000, 3},
		{"small and past", 32, 1 << 20, -1e6, 1e6, 4e9, 0},
		{"small and past, a round later", 32, 1 << 20, -1e6, 1e6, 1<<32 + 500_000, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newMaster(t, fmt.Sprintf("slaves:\n  - {type: drive, name: s, clock: {bits: %d, start: %d}}\n", tt.bits, tt.start))
			m.scan()
			s := m.slave("s")
			begin := m.now
			now := s.SystemTime(m.now)
			m.activate(s, now+uint64(tt.ahead), tt.cycle)
			for step := int64(0); step < 100; step++ {
				m.chain.Advance(begin + tt.after*(step+1)/100)
			}
			if got := s.clock.pulses; got != tt.pulses {
				t.Errorf("%d times, want %d", got, tt.pulses)
			}
			m.now = m.chain.Now()
			if next := binary.LittleEndian.Uint64(m.read(s, wire.RegSyncStart, 8)); tt.pulses > 1 && tt.bits == 64 &&
				next != now+uint64(tt.ahead)+tt.pulses*uint64(tt.cycle) {
				t.Errorf("next is %d", next-now)
			}
		})
	}
}

// A slave that works with SYNC0 stays in Safe-Op until it comes, and falls back when it stops. Where frames lie in its cycle
// is on record.
func TestSupervision(t *testing.T) {
	m := newMaster(t, "slaves:\n  - {type: drive, name: arm}\n")
	m.scan()
	s := m.slave("arm")
	m.mailboxes(s)
	m.want(s, wire.PreOp)
	m.processData(s)
	m.cycle = 4 * cycleTime
	m.activate(s, (s.SystemTime(m.now)+100e6)/4e6*4e6, 4e6)
	m.want(s, wire.SafeOp)
	if got := m.upload(s, 0x1c32, 1); got[0] != 2 {
		t.Errorf("mode of synchronization % x", got)
	}
	m.write(s, wire.RegControl, byte(wire.Op), 0)
	for range 5 {
		m.exchange()
	}
	if is, code := s.State(); is != wire.SafeOp || code != wire.NoCode {
		t.Fatalf("%v %v before SYNC0", is, code)
	}
	for m.now%4e6 != 1e6 { // frames are to come 1 ms behind SYNC0
		m.now++
	}
	for range 60 {
		m.exchange()
	}
	if is, code := s.State(); is != wire.Op {
		t.Fatalf("%v %v", is, code)
	}
	p := s.Phases()
	if p.Frames < 30 || p.Least < 1e6 || p.Most > 1e6+50e3 || p.None > 0 || p.TooMany > 0 {
		t.Errorf("%+v", p)
	}
	m.now += 8e6 // two frames are left out
	m.exchange()
	if p := s.Phases(); p.None != 2 || p.LongestMissing != 2 {
		t.Errorf("%+v", p)
	}
	if got := m.upload(s, 0x1c32, 11); got[0] != 2 {
		t.Errorf("% x events missed", got)
	}
	m.do("slave arm sync off")
	for range 10 {
		m.exchange()
	}
	if is, code := s.State(); is != wire.SafeOp|wire.ErrorBit || code != wire.CodeFatalSync {
		t.Errorf("%v %v", is, code)
	}
}
