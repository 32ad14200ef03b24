package calibrate_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/calibrate"
)

// lab makes measurements.
type lab struct{ *rand.Rand }

func newLab(seed uint64) lab { return lab{rand.New(rand.NewPCG(seed, 24))} }

func (l lab) vector(size float64) geom.Vector {
	return geom.Vector{X: size * l.NormFloat64(), Y: size * l.NormFloat64(), Z: size * l.NormFloat64()}
}

func (l lab) frame() geom.Frame { return geom.Frame{Pos: l.vector(1), Rot: geom.Exp(l.vector(1))} }

func (l lab) pairs(n int, of geom.Frame, noise float64) (list []calibrate.Pair) {
	for range n {
		p := l.vector(0.3)
		list = append(list, calibrate.Pair{Known: p, Measured: of.Point(p).Add(l.vector(noise))})
	}
	return list
}

// touches are poses of the flange with a tip at one point.
func (l lab) touches(n int, tip, at geom.Vector, noise float64) (list []geom.Frame) {
	for range n {
		rot := geom.Exp(l.vector(0.6))
		list = append(list, geom.Frame{Pos: at.Sub(rot.Rotate(tip)).Add(l.vector(noise)), Rot: rot})
	}
	return list
}

func (l lab) posePairs(n int, of geom.Frame, noise float64) (list []calibrate.PosePair) {
	for range n {
		p := l.frame()
		is := of.Mul(p)
		list = append(list, calibrate.PosePair{Known: p, Measured: geom.Frame{Pos: is.Pos.Add(l.vector(noise)), Rot: geom.Exp(l.vector(noise)).Mul(is.Rot)}})
	}
	return list
}

// TestExact measures without errors: what comes out is what was put in.
func TestExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := newLab(rapid.Uint64().Draw(t, "seed"))
		n := rapid.IntRange(3, 12).Draw(t, "measurements")
		want := l.frame()
		f, q, err := calibrate.Points(l.pairs(n, want, 0))
		if err == nil {
			if limit := 1e-12 * q.Condition * q.Condition; !f.Near(want, limit, limit) || q.RMS > 1e-12 || len(q.Residuals) != n {
				t.Errorf("points: %v instead of %v, %+v", f, want, q)
			}
		} else if !errors.Is(err, calibrate.ErrDegenerate) {
			t.Errorf("points: %v", err)
		}
		tip, at := l.vector(0.2), l.vector(1)
		found, q, err := calibrate.Tool(l.touches(n+1, tip, at, 0))
		if err == nil {
			if !found.Tip.Near(tip, 1e-12*q.Condition) || !found.Touched.Near(at, 1e-12*q.Condition) || q.RMS > 1e-12 || len(q.Residuals) != n+1 {
				t.Errorf("tool: %v instead of %v at %v, %+v", found, tip, at, q)
			}
		} else if !errors.Is(err, calibrate.ErrDegenerate) {
			t.Errorf("tool: %v", err)
		}
		f, q, turns, err := calibrate.Poses(l.posePairs(n, want, 0))
		if err != nil || !f.Near(want, 1e-12, 1e-12) || q.RMS > 1e-12 || turns.RMS > 1e-12 || len(turns.Residuals) != n {
			t.Errorf("poses: %v instead of %v, %+v, %+v, %v", f, want, q, turns, err)
		}
		corner := [3]geom.Vector{want.Pos, want.Point(geom.Vector{X: 0.4}), want.Point(geom.Vector{X: -0.2, Y: 0.3})}
		if f, err := calibrate.Three(corner[0], corner[1], corner[2]); err != nil || !f.Near(want, 1e-12, 1e-12) {
			t.Errorf("three points: %v instead of %v, %v", f, want, err)
		}
	})
}

