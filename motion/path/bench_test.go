package path_test

import (
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/motion/path"
)

// once has one path of each kind.
func once(t *testing.T) []trial { return newMaker().trials(t) }

func TestNothingIsAllocated(t *testing.T) {
	for _, p := range once(t) {
		var twist geom.Twist
		if n := alloc.Least(func() {
			point := p.path.At(0.3 * p.path.Length())
			twist = point.Velocity(1).Add(point.Acceleration(1, 2)).Add(point.Jerk(1, 2, 3)).Scale(point.Curvature())
		}); n != 0 {
			t.Errorf("%s: %d allocations, %v", p.name, n, twist)
		}
	}
}

func BenchmarkAt(b *testing.B) {
	m := newMaker()
	via := m.via()
	for len(via) < 6 {
		via = m.via()
	}
	line, _ := path.Line(via[0], via[1])
	arc, _ := path.Arc(via[0], via[1].Pos, via[2], path.TurningOnWheel)
	spline, err := path.Spline(via, path.Ends{})
	if err != nil {
		b.Fatal(err)
	}
	for _, p := range []trial{{name: "line", path: line}, {name: "arc", path: arc}, {name: "spline", path: spline}} {
		b.Run(p.name, func(b *testing.B) {
			b.ReportAllocs()
			s, step := 0.0, p.path.Length()/1000
			for b.Loop() {
				point := p.path.At(s)
				if s += step * point.First.Vel.Length(); s > p.path.Length() {
					s = 0
				}
			}
		})
	}
}

func BenchmarkSpline(b *testing.B) {
	m := newMaker()
	via := m.via()
	for len(via) < 6 {
		via = m.via()
	}
	for b.Loop() {
		if _, err := path.Spline(via, path.Ends{}); err != nil {
			b.Fatal(err)
		}
	}
}
