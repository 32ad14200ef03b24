package geom

import "math"

// Rotation is a rotation in space, kept as a unit quaternion. The zero value is not a rotation at all.
type Rotation struct {
	x, y, z float64
	w       uint64 // bits of the real part, exclusive or those of 1
}

// one is what the real part of the zero value is.
const one = 0x3FF << 52

func (r Rotation) real() float64 { return math.Float64frombits(r.w ^ one) }

// unit makes a rotation of a quaternion that is a unit one up to rounding, or has to be brought to length 1.
func unit(x, y, z, w float64) Rotation {
	// A length that is wrong by less than that stems from rounding, and is left alone: words that travel between nets
	// should not change, and errors do not grow, because those of a product are larger and corrected.
	const rounding = 4e-15
	if d := x*x + y*y + z*z + w*w - 1; d < -rounding || d > rounding {
		x, y, z, w = shorten(x, y, z, w)
	}
	return Rotation{x, y, z, math.Float64bits(w) ^ one}
}

// shorten brings a quaternion to length 1. One without direction becomes that of no rotation.
func shorten(x, y, z, w float64) (ux, uy, uz, uw float64) {
	n := math.Sqrt(x*x + y*y + z*z + w*w)
	if n > 0x1p-500 && n <= 0x1p500 {
		return x / n, y / n, z / n, w / n
	}
	// Squares leave the range of numbers. The largest part becomes 1 first.
	m := max(math.Abs(x), math.Abs(y), math.Abs(z), math.Abs(w))
	if m == 0 {
		return 0, 0, 0, 1
	}
	x, y, z, w = x/m, y/m, z/m, w/m
	n = math.Sqrt(x*x + y*y + z*z + w*w)
	return x / n, y / n, z / n, w / n
}

// FromQuaternion returns the rotation of the quaternion w + xi + yj + zk, whatever its length. Without any length it is
// not a rotation.
func FromQuaternion(x, y, z, w float64) Rotation { return unit(x, y, z, w) }

// Quaternion returns the unit quaternion w + xi + yj + zk. Its negative stands for the same rotation.
func (r Rotation) Quaternion() (x, y, z, w float64) { return r.x, r.y, r.z, r.real() }

// Finite reports whether r is a rotation, and was not made of NaN or infinities.
func (r Rotation) Finite() bool {
	return Vector{r.x, r.y, r.z}.Finite() && math.Abs(r.real()) <= math.MaxFloat64
}

// FromABC returns Rz(a)·Ry(b)·Rx(c): about Z first, then about the Y and the X axis that result. These are yaw, pitch and
// roll about fixed axes; FromEuler knows other orders.
func FromABC(a, b, c float64) Rotation {
	sa, ca := math.Sincos(a / 2)
	sb, cb := math.Sincos(b / 2)
	sc, cc := math.Sincos(c / 2)
	return unit(ca*cb*sc-sa*sb*cc, ca*sb*cc+sa*cb*sc, sa*cb*cc-ca*sb*sc, ca*cb*cc+sa*sb*sc)
}

// ABC returns the angles with r = Rz(a)·Ry(b)·Rx(c), a and c from -π to π, b from -π/2 to π/2. Where b is ±π/2, a and c
// turn about the same axis, and c is 0.
//
// From the quaternion of FromABC follow four numbers that are the sines and cosines of (a+c)/2 and (a-c)/2 times those of
// b/2 ± π/4. Other than with the elements of a matrix nothing is lost near ±π/2: the angles give r again, to the last
// digits, however close b is (as E. Bernardes and S. Viollet, "Quaternion to Euler angles conversion", PLoS ONE 17, 2022).
func (r Rotation) ABC() (a, b, c float64) {
	w := r.real()
	ss, cs := r.z+r.x, w-r.y // sin, cos (a+c)/2 · minus
	sd, cd := r.z-r.x, w+r.y // sin, cos (a-c)/2 · plus
	minus, plus := math.Sqrt(ss*ss+cs*cs), math.Sqrt(sd*sd+cd*cd)

	b = math.Atan2(2*(float64(w*r.y)-float64(r.x*r.z)), minus*plus)
	const singular = 4e-16 // rounding: what the angle says of which this is the length is noise
	switch {
	case minus <= singular:
		return math.Atan2(2*sd*cd, cd*cd-sd*sd), math.Pi / 2, 0
	case plus <= singular:
		return math.Atan2(2*ss*cs, cs*cs-ss*ss), -math.Pi / 2, 0
	}
	// Without float64 some processors would not see that equal products cancel.
	a = math.Atan2(float64(ss*cd)+float64(cs*sd), float64(cs*cd)-float64(ss*sd))
	c = math.Atan2(float64(ss*cd)-float64(cs*sd), float64(cs*cd)+float64(ss*sd))
	return a, b, c
}

