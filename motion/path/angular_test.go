package path

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
)

// TestAngular compares the formulas with the rotations themselves: differences of exp(φ(u)), of any size of φ.
func TestAngular(t *testing.T) {
	m := rand.New(rand.NewPCG(7, 7))
	vector := func() geom.Vector {
		return geom.Vector{X: m.NormFloat64(), Y: m.NormFloat64(), Z: m.NormFloat64()}
	}
	for range 2000 {
		size := math.Pow(10, 2*m.Float64()-1.2) * float64(m.IntN(5))
		phi := polynomial{vector().Unit().Scale(size), vector(), vector(), vector()}
		const h = 1e-3
		at := func(k float64) derivatives {
			d := phi.at(k*h, false)
			return angular(&d)
		}
		rotation := func(k float64) geom.Rotation { return geom.Exp(phi.at(k*h, false)[0]) }
		differences := func(of func(k float64) geom.Vector) geom.Vector {
			return of(1).Sub(of(-1)).Scale(8).Sub(of(2).Sub(of(-2))).Scale(1 / (12 * h))
		}
		here := at(0)
		for name, d := range map[string]geom.Vector{
			"velocity":     here[0].Sub(differences(func(k float64) geom.Vector { return rotation(0).Velocity(rotation(k), 1) })),
			"acceleration": here[1].Sub(differences(func(k float64) geom.Vector { return at(k)[0] })),
			"jerk":         here[2].Sub(differences(func(k float64) geom.Vector { return at(k)[1] })),
		} {
			if !(d.Length() < 1e-7*(1+here[2].Length())) {
				t.Fatalf("%s at %v is %g away", name, phi[0], d.Length())
			}
		}
	}
}

func TestStumpff(t *testing.T) {
	for _, square := range []float64{9.99, 10.01, 25, 38} {
		c := stumpff(square)
		for k := 2; k < len(c); k++ {
			sum, term := 0.0, 1.0/math.Gamma(float64(k+1))
			for n := float64(k); n < 100; n += 2 {
				sum += term
				term *= -square / ((n + 1) * (n + 2))
			}
			if math.Abs(c[k]/sum-1) > 1e-11 {
				t.Errorf("function %d of %v is %v, the series %v", k, square, c[k], sum)
			}
		}
	}
}

// TestRotationVector: what is asked for comes out.
func TestRotationVector(t *testing.T) {
	m := rand.New(rand.NewPCG(8, 8))
	vector := func() geom.Vector {
		return geom.Vector{X: m.NormFloat64(), Y: m.NormFloat64(), Z: m.NormFloat64()}
	}
	for range 2000 {
		r, velocity, acceleration := vector().Unit().Scale(math.Pi*m.Float64()), vector(), vector()
		k := rotationVector(r, velocity, acceleration)
		d := angular(&derivatives{k.value, k.first, k.second})
		if off := d[0].Sub(velocity).Length() + d[1].Sub(acceleration).Length(); !(off < 1e-12) {
			t.Fatalf("at %v: %g away", r, off)
		}
	}
}
