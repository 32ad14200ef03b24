package profile

import "math"

// rest are the courses from rest to rest. Of them the shortest way is the mirror image of the longest one, and both change at
// the same times, so that a mixture is the longest course with less jerk. All is in closed form (Biagiotti and Melchiorri,
// section 3.4):
//
//	jerk up for ramp, hold, down for ramp, cruise, down for ramp, hold, up for ramp
type rest struct {
	way, vel, acc, jerk float64 // of the way only the amount
	steepest            float64 // ramp up to the limit of acceleration
	top                 shape   // up to the limit of velocity, without a cruise
	best                shape   // of the fastest course
}

// shape is how long the parts of a course take.
type shape struct{ ramp, hold, cruise float64 }

// duration returns the duration of the course.
func (s *shape) duration() float64 { return 4*s.ramp + 2*s.hold + s.cruise }

// gain returns how far the course leads for each unit of jerk.
func (s *shape) gain() float64 {
	up := s.ramp + s.hold
	return s.ramp * up * (s.ramp + up + s.cruise)
}

// set prepares the courses and returns how long the fastest one takes: none for a way that is only what rounding makes of 0.
func (r *rest) set(way, rounding float64, l Limits) float64 {
	r.way, r.vel, r.acc, r.jerk = math.Abs(way), l.Vel, l.Acc, l.Jerk
	r.steepest = l.Acc / l.Jerk
	if l.Vel <= l.Acc*r.steepest {
		r.top = shape{ramp: math.Sqrt(l.Vel / l.Jerk)}
	} else {
		r.top = shape{ramp: r.steepest, hold: l.Vel/l.Acc - r.steepest}
	}
	r.best = shape{}
	if r.way > rounding {
		r.best = r.fastest()
	}
	return r.best.duration()
}

func (r *rest) fastest() shape {
	s := r.top
	if s.cruise = r.way/r.vel - 2*s.ramp - s.hold; s.cruise >= 0 {
		return s
	}
	a := r.steepest
	if r.way <= 2*r.acc*a*a {
		return shape{ramp: math.Cbrt(r.way / (2 * r.jerk))}
	}
	return shape{ramp: a, hold: max(0, (math.Sqrt(a*a+4*r.way/r.acc)-3*a)/2)}
}

// in returns the shape of the course that takes a time.
func (r *rest) in(t float64) shape {
	if t == r.best.duration() {
		return r.best
	}
	s := r.top
	if s.cruise = t - 4*s.ramp - 2*s.hold; s.cruise >= 0 {
		return s
	}
	if hold := t/2 - 2*r.steepest; hold > 0 {
		return shape{ramp: r.steepest, hold: hold}
	}
	return shape{ramp: t / 4}
}

// write writes the course that takes a time. It is computed from both ends, so that it meets them.
func (r *rest) write(t, from, to float64, p *Profile) {
	s := r.in(t)
	jerk := 0.0
	if gain := s.gain(); gain > 0 {
		jerk = math.Copysign(min(r.jerk, r.way/gain), to-from)
	}
	acc := jerk * s.ramp
	vel1 := acc * s.ramp / 2
	way1 := vel1 * s.ramp / 3
	vel2 := vel1 + acc*s.hold
	way2 := way1 + s.hold*(vel1+vel2)/2
	vel3 := vel1 + vel2
	way3 := way2 + s.ramp*(vel2+acc*s.ramp/3)
	p.begin(State{Pos: from})
	p.put(s.ramp, from, 0, 0, jerk)
	p.put(s.hold, from+way1, vel1, acc, 0)
	p.put(s.ramp, from+way2, vel2, acc, -jerk)
	p.put(s.cruise, from+way3, vel3, 0, 0)
	p.put(s.ramp, to-way3, vel3, 0, -jerk)
	p.put(s.hold, to-way2, vel2, -acc, 0)
	p.put(s.ramp, to-way1, vel1, -acc, jerk)
}
