package path_test

import (
	"math"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/motion/path"
)

func vector(x, y, z float64) geom.Vector { return geom.Vector{X: x, Y: y, Z: z} }

func pose(x, y, z, a float64) geom.Frame {
	return geom.Frame{Pos: vector(x, y, z), Rot: geom.FromABC(a, 0, 0)}
}

func near(t *testing.T, what string, is, want, by float64) {
	t.Helper()
	if !(math.Abs(is-want) <= by) {
		t.Errorf("%s is %v, not %v", what, is, want)
	}
}

func TestLine(t *testing.T) {
	line, err := path.Line(pose(1, 0, 0, 0), pose(1, 3, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "length", line.Length(), 5, 1e-15)
	p := line.At(2)
	if d := off(p.Frame, pose(1, 1.2, 1.6, 0.4)); d > 1e-15 {
		t.Error(p.Frame)
	}
	if d := p.First.Vel.Sub(vector(0, 0.6, 0.8)).Length(); d > 1e-15 || p.Second != (geom.Twist{}) || p.Third != (geom.Twist{}) {
		t.Error(p)
	}
	near(t, "rotation", p.First.Rot.Z, 0.2, 1e-15)
	turn, err := path.Line(pose(1, 0, 0, 0), pose(1, 0, 0, -1.5))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "length of a turn", turn.Length(), 1.5, 1e-15)
	p = turn.At(1)
	near(t, "rotation", p.First.Rot.Z, -1, 1e-15)
}

// TestCircles have all points as far from the centre, their curvature is 1/radius, and the orientation is where it should be.
func TestCircles(t *testing.T) {
	m := newMaker()
	for range 1000 {
		from, centre, axis := m.frame(), m.vector(), m.vector().Unit()
		angle := 2 * math.Pi * (0.02 + 0.96*m.Float64())
		turned := func(share float64, f geom.Frame) geom.Frame {
			turn := geom.FromAxisAngle(axis, angle*share)
			return geom.Frame{Pos: centre.Add(turn.Rotate(f.Pos.Sub(centre))), Rot: turn.Mul(f.Rot)}
		}
		radius := from.Pos.Sub(centre).Cross(axis).Length()
		end := turned(1, from)
		end.Rot = end.Rot.Mul(geom.Exp(m.vector().Scale(0.3)))
		about, err := path.Circle(from, centre, axis, angle, path.FixedOnWheel)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "length", about.Length(), radius*angle, 1e-12)
		for o, at := range map[path.Orientation]func(share float64) geom.Rotation{
			path.Turning:      func(share float64) geom.Rotation { return from.Rot.Slerp(end.Rot, share) },
			path.Constant:     func(float64) geom.Rotation { return from.Rot },
			path.FixedOnWheel: func(share float64) geom.Rotation { return turned(share, from).Rot },
			path.TurningOnWheel: func(share float64) geom.Rotation {
				return turned(share, geom.Frame{Rot: from.Rot.Slerp(turned(-1, end).Rot, share)}).Rot
			},
		} {
			arc, err := path.Arc(from, turned(0.1+0.8*m.Float64(), from).Pos, end, o)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "length", arc.Length(), radius*angle, 1e-8)
			share := m.Float64()
			p, q := arc.At(share*arc.Length()), about.At(share*about.Length())
			near(t, "way from the point about the axis", p.Frame.Pos.Sub(q.Frame.Pos).Length(), 0, 1e-8)
			near(t, "angle", p.Frame.Rot.To(at(share)).Angle(), 0, 1e-8)
			near(t, "curvature", q.Curvature()*radius, 1, 1e-12)
			middle := q.Frame.Pos.Add(q.Second.Vel.Scale(radius * radius))
			near(t, "way from the centre of curvature to the axis", middle.Sub(centre).Cross(axis).Length(), 0, 1e-12*(1+radius*radius))
		}
	}
}

