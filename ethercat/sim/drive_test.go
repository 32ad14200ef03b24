package sim

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/ethercat/cia402"
	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// arm is a drive of six axes that a test commands through its process data, as a driver would.
type arm struct {
	*master
	s       *Slave
	targets [6]int32
	follow  bool // targets are what the axes are at
}

const robot = `
slaves:
  - type: drive
    name: arm
    drive: {axes: 6, cycles: [1ms, 4ms], velocity: 1e6, acceleration: 2e7, window: 20000, brake: 20ms, positions: [1000, -2000, 3000], missedLimit: 5}
`

// newArm brings the drive to Op with SYNC0 every 4 ms.
func newArm(t *testing.T, rack string) *arm {
	t.Helper()
	m := newMaster(t, rack)
	m.scan()
	a := &arm{master: m, s: m.slave("arm"), follow: true}
	m.mailboxes(a.s)
	m.want(a.s, wire.PreOp)
	m.processData(a.s)
	m.cycle = 4 * cycleTime
	m.activate(a.s, (a.s.SystemTime(m.now)+20e6)/4e6*4e6, 4e6)
	m.want(a.s, wire.SafeOp)
	for m.now%4e6 != 2e6 {
		m.now++
	}
	m.want(a.s, wire.Op)
	return a
}

// Where things stand in the process data that a drive has by default: 8 bytes of outputs and 20 of inputs per axis.
func (a *arm) outputs(axis int) []byte { return a.place(a.s, wire.FMMUWrite)[8*axis:][:8] }
func (a *arm) inputs(axis int) []byte  { return a.place(a.s, wire.FMMURead)[20*axis:][:20] }

func (a *arm) status(axis int) uint16 { return word16(a.inputs(axis)) }
func (a *arm) actual(axis int) int32  { return int32(binary.LittleEndian.Uint32(a.inputs(axis)[4:])) }

func (a *arm) speed(axis int) int32 { return int32(binary.LittleEndian.Uint32(a.inputs(axis)[8:])) }
func (a *arm) code(axis int) uint16 { return word16(a.inputs(axis)[14:]) }

// tick is one cycle in which all axes get a controlword and their targets.
func (a *arm) tick(control uint16) {
	a.t.Helper()
	for i := range a.targets {
		if a.follow {
			a.targets[i] = a.actual(i)
		}
		o := a.outputs(i)
		binary.LittleEndian.PutUint16(o, control)
		o[2] = byte(cia402.CyclicPosition)
		binary.LittleEndian.PutUint32(o[4:], uint32(a.targets[i]))
	}
	if n := a.exchange(); n != 3 {
		a.t.Fatalf("working counter %d", n)
	}
}

// until ticks until all axes show a state.
func (a *arm) until(control, mask, want uint16) {
	a.t.Helper()
	for range 500 {
		a.tick(control)
		all := true
		for i := range a.targets {
			all = all && a.status(i)&mask == want
		}
		if all {
			return
		}
	}
	a.t.Fatalf("statuswords %04x %04x …, want %04x", a.status(0), a.status(1), want)
}

// enable goes through the states of CiA 402 until the axes follow.
func (a *arm) enable() {
	a.t.Helper()
	a.until(0x06, 0x6f, 0x21)
	a.until(0x07, 0x6f, 0x23)
	a.until(0x0f, 0x6f|cia402.Follows, 0x27|cia402.Follows)
	a.follow = false
}

// From power-on to motion: the axes come to where they are sent, no faster than they may, and the following error is what the
// model says.
func TestPowerUpAndMove(t *testing.T) {
	a := newArm(t, robot)
	a.tick(0)
	if a.actual(0) != 1000 || a.actual(1) != -2000 || a.status(0)&0x4f != 0x40 {
		t.Errorf("at %d, %d, %04x", a.actual(0), a.actual(1), a.status(0))
	}
	a.enable()
	for i := range a.targets {
		if d := math.Abs(float64(a.actual(i) - a.targets[i])); d > 1 {
			t.Errorf("axis %d jumped by %g when it was enabled", i+1, d)
		}
	}
	const way, steps = 200_000, 250 // a smooth motion of one second
	begin := a.targets
	fastest := int32(0)
	for k := range steps + 20 {
		s := math.Min(1, float64(k)/steps)
		for i := range a.targets {
			a.targets[i] = begin[i] + int32(way*(s-math.Sin(2*math.Pi*s)/(2*math.Pi)))
		}
		a.tick(0x0f)
		fastest = max(fastest, a.speed(3))
		if behind := a.targets[3] - a.actual(3); behind > 6000 || behind < -100 {
			t.Fatalf("is %d behind", behind)
		}
	}
	for i := range a.targets {
		if got := a.actual(i) - begin[i]; got != way {
			t.Errorf("axis %d moved by %d, want %d", i+1, got, way)
		}
		if a.status(i)&0x6f != 0x27 || a.code(i) != 0 {
			t.Errorf("axis %d: %04x %04x", i+1, a.status(i), a.code(i))
		}
	}
	if fastest < 380_000 || fastest > 420_000 {
		t.Errorf("%d increments per s", fastest)
	}
}

