package profile

import "math"

// State is where an axis is and how it moves.
type State struct{ Pos, Vel, Acc float64 }

// after returns the state after a time with constant jerk.
func (s State) after(t, jerk float64) State {
	return State{
		s.Pos + t*(s.Vel+t*(s.Acc/2+t*jerk/6)),
		s.Vel + t*(s.Acc+t*jerk/2),
		s.Acc + t*jerk,
	}
}

func (s State) finite() bool { return finite(s.Pos) && finite(s.Vel) && finite(s.Acc) }

// mirror returns the state as seen in a mirror, where up is down.
func (s State) mirror() State { return State{-s.Pos, -s.Vel, -s.Acc} }

// Limits are those of an axis: of the absolute values of its velocity, acceleration and jerk, all greater than 0. An
// infinite jerk makes trapezoids; accelerations of start and end have no meaning then.
type Limits struct{ Vel, Acc, Jerk float64 }

func (l Limits) valid() bool {
	return l.Vel > 0 && l.Acc > 0 && l.Jerk > 0 && finite(l.Vel) && finite(l.Acc) && !math.IsNaN(l.Jerk)
}

// steep tells that acceleration may jump.
func (l Limits) steep() bool { return l.Jerk > math.MaxFloat64 }

// Keeps tells that a state is within the limits, and that no limit is passed inevitably before the state or after it: an
// acceleration leads to a change of velocity until it has come to an end, and must have had a beginning.
func (l Limits) Keeps(s State) bool {
	if l.steep() {
		return math.Abs(s.Vel) <= l.Vel
	}
	return math.Abs(s.Acc) <= l.Acc && math.Abs(s.Vel)+s.Acc*s.Acc/(2*l.Jerk) <= l.Vel
}

// Goal is the state in which a course ends. A goal with a drift moves: what it says is where it is at the beginning, and
// its velocity is that of the drift all the time.
type Goal struct {
	State
	Moving bool // with its velocity, from the beginning on; it has no acceleration then
}

// Result tells whether there is a course.
type Result uint8

// Results.
const (
	Solved      Result = iota
	BadLimits          // a limit is not greater than 0, or not a number
	BadState           // a number of start or end is infinite or not a number
	BeyondLimit        // the end is beyond a limit, inevitably leads beyond one, or moves as fast as the axis or faster
	NoCourse           // the numbers are too large or too far apart to be calculated with, or the given time is too short
)

var results = [...]string{
	Solved:      "solved",
	BadLimits:   "a limit is not greater than 0",
	BadState:    "a state is not finite",
	BeyondLimit: "the goal is beyond the limits",
	NoCourse:    "there is no course",
}

func (r Result) String() string { return results[min(int(r), len(results)-1)] }

func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }
