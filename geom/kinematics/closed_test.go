package kinematics

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
)

// limitedKR16 returns a KR16-2 with its ranges.
func limitedKR16(t testing.TB) *Wrist {
	const right, degree = math.Pi / 2, math.Pi / 180
	c, err := Standard(geom.Frame{}, []Row{
		{D: 0.675, A: 0.260, Alpha: -right, Sign: -1, Joint: Joint{Min: -185 * degree, Max: 185 * degree}},
		{A: 0.680, Joint: Joint{Min: -155 * degree, Max: 35 * degree}},
		{Theta: right, A: 0.035, Alpha: right, Joint: Joint{Min: -130 * degree, Max: 154 * degree}},
		{D: 0.670, Alpha: -right, Sign: -1, Joint: Joint{Min: -350 * degree, Max: 350 * degree}},
		{Alpha: right, Joint: Joint{Min: -130 * degree, Max: 130 * degree}},
		{D: 0.158, Sign: -1, Joint: Joint{Min: -350 * degree, Max: 350 * degree}},
	}, geom.Frame{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewWrist(c)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// goals are poses, and the joints that lead there, others than the ones before each time.
func goals(w *Wrist) (poses []geom.Frame, joints [][]float64) {
	m := rand.New(rand.NewPCG(6, 15))
	poses, joints = make([]geom.Frame, 4096), make([][]float64, 4096)
	for i := range poses {
		joints[i] = make([]float64, six)
		for k := range joints[i] {
			j := w.chain.Joint(k)
			joints[i][k] = j.Min + (j.Max-j.Min)*m.Float64()
		}
		poses[i] = w.chain.Forward(joints[i])
	}
	return poses, joints
}

// BenchmarkClosedForm is the inverse of an arm without limits and unwinding, and with them, for poses and hints that are
// others each time.
func BenchmarkClosedForm(b *testing.B) {
	w := limitedKR16(b)
	poses, hints := goals(w)
	run := func(name string, unwind bool) {
		b.Run(name, func(b *testing.B) {
			var all Branches
			for i := 0; b.Loop(); i = (i + 1) % len(poses) {
				var t target
				all.N = 0
				if w.see(&poses[i], hints[i], &t) == Solved {
					w.find(&t, &all, false)
				}
				if unwind {
					w.unwind(&t, &all)
				}
			}
		})
	}
	run("branches", false)
	run("unwound", true)
}
