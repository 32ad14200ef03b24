package geom

import "math"

// Degree is an angle of one degree: 90 * Degree.
const Degree = math.Pi / 180

// Angle returns the angle between the directions of v and w, from 0 to π.
func (v Vector) Angle(w Vector) float64 {
	v, w = v.Unit(), w.Unit()
	return math.Atan2(v.Cross(w).Length(), v.Dot(w))
}

// Near reports whether v and w are at most a distance apart.
func (v Vector) Near(w Vector, distance float64) bool { return v.Sub(w).Length() <= distance }

// Near reports whether r and s differ by at most an angle.
func (r Rotation) Near(s Rotation, angle float64) bool { return r.To(s).Angle() <= angle }

// Near reports whether f and g are at most a distance and an angle apart.
func (f Frame) Near(g Frame, distance, angle float64) bool {
	return f.Pos.Near(g.Pos, distance) && f.Rot.Near(g.Rot, angle)
}

// without returns the direction of v without its part along the direction u.
func (v Vector) without(u Vector) Vector {
	v = v.Unit()
	v = v.Sub(u.Scale(u.Dot(v))).Unit()
	return v.Sub(u.Scale(u.Dot(v))).Unit() // what was nearly parallel has to lose rounding errors that have grown
}

// beside returns a direction that is perpendicular to the direction u.
func beside(u Vector) Vector {
	axis := Vector{Z: 1}
	if x, y, z := math.Abs(u.X), math.Abs(u.Y), math.Abs(u.Z); x <= y && x <= z {
		axis = Vector{X: 1}
	} else if y <= z {
		axis = Vector{Y: 1}
	}
	return axis.without(u)
}

// Between returns the shortest rotation that brings the direction of v to that of w; between opposite directions about
// any axis. Without a direction there is no rotation. The angle is that of W. Kahan, "How futile are mindless assessments
// of roundoff", §12, which is exact for parallel and opposite directions too.
func Between(v, w Vector) Rotation {
	v, w = v.Unit(), w.Unit()
	apart, together := v.Sub(w).Length(), v.Add(w).Length()
	axis := v.Cross(w).without(v)
	if axis == (Vector{}) && apart > together {
		axis = beside(v)
	}
	return FromAxisAngle(axis, 2*math.Atan2(apart, together))
}

// FromAxes returns the rotation whose X axis has the direction of x, and whose Y axis lies on the side of y. It reports
// whether there is only one: whether x and y have directions that are not parallel.
func FromAxes(x, y Vector) (r Rotation, found bool) {
	x = x.Unit()
	z := x.Cross(y.Unit())
	const parallel = 1e-12 // the direction of z would be that of rounding errors
	if !(z.Length() > parallel) {
		return Rotation{}, false
	}
	z = z.without(x)
	y = z.Cross(x)
	return FromMatrix([3][3]float64{{x.X, y.X, z.X}, {x.Y, y.Y, z.Y}, {x.Z, y.Z, z.Z}}), true
}

// FromPoints returns the frame that is taught by three points (3-point method, §11.2.1): its origin, a point of its X
// axis, and a point of its XY plane on the side of its Y axis. It reports whether there is one: whether the points are not
// on one line.
func FromPoints(origin, onX, inXY Vector) (f Frame, found bool) {
	r, found := FromAxes(onX.Sub(origin), inXY.Sub(origin))
	return Frame{origin, r}, found
}

// Mean returns the rotation from which the vectors of Log to all others add up to 0. It is the only one if there is a
// rotation from which they all are less than π/2 away. The mean of none is not a rotation.
func Mean(of ...Rotation) Rotation {
	if len(of) == 0 {
		return Rotation{}
	}
	mean := of[0]
	const steps = 32 // each takes two digits of rotations that are close together, and some of others
	for range steps {
		var sum Vector
		for _, r := range of {
			sum = sum.Add(mean.To(r).Log())
		}
		step := sum.Scale(1 / float64(len(of)))
		mean = mean.Mul(Exp(step))
		if step.Length() < 1e-15 {
			break
		}
	}
	return mean
}
