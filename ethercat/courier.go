package ethercat

import (
	"errors"
	"fmt"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// datagram is one that is not cyclic, for a goroutine.
type datagram struct {
	command wire.Command
	address wire.Address
	data    []byte // what is sent, and then what has come back
	counter uint16
	lost    bool
}

func toStation(c wire.Command, station uint16, r wire.Register, data []byte) datagram {
	return datagram{command: c, address: wire.Station(station, r), data: data}
}

func readFrom(station uint16, r wire.Register, size int) datagram {
	return toStation(wire.FPRD, station, r, make([]byte, size))
}

func writeTo(station uint16, r wire.Register, data ...byte) datagram {
	return toStation(wire.FPWR, station, r, data)
}

func readAt(position int, r wire.Register, size int) datagram {
	return datagram{command: wire.APRD, address: wire.Position(position, r), data: make([]byte, size)}
}

func writeAt(position int, r wire.Register, data ...byte) datagram {
	return datagram{command: wire.APWR, address: wire.Position(position, r), data: data}
}

func readAll(r wire.Register, size int) datagram {
	return datagram{command: wire.BRD, address: wire.Broadcast(r), data: make([]byte, size)}
}

func writeAll(r wire.Register, data ...byte) datagram {
	return datagram{command: wire.BWR, address: wire.Broadcast(r), data: data}
}

// Errors of the bus.
var (
	ErrNoAnswer = errors.New("frames do not come back: check cable and power")
	ErrNoCycle  = errors.New("the cycle of the bus is not running")
)

// CounterError is returned when fewer or more slaves took part in a datagram than should have.
type CounterError struct {
	Command   wire.Command
	Address   wire.Address
	Want, Got uint16
}

func (e *CounterError) Error() string {
	who := "all slaves"
	switch e.Command {
	case wire.FPRD, wire.FPWR, wire.FPRW:
		who = fmt.Sprintf("station 0x%04x", e.Address.ADP())
	case wire.APRD, wire.APWR, wire.APRW:
		who = fmt.Sprintf("position %d", -int16(e.Address.ADP()))
	}
	return fmt.Sprintf("%v of register %v at %s: %d of %d slaves answered", e.Command, e.Address.Register(), who, e.Got, e.Want)
}

// tries is how often a datagram is sent whose frame does not come back.
const tries = 4

// do carries datagrams out, and repeats those whose frames are lost. It may be called by any goroutine; while the cycle runs they travel
// behind its frames.
func (m *Master) do(list ...datagram) error { return speaker{m: m}.do(list...) }

func (s speaker) do(list ...datagram) error {
	open := make([]*datagram, len(list))
	for i := range list {
		open[i] = &list[i]
	}
	for n := 0; len(open) > 0; n++ {
		if n == tries {
			return ErrNoAnswer
		}
		if n > 0 {
			s.m.count.retries.Add(uint64(len(open)))
		}
		if err := s.carry(open); err != nil {
			return err
		}
		var again []*datagram
		for _, d := range open {
			if d.lost {
				again = append(again, d)
			}
		}
		open = again
	}
	return nil
}

// once carries out a datagram that must not be repeated without looking, and reports whether its frame came back.
func (s speaker) once(d *datagram) (back bool, err error) {
	err = s.carry([]*datagram{d})
	return err == nil && !d.lost, err
}

// carry sends datagrams once, in order, as many at a time as fit into a batch.
func (m *Master) carry(list []*datagram) error {
	m.talk.Lock()
	defer m.talk.Unlock()
	for len(list) > 0 {
		n := min(len(list), mostOrders)
		if err := m.post(list[:n]); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

// post hands a batch to the owner of the link and waits for it.
func (m *Master) post(list []*datagram) error {
	b := &m.traffic.batch
	if err := m.await(b); err != nil { // one that was given up earlier
		return err
	}
	for i, d := range list {
		o := &b.orders[i]
		o.command, o.address, o.length, o.counter, o.got = d.command, d.address, len(d.data), 0, false
		copy(o.data[:], d.data)
	}
	b.count = len(list)
	b.state.Store(batchPosted)
	if err := m.await(b); err != nil {
		return err
	}
	for i, d := range list {
		o := &b.orders[i]
		d.counter, d.lost = o.counter, !o.got
		if o.got {
			copy(d.data, o.data[:o.length])
		}
	}
	b.state.Store(batchEmpty)
	return nil
}

// Waiting for the cycle: sending takes one, receiving another.
const (
	glance  = 250 * time.Microsecond
	noCycle = 2 * time.Second
)

// await returns when no batch is under way. Without cycle the goroutine is the one that carries it out.
func (m *Master) await(b *batch) error {
	if !m.cyclic.Load() {
		m.traffic.serve()
		return nil
	}
	begin := m.now()
	for b.state.Load() == batchPosted {
		if m.now()-begin > int64(noCycle)+2*m.traffic.patience {
			return ErrNoCycle
		}
		m.sleep(glance)
	}
	return nil
}

// ask is do for datagrams of which each must be answered by one slave.
func (m *Master) ask(list ...datagram) error { return speaker{m: m}.ask(list...) }

func (s speaker) ask(list ...datagram) error {
	if err := s.do(list...); err != nil {
		return err
	}
	for i := range list {
		if d := &list[i]; d.counter == 0 {
			return &CounterError{d.command, d.address, 1, 0}
		}
	}
	return nil
}

// waitFor looks at something again and again until it is so, or a time has passed.
func (m *Master) waitFor(limit time.Duration, look func() (bool, error)) (bool, error) {
	return speaker{m: m}.waitFor(limit, look)
}

func (s speaker) waitFor(limit time.Duration, look func() (bool, error)) (bool, error) {
	const first, longest = 100 * time.Microsecond, 5 * time.Millisecond
	begin := s.m.now()
	for pause := first; ; pause = min(2*pause, longest) {
		done, err := look()
		if done || err != nil {
			return done, err
		}
		if s.m.now()-begin > int64(limit) {
			return false, nil
		}
		s.sleep(pause)
	}
}
