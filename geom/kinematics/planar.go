package kinematics

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// six is how many joints the arms have whose inverse kinematics is written down here.
const six = 6

// The bits of a configuration. Without them an arm reaches forward with its elbow up.
const (
	back = 1 << iota // the wrist is behind axis 1
	down             // the elbow is below the line from the shoulder to the wrist
	flip             // joint 5 bends to its negative side
)

// planar is what the closed forms for arms with six axes have in common. Axis 1 turns a plane. Axes 2 and 3 stand on it, so
// that upper arm and forearm move in it, and each of the axes 4, 5 and 6 stands on the one before.
//
// The arm is seen from its shoulder: the origin is the point of axis 1 that is next to axis 2, z points up along axis 1, y
// along axis 2, and x, with joint 1 at 0, towards axis 2. Angles in the plane x, z are turns about y, from z.
type planar struct {
	chain       *Chain
	base        geom.Frame  // seen from the shoulder
	turned      versor      // its rotation
	centre      geom.Vector // of the wrist, where axes 5 and 6 meet, seen from the tip
	ahead       float64     // how far axis 2 is from axis 1
	aside       float64     // how far the centre is from the plane through axis 1
	upper, fore link        // at 0
	wrist       versor      // at 0: z is axis 4, y is axis 5
	tip         versor      // the wrist, seen from the tip, with joint 5 straight
	straight    float64     // angle of joint 5, as the closed form counts it, at 0
	spans       [six]span
	signs       [4]float64 // of joints 1 to 4: -1 if they turn the other way
	reach       float64    // no centre is farther from the shoulder
	rounding    float64    // what rounding may do to a position
}

// link is a line in the plane.
type link struct{ length, angle float64 }

func linkOf(v geom.Vector) link {
	return link{math.Sqrt(v.X*v.X + v.Z*v.Z), arc(v.X, v.Z)}
}

// target is a pose and a hint.
type target struct {
	centre geom.Vector // of the wrist, seen from the shoulder
	back   versor      // from the tip, with joint 5 straight, to the shoulder
	x      float64     // of the centre in the plane, if that is turned to it
	free   bool        // the centre is on axis 1: any plane will do
	hint   [six]float64
}

// mostTurned is the largest hint: above it values of joints have less than seven decimals.
const mostTurned = 1e9

// see looks at a pose from the shoulder. It returns Solved unless it is known already that there is no solution.
func (p *planar) see(to *geom.Frame, hint []float64, t *target) Status {
	if copy(t.hint[:], hint) < six || !to.Pos.Finite() || !to.Rot.Finite() {
		return Invalid
	}
	for _, h := range t.hint {
		if !(math.Abs(h) <= mostTurned) {
			return Invalid
		}
	}
	rot := versorOf(to.Rot)
	rot = p.turned.mul(&rot)
	t.centre = p.base.Pos.Add(p.turned.rotate(to.Pos)).Add(rot.rotate(p.centre))
	rot = rot.mul(&p.tip)
	t.back = rot.invert()
	if !(t.centre.Length() <= p.reach) {
		return Unreachable
	}
	r, aside := math.Sqrt(t.centre.X*t.centre.X+t.centre.Y*t.centre.Y), math.Abs(p.aside)
	if r < aside-p.rounding {
		return Unreachable
	}
	t.free = r <= p.rounding && aside <= p.rounding
	if !t.free {
		t.x = math.Sqrt(max(r-aside, 0) * (r + aside))
	}
	return Solved
}

// heading returns the angle of the plane in which the centre has the coordinate x, which is that of the target or its
// negative, and half of that angle, times some length.
func (p *planar) heading(t *target, x float64) (heading float64, halved angle) {
	if t.free {
		heading = p.signs[0] * p.spans[0].edge(t.hint[0])
		return heading, angleOf(heading / 2)
	}
	sin, cos := t.centre.Y*x-t.centre.X*p.aside, t.centre.X*x+t.centre.Y*p.aside
	return arc(sin, cos), half(sin, cos)
}

// bend is how upper arm and forearm reach a point of the plane: in two ways, of which one is the mirror image of the
// other.
type bend struct {
	elbow  float64    // angle from one to the other, from 0 to π
	upper  [2]float64 // angle of the upper arm if the elbow turns by elbow, or by -elbow
	line   angle      // half that of the line from the shoulder to the point, times some length
	point  angle      // half that from the line to the forearm, if the elbow turns by elbow, times some length
	single bool       // both are the same
	free   bool       // the point is in the shoulder: any angle will do
}

