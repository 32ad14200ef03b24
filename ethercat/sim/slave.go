package sim

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// Slave is one slave: its memory, as masters see it, and the device behind it.
type Slave struct {
	name   string
	kind   *kind
	given  given
	image  []byte // of the SII
	memory []byte
	device device
	random *rand.Rand

	position int // in the order in which frames pass
	ports    [wire.Ports]cable
	parent   *Slave
	away     bool // taken out of the rack
	cut      bool // the cable that leads to it is broken
	passes   [wire.Ports]int64
	rewire   bool // ports are used in another way than before

	now     int64 // up to here time has passed
	objects objects
	sii     siiUnit
	state   stateMachine
	clock   clock
	mail    mailbox
	data    processData
	faults  slaveFaults
}

// cable leads from a port to another slave.
type cable struct {
	to    *Slave
	delay int64
}

// kind is what all slaves of a type have in common.
type kind struct {
	order       string
	description sii.Description
	features    uint16
	chip        uint8
	fmmus       uint8
	managers    uint8
	ram         int // kB
	ports       uint8
	emulation   bool
	cycles      []int64 // of SYNC0 that are supported; empty means all
	needsSync   bool    // does not go to Op without SYNC0
	hidesPDOs   bool    // only the dictionary says what the process data are
	build       func(s *Slave) device
}

// given is what a rack says about one slave.
type given struct {
	alias      uint16
	serial     uint32
	clock      clockGiven
	transition int64 // how long a change of state takes
	mailDelay  int64 // how long an answer takes
	siiDelay   int64 // how long the SII is busy
	patience   int64 // until waiting for Op becomes an error, 0 for ever
	four       bool  // the SII is read by four bytes
	takesSII   bool  // keeps the SII for itself in Pre-Op
	unmarked   bool  // does not set the bit in the sender's address
	noComplete bool
	noInfo     bool
	shortZero  bool // complete access has subindex 0 in one byte
	unassigned bool // no PDO is assigned at power-on
}

// device is the function of a slave. It sees objects, not frames.
type device interface {
	// enter announces a new state; going up may be refused.
	enter(from, to wire.State) wire.Code
	// outputs have been handed over.
	outputs()
	// inputs are about to be read.
	inputs()
	// advance lets time pass.
	advance(now int64)
	// synced is SYNC0, which came at an instant.
	synced(at int64)
	// safe is what outputs do when they are not commanded any more.
	safe()
}

// nothing is a device that does nothing.
type nothing struct{}

func (nothing) enter(wire.State, wire.State) wire.Code { return wire.NoCode }
func (nothing) outputs()                               {}
func (nothing) inputs()                                {}
func (nothing) advance(int64)                          {}
func (nothing) synced(int64)                           {}
func (nothing) safe()                                  {}

// Name returns the name of the slave in commands.
func (s *Slave) Name() string { return s.name }

// Order returns its type.
func (s *Slave) Order() string { return s.kind.order }

// State returns the state of its application layer, with its code.
func (s *Slave) State() (wire.State, wire.Code) { return s.state.status, s.state.code }

// Station returns the address that the master has given to it.
func (s *Slave) Station() uint16 { return s.word(wire.RegStation) }

// Description returns the contents of its SII.
func (s *Slave) Description() sii.Description { return s.kind.description }

// HasClock reports whether it has a distributed clock with a system time.
func (s *Slave) HasClock() bool { return s.given.clock.bits != 0 && !s.given.clock.delaysOnly }

func (s *Slave) word(r wire.Register) uint16 { return binary.LittleEndian.Uint16(s.memory[r:]) }
func (s *Slave) long(r wire.Register) uint32 { return binary.LittleEndian.Uint32(s.memory[r:]) }

func (s *Slave) setWord(r wire.Register, v uint16) { binary.LittleEndian.PutUint16(s.memory[r:], v) }

func (s *Slave) setLong(r wire.Register, v uint32) { binary.LittleEndian.PutUint32(s.memory[r:], v) }

