package kinematics_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
)

// TestForwardByMatrices multiplies the matrices of tables of Denavit and Hartenberg, as they stand in books.
func TestForwardByMatrices(t *testing.T) {
	m := newMaker(24)
	for k := range 400 {
		modified := k%2 == 1
		var rows []kinematics.Row
		for range 1 + m.IntN(7) {
			j := free("joint")
			if m.IntN(4) == 0 {
				j.Kind = kinematics.Prismatic
			}
			v, w := m.vector(), m.vector()
			rows = append(rows, kinematics.Row{Theta: v.X, D: v.Y, A: v.Z, Alpha: w.X, Joint: j})
		}
		make := kinematics.Standard
		if modified {
			make = kinematics.Modified
		}
		c := must(make(geom.Frame{}, rows, geom.Frame{}))
		q := m.values(c.Len())
		want := mat.NewDense(4, 4, []float64{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1})
		for i, row := range rows {
			theta, d := row.Theta, row.D
			if row.Kind == kinematics.Prismatic {
				d += q[i]
			} else {
				theta += q[i]
			}
			want.Mul(mat.DenseCopyOf(want), denavitHartenberg(theta, d, row.A, row.Alpha, modified))
		}
		got := c.Forward(q)
		turned := got.Rot.Matrix()
		place := []float64{got.Pos.X, got.Pos.Y, got.Pos.Z}
		for i := range 3 {
			for k := range 3 {
				if off := math.Abs(turned[i][k] - want.At(i, k)); !(off <= 1e-11) {
					t.Fatalf("%+v at %v: rotation is off by %v", rows, q, off)
				}
			}
			if off := math.Abs(place[i] - want.At(i, 3)); !(off <= 1e-10) {
				t.Fatalf("%+v at %v: position is off by %v", rows, q, off)
			}
		}
	}
}

func denavitHartenberg(theta, d, a, alpha float64, modified bool) *mat.Dense {
	st, ct := math.Sincos(theta)
	sa, ca := math.Sincos(alpha)
	if modified {
		return mat.NewDense(4, 4, []float64{ct, -st, 0, a, st * ca, ct * ca, -sa, -sa * d, st * sa, ct * sa, ca, ca * d, 0, 0, 0, 1})
	}
	return mat.NewDense(4, 4, []float64{ct, -st * ca, st * sa, a * ct, st, ct * ca, -ct * sa, a * st, 0, sa, ca, d, 0, 0, 0, 1})
}

// TestInverseBySVD compares velocities, and the measures of dexterity, with what the singular values of the Jacobian say: a direction of
// the value σ gets 1/σ from Least on, and σ/Least² below.
func TestInverseBySVD(t *testing.T) {
	m := newMaker(27)
	damped := 0
	for _, c := range []*kinematics.Chain{kr16(), panda(), lwr(), ur5(), youBot()} {
		for range 400 {
			q := anywhere(c, m.Rand)
			if m.IntN(3) == 0 {
				q[len(q)-2] = 0.05 * m.Float64()
			}
			var j geom.Jacobian
			c.Jacobian(q, &j)
			want := geom.Twist{Vel: m.vector(), Rot: m.vector()}
			got := make([]float64, c.Len())
			inverse.Velocities(&j, want, nil, got)

			a := mat.NewDense(6, c.Len(), nil)
			for i := range c.Len() {
				a.SetCol(i, weighed(j.Columns[i]))
			}
			var svd mat.SVD
			if !svd.Factorize(a, mat.SVDThin) {
				t.Fatal("there are no singular values")
			}
			values := svd.Values(nil)
			var u, v mat.Dense
			svd.UTo(&u)
			svd.VTo(&v)
			var part, x mat.VecDense
			part.MulVec(u.T(), mat.NewVecDense(6, weighed(want)))
			product := 1.0
			for i, s := range values {
				product *= s
				if s >= inverse.Least {
					part.SetVec(i, part.AtVec(i)/s)
				} else {
					part.SetVec(i, part.AtVec(i)*s/(inverse.Least*inverse.Least))
					damped++
				}
			}
			x.MulVec(&v, &part)
			for i := range got {
				if off := math.Abs(got[i] - x.AtVec(i)); !(off <= 1e-7*(1+mat.Norm(&x, 2))) {
					t.Fatalf("joint %d of %d: %v instead of %v, singular values %v", i+1, len(got), got[i], x.AtVec(i), values)
				}
			}
			all, least := inverse.Dexterity(&j)
			if c.Len() >= 6 && (!(math.Abs(least-values[5]) <= 1e-6) || !(math.Abs(all-product) <= 1e-6*(1+product))) {
				t.Fatalf("dexterity is %v and %v instead of %v and %v", all, least, product, values[5])
			}
		}
	}
	if damped < 50 {
		t.Errorf("only %d directions near singularities", damped)
	}
}

// weighed returns a twist as inverse measures it.
func weighed(t geom.Twist) []float64 {
	return []float64{t.Vel.X / inverse.Length, t.Vel.Y / inverse.Length, t.Vel.Z / inverse.Length, t.Rot.X, t.Rot.Y, t.Rot.Z}
}