// A target that is far away is a following error, one that comes while the axis is not enabled is nothing.
func TestFollowingError(t *testing.T) {
	a := newArm(t, robot)
	a.follow = false
	a.targets[2] = 1_000_000
	for range 20 {
		a.tick(0)
	}
	if a.actual(2) != 3000 {
		t.Errorf("moved to %d", a.actual(2))
	}
	a.follow = true
	a.enable()
	a.targets[2] += 500_000
	for range 50 {
		a.tick(0x0f)
	}
	if a.status(2)&0x4f != 0x08 || a.code(2) != 0x8611 || a.status(2)&cia402.FollowingError == 0 {
		t.Errorf("%04x %04x", a.status(2), a.code(2))
	}
	if a.status(1)&0x6f != 0x27 {
		t.Errorf("axis 2: %04x", a.status(1))
	}
	if x, err := a.s.Axis(3); err != nil || x.Powered || x.Velocity != 0 {
		t.Errorf("%+v %v", x, err)
	}
	// The fault is reported as an emergency too.
	c := a.talk(a.s, func(c *coe.Client) { c.Upload(0x703f, 0, false) })
	if e := c.Emergencies(); len(e) != 1 || e[0].Code != 0x8611 || e[0].Data[0] != 3 || !bytes.Equal(c.Data(), word(0x8611)) {
		t.Errorf("%+v % x", e, c.Data())
	}
	a.follow = true
	for range 3 { // held, bit 7 resets nothing twice
		a.tick(0x80)
	}
	if a.status(2)&0x4f != 0x40 || a.code(2) != 0 {
		t.Errorf("%04x %04x after reset", a.status(2), a.code(2))
	}
	a.until(0, 0x4f, 0x40) // a robot whose axes are in different states begins again with all of them
	a.enable()
}

// A fault whose cause stays cannot be reset, and one edge is one attempt.
func TestFaultReset(t *testing.T) {
	a := newArm(t, robot)
	a.enable()
	a.do("slave arm fault 1 0x7305 stays")
	a.follow = true
	a.tick(0x0f)
	a.tick(0x0f)
	for range 3 {
		a.tick(0x80)
		a.tick(0)
	}
	if a.status(0)&0x4f != 0x08 || a.code(0) != 0x7305 {
		t.Errorf("%04x %04x", a.status(0), a.code(0))
	}
	a.tick(0x80)
	a.do("slave arm fault 1 0")
	for range 3 {
		a.tick(0x80)
	}
	if a.status(0)&0x4f != 0x08 {
		t.Errorf("%04x: reset without an edge", a.status(0))
	}
	a.tick(0)
	a.tick(0x80)
	a.tick(0)
	if a.status(0)&0x4f != 0x40 {
		t.Errorf("%04x", a.status(0))
	}
}

// moving enables the axes and lets them move at a constant speed.
func (a *arm) moving(step int32) {
	a.t.Helper()
	a.enable()
	for range 50 {
		for i := range a.targets {
			a.targets[i] += step
		}
		a.tick(0x0f)
	}
	if a.speed(0) == 0 {
		a.t.Fatal("does not move")
	}
}

// The safety chain opens in motion: the axes come to rest without a jump and are off; they cannot be enabled until it is closed.
func TestSafetyStop(t *testing.T) {
	a := newArm(t, robot)
	a.moving(2000)
	before, speed := a.actual(0), a.speed(0)
	a.do("slave arm safety open")
	a.follow = true
	for range 20 {
		a.tick(0x0f)
		if s := a.speed(0); s > speed+1000 || s < 0 {
			t.Errorf("speed %d after %d", s, speed)
		}
	}
	if way := a.actual(0) - before; way < 0 || way > 20_000 {
		t.Errorf("stopped after %d", way)
	}
	for i := range a.targets {
		if a.status(i)&0x4f != 0x40 || a.status(i)&cia402.VoltageEnabled != 0 {
			t.Errorf("axis %d: %04x", i+1, a.status(i))
		}
	}
	if in := binary.LittleEndian.Uint32(a.inputs(0)[16:]); in&(1<<16) != 0 {
		t.Errorf("digital inputs %08x", in)
	}
	for range 10 {
		a.tick(0x06)
	}
	if a.status(0)&0x4f != 0x40 {
		t.Errorf("%04x with the chain open", a.status(0))
	}
	a.do("slave arm safety closed")
	a.enable()
	a.moving(-1000)
}

