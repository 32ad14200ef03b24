package kinematics

import "math"

// eighths are the arcs whose tangents are 0, 1/8, 2/8 up to 1, in two parts, of which the second is what rounding takes
// from the first.
var eighths = [...][2]float64{
	{0, 0},
	{0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
	{0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
	{0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
	{0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
	{0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
	{0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
	{0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
	{0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
}

// bases are the angles that arc counts from, in two parts as well. They are for: the eighth (bits 0 to 3), y larger than x
// (bit 4), x negative (bit 5).
var bases = newBases()

func newBases() (bases [64][2]float64) {
	quarter, half := [2]float64{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54}, [2]float64{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53}
	for i, e := range eighths {
		bases[i] = e
		bases[i|16] = inTwo(quarter, -1, e)
		bases[i|32] = inTwo(half, -1, e)
		bases[i|48] = inTwo(quarter, 1, e)
	}
	return bases
}

// inTwo returns a + sign·b, where b is not larger than a.
func inTwo(a [2]float64, sign float64, b [2]float64) [2]float64 {
	sum := a[0] + sign*b[0]
	return [2]float64{sum, sign*b[0] - (sum - a[0]) + (a[1] + sign*b[1])}
}

// arc is math.Atan2 without branches that depend on the angle, as angleOf is math.Sincos. It is wrong by at most two units
// of the last digit.
func arc(y, x float64) float64 {
	// Amounts are in the order of their bits. Those from small to large have a ratio without further ado.
	const (
		sign         = 1 << 63
		small, large = (1023 - 1000) << 52, (1023 + 1000) << 52
	)
	bitsX, bitsY := math.Float64bits(x), math.Float64bits(y)
	signX, signY := bitsX&sign, bitsY&sign
	bitsX, bitsY = bitsX^signX, bitsY^signY
	larger := (bitsX - bitsY) >> 63
	swap := (bitsX ^ bitsY) & -larger
	if bitsX^swap-small >= large-small {
		return math.Atan2(y, x)
	}
	most, least := math.Float64frombits(bitsX^swap), math.Float64frombits(bitsY^swap)

	// The tangent counts from the nearest eighth: of a number of the size of whole the last bit stands for one.
	const whole = 0x3p48
	tangent := least / most
	rounded := tangent + whole
	near := rounded - whole
	u := (tangent - near) / (1 + tangent*near)

	// The polynomial of this degree with the least relative error, 1.5e-19, computed by the algorithm of Remez.
	z := u * u
	a := u + u*z*((-0.33333333333333165+z*0.19999999999379797)+
		z*z*(-0.14285713554494395+z*(0.11110734729001907+z*-0.09002874195981356)))

	a = math.Float64frombits(math.Float64bits(a) ^ signX ^ larger<<63)
	base := &bases[(math.Float64bits(rounded)&15|larger<<4|signX>>58)&63]
	return math.Float64frombits(math.Float64bits(base[0]+(a+base[1])) | signY)
}
