package link

import (
	"encoding/binary"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// Fault is what happens to a frame and its answer. The zero value is nothing.
type Fault struct {
	Unheard bool  // it does not reach the slaves
	Lost    bool  // the answer does not come back
	Delay   int64 // the answer comes later, ns
	Twice   bool  // the answer comes twice
	Stale   bool  // the answer to the frame before it comes instead
	Cut     int   // of the answer there are only so many bytes; 0 leaves all
	Index   uint8 // is exclusive-ored to the index of the first datagram
	Counter int   // is added to the working counters of all datagrams
}

// spoil does to an answer what is to be done to its contents, and returns how long it is then.
func (f *Fault) spoil(frame []byte) int {
	if f.Counter != 0 {
		r := wire.Open(frame)
		for d, ok := r.Next(); ok; d, ok = r.Next() {
			d.Counter = uint16(int(d.Counter) + f.Counter)
			d.Update(frame)
		}
	}
	const index = wire.EthernetHeader + wire.FrameHeader + 1
	if len(frame) > index {
		frame[index] ^= f.Index
	}
	if f.Cut > 0 {
		return min(f.Cut, len(frame))
	}
	return len(frame)
}

// kindOf returns the EtherType of a frame without tags.
func kindOf(frame []byte) uint16 {
	if len(frame) < wire.EthernetHeader {
		return 0
	}
	return binary.BigEndian.Uint16(frame[wire.EthernetHeader-2:])
}