// TestSplineOfOneAxis: where all orientations turn about one axis, the angle is the cubic spline of the angles.
func TestSplineOfOneAxis(t *testing.T) {
	var via []geom.Frame
	for _, x := range []float64{0, 1, 2, 3} {
		via = append(via, geom.Frame{Pos: vector(x, 0, 0), Rot: geom.FromABC(x*(x-2)*(x-4)/8, 0, 0)})
	}
	// The angles are 0, 3/8, 0, -3/8; the slopes m of their natural spline solve the equations of the textbook.
	line, err := path.Spline(via, path.Ends{})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "length", line.Length(), 3, 1e-12)
	m := []float64{line.At(0).First.Rot.Z, line.At(1).First.Rot.Z, line.At(2).First.Rot.Z, line.At(3).First.Rot.Z}
	near(t, "start", 2*m[0]+m[1], 9.0/8, 1e-9)
	near(t, "second point", m[0]+4*m[1]+m[2], 0, 1e-9)
	near(t, "third point", m[1]+4*m[2]+m[3], -9.0/4, 1e-9)
	near(t, "end", m[2]+2*m[3], -9.0/8, 1e-9)
	near(t, "acceleration at the start", line.At(0).Second.Rot.Length(), 0, 1e-9)
	a, _, _ := line.At(0.5).Frame.Rot.ABC()
	near(t, "angle between", a, 3.0/16+(m[0]-m[1])/8, 1e-9)
}

func TestSplineThroughACircle(t *testing.T) {
	const n = 16
	via := make([]geom.Frame, n)
	for i := range via {
		s, c := math.Sincos(2 * math.Pi * float64(i) / n)
		via[i] = geom.Frame{Pos: vector(c, s, 0), Rot: geom.FromABC(2*math.Pi*float64(i)/n, 0, 0)}
	}
	round, err := path.Spline(via, path.Ends{Closed: true})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "length", round.Length(), 2*math.Pi, 2e-3)
	for i := range 100 {
		p := round.At(round.Length() * float64(i) / 100)
		near(t, "radius", p.Frame.Pos.Length(), 1, 2e-4)
		near(t, "curvature", p.Curvature(), 1, 0.02)
		near(t, "rotation", p.First.Rot.Z, 1, 0.01)
	}
	begin, end := round.At(0), round.At(round.Length())
	for _, d := range []geom.Twist{begin.First.Sub(end.First), begin.Second.Sub(end.Second)} {
		near(t, "the jump at the start", d.Vel.Length()+d.Rot.Length(), 0, 1e-9)
	}
	half, err := path.Spline(via[:n/2+1], path.Ends{Start: geom.Twist{Vel: vector(0, 3, 0), Rot: vector(0, 0, 3)}, End: geom.Twist{Vel: vector(0, -1, 0), Rot: vector(0, 0, 1)}})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "half the length", half.Length(), math.Pi, 1e-3)
	first := half.At(0).First
	near(t, "direction", first.Vel.Sub(vector(0, 1, 0)).Length(), 0, 1e-12)
	near(t, "rotation at the start", first.Rot.Sub(vector(0, 0, 1)).Length(), 0, 1e-12)
}

