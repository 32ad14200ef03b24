package kinematics

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// angle is an angle by its sine and cosine.
type angle struct{ sin, cos float64 }

func angleOf(radians float64) angle {
	sin, cos := math.Sincos(radians)
	return angle{sin, cos}
}

// pose is a frame as the columns of a matrix: the axes and the origin. Chaining steps takes fewer operations in this
// form than with quaternions.
type pose struct{ x, y, z, at geom.Vector }

func poseOf(f geom.Frame) pose {
	m := f.Rot.Matrix()
	column := func(i int) geom.Vector { return geom.Vector{X: m[0][i], Y: m[1][i], Z: m[2][i]} }
	return pose{column(0), column(1), column(2), f.Pos}
}

func (p *pose) frame() geom.Frame {
	return geom.Frame{Pos: p.at, Rot: geom.FromMatrix([3][3]float64{
		{p.x.X, p.y.X, p.z.X}, {p.x.Y, p.y.Y, p.z.Y}, {p.x.Z, p.y.Z, p.z.Z},
	})}
}

// turn turns about z.
func (p *pose) turn(a angle) {
	p.x, p.y = geom.Vector{
		X: a.cos*p.x.X + a.sin*p.y.X, Y: a.cos*p.x.Y + a.sin*p.y.Y, Z: a.cos*p.x.Z + a.sin*p.y.Z,
	}, geom.Vector{
		X: a.cos*p.y.X - a.sin*p.x.X, Y: a.cos*p.y.Y - a.sin*p.x.Y, Z: a.cos*p.y.Z - a.sin*p.x.Z,
	}
}

// go_ on moves along all axes and turns about x.
func (p *pose) move(x, y, z float64) {
	p.at.X += x*p.x.X + y*p.y.X + z*p.z.X
	p.at.Y += x*p.x.Y + y*p.y.Y + z*p.z.Y
	p.at.Z += x*p.x.Z + y*p.y.Z + z*p.z.Z
}

// tilt turns about x.
func (p *pose) tilt(a angle) {
	p.y, p.z = geom.Vector{
		X: a.cos*p.y.X + a.sin*p.z.X, Y: a.cos*p.y.Y + a.sin*p.z.Y, Z: a.cos*p.y.Z + a.sin*p.z.Z,
	}, geom.Vector{
		X: a.cos*p.z.X - a.sin*p.y.X, Y: a.cos*p.z.Y - a.sin*p.y.Y, Z: a.cos*p.z.Z - a.sin*p.y.Z,
	}
}

// step is Rz(ϑ)·T·Rx(α), where the value of a joint is in ϑ or in T.
type step struct {
	factor, ahead float64 // the joint has factor·value + ahead
	offset        float64 // added to ϑ
	by            geom.Vector
	alpha         angle
	fixed         angle // ϑ of a joint that slides
	from          uint8 // the joint with the value
	slides        bool
}

// settle computes what does not depend on values.
func (s *step) settle() {
	if s.slides {
		s.fixed = angleOf(s.offset)
		s.by.Z += s.ahead
	} else {
		s.offset += s.ahead
	}
	s.ahead = 0
}

// turned lets the joint turn or slide, in which the axis z stays, and returns false if it has no value.
func (s *step) turned(p *pose, q []float64) bool {
	i := int(s.from)
	if i >= len(q) {
		return false
	}
	if s.slides {
		p.turn(s.fixed)
		p.move(0, 0, s.factor*q[i])
	} else {
		p.turn(angleOf(s.factor*q[i] + s.offset))
	}
	return true
}

// on leads to the axis of the next joint.
func (s *step) on(p *pose) {
	p.move(s.by.X, s.by.Y, s.by.Z)
	p.tilt(s.alpha)
}

// nowhere is the frame of what has no values.
func nowhere() geom.Frame {
	nan := math.NaN()
	return geom.Frame{Pos: geom.Vector{X: nan, Y: nan, Z: nan}, Rot: geom.FromQuaternion(nan, nan, nan, nan)}
}

// Forward returns the pose of the tip for values of all joints. With too few of them it is not a number.
func (c *Chain) Forward(q []float64) geom.Frame {
	p := c.start
	for i := range c.steps {
		if i >= c.m {
			break
		}
		s := &c.steps[i]
		if !s.turned(&p, q) {
			return nowhere()
		}
		s.on(&p)
	}
	p.turn(c.tip)
	return p.frame()
}

// Frames writes the poses of the links, as many as there is room for.
func (c *Chain) Frames(q []float64, into []geom.Frame) {
	p := c.start
	for i := range c.steps {
		if i >= c.m || i >= len(into) {
			break
		}
		s := &c.steps[i]
		if !s.turned(&p, q) {
			into[i] = nowhere()
			continue
		}
		into[i] = p.frame().Mul(c.links[i])
		s.on(&p)
	}
}

// Line is the axis of a joint: a point of it, and its direction, of length 1.
type Line struct{ Point, Direction geom.Vector }

// Axes writes the axes about and along which the links move, the direction so that larger values of the joint turn or
// slide positively. There is one for each link, as far as there is room for them.
func (c *Chain) Axes(q []float64, into []Line) {
	p := c.start
	for i := range c.steps {
		if i >= c.m || i >= len(into) {
			break
		}
		s := &c.steps[i]
		into[i] = Line{p.at, p.z.Scale(math.Copysign(1, s.factor))}
		if !s.turned(&p, q) {
			into[i] = Line{nowhere().Pos, nowhere().Pos}
			continue
		}
		s.on(&p)
	}
}

// Jacobian writes the Jacobian of the tip, seen from the base with respect to the origin of the tip, and returns the pose
// of the tip, which is known then.
func (c *Chain) Jacobian(q []float64, into *geom.Jacobian) geom.Frame {
	var axes [MaxJoints]Line
	into.Len = c.n
	p := c.start
	for i := range c.steps {
		if i >= c.m {
			break
		}
		s := &c.steps[i]
		axes[i] = Line{p.at, p.z}
		if !s.turned(&p, q) {
			p.at = nowhere().Pos
		}
		s.on(&p)
	}
	into.Columns = [MaxJoints]geom.Twist{}
	for i := range c.steps {
		if i >= c.m {
			break
		}
		s, a := &c.steps[i], &axes[i]
		column := &into.Columns[s.from%MaxJoints]
		if s.slides {
			*column = column.Add(geom.Twist{Vel: a.Direction.Scale(s.factor)})
		} else {
			turn := a.Direction.Scale(s.factor)
			*column = column.Add(geom.Twist{Vel: turn.Cross(p.at.Sub(a.Point)), Rot: turn})
		}
	}
	p.turn(c.tip)
	return p.frame()
}

// Twist returns the twist of the tip for values and velocities of all joints, seen from the base with respect to the
// origin of the tip.
func (c *Chain) Twist(q, velocities []float64) geom.Twist {
	var j geom.Jacobian
	c.Jacobian(q, &j)
	if len(velocities) < c.n {
		return geom.Twist{Vel: nowhere().Pos, Rot: nowhere().Pos}
	}
	return j.Twist(velocities)
}