// Quick stop and shutdown.
func TestStops(t *testing.T) {
	tests := []struct {
		control uint16
		want    uint16
	}{{0x02, 0x40}, {0x00, 0x40}, {0x06, 0x21}, {0x07, 0x23}}
	for _, tt := range tests {
		a := newArm(t, robot)
		a.moving(500)
		a.follow = true
		for range 30 {
			a.tick(tt.control)
		}
		if got := a.status(4) & 0x6f; got != tt.want && got&0x4f != tt.want || a.speed(4) != 0 {
			t.Errorf("%02x: %04x at %d per s", tt.control, a.status(4), a.speed(4))
		}
	}
}

// Targets that stay away: the drive holds or goes on, counts, and gives up when there are too many.
func TestMissedTargets(t *testing.T) {
	a := newArm(t, robot)
	a.moving(1000)
	a.now += 3 * a.cycle
	a.tick(0x0f)
	if got := a.upload(a.s, 0x1c32, 11); word16(got) < 3 {
		t.Errorf("% x", got)
	}
	if is, _ := a.s.State(); is != wire.Op {
		t.Error(is)
	}
	a.now += 8 * a.cycle
	a.chain.Advance(a.now)
	if is, code := a.s.State(); is != wire.SafeOp|wire.ErrorBit || code != wire.CodeSyncErrors {
		t.Errorf("%v %v", is, code)
	}
	a.now += 100 * cycleTime
	a.chain.Advance(a.now)
	if x, _ := a.s.Axis(1); x.Status&0x4f != 0x08 || x.Velocity != 0 {
		t.Errorf("%+v", x)
	}
}

// An axis without power is moved by hand; it is enabled where it is then.
func TestPush(t *testing.T) {
	a := newArm(t, robot)
	a.do("slave arm push 6 12345")
	a.tick(0)
	a.enable()
	if a.actual(5) != 12345 {
		t.Errorf("at %d", a.actual(5))
	}
	if err := a.chain.Do("slave arm push 6 1"); err == nil {
		t.Error("was moved by hand while it is enabled")
	}
}

// Strict drives want the interpolation time to be the cycle of SYNC0.
func TestStrict(t *testing.T) {
	m := newMaster(t, "slaves:\n  - {type: drive, name: arm, drive: {strict: true}}\n")
	m.scan()
	s := m.slave("arm")
	m.mailboxes(s)
	m.want(s, wire.PreOp)
	m.processData(s)
	m.activate(s, s.SystemTime(m.now)+20e6, 2e6)
	if is, code := m.request(s, wire.SafeOp); !is.Error() || code != wire.CodeSync0Cycle {
		t.Errorf("%v %v", is, code)
	}
	m.write(s, wire.RegControl, byte(wire.PreOp|wire.ErrorBit), 0)
	if c := m.talk(s, func(c *coe.Client) { c.Download(0x60c2, 1, false, []byte{2}) }); c.Err() != nil {
		t.Error(c.Err())
	}
	m.want(s, wire.SafeOp)
}

// Other process data, for other drives.
func TestOtherMapping(t *testing.T) {
	m := newMaster(t, `
slaves:
  - type: drive
    name: arm
    drive: {axes: 2, freeRun: true, vendor: 0x1234, product: 0x5678, outputs: [0x6040, 0x607A, 0x60FE], inputs: [0x6041, pad16, 0x6064], positions: [7, 8]}
`)
	m.start(wire.Op)
	s := m.slave("arm")
	m.exchange()
	if got := m.place(s, wire.FMMURead); len(got) != 16 || got[4] != 7 || got[12] != 8 {
		t.Errorf("% x", got)
	}
	if got := m.place(s, wire.FMMUWrite); len(got) != 20 {
		t.Errorf("% x", got)
	}
	if id := s.Description().Identity; id.Vendor != 0x1234 || id.Product != 0x5678 {
		t.Errorf("%+v", id)
	}
}
