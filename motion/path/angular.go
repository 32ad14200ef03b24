package path

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// angular returns the angular velocity of exp(φ) and its first two derivatives, for a rotation vector φ that changes.
//
//	ω = φ' + c₂·φ×φ' + c₃·φ×(φ×φ')      c₂ = (1-cos α)/α², c₃ = (α-sin α)/α³, α = |φ|
//
// (as Murray, Li and Sastry, chapter 2; also known as the left Jacobian of the exponential).
func angular(phi *derivatives) derivatives {
	f, f1, f2, f3 := phi[0], phi[1], phi[2], phi[3]
	x := f.Cross(f1)
	x1 := f.Cross(f2)
	x2 := f1.Cross(f2).Add(f.Cross(f3))
	y := f.Cross(x)
	y1 := f1.Cross(x).Add(f.Cross(x1))
	y2 := f2.Cross(x).Add(f1.Cross(x1).Scale(2)).Add(f.Cross(x2))

	c := stumpff(f.Dot(f))
	s1 := 2 * f.Dot(f1) // of α²
	s2 := 2 * (f1.Dot(f1) + f.Dot(f2))
	by2, by3, by4, by5 := slope(2, c[3], c[4]), slope(3, c[4], c[5]), slope(4, c[5], c[6]), slope(5, c[6], c[7])
	a, a1, a2 := c[2], by2*s1, (2*by4-by3)/2*s1*s1+by2*s2
	b, b1, b2 := c[3], by3*s1, (3*by5-by4)/2*s1*s1+by3*s2
	return derivatives{
		f1.Add(x.Scale(a)).Add(y.Scale(b)),
		f2.Add(x.Scale(a1)).Add(x1.Scale(a)).Add(y.Scale(b1)).Add(y1.Scale(b)),
		f3.Add(x.Scale(a2)).Add(x1.Scale(2 * a1)).Add(x2.Scale(a)).Add(y.Scale(b2)).Add(y1.Scale(2 * b1)).Add(y2.Scale(b)),
	}
}

// slope returns the derivative of Stumpff's function k by α², from the two functions that follow.
func slope(k, next, nextButOne float64) float64 { return (k*nextButOne - next) / 2 }

// stumpff returns the functions of Stumpff 2 to 7 of α²: c_k = 1/k! - α²/(k+2)! + α⁴/(k+4)! - … Each follows from the next
// but one, and in this direction nothing cancels, however small α is. (K. Stumpff, "Himmelsmechanik", volume I.)
func stumpff(square float64) (c [8]float64) {
	if square > 10 { // the closed form loses nothing, and the series would need more terms
		angle := math.Sqrt(square)
		sin, cos := math.Sincos(angle)
		c[2], c[3] = (1-cos)/square, (1-sin/angle)/square
		c[4], c[5] = (1.0/2-c[2])/square, (1.0/6-c[3])/square
		c[6], c[7] = (1.0/24-c[4])/square, (1.0/120-c[5])/square
		return c
	}
	c[6], c[7] = 1, 1
	for i := range terms {
		c[6] = 1 - c[6]*square*terms[i].even
		c[7] = 1 - c[7]*square*terms[i].odd
	}
	c[6], c[7] = c[6]/720, c[7]/5040
	c[4], c[5] = 1.0/24-c[6]*square, 1.0/120-c[7]*square
	c[2], c[3] = 1.0/2-c[4]*square, 1.0/6-c[5]*square
	return c
}

// terms are what leads from each term of the series of c₆ and c₇ to the next, from the last to the first.
var terms = [...]struct{ even, odd float64 }{
	{1.0 / (28 * 27), 1.0 / (28 * 29)},
	{1.0 / (26 * 25), 1.0 / (26 * 27)},
	{1.0 / (24 * 23), 1.0 / (24 * 25)},
	{1.0 / (22 * 21), 1.0 / (22 * 23)},
	{1.0 / (20 * 19), 1.0 / (20 * 21)},
	{1.0 / (18 * 17), 1.0 / (18 * 19)},
	{1.0 / (16 * 15), 1.0 / (16 * 17)},
	{1.0 / (14 * 13), 1.0 / (14 * 15)},
	{1.0 / (12 * 11), 1.0 / (12 * 13)},
	{1.0 / (10 * 9), 1.0 / (10 * 11)},
	{1.0 / (8 * 7), 1.0 / (8 * 9)},
}

// rotationVector returns the derivatives that a rotation vector has to have where it is r, so that its exponential has an
// angular velocity and acceleration.
func rotationVector(r, velocity, acceleration geom.Vector) knot {
	first := unturn(r, velocity)
	rest := angular(&derivatives{r, first})[1] // the acceleration without a second derivative, which adds as the first does
	return knot{r, first, unturn(r, acceleration.Sub(rest))}
}

// unturn solves ω = φ' + c₂·φ×φ' + c₃·φ×(φ×φ') for φ', for angles below 2π.
func unturn(r, velocity geom.Vector) geom.Vector {
	c := stumpff(r.Dot(r))
	across := r.Cross(velocity)
	return velocity.Sub(across.Scale(0.5)).Add(r.Cross(across).Scale((c[3] - 2*c[4]) / (2 * c[2])))
}