// powerOn is what happens when the supply comes: everything is forgotten, and the SII is loaded.
func (s *Slave) powerOn(now int64) {
	k := s.kind
	s.now = now
	s.memory = make([]byte, int(wire.RegMemory)+k.ram<<10)
	m := s.memory
	m[wire.RegType], m[wire.RegFMMUs], m[wire.RegSyncManagers] = k.chip, k.fmmus, k.managers
	m[wire.RegRAM], m[wire.RegPorts] = uint8(k.ram), k.ports
	features := k.features
	if s.given.clock.bits != 0 {
		features |= wire.FeatureClock
	}
	if s.given.clock.bits == 64 {
		features |= wire.FeatureClock64
	}
	if c := s.given.clock; c.bits != 0 && !c.delaysOnly && len(k.description.Clocks) > 0 {
		features |= wire.FeatureClockSync
	}
	s.setWord(wire.RegFeatures, features)
	const forwardOwn, divider, ticks = 0x01, 2498, 1000
	s.setLong(wire.RegLinkControl, forwardOwn)
	s.setWord(wire.RegDivider, divider)
	s.setWord(wire.RegPDIWatchdog, ticks)
	s.setWord(wire.RegWatchdog, ticks)
	s.setWord(wire.RegWatchdogState, 1)
	s.loadSII()
	s.clock.powerOn(s)
	s.mail.powerOn(s)
	s.data.powerOn(s)
	s.state = stateMachine{s: s, status: wire.Init}
	s.objects = objects{slave: s}
	s.device = k.build(s)
	s.data.layOut()
	s.showState()
}

// advance lets time pass until now.
func (s *Slave) advance(now int64) {
	if now <= s.now {
		return
	}
	s.now = now
	if s.away {
		return
	}
	s.clock.advance(now)
	s.device.advance(now)
	s.mail.advance(now)
	s.state.advance(now)
}

// read copies memory into a datagram, or puts both together for broadcasts. It succeeds as a whole or not at all (facts of the
// working counter).
func (s *Slave) read(now int64, at wire.Register, into []byte, or bool) bool {
	end := int(at) + len(into)
	if end > len(s.memory) || s.absent(int(at), end) || !s.data.mayRead(int(at), end) {
		return false
	}
	s.beforeRead(now, int(at), end)
	from := s.memory[at:end]
	if or {
		for i, b := range from {
			into[i] |= b
		}
	} else {
		copy(into, from)
	}
	s.data.haveRead(now, int(at), end)
	s.mail.haveRead(int(at), end)
	return true
}

// beforeRead brings registers up to date that change with time.
func (s *Slave) beforeRead(now int64, at, end int) {
	if touches(at, end, clockFrom, clockTo) {
		s.clock.show(now)
	}
	if touches(at, end, int(wire.RegSIIOwner), int(wire.RegSIIData)+8) {
		s.sii.show(s, now)
	}
	s.data.beforeRead(at, end)
}

// Registers of the clock.
const (
	clockFrom = 0x0900
	clockTo   = 0x0a00
)

// absent reports whether an access is for registers that this slave does not have. It does not count: FRMW counts clocks (facts of
// distributed clocks), and masters ask by a read whether there is a system time.
func (s *Slave) absent(at, end int) bool {
	from := clockFrom
	switch c := &s.given.clock; {
	case c.delaysOnly:
		from = int(wire.RegSystemTime)
	case c.bits != 0:
		return false
	}
	return at >= from && end <= clockTo
}

func touches(at, end, from, to int) bool { return at < to && end > from }

// covers reports whether an access touches a byte.
func covers(at, end int, r wire.Register) bool { return at <= int(r) && int(r) < end }

// fixed are registers that a master cannot write.
var fixed = fixedRegisters()

func fixedRegisters() (list [wire.RegMemory]bool) {
	ranges := [...]struct{ from, to int }{
		{0x0000, 0x0010},
		{0x0110, 0x0112},
		{0x0130, 0x0138},
		{0x0140, 0x0142},
		{0x0210, 0x0214},
		{0x0440, 0x0442},
		{0x0918, 0x0920},
		{0x092c, 0x0930},
		{0x098e, 0x0990},
		{0x0998, 0x09a0},
	}
	for _, f := range ranges {
		for i := f.from; i < f.to; i++ {
			list[i] = true
		}
	}
	const most = 16       // SyncManagers
	for i := range most { // status, and what the slave says
		at := wire.SyncManagerAt(i)
		list[at+wire.SyncStatusOffset], list[at+wire.SyncManagerSize-1] = true, true
	}
	return list
}

// write copies a datagram into memory and does what comes of it.
func (s *Slave) write(now int64, at wire.Register, from []byte) bool {
	end := int(at) + len(from)
	if end > len(s.memory) || s.absent(int(at), end) || !s.data.mayWrite(int(at), end) {
		return false
	}
	if at >= wire.RegMemory {
		copy(s.memory[at:end], from)
	} else {
		for i, b := range from {
			if place := int(at) + i; place >= len(fixed) || !fixed[place] && !s.data.locked(place) {
				s.memory[place] = b
			}
		}
		s.react(now, int(at), end)
	}
	s.data.haveWritten(now, int(at), end)
	s.mail.haveWritten(now, int(at), end)
	return true
}

