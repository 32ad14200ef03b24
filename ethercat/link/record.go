package link

import (
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// Recorder keeps frames that have passed. The thread of the cycle fills its ring and never waits: what was not taken when the
// ring is full is counted and not kept.
type Recorder struct {
	ring   []record
	head   atomic.Uint64 // how many have been written
	tail   atomic.Uint64 // how many have been taken
	missed atomic.Uint64
}

type record struct {
	time   int64
	length int
	frame  [wire.LongestFrame]byte
}

// NewRecorder makes one for at least a number of frames (load).
func NewRecorder(frames int) *Recorder {
	size := 1 // a power of two, so that nothing has to be divided in the cycle
	for size < frames {
		size *= 2
	}
	return &Recorder{ring: make([]record, size)}
}

// Keep keeps a frame that has passed at an instant (cycle).
func (r *Recorder) Keep(frame []byte, now int64) {
	head, size := r.head.Load(), uint64(len(r.ring))
	if head-r.tail.Load() >= size {
		r.missed.Add(1)
		return
	}
	if i := head & (size - 1); i < uint64(len(r.ring)) {
		p := &r.ring[i]
		p.time, p.length = now, copy(p.frame[:], frame)
	}
	r.head.Store(head + 1)
}

// Missed returns how many frames found no room (any).
func (r *Recorder) Missed() uint64 { return r.missed.Load() }

// Take empties the ring. One goroutine at a time takes.
func (r *Recorder) Take() (packets []Packet) {
	head, size := r.head.Load(), uint64(len(r.ring))
	for at := r.tail.Load(); at < head; at++ {
		p := &r.ring[at&(size-1)]
		packets = append(packets, Packet{p.time, append([]byte{}, p.frame[:p.length]...)})
		r.tail.Store(at + 1)
	}
	return packets
}
