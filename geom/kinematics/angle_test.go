package kinematics

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestAngles(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	try := func(radians float64) {
		t.Helper()
		a := angleOf(radians)
		sin, cos := math.Sincos(radians)
		// Rounding of both ways, each by a little more than half of the last digit.
		apart := math.Abs(a.sin*a.sin + a.cos*a.cos - 1)
		if !(math.Abs(a.sin-sin) <= 2.3e-16) || !(math.Abs(a.cos-cos) <= 2.3e-16) || math.Abs(radians) < 1e6 && !(apart <= 4.5e-16) {
			t.Fatalf("%v: sine %v, not %v, cosine %v, not %v", radians, a.sin, sin, a.cos, cos)
		}
	}
	for range 1_000_000 {
		try(r.NormFloat64() * math.Pow(10, 12*r.Float64()-6))
	}
	for quarters := -20.0; quarters <= 20; quarters++ {
		at := quarters * math.Pi / 4
		for range 20 {
			try(at)
			at = math.Nextafter(at, r.NormFloat64()*100)
		}
	}
	if a := angleOf(0); a != (angle{0, 1}) {
		t.Error(a)
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if a := angleOf(bad); a.sin == a.sin || a.cos == a.cos {
			t.Errorf("%v: %v", bad, a)
		}
	}
}

// FuzzAngle: whatever the bits are, sine and cosine are those of math.Sincos up to rounding.
func FuzzAngle(f *testing.F) {
	f.Add(1.0)
	f.Add(-999_999.9)
	f.Add(5e-324)
	f.Fuzz(func(t *testing.T, radians float64) {
		a := angleOf(radians)
		sin, cos := math.Sincos(radians)
		if sin == sin && !(math.Abs(a.sin-sin) <= 3.4e-16 && math.Abs(a.cos-cos) <= 3.4e-16) {
			t.Errorf("%v: sine %v, not %v, cosine %v, not %v", radians, a.sin, sin, a.cos, cos)
		}
	})
}
