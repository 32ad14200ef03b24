package cable

import (
	"github.com/softrobot-rcc/rccd/ethercat/link"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// Memory is a cable in memory. Its time is virtual: it goes on when somebody waits, or by Advance. All is for one goroutine at
// a time.
type Memory struct {
	// Faults says what happens to the n-th frame, from 0; nil is nothing.
	Faults func(n uint64, frame []byte) Fault
	// Latency is how long a frame is under way beside the time that its bits take, ns.
	Latency int64
	// Unplugged loses all frames.
	Unplugged bool

	slaves  link.Slaves
	deliver func(frame []byte, at int64) // back
	now     int64
	sent    uint64
	free    int64 // when the cable is
	queue   [parcels]parcel
	first   int
	count   int
	before  [wire.LongestFrame]byte // the newest answer
	length  int
	copy    [wire.LongestFrame]byte
	fault   Fault // of the frame that is being processed
}

// parcels is how many frames may be under way.
const parcels = 64

type parcel struct {
	due    int64
	length int
	frame  [wire.LongestFrame]byte
}

// NewMemory makes a cable to slaves at an instant.
func NewMemory(slaves link.Slaves, now int64) *Memory {
	m := &Memory{slaves: slaves, now: now}
	m.deliver = m.back
	return m
}

// Now returns the virtual time.
func (m *Memory) Now() int64 { return m.now }

// Advance lets time go on to an instant.
func (m *Memory) Advance(to int64) { m.now = max(m.now, to) }

// Sent returns how many frames there have been.
func (m *Memory) Sent() uint64 { return m.sent }

// Close does nothing.
func (m *Memory) Close() error { return nil }

// Send lets the slaves process a frame.
func (m *Memory) Send(frame []byte) bool {
	if len(frame) > wire.LongestFrame || len(frame) < wire.ShortestFrame {
		return false
	}
	m.fault = Fault{}
	if m.Faults != nil {
		m.fault = m.Faults(m.sent, frame)
	}
	m.sent++
	if m.Unplugged || m.fault.Unheard {
		return true
	}
	begin := max(m.free, m.now)
	m.free = begin + link.WireTime(len(frame))
	m.slaves.Process(m.copy[:copy(m.copy[:], frame)], begin, m.deliver)
	return true
}

// back puts an answer on its way.
func (m *Memory) back(answer []byte, at int64) {
	stale := m.fault.Stale
	if !stale && !m.fault.Lost {
		m.put(answer, at)
		if m.fault.Twice {
			m.put(answer, at)
		}
	}
	if stale && m.length > 0 {
		m.put(m.before[:m.length], at)
	}
	m.length = copy(m.before[:], answer)
}

// put keeps answers in the order in which they arrive.
func (m *Memory) put(answer []byte, at int64) {
	if m.count == parcels {
		return
	}
	due := at + m.Latency + m.fault.Delay
	i := m.count
	for ; i > 0 && m.at(i-1).due > due; i-- {
		*m.at(i) = *m.at(i - 1)
	}
	p := m.at(i)
	p.due, p.length = due, copy(p.frame[:], answer)
	p.length = m.fault.spoil(p.frame[:p.length])
	m.count++
}

func (m *Memory) at(i int) *parcel { return &m.queue[(m.first+i)%parcels] }

// Receive takes the answer that arrives first, if it does until an instant. Time goes on to when it comes.
func (m *Memory) Receive(room []byte, until int64) (n int, ok bool) {
	if m.count > 0 {
		if p := m.at(0); p.due <= max(until, m.now) {
			m.now = max(m.now, p.due)
			m.first, m.count = (m.first+1)%parcels, m.count-1
			return copy(room, p.frame[:p.length]), true
		}
	}
	m.now = max(m.now, until)
	return 0, false
}
