package krc

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/internal/rt"
)

// Relay is a Net between a controller and a driver that are programs of their own: it has sockets of this machine, and real time.
//
//	controller ──> front ──> Net ──> back ──> driver
//	controller <── front <── Net <── back <── driver
//
// The driver sees one address of the controller until Move, whatever port each of its sessions comes from.
type Relay struct {
	front *net.UDPConn

	mu       sync.Mutex
	net      *Net
	caller   netip.AddrPort // of the newest session
	driver   netip.AddrPort // not valid: telegrams are lost
	here     netip.AddrPort // from where the driver gets telegrams
	backs    map[netip.AddrPort]*net.UDPConn
	telegram []byte // the newest
	err      error

	clock *rt.Real
	alarm rt.Alarm // rings when something may be due earlier than it was
	ended atomic.Bool
	busy  sync.WaitGroup
}

// elsewhere is the host of strangers.
const elsewhere = "127.0.0.2"

// NewRelay makes one that hands on everything at once.
func NewRelay(seed uint64) (*Relay, error) {
	r := &Relay{
		net: NewNet(seed, NetOptions{}), backs: map[netip.AddrPort]*net.UDPConn{}, clock: rt.NewReal(),
	}
	var err error
	if r.front, err = onLoopback("127.0.0.1"); err != nil {
		return nil, err
	}
	if r.backs[stranger], err = onLoopback(elsewhere); err == nil {
		err = r.move()
	}
	if err != nil {
		r.closeAll()
		return nil, err
	}
	r.busy.Add(2)
	go r.hearController()
	go r.deliver()
	return r, nil
}

func onLoopback(host string) (*net.UDPConn, error) {
	return net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(host), 0)))
}

// Address returns where the controller sends to.
func (r *Relay) Address() netip.AddrPort { return addressOf(r.front) }

func addressOf(c *net.UDPConn) netip.AddrPort { return c.LocalAddr().(*net.UDPAddr).AddrPort() }

// Lead says where the driver is; an address that is not valid says that there is none.
func (r *Relay) Lead(driver netip.AddrPort) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.driver = driver
}

// Worsen makes the network as hostile as options say.
func (r *Relay) Worsen(o NetOptions) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.net.options = o
}

// Happen lets an event happen that is one of the network, and reports whether it is.
func (r *Relay) Happen(e Event) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.alarm.Ring()
	return r.net.Happen(e, r.here, r.telegram, r.clock.Now())
}

// Move lets the controller call from another port.
func (r *Relay) Move() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.move()
}

func (r *Relay) move() error {
	c, err := onLoopback("127.0.0.1")
	if err != nil {
		return err
	}
	r.here = addressOf(c)
	r.backs[r.here] = c
	r.busy.Add(1)
	go r.hearDriver(c, r.here)
	return nil
}

// Counts returns what became of the parcels of a way.
func (r *Relay) Counts(way Way) NetCounts {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.net.Counts(way)
}

// Close returns the first error there was.
func (r *Relay) Close() error {
	r.ended.Store(true)
	r.alarm.Ring()
	r.closeAll()
	r.busy.Wait()
	return r.err
}

func (r *Relay) closeAll() {
	r.mu.Lock()
	defer r.mu.Unlock()
	_ = r.front.Close()
	for _, c := range r.backs {
		if c != nil {
			_ = c.Close()
		}
	}
}

// hear hands what comes to a socket on, until that is closed.
func (r *Relay) hear(c *net.UDPConn, take func(from netip.AddrPort, data []byte)) {
	defer r.busy.Done()
	for room := make([]byte, 1<<14); ; {
		n, from, err := c.ReadFromUDPAddrPort(room)
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil: // the other end was not there
		default:
			r.mu.Lock()
			take(from, room[:n])
			r.mu.Unlock()
			r.alarm.Ring()
		}
	}
}

func (r *Relay) hearController() {
	r.hear(r.front, func(from netip.AddrPort, data []byte) {
		if from != r.caller {
			r.caller = from
			r.net.session++
		}
		r.telegram = append(r.telegram[:0], data...)
		r.net.Send(Out, r.here, data, r.clock.Now())
	})
}

func (r *Relay) hearDriver(c *net.UDPConn, here netip.AddrPort) {
	r.hear(c, func(_ netip.AddrPort, data []byte) { r.net.Send(In, here, data, r.clock.Now()) })
}

// deliver delivers what arrives when it is due.
func (r *Relay) deliver() {
	defer r.busy.Done()
	for !r.ended.Load() {
		r.alarm.Clear()
		r.clock.SleepUntil(r.send(), &r.alarm)
	}
}

// send sends what has arrived, and returns when the next parcel will.
func (r *Relay) send() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		p, ok := r.net.Pop(r.clock.Now())
		if !ok {
			break
		}
		// The other end may have gone: an answer to an earlier session is lost, as is a telegram without a driver.
		switch {
		case p.Way == Out && r.driver.IsValid():
			r.note(r.backs[p.From].WriteToUDPAddrPort(p.Data, r.driver))
		case p.Way == In && p.From == r.here && p.session == r.net.session:
			r.note(r.front.WriteToUDPAddrPort(p.Data, r.caller))
		}
	}
	if at, ok := r.net.Next(); ok {
		return at
	}
	return rt.Never
}

// note keeps an error of this end.
func (r *Relay) note(_ int, err error) {
	if r.err == nil && err != nil && !errors.Is(err, net.ErrClosed) {
		r.err = err
	}
}
