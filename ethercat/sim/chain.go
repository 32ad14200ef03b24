package sim

import (
	"fmt"
	"iter"
	"slices"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/suggest"
)

// Chain is slaves on a cable. It belongs to one goroutine at a time.
type Chain struct {
	slaves  []*Slave // all there are, in the order of the rack
	steps   []step   // those that frames reach now, in the order in which frames pass
	length  int64    // how long a frame takes for its way
	now     int64
	scratch [2 * wire.LongestFrame]byte
	before  []byte // an answer of before, for one that is stale
	faults  lineFaults
	plan    schedule
	counts  Counts
}

// step is a slave on the way of a frame, and how far away it is in time.
type step struct {
	slave *Slave
	at    int64
}

// Counts are the counters of a chain.
type Counts struct {
	Frames, Datagrams uint64
	Refused           uint64 // what was no frame of EtherCAT
	Lost              uint64 // frames that did not come back
}

// Delays of parts, in ns (facts of the transport).
const (
	delayThrough = 300 // to the processing unit and on
	delayBack    = 250 // past it
	delayCable   = 500 // of a cable between two ports, unless the rack says something else
	delayEBus    = 20  // between two terminals
	nsPerByte    = 80  // at 100 Mbit/s
	between      = 24  // bytes of a frame that are not data: preamble, check sum, gap
)

// Slaves returns all of them, in the order of the rack.
func (c *Chain) Slaves() iter.Seq[*Slave] { return slices.Values(c.slaves) }

// Slave finds one by its name.
func (c *Chain) Slave(name string) (*Slave, error) {
	for _, s := range c.slaves {
		if s.name == name {
			return s, nil
		}
	}
	names := func(yield func(string) bool) {
		for _, s := range c.slaves {
			if !yield(s.name) {
				return
			}
		}
	}
	return nil, fmt.Errorf("no slave %q%s", name, suggest.DidYouMean(name, names))
}

// Counts returns the counters.
func (c *Chain) Counts() Counts { return c.counts }

// Now returns the instant up to which time has passed.
func (c *Chain) Now() int64 { return c.now }

// Advance lets time pass without a frame.
func (c *Chain) Advance(now int64) {
	for n := 0; ; n++ {
		at, ok := c.plan.due()
		if !ok || at > now {
			break
		}
		if n == mostAtOnce {
			c.plan.next = c.plan.after(now)
			continue
		}
		c.advance(at)
		c.carryOut()
	}
	c.advance(now)
}

func (c *Chain) advance(now int64) {
	c.now = max(c.now, now)
	for _, s := range c.slaves {
		s.advance(c.now)
	}
}

// wireUp finds out which slaves frames reach, and when they pass by which port.
func (c *Chain) wireUp() {
	c.steps = c.steps[:0]
	c.length = 0
	if first := c.slaves[0]; !first.away && !first.cut {
		c.length = c.walk(first, delayCable) + delayCable
	}
	for i, s := range c.steps {
		s.slave.position = i
	}
	for _, s := range c.slaves {
		s.showLinks()
	}
}

// walk goes through a slave and all behind it (facts of topology), and returns when the frame leaves it through port 0.
func (c *Chain) walk(s *Slave, at int64) int64 {
	c.steps = append(c.steps, step{s, at})
	s.passes[0] = at
	at += delayThrough
	for _, port := range wire.PortOrder[1:] {
		if !s.open(port) {
			continue
		}
		cable := s.ports[port]
		at = c.walk(cable.to, at+cable.delay) + cable.delay
		s.passes[port] = at
		at += delayBack
	}
	return at
}

// WayTime returns how long a frame of a number of bytes travels without delays.
func (c *Chain) WayTime(bytes int) int64 { return c.length + int64(bytes+between)*nsPerByte }

// Process lets a frame pass at an instant. The answer, usually the frame itself, is handed on with the instant at which it is
// there; the bytes may be kept only as long as the call lasts.
func (c *Chain) Process(frame []byte, now int64, deliver func(frame []byte, at int64)) {
	c.pass(frame, wire.Follow(frame), now, deliver)
}