// react does what writing registers brings about.
func (s *Slave) react(now int64, at, end int) {
	if covers(at, end, wire.RegControl) {
		s.state.request(now, wire.State(s.memory[wire.RegControl]))
	}
	if touches(at, end, int(wire.RegErrors), int(wire.RegLostLinks)+4) {
		s.clearCounters(at, end)
	}
	if touches(at, end, int(wire.RegSIIOwner), int(wire.RegSIIData)+8) {
		s.sii.written(s, now, at, end)
	}
	if touches(at, end, int(wire.RegSyncManager), int(wire.RegSyncManager)+8*int(s.kind.managers)) ||
		touches(at, end, int(wire.RegFMMU), int(wire.RegFMMU)+16*int(s.kind.fmmus)) {
		s.data.configure()
		s.mail.configured()
	}
	if touches(at, end, clockFrom, clockTo) {
		s.clock.written(now, at, end)
	}
	if touches(at, end, int(wire.RegLinkControl), int(wire.RegLinkControl)+4) {
		s.rewire = true
	}
	if covers(at, end, wire.RegReset) {
		s.reset(now)
	}
}

// clearCounters: any write into a group clears it.
func (s *Slave) clearCounters(at, end int) {
	groups := [...]struct{ from, to int }{{0x0300, 0x030c}, {0x030c, 0x030d}, {0x030d, 0x030e}, {0x0310, 0x0314}}
	for _, g := range groups {
		if touches(at, end, g.from, g.to) {
			clear(s.memory[g.from:g.to])
		}
	}
}

// reset counts the letters R, E, S that come one after another.
func (s *Slave) reset(now int64) {
	const word = "RES"
	f := &s.faults
	if s.memory[wire.RegReset] != word[f.letters] {
		f.letters = 0
		return
	}
	if f.letters++; f.letters == len(word) {
		f.letters = 0
		s.powerOn(now)
		s.rewire = true
	}
}

// loadSII takes from the SII what parts take at start.
func (s *Slave) loadSII() {
	s.sii = siiUnit{}
	if len(s.image) < 16 {
		return
	}
	s.memory[wire.RegPDIControl], s.memory[wire.RegPDIConfig] = s.image[0], s.image[1]
	if s.kind.emulation {
		s.memory[wire.RegPDIConfig] |= wire.DeviceEmulation
	}
	copy(s.memory[wire.RegPulse:wire.RegPulse+2], s.image[4:6])
	copy(s.memory[wire.RegAlias:wire.RegAlias+2], s.image[8:10])
	s.sii.bad = s.image[14] != sii.CheckSum(s.image[:14])
}

// showLinks writes DL status as the cables are now.
func (s *Slave) showLinks() {
	status := wire.LinkReady | wire.LinkPDIWatchdog
	for port := range wire.Ports {
		status = status.WithPort(port, s.open(port))
	}
	if old := s.word(wire.RegLinkStatus); old != uint16(status) {
		for port := range wire.Ports {
			if lost := &s.memory[int(wire.RegLostLinks)+port]; wire.LinkStatus(old).Open(port) && !status.Open(port) && *lost < 0xff {
				*lost++
			}
		}
		s.setWord(wire.RegLinkStatus, uint16(status))
		s.raise(eventLink)
	}
}

// open reports whether frames go through a port: it is connected, and the master has not closed it.
func (s *Slave) open(port int) bool {
	if wire.LoopOf(s.long(wire.RegLinkControl), port) == wire.LoopClosed {
		return false
	}
	if port == 0 {
		return !s.cut
	}
	next := s.ports[port].to
	return next != nil && !next.away && !next.cut
}

// Bits of the event request (ETG.1000.4 table 35).
const (
	eventLink  = 1 << 2
	eventState = 1 << 3
	eventMail  = 1 << 8 // and following, one for each SyncManager
)

func (s *Slave) raise(event uint16) { s.setWord(wire.RegEvents, s.word(wire.RegEvents)|event) }
func (s *Slave) lower(event uint16) { s.setWord(wire.RegEvents, s.word(wire.RegEvents)&^event) }

// events returns those that go into datagrams.
func (s *Slave) events() uint16 { return s.word(wire.RegEvents) & s.word(wire.RegEventMask) }
