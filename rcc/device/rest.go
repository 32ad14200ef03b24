package device

import "sync/atomic"

// Mover is a device that moves something. It is brought to rest before it is closed.
type Mover interface {
	Device
	// Halt asks for rest: everything brakes within its limits, and what nets command does not count any more. It does not wait,
	// and may be called several times (any).
	Halt()
	// AtRest reports whether nothing has moved since Halt was obeyed, or nothing is there to obey (any).
	AtRest() bool
}

// Rest is what a Mover with cycles of its own embeds: those who halt it ask, and its cycle answers. The zero value is that of a
// device that is not halted.
type Rest struct{ state atomic.Int32 }

const (
	halting int32 = iota + 1
	atRest
)

// Halt asks for rest (any).
func (r *Rest) Halt() { r.state.CompareAndSwap(0, halting) }

// AtRest reports whether a cycle has found everything at rest after Halt (any).
func (r *Rest) AtRest() bool { return r.state.Load() == atRest }

// Halting reports whether rest is asked for (cycle).
func (r *Rest) Halting() bool { return r.state.Load() != 0 }

// Note takes, after each cycle, whether everything is still (cycle).
func (r *Rest) Note(still bool) {
	switch state := r.state.Load(); {
	case state == 0:
	case still:
		r.state.Store(atRest)
	default:
		r.state.Store(halting)
	}
}
