package ethercat

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/image"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// PortHealth is the error counters of a port since the scan (registers 0x0300 to 0x0313), which stop at 255: they are read and
// cleared regularly.
type PortHealth struct {
	Invalid   uint64 // frames
	Errors    uint64 // of the receiver
	Forwarded uint64 // errors that another slave has noticed before
	LostLinks uint64
}

// Health is the state of the wiring of a slave.
type Health struct {
	Links       wire.LinkStatus // now
	Ports       [wire.Ports]PortHealth
	Unprocessed uint64 // frames that were none of EtherCAT
	Interface   uint64 // errors between part and processor
	Read        bool   // this has been read
}

// health is kept by Tend.
type health struct {
	Health
	last [healthSize]byte // of the counters
}

const (
	healthSize = 20 // from 0x0300 on
	healthMost = 8  // slaves that are asked in a round
	nearFull   = 128
)

// Health returns the state of the wiring (any).
func (s *Slave) Health() Health {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wiring.Health
}

// readHealth asks some slaves, those that have waited longest, and checks whether they have the settings that were written.
func (m *Master) readHealth() error {
	these := m.turn()
	var list []datagram
	for _, s := range these {
		list = append(list, readFrom(s.Station, wire.RegErrors, healthSize), readFrom(s.Station, wire.RegLinkStatus, 2))
	}
	var settled, open []*Slave
	for _, s := range these {
		if s.good() && s.exchanges.Load() {
			settled = append(settled, s)
		}
		if s.speaks() {
			open = append(open, s)
		}
	}
	c, n := m.comparison(settled), len(list)
	c.boxes(open)
	list = append(list, c.read...)
	if err := m.do(list...); err != nil {
		return err
	}
	c.read = list[n:]
	c.judge()
	var clear []datagram
	for i, s := range these {
		counts, links := &list[2*i], &list[2*i+1]
		if counts.counter != 1 || links.counter != 1 {
			continue
		}
		full := s.wired(counts.data, wire.LinkStatus(links.data[0])|wire.LinkStatus(links.data[1])<<8)
		if full {
			clear = append(clear, writeTo(s.Station, wire.RegErrors, make([]byte, healthSize)...))
		}
	}
	return m.do(clear...)
}

// speaks reports whether a slave is in a state in which its mailbox is as the master has written it: in Boot there is another one.
func (s *Slave) speaks() bool {
	st := s.Status()
	return !st.Lost && s.mailbox != nil && st.State.Base() >= wire.PreOp && st.State.Base() != wire.Boot
}

// turn is whose turn it is to be looked at: those whose mailboxes have not answered, and some of the others.
func (m *Master) turn() (these []*Slave) {
	for _, s := range m.slaves {
		if len(these) < healthMost && s.suspect.Swap(false) && !s.Status().Lost {
			these = append(these, s)
		}
	}
	for range min(healthMost-len(these), len(m.slaves)) {
		s := m.slaves[m.asked%len(m.slaves)]
		m.asked++
		if !s.Status().Lost && !slices.Contains(these, s) {
			these = append(these, s)
		}
	}
	return these
}

// wired takes what a slave has counted, and reports whether counters should be cleared.
func (s *Slave) wired(counts []byte, links wire.LinkStatus) (full bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := &s.wiring
	h.Links, h.Read = links, true
	more := func(i int) uint64 {
		is, was := counts[i], h.last[i]
		full = full || is >= nearFull
		if h.last[i] = is; is < was { // it has been cleared
			return uint64(is)
		}
		return uint64(is - was)
	}
	for p := range h.Ports {
		h.Ports[p].Invalid += more(2 * p)
		h.Ports[p].Errors += more(2*p + 1)
		h.Ports[p].Forwarded += more(8 + p)
		h.Ports[p].LostLinks += more(16 + p)
	}
	h.Unprocessed += more(12)
	h.Interface += more(13)
	return full
}

// Datagram is a datagram with process data.
type Datagram struct {
	Command       wire.Command
	Address       uint32 // logical
	Length        int
	Expected, Got uint16 // working counter, of the newest cycle in which it came back
}

// Datagrams returns the datagrams with process data of the running bus (any).
func (m *Master) Datagrams() (list []Datagram) {
	shown := m.cycle.shown.Load()
	if shown == nil {
		return nil
	}
	for i, s := range shown.layout.Segments {
		list = append(list, Datagram{
			Command: s.Command, Address: logicalBase + uint32(s.From), Length: s.Length, Expected: s.Expected, Got: uint16(shown.counters[i].Load()),
		})
	}
	return list
}

// shownLayout is what others may know of what is exchanged in this run of the bus.
type shownLayout struct {
	layout   *image.Layout
	counters []atomic.Uint32
}

// picture is the process image of one cycle, made on request.
type picture struct {
	state   atomic.Uint32 // who has it
	out, in []byte
}

const (
	pictureIdle uint32 = iota
	pictureWanted
	pictureTaken
)

// take copies the image if it is wanted (cycle).
func (p *picture) take(out, in []byte) {
	if p.state.Load() == pictureWanted {
		copy(p.out, out)
		copy(p.in, in)
		p.state.Store(pictureTaken)
	}
}

// Image returns the process image of a cycle, nil when there are none (any).
func (m *Master) Image() (out, in []byte) {
	m.looking.Lock()
	defer m.looking.Unlock()
	p := m.cycle.picture.Load()
	if p == nil || !m.cyclic.Load() {
		return nil, nil
	}
	p.state.Store(pictureWanted)
	ok, err := m.waitFor(20*time.Duration(m.cycle.period), func() (bool, error) { return p.state.Load() == pictureTaken, nil })
	if err != nil || !ok {
		return nil, nil
	}
	p.state.Store(pictureIdle)
	return append([]byte{}, p.out...), append([]byte{}, p.in...)
}