// TestSplinesAreTheSameFromEverywhere: another reference and another frame of the tool do not change the motion of the body.
func TestSplinesAreTheSameFromEverywhere(t *testing.T) {
	m := newMaker()
	for range 20 {
		via, reference, tool := m.via(), m.frame(), m.rotation()
		other := make([]geom.Frame, len(via))
		seen := func(f geom.Frame) geom.Frame {
			f = reference.Mul(f)
			f.Rot = f.Rot.Mul(tool)
			return f
		}
		for i := range via {
			other[i] = seen(via[i])
		}
		a, err := path.Spline(via, path.Ends{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := path.Spline(other, path.Ends{})
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			s := a.Length() * m.Float64()
			near(t, "difference", off(seen(a.At(s).Frame), b.At(s).Frame), 0, 1e-7)
		}
	}
}

func TestChain(t *testing.T) {
	build := func(p *path.Path, err error) *path.Path {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	a, b, c, d := pose(0, 0, 0, 0), pose(1, 0, 0, 0), pose(2, 1, 0, 0), pose(2, 1, 0, 2)
	straight := build(path.Line(a, b))
	bend := build(path.Circle(b, vector(1, 1, 0), vector(0, 0, 1), math.Pi/2, path.Constant))
	chain := build(path.Chain(straight, bend, build(path.Line(c, d))))
	near(t, "length", chain.Length(), 1+math.Pi/2+2, 1e-12)
	if n := chain.Corners(); len(n) != 1 || math.Abs(n[0]-1-math.Pi/2) > 1e-12 {
		t.Errorf("corners at %v", n)
	}
	corner := chain.Corners()[0]
	for way, smooth := range map[[2]float64]bool{
		{0, corner}: true, {corner, 0}: true, {corner, chain.Length()}: true, {0.5, 0.5}: true,
		{0, corner + 0.01}: false, {corner + 0.01, corner - 0.01}: false, {-0.01, 1}: false, {2, 10}: false, {0, math.NaN()}: false,
	} {
		if chain.Smooth(way[0], way[1]) != smooth {
			t.Errorf("from %v to %v it is not what it should be: %v", way[0], way[1], !smooth)
		}
	}
	if !chain.IsCorner(corner) || chain.IsCorner(corner+0.01) || chain.IsCorner(1) || chain.IsCorner(math.NaN()) {
		t.Error("corners are somewhere else")
	}
	if n := build(path.Chain(chain)).Length(); n != chain.Length() {
		t.Errorf("a chain of one is %v long", n)
	}
	inTheBend := chain.At(1.5)
	near(t, "curvature", inTheBend.Curvature(), 1, 1e-12)
	turning := chain.At(1 + math.Pi/2 + 1)
	near(t, "curvature of a turn", turning.Curvature(), 0, 0)
	near(t, "rotation of a turn", turning.First.Rot.Z, 1, 1e-12)
}

func TestWhatIsNoPath(t *testing.T) {
	none := math.NaN()
	a, b, c := pose(0, 0, 0, 0), pose(1, 0, 0, 1), pose(2, 1e-9, 0, 0)
	bad, z := pose(none, 0, 0, 0), vector(0, 0, 1)
	line := func(a, b geom.Frame) *path.Path { p, _ := path.Line(a, b); return p }
	of := func(_ *path.Path, err error) error { return err }
	for want, err := range map[string]error{
		"line: start and end are the same":                               of(path.Line(a, a)),
		"line: a pose is not a number":                                   of(path.Line(a, bad)),
		"circle: the three points lie on a line":                         of(path.Arc(a, b.Pos, c, 0)),
		"circle: the start and the via point are the same":               of(path.Arc(a, a.Pos, b, 0)),
		"circle: the via point and the end are the same":                 of(path.Arc(a, b.Pos, b, 0)),
		"circle: start and end are the same; a full circle":              of(path.Arc(a, b.Pos, a, 0)),
		"circle: a pose is not a number":                                 of(path.Circle(a, b.Pos, z, none, path.Constant)),
		"circle: the axis has no direction":                              of(path.Circle(a, b.Pos, geom.Vector{}, 1, path.Constant)),
		"circle: the start lies on the axis":                             of(path.Circle(a, z, z, 1, path.Constant)),
		"circle: start and end are":                                      of(path.Circle(a, b.Pos, z, 0, path.Constant)),
		"circle: a circle about an axis needs":                           of(path.Circle(a, b.Pos, z, 1, path.Turning)),
		"circle: unknown orientation 9":                                  of(path.Arc(a, vector(1, 1, 0), b, 9)),
		"spline: 1 points are too few; a spline needs 2, a closed one 3": of(path.Spline([]geom.Frame{a}, path.Ends{})),
		"spline: 2 points are too few; a spline needs 2, a closed one 3": of(path.Spline([]geom.Frame{a, b}, path.Ends{Closed: true})),
		"spline: points 2 and 3 are the same":                            of(path.Spline([]geom.Frame{a, b, b, c}, path.Ends{})),
		"spline: points 3 and 1 are the same":                            of(path.Spline([]geom.Frame{a, b, a}, path.Ends{Closed: true})),
		"spline: point 2 is not a number":                                of(path.Spline([]geom.Frame{a, bad}, path.Ends{})),
		"spline: a direction is not a number":                            of(path.Spline([]geom.Frame{a, b}, path.Ends{End: geom.Twist{Rot: bad.Pos}})),
		"spline: part 2 stops and turns back":                            of(path.Spline([]geom.Frame{a, b, pose(3, 0, 0, 0), pose(2, 0, 0, 0)}, path.Ends{})),
		"chain: no path":                                                 of(path.Chain()),
		"chain: path 2 is missing":                                       of(path.Chain(line(a, b), nil)),
		"chain: path 2 begins 1 m and 1 rad from the end of path 1":      of(path.Chain(line(a, b), line(a, c))),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, not %q", err, want)
		}
	}
	var p path.Path
	if point := p.At(0); !math.IsNaN(point.Frame.Pos.X) {
		t.Error("a path that was not built has the point", point)
	}
}