// TestPointsByQuaternions compares with another method: the eigenvector of a symmetric matrix (B. K. P. Horn, "Closed-form solution of
// absolute orientation using unit quaternions", J. Opt. Soc. Am. A 4, 1987).
func TestPointsByQuaternions(t *testing.T) {
	for seed := range uint64(200) {
		l := newLab(seed)
		pairs := l.pairs(4+int(seed%9), l.frame(), 0.02)
		if seed%3 == 0 { // of a plane, where a reflection fits as well
			for i := range pairs {
				pairs[i].Known.Z = 0
			}
		}
		got, _, err := calibrate.Points(pairs)
		if errors.Is(err, calibrate.ErrDegenerate) {
			continue
		}
		if want := horn(pairs); err != nil || !got.Near(want, 1e-9, 1e-9) {
			t.Errorf("%d: %v, by quaternions %v, %v", seed, got, want, err)
		}
	}
}

func horn(pairs []calibrate.Pair) geom.Frame {
	var known, measured geom.Vector
	for _, p := range pairs {
		known, measured = known.Add(p.Known.Scale(1/float64(len(pairs)))), measured.Add(p.Measured.Scale(1/float64(len(pairs))))
	}
	var s [3][3]float64
	for _, p := range pairs {
		a, b := p.Known.Sub(known), p.Measured.Sub(measured)
		for i, x := range [3]float64{a.X, a.Y, a.Z} {
			for k, y := range [3]float64{b.X, b.Y, b.Z} {
				s[i][k] += x * y
			}
		}
	}
	n := mat.NewSymDense(4, []float64{
		s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0],
		0, s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2],
		0, 0, s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1],
		0, 0, 0, s[2][2] - s[0][0] - s[1][1],
	})
	var eigen mat.EigenSym
	eigen.Factorize(n, true)
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	rot := geom.FromQuaternion(vectors.At(1, 3), vectors.At(2, 3), vectors.At(3, 3), vectors.At(0, 3))
	return geom.Frame{Pos: measured.Sub(rot.Rotate(known)), Rot: rot}
}

// TestToolByUnknowns compares with the equations of all six unknowns at once, solved by the normal equations.
func TestToolByUnknowns(t *testing.T) {
	for seed := range uint64(100) {
		l := newLab(seed)
		flanges := l.touches(5+int(seed%7), l.vector(0.2), l.vector(1), 0.01)
		got, q, err := calibrate.Tool(flanges)
		if err != nil {
			continue
		}
		a, b := mat.NewDense(3*len(flanges), 6, nil), mat.NewVecDense(3*len(flanges), nil)
		for i, f := range flanges {
			for k, row := range f.Rot.Matrix() {
				for c, v := range row {
					a.Set(3*i+k, c, v)
				}
				a.Set(3*i+k, 3+k, -1)
				b.SetVec(3*i+k, -[3]float64{f.Pos.X, f.Pos.Y, f.Pos.Z}[k])
			}
		}
		var normal, right, x mat.Dense
		normal.Mul(a.T(), a)
		right.Mul(a.T(), b)
		if err := x.Solve(&normal, &right); err != nil {
			t.Fatal(err)
		}
		tip, at := geom.Vector{X: x.At(0, 0), Y: x.At(1, 0), Z: x.At(2, 0)}, geom.Vector{X: x.At(3, 0), Y: x.At(4, 0), Z: x.At(5, 0)}
		if limit := 1e-10 * q.Condition * q.Condition; !got.Tip.Near(tip, limit) || !got.Touched.Near(at, limit) {
			t.Errorf("%d: %v, by all unknowns %v, %v", seed, got, tip, at)
		}
	}
}

