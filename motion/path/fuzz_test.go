package path_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/motion/path"
)

// numbers takes numbers of any kind from bytes: small round ones, of which some are the same, and any bits at all.
type numbers []byte

func (n *numbers) next() float64 {
	b := *n
	switch {
	case len(b) == 0:
		return 0
	case b[0] < 250 || len(b) < 9:
		*n = b[1:]
		return float64(int8(b[0])) / 16 //nolint:gosec // any number will do
	default:
		*n = b[9:]
		return math.Float64frombits(binary.LittleEndian.Uint64(b[1:]))
	}
}

func (n *numbers) vector() geom.Vector { return geom.Vector{X: n.next(), Y: n.next(), Z: n.next()} }

func (n *numbers) frame() geom.Frame {
	return geom.Frame{Pos: n.vector(), Rot: geom.FromABC(n.next(), n.next(), n.next())}
}

// FuzzPaths: whatever a path is made of, it is refused, or has poses everywhere.
func FuzzPaths(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 0, 16, 0, 0, 0, 0, 16, 0, 0, 0, 0, 32, 16, 0, 0, 0, 0, 48, 32, 0, 0, 0, 16, 0})
	f.Add([]byte{1, 0, 16, 0, 0, 0, 0, 16, 0, 0, 0, 0, 32, 16, 0, 0, 0, 0, 48, 32, 0, 0, 0, 16, 0})
	f.Add([]byte{2, 0, 16, 0, 0, 0, 0, 16, 0, 0, 0, 0, 32, 16, 0, 0, 0, 0, 48, 32, 0, 0, 0, 16, 0, 16, 0})
	f.Add([]byte{3, 0, 16, 0, 0, 0, 0, 16, 0, 0, 0, 0, 32, 16, 0, 0, 0, 0, 48, 32, 0, 0, 0, 16, 0})
	f.Add([]byte{3, 250, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f, 250, 0, 0, 0, 0, 0, 0, 0xe0, 0x7f})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 || len(data) > 400 {
			return
		}
		kind, n := data[0], numbers(data[1:])
		var p *path.Path
		var err error
		from, to := n.frame(), n.frame()
		switch kind % 4 {
		case 0:
			p, err = path.Line(from, to)
		case 1:
			p, err = path.Arc(from, n.vector(), to, path.Orientation(kind/4))
		case 2:
			p, err = path.Circle(from, to.Pos, n.vector(), n.next(), path.Orientation(kind/4))
		default:
			via := []geom.Frame{from, to}
			ends := path.Ends{Closed: kind/4%2 == 1}
			if kind/8%2 == 1 {
				ends.Start, ends.End.Vel = geom.Twist{Vel: n.vector(), Rot: n.vector()}, n.vector()
			}
			for len(n) > 0 {
				via = append(via, n.frame())
			}
			p, err = path.Spline(via, ends)
		}
		if (p == nil) == (err == nil) {
			t.Fatalf("%v and %v", p, err)
		}
		if err != nil {
			return
		}
		if !(p.Length() > 0) {
			t.Fatalf("%v long", p.Length())
		}
		for _, share := range []float64{-1, 0, 0.3, 0.5, 0.9, 1, 2} {
			point := p.At(share * p.Length())
			if !point.Frame.Pos.Finite() || !point.Frame.Rot.Finite() {
				t.Fatalf("at %v: %v", share, point)
			}
			if first := max(point.First.Vel.Length(), point.First.Rot.Length()); !(first > 0.999999) {
				t.Fatalf("at %v: the speed is %v", share, first)
			}
		}
	})
}
