package kinematics

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// Wrist is the inverse kinematics of arms with six axes of which the last three meet in a point, the centre of the wrist.
// Axes 2 and 3 are parallel, and stand on axis 1; axis 2 may be ahead of it, and upper arm, forearm and wrist aside of it.
// That is how most industrial arms are built.
//
// Joints 1 to 3 bring the centre to its place, joints 4 to 6 turn the tip, since they leave the centre where it is (D. L.
// Pieper, "The Kinematics of Manipulators under Computer Control", Stanford, 1968). There are eight branches: the arm
// reaches to the front, or over itself to the back, the elbow is up or down, and the wrist may be flipped. Positions and
// angles are as exact as rounding allows, also near singular poses and at the border of reach.
//
// A pose is singular if the wrist is on axis 1, or in the shoulder, or if axes 4 and 6 are aligned. Joints that the pose
// does not determine then come from the hint. Hints above 1e9 are invalid, as they have no digits left.
type Wrist struct {
	planar
	// From the direction of the forearm to joint 4 at 0 it is a turn about y by -2·fall, one about x by 2·lean, which is 0 for
	// most arms, and one about z by 2·roll.
	fall, lean angle
	leans      bool
	roll       float64
}

var _ Solver = (*Wrist)(nil)

// NewWrist recognises the structure of a chain, however that is described, or reports what does not fit.
func NewWrist(c *Chain) (*Wrist, error) {
	p, axes, centre, err := newPlanar(c)
	if err != nil {
		return nil, fmt.Errorf("not an arm with a spherical wrist: %w", err)
	}
	if away := axes[3].from(centre); !(away <= exact) {
		return nil, fmt.Errorf("not an arm with a spherical wrist: axis 4 misses axes 5 and 6 by %.3g mm", away*1000)
	}
	if err := p.finish(linkOf(centre.Sub(axes[2].Point)), 0); err != nil {
		return nil, fmt.Errorf("not an arm with a spherical wrist: %w", err)
	}
	w := &Wrist{planar: *p}
	w.forearm()
	return w, nil
}

// forearm computes what leads from the direction of the forearm to joint 4.
func (w *Wrist) forearm() {
	fall := -arc(2*(w.wrist.x*w.wrist.z+w.wrist.w*w.wrist.y), 1-2*(w.wrist.x*w.wrist.x+w.wrist.y*w.wrist.y))
	w.fall = angleOf((w.fore.angle + fall) / 2)
	rest := versor{w: 1}.aboutY(angleOf(fall / 2))
	rest = rest.mul(&w.wrist)
	// That is a turn about x and one about z: each part is a product of their sines or cosines.
	w.lean, w.roll = angle{rest.x, rest.w}, arc(rest.z, rest.w)
	if math.Abs(rest.w)+math.Abs(rest.x) < math.Abs(rest.y)+math.Abs(rest.z) {
		w.lean = angle{-rest.y, rest.z}
	}
	if math.Abs(rest.w)+math.Abs(rest.z) < math.Abs(rest.x)+math.Abs(rest.y) {
		w.roll = arc(-rest.y, rest.x)
	}
	w.leans = math.Abs(w.lean.sin) > rounding
}

// Nearest is described at Solver. The nearest branch is the one to which the ways of all joints from the hint add up to
// the least.
func (w *Wrist) Nearest(to *geom.Frame, hint, joints []float64) Status {
	var t target
	if len(joints) < six {
		return Invalid
	}
	if s := w.see(to, hint, &t); s != Solved {
		return s
	}
	var all Branches
	w.find(&t, &all, false)
	w.unwind(&t, &all)
	return all.nearest(&t.hint, joints)
}

// Branches is described at Solver. Equal branches occur once.
func (w *Wrist) Branches(to *geom.Frame, hint []float64, into *Branches) Status {
	var t target
	into.N = 0
	if s := w.see(to, hint, &t); s != Solved {
		return s
	}
	w.find(&t, into, false)
	return w.unwind(&t, into)
}

// find finds the branches, every one also where two of them are the same. They are still to be unwound.
func (w *Wrist) find(t *target, into *Branches, every bool) {
	for side := range uint8(2) {
		x := t.x
		if side != 0 {
			x = -x
		}
		var b bend
		if w.bend(t, x-w.ahead, t.centre.Z, &b) {
			w.reaching(t, x, side, &b, into, every)
		}
		if x == 0 && !every {
			return
		}
	}
}

// reaching finds the branches of an arm whose plane and elbow are known, except for the sign of the elbow.
func (w *Wrist) reaching(t *target, x float64, side uint8, b *bend, into *Branches, every bool) {
	heading, half := w.heading(t, x)
	plane, line := t.back.aboutZ(half), b.line.minus(w.fall)
	reached := partial{configuration: side * back}
	reached.joints[0] = w.signs[0] * heading
	if t.free || b.free {
		reached.status = Singular
	}
	for lower := range uint8(2) {
		// Over its back the arm bends the other way.
		elbow, upper, fore := b.elbow, b.upper[0], line.plus(b.point)
		if lower != side {
			elbow, upper, fore = -elbow, b.upper[1], line.minus(b.point)
		}
		bent := reached
		bent.configuration |= lower * down
		bent.joints[1] = w.signs[1] * (upper - w.upper.angle)
		bent.joints[2] = w.signs[2] * (elbow + w.upper.angle - w.fore.angle)
		turns := w.turns(plane.aboutY(fore))
		w.turning(t, &turns, &bent, into, every)
		if b.single && !every {
			return
		}
	}
}

