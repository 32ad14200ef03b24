package motion_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/internal/testkit/tasks"
	"github.com/softrobot-rcc/rccd/motion"
	"github.com/softrobot-rcc/rccd/motion/path"
	"github.com/softrobot-rcc/rccd/motion/profile"
)

var _ motion.InSpace = (*motion.Along)(nil)

func (m maker) vector() geom.Vector {
	return geom.Vector{X: m.NormFloat64(), Y: m.NormFloat64(), Z: m.NormFloat64()}
}

func (m maker) frame() geom.Frame { return geom.Frame{Pos: m.vector(), Rot: geom.Exp(m.vector())} }

// smooth is a path without corners.
func (m maker) smooth(t *testing.T) *path.Path {
	t.Helper()
	var p *path.Path
	var err error
	switch m.IntN(4) {
	case 0:
		p, err = path.Line(m.frame(), m.frame())
	case 1:
		p, err = path.Arc(m.frame(), m.vector(), m.frame(), path.Orientation(m.IntN(4)))
	case 2:
		from := m.frame()
		p, err = path.Line(from, geom.Frame{Pos: from.Pos, Rot: m.frame().Rot})
	default:
		at := m.frame()
		var via []geom.Frame
		for i := range 2 + m.IntN(4) {
			via = append(via, geom.Frame{Pos: geom.Vector{X: float64(i)}.Add(m.vector().Scale(0.15)), Rot: at.Rot})
			at.Rot = at.Rot.Add(m.vector().Scale(0.5), 1)
		}
		p, err = path.Spline(via, path.Ends{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// trip is a motion along a path, with what it has to keep to.
type trip struct {
	*motion.Along
	translation, rotation, limits profile.Limits
}

func (m maker) trip(t *testing.T) trip {
	t.Helper()
	p := m.smooth(t)
	d := trip{Along: motion.NewAlong(p), translation: m.limits(), rotation: m.limits()}
	d.limits = p.Limits(d.translation, d.rotation)
	if r := d.Plan(profile.State{}, profile.State{Pos: p.Length()}, d.limits); r != profile.Solved {
		t.Fatal(r)
	}
	return d
}

// keeps goes along the motion up to a time: within the limits, and with velocity and acceleration that are those of the frame.
func (d *trip) keeps(t *testing.T, until float64) {
	t.Helper()
	const steps = 200
	within := func(what string, v geom.Vector, limit float64) {
		t.Helper()
		if !(v.Length() <= limit*(1+1e-9)) {
			t.Errorf("%s %v, limit %v", what, v.Length(), limit)
		}
	}
	differs := func(what string, a, b geom.Twist, by float64) {
		t.Helper()
		if d := a.Sub(b); !(d.Vel.Length()+d.Rot.Length() <= by) {
			t.Errorf("%s: %v and %v", what, a, b)
		}
	}
	for i := range steps {
		at, h := until*float64(i)/steps, until*1e-4
		p, q := d.At(at), d.At(at+h)
		within("velocity", p.Velocity.Vel, d.translation.Vel)
		within("angular velocity", p.Velocity.Rot, d.rotation.Vel)
		within("acceleration", p.Acceleration.Vel, d.translation.Acc)
		within("angular acceleration", p.Acceleration.Rot, d.rotation.Acc)
		change := q.Velocity.Sub(p.Velocity)
		within("jerk", q.Acceleration.Sub(p.Acceleration).Vel, d.translation.Jerk*h+1e-9)
		within("angular jerk", q.Acceleration.Sub(p.Acceleration).Rot, d.rotation.Jerk*h+1e-9)
		jerk := d.translation.Jerk + d.rotation.Jerk
		differs("change of the velocity", change, p.Acceleration.Add(q.Acceleration).Scale(h/2), jerk*h*h+1e-9)
		moved := p.Frame.Velocity(q.Frame, 1)
		differs("change of the frame", moved, p.Velocity.Add(q.Velocity).Scale(h/2), (d.translation.Acc+d.rotation.Acc)*h*h+1e-9)
	}
}

func (d *trip) rests(t *testing.T, at geom.Frame) {
	t.Helper()
	for _, rest := range []float64{0, 1, 1e6} {
		p := d.At(d.Duration() + rest)
		if p.Velocity != (geom.Twist{}) || p.Acceleration != (geom.Twist{}) {
			t.Errorf("at its end it moves with %v and %v", p.Velocity, p.Acceleration)
		}
		if away := p.Frame.Velocity(at, 1); !(away.Vel.Length()+away.Rot.Length() < 1e-9) {
			t.Errorf("it ends %v away", away)
		}
	}
}

func TestAlong(t *testing.T) {
	m := newMaker(21)
	for range tasks.Samples(200) {
		d := m.trip(t)
		d.keeps(t, d.Duration())
		d.rests(t, d.Path().At(d.Path().Length()).Frame)
		if t.Failed() {
			t.FailNow()
		}
	}
}

// TestAlongStops from any moment, on the path, as soon as possible; and goes on, at another speed, to the same end.
func TestAlongStops(t *testing.T) {
	m := newMaker(22)
	for range tasks.Samples(200) {
		d := m.trip(t)
		for range 4 {
			at := d.Duration() * m.Float64()
			before, law := d.At(at), d.Law(at)
			stop := m.IntN(2) == 0
			if stop {
				if r := d.Stop(at); r != profile.Solved {
					t.Fatal(r)
				}
				var fastest profile.Profile
				if fastest.Stop(law, d.limits); d.Duration() != fastest.Duration() {
					t.Errorf("it stops in %v, not %v", d.Duration(), fastest.Duration())
				}
			} else if r := d.GoOn(at, d.limits); r != profile.Solved {
				t.Fatal(r)
			}
			if off := before.Velocity.Sub(d.At(0).Velocity); off.Vel.Length()+off.Rot.Length() > 1e-9 {
				t.Errorf("the velocity jumps by %v", off)
			}
			const moment = 1e-9 // the first phase of a law may be one that rounding has made
			little := 1e-6 * (d.translation.Acc + d.rotation.Acc)
			if off := before.Acceleration.Sub(d.At(moment).Acceleration); off.Vel.Length()+off.Rot.Length() > little {
				t.Errorf("the acceleration jumps by %v", off)
			}
			if off := before.Frame.Velocity(d.At(0).Frame, 1); off.Vel.Length()+off.Rot.Length() > 1e-9 {
				t.Errorf("the frame jumps by %v", off)
			}
			d.keeps(t, d.Duration())
			if stop {
				d.rests(t, d.Path().At(d.Law(d.Duration()).Pos).Frame)
			}
		}
		if r := d.GoOn(d.Duration(), d.limits); r != profile.Solved {
			t.Fatal(r)
		}
		d.rests(t, d.Path().At(d.Path().Length()).Frame)
		if t.Failed() {
			t.FailNow()
		}
	}
}

// TestAlongAtAnotherSpeed: half and full speed alternate, the frame does not notice but by its velocity.
func TestAlongAtAnotherSpeed(t *testing.T) {
	m := newMaker(23)
	for range tasks.Samples(200) {
		d := m.trip(t)
		full, fast := d.limits, d.Duration()
		slow := full
		slow.Vel *= 0.2 + 0.5*m.Float64()
		if r := d.GoOn(0.3*fast, slow); r != profile.Solved {
			t.Fatal(r)
		}
		if d.Duration()+0.3*fast < fast*(1-1e-9) {
			t.Errorf("%v + %v at low speed, %v at full speed", 0.3*fast, d.Duration(), fast)
		}
		d.keeps(t, d.Duration())
		if s := d.Law(d.Duration() / 2); s.Vel > max(slow.Vel, full.Vel*0.99) {
			t.Errorf("%v is faster than %v", s.Vel, slow.Vel)
		}
		if r := d.GoOn(0.3*d.Duration(), full); r != profile.Solved {
			t.Fatal(r)
		}
		d.keeps(t, d.Duration())
		d.rests(t, d.Path().At(d.Path().Length()).Frame)
		if t.Failed() {
			t.FailNow()
		}
	}
}

func TestAlongIsRefused(t *testing.T) {
	a, b := geom.Frame{}, geom.Frame{Pos: geom.Vector{X: 1}}
	c := geom.Frame{Pos: geom.Vector{X: 1, Y: 1}}
	first, err := path.Line(a, b)
	if err != nil {
		t.Fatal(err)
	}
	second, err := path.Line(b, c)
	if err != nil {
		t.Fatal(err)
	}
	chain, err := path.Chain(first, second)
	if err != nil {
		t.Fatal(err)
	}
	limits := profile.Limits{Vel: 1, Acc: 4, Jerk: 40}
	d := motion.NewAlong(chain)
	try := func(from, to profile.State, l profile.Limits, want profile.Result) {
		t.Helper()
		if r := d.Plan(from, to, l); r != want {
			t.Errorf("from %v to %v: %v, not %v", from, to, r, want)
		}
	}
	rest := func(at float64) profile.State { return profile.State{Pos: at} }
	try(rest(0), rest(2), limits, profile.BeyondLimit)                          // over a corner
	try(rest(1), rest(2.1), limits, profile.BeyondLimit)                        // beyond the end
	try(profile.State{Vel: -0.5}, rest(1), limits, profile.BeyondLimit)         // begins backwards
	try(rest(0), profile.State{Pos: 0.01, Vel: 1}, limits, profile.BeyondLimit) // no room for a run-up
	try(rest(0), rest(math.NaN()), limits, profile.BadState)
	try(rest(0), rest(1), profile.Limits{}, profile.BadLimits)
	try(rest(2), rest(1), limits, profile.Solved) // backwards
	try(rest(0), rest(1), limits, profile.Solved)
	duration := d.Duration()
	lame := profile.Limits{Vel: 1, Acc: 0.1, Jerk: 1}
	if r := d.GoOn(duration/2, lame); r != profile.BeyondLimit {
		t.Error("no room to brake:", r)
	}
	if d.Duration() != duration {
		t.Error("what was refused has changed the motion")
	}
	try(rest(0), profile.State{Pos: 1, Vel: 0.5}, limits, profile.BeyondLimit) // into a corner
	// It arrives with a velocity, goes straight on after that, and cannot stop any more.
	try(rest(1), profile.State{Pos: 2, Vel: 0.5}, limits, profile.Solved)
	if r := d.Stop(d.Duration()); r != profile.BeyondLimit {
		t.Error("the end is passed:", r)
	}
	p := d.At(d.Duration() + 2)
	if math.Abs(p.Frame.Pos.Y-2) > 1e-12 || math.Abs(p.Velocity.Vel.Y-0.5) > 1e-12 || p.Acceleration != (geom.Twist{}) {
		t.Error("after the end", p)
	}
	if p := d.At(math.NaN()); !math.IsNaN(p.Frame.Pos.X) || !math.IsNaN(p.Velocity.Vel.X) {
		t.Error("NaN is answered with", p)
	}
}

func TestAlongAllocatesNothing(t *testing.T) {
	d := newMaker(24).trip(t)
	var p motion.Pose
	if n := alloc.Least(func() {
		d.Plan(profile.State{}, profile.State{Pos: d.Path().Length()}, d.limits)
		p = d.At(d.Duration() / 3)
		d.Stop(d.Duration() / 2)
		d.GoOn(d.Duration(), d.limits)
	}); n != 0 {
		t.Errorf("%d allocations, %v", n, p)
	}
}

func BenchmarkAlong(b *testing.B) {
	line, err := path.Line(geom.Frame{}, geom.Frame{Pos: geom.Vector{X: 1}, Rot: geom.FromABC(1, 0, 0)})
	if err != nil {
		b.Fatal(err)
	}
	d, limits := motion.NewAlong(line), profile.Limits{Vel: 1, Acc: 4, Jerk: 40}
	plan := func() { d.Plan(profile.State{}, profile.State{Pos: 1}, limits) }
	plan()
	for name, f := range map[string]func(){
		"plan": plan,
		"at":   func() { d.At(0.3) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				f()
			}
		})
	}
}

func ExampleAlong() {
	line, err := path.Line(geom.Frame{}, geom.Frame{Pos: geom.Vector{X: 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	tool := profile.Limits{Vel: 0.5, Acc: 2, Jerk: math.Inf(1)}
	turn := profile.Limits{Vel: 1, Acc: 5, Jerk: math.Inf(1)}
	limits := line.Limits(tool, turn)

	m := motion.NewAlong(line)
	if r := m.Plan(profile.State{}, profile.State{Pos: line.Length()}, limits); r != profile.Solved {
		fmt.Println(r)
		return
	}
	fmt.Printf("%.2f s, ", m.Duration())
	if r := m.Stop(1); r != profile.Solved { // after one second somebody wants it to stop
		fmt.Println(r)
		return
	}
	fmt.Printf("rests at %.2f m, ", m.At(m.Duration()).Frame.Pos.X)
	if r := m.GoOn(m.Duration(), limits); r != profile.Solved {
		fmt.Println(r)
		return
	}
	fmt.Printf("then at %.2f m\n", m.At(m.Duration()).Frame.Pos.X)
	// Output: 2.25 s, rests at 0.50 m, then at 1.00 m
}
