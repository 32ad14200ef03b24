package path

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// Path is a curve of poses by arc length. It is built once and does not change; any number of motions may read it.
type Path struct {
	pieces   []piece
	rows     []row
	segments []Segment
	corners  []float64
	length   float64
}

// Length returns the length of the path: in m, and in rad for parts that only turn.
func (p *Path) Length() float64 { return p.length }

// Segments returns the parts of the path, with what limits the speed on them: a line and a circle are
// one, a spline is one from each via point to the next.
func (p *Path) Segments() []Segment { return p.segments }

// Corners returns the arc lengths where the direction of the path, or its rotation for each m, changes at once. Only at
// rest can a motion pass such a place.
func (p *Path) Corners() []float64 { return p.corners }

// Smooth reports whether a motion may go from one arc length to another without stopping on the way: both are on the path, and
// no corner is between them. It is fit for the cycle.
func (p *Path) Smooth(from, to float64) bool {
	if from > to {
		from, to = to, from
	}
	from, to = from+nanometre, to-nanometre
	if !(from >= 0 && to <= p.length) {
		return false
	}
	for _, s := range p.corners {
		if from < s && s < to {
			return false
		}
	}
	return true
}

// IsCorner reports whether there is a corner at an arc length. It is fit for the cycle.
func (p *Path) IsCorner(s float64) bool {
	for _, corner := range p.corners {
		if math.Abs(s-corner) <= nanometre {
			return true
		}
	}
	return false
}

// Point is a pose on a path and its derivatives by arc length.
type Point struct {
	Frame                geom.Frame
	First, Second, Third geom.Twist
}

// At returns the point at an arc length.
func (p *Path) At(s float64) Point {
	s = min(max(s, 0), p.length)
	low, high := 0, len(p.rows)
	for high-low > 1 {
		middle := int(uint(low+high) / 2)
		if middle < len(p.rows) && p.rows[middle].start <= s {
			low = middle
		} else {
			high = middle
		}
	}
	if uint(low) >= uint(len(p.rows)) || math.IsNaN(s) {
		return nowhere()
	}
	r := &p.rows[low]
	if uint(r.piece) >= uint(len(p.pieces)) {
		return nowhere()
	}
	piece := &p.pieces[r.piece]
	point := piece.at(r.parameter(s))
	point.byLength(piece.turns)
	return point
}

// nowhere returns the answer to no number, and of a path that was not built.
func nowhere() Point {
	none := math.NaN()
	v := geom.Vector{X: none, Y: none, Z: none}
	t := geom.Twist{Vel: v, Rot: v}
	return Point{geom.Frame{Pos: v, Rot: geom.FromQuaternion(none, none, none, none)}, t, t, t}
}

// byLength turns derivatives by a parameter into those by arc length: the chain rule, three times, with u' = 1/g and g
// the speed by the parameter.
func (p *Point) byLength(turns bool) {
	g, g1, g2 := p.speed(turns)
	u1 := 1 / g
	u2 := -g1 * u1 * u1 * u1
	u3 := (3*g1*g1*u1 - g2) * u1 * u1 * u1 * u1
	a, b, c := u1*u1, u1*u1*u1, 3*u1*u2
	by := func(d1, d2, d3 geom.Vector) (first, second, third geom.Vector) {
		return d1.Scale(u1), d2.Scale(a).Add(d1.Scale(u2)), d3.Scale(b).Add(d2.Scale(c)).Add(d1.Scale(u3))
	}
	p.First.Vel, p.Second.Vel, p.Third.Vel = by(p.First.Vel, p.Second.Vel, p.Third.Vel)
	p.First.Rot, p.Second.Rot, p.Third.Rot = by(p.First.Rot, p.Second.Rot, p.Third.Rot)
}

// speed returns the speed of what the path is measured by, and its two derivatives.
func (p *Point) speed(turns bool) (g, g1, g2 float64) {
	first, second, third := p.First.Vel, p.Second.Vel, p.Third.Vel
	if turns {
		first, second, third = p.First.Rot, p.Second.Rot, p.Third.Rot
	}
	g = first.Length()
	g1 = first.Dot(second) / g
	g2 = (second.Dot(second) + first.Dot(third) - g1*g1) / g
	return g, g1, g2
}

// Velocity returns the velocity at p of a motion with a velocity along the path.
func (p *Point) Velocity(velocity float64) geom.Twist { return p.First.Scale(velocity) }

// Acceleration returns the acceleration at p of a motion with a velocity and an acceleration along the path.
func (p *Point) Acceleration(velocity, acceleration float64) geom.Twist {
	return p.Second.Scale(velocity * velocity).Add(p.First.Scale(acceleration))
}

// Jerk returns the jerk at p of a motion with a velocity, acceleration and jerk along the path.
func (p *Point) Jerk(velocity, acceleration, jerk float64) geom.Twist {
	t := p.Third.Scale(velocity * velocity * velocity).Add(p.Second.Scale(3 * velocity * acceleration))
	return t.Add(p.First.Scale(jerk))
}

// Curvature returns 1/radius of the path of the point, 0 where it does not move.
func (p *Point) Curvature() float64 {
	g := p.First.Vel.Length()
	if g == 0 {
		return 0
	}
	return p.First.Vel.Cross(p.Second.Vel).Length() / (g * g * g)
}
