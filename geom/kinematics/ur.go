package kinematics

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// UR is the inverse kinematics of arms with six axes of which 2, 3 and 4 are parallel, and 5 and 6 meet, as those of
// Universal Robots are built.
//
// The direction of axis 6, seen from the plane that axis 1 turns, determines joint 5 and the sum of joints 2 to 4; these
// then are an arm with two links in the plane (as K. Hawkins, "Analytic inverse kinematics for the Universal Robots UR-5/UR-10
// arms", Georgia Institute of Technology, 2013). There are eight branches: the arm reaches to the front or to the back,
// the elbow is up or down, and joint 5 may be flipped.
type UR struct {
	planar
	side float64 // 1 or -1: axis 4, as the wrist counts it, is along y
	hand link    // from axis 4 to the centre, at 0
}

var _ Solver = (*UR)(nil)

// NewUR recognises the structure of a chain, however that is described, or reports what does not fit.
func NewUR(c *Chain) (*UR, error) {
	p, axes, centre, err := newPlanar(c)
	if err != nil {
		return nil, fmt.Errorf("not an arm with three parallel axes: %w", err)
	}
	if err := parallel(&axes, 2, 3); err != nil {
		return nil, fmt.Errorf("not an arm with three parallel axes: %w", err)
	}
	u := &UR{hand: linkOf(centre.Sub(axes[3].Point))}
	if err := p.finish(linkOf(axes[3].Point.Sub(axes[2].Point)), u.hand.length); err != nil {
		return nil, fmt.Errorf("not an arm with three parallel axes: %w", err)
	}
	fourth := axes[3].Direction.Y
	u.side = math.Copysign(1, fourth*p.signs[3])
	p.signs[3] = math.Copysign(1, fourth)
	u.planar = *p
	return u, nil
}

// Nearest is described at Solver. The nearest branch is the one to which the ways of all joints from the hint add up to
// the least.
func (u *UR) Nearest(to *geom.Frame, hint, joints []float64) Status {
	var t target
	if len(joints) < six {
		return Invalid
	}
	if s := u.see(to, hint, &t); s != Solved {
		return s
	}
	var all Branches
	u.find(&t, &all)
	u.unwind(&t, &all)
	return all.nearest(&t.hint, joints)
}

// Branches is described at Solver. Equal branches occur once.
func (u *UR) Branches(to *geom.Frame, hint []float64, into *Branches) Status {
	var t target
	into.N = 0
	if s := u.see(to, hint, &t); s != Solved {
		return s
	}
	u.find(&t, into)
	return u.unwind(&t, into)
}

// find finds the branches, which are still to be unwound.
func (u *UR) find(t *target, into *Branches) {
	for side := range uint8(2) {
		x := t.x
		if side != 0 {
			x = -x
		}
		heading, half := u.heading(t, x)
		plane := t.back.aboutZ(half)
		wrist := plane.mul(&u.wrist)
		wrist = wrist.invert()
		turns := wrist.turns()
		aligned := turns.free()
		turned := partial{configuration: side * back}
		turned.joints[0] = u.signs[0] * heading
		if aligned {
			turns.take(u.side * u.within(u.sum(&t.hint), x-u.ahead, t.centre.Z))
		}
		if aligned || t.free {
			turned.status = Singular
		}
		u.bending(t, x, &turns, turned, into)
		if !aligned {
			turns.flip()
			turned.configuration |= flip
			u.bending(t, x, &turns, turned, into)
		}
		if x == 0 {
			return
		}
	}
}

// bending finds the branches of an arm of which all but joints 2 to 4 is known, and of those the sum.
func (u *UR) bending(t *target, x float64, turns *turns, turned partial, into *Branches) {
	sum := u.side * turns.first()
	hand := angleOf(sum + u.hand.angle)
	var b bend
	if !u.bend(t, x-u.ahead-u.hand.length*hand.sin, t.centre.Z-u.hand.length*hand.cos, &b) {
		return
	}
	turned.joints[4] = turns.tilt - u.straight
	turned.joints[5] = turns.last()
	if b.free {
		turned.status = Singular
	}
	for lower := range uint8(2) {
		// Over its back the arm bends the other way.
		elbow, upper := b.elbow, b.upper[0]
		if lower != turned.configuration&back {
			elbow, upper = -elbow, b.upper[1]
		}
		second, third := upper-u.upper.angle, elbow+u.upper.angle-u.fore.angle
		bent := turned
		bent.configuration |= lower * down
		bent.joints[1] = u.signs[1] * second
		bent.joints[2] = u.signs[2] * third
		bent.joints[3] = u.signs[3] * (sum - second - third)
		into.add(&bent)
		if b.single {
			return
		}
	}
}

// sum returns by how much joints 2 to 4 turn the wrist about y.
func (u *UR) sum(q *[six]float64) float64 {
	return u.signs[1]*q[1] + u.signs[2]*q[2] + u.signs[3]*q[3]
}

// within returns the sum of joints 2 to 4 that is nearest to the given one and has the arm reach the centre: where axis 6
// is parallel to these three, any will do for its direction, and the arm can go around the centre.
func (u *UR) within(sum, x, z float64) float64 {
	away := math.Sqrt(x*x + z*z)
	most, least := u.upper.length+u.fore.length, math.Abs(u.upper.length-u.fore.length)
	sin, cos := math.Sincos(sum + u.hand.angle)
	d := linkOf(geom.Vector{X: x - u.hand.length*sin, Z: z - u.hand.length*cos}).length
	if d >= least && d <= most || !(away*u.hand.length > 0) {
		return sum
	}
	// Axis 4 should be at the border, which is a side of the triangle of shoulder, centre and axis 4.
	d = max(least, min(most, d))
	cos = (away*away + u.hand.length*u.hand.length - d*d) / (2 * away * u.hand.length)
	between := math.Acos(max(-1, min(1, cos)))
	middle := math.Atan2(x, z) - u.hand.angle
	off := math.Remainder(sum-middle, 2*math.Pi)
	return middle + math.Copysign(between, off)
}

// Name returns "front up", "back down flip" and so on, as that of arms with a spherical wrist. An arm is in front if the
// plane in which it bends is turned so that it reaches to where it reaches with joint 1 at 0.
func (u *UR) Name(configuration uint8) string { return words(configuration) }

// Configuration returns the branch of joints. Where branches meet it is either of them.
func (u *UR) Configuration(joints []float64) uint8 {
	var q [six]float64
	if copy(q[:], joints) < six {
		return 0
	}
	upper := u.signs[1]*q[1] + u.upper.angle
	elbow := u.signs[2]*q[2] - u.upper.angle + u.fore.angle
	x := u.ahead + u.upper.length*math.Sin(upper) + u.fore.length*math.Sin(upper+elbow) +
		u.hand.length*math.Sin(u.sum(&q)+u.hand.angle)
	return configuration(x, elbow, q[4]+u.straight)
}
