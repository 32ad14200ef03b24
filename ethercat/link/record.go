package link

import (
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// Recorder is a Link that keeps what passes another one. The ring is filled by the thread of the cycle, which never waits: what
// nobody has taken when the ring is full is counted and not kept.
type Recorder struct {
	Link
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

// NewRecorder makes one for so many frames (load).
func NewRecorder(l Link, frames int) *Recorder {
	return &Recorder{Link: l, ring: make([]record, max(1, frames))}
}

// Send records and sends (cycle).
func (r *Recorder) Send(frame []byte) bool {
	r.keep(frame)
	return r.Link.Send(frame)
}

// Receive receives and records (cycle).
func (r *Recorder) Receive(room []byte, until int64) (n int, ok bool) {
	n, ok = r.Link.Receive(room, until)
	if ok && n >= 0 && n <= len(room) {
		r.keep(room[:n])
	}
	return n, ok
}

func (r *Recorder) keep(frame []byte) {
	head, size := r.head.Load(), uint64(len(r.ring))
	if size == 0 || head-r.tail.Load() >= size {
		r.missed.Add(1)
		return
	}
	p := &r.ring[head%size]
	p.time, p.length = r.Now(), copy(p.frame[:], frame)
	r.head.Store(head + 1)
}

// Missed is how many frames found no room (any).
func (r *Recorder) Missed() uint64 { return r.missed.Load() }

// Take empties the ring. One goroutine at a time takes.
func (r *Recorder) Take() (packets []Packet) {
	head, size := r.head.Load(), uint64(len(r.ring))
	for at := r.tail.Load(); at < head; at++ {
		p := &r.ring[at%size]
		packets = append(packets, Packet{p.time, append([]byte{}, p.frame[:p.length]...)})
		r.tail.Store(at + 1)
	}
	return packets
}