// bend solves the triangle of shoulder, elbow and a point. Angles come from their halves, and sides as sums and
// differences, so that the arm also meets points at the border of its reach to the last digits.
func (p *planar) bend(t *target, x, z float64, b *bend) (ok bool) {
	sum, difference := p.upper.length+p.fore.length, p.upper.length-p.fore.length
	d := math.Sqrt(x*x + z*z)
	far, upper, fore := sum-d, d-difference, d+difference
	if !(far >= -p.rounding && min(upper, fore) >= -p.rounding) {
		return false
	}
	// The roots of the perimeter and of what it is longer by than twice a side: products of two are the sines and
	// cosines of half the angles.
	all, line := math.Sqrt(sum+d), math.Sqrt(max(far, 0))
	upper, fore = math.Sqrt(max(upper, 0)), math.Sqrt(max(fore, 0))
	elbow := angle{all * line, upper * fore} // the turn, not the angle inside
	b.elbow = 2 * arc(elbow.sin, elbow.cos)
	if d <= p.rounding {
		any := p.signs[1]*p.spans[1].edge(t.hint[1]) + p.upper.angle
		b.upper, b.line, b.point, b.single, b.free = [2]float64{any, any}, angleOf(any/2), elbow, true, true
		return true
	}
	shoulder := angle{line * upper, all * fore}
	middle, off := arc(x, z), 2*arc(shoulder.sin, shoulder.cos)
	b.upper = [2]float64{middle - off, middle + off}
	b.line, b.point = half(x, z), angle{line * fore, all * upper}
	b.single, b.free = elbow.sin*elbow.cos == 0, false
	return true
}

// take lets the first turn be what is given, where it is not determined.
func (t *turns) take(first float64) {
	if t.across <= t.up {
		t.difference = first - t.sum
	} else {
		t.sum = first - t.difference
	}
}

// flip changes to the other angles of the same rotation.
func (t *turns) flip() { t.sum, t.tilt = t.sum+math.Pi, -t.tilt }

// partial is a branch of which some joints are known, as the closed form has them.
type partial struct {
	joints        [six]float64
	configuration uint8
	status        Status // Singular if a joint was taken from the hint
}

// add adds a branch of which all is known.
func (b *Branches) add(p *partial) {
	if b.N < 0 || b.N >= len(b.Of) {
		return
	}
	to := &b.Of[b.N]
	*(*[six]float64)(to.Joints[:]) = p.joints
	to.Configuration, to.Status = p.configuration, p.status
	b.N++
}

// unwind unwinds the branches towards the hint, and returns the best status of all.
func (p *planar) unwind(t *target, all *Branches) Status {
	of := all.Of[:max(0, min(all.N, MaxBranches))]
	var beyond [MaxBranches]uint64
	for i := range p.spans {
		s, hint := &p.spans[i], t.hint[i]
		middle := s.middle(hint)
		for k := range of {
			joint := &of[k].Joints[i]
			if s.wide {
				*joint = s.turn(*joint, middle)
				continue
			}
			near, out := s.unwind(*joint, middle, hint)
			*joint = near
			beyond[k] |= out
		}
	}
	best := Unreachable
	for k := range of {
		b := &of[k]
		b.Status = [...]Status{b.Status, OutOfLimits}[beyond[k]&1]
		if s := b.Status; s == Solved || best == Unreachable || s == Singular && best == OutOfLimits {
			best = s
		}
	}
	return best
}

// nearest writes the joints of the branch from which it is the shortest way to hint, all joints added up, of those within
// the limits, if there are such.
func (b *Branches) nearest(hint *[six]float64, joints []float64) Status {
	best, least := Unreachable, math.Inf(1)
	var chosen *[MaxJoints]float64
	for i := range b.Of {
		if i >= b.N {
			break
		}
		way := 0.0
		for k, h := range hint {
			way += math.Abs(b.Of[i].Joints[k] - h)
		}
		s := b.Of[i].Status
		if chosen == nil || s.Good() && !best.Good() || s.Good() == best.Good() && way < least {
			best, least, chosen = s, way, &b.Of[i].Joints
		}
	}
	if chosen != nil {
		copy(joints, chosen[:six])
	}
	return best
}

// words returns a configuration in words.
func words(configuration uint8) string {
	text := [...]string{"front up", "back up", "front down", "back down"}[configuration&(back|down)]
	if configuration&flip != 0 {
		text += " flip"
	}
	return text
}

// exact is how well the axes of a model have to be parallel and to meet, in rad and m: descriptions have been seen where
// π has nine digits.
const exact = 1e-8

