package geom_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
)

func (m maker) jacobian() (j geom.Jacobian) {
	j.Len = 1 + m.IntN(geom.MaxJoints)
	for i := range j.Len {
		j.Columns[i] = m.twist()
	}
	return j
}

// TestJacobian: the twist is that of the columns, and changes as they do; torques have the power of their wrench.
func TestJacobian(t *testing.T) {
	forAll(t, func(m maker, check tried) {
		check.size = 100
		j, w := m.jacobian(), m.wrench()
		velocities, torques := make([]float64, j.Len), make([]float64, j.Len)
		var want geom.Twist
		for i := range velocities {
			velocities[i] = m.NormFloat64()
			want = want.Add(j.Columns[i].Scale(velocities[i]))
		}
		check.twist("sum", j.Twist(velocities), want)

		j.Torques(w, torques)
		power := 0.0
		for i := range torques {
			power += torques[i] * velocities[i]
		}
		check.number("power", power, w.Power(want))

		r, v := m.rotation(), m.vector()
		there, turned := j, j
		there.At(v)
		check.twist("at", there.Twist(velocities), want.At(v))
		turned.Rotate(r)
		check.twist("rotated", turned.Twist(velocities), want.Rotate(r))
		if !j.Finite() || !turned.Finite() {
			t.Fatal("not finite")
		}
	})
}

// TestJacobianIsTotal: whatever its length is, and that of values.
func TestJacobianIsTotal(t *testing.T) {
	m := newMaker()
	j := m.jacobian()
	j.Columns[0].Rot.Y = math.Inf(1)
	for _, n := range []int{math.MinInt, -1, 0, 1, geom.MaxJoints, geom.MaxJoints + 1, math.MaxInt} {
		j.Len = n
		for _, values := range [][]float64{nil, make([]float64, 1), make([]float64, 99)} {
			if got := j.Twist(values); (n < 1 || len(values) == 0) && got != (geom.Twist{}) {
				t.Errorf("%d columns and %d values: %v", n, len(values), got)
			}
			j.Torques(geom.Wrench{Force: geom.Vector{X: 1}}, values)
		}
		j.At(geom.Vector{X: 1})
		j.Rotate(geom.FromABC(1, 2, 3))
		if j.Finite() != (n < 1) {
			t.Errorf("%d columns: %t", n, j.Finite())
		}
	}
}

func ExampleJacobian_Torques() {
	// A joint that turns about Z holds a force of 2 N at a point that is 0.5 m away.
	j := geom.Jacobian{Len: 1}
	j.Columns[0] = geom.Twist{Rot: geom.Vector{Z: 1}}
	j.At(geom.Vector{X: 0.5})
	torques := make([]float64, 1)
	j.Torques(geom.Wrench{Force: geom.Vector{Y: 2}}, torques)
	fmt.Println(torques)
	// Output: [1]
}
