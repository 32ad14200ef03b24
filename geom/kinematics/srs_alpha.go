package kinematics

import "math"

// vertical is the sine of the angle between the first axis and the line from shoulder to wrist up to which the plane through
// both is not defined.
const vertical = 1e-9

// Alpha returns the angle of the elbow for values of the joints, of all angles that mean the same the one nearest to near: from
// one cycle to the next it is continuous if near is the one before. With too few values it is not a number.
func (s *SRS) Alpha(joints []float64, near float64) float64 {
	q, ok := valuesOf(joints)
	if !ok {
		return math.NaN()
	}
	plane := s.plane(&q)
	return towards(near, plane.alpha())
}

// plane is how the plane of shoulder, elbow and wrist lies: z is the direction from shoulder to wrist, and -x that of the
// elbow.
type plane struct {
	versor
	turns
}

func (s *SRS) plane(q *values) plane {
	bend := angleOf(s.middle.angle(q.middle))
	tip := arc(s.lower*bend.sin, s.upper+s.lower*bend.cos)
	a := versor{w: 1}
	a = a.aboutZ(angleOf(s.first[0].angle(q.first[0]) / 2))
	a = a.aboutY(angleOf(s.first[1].angle(q.first[1]) / 2))
	a = a.aboutZ(angleOf(s.first[2].angle(q.first[2]) / 2))
	a = a.aboutY(angleOf(tip / 2))
	if bend.sin < 0 {
		a = a.halfTurn()
	}
	return plane{a, a.turns()}
}

// slope returns the sine of the angle between the first axis and the line from shoulder to wrist.
func (p *plane) slope() float64 { return 2 * p.up * p.across }

func (p *plane) alpha() float64 {
	switch {
	case p.slope() > vertical:
		return p.last()
	case p.across < p.up:
		return 2 * p.sum
	}
	return -2 * p.difference
}

// AlphaVelocity returns the velocity of alpha for values and velocities of the joints. With the wrist on the first axis it
// is that of the elbow about this axis. With too few values it is not a number.
func (s *SRS) AlphaVelocity(joints, velocities []float64) float64 {
	q, ok := valuesOf(joints)
	v, also := valuesOf(velocities)
	if !ok || !also {
		return math.NaN()
	}
	a2, a3, a4 := angleOf(s.first[1].angle(q.first[1])), angleOf(s.first[2].angle(q.first[2])), angleOf(s.middle.angle(q.middle))
	s2, c2, s3, c3, s4, c4 := a2.sin, a2.cos, a3.sin, a3.cos, a4.sin, a4.cos
	w1, w2, w3, w4 := s.first[0].turn*v.first[0], s.first[1].turn*v.first[1], s.first[2].turn*v.first[2], s.middle.turn*v.middle

	// The wrist is at (x, 0, z) as seen from the upper arm, at an angle that changes by w.
	x, z := s.lower*s4, s.upper+s.lower*c4
	r := math.Sqrt(x*x + z*z)
	x, z = x/r, z/r
	w := w4 * s.lower * (s.lower + s.upper*c4) / (r * r)

	// The first axis, seen from there, is (across, over, ...), of which the elbow takes its angle.
	across, over := s2*s3, s2*c3*z+c2*x
	slope := across*across + over*over
	if !(slope > vertical*vertical) {
		return w1*(c2*z-s2*c3*x) + w2*s3*x + w3*z
	}
	dAcross := c2*s3*w2 + s2*c3*w3
	dOver := (c2*c3*z-s2*x)*w2 - s2*s3*z*w3 + (c2*z-s2*c3*x)*w
	return (over*dAcross - across*dOver) / slope
}

// values are values of seven joints.
type values struct {
	first  [3]float64
	middle float64
	last   [3]float64
}

// mostValue is the largest value of a joint: above it values have less than seven decimals.
const mostValue = 1e9

// valuesOf takes the first seven values. It reports whether there are as many, all of them of a sensible size.
func valuesOf(q []float64) (v values, ok bool) {
	if len(q) < 7 {
		return v, false
	}
	most := 0.0
	for _, x := range q[:7] {
		most = max(most, math.Abs(x)) // NaN if one is
	}
	return values{[3]float64{q[0], q[1], q[2]}, q[3], [3]float64{q[4], q[5], q[6]}}, most <= mostValue
}

func (v *values) write(into []float64) {
	if len(into) < 7 {
		return
	}
	into[0], into[1], into[2] = v.first[0], v.first[1], v.first[2]
	into[3] = v.middle
	into[4], into[5], into[6] = v.last[0], v.last[1], v.last[2]
}

// towards returns the angle that means the same as angle and is nearest to near.
func towards(near, angle float64) float64 {
	const turn = 2 * math.Pi
	return angle + turn*math.Round((near-angle)/turn)
}
