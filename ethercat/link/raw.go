package link

import (
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/rt"
)

// Raw carries frames over an interface of this machine, which belongs to the bus alone.
type Raw struct {
	clock  *rt.Real
	packet *rt.Packet
	spin   int64
}

// OpenRaw opens an interface, which must be up. For the last spin nanoseconds of waiting for a frame the CPU is kept awake.
func OpenRaw(name string, clock *rt.Real, spin int64) (*Raw, error) {
	p, err := rt.OpenPacket(name, wire.EtherType)
	if err != nil {
		return nil, err
	}
	return &Raw{clock, p, max(0, spin)}, nil
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

// Close gives the interface back.
func (r *Raw) Close() error {
	r.packet.Stop()
	return r.packet.Close()
}
