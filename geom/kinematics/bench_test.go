package kinematics_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
)

// poses are values of joints between their limits, so many that no processor learns them by heart.
func poses(c *kinematics.Chain) [][]float64 {
	r := rand.New(rand.NewPCG(6, 6))
	list := make([][]float64, 1<<10)
	for i := range list {
		list[i] = anywhere(c, r)
	}
	return list
}

// anywhere is a pose between the limits, of joints without limits one within a turn.
func anywhere(c *kinematics.Chain, r *rand.Rand) []float64 {
	q := make([]float64, c.Len())
	for i := range q {
		j := c.Joint(i)
		least, most := max(j.Min, -math.Pi), min(j.Max, math.Pi)
		q[i] = least + r.Float64()*(most-least)
	}
	return q
}

// BenchmarkForward has beside it what one would write down at first: frames that are multiplied.
func BenchmarkForward(b *testing.B) {
	c := kr16()
	all := poses(c)
	var f geom.Frame
	var j geom.Jacobian
	run := func(name string, op func(q []float64)) {
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				op(all[i%len(all)])
			}
		})
	}
	run("6R", func(q []float64) { f = c.Forward(q) })
	run("6R plain", func(q []float64) { f = plainKR16(q) })
	run("6R Jacobian", func(q []float64) { f = c.Jacobian(q, &j) })
	if !f.Pos.Finite() {
		b.Error(f)
	}
}

// plainKR16 multiplies the rows of the table of the KR16 as frames.
func plainKR16(q []float64) geom.Frame {
	rows := [...][5]float64{ // sign, theta, d, a, alpha
		{-1, 0, 0.675, 0.260, -math.Pi / 2},
		{1, 0, 0, 0.680, 0},
		{1, math.Pi / 2, 0, 0.035, math.Pi / 2},
		{-1, 0, 0.670, 0, -math.Pi / 2},
		{1, 0, 0, 0, math.Pi / 2},
		{-1, 0, 0.158, 0, 0},
	}
	f := geom.Frame{}
	for i, r := range rows {
		turn := geom.Frame{Pos: geom.Vector{Z: r[2]}, Rot: geom.FromABC(r[0]*q[i]+r[1], 0, 0)}
		f = f.Mul(turn).Mul(geom.Frame{Pos: geom.Vector{X: r[3]}, Rot: geom.FromABC(0, 0, r[4])})
	}
	return f
}