// turns returns how the wrist turns, whose forearm is seen from the tip.
func (w *Wrist) turns(fore versor) turns {
	if w.leans {
		fore = fore.aboutX(w.lean)
	}
	wrist := fore.invert()
	t := wrist.turns()
	t.sum -= w.roll
	t.difference -= w.roll
	return t
}

// turning finds the branches of an arm of which all but the wrist is known.
func (w *Wrist) turning(t *target, turns *turns, bent *partial, into *Branches, every bool) {
	aligned := turns.free()
	if aligned {
		w.align(turns, &t.hint)
		bent.status = Singular
	}
	for range 2 {
		bent.joints[3] = w.signs[3] * turns.first()
		bent.joints[4] = turns.tilt - w.straight
		bent.joints[5] = turns.last()
		into.add(bent)
		bent.configuration |= flip
		if !aligned {
			turns.flip()
		} else if !every {
			return
		}
	}
}

// align takes joint 4 of an aligned wrist from the hint, or as near to it as the limits of joint 6 allow.
func (w *Wrist) align(turns *turns, hint *[six]float64) {
	fourth, last := &w.chain.joints[3], &w.chain.joints[5]
	// Joint 4 and, this way or the other, joint 6 add up to what the pose determines.
	total, way := 2*turns.sum, w.signs[3]
	if turns.across > turns.up {
		total, way = 2*turns.difference, -way
	}
	least, most := last.Min, last.Max
	if way < 0 {
		least, most = -most, -least
	}
	both := Joint{Min: fourth.Min + least, Max: fourth.Max + most}
	sum, _ := both.Unwind(w.signs[3]*total, hint[3]+way*hint[5])
	turns.take(w.signs[3] * max(fourth.Min, sum-most, min(hint[3], fourth.Max, sum-least)))
}

// Name returns "front up", "back down flip" and so on. An arm is in front if it reaches to the side of axis 1 where axis 2
// is, the elbow up if it is above the line from shoulder to wrist, the wrist flipped if joint 5 is on its negative side.
func (w *Wrist) Name(configuration uint8) string { return words(configuration) }

// Configuration returns the branch of joints. Where branches meet it is either of them.
func (w *Wrist) Configuration(joints []float64) uint8 {
	var q [six]float64
	if copy(q[:], joints) < six {
		return 0
	}
	upper := w.signs[1]*q[1] + w.upper.angle
	elbow := w.signs[2]*q[2] - w.upper.angle + w.fore.angle
	x := w.ahead + w.upper.length*math.Sin(upper) + w.fore.length*math.Sin(upper+elbow)
	return configuration(x, elbow, q[4]+w.straight)
}

// configuration returns the bits of where the centre is in the plane, and of the angles of the elbow and of joint 5.
func configuration(x, elbow, fifth float64) uint8 {
	var c uint8
	if x < 0 {
		c = back
	}
	if (math.Sin(elbow) < 0) != (c == back) {
		c |= down
	}
	if math.Sin(fifth) < 0 {
		c |= flip
	}
	return c
}

// StatusAndTurn returns what KUKA's language calls S and T of values of joints. Bits of S, from 1 on: the centre of the
// wrist is behind axis 1, joint 3 is beyond the value where the arm is stretched, joint 5 is negative. Bits of T: the
// joint is negative, from joint 1 on. That the bit of joint 5 stands for a negative value is read from points of programs,
// where S 2 comes with T 2 and 35, and S 6 with T 26, 27 and 50.
func (w *Wrist) StatusAndTurn(joints []float64) (s, t uint8) {
	for i := range six {
		if i < len(joints) && joints[i] < 0 {
			t |= 1 << i
		}
	}
	return w.status(w.Configuration(joints)), t
}

// status returns S of a configuration, and the configuration of S. They differ in that one says where the elbow is and the
// other how it is bent, which is not the same when the arm reaches to the back.
func (w *Wrist) status(c uint8) uint8 {
	bent := 1 ^ c&back
	if w.signs[2] < 0 {
		bent ^= 1
	}
	return c&(back|down|flip) ^ bent*down
}

// WithStatusAndTurn writes the joints of the branch with the given S, and of the values that mean the same for the pose
// those with the given T. Of the hint it needs what the pose does not determine. A value that is 0 up to rounding is both
// negative and not.
func (w *Wrist) WithStatusAndTurn(to *geom.Frame, s, t uint8, hint, joints []float64) Status {
	var aim target
	if len(joints) < six {
		return Invalid
	}
	if s := w.see(to, hint, &aim); s != Solved {
		return s
	}
	var all Branches
	w.find(&aim, &all, true)
	w.unwind(&aim, &all)
	for i := range all.Of {
		if i < all.N && all.Of[i].Configuration == w.status(s) {
			return w.turn(&all.Of[i], t, joints)
		}
	}
	return Unreachable
}

// turn writes the joints of a branch with the given T.
func (w *Wrist) turn(b *Branch, t uint8, joints []float64) Status {
	const whole = 2 * math.Pi
	status := Solved
	if b.Status == Singular {
		status = Singular
	}
	for i := range six {
		if i >= len(joints) {
			return Invalid
		}
		value := b.Joints[i] - whole*math.Floor(b.Joints[i]/whole)
		if value <= slack || value >= whole-slack {
			value = 0
		} else if t>>i&1 != 0 {
			value -= whole
		}
		within := false
		if joints[i], within = w.chain.joints[i].hold(value); !within {
			status = OutOfLimits
		}
	}
	return status
}
