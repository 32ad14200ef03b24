package sim

import (
	"encoding/binary"
	"math"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// clock is the distributed clock of a slave (ETG.1000.4 §6.8): a local clock that is as wrong as its rack says, a loop that
// makes it follow the reference, and SYNC0.
//
// Instants of the simulation are called now, readings of the local clock local, and copies of the system time copy.
type clock struct {
	slave  *Slave
	given  clockGiven
	anchor struct { // the local clock is straight from here on
		now   int64
		local uint64
		rest  float64
	}
	steer   float64 // ppm, by the control loop
	learnt  float64 // ppm, its integral part
	updated int64   // when it was given the system time

	pulses  uint64 // SYNC0 since Safe-Op
	next    uint64 // copy at which SYNC0 comes
	last    uint64 // copy at which it came
	running bool
	once    bool // with a cycle of zero
	begun   bool // has come at all since it was activated
}

// clockGiven is what a rack says about a clock.
type clockGiven struct {
	bits   int     // 0 when there is none, 32 or 64
	ppm    float64 // how much it is too fast
	start  uint64  // its reading at power-on
	jitter int64   // ns, of what it latches

	delaysOnly bool // there is no system time
}

func (c *clock) powerOn(s *Slave) {
	*c = clock{slave: s, given: s.given.clock}
	c.anchor.now, c.anchor.local = s.now, c.given.start
	const speed, filter, speedFilter = 0x1000, 4, 12
	s.setWord(wire.RegSpeed, speed)
	s.memory[wire.RegFilter], s.memory[wire.RegSpeedFilter] = filter, speedFilter
}

// local returns the local clock.
func (c *clock) local(now int64) uint64 {
	gone := now - c.anchor.now
	return c.anchor.local + uint64(gone+int64(math.Floor(c.anchor.rest+float64(gone)*(c.given.ppm+c.steer)*1e-6)))
}

// setSteer changes the rate from now on.
func (c *clock) setSteer(now int64, ppm float64) {
	gone := float64(now - c.anchor.now)
	exact := c.anchor.rest + gone*(c.given.ppm+c.steer)*1e-6
	whole := math.Floor(exact)
	c.anchor.local += uint64(now - c.anchor.now + int64(whole))
	c.anchor.rest, c.anchor.now, c.steer = exact-whole, now, ppm
}

// noise returns the error of something that is latched.
func (c *clock) noise() int64 {
	if c.given.jitter == 0 {
		return 0
	}
	return c.slave.random.Int64N(2*c.given.jitter+1) - c.given.jitter
}

// offset is register 0x0920, of which small parts have half.
func (c *clock) offset() uint64 {
	v := binary.LittleEndian.Uint64(c.slave.memory[wire.RegOffset:])
	return c.masked(v)
}

func (c *clock) masked(v uint64) uint64 {
	if c.given.bits == 32 {
		return v & math.MaxUint32
	}
	return v
}

// copy returns the local copy of the system time. Of a small part only the lower half can be seen.
func (c *clock) copy(now int64) uint64 { return c.local(now) + c.offset() }

// show writes the registers that change with time.
func (c *clock) show(now int64) {
	if c.given.bits == 0 || c.given.delaysOnly {
		return
	}
	m := c.slave.memory
	binary.LittleEndian.PutUint64(m[wire.RegSystemTime:], c.masked(c.copy(now)))
	if c.running {
		binary.LittleEndian.PutUint64(m[wire.RegSyncStart:], c.masked(c.next))
	}
}

// written does what writing registers of the clock brings about.
func (c *clock) written(now int64, at, end int) {
	if c.given.bits == 0 {
		clear(c.slave.memory[clockFrom:clockTo])
		return
	}
	if touches(at, end, int(wire.RegReceived), int(wire.RegReceived)+4) {
		c.latch(now)
	}
	if c.given.delaysOnly {
		clear(c.slave.memory[wire.RegSystemTime:clockTo])
		return
	}
	if covers(at, end, wire.RegSystemTime) {
		c.follow(now, end-int(wire.RegSystemTime))
	}
	if touches(at, end, int(wire.RegSpeed), int(wire.RegSpeed)+2) {
		c.learnt = 0
		c.setSteer(now, 0)
		c.slave.setLong(wire.RegDifference, 0)
	}
	if covers(at, end, wire.RegActivation) {
		c.activate(now)
	}
}

// latch keeps when the frame comes by each port. Where it does not come back the register stays.
func (c *clock) latch(now int64) {
	s := c.slave
	c.advance(now)
	binary.LittleEndian.PutUint64(s.memory[wire.RegReceivedUnit:], c.masked(c.local(now)+uint64(c.noise())))
	for port := range wire.Ports {
		if s.open(port) || port == 0 {
			at := c.local(now+s.passes[port]-s.passes[0]) + uint64(c.noise())
			s.setLong(wire.RegReceived+wire.Register(4*port), uint32(at))
		}
	}
}

// Gains of the control loop, and its limits: it corrects a quarter of the difference in its time, which is that between two
// frames but not less than shortest, so that bursts of frames do not make it nervous.
const (
	gain       = 1.0 / 4
	gainLearnt = 1.0 / 32
	shortest   = 1e6
	longest    = 100e6
	mostSteer  = 2000 // ppm
)

// follow compares the system time that has come with the copy (minus the delay) and adjusts the rate.
func (c *clock) follow(now int64, size int) {
	s := c.slave
	expected := c.copy(now) - uint64(s.long(wire.RegDelay)) + uint64(c.noise())
	came := binary.LittleEndian.Uint64(s.memory[wire.RegSystemTime:])
	difference := int64(expected - came)
	if c.given.bits == 32 || size < 8 {
		difference = int64(int32(uint32(expected) - uint32(came)))
	}
	shown := int32(max(-math.MaxInt32, min(math.MaxInt32, difference)))
	s.setLong(wire.RegDifference, wire.RawDifference(shown))

	interval := max(shortest, min(longest, float64(now-c.updated)))
	c.updated = now
	rate := -float64(difference) / interval * 1e6
	steer := c.learnt + gain*rate
	if math.Abs(steer) <= mostSteer {
		c.learnt += gainLearnt * rate
	}
	c.setSteer(now, max(-mostSteer, min(mostSteer, steer)))
}

// activate starts or stops SYNC0. A start that is past never comes, or on small parts after a round of the clock.
func (c *clock) activate(now int64) {
	m := c.slave.memory
	const both = wire.SyncCyclic | wire.Sync0
	on := m[wire.RegActivation]&both == both
	if !on {
		c.running = false
		return
	}
	start, copied := binary.LittleEndian.Uint64(m[wire.RegSyncStart:]), c.copy(now)
	c.next = start
	if c.given.bits == 32 {
		c.next = copied + uint64(uint32(start)-uint32(copied))
	}
	c.running, c.begun = int64(c.next-copied) >= 0, false
	c.once = c.cycle() == 0
}

// cycle returns the one of SYNC0.
func (c *clock) cycle() uint64 { return uint64(c.slave.long(wire.RegSync0Cycle)) }

// active reports whether SYNC0 was switched on, whether or not it comes.
func (c *clock) active() bool {
	return c.given.bits != 0 && c.slave.memory[wire.RegActivation]&wire.Sync0 != 0
}

// advance lets SYNC0 come.
func (c *clock) advance(now int64) {
	if !c.running {
		return
	}
	const most = 1000 // more at once come from a master that was late, and mean nothing
	copied := c.copy(now)
	if behind := int64(copied - c.next); behind > 0 && c.cycle() > 0 && uint64(behind)/c.cycle() > most {
		skip := uint64(behind)/c.cycle() - most
		c.next += skip * c.cycle()
		c.pulses += skip
	}
	for c.running && int64(copied-c.next) >= 0 {
		c.last, c.begun = c.next, true
		c.pulses++
		at := now - int64(copied-c.next)
		c.next += c.cycle()
		if c.once {
			c.running = false
		}
		c.slave.device.synced(at)
		c.slave.data.synced()
	}
}

// missed reports whether SYNC0 has stopped.
func (c *clock) missed(now int64) bool {
	const cycles = 3
	return !c.running && (!c.begun || c.copy(now)-c.last > cycles*max(c.cycle(), 1e6))
}

// check reports whether the settings of SYNC0 are usable.
func (c *clock) check() wire.Code {
	if !c.active() {
		return wire.NoCode
	}
	cycle := int64(c.cycle())
	if cycle == 0 {
		return wire.CodeClockSync
	}
	for _, good := range c.slave.kind.cycles {
		if good == cycle {
			return wire.NoCode
		}
	}
	if len(c.slave.kind.cycles) > 0 {
		return wire.CodeClockCycle
	}
	return wire.NoCode
}

// Phases returns where in the cycle of SYNC0 frames with outputs came.
type Phases struct {
	Frames         uint64
	Last           int64 // ns behind the last SYNC0
	Least, Most    int64
	None, TooMany  uint64 // cycles without a frame, and with more than one
	LongestMissing uint64 // cycles in a row without a frame
	missing        uint64
}

func (p *Phases) add(c *clock, now int64) {
	if !c.running || !c.begun {
		return
	}
	p.Last = int64(c.copy(now) - c.last)
	if p.Frames == 0 || p.Last < p.Least {
		p.Least = p.Last
	}
	p.Most = max(p.Most, p.Last)
	p.Frames++
}

// synced counts frames per cycle.
func (d *processData) synced() {
	p := &d.phases
	if p.Frames > 0 {
		switch {
		case d.since == 0:
			p.None++
			p.missing++
			p.LongestMissing = max(p.LongestMissing, p.missing)
		case d.since > 1:
			p.TooMany++
			p.missing = 0
		default:
			p.missing = 0
		}
	}
	d.since = 0
}

// Phases returns those since the slave was switched on.
func (s *Slave) Phases() Phases { return s.data.phases }

// SystemTime returns the copy of the slave at an instant.
func (s *Slave) SystemTime(now int64) uint64 { return s.clock.masked(s.clock.copy(now)) }
