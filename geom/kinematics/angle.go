package kinematics

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// angle is an angle by its sine and cosine, or, where it says so, by these times some length.
type angle struct{ sin, cos float64 }

// π/2 in two parts, the first of 33 bits: its products with whole numbers below 2²⁰ are exact (W. J. Cody and W. Waite,
// "Software Manual for the Elementary Functions", 1980).
const (
	quarter1 = 0x1.921fb544p+0
	quarter2 = 0x1.0b4611a626331p-34
)

// angleOf is math.Sincos without branches that depend on the angle: with joints that move, those are guessed wrongly, and
// take two thirds of the time. Sine and cosine are wrong by at most 2.3e-16, and their squares add up to 1 as exactly.
func angleOf(radians float64) angle {
	if !(math.Abs(radians) < 1e6) {
		sin, cos := math.Sincos(radians)
		return angle{sin, cos}
	}
	// Of a number of this size the last bit stands for 1.
	const whole = 0x3p51
	turns := radians*(2/math.Pi) + whole
	quadrant, n := math.Float64bits(turns), turns-whole
	r := radians - float64(n*quarter1) - float64(n*quarter2) // from -π/4 to π/4

	// The polynomial of this degree with the least relative error, 4e-18, computed by the algorithm of Remez.
	z := r * r
	high := 2.7557313621352656e-06 + z*(-2.5050747757499188e-08+z*1.5896229837095094e-10)
	sin := r + r*z*(-0.1666666666666663+z*(0.008333333333322118+z*(-0.00019841269829589447+z*high)))
	cos := math.Sqrt(1 - sin*sin) // not close to 0

	// In odd quadrants they change places; signs are those of the quadrant.
	s, c := math.Float64bits(sin), math.Float64bits(cos)
	swap := (s ^ c) & -(quadrant & 1)
	s ^= swap ^ (quadrant&2)<<62
	c ^= swap ^ ((quadrant+1)&2)<<62
	return angle{math.Float64frombits(s), math.Float64frombits(c)}
}

// half returns the half of the angle from x to y, between -π/2 and π/2, times some length, which is 0 for the zero vector.
// It has no branches that depend on the angle either.
func half(y, x float64) angle {
	more, less := math.Sqrt(x*x+y*y)+math.Abs(x), math.Abs(y) // those of a half below π/4
	const sign = 1 << 63
	c, s := math.Float64bits(more), math.Float64bits(less)
	swap := (c ^ s) & -(math.Float64bits(x) >> 63)
	return angle{
		sin: math.Float64frombits(s ^ swap ^ math.Float64bits(y)&sign),
		cos: math.Float64frombits(c ^ swap),
	}
}

// plus and minus add and subtract angles, and multiply their lengths.
func (a angle) plus(b angle) angle {
	return angle{a.sin*b.cos + a.cos*b.sin, a.cos*b.cos - a.sin*b.sin}
}

func (a angle) minus(b angle) angle {
	return angle{a.sin*b.cos - a.cos*b.sin, a.cos*b.cos + a.sin*b.sin}
}

func blend(u geom.Vector, a float64, v geom.Vector, b float64) geom.Vector {
	return geom.Vector{X: u.X*a + v.X*b, Y: u.Y*a + v.Y*b, Z: u.Z*a + v.Z*b}
}
