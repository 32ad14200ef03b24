package motion

import "github.com/softrobot-rcc/rccd/motion/profile"

// InJoints is a motion of axes. Its time goes from 0 to the duration; before that it rests at its beginning, and after that it
// goes on with the velocity of its end.
type InJoints interface {
	Duration() float64
	// At writes the states of the axes at a time, as far as there is room.
	At(t float64, into []profile.State)
}
