package kinematics

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestArc(t *testing.T) {
	r, worst := rand.New(rand.NewPCG(4, 5)), 0.0
	try := func(y, x float64) {
		t.Helper()
		got, want := arc(y, x), math.Atan2(y, x)
		last := math.Nextafter(math.Abs(want), 9) - math.Abs(want)
		off := math.Abs(got-want) / last
		if worst = max(worst, off); !(off <= 2) || math.Signbit(got) != math.Signbit(want) {
			t.Fatalf("y %v, x %v: %v, not %v", y, x, got, want)
		}
	}
	for range 500_000 {
		try(r.NormFloat64(), r.NormFloat64())
		try(r.NormFloat64()*math.Pow(10, 40*r.Float64()-20), r.NormFloat64())
	}
	for eighths := -8.0; eighths <= 8; eighths++ {
		sin, cos := math.Sincos(eighths * math.Pi / 8)
		for range 20 {
			try(sin, cos)
			sin = math.Nextafter(sin, r.NormFloat64()*100)
			cos = math.Nextafter(cos, r.NormFloat64()*100)
		}
	}
	edges := []float64{0, math.Copysign(0, -1), 1, -1, 5e-324, -5e-324, 1e-300, math.MaxFloat64, -math.MaxFloat64, math.Inf(1), math.Inf(-1)}
	for _, y := range edges {
		for _, x := range edges {
			if got, want := arc(y, x), math.Atan2(y, x); got != want || math.Signbit(got) != math.Signbit(want) {
				t.Errorf("y %v, x %v: %v, not %v", y, x, got, want)
			}
		}
	}
	for _, x := range []float64{0, 1, math.Inf(1), math.NaN()} {
		if a, b := arc(math.NaN(), x), arc(x, math.NaN()); a == a || b == b {
			t.Error(x, a, b)
		}
	}
	t.Logf("wrong by up to %v of the last digit", worst)
}

// FuzzArc: whatever the bits are, the arc is that of math.Atan2 up to the last digits.
func FuzzArc(f *testing.F) {
	f.Add(1.0, -2.0)
	f.Add(math.Copysign(0, -1), -5e-324)
	f.Add(math.Inf(-1), 1e300)
	f.Fuzz(func(t *testing.T, y, x float64) {
		got, want := arc(y, x), math.Atan2(y, x)
		if math.IsNaN(want) && math.IsNaN(got) {
			return
		}
		if !(math.Abs(got-want) <= 4*(math.Nextafter(math.Abs(want), 9)-math.Abs(want))) || math.Signbit(got) != math.Signbit(want) {
			t.Errorf("y %v, x %v: %v, not %v", y, x, got, want)
		}
	})
}

func BenchmarkArc(b *testing.B) {
	r := rand.New(rand.NewPCG(4, 5))
	var v [1024][2]float64
	for i := range v {
		v[i] = [2]float64{r.NormFloat64(), r.NormFloat64()}
	}
	for name, f := range map[string]func(y, x float64) float64{"arc": arc, "math.Atan2": math.Atan2} {
		b.Run(name, func(b *testing.B) {
			i, sum := 0, 0.0
			for b.Loop() {
				sum += f(v[i&1023][0], v[i&1023][1])
				i++
			}
		})
	}
}
