package geom_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/softrobot-rcc/rccd/geom"
)

// homogeneous returns the matrix of a frame.
func homogeneous(f geom.Frame) *mat.Dense {
	m := mat.NewDense(4, 4, nil)
	for i, row := range f.Rot.Matrix() {
		for k, v := range row {
			m.Set(i, k, v)
		}
	}
	for i, v := range []float64{f.Pos.X, f.Pos.Y, f.Pos.Z, 1} {
		m.Set(i, 3, v)
	}
	return m
}

// crossMatrix returns the matrix of the cross product.
func crossMatrix(v geom.Vector) *mat.Dense {
	return mat.NewDense(3, 3, []float64{0, -v.Z, v.Y, v.Z, 0, -v.X, -v.Y, v.X, 0})
}

// TestFramesByMatrices computes with matrices of another library what frames and rotations compute with quaternions: products, inverses,
// points, and the exponential of twists by its series.
func TestFramesByMatrices(t *testing.T) {
	m := newMaker()
	for range 500 {
		f, g, v := m.frame(), m.frame(), m.vector()
		twist := m.twist()
		if angle := twist.Rot.Length(); angle > math.Pi {
			twist.Rot = twist.Rot.Scale(3 / angle)
		}
		twist.Vel = twist.Vel.Scale(1 / (1 + twist.Vel.Length()))
		var product, inverse, to, exp, point mat.Dense
		product.Mul(homogeneous(f), homogeneous(g))
		if err := inverse.Inverse(homogeneous(f)); err != nil {
			t.Fatal(err)
		}
		to.Mul(&inverse, homogeneous(g))
		screw := mat.NewDense(4, 4, nil)
		screw.Slice(0, 3, 0, 3).(*mat.Dense).Copy(crossMatrix(twist.Rot))
		screw.SetCol(3, []float64{twist.Vel.X, twist.Vel.Y, twist.Vel.Z, 0})
		exp.Exp(screw)
		point.Mul(homogeneous(f), mat.NewDense(4, 1, []float64{v.X, v.Y, v.Z, 1}))
		moved := f.Point(v)
		scale := 1 + f.Pos.Length() + g.Pos.Length() + v.Length()
		for name, tt := range map[string]struct{ got, want *mat.Dense }{
			"f·g":      {homogeneous(f.Mul(g)), &product},
			"inverse":  {homogeneous(f.Invert()), &inverse},
			"to":       {homogeneous(f.To(g)), &to},
			"exp":      {homogeneous(twist.Exp()), &exp},
			"exp·log":  {homogeneous(f.Mul(f.To(g).Log().Exp())), homogeneous(g)},
			"point":    {mat.NewDense(4, 1, []float64{moved.X, moved.Y, moved.Z, 1}), &point},
			"rotation": {homogeneous(geom.Frame{Rot: geom.FromMatrix(f.Rot.Matrix())}), homogeneous(geom.Frame{Rot: f.Rot})},
		} {
			var off mat.Dense
			off.Sub(tt.got, tt.want)
			if d := mat.Max(&off) - mat.Min(&off); !(d <= 1e-11*scale) {
				t.Errorf("%s of %v and %v: off by %v", name, f, g, d)
			}
		}
	}
}

// TestJacobianByMatrices compares products with a Jacobian and its transpose.
func TestJacobianByMatrices(t *testing.T) {
	m := newMaker()
	for range 500 {
		j, w := m.jacobian(), m.wrench()
		a := mat.NewDense(6, j.Len, nil)
		velocities := make([]float64, j.Len)
		for i := range j.Len {
			c := j.Columns[i]
			a.SetCol(i, []float64{c.Vel.X, c.Vel.Y, c.Vel.Z, c.Rot.X, c.Rot.Y, c.Rot.Z})
			velocities[i] = m.vector().X
		}
		var twist, torques mat.VecDense
		twist.MulVec(a, mat.NewVecDense(j.Len, velocities))
		torques.MulVec(a.T(), mat.NewVecDense(6, []float64{w.Force.X, w.Force.Y, w.Force.Z, w.Torque.X, w.Torque.Y, w.Torque.Z}))
		is := j.Twist(velocities)
		into := make([]float64, j.Len)
		j.Torques(w, into)
		scale := 1e-12 * (1 + mat.Norm(a, 2)) * (1 + mat.Norm(mat.NewVecDense(j.Len, velocities), 2)) * (1 + w.Force.Length() + w.Torque.Length())
		for i, v := range []float64{is.Vel.X, is.Vel.Y, is.Vel.Z, is.Rot.X, is.Rot.Y, is.Rot.Z} {
			if !(math.Abs(v-twist.AtVec(i)) <= scale) {
				t.Errorf("twist %v: %v instead of %v", i, v, twist.AtVec(i))
			}
		}
		for i, v := range into {
			if !(math.Abs(v-torques.AtVec(i)) <= scale) {
				t.Errorf("torque %v: %v instead of %v", i, v, torques.AtVec(i))
			}
		}
	}
}
