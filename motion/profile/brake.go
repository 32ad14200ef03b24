package profile

import "math"

// lead is what comes first when a start is not viable: when its acceleration is beyond the limit, or its velocity is, or will
// inevitably be until the acceleration has ended. It is the shortest way to where courses within the limits begin.
type lead struct {
	legs [3]leg
	time float64
}

// leave writes the lead from a state and returns the state in which it ends. Velocities are to be between low and high.
//
// A velocity above the limit is fine while it falls in a way that ends at the limit with acceleration 0: that is where the
// longest course goes on from (far.go), and the state in which the lead ends.
func (p *lead) leave(s State, low, high float64, l Limits) State {
	*p = lead{}
	if l.steep() {
		s.Acc = 0
		return p.slow(s, low, high, l)
	}
	s = p.leg(0, s, (math.Abs(s.Acc)-l.Acc)/l.Jerk, -math.Copysign(l.Jerk, s.Acc))
	switch {
	case beyond(s, high, l):
		return p.fall(s, high, l, 1)
	case beyond(s.mirror(), -low, l):
		return p.fall(s.mirror(), -low, l, -1).mirror()
	}
	return s
}

// slow brings a velocity within its limits, without limit of jerk.
func (p *lead) slow(s State, low, high float64, l Limits) State {
	excess := max(0, s.Vel-high) + min(0, s.Vel-low)
	s.Acc = -math.Copysign(l.Acc, excess)
	s = p.leg(0, s, math.Abs(excess)/l.Acc, 0)
	s.Acc = 0
	return s
}

// beyond reports whether a velocity is above a limit and not on its way down to it, or will pass it.
func beyond(s State, high float64, l Limits) bool {
	return s.Vel+s.Acc*math.Abs(s.Acc)/(2*l.Jerk) > high
}

// fall lowers acceleration until the velocity is on its way down to the limit. On a course with constant jerk j, vel - acc²/2j
// does not change, so that velocity and acceleration at its end follow from each other.
func (p *lead) fall(s State, high float64, l Limits, sign float64) State {
	excess := s.Vel + s.Acc*s.Acc/(2*l.Jerk) - high
	lowest := max(-math.Sqrt(l.Jerk*max(0, excess)), -l.Acc)
	s = p.signed(1, s, (s.Acc-lowest)/l.Jerk, -l.Jerk, sign)
	return p.signed(2, s, (s.Vel-high-lowest*lowest/(2*l.Jerk))/l.Acc, 0, sign)
}

func (p *lead) leg(i int, s State, t, jerk float64) State { return p.signed(i, s, t, jerk, 1) }

// signed adds a leg, as it is or as seen in a mirror.
func (p *lead) signed(i int, s State, t, jerk, sign float64) State {
	if !(t > 0) {
		return s
	}
	p.legs[min(uint(i), uint(len(p.legs)-1))] = leg{t, sign * s.Acc, sign * jerk}
	p.time += t
	return s.after(t, jerk)
}
