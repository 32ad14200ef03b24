package cable

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/softrobot-rcc/rccd/ethercat/link"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// The format of pcap, with nanoseconds or microseconds.
const (
	magicNano    = 0xa1b23c4d
	magicMicro   = 0xa1b2c3d4
	pcapHead     = 24
	packetHead   = 16
	kindEthernet = 1
	second       = 1_000_000_000
)

// ErrPcap is returned for what is not a recording of Ethernet.
var ErrPcap = errors.New("not a recording of pcap")

// ReadPcap reads a recording, also one of another machine or with microseconds.
func ReadPcap(r io.Reader) (packets []link.Packet, err error) {
	head := make([]byte, pcapHead)
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPcap, err)
	}
	order, unit, ok := pcapOrder(head)
	if !ok || order.Uint32(head[20:])&0xffff != kindEthernet {
		return nil, ErrPcap
	}
	for {
		b := make([]byte, packetHead)
		if _, err := io.ReadFull(r, b); err != nil {
			if errors.Is(err, io.EOF) {
				return packets, nil
			}
			return packets, fmt.Errorf("packet %d: %w", len(packets)+1, err)
		}
		n := order.Uint32(b[8:])
		if n > 1<<16 {
			return packets, fmt.Errorf("packet %d: %w: %d bytes", len(packets)+1, ErrPcap, n)
		}
		frame := make([]byte, n)
		if _, err := io.ReadFull(r, frame); err != nil {
			return packets, fmt.Errorf("packet %d: %w", len(packets)+1, err)
		}
		packets = append(packets, link.Packet{Time: int64(order.Uint32(b))*second + int64(order.Uint32(b[4:]))*unit, Frame: frame})
	}
}

func pcapOrder(head []byte) (order binary.ByteOrder, unit int64, ok bool) {
	for _, o := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		switch o.Uint32(head) {
		case magicNano:
			return o, 1, true
		case magicMicro:
			return o, 1000, true
		}
	}
	return nil, 0, false
}

// answered reports whether a frame has come back from slaves: the first has set a bit, or some working counter has moved.
func answered(frame []byte) bool {
	if kindOf(frame) == wire.EtherType && frame[6] == ownAddress|wire.Processed {
		return true
	}
	r := wire.Open(frame)
	for d, ok := r.Next(); ok; d, ok = r.Next() {
		if d.Counter != 0 {
			return true
		}
	}
	return false
}

// ownAddress is the first byte of addresses that masters send from. In those of many interfaces the bit that slaves set is set
// before.
const ownAddress = 0x01
