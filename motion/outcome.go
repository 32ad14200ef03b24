package motion

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/motion/profile"
)

// Outcome says whether there is a motion of several axes, and on which axis that depends: the one that cannot do what is
// wanted, or the slowest one: that takes longest, or on a straight line, that has the least velocity for its part of it.
type Outcome struct {
	Result profile.Result
	Axis   int
	Sync   Sync // how the axes are synchronised
}

// Solved reports whether a motion was found.
func (o Outcome) Solved() bool { return o.Result == profile.Solved }

// String is not for the cycle.
func (o Outcome) String() string {
	if o.Solved() {
		return fmt.Sprintf("%v, axis %d is the slowest", o.Sync, o.Axis+1)
	}
	return fmt.Sprintf("axis %d: %v", o.Axis+1, o.Result)
}

func (s Sync) String() string {
	switch s {
	case Asynchronous:
		return "asynchronous"
	case Synchronous:
		return "synchronous"
	case FullySynchronous:
		return "fully synchronous"
	}
	return "unknown synchronisation"
}
