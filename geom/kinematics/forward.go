package kinematics

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// step is Rz(ϑ)·T·Rx(α), where the value of a joint is in ϑ or in T. See build.
type step struct {
	factor float64 // of the value
	offset float64 // added to ϑ
	fixed  angle   // ϑ of a joint that slides
	by     geom.Vector
	alpha  angle
	tilt   tilt
	from   uint8 // the joint with the value
	slides bool
}

// tilt is how much there is to do for α. Arms have few angles but right ones.
type tilt uint8

const (
	oblique tilt = iota
	none
	right
	left
)

// settle computes what does not depend on values.
func (s *step) settle() {
	s.alpha = s.alpha.round()
	switch s.alpha {
	case angle{0, 1}:
		s.tilt = none
	case angle{1, 0}:
		s.tilt = right
	case angle{-1, 0}:
		s.tilt = left
	}
	if s.slides {
		s.fixed = angleOf(s.offset)
	}
}

// motion is what the value of a joint makes of its step.
type motion struct {
	angle
	slide float64
}

// motions computes what values make of all steps, and reports whether there are enough of them.
func (c *Chain) motions(q []float64, into *[MaxJoints]motion) bool {
	for i := range c.steps {
		if i >= c.m {
			break
		}
		s := &c.steps[i]
		from := int(s.from)
		if from >= len(q) {
			return false
		}
		v, m := s.factor*q[from], &into[i]
		if s.slides {
			m.angle, m.slide = s.fixed, v
		} else {
			m.angle = angleOf(v + s.offset)
		}
	}
	return true
}

// axes are a pose as the columns of a matrix, the axes and the origin. In this form steps take fewer operations than with
// quaternions, and the axis of a joint is known without any.
type axes struct{ x, y, z, at geom.Vector }

// trace goes from the base to the tip, and notes where it is before each step, as far as there is room. Here and where it
// is called vectors are passed and stored one by one: the compiler would put larger structs together in memory and copy
// them, and the copy has to wait for them.
func (c *Chain) trace(moved *[MaxJoints]motion, stops []axes) (x, y, z, at geom.Vector) {
	x, y, z, at = c.start.x, c.start.y, c.start.z, c.start.at
	for i := range c.steps {
		if i >= c.m {
			break
		}
		if i < len(stops) {
			here := &stops[i]
			here.x, here.y, here.z, here.at = x, y, z, at
		}
		s, m := &c.steps[i], &moved[i]
		x, y = blend(x, m.cos, y, m.sin), blend(y, m.cos, x, -m.sin)
		if s.by.X != 0 {
			at = blend(at, 1, x, s.by.X)
		}
		if s.by.Y != 0 {
			at = blend(at, 1, y, s.by.Y)
		}
		if by := s.by.Z + m.slide; by != 0 {
			at = blend(at, 1, z, by)
		}
		switch s.tilt {
		case right:
			y, z = z, y.Neg()
		case left:
			y, z = z.Neg(), y
		case oblique:
			y, z = blend(y, s.alpha.cos, z, s.alpha.sin), blend(z, s.alpha.cos, y, -s.alpha.sin)
		case none:
		}
	}
	if c.tip.sin != 0 || c.tip.cos != 1 {
		x, y = blend(x, c.tip.cos, y, c.tip.sin), blend(y, c.tip.cos, x, -c.tip.sin)
	}
	return x, y, z, at
}

// Forward returns the pose of the tip for values of all joints. With too few of them it is not a number.
func (c *Chain) Forward(q []float64) geom.Frame {
	var moved [MaxJoints]motion
	if !c.motions(q, &moved) {
		return nowhere()
	}
	return frame(c.trace(&moved, nil))
}

func frame(x, y, z, at geom.Vector) geom.Frame {
	return geom.Frame{Pos: at, Rot: geom.FromColumns(x, y, z)}
}

// nowhere returns the frame of what has no values.
func nowhere() geom.Frame { return frame(noVector, noVector, noVector, noVector) }

// noVector and noTwist are not known. They are variables as NaN is not a constant; they are not changed.
var (
	noVector = geom.Vector{X: math.NaN(), Y: math.NaN(), Z: math.NaN()}
	noTwist  = geom.Twist{Vel: noVector, Rot: noVector}
)
