package profile

import "math"

// State is the position of an axis and its derivatives.
type State struct{ Pos, Vel, Acc float64 }

// after returns the state after a time with constant jerk.
func (s State) after(t, jerk float64) State {
	return State{
		s.Pos + t*(s.Vel+t*(s.Acc/2+t*jerk*sixth)),
		s.Vel + t*(s.Acc+t*jerk/2),
		s.Acc + t*jerk,
	}
}

// A division takes as long as four products.
const third, sixth = 1.0 / 3, 1.0 / 6

func (s State) valid() bool {
	return math.Abs(s.Pos) <= huge && math.Abs(s.Vel) <= huge && math.Abs(s.Acc) <= huge
}

// mirror returns the state as seen in a mirror, where up is down.
func (s State) mirror() State { return State{-s.Pos, -s.Vel, -s.Acc} }

// Limits are those of an axis: of the absolute values of its velocity, acceleration and jerk. An infinite jerk makes
// trapezoids; accelerations of start and end have no meaning then.
type Limits struct{ Vel, Acc, Jerk float64 }

// Larger values are useless for an axis, and powers of them overflow.
const (
	tiny = 1e-9
	huge = 1e12
)

func (l Limits) valid() bool {
	return inRange(l.Vel) && inRange(l.Acc) && (inRange(l.Jerk) || l.steep())
}

func inRange(v float64) bool { return v >= tiny && v <= huge }

// steep reports whether acceleration may jump.
func (l Limits) steep() bool { return l.Jerk > math.MaxFloat64 }

// Keeps reports whether a state is within the limits, and no limit is passed inevitably before the state or after it: an
// acceleration leads to a change of velocity until it has ended, and must have had a beginning.
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

// Result says whether there is a course, and why not.
type Result uint8

// Results.
const (
	Solved      Result = iota
	BadLimits          // a limit is not between 1e-9 and 1e12
	BadState           // a number of start or end is not between -1e12 and 1e12
	BeyondLimit        // the end is beyond a limit, inevitably leads beyond one, or moves as fast as the axis or faster
	NoCourse           // the numbers are too large or too far apart to be calculated with, or the given time is too short
)

var results = [...]string{
	Solved:      "solved",
	BadLimits:   "a limit is not between 1e-9 and 1e12",
	BadState:    "a state is not between -1e12 and 1e12",
	BeyondLimit: "the goal is beyond the limits",
	NoCourse:    "there is no course",
}

func (r Result) String() string { return results[min(int(r), len(results)-1)] }

func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }
