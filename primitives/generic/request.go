package generic

import (
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// Request is what a primitive asks of a device that takes its time: it is wanted, at the end of a cycle the device is asked and
// gives a ticket, and in later cycles the device reports the outcome (§9.2).
type Request struct {
	ticket uint64
	asked  bool // the device has been, for what is wanted or, if that is fresh, for what was wanted before
	fresh  bool // the device has not been asked yet
	done   bool
	fault  int32
}

// Want begins again: something else is wanted than before (cycle).
func (r *Request) Want() { r.fresh, r.done, r.fault = true, false, 0 }

// Forget ends it: nothing is wanted (cycle).
func (r *Request) Forget() { *r = Request{} }

// Wanted reports whether something is (cycle).
func (r *Request) Wanted() bool { return r.asked || r.fresh }

// Due reports whether the device has not been asked yet for what is wanted (cycle).
func (r *Request) Due() bool { return r.fresh }

// Asked notes the ticket that the device has given (cycle).
func (r *Request) Asked(ticket uint64) { r.ticket, r.asked, r.fresh = ticket, true, false }

// Ticket returns what to ask the device about, if there is something (cycle).
func (r *Request) Ticket() (uint64, bool) { return r.ticket, r.asked && !r.fresh }

// Heard notes what the device tells (cycle).
func (r *Request) Heard(done bool, fault int32) { r.done, r.fault = done, fault }

// Done reports whether the request has been fulfilled (cycle).
func (r *Request) Done() bool { return r.done }

// Refuse notes with an actuator that the device does not do what it was asked for, if that is so (cycle).
func (r *Request) Refuse(a *Actuator, cy *spec.Cycle) {
	if !r.fresh {
		a.Refuse(cy, false, r.fault, device.PositionGood)
	}
}

// Fault returns what is wrong with it, 0 if nothing is (cycle).
func (r *Request) Fault() int32 { return r.fault }
