package geom

import "math"

// Vector is a position, a direction, or anything else with three coordinates.
type Vector struct{ X, Y, Z float64 }

// Add returns v + w.
func (v Vector) Add(w Vector) Vector { return Vector{v.X + w.X, v.Y + w.Y, v.Z + w.Z} }

// Sub returns v - w.
func (v Vector) Sub(w Vector) Vector { return Vector{v.X - w.X, v.Y - w.Y, v.Z - w.Z} }

// Neg returns -v.
func (v Vector) Neg() Vector { return Vector{-v.X, -v.Y, -v.Z} }

// Scale returns v times s.
func (v Vector) Scale(s float64) Vector { return Vector{v.X * s, v.Y * s, v.Z * s} }

// Dot returns the dot product of v and w.
func (v Vector) Dot(w Vector) float64 { return v.X*w.X + v.Y*w.Y + v.Z*w.Z }

// Cross returns the cross product v × w.
func (v Vector) Cross(w Vector) Vector {
	return Vector{v.Y*w.Z - v.Z*w.Y, v.Z*w.X - v.X*w.Z, v.X*w.Y - v.Y*w.X}
}

// Length returns the length of v.
func (v Vector) Length() float64 { return math.Sqrt(v.Dot(v)) }

// Finite reports whether all coordinates are finite.
func (v Vector) Finite() bool {
	return math.Abs(v.X) <= math.MaxFloat64 && math.Abs(v.Y) <= math.MaxFloat64 && math.Abs(v.Z) <= math.MaxFloat64
}

// Unit returns v with length 1. A vector without direction is returned unchanged.
func (v Vector) Unit() Vector {
	if n := v.Length(); n > 0x1p-500 && n <= 0x1p500 {
		return v.Scale(1 / n)
	}
	// Squares leave the range of numbers. The largest coordinate becomes 1 first.
	m := max(math.Abs(v.X), math.Abs(v.Y), math.Abs(v.Z))
	if m == 0 {
		return v
	}
	v = Vector{v.X / m, v.Y / m, v.Z / m}
	return v.Scale(1 / v.Length())
}

// Lerp returns the point at a share of the way from v to w: v at 0, w at 1.
func (v Vector) Lerp(w Vector, share float64) Vector { return v.Add(w.Sub(v).Scale(share)) }
