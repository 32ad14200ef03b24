package plant

import "math"

// transition is how a system of second order forgets where it was, in one step: the exponential of its matrix.
type transition struct {
	pp, pv, vp, vv float64 // position by position, position by velocity, …
	lag            float64 // s, by which the system stays behind a command that moves steadily
	square         float64 // of the natural frequency
	twice          float64 // damping times twice the natural frequency
}

// transitionOf computes it for a natural frequency in rad/s, a damping, and a step in s. Which form it has depends on the
// roots of s² + 2ζωs + ω²: complex, equal or real.
func transitionOf(omega, damping, step float64) transition {
	decay := damping * omega
	t := transition{lag: 2 * damping / omega, square: omega * omega, twice: 2 * decay}
	// cosine and sine of the damped oscillation, or what stands for them, the sine divided by its frequency
	var c, s float64
	switch inside := 1 - damping*damping; {
	case inside > 1e-12:
		w := omega * math.Sqrt(inside)
		fall := math.Exp(-decay * step)
		c, s = fall*math.Cos(w*step), fall*math.Sin(w*step)/w
	case inside < -1e-12:
		w := omega * math.Sqrt(-inside)
		slow, fast := math.Exp((w-decay)*step), math.Exp((-w-decay)*step)
		c, s = (slow+fast)/2, (slow-fast)/(2*w)
	default:
		fall := math.Exp(-decay * step)
		c, s = fall, fall*step
	}
	t.pp, t.pv = c+decay*s, s
	t.vp, t.vv = -t.square*s, c-decay*s
	return t
}

// move brings a joint one step further while its command goes from one value to another one at a steady rate. Behind such a
// command the system can move at a constant distance; what differs from that fades away.
func (t *transition) move(pos, vel, from, to, rate float64) (newPos, newVel, newAcc float64) {
	behind := t.lag * rate
	dp, dv := pos-(from-behind), vel-rate
	newPos = to - behind + t.pp*dp + t.pv*dv
	newVel = rate + t.vp*dp + t.vv*dv
	return newPos, newVel, t.square*(to-newPos) - t.twice*newVel
}
