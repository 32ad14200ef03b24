package geom_test

import (
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
)

// operations returns what nets do with frames in every cycle.
func operations() map[string]func() {
	m := newMaker()
	f, g, v := m.frame(), m.frame(), m.vector()
	f.Rot, g.Rot = geom.FromABC(1, 0.5, -0.3), geom.FromABC(0.2, -1, 0.8)
	twist, quarter, c := m.twist(), f.Rot.Matrix(), 0.0
	return map[string]func(){
		"Rotate":     func() { v = f.Rot.Rotate(v) },
		"Rotation":   func() { f.Rot = f.Rot.Mul(g.Rot) },
		"Mul":        func() { f = f.Mul(g) },
		"Invert":     func() { f = f.Invert() },
		"Lerp":       func() { f = f.Lerp(g, 0.001) },
		"Add":        func() { f = f.Add(twist, 0.001) },
		"Velocity":   func() { twist = f.Velocity(g, 1) },
		"FromABC":    func() { f.Rot = geom.FromABC(1, 0.5, c) },
		"ABC":        func() { _, _, c = g.Rot.ABC() },
		"FromMatrix": func() { f.Rot = geom.FromMatrix(quarter) },
		"Matrix":     func() { quarter = g.Rot.Matrix() },
		"Exp":        func() { f = twist.Exp() },
		"Log":        func() { twist = g.Log() },
		"FromEuler":  func() { f.Rot = geom.FromEuler(geom.XYZ, 1, 0.5, c) },
		"Euler":      func() { _, _, c = g.Rot.Euler(geom.ZYZ) },
		"Between":    func() { f.Rot = geom.Between(v, twist.Vel) },
		"FromPoints": func() { f, _ = geom.FromPoints(v, twist.Vel, twist.Rot) },
		"Mean":       func() { f.Rot = geom.Mean(f.Rot, g.Rot) },
		"Wrench":     func() { v = f.Wrench(geom.Wrench{Force: v, Torque: v}).Force.Unit() },
	}
}

func BenchmarkGeometry(b *testing.B) {
	for name, f := range operations() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				f()
			}
		})
	}
}

func TestNothingIsAllocated(t *testing.T) {
	for name, f := range operations() {
		if n := alloc.Least(f); n != 0 {
			t.Errorf("%s: %d allocations", name, n)
		}
	}
}
