package cable

import (
	"encoding/binary"
	"fmt"
	"net/netip"

	"github.com/softrobot-rcc/rccd/ethercat/link"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/rt"
)

// UDP carries frames to an address, without their Ethernet header (ETG.1000.3 §4.4.2). It is for tests and for slaves that
// are programs: switches and system make its times what they like.
type UDP struct {
	clock  *rt.Real
	socket *rt.Socket
	to     rt.Address
	room   [wire.LongestFrame]byte
	got    rt.Datagram
}

// DialUDP opens a link to slaves at an address, from one of its own whose port may be 0.
func DialUDP(from, to netip.AddrPort, clock *rt.Real) (*UDP, error) {
	u := &UDP{clock: clock, to: rt.AddressOf(to)}
	socket, err := rt.Listen(from, u.room[:])
	if err != nil {
		return nil, fmt.Errorf("ethercat over UDP: %w", err)
	}
	u.socket = socket
	return u, nil
}

// Address returns where answers are received.
func (u *UDP) Address() netip.AddrPort { return u.socket.Address() }

// Now returns the time of the clock (cycle).
func (u *UDP) Now() int64 { return u.clock.Now() }

// Send sends what is behind the Ethernet header (cycle).
func (u *UDP) Send(frame []byte) bool {
	const begin = wire.EthernetHeader
	if len(frame) < begin+wire.FrameHeader || kindOf(frame) != wire.EtherType {
		return false
	}
	payload := frame[begin:]
	length := uint(wire.FrameHeader + binary.LittleEndian.Uint16(payload)&0x07ff)
	if length > uint(len(payload)) {
		return false
	}
	return u.socket.Send(payload[:length], &u.to)
}

// Receive waits for what slaves send back (cycle). Frames from others are dropped.
func (u *UDP) Receive(room []byte, until int64) (n int, ok bool) {
	for u.socket.ReceiveDetached(u.clock, until, &u.got) == rt.Received {
		if n, ok = u.take(room); ok {
			return n, true
		}
	}
	return 0, false
}

// Await is Receive for goroutines.
func (u *UDP) Await(room []byte, until int64) (n int, ok bool) {
	for u.socket.Receive(u.clock, until, &u.got) == rt.Received {
		if n, ok = u.take(room); ok {
			return n, true
		}
	}
	return 0, false
}

// take makes a frame of what has come, unless somebody else has sent it (cycle).
func (u *UDP) take(room []byte) (n int, ok bool) {
	if n := uint(u.got.Length); u.got.From == u.to && n <= uint(len(u.room)) {
		return withHeader(room, u.room[:n]), true
	}
	return 0, false
}

// withHeader writes a frame as it would have come over Ethernet.
func withHeader(room, payload []byte) int {
	const begin = wire.EthernetHeader
	if len(room) < begin {
		return 0
	}
	head := room[:begin]
	copy(head, wire.Everybody[:])
	copy(head[len(wire.Everybody):], link.NoSender[:])
	wire.SetProcessed(head)
	head[12], head[13] = wire.EtherType>>8, wire.EtherType&0xff
	return begin + copy(room[begin:], payload)
}

// Close gives the address back.
func (u *UDP) Close() error {
	u.socket.Stop()
	return u.socket.Close()
}

// kindOf is the EtherType of a frame without tags.
func kindOf(frame []byte) uint16 {
	if len(frame) < wire.EthernetHeader {
		return 0
	}
	return binary.BigEndian.Uint16(frame[wire.EthernetHeader-2:])
}
