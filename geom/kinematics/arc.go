package kinematics

import "math"

// bases are the angles that arc counts from, in two parts, of which the second is what rounding takes from the first. They
// are for: shallow or steep (bit 0), y larger than x (bit 1), x negative (bit 2).
var bases = [8][2]float64{
	{0, 0},
	{0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}, // π/4
	{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54}, // π/2
	{0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
	{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53}, // π
	{0x1.2d97c7f3321d2p+1, 0x1.a79394c9e8a0ap-54}, // 3π/4
	{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54},
	{0x1.2d97c7f3321d2p+1, 0x1.a79394c9e8a0ap-54},
}

// arc is math.Atan2 without branches that depend on the angle, as angleOf is math.Sincos. It is wrong by at most the last
// digit.
func arc(y, x float64) float64 {
	// Amounts are in the order of their bits.
	const sign = 1 << 63
	bitsX, bitsY := math.Float64bits(x)&^sign, math.Float64bits(y)&^sign
	larger := (bitsX - bitsY) >> 63
	swap := (bitsX ^ bitsY) & -larger
	most, least := math.Float64frombits(bitsX^swap), math.Float64frombits(bitsY^swap)
	if !(most > 0x1p-1000 && most < 0x1p1000) {
		return math.Atan2(y, x)
	}
	// A steep angle counts from π/4, so that the tangent that is left is at most that of π/8.
	const tangent = 0.41421356237309503
	steep := (math.Float64bits(tangent*most) - math.Float64bits(least)) >> 63
	one := math.Float64frombits(-steep & 0x3ff0000000000000) // or 0
	u := (least - one*most) / (most + one*least)

	// The polynomial of this degree with the least relative error, 1.3e-18, computed by the algorithm of Remez; even and
	// odd powers apart, so that the processor can compute them at the same time.
	z := u * u
	w := z * z
	even := -0.333333333333332 + w*(-0.14285714280248107+w*(-0.09090897835577028+w*(-0.06663120202883398+
		w*(-0.05039839869275472+w*-0.017922133043310178))))
	odd := 0.19999999999954082 + w*(0.11111110786110516+w*(0.0769206162113147+w*(0.05848007626306296+w*0.03807818244374593)))
	a := u + u*z*(even+z*odd)

	negative := math.Float64bits(x) >> 63
	a = math.Float64frombits(math.Float64bits(a) ^ (larger^negative)<<63)
	base := &bases[(steep|larger<<1|negative<<2)&7]
	return math.Copysign(base[0]+(a+base[1]), y)
}