// FromAxisAngle returns the rotation by an angle about an axis, whatever its length. About no axis there is no rotation.
func FromAxisAngle(axis Vector, angle float64) Rotation {
	u := axis.Unit()
	if u == (Vector{}) {
		return Rotation{}
	}
	s, c := math.Sincos(angle / 2)
	return unit(u.X*s, u.Y*s, u.Z*s, c)
}

// AxisAngle returns the axis, of length 1, and the angle from 0 to π. The axis of no rotation is X.
func (r Rotation) AxisAngle() (axis Vector, angle float64) {
	angle = r.Angle()
	if angle == 0 {
		return Vector{X: 1}, 0
	}
	axis = Vector{r.x, r.y, r.z}.Unit()
	if r.real() < 0 {
		axis = axis.Neg()
	}
	return axis, angle
}

// Angle returns the angle of r, from 0 to π.
func (r Rotation) Angle() float64 {
	return 2 * math.Atan2(Vector{r.x, r.y, r.z}.Length(), math.Abs(r.real()))
}

// small is the angle up to which a sine is its angle, to the last digit.
const small = 1e-8

// Exp returns the rotation about the direction of v by the length of v.
func Exp(v Vector) Rotation {
	angle := v.Length()
	if angle < small {
		return unit(v.X/2, v.Y/2, v.Z/2, 1)
	}
	s, c := math.Sincos(angle / 2)
	s /= angle
	return unit(v.X*s, v.Y*s, v.Z*s, c)
}

// Log returns the shortest vector with Exp(v) = r: the axis times the angle.
func (r Rotation) Log() Vector {
	v, w := Vector{r.x, r.y, r.z}, r.real()
	if w < 0 { // the shorter way round
		v, w = v.Neg(), -w
	}
	n := v.Length()
	if n < small {
		return v.Scale(2 / w)
	}
	return v.Scale(2 * math.Atan2(n, w) / n)
}

// FromMatrix returns the rotation of a matrix with orthogonal columns of length 1, the axes of the rotated system.
func FromMatrix(m [3][3]float64) Rotation {
	return FromColumns(Vector{m[0][0], m[1][0], m[2][0]}, Vector{m[0][1], m[1][1], m[2][1]}, Vector{m[0][2], m[1][2], m[2][2]})
}

// FromColumns returns the rotation of a system by its axes, orthogonal and of length 1. It takes the square root of the
// largest sum that the diagonal of their matrix allows (S. W. Shepperd, "Quaternion from rotation matrix", Journal of
// Guidance and Control 1, 1978).
func FromColumns(x, y, z Vector) Rotation {
	switch trace := x.X + y.Y + z.Z; {
	case trace >= x.X && trace >= y.Y && trace >= z.Z:
		return half(1+trace, y.Z-z.Y, z.X-x.Z, x.Y-y.X, 1+trace)
	case x.X >= y.Y && x.X >= z.Z:
		t := 1 + x.X - y.Y - z.Z
		return half(t, t, x.Y+y.X, z.X+x.Z, y.Z-z.Y)
	case y.Y >= z.Z:
		t := 1 - x.X + y.Y - z.Z
		return half(t, x.Y+y.X, t, y.Z+z.Y, z.X-x.Z)
	default:
		t := 1 - x.X - y.Y + z.Z
		return half(t, z.X+x.Z, y.Z+z.Y, t, x.Y-y.X)
	}
}