// ProcessPayload is Process for what comes over UDP.
func (c *Chain) ProcessPayload(payload []byte, now int64, deliver func(payload []byte, at int64)) {
	c.pass(payload, wire.FollowPayload(payload), now, deliver)
}

func (c *Chain) pass(frame []byte, r wire.Reader, now int64, deliver func([]byte, int64)) {
	c.Advance(now)
	if r.Fault() != wire.Good {
		c.counts.Refused++
		return
	}
	c.counts.Frames++
	if c.faults.takes(&c.faults.drop) || c.now < c.faults.silent || len(c.steps) == 0 {
		c.counts.Lost++
		return
	}
	marked := false
	for d, ok := r.Next(); ok; d, ok = r.Next() {
		c.counts.Datagrams++
		c.datagram(&d)
		d.Update(frame)
	}
	for _, s := range c.steps {
		marked = marked || !s.slave.given.unmarked
	}
	if marked && r.Ethernet() {
		wire.SetProcessed(frame)
	}
	if c.faults.takes(&c.faults.unanswered) {
		c.counts.Lost++
	} else {
		c.faults.deliver(c, frame, now+c.WayTime(len(frame)), deliver)
	}
	c.rewire()
}

// rewire is done when a frame has changed how ports are used.
func (c *Chain) rewire() {
	again := false
	for _, s := range c.slaves {
		again = again || s.rewire
		s.rewire = false
	}
	if again {
		c.wireUp()
	}
}

// datagram lets one datagram pass through all slaves.
func (c *Chain) datagram(d *wire.Datagram) {
	found := false // by a command that reads in one slave and writes in those behind it
	for _, p := range c.steps {
		s, at := p.slave, c.now+p.at
		if s.faults.deaf {
			if d.Command.Counts() {
				d.Address = d.Address.Counted()
			}
			continue
		}
		d.Counter += c.one(s, at, d, &found)
		d.Events |= s.events()
		if d.Command.Counts() {
			d.Address = d.Address.Counted()
		}
	}
}

// one returns what a slave does with a datagram; it returns what it adds to the working counter.
func (c *Chain) one(s *Slave, at int64, d *wire.Datagram, found *bool) uint16 {
	if s.kind.features&wire.FeatureNoLRW != 0 && (d.Command == wire.LRW || d.Command == wire.APRW || d.Command == wire.FPRW || d.Command == wire.BRW) {
		return 0
	}
	if d.Command.Logical() {
		return s.logical(at, d.Command, d.Address.Logical(), d.Data, c.scratch[:])
	}
	register := d.Address.Register()
	switch d.Command {
	case wire.APRD, wire.APWR, wire.APRW:
		if d.Address.ADP() != 0 {
			return 0
		}
	case wire.FPRD, wire.FPWR, wire.FPRW:
		if !s.called(d.Address.ADP()) {
			return 0
		}
	case wire.BRD, wire.BWR, wire.BRW:
	case wire.ARMW, wire.FRMW:
		mine := d.Command == wire.ARMW && d.Address.ADP() == 0 || d.Command == wire.FRMW && s.called(d.Address.ADP())
		switch {
		case mine && !*found:
			*found = true
			return counted(s.read(at, register, d.Data, false), wire.CountRead)
		case *found:
			return counted(s.write(at, register, d.Data), wire.CountWrite)
		}
		return 0
	default:
		return 0
	}
	switch {
	case d.Command.Reads() && d.Command.Writes():
		original := c.scratch[:copy(c.scratch[:], d.Data)]
		read := s.read(at, register, d.Data, d.Command == wire.BRW)
		written := s.write(at, register, original)
		return counted(read, wire.CountRead) + counted(written, wire.CountBoth-wire.CountRead)
	case d.Command.Writes():
		return counted(s.write(at, register, d.Data), wire.CountWrite)
	}
	return counted(s.read(at, register, d.Data, d.Command == wire.BRD), wire.CountRead)
}

func counted(done bool, n uint16) uint16 {
	if done {
		return n
	}
	return 0
}

// called reports whether an address is that of the slave.
func (s *Slave) called(station uint16) bool {
	return s.word(wire.RegStation) == station ||
		s.long(wire.RegLinkControl)&wire.LinkAlias != 0 && s.word(wire.RegAlias) == station
}
