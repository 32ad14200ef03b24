package kinematics

import (
	"errors"
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// part is a joint about or along the z-axis of before; the frame of the link is after, seen from the joint.
type part struct {
	before, after geom.Frame
	turn          float64 // added to the value of a joint that turns, or a turn before it slides
	factor        float64
	Joint
	follow *Follow
}

// build reduces parts to steps. Between two joints lie a translation and a rotation, and each rotation is
// Rz(β)·Rx(α)·Rz(γ). Since a turn about z commutes with what joints about and along z do, β and γ become offsets of the
// joints before and after, so that every step is a turn about z, a translation, and a turn about x by a fixed angle.
// Other than the reduction to a table of Denavit and Hartenberg, that needs no common normal of axes, and nothing is lost
// when axes are nearly parallel.
func build(parts []part, tip geom.Frame) (*Chain, error) {
	if len(parts) == 0 || len(parts) > MaxJoints {
		return nil, fmt.Errorf("a chain has 1 to %d joints, not %d", MaxJoints, len(parts))
	}
	c := &Chain{m: len(parts)}
	if err := c.own(parts); err != nil {
		return nil, err
	}
	for i, p := range parts {
		if !finite(p.before) || !finite(p.after) || !(math.Abs(p.turn) <= math.MaxFloat64) {
			return nil, fault(i, p.Name, errors.New("its pose is not a number"))
		}
		c.steps[i].offset += p.turn
	}
	if !finite(tip) {
		return nil, errors.New("the pose of the tip is not a number")
	}
	c.start = axesOf(parts[0].before)
	for i := range parts {
		next := tip
		if i+1 < len(parts) {
			next = parts[i+1].before
		}
		beta, alpha, gamma := zxz(next.Rot)
		s := &c.steps[i]
		s.offset += beta
		s.by, s.alpha = s.by.Add(geom.FromABC(-beta, 0, 0).Rotate(next.Pos)), alpha
		if i+1 < len(parts) {
			next.Rot = next.Rot.Mul(geom.FromABC(-gamma, 0, 0))
			c.steps[i+1].offset += gamma
		} else {
			c.tip = angleOf(gamma)
		}
		c.links[i] = next.To(parts[i].after)
	}
	for i := range parts {
		s := &c.steps[i]
		s.settle()
		// An angle that others follow may be a whole turn away if theirs are too.
		c.stiff[s.from] = c.stiff[s.from] || s.slides || s.factor != math.Round(s.factor)
	}
	return c, nil
}

// own numbers the joints that have values of their own, and assigns their values to all steps.
func (c *Chain) own(parts []part) error {
	index := make([]int, len(parts))
	for i, p := range parts {
		if err := p.check(); err != nil {
			return fault(i, p.Name, err)
		}
		if math.Abs(p.factor) != 1 {
			return fault(i, p.Name, fmt.Errorf("sign %v is neither 1 nor -1", p.factor))
		}
		if p.follow == nil {
			index[i] = c.n
			c.joints[c.n] = p.Joint
			c.n++
		}
	}
	for i, p := range parts {
		s := &c.steps[i]
		s.slides, s.factor, s.from = p.Kind == Prismatic, p.factor, uint8(index[i])
		f := p.follow
		if f == nil {
			continue
		}
		if f.Segment < 0 || f.Segment >= len(parts) || parts[f.Segment].follow != nil {
			return fault(i, p.Name, errors.New("it must follow a joint with a value of its own"))
		}
		if f.Factor == 0 || !(math.Abs(f.Factor) <= math.MaxFloat64) || !(math.Abs(f.Offset) <= math.MaxFloat64) {
			return fault(i, p.Name, fmt.Errorf("factor %v and offset %v of following must be finite, the factor not 0", f.Factor, f.Offset))
		}
		s.from = uint8(index[f.Segment])
		if s.slides {
			s.by.Z = s.factor * f.Offset
		} else {
			s.offset = s.factor * f.Offset
		}
		s.factor *= f.Factor
		if err := c.joints[s.from].narrow(&p.Joint, f); err != nil {
			return fault(i, p.Name, err)
		}
	}
	return nil
}

// narrow lets the limits of a joint that follows hold for the one that it follows.
func (j *Joint) narrow(follower *Joint, f *Follow) error {
	a, b := (follower.Min-f.Offset)/f.Factor, (follower.Max-f.Offset)/f.Factor
	j.Min, j.Max = max(j.Min, min(a, b)), min(j.Max, max(a, b))
	if !(j.Min < j.Max) {
		return fmt.Errorf("its limits and those of joint %q, which it follows, have no value in common", j.Name)
	}
	least := func(own *float64, other float64) {
		if other = other / math.Abs(f.Factor); other > 0 && (*own == 0 || other < *own) {
			*own = other
		}
	}
	least(&j.Velocity, follower.Velocity)
	least(&j.Acceleration, follower.Acceleration)
	least(&j.Jerk, follower.Jerk)
	return nil
}

// axesOf returns the columns of the matrix of a frame, and its origin.
func axesOf(f geom.Frame) axes {
	m := f.Rot.Matrix()
	column := func(i int) geom.Vector { return geom.Vector{X: m[0][i], Y: m[1][i], Z: m[2][i]} }
	return axes{column(0), column(1), column(2), f.Pos}
}

func finite(f geom.Frame) bool { return f.Pos.Finite() && f.Rot.Finite() }

// zxz returns angles with r = Rz(β)·Rx(α)·Rz(γ), β and γ at most π in amount and both 0 where that is possible.
func zxz(r geom.Rotation) (beta float64, alpha angle, gamma float64) {
	x, y, z, w := r.Quaternion()
	if w < 0 {
		x, y, z, w = -x, -y, -z, -w
	}
	sin, cos := math.Sqrt(x*x+y*y), math.Sqrt(z*z+w*w) // of α/2
	if x < 0 {
		x, y, sin = -x, -y, -sin
	}
	sum, difference := 0.0, 0.0 // halves of β+γ, β-γ
	if cos > rounding {
		sum = math.Atan2(z, w)
	}
	if math.Abs(sin) > rounding {
		difference = math.Atan2(y, x)
	}
	alpha = angle{sin: 2 * sin * cos, cos: (cos - sin) * (cos + sin)}
	return sum + difference, alpha, sum - difference
}

// rounding is what is left of a sine or cosine that should be 0.
const rounding = 5e-16

// round makes right angles right.
func (a angle) round() angle {
	if math.Abs(a.sin) < rounding {
		return angle{0, math.Copysign(1, a.cos)}
	}
	if math.Abs(a.cos) < rounding {
		return angle{math.Copysign(1, a.sin), 0}
	}
	return a
}
