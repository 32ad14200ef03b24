package link

import (
	"errors"
	"fmt"
	"net"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/rt"
)

// Raw carries frames over an interface of this machine, which only the bus uses.
type Raw struct {
	clock  *rt.Real
	packet *rt.Packet
	spin   int64
	claim  net.Listener

	// cycle only
	sent  int64 // when the newest frame was
	usual int64 // how long answers usually take, 0 before the first
}

// ErrTaken is returned when another master has the interface. Two masters would take slaves from each other, even slaves in motion.
var ErrTaken = errors.New("another master uses the interface")

// OpenRaw opens an interface, which must be up. After a frame was sent the CPU is kept awake for spin nanoseconds and for as long as answers
// usually take, with a margin: to wake up a CPU that sleeps takes as long as a frame is under way, and longer. Answers that take longer
// than is worth that are slept for, and all of them when spin is 0.
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
	return &Raw{clock: clock, packet: p, spin: max(0, spin), claim: claim}, nil
}

// Now returns the time of the clock (cycle).
func (r *Raw) Now() int64 { return r.clock.Now() }

// Sender returns the address of the interface with another first byte: in those of virtual machines the bit that slaves set is set already.
func (r *Raw) Sender() wire.MAC {
	from := wire.MAC(r.packet.MAC())
	from[0] = ownAddress
	return from
}

// Send sends a frame (cycle).
func (r *Raw) Send(frame []byte) bool {
	r.sent = r.clock.Now()
	return r.packet.Send(frame)
}

// Receive waits for a frame (cycle).
func (r *Raw) Receive(room []byte, until int64) (n int, ok bool) {
	n, how := r.packet.ReceiveDetached(r.clock, until, r.awake(), room)
	if how == rt.Received && r.spin > 0 {
		r.learn(r.clock.Now() - r.sent)
	}
	return n, how == rt.Received
}

// worth is how long a CPU is kept awake at most, unless it was asked for more: a fifth of it in a cycle of 1 ms.
const worth = 200_000

// awake is up to when the CPU is kept awake (cycle).
func (r *Raw) awake() int64 {
	if d := r.usual + r.usual/4; r.spin > 0 && d+r.spin <= worth {
		return r.sent + d + r.spin
	}
	return r.sent + r.spin
}

// learn takes how long an answer took (cycle).
func (r *Raw) learn(took int64) {
	const slowly = 16
	took = min(took, 2*worth) // one that was not waited for
	if r.usual == 0 {
		r.usual = took
	}
	r.usual += (took - r.usual) / slowly
}

// Await is Receive for goroutines.
func (r *Raw) Await(room []byte, until int64) (n int, ok bool) {
	n, how := r.packet.Receive(r.clock, until, room)
	return n, how == rt.Received
}

// Close releases the interface.
func (r *Raw) Close() error {
	r.packet.Stop()
	return errors.Join(r.packet.Close(), r.claim.Close())
}

// ownAddress is the first byte of addresses that masters send from. In those of many interfaces the bit that slaves set is set
// before.
const ownAddress = 0x01
