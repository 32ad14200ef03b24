package kinematics

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// circle is what the pose of the tip leaves open: the elbow may be anywhere on a circle. The rotations of the upper arm
// against the base and of the wrist against the lower arm are pencils about the line from shoulder to wrist, by alpha.
type circle struct {
	at          versor // system of the elbow at alpha 0: z is the direction from shoulder to wrist, and -x that of the elbow
	slope       float64
	bend        float64 // angle of joint 4, from 0 to π
	point       bool    // stretched or folded
	noise       float64 // of half the tilts of shoulder and wrist
	first, last pencil
}

// outside is by how much the wrist may be too far from the shoulder or too near to it, relative to the length of the arm, and
// is taken to be as far as it can be: what rounding does to a pose of a stretched arm.
const outside = 1e-10

// rounded is how close a distance is to the largest or least one, relative to the length of the arm, if only rounding keeps them
// apart. Joint 4 would make 1e-7 rad of it, and other axes that are parallel to those of a stretched arm would seem not to be.
const rounded = 4e-15

// Rounding of the distance turns joint 4, and with it shoulder and wrist, by the more, the more the arm is stretched: axes that
// are parallel except for that much are taken to be. With joints of the hint that costs the pose as much, and not more than mostNoise.
const mostNoise = 1e-10

// straight is the sine or cosine of half the angle of joint 4 up to which the circle of the elbow is taken for a point. For
// a stretched arm it follows from the distance of the wrist up to the square root of rounding.
const straight = 1e-6

// circle finds the circle for a pose of the tip.
func (s *SRS) circle(to *geom.Frame, c *circle) Status {
	f := s.base.Mul(*to).Mul(s.wrist)
	if !f.Pos.Finite() || !f.Rot.Finite() {
		return Invalid
	}
	atShoulder, atWrist, ok := s.triangle(f.Pos.Length(), c)
	if !ok {
		return Unreachable
	}
	c.face(f.Pos)
	half := c.at.halfTurn()
	up := angleOf(-atShoulder / 2)
	c.first = pencil{c.at.aboutY(up), half.aboutY(up)}

	x, y, z, w := f.Rot.Quaternion()
	rot, none := versor{w, x, y, z}, versor{w: 1}
	back, halfBack, lower := c.at.invert(), half.invert(), none.aboutY(angleOf(-atWrist/2))
	back, halfBack = back.mul(&rot), halfBack.mul(&rot)
	c.last = pencil{lower.mul(&back), lower.mul(&halfBack)}
	return Solved
}

// triangle returns the angles of the triangle of shoulder, elbow and wrist, at the shoulder and at the wrist, if there is one
// with the wrist at a distance from the shoulder. All is computed with half angles, and distances as sums and differences, so
// that nothing is lost near a stretched arm.
func (s *SRS) triangle(r float64, c *circle) (atShoulder, atWrist float64, ok bool) {
	most, least := s.upper+s.lower, math.Abs(s.upper-s.lower)
	if r > most*(1+outside) || r < least-most*outside || r <= most*outside {
		return 0, 0, false
	}
	up, across := 0.0, 0.0
	if r-least > rounded*most {
		up = math.Sqrt((r - least) * (r + least))
	}
	if most-r > rounded*most {
		across = math.Sqrt((most - r) * (most + r))
	}
	size := math.Sqrt(up*up + across*across)
	c.bend, c.point = 2*arc(across, up), up <= straight*size || across <= straight*size
	c.noise = min(rounded*size*size/(up*across), mostNoise)
	atShoulder = arc(2*s.lower*up*across, s.upper*size*size+s.lower*(up-across)*(up+across))
	return atShoulder, c.bend - atShoulder, true
}

// face turns the system of the elbow to where the wrist is.
func (c *circle) face(wrist geom.Vector) {
	aside := math.Sqrt(wrist.X*wrist.X + wrist.Y*wrist.Y)
	turn, tilt := arc(wrist.Y, wrist.X), arc(aside, wrist.Z)
	c.slope = aside / wrist.Length()
	c.at = versor{w: 1}
	half := angleOf(turn / 2)
	c.at = c.at.aboutZ(half)
	c.at = c.at.aboutY(angleOf(tilt / 2))
	if c.slope > vertical {
		return
	}
	if wrist.Z > 0 {
		half.sin = -half.sin
	}
	c.at = c.at.aboutZ(half)
}

// carried returns the alpha at which the elbow is where it comes to when a plane is turned to this circle on the shortest
// way: without turning about the line from shoulder to wrist. It has no jumps, but leads to another place after a round trip.
func (c *circle) carried(p *plane) float64 {
	back := c.at.invert()
	d := back.mul(&p.versor)
	if d.w*d.w+d.z*d.z < 1e-12 { // turned round: there is no shortest way
		return p.alpha()
	}
	return 2 * arc(d.z, d.w)
}

