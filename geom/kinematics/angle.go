package kinematics

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// angle is an angle by its sine and cosine, or, where it says so, by these times some length.
type angle struct{ sin, cos float64 }

// sines are those of 0, π/32, 2π/32 up to π/2.
var sines = [...]float64{
	0, 0x1.917a6bc29b42cp-4, 0x1.8f8b83c69a60bp-3, 0x1.294062ed59f06p-2,
	0x1.87de2a6aea963p-2, 0x1.e2b5d3806f63bp-2, 0x1.1c73b39ae68c8p-1, 0x1.44cf325091dd6p-1,
	0x1.6a09e667f3bcdp-1, 0x1.8bc806b151741p-1, 0x1.a9b66290ea1a3p-1, 0x1.c38b2f180bdb1p-1,
	0x1.d906bcf328d46p-1, 0x1.e9f4156c62ddap-1, 0x1.f6297cff75cb0p-1, 0x1.fd88da3d12526p-1,
	1,
}

// corners are the angles of a whole turn in 64 parts.
var corners = newCorners()

func newCorners() (corners [64]angle) {
	for i, s := range sines {
		c := sines[16-i]
		corners[i], corners[16+i] = angle{s, c}, angle{c, -s}
		corners[32+i], corners[(48+i)%64] = angle{-s, -c}, angle{-c, s}
	}
	corners[0], corners[16], corners[32], corners[48] = angle{0, 1}, angle{1, 0}, angle{0, -1}, angle{-1, 0}
	return corners
}

// π/32 in two parts, the first of 29 bits: its products with whole numbers below 2²⁴ are exact (W. J. Cody and W. Waite,
// "Software Manual for the Elementary Functions", 1980).
const (
	corner1 = 0x1.921fb54p-4
	corner2 = 0x1.10b4611a62633p-34
)

// angleOf is math.Sincos without branches that depend on the angle: with joints that move, those are guessed wrongly, and
// take two thirds of the time. Sine and cosine are wrong by at most 2.3e-16, and their squares add up to 1 up to 4.5e-16.
func angleOf(radians float64) angle {
	if !(math.Abs(radians) < 1e6) {
		sin, cos := math.Sincos(radians)
		return angle{sin, cos}
	}
	// Of a number of this size the last bit stands for 1.
	const whole = 0x3p51
	turns := radians*(32/math.Pi) + whole
	n := turns - whole
	r := radians - float64(n*corner1) - float64(n*corner2) // from -π/64 to π/64

	// The polynomials of this degree with the least error, 8e-19 and 8e-18, computed by the algorithm of Remez: the sine,
	// and the cosine less 1, of what is left to the nearest corner.
	z := r * r
	sin := r + r*z*(-0.16666666666665958+z*(0.008333333315511489+z*-0.00019839994143814316))
	cos := z * (-0.49999999999993633 + z*(0.04166666650627155+z*-0.001388774076900967))
	at := &corners[math.Float64bits(turns)&63]
	return angle{at.sin + (at.cos*sin + at.sin*cos), at.cos + (at.cos*cos - at.sin*sin)}
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
