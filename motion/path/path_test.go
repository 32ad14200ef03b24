package path_test

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/motion/path"
)

// rounds returns how many random paths of each kind a law is tried with.
func rounds() int {
	steps, _ := strconv.Atoi(os.Getenv("RCCD_STEPS"))
	return max(10, steps/1000)
}

type maker struct{ *rand.Rand }

func newMaker() maker { return maker{rand.New(rand.NewPCG(3, 5))} }

func (m maker) vector() geom.Vector {
	return geom.Vector{X: m.NormFloat64(), Y: m.NormFloat64(), Z: m.NormFloat64()}
}

func (m maker) rotation() geom.Rotation {
	return geom.FromQuaternion(m.NormFloat64(), m.NormFloat64(), m.NormFloat64(), m.NormFloat64())
}

func (m maker) frame() geom.Frame { return geom.Frame{Pos: m.vector(), Rot: m.rotation()} }

// via are poses as one would teach them: each where the way leads, about, so that no way has to turn back on the spot.
func (m maker) via() []geom.Frame {
	f, ahead, turn := m.frame(), m.vector().Unit(), m.vector().Unit()
	var via []geom.Frame
	for range 2 + m.IntN(6) {
		via = append(via, f)
		ahead = ahead.Add(m.vector().Scale(0.25)).Unit()
		turn = turn.Add(m.vector().Scale(0.25)).Unit()
		f = geom.Frame{Pos: f.Pos.Add(ahead.Scale(0.4 + m.Float64())), Rot: f.Rot.Add(turn.Scale(0.4+m.Float64()), 1)}
	}
	return via
}

// towards returns a direction that does not lead away from where the way goes.
func (m maker) towards(from, to geom.Frame) geom.Vector {
	return to.Pos.Sub(from.Pos).Unit().Add(m.vector().Scale(0.25)).Scale(m.Float64() + 0.1)
}

// ring are poses that lead round and back.
func (m maker) ring() []geom.Frame {
	via := make([]geom.Frame, 3+m.IntN(5))
	for i := range via {
		where := geom.FromAxisAngle(geom.Vector{Z: 1}, 2*math.Pi*float64(i)/float64(len(via))).Rotate(geom.Vector{X: 1})
		via[i] = geom.Frame{Pos: where.Add(m.vector().Scale(0.1)), Rot: m.rotation()}
	}
	return via
}

func (m maker) turns() []geom.Frame {
	via := m.via()
	for i := range via {
		via[i].Pos = via[0].Pos
	}
	return via
}

// trial is a path and what is known of it.
type trial struct {
	name     string
	path     *path.Path
	from, to geom.Frame
	turns    bool
}

// each tries a law with random paths of all kinds.
func each(t *testing.T, law func(t *testing.T, m maker, p trial)) {
	t.Helper()
	m := newMaker()
	for range rounds() {
		for _, p := range m.trials(t) {
			law(t, m, p)
			if t.Failed() {
				t.Fatalf("%s from %v to %v", p.name, p.from, p.to)
			}
		}
	}
}

