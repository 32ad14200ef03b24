package link

import (
	"errors"
	"fmt"
	"net"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/rt"
)

// Raw carries frames over an interface of this machine, which belongs to the bus alone.
type Raw struct {
	clock  *rt.Real
	packet *rt.Packet
	spin   int64
	claim  net.Listener
}

// ErrTaken is that another master has the interface. Two of them would take the slaves from each other, also those that are in motion.
var ErrTaken = errors.New("another master has it")

// OpenRaw opens an interface, which must be up. For the last spin nanoseconds of waiting for a frame the CPU is kept awake.
func OpenRaw(name string, clock *rt.Real, spin int64) (*Raw, error) {
	p, err := rt.OpenPacket(name, wire.EtherType)
	if err != nil {
		return nil, err
	}
	// A name that the kernel knows as long as this process lives, in the same network as the interface.
	claim, err := net.Listen("unix", "@rccd/ethercat/"+name)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("interface %s: %w", name, ErrTaken), p.Close())
	}
	return &Raw{clock, p, max(0, spin), claim}, nil
}

// Now is the time of the clock (cycle).
func (r *Raw) Now() int64 { return r.clock.Now() }

// Send sends a frame (cycle).
func (r *Raw) Send(frame []byte) bool { return r.packet.Send(frame) }

// Receive waits for a frame (cycle).
func (r *Raw) Receive(room []byte, until int64) (n int, ok bool) {
	n, how := r.packet.ReceiveDetached(r.clock, until, r.spin, room)
	return n, how == rt.Received
}

// Await is Receive for goroutines.
func (r *Raw) Await(room []byte, until int64) (n int, ok bool) {
	n, how := r.packet.Receive(r.clock, until, room)
	return n, how == rt.Received
}

// Close gives the interface back.
func (r *Raw) Close() error {
	r.packet.Stop()
	return errors.Join(r.packet.Close(), r.claim.Close())
}
