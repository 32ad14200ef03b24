package motion

import "github.com/softrobot-rcc/rccd/motion/profile"

// Blend is a motion of axes that goes over from one motion into another one before the first has ended, without stopping:
// it leaves the first one in the state that it has there, and meets the second one in flight. Between them is the fastest
// synchronous motion from the one state to the other. So limits are kept in full and by construction, whatever kinds of
// motions these are, and neither of them has to be planned with less than its limits to leave room for the other.
//
// Velocity is continuous, and acceleration where there are limits of jerk. Where the blend leaves the first motion and
// enters the second is up to the user: a share of the time, or a place (Arriving and Departed). Any moment is good for
// leaving.
//
// Motions in space become such of axes by an arm (ByArm). Where a simple way in space matters more, there is Overlap.
type Blend struct {
	first, second InJoints
	bridge        *Joints
	leave, enter  float64 // times of the motions
	from          []profile.State
	state         []profile.State
	to            []profile.Goal
}

// NewBlend makes a blend of two motions of as many axes as given. Until it is planned it is the second motion.
func NewBlend(first, second InJoints, axes int) *Blend {
	b := &Blend{first: first, second: second, bridge: NewJoints(axes)}
	n := b.bridge.Axes()
	b.from, b.state, b.to = make([]profile.State, n), make([]profile.State, n), make([]profile.Goal, n)
	return b
}

// Plan leaves the first motion and enters the second one at times of theirs. A state of the second one that is not within
// the limits cannot be met; its start at rest always can. It is fit for the cycle if both motions are.
func (b *Blend) Plan(leave, enter float64, limits []profile.Limits) Outcome {
	b.first.At(leave, b.from)
	b.second.At(enter, b.state)
	states, goals := b.state, b.to
	for i := range goals {
		if i < len(states) {
			goals[i] = profile.Goal{State: states[i]}
		}
	}
	out := b.bridge.Plan(Synchronous, b.from, b.to, limits)
	if out.Solved() {
		b.leave, b.enter = leave, enter
	}
	return out
}

// Between returns the times at which the first motion has been left, and at which the second one has been entered.
func (b *Blend) Between() (left, entered float64) { return b.leave, b.leave + b.bridge.Duration() }

// Duration is the time at which the second motion ends.
func (b *Blend) Duration() float64 {
	_, entered := b.Between()
	return entered + b.second.Duration() - b.enter
}

// At writes the states of the axes at a time.
func (b *Blend) At(t float64, into []profile.State) {
	switch left, entered := b.Between(); {
	case t < left:
		b.first.At(t, into)
	case t < entered:
		b.bridge.At(t-left, into)
	default:
		b.second.At(t-entered+b.enter, into)
	}
}