// newPlanar recognises the structure from where the axes are when all joints are at 0. It returns them as seen from the
// shoulder, and the centre of the wrist.
func newPlanar(c *Chain) (p *planar, axes [six]Line, centre geom.Vector, err error) {
	if c.Len() != six || c.Links() != six {
		return nil, axes, centre, fmt.Errorf("need six joints, not %d with %d drives", c.Links(), c.Len())
	}
	for i := range six {
		if c.joints[i].Kind != Revolute {
			return nil, axes, centre, fmt.Errorf("joint %d does not turn", i+1)
		}
	}
	var zero [six]float64
	c.Axes(zero[:], axes[:])
	tip := c.Forward(zero[:])
	if err := structure(&axes); err != nil {
		return nil, axes, centre, err
	}
	_, centre = closest(&axes[4], &axes[5])

	p = &planar{chain: c, centre: tip.Invert().Point(centre)}
	seat := shoulder(&axes, centre)
	for i := range p.spans {
		p.spans[i] = spanOf(&c.joints[i])
	}
	p.base = seat.Invert()
	p.turned = versorOf(p.base.Rot)
	for i := range axes {
		axes[i] = Line{p.base.Point(axes[i].Point), p.base.Rot.Rotate(axes[i].Direction)}
	}
	centre, tip = p.base.Point(centre), p.base.Mul(tip)

	p.ahead, p.aside = axes[1].Point.X, centre.Y
	if math.Abs(p.ahead) < exact {
		p.ahead = 0
	}
	if math.Abs(p.aside) < exact {
		p.aside = 0
	}
	p.upper = linkOf(axes[2].Point.Sub(axes[1].Point))
	p.signs[0] = math.Copysign(1, axes[0].Direction.Z)
	p.signs[1] = math.Copysign(1, axes[1].Direction.Y)
	p.signs[2] = math.Copysign(1, axes[2].Direction.Y)
	p.signs[3] = 1
	if axes[3].Direction.Dot(axes[5].Direction) < -exact {
		p.signs[3] = -1
	}
	z, y := axes[3].Direction.Scale(p.signs[3]), axes[4].Direction
	x := y.Cross(z)
	last := axes[5].Direction
	p.straight = arc(last.Dot(x), last.Dot(z))
	wrist := turned(x, y, z)
	p.wrist, p.tip = versorOf(wrist), versorOf(tip.Rot.To(wrist).Mul(geom.FromABC(0, p.straight, 0)))
	return p, axes, centre, nil
}

// finish takes the link from the elbow on, how far the centre may be from the end of it, and computes what follows.
func (p *planar) finish(fore link, beyond float64) error {
	p.fore = fore
	if p.upper.length < exact || p.fore.length < exact {
		return fmt.Errorf("upper arm and forearm of %v and %v m: both must be above 0", p.upper.length, p.fore.length)
	}
	size := p.ahead + math.Abs(p.aside) + p.upper.length + p.fore.length + beyond
	p.rounding = 1e-13 * (size + p.centre.Length() + p.base.Pos.Length())
	p.reach = size + p.rounding
	return nil
}

// shoulder returns where the arm is seen from.
func shoulder(axes *[six]Line, centre geom.Vector) geom.Frame {
	first, second := &axes[0], &axes[1]
	up := first.Direction
	if up.Z < -exact {
		up = up.Neg()
	}
	foot := first.Point.Add(up.Scale(up.Dot(second.Point.Sub(first.Point))))
	x := second.Direction.Cross(up).Unit()
	towards := x.Dot(second.Point.Sub(foot))
	if math.Abs(towards) < exact {
		towards = x.Dot(centre.Sub(foot))
	}
	if towards < -exact {
		x = x.Neg()
	}
	return geom.Frame{Pos: foot, Rot: turned(x, up.Cross(x), up)}
}

func versorOf(r geom.Rotation) versor {
	x, y, z, w := r.Quaternion()
	return versor{w, x, y, z}
}

// turned returns the rotation of a system with the given axes.
func turned(x, y, z geom.Vector) geom.Rotation {
	return geom.FromMatrix([3][3]float64{{x.X, y.X, z.X}, {x.Y, y.Y, z.Y}, {x.Z, y.Z, z.Z}})
}

// structure returns an error that says what does not fit.
func structure(axes *[six]Line) error {
	for _, pair := range [...][2]int{{0, 1}, {3, 4}, {4, 5}} {
		a, b := &axes[pair[0]], &axes[pair[1]]
		if off := math.Abs(math.Asin(a.Direction.Dot(b.Direction))); !(off <= exact) {
			return fmt.Errorf("axis %d is not at right angles to axis %d, but %.3g° off", pair[1]+1, pair[0]+1, off*180/math.Pi)
		}
	}
	if err := parallel(axes, 1, 2); err != nil {
		return err
	}
	if away, _ := closest(&axes[4], &axes[5]); !(away <= exact) {
		return fmt.Errorf("axis 6 does not meet axis 5, but is %.3g mm away", away*1000)
	}
	return nil
}

// parallel returns an error if axes i and k are not parallel.
func parallel(axes *[six]Line, i, k int) error {
	if off := axes[i].Direction.Cross(axes[k].Direction).Length(); !(off <= exact) {
		return fmt.Errorf("axis %d is not parallel to axis %d, but %.3g° off", k+1, i+1, math.Asin(off)*180/math.Pi)
	}
	return nil
}

// closest returns how far two axes at right angles are away from each other, and the point of the first that is next to
// the second.
func closest(a, b *Line) (away float64, at geom.Vector) {
	at = a.Point.Add(a.Direction.Scale(a.Direction.Dot(b.Point.Sub(a.Point))))
	return b.from(at), at
}

// from returns how far a point is away.
func (l *Line) from(point geom.Vector) float64 { return l.Direction.Cross(point.Sub(l.Point)).Length() }