// Distances from the first axis, as sines, below which Nearest gives alpha up, and above which it keeps it.
const (
	givenUp = 0.1
	kept    = 0.2
)

// natural returns the alpha of a plane for this circle, near the first axis where the elbow is carried to.
func (c *circle) natural(p *plane) float64 {
	alpha := p.alpha()
	near := (kept - min(c.slope, p.slope())) / (kept - givenUp)
	if near <= 0 {
		return alpha
	}
	near = min(near, 1)
	carried := towards(alpha, c.carried(p))
	return alpha + near*near*(3-2*near)*(carried-alpha)
}

// spread are the solutions for one alpha, in parts: one for each way that the joints of the shoulder and of the wrist can
// have, by the bits of the configuration that they depend on, and one for each side of the elbow.
type spread struct {
	first, last [4]part3
	middle      [2]part1
	status      Status // Solved or Singular
}

// part3 are the joints of the shoulder or of the wrist.
type part3 struct {
	joints [3]float64
	away   float64 // squared distance from the hint
	ok     bool    // within limits
	twin   bool    // the same as another one
}

type part1 struct {
	joint float64
	away  float64
	ok    bool
}

// turns returns the angles of shoulder and wrist for an alpha.
func (c *circle) turns(alpha float64) (first, last turns) {
	half := angleOf(alpha / 2)
	a, _ := c.first.at(half)
	b, _ := c.last.at(half)
	first, last = a.turns(), b.turns()
	first.ignore(c.noise)
	last.ignore(c.noise)
	return first, last
}

// ignore lets noise be 0.
func (t *turns) ignore(noise float64) {
	if t.across <= noise {
		t.across = 0
	}
	if t.up <= noise {
		t.up = 0
	}
}

// spread finds all solutions for an alpha. If the arm is to stand still as far as it can, joints do not go round by whole
// turns to be within limits.
func (s *SRS) spread(c *circle, alpha float64, hint *values, still bool, into *spread) {
	first, last := c.turns(alpha)
	into.status = Solved
	if c.point || first.free() || last.free() {
		into.status = Singular
	}
	// Bits of the configuration turn joints by π: that of the elbow 3 and 5, that of the shoulder 1 and 3, that of the
	// wrist 5 and 7.
	for i := range into.first {
		solve3(&s.first, &first, 0, halfTurns(i>>1), i&1 != 0, &hint.first, still, &into.first[i])
	}
	for i := range into.last {
		solve3(&s.last, &last, halfTurns(i), 0, i>>1 != 0, &hint.last, still, &into.last[i])
	}
	for i := range into.middle {
		m, angle := &into.middle[i], c.bend
		if i == 1 {
			angle = -angle
		}
		m.joint, m.ok = s.middle.near(angle, hint.middle, still)
		m.away = (m.joint - hint.middle) * (m.joint - hint.middle)
	}
}

func halfTurns(n int) float64 { return float64(n&1) * math.Pi }

// solve3 finds the values of three joints for their angles, of which the first and the last one are turned further by before
// and after, and the other way round if negative.
func solve3(axes *[3]axis, t *turns, before, after float64, negative bool, hint *[3]float64, still bool, into *part3) {
	tilt := t.tilt
	into.twin = false
	if t.free() {
		into.twin = negative
		into.joints[0], into.joints[2], into.ok = share(axes, t, before, after, hint)
	} else {
		if negative {
			before, after, tilt = before+math.Pi, after+math.Pi, -tilt
		}
		var last bool
		into.joints[0], into.ok = axes[0].near(t.first()+before, hint[0], still)
		into.joints[2], last = axes[2].near(t.last()+after, hint[2], still)
		into.ok = into.ok && last
	}
	var ok bool
	into.joints[1], ok = axes[1].near(tilt, hint[1], still)
	into.ok = into.ok && ok
	x, y, z := into.joints[0]-hint[0], into.joints[1]-hint[1], into.joints[2]-hint[2]
	into.away = x*x + y*y + z*z
}

// share finds values of two joints that turn about the same axis, so that they come as near to the hint as limits allow.
func share(axes *[3]axis, t *turns, before, after float64, hint *[3]float64) (first, last float64, ok bool) {
	a, b := &axes[0], &axes[2]
	x, y := a.angle(hint[0]), b.angle(hint[2])
	fixed, sign := 2*t.sum+before+after, 1.0
	if t.up <= aligned {
		fixed, sign = 2*t.difference+before-after, -1
	}
	fixed = towards(x+sign*y, fixed)
	x = (fixed + x - sign*y) / 2
	x = a.angle(clamp(a.value(x), a.Min, a.Max))
	y = b.angle(clamp(b.value(sign*(fixed-x)), b.Min, b.Max))
	first, ok = a.hold(a.value(fixed - sign*y))
	return first, b.value(y), ok
}

func clamp(x, least, most float64) float64 { return min(max(x, least), most) }