// half makes a rotation of a quaternion of which one number and its square is known.
func half(square, x, y, z, w float64) Rotation {
	s := 0.5 / math.Sqrt(square)
	return unit(x*s, y*s, z*s, w*s)
}

// Matrix returns the matrix of r by rows. Its columns are the axes of the rotated system.
func (r Rotation) Matrix() [3][3]float64 {
	x, y, z, w := r.Quaternion()
	return [3][3]float64{
		{1 - 2*(y*y+z*z), 2 * (x*y - w*z), 2 * (x*z + w*y)},
		{2 * (x*y + w*z), 1 - 2*(x*x+z*z), 2 * (y*z - w*x)},
		{2 * (x*z - w*y), 2 * (y*z + w*x), 1 - 2*(x*x+y*y)},
	}
}

// Mul returns r·s: s as seen from the reference of r.
func (r Rotation) Mul(s Rotation) Rotation {
	rw, sw := r.real(), s.real()
	return unit(
		rw*s.x+r.x*sw+r.y*s.z-r.z*s.y,
		rw*s.y-r.x*s.z+r.y*sw+r.z*s.x,
		rw*s.z+r.x*s.y-r.y*s.x+r.z*sw,
		rw*sw-r.x*s.x-r.y*s.y-r.z*s.z,
	)
}

// Invert returns the inverse rotation.
func (r Rotation) Invert() Rotation { return Rotation{-r.x, -r.y, -r.z, r.w} }

// To returns s as seen from r: r.Mul(r.To(s)) is s.
func (r Rotation) To(s Rotation) Rotation { return r.Invert().Mul(s) }

// Rotate returns v rotated by r, or the vector that r sees as v, as seen from its reference.
func (r Rotation) Rotate(v Vector) Vector {
	q := Vector{r.x, r.y, r.z}
	t := q.Cross(v).Scale(2)
	return v.Add(t.Scale(r.real())).Add(q.Cross(t))
}

// Slerp returns the rotation at a share of the shortest way from r to s, about one axis: r at 0, s at 1.
func (r Rotation) Slerp(s Rotation, share float64) Rotation {
	return r.Mul(Exp(r.To(s).Log().Scale(share)))
}

// Bezier returns the rotation at a place of the cubic curve from r, at 0, to s, at 1, that has the given angular
// velocities there, seen from the reference. Quaternions are blended as points in space, s taken on the side of r, and
// brought back to length 1.
func (r Rotation) Bezier(velocity, velocityThere Vector, s Rotation, at float64) Rotation {
	q, w, p, u := Vector{r.x, r.y, r.z}, r.real(), Vector{s.x, s.y, s.z}, s.real()
	if q.Dot(p)+w*u < 0 {
		p, u = p.Neg(), -u
	}
	back := 1 - at
	second, third := 3*back*back*at, 3*back*at*at
	first, last := back*back*back+second, third+at*at*at // control points lie next to the ends
	second, third = second/6, -third/6                   // a quaternion changes by half of velocity times itself, in a third of the way
	v := q.Scale(first).Add(p.Scale(last))
	v = v.Add(velocity.Scale(w).Add(velocity.Cross(q)).Scale(second))
	v = v.Add(velocityThere.Scale(u).Add(velocityThere.Cross(p)).Scale(third))
	return unit(v.X, v.Y, v.Z, first*w+last*u-second*velocity.Dot(q)-third*velocityThere.Dot(p))
}

// Add returns the rotation of a system that had the rotation r and has turned with an angular velocity, seen from the
// reference, for a time.
func (r Rotation) Add(velocity Vector, time float64) Rotation {
	return Exp(velocity.Scale(time)).Mul(r)
}

// Velocity returns the angular velocity, seen from the reference, that leads from r to s in a time on the shortest way:
// r.Add(r.Velocity(s, time), time) is s.
func (r Rotation) Velocity(s Rotation, time float64) Vector {
	return s.Mul(r.Invert()).Log().Scale(1 / time)
}
