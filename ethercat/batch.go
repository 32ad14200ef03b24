package ethercat

import (
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// batch is datagrams that are not cyclic, on their way from a goroutine to the owner of the link and back. There is one at a
// time. The goroutine fills and posts it, the owner of the link sends what fits, marks what has come back, and ends it.
type batch struct {
	state  atomic.Uint32
	count  int
	orders [mostOrders]order

	// cycle only
	sent, left int
	until      int64 // when what is under way is given up
}

const (
	batchEmpty uint32 = iota
	batchPosted
	batchEnded
)

// mostOrders is how many datagrams go into a batch. Of small ones they fill four frames, which travel at the same time.
const mostOrders = 256

// order is one datagram and its result.
type order struct {
	command wire.Command
	address wire.Address
	length  int
	data    [wire.MostData]byte
	counter uint16
	got     bool
}

// begin is called when a batch is seen for the first time (cycle).
func (b *batch) begin() {
	b.sent, b.left = 0, b.count
	for i := range b.orders[:min(uint(b.count), mostOrders)] {
		b.orders[i].got = false
	}
}

// waits reports whether there is something that has not been sent (cycle).
func (b *batch) waits() bool { return b.state.Load() == batchPosted && b.sent < b.count }

// load puts orders into a frame while they fit into room bytes, and returns which (cycle).
func (b *batch) load(w *wire.Writer, index uint8, room int) (first, count int) {
	first = b.sent
	for b.sent >= 0 && b.sent < b.count && b.sent < mostOrders {
		o := &b.orders[b.sent]
		length := uint(o.length)
		if length > wire.MostData || int(length)+wire.Overhead > room {
			break
		}
		if _, ok := w.Write(o.command, index, o.address, o.data[:length]); !ok {
			break
		}
		room -= int(length) + wire.Overhead
		b.sent++
	}
	return first, b.sent - first
}

// take keeps the answer to an order (cycle).
func (b *batch) take(n int, d *wire.Datagram) {
	if n < 0 || n >= mostOrders {
		return
	}
	o := &b.orders[n]
	if o.got || d.Command != o.command || len(d.Data) != o.length {
		return
	}
	copy(o.data[:], d.Data)
	o.counter, o.got = d.Counter, true
	b.left--
}

// over reports whether all has come back, or it has taken too long (cycle).
func (b *batch) over(now int64) bool { return b.sent == b.count && (b.left == 0 || now >= b.until) }
