package ethercat

import (
	"github.com/softrobot-rcc/rccd/ethercat/link"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// flight is a frame by the index of its datagrams. Answers are known by it, for 255 frames to come.
type flight struct {
	state flightState
	frame int8 // of the cycle, or acyclic
	sent  int64
	first int // orders of the batch that are in it
	count int
	batch uint32 // which batch that was
	begin head   // of one that is acyclic
}

// head is what the first datagram of a frame is.
type head struct {
	command wire.Command
	address wire.Address
	length  int
}

// heads reports whether a datagram is the one (cycle).
func (h *head) heads(d *wire.Datagram) bool {
	return h.command == d.Command && h.length == len(d.Data) && (d.Command.Counts() || h.address == d.Address)
}

type flightState uint8

const (
	unused  flightState = iota
	flying              // sent, and not back
	landed              // back
	overdue             // not waited for any more, and of use until the next frame of its kind is sent
	missing             // of no use any more
)

// acyclic is the frame of flights that have nothing of the cycle.
const acyclic = -1

// usualSender is where frames come from when the link does not say. It is none of an interface, since in those the bit that slaves set may
// be set already.
var usualSender = wire.MAC{1, 1, 1, 1, 1, 1}

// traffic is frames on their way. It belongs to the owner of the link (cycle).
type traffic struct {
	link     link.Link
	patient  link.Patient // the same, where goroutines have to wait in another way
	from     wire.MAC
	signed   bool // frames come back with that address
	count    *counters
	batch    batch
	number   uint32 // of the batch
	posted   bool   // has been seen
	flights  [256]flight
	index    uint8
	room     [wire.LongestFrame]byte
	own      *wire.Writer // for frames of orders
	cycle    *cycle
	record   *link.Recorder // nil when they are not recorded
	patience int64          // for answers to orders
}

// Times of waiting, in ns.
const (
	orderTime  = 20e6 // for the answer to an order, or some times that for the frames of a cycle
	flightTime = 1e9  // until an index may be used again although its frame did not come back
	mostDrain  = 64   // frames that are taken at once, even if more come
)

func newTraffic(l link.Link, c *counters) *traffic {
	t := &traffic{link: l, count: c, from: usualSender}
	if a, ok := l.(link.Addressed); ok {
		t.from = a.Sender()
	}
	t.own = wire.NewWriter(make([]byte, wire.LongestFrame), t.from)
	t.patient, _ = l.(link.Patient)
	return t
}

// take returns an index whose frame is not under way, for a frame of the cycle or an acyclic one (cycle).
func (t *traffic) take(now int64, frame int8) uint8 {
	for range len(t.flights) {
		t.index++
		if f := &t.flights[t.index]; f.state != flying && f.state != overdue || now-f.sent > flightTime {
			break
		}
	}
	t.flights[t.index] = flight{state: flying, frame: frame, sent: now, batch: t.number}
	return t.index
}

// ride puts orders into a frame of the cycle that has room (cycle).
func (t *traffic) ride(w *wire.Writer, index uint8, room int) {
	if t.waiting() {
		f := &t.flights[index]
		f.batch = t.number
		f.first, f.count = t.batch.load(w, index, room)
		t.batch.until = f.sent + t.patience
	}
}

// waiting reports whether there are orders to be sent (cycle).
func (t *traffic) waiting() bool {
	if t.batch.state.Load() != batchPosted {
		return false
	}
	if !t.posted {
		t.posted = true
		t.number++
		t.batch.begin()
	}
	return t.batch.waits()
}

// sendOrders sends them in frames of their own, behind those of the cycle (cycle).
func (t *traffic) sendOrders(now int64, frames int) {
	for ; frames > 0 && t.waiting(); frames-- {
		t.own.Clear()
		index := t.take(now, acyclic)
		f := &t.flights[index]
		f.batch = t.number
		f.first, f.count = t.batch.load(t.own, index, wire.LongestFrame)
		if f.count == 0 {
			t.batch.sent++ // one that fits into no frame: it ends as lost
			continue
		}
		if uint(f.first) < mostOrders {
			o := &t.batch.orders[f.first]
			f.begin = head{o.command, o.address, o.length}
		}
		t.batch.until = now + t.patience
		t.send(t.own.Frame())
	}
}

// finish ends a batch: from here on it belongs to the goroutine again (cycle).
func (t *traffic) finish(now int64) {
	if t.posted && t.batch.over(now) {
		t.posted = false
		t.batch.state.Store(batchEnded)
	}
}

func (t *traffic) send(frame []byte) {
	t.count.sent.Add(1)
	if t.record != nil {
		t.record.Keep(frame, t.link.Now())
	}
	if !t.link.Send(frame) {
		t.count.unsent.Add(1)
	}
}

// drain takes what has come in the meantime (cycle).
func (t *traffic) drain(now int64) {
	for range mostDrain {
		if !t.receive(now) {
			return
		}
	}
}

// receive waits for a frame and takes it (cycle).
func (t *traffic) receive(until int64) bool { return t.landing(t.link.Receive(t.room[:], until)) }

// await is receive in a goroutine.
func (t *traffic) await(until int64) bool {
	if t.patient == nil {
		return t.receive(until)
	}
	return t.landing(t.patient.Await(t.room[:], until))
}

// landing takes a frame that has been received (cycle).
func (t *traffic) landing(n int, ok bool) bool {
	if !ok || uint(n) > uint(len(t.room)) {
		return ok
	}
	frame := t.room[:n]
	if t.record != nil {
		t.record.Keep(frame, t.link.Now())
	}
	t.arrived(frame)
	return true
}

// arrived looks which frame has come back, and whether it is one that is waited for (cycle).
func (t *traffic) arrived(frame []byte) {
	from := wire.Sender(frame)
	ours := from == t.from
	r := wire.Open(frame)
	d, ok := r.Next()
	switch {
	case !ok && (r.Fault() == wire.Foreign || t.stranger(from)):
		t.count.foreign.Add(1)
		return
	case !ok:
		t.count.broken.Add(1)
		return
	}
	f := &t.flights[d.Index]
	fits := t.fits(frame, f, d.Index)
	switch {
	case t.stranger(from) && (t.signed || !f.waited() || !fits):
		t.count.foreign.Add(1)
		return
	case !wire.WasProcessed(frame) && untouched(frame):
		t.count.echoes.Add(1) // our own, or there are no slaves
		return
	}
	switch f.state {
	case flying, overdue:
		if fits {
			t.signed = t.signed || ours
			t.land(frame, f)
			return
		}
		t.count.broken.Add(1)
	case landed, missing:
		switch {
		case !fits:
			t.count.foreign.Add(1) // from an address that may be ours
		case f.state == landed:
			t.count.twice.Add(1)
		default:
			t.count.overdue.Add(1)
			f.state = landed
		}
	default:
		t.count.foreign.Add(1)
	}
}

// stranger reports whether an address is that of another master. Slaves keep the address of the sender; a program that plays one may not,
// which shows as long as no frame has come back with ours (cycle).
func (t *traffic) stranger(from wire.MAC) bool { return from != t.from && from != link.NoSender }

// waited reports whether a frame is of use when it comes (cycle).
func (f *flight) waited() bool { return f.state == flying || f.state == overdue }

// land takes a frame that is waited for (cycle).
func (t *traffic) land(frame []byte, f *flight) {
	if f.state == overdue {
		t.count.late.Add(1)
	} else {
		t.count.received.Add(1)
	}
	f.state = landed
	t.deliver(frame, f)
}

// untouched reports whether no slave has done anything to a frame.
func untouched(frame []byte) bool {
	r := wire.Open(frame)
	for d, ok := r.Next(); ok; d, ok = r.Next() {
		if d.Counter != 0 || d.Command.Counts() && d.Command != wire.BRD && d.Command != wire.BWR {
			return false
		}
		if d.Command == wire.BRD && d.Address.ADP() != 0 {
			return false
		}
	}
	return true
}

// fits reports whether a frame has the datagrams that were sent by its index, from the first to the last: otherwise it is of
// another round of indexes, or was changed on the way (cycle).
func (t *traffic) fits(frame []byte, f *flight, index uint8) bool {
	planned := t.cycle.datagrams(f.frame)
	n := 0
	r := wire.Open(frame)
	for d, ok := r.Next(); ok; d, ok = r.Next() {
		if d.Index != index {
			return false
		}
		if n < planned {
			if !t.cycle.fits(f.frame, n, &d) {
				return false
			}
		} else if n == 0 && !f.begin.heads(&d) {
			return false
		} else if o := f.first + n - planned; f.batch == t.number && o >= 0 && o < mostOrders {
			if w := &t.batch.orders[o]; w.command != d.Command || w.length != len(d.Data) || !w.command.Counts() && w.address != d.Address {
				return false
			}
		}
		n++
	}
	return r.Fault() == wire.Good && n == planned+f.count
}

// deliver hands datagrams to the cycle and to the batch (cycle).
func (t *traffic) deliver(frame []byte, f *flight) {
	planned := t.cycle.datagrams(f.frame)
	n := 0
	r := wire.Open(frame)
	for d, ok := r.Next(); ok; d, ok = r.Next() {
		if n < planned {
			t.cycle.take(f.frame, n, &d)
		} else if f.batch == t.number && t.posted {
			t.batch.take(f.first+n-planned, &d)
		}
		n++
	}
	if planned > 0 {
		t.cycle.landed(f)
	}
}

// serve carries a batch out while nothing is cyclic: the goroutine owns the link. It returns when the batch has ended.
func (t *traffic) serve() {
	const frames = 8
	for t.batch.state.Load() == batchPosted {
		now := t.link.Now()
		t.drain(now)
		if t.finish(now); t.batch.state.Load() != batchPosted {
			return // what was drained was the rest: nothing more comes
		}
		t.sendOrders(now, frames)
		if !t.await(t.batch.until) {
			now = max(t.link.Now(), t.batch.until)
		}
		t.finish(now)
	}
}