// TestDeviation repeats a measurement with other errors: the result scatters as much as it says.
func TestDeviation(t *testing.T) {
	const times, noise, n = 2000, 0.002, 8
	truth := geom.Frame{Pos: geom.Vector{X: 1, Y: -0.5, Z: 0.3}, Rot: geom.FromABC(0.4, -0.3, 1)}
	tip := geom.Vector{X: 0.05, Z: 0.2}
	touches := newLab(2).touches(n, tip, truth.Pos, 0)
	corners, poses := newLab(1).pairs(n, truth, 0), newLab(3).posePairs(n, truth, 0)
	away := geom.Frame{Pos: geom.Vector{X: 2, Y: -1}} // from the origin, which turns move too
	for i := range n {
		corners[i].Known = away.Point(corners[i].Known)
		corners[i].Measured = truth.Point(corners[i].Known)
		poses[i].Known = away.Mul(poses[i].Known)
		poses[i].Measured = truth.Mul(poses[i].Known)
	}
	for name, measure := range map[string]func(l lab) (position, orientation float64, q calibrate.Quality, err error){
		"points": func(l lab) (float64, float64, calibrate.Quality, error) {
			list := append([]calibrate.Pair{}, corners...)
			for i := range list {
				list[i].Measured = list[i].Measured.Add(l.vector(noise))
			}
			f, q, err := calibrate.Points(list)
			return f.Pos.Sub(truth.Pos).Length(), f.Rot.To(truth.Rot).Angle(), q, err
		},
		"tool": func(l lab) (float64, float64, calibrate.Quality, error) {
			list := append([]geom.Frame{}, touches...)
			for i := range list {
				list[i].Pos = list[i].Pos.Add(l.vector(noise))
			}
			found, q, err := calibrate.Tool(list)
			return found.Tip.Sub(tip).Length(), math.NaN(), q, err
		},
		"poses": func(l lab) (float64, float64, calibrate.Quality, error) {
			list := append([]calibrate.PosePair{}, poses...)
			for i := range list {
				m := &list[i].Measured
				m.Pos, m.Rot = m.Pos.Add(l.vector(noise)), geom.Exp(l.vector(noise)).Mul(m.Rot)
			}
			f, q, _, err := calibrate.Poses(list)
			return f.Pos.Sub(truth.Pos).Length(), f.Rot.To(truth.Rot).Angle(), q, err
		},
	} {
		var was, said [2]float64
		for seed := range uint64(times) {
			position, orientation, q, err := measure(newLab(1000 + seed))
			if err != nil {
				t.Fatal(name, err)
			}
			for i, v := range [2]float64{position, orientation} {
				was[i] += v * v / times
				s := [2]float64{q.Position, q.Orientation}[i]
				said[i] += s * s / times
			}
		}
		for i, of := range []string{"position", "orientation"} {
			ratio := math.Sqrt(said[i] / was[i])
			if name == "tool" && i == 1 {
				continue // a touched point says nothing of it
			}
			if !(ratio > 0.9 && ratio < 1.2) {
				t.Errorf("%s: the deviation of the %s is said to be %.3g times what it is", name, of, ratio)
			}
		}
	}
}

// TestOutlier has one bad measurement, which the residuals point at.
func TestOutlier(t *testing.T) {
	l := newLab(5)
	pairs := l.pairs(8, l.frame(), 1e-4)
	pairs[3].Measured.Y += 0.05
	_, q, err := calibrate.Points(pairs)
	if err != nil {
		t.Fatal(err)
	}
	flanges := l.touches(8, geom.Vector{Z: 0.1}, geom.Vector{X: 1}, 1e-4)
	flanges[3].Pos.X += 0.05
	_, tool, err := calibrate.Tool(flanges)
	if err != nil {
		t.Fatal(err)
	}
	for name, residuals := range map[string][]float64{"points": q.Residuals, "tool": tool.Residuals} {
		for i, r := range residuals {
			if i != 3 && r >= residuals[3] {
				t.Errorf("%s: residual %d is %v, that of the bad measurement %v", name, i, r, residuals[3])
			}
		}
	}
}

