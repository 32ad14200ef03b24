package kinematics_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
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

// anywhere returns a pose between the limits, of joints without limits one within a turn.
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

// operations returns what a cycle asks an arm for, each with values that change.
func operations() map[string]func(i int) {
	c, p := kr16(), panda()
	all, hints := poses(c), poses(p)
	m := newMaker(13)
	n := numeric(p, kinematics.Options{})
	goals, near := make([]geom.Frame, len(hints)), make([][]float64, len(hints))
	for i, q := range hints {
		goals[i], near[i] = p.Forward(q), aside(m, q, 0.01)
	}
	away := geom.Frame{Pos: geom.Vector{X: 0.3, Y: 0.01, Z: 1.1}, Rot: geom.FromABC(0, 0, 3)}
	inside := geom.Frame{Pos: geom.Vector{Z: 0.4}} // the arm would have to be in itself
	var j geom.Jacobian
	var out struct{ geom.Frame }
	want := geom.Twist{Vel: geom.Vector{X: 1}}
	var branches kinematics.Branches
	q, v := make([]float64, p.Len()), []float64{1, 2, 3, 4, 5, 6, 7}
	links := make([]geom.Frame, c.Links())
	return map[string]func(i int){
		"Forward 6R":  func(i int) { out.Frame = c.Forward(all[i]) },
		"Jacobian 6R": func(i int) { out.Frame = c.Jacobian(all[i], &j) },
		"Frames 6R":   func(i int) { c.Frames(all[i], links) },
		"Twist 6R":    func(i int) { want = c.Twist(all[i], v) },
		"Drift 6R":    func(i int) { want = c.Drift(all[i], v) },
		"Velocities 6R": func(i int) {
			c.Jacobian(all[i], &j)
			inverse.Velocities(&j, want, nil, q)
		},
		"Numeric 7R near":    func(i int) { n.Nearest(&goals[i], near[i], q) },
		"Numeric 7R far":     func(i int) { n.Nearest(&goals[i], hints[(i+1)%len(hints)], q) },
		"Numeric 7R hardest": func(i int) { n.Nearest(&away, hints[i], q) },
		"Numeric 7R nowhere": func(i int) { n.Nearest(&inside, hints[i], q) },
		"Numeric 7R all":     func(i int) { n.Branches(&goals[i], hints[i], &branches) },
	}
}

func BenchmarkArm(b *testing.B) {
	for name, op := range operations() {
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				op(i % (1 << 10))
			}
		})
	}
}

func TestNothingIsAllocated(t *testing.T) {
	for name, op := range operations() {
		if n := alloc.Least(func() { op(1) }); n != 0 {
			t.Errorf("%s: %d allocations", name, n)
		}
	}
}
