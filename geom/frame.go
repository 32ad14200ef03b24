package geom

import "math"

// Frame is a pose: the position and rotation of a coordinate system. The zero value is the reference itself.
type Frame struct {
	Pos Vector
	Rot Rotation
}

// Mul returns f·g: g as seen from the reference of f.
func (f Frame) Mul(g Frame) Frame { return Frame{f.Pos.Add(f.Rot.Rotate(g.Pos)), f.Rot.Mul(g.Rot)} }

// Finite reports whether all numbers are finite.
func (f Frame) Finite() bool { return f.Pos.Finite() && f.Rot.Finite() }

// Invert returns the reference as seen from f.
func (f Frame) Invert() Frame {
	back := f.Rot.Invert()
	return Frame{back.Rotate(f.Pos.Neg()), back}
}

// To returns g as seen from f: f.Mul(f.To(g)) is g.
func (f Frame) To(g Frame) Frame {
	back := f.Rot.Invert()
	return Frame{back.Rotate(g.Pos.Sub(f.Pos)), back.Mul(g.Rot)}
}

// Point returns the position that f sees as v, as seen from the reference of f.
func (f Frame) Point(v Vector) Vector { return f.Pos.Add(f.Rot.Rotate(v)) }

// Twist returns the motion that f sees as t about its origin, as seen from the reference of f about that origin.
func (f Frame) Twist(t Twist) Twist { return t.Rotate(f.Rot).At(f.Pos.Neg()) }

// Wrench returns the wrench that f sees as w about its origin, as seen from the reference of f about that origin.
func (f Frame) Wrench(w Wrench) Wrench { return w.Rotate(f.Rot).At(f.Pos.Neg()) }

// Lerp returns the frame at a share of the way from f to g: the position on a straight line, the rotation on the
// shortest way about one axis.
func (f Frame) Lerp(g Frame, share float64) Frame {
	return Frame{f.Pos.Lerp(g.Pos, share), f.Rot.Slerp(g.Rot, share)}
}

// Add returns f after it has moved with a twist, seen from the reference with respect to the origin of f, for a
// time. Position and rotation change independently of each other (addDelta of the library KDL).
func (f Frame) Add(t Twist, time float64) Frame {
	return Frame{f.Pos.Add(t.Vel.Scale(time)), f.Rot.Add(t.Rot, time)}
}

// Velocity returns the twist that leads from f to g in a time: f.Add(f.Velocity(g, time), time) is g (diff of the library
// KDL).
func (f Frame) Velocity(g Frame, time float64) Twist {
	return Twist{g.Pos.Sub(f.Pos).Scale(1 / time), f.Rot.Velocity(g.Rot, time)}
}

// Exp returns the frame of a body that started at the reference and moved with a constant twist about it for the time 1: a
// screw motion (Murray, Li and Sastry, proposition 2.9).
func (t Twist) Exp() Frame {
	angle := t.Rot.Length()
	sinc, cosc, rest := 1.0, 0.5, 1.0/6 // sin α/α, (1-cos α)/α², (α-sin α)/α³
	if angle > small {
		s, c := math.Sincos(angle / 2)
		sinc, cosc = 2*s*c/angle, 2*s*s/(angle*angle)
		rest = (1 - sinc) / (angle * angle)
	}
	across := t.Rot.Cross(t.Vel)
	along := t.Rot.Scale(t.Rot.Dot(t.Vel))
	return Frame{t.Vel.Scale(sinc).Add(across.Scale(cosc)).Add(along.Scale(rest)), Exp(t.Rot)}
}

// Log returns the twist with Exp(t) = f, on the shortest way.
func (f Frame) Log() Twist {
	rot := f.Rot.Log()
	angle := rot.Length()
	k := 1.0 / 12 // (1 - α/2·cot α/2)/α²
	if angle > small {
		s, c := math.Sincos(angle / 2)
		k = (1 - angle/2*c/s) / (angle * angle)
	}
	across := rot.Cross(f.Pos)
	return Twist{f.Pos.Sub(across.Scale(0.5)).Add(rot.Cross(across).Scale(k)), rot}
}
