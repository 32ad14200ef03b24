package yielding

import (
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Request is something that nets ask for and that takes a while: the words that they give, and their outcome.
type Request struct {
	asked atomic.Uint64
	given *device.Latest // ticket first
	ended *device.Latest // ticket, whether it is done, fault

	ticket  uint64 // that the tick is at
	pending bool
	since   int64
}

const (
	endedTicket = iota
	endedDone
	endedFault
	endedWords
)

// Open makes room for requests of some words beside their ticket. The state at the start counts as done.
func (r *Request) Open(words int) {
	r.given, r.ended = device.NewLatest(words+1), device.NewLatest(endedWords)
	r.End(0)
}

// Ask hands over a request whose first word is left for the ticket (cycle).
func (r *Request) Ask(words []uint64) (ticket uint64) {
	ticket = r.asked.Add(1)
	if len(words) > 0 {
		words[0] = ticket
	}
	r.given.Put(words)
	return ticket
}

// Next reads a request that is new, and begins it (cycle).
func (r *Request) Next(words []uint64, now int64) bool {
	if len(words) == 0 || !r.given.Get(0, words) || words[0] == r.ticket {
		return false
	}
	r.ticket, r.pending, r.since = words[0], true, now
	return true
}

// End sets the outcome of the request (cycle).
func (r *Request) End(fault int32) {
	r.pending = false
	words := [endedWords]uint64{endedTicket: r.ticket, endedFault: uint64(uint32(fault))}
	if fault == 0 {
		words[endedDone] = 1
	}
	r.ended.Put(words[:])
}

// Done returns the outcome of the request with a ticket, or of a later one (cycle).
func (r *Request) Done(ticket uint64) (done bool, fault int32) {
	var words [endedWords]uint64
	if !r.ended.Get(0, words[:]) || words[endedTicket] < ticket {
		return false, 0
	}
	return words[endedDone] != 0, int32(uint32(words[endedFault]))
}

// Pending reports whether a request has begun and not ended (cycle).
func (r *Request) Pending() bool { return r.pending }

// Since returns when it has begun (cycle).
func (r *Request) Since() int64 { return r.since }