func TestRefused(t *testing.T) {
	l := newLab(7)
	x := geom.Vector{X: 1}
	same := func(p geom.Vector) calibrate.Pair { return calibrate.Pair{Known: p, Measured: p} }
	line := func(off float64) []calibrate.Pair {
		return []calibrate.Pair{same(geom.Vector{}), same(x), same(geom.Vector{X: 2, Y: off}), same(geom.Vector{X: 3})}
	}
	mirrored := l.pairs(6, geom.Frame{}, 0)
	for i := range mirrored {
		mirrored[i].Measured.Y *= -1
	}
	turned := func(axis geom.Vector, angles ...float64) (list []geom.Frame) {
		for _, a := range angles {
			list = append(list, geom.Frame{Rot: geom.FromAxisAngle(axis, a)})
		}
		return list
	}
	points := func(list []calibrate.Pair) error { _, _, err := calibrate.Points(list); return err }
	tool := func(list []geom.Frame) error { _, _, err := calibrate.Tool(list); return err }
	poses := func(list []calibrate.PosePair) error { _, _, _, err := calibrate.Poses(list); return err }
	three := func(a, b, c geom.Vector) error { _, err := calibrate.Three(a, b, c); return err }
	nan := geom.Vector{Y: math.NaN()}
	for i, tt := range []struct{ got, want error }{
		{points(line(0)[:2]), calibrate.ErrFew},
		{points(line(0)), calibrate.ErrDegenerate},
		{points(line(0.001)), calibrate.ErrDegenerate},
		{points(line(0.2)), nil},
		{points([]calibrate.Pair{same(x), same(x), same(x)}), calibrate.ErrDegenerate},
		{points([]calibrate.Pair{{Known: x}, {Known: geom.Vector{Y: 1}}, {}}), calibrate.ErrDegenerate},
		{points(append(line(0.2), same(nan))), calibrate.ErrInfinite},
		{points(mirrored), calibrate.ErrMirrored},
		{tool(turned(x, 0, 1, 2)), calibrate.ErrFew},
		{tool(turned(x, 0, 0, 0, 0)), calibrate.ErrDegenerate},
		{tool(turned(x, 0, 1, 2, 3, -1)), calibrate.ErrDegenerate},
		{tool(append(turned(x, 0, 1, 2), turned(geom.Vector{Y: 1}, 1)...)), nil},
		{tool(append(turned(x, 0, 1, 2), geom.Frame{Pos: nan})), calibrate.ErrInfinite},
		{poses(l.posePairs(1, geom.Frame{}, 0)), calibrate.ErrFew},
		{poses([]calibrate.PosePair{{}, {Known: geom.Frame{Rot: geom.FromABC(math.Pi, 0, 0)}}}), calibrate.ErrDegenerate},
		{poses([]calibrate.PosePair{{}, {Known: geom.Frame{Pos: nan}}}), calibrate.ErrInfinite},
		{three(geom.Vector{}, x, geom.Vector{X: 2}), calibrate.ErrDegenerate},
		{three(x, x, geom.Vector{Y: 2}), calibrate.ErrDegenerate},
		{three(x, geom.Vector{}, nan), calibrate.ErrInfinite},
		{three(x, geom.Vector{}, geom.Vector{Y: 2}), nil},
	} {
		if !errors.Is(tt.got, tt.want) {
			t.Errorf("%d: %v instead of %v", i, tt.got, tt.want)
		}
	}
}

// TestPlane: a flat workpiece is not taken for a mirrored one, whatever the errors.
func TestPlane(t *testing.T) {
	for seed := range uint64(200) {
		l := newLab(seed)
		want := l.frame()
		var pairs []calibrate.Pair
		for i := range 4 {
			p := geom.Vector{X: 0.3 * float64(i%2), Y: 0.2 * float64(i/2)}
			pairs = append(pairs, calibrate.Pair{Known: p, Measured: want.Point(p).Add(l.vector(5e-4))})
		}
		if got, _, err := calibrate.Points(pairs); err != nil || !got.Near(want, 0.01, 0.02) {
			t.Errorf("%d: %v instead of %v, %v", seed, got, want, err)
		}
	}
}

func ExamplePoints() {
	tray := []geom.Vector{{}, {X: 0.3}, {X: 0.3, Y: 0.2}, {Y: 0.2}} // its corners, as drawn
	stands := geom.Frame{Pos: geom.Vector{X: 0.5, Y: -0.2, Z: 0.1}, Rot: geom.FromABC(0.5, 0, 0)}
	var pairs []calibrate.Pair
	for _, p := range tray {
		pairs = append(pairs, calibrate.Pair{Known: p, Measured: stands.Point(p)}) // touched by a robot
	}
	f, q, err := calibrate.Points(pairs)
	a, _, _ := f.Rot.ABC()
	fmt.Printf("%.3f %.3f %.3f, turned by %.3f, rms %.3f, %v\n", f.Pos.X, f.Pos.Y, f.Pos.Z, a, q.RMS, err)
	// Output: 0.500 -0.200 0.100, turned by 0.500, rms 0.000, <nil>
}