func (m maker) trials(t *testing.T) []trial {
	t.Helper()
	a, b, c := m.frame(), m.frame(), m.frame()
	there := geom.Frame{Pos: a.Pos, Rot: b.Rot}
	centre, axis, angle := m.vector(), m.vector(), 10*m.NormFloat64()
	turn := geom.FromAxisAngle(axis, angle)
	round := geom.Frame{Pos: centre.Add(turn.Rotate(a.Pos.Sub(centre))), Rot: a.Rot}
	fixed := geom.Frame{Pos: round.Pos, Rot: turn.Mul(a.Rot)}
	via, turns := m.via(), m.turns()
	last := len(via) - 1
	ends := path.Ends{
		Start: geom.Twist{Vel: m.towards(via[0], via[1]), Rot: m.vector().Scale(0.3)},
		End:   geom.Twist{Vel: m.towards(via[last-1], via[last])},
	}
	ring := m.ring()
	must := func(p *path.Path, err error) *path.Path {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	arc := func(o path.Orientation) *path.Path { return must(path.Arc(a, c.Pos, b, o)) }
	carried := geom.Frame{Pos: b.Pos, Rot: arc(path.FixedOnWheel).At(math.Inf(1)).Frame.Rot}
	spline := must(path.Spline(via, path.Ends{}))
	return []trial{
		{"line", must(path.Line(a, b)), a, b, false},
		{"turn", must(path.Line(a, there)), a, there, true},
		{"arc", arc(path.Turning), a, b, false},
		{"arc with constant orientation", arc(path.Constant), a, geom.Frame{Pos: b.Pos, Rot: a.Rot}, false},
		{"arc with a turn on the wheel", arc(path.TurningOnWheel), a, b, false},
		{"arc, fixed on the wheel", arc(path.FixedOnWheel), a, carried, false},
		{"circle", must(path.Circle(a, centre, axis, angle, path.Constant)), a, round, false},
		{"circle, fixed on the wheel", must(path.Circle(a, centre, axis, angle, path.FixedOnWheel)), a, fixed, false},
		{"spline", spline, via[0], via[last], false},
		{"spline with directions", must(path.Spline(via, ends)), via[0], via[last], false},
		{"closed spline", must(path.Spline(ring, path.Ends{Closed: true})), ring[0], ring[0], false},
		{"spline of turns", must(path.Spline(turns, path.Ends{})), turns[0], turns[len(turns)-1], true},
		{"chain", must(path.Chain(spline, must(path.Line(via[last], b)))), via[0], b, false},
	}
}

func off(a, b geom.Frame) float64 {
	return max(a.Pos.Sub(b.Pos).Length(), a.Rot.To(b.Rot).Angle())
}

func TestPathsLeadFromStartToEnd(t *testing.T) {
	each(t, func(t *testing.T, _ maker, p trial) {
		for _, s := range []float64{0, -1, math.Inf(-1)} {
			if d := off(p.path.At(s).Frame, p.from); !(d < 1e-12) {
				t.Errorf("at %v it is %g away from its start", s, d)
			}
		}
		for _, s := range []float64{p.path.Length(), p.path.Length() + 1, math.Inf(1)} {
			if d := off(p.path.At(s).Frame, p.to); !(d < 1e-12) {
				t.Errorf("at %v it is %g away from its end", s, d)
			}
		}
		point := p.path.At(math.NaN())
		for _, v := range []float64{point.Frame.Pos.X, point.First.Vel.X, point.Second.Rot.Y, point.Third.Vel.Z} {
			if !math.IsNaN(v) {
				t.Error("NaN is answered with", point)
			}
		}
		if point.Frame.Rot.Finite() {
			t.Error("NaN is answered with", point.Frame.Rot)
		}
	})
}

// within returns an arc length with some room to the ends of its segment, so that differences stay in it.
func (m maker) within(s *path.Segment, room float64) float64 {
	return s.From + room + (s.To-s.From-2*room)*m.Float64()
}

// TestDerivatives are compared with differences of five points.
func TestDerivatives(t *testing.T) {
	each(t, func(t *testing.T, m maker, p trial) {
		for _, segment := range p.path.Segments() {
			h := 2e-4 * (segment.To - segment.From)
			s := m.within(&segment, 2*h)
			at := func(k int) path.Point { return p.path.At(s + float64(k)*h) }
			differ := func(name string, derivative geom.Twist, of func(path.Point) geom.Twist) {
				t.Helper()
				two := of(at(-2)).Sub(of(at(2)))
				one := of(at(1)).Sub(of(at(-1)))
				d := one.Scale(8).Add(two).Scale(1 / (12 * h))
				// the errors of differences: rounding, and how quickly the function itself changes
				size := of(at(0)).Vel.Length() + of(at(0)).Rot.Length()
				bound := 1e-9*size/h + 1e-5*(1+derivative.Vel.Length()+derivative.Rot.Length())
				if e := d.Sub(derivative); !(e.Vel.Length()+e.Rot.Length() < bound) {
					t.Errorf("%s at %v: %v, but the difference says %v", name, s, derivative, d)
				}
			}
			here := at(0)
			differ("first", here.First, func(q path.Point) geom.Twist { return here.Frame.Velocity(q.Frame, 1) })
			differ("second", here.Second, func(q path.Point) geom.Twist { return q.First })
			differ("third", here.Third, func(q path.Point) geom.Twist { return q.Second })
		}
	})
}

// gone returns the way from one arc length to another: the limit of more and more chords (Richardson).
func (p *trial) gone(from, to float64, most int) float64 {
	chords := func(n int) (sum float64) {
		a := p.path.At(from)
		for i := range n {
			b := p.path.At(from + (to-from)*float64(i+1)/float64(n))
			if d := a.Frame.Velocity(b.Frame, 1); p.turns {
				sum += d.Rot.Length()
			} else {
				sum += d.Vel.Length()
			}
			a = b
		}
		return sum
	}
	return (4*chords(most) - chords(most/2)) / 3
}

// bend returns the largest curvature of what a segment is measured by.
func (p *trial) bend(s *path.Segment) float64 {
	if p.turns {
		return s.Rotation.Second
	}
	return s.Translation.Second
}

// TestPathSpeed: equal steps of arc length are equal steps in space, to a millionth and better, however small.
func TestPathSpeed(t *testing.T) {
	each(t, func(t *testing.T, m maker, p trial) {
		for _, segment := range p.path.Segments() {
			p.turns = p.turns || p.path.At((segment.From+segment.To)/2).First.Vel.Length() == 0
			ds := min(5e-4*(segment.To-segment.From), 0.02/p.bend(&segment))
			for range 20 {
				s := m.within(&segment, ds)
				if gone := p.gone(s-ds, s+ds, 8); !(math.Abs(gone/(2*ds)-1) < 1e-7) {
					t.Errorf("at %v: %g for %g", s, gone, 2*ds)
				}
				first := p.path.At(s).First
				if n := max(first.Vel.Length(), first.Rot.Length()); p.turns && !(math.Abs(n-1) < 1e-12) {
					t.Errorf("at %v: the rotation has the length %v", s, n)
				}
				if n := first.Vel.Length(); !p.turns && !(math.Abs(n-1) < 1e-12) {
					t.Errorf("at %v: the tangent has the length %v", s, n)
				}
			}
		}
	})
}

// TestLength: each segment is as long as it says.
func TestLength(t *testing.T) {
	each(t, func(t *testing.T, _ maker, p trial) {
		sum := 0.0
		for _, segment := range p.path.Segments() {
			length := segment.To - segment.From
			sum += length
			chords := 1 << max(10, int(math.Log2(100*length*p.bend(&segment))))
			if gone := p.gone(segment.From, segment.To, chords); !(math.Abs(gone-length) < 1e-9*length) {
				t.Errorf("%v to %v: it is %v long, not %v", segment.From, segment.To, gone, length)
			}
		}
		if d := math.Abs(sum - p.path.Length()); !(d < 1e-13*sum) {
			t.Errorf("segments are %g longer or shorter than all", d)
		}
	})
}

// TestSmoothness: without corners the pose and the first derivative go on where segments meet, of splines the second does
// as well.
func TestSmoothness(t *testing.T) {
	each(t, func(t *testing.T, _ maker, p trial) {
		corners := p.path.Corners()
		if (len(corners) > 0) != (p.name == "chain") {
			t.Errorf("corners at %v", corners)
		}
		for _, segment := range p.path.Segments() {
			s := segment.From
			a, b := p.path.At(s-1e-9), p.path.At(s+1e-9)
			if d := off(a.Frame, b.Frame); !(d < 1e-8*(1+segment.Rotation.First)) {
				t.Errorf("at %v it jumps by %g", s, d)
			}
			if len(corners) > 0 && s == corners[0] {
				continue
			}
			for name, d := range map[string]geom.Twist{"first": a.First.Sub(b.First), "second": a.Second.Sub(b.Second)} {
				third := segment.Translation.Third + segment.Rotation.Third
				if d := d.Vel.Length() + d.Rot.Length(); !(d < 1e-6*(1+third)) {
					t.Errorf("at %v the %s derivative jumps by %g", s, name, d)
				}
			}
		}
	})
}

func TestBoundsHold(t *testing.T) {
	each(t, func(t *testing.T, m maker, p trial) {
		for _, segment := range p.path.Segments() {
			for range 50 {
				point := p.path.At(m.within(&segment, 0))
				for i, d := range []geom.Twist{point.First, point.Second, point.Third} {
					v := [...]float64{segment.Translation.First, segment.Translation.Second, segment.Translation.Third}[i]
					r := [...]float64{segment.Rotation.First, segment.Rotation.Second, segment.Rotation.Third}[i]
					if !(d.Vel.Length() <= v*(1+1e-9)+1e-12) || !(d.Rot.Length() <= r*(1+1e-9)+1e-12) {
						t.Errorf("derivative %d: %v and %v, said to be at most %v and %v", i+1, d.Vel.Length(), d.Rot.Length(), v, r)
					}
				}
			}
		}
	})
}
