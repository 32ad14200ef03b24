package sched

import "fmt"

// Ref names an admitted net: by its slot, and a count of the nets in that slot. The zero Ref names none.
type Ref struct {
	slot, generation uint32
}

// String returns the Ref for messages.
func (r Ref) String() string { return fmt.Sprintf("%d.%d", r.slot, r.generation) }

// State of a net as the scheduler sees it.
type State uint8

// The states. The scheduler does not know nets that are still being loaded.
const (
	Ready State = iota
	Running
	Cancelling
	Ended
	Barred // can never be started: it was to follow a net that did not come to its own end
	Retiring
)

// String returns the state for messages.
func (s State) String() string {
	switch s {
	case Ready:
		return "ready"
	case Running:
		return "running"
	case Cancelling:
		return "cancelling"
	case Ended:
		return "ended"
	case Barred:
		return "rejected"
	default:
		return "retiring"
	}
}
