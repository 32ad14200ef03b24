package testdevice

import (
	"math"
	"sync/atomic"
)

// Record is a command that an actuator has received.
type Record struct {
	Channel int
	Time    int64  // logical time of the cycle, ns
	Cycle   uint64 // cycle of the net, from 1
	Value   float64
	Null    bool // the cycle had no value: nothing was commanded
}

// log keeps the latest records. Cycles of several threads write; readers retry and never hold a writer up.
type log struct {
	entries []entry
	count   atomic.Uint64 // records begun since the device was opened
}

// entry is one record in atomic words. Its turn is twice the number of the record when it is complete, and one less
// while it is written.
type entry struct {
	turn, channel, time, cycle, value, null atomic.Uint64
}

// add writes a record (cycle).
func (l *log) add(r *Record) {
	n := l.count.Add(1)
	entries := l.entries
	size := uint64(len(entries))
	if size == 0 {
		return
	}
	if i := n % size; i < uint64(len(entries)) {
		entries[i].write(n, r)
	}
}

// write drops the record when another thread is still at the entry, a whole ring later or earlier.
func (e *entry) write(n uint64, r *Record) {
	turn := e.turn.Load()
	if turn%2 != 0 || turn > 2*n || !e.turn.CompareAndSwap(turn, 2*n-1) {
		return
	}
	e.channel.Store(uint64(r.Channel))
	e.time.Store(uint64(r.Time))
	e.cycle.Store(r.Cycle)
	e.value.Store(math.Float64bits(r.Value))
	e.null.Store(0)
	if r.Null {
		e.null.Store(1)
	}
	e.turn.Store(2 * n)
}

// read returns record n, unless it is not complete or has been overwritten.
func (e *entry) read(n uint64) (Record, bool) {
	if e.turn.Load() != 2*n {
		return Record{}, false
	}
	r := Record{
		Channel: int(e.channel.Load()), Time: int64(e.time.Load()), Cycle: e.cycle.Load(),
		Value: math.Float64frombits(e.value.Load()), Null: e.null.Load() != 0,
	}
	return r, e.turn.Load() == 2*n
}

// Recorded returns the number of records since the device was opened, those included that are no longer kept (any).
func (d *Device) Recorded() uint64 { return d.log.count.Load() }

// Records returns the records from number first on (0 is the first one) that are still kept, oldest first, of all
// channels. A value that is being written at this moment is left out (any).
func (d *Device) Records(first uint64) []Record {
	end, kept := d.log.count.Load(), uint64(len(d.log.entries))
	if end > kept {
		first = max(first, end-kept)
	}
	var list []Record
	for n := first + 1; n <= end; n++ {
		if r, ok := d.log.entries[n%kept].read(n); ok {
			list = append(list, r)
		}
	}
	return list
}

// Commands returns the records of one channel that carry a value (any).
func (d *Device) Commands(channel int) []Record {
	var list []Record
	for _, r := range d.Records(0) {
		if r.Channel == channel && !r.Null {
			list = append(list, r)
		}
	}
	return list
}
