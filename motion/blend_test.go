package motion_test

import (
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/internal/testkit/tasks"
	"github.com/softrobot-rcc/rccd/motion"
	"github.com/softrobot-rcc/rccd/motion/path"
	"github.com/softrobot-rcc/rccd/motion/profile"
)

var (
	_ motion.InJoints = (*motion.Joints)(nil)
	_ motion.InJoints = (*motion.Blend)(nil)
	_ motion.InJoints = (*motion.ByArm)(nil)
	_ motion.InSpace  = (*motion.OfTip)(nil)
	_ motion.InSpace  = (*motion.Overlap)(nil)
	_ motion.InSpace  = (*motion.Settle)(nil)
)

// kinds of motions along paths.
const (
	lin = iota
	circ
	spline
	kinds
)

// along makes a motion of a kind that starts at a frame and stays near it.
func (m maker) along(t *testing.T, kind int, from geom.Frame, size float64, translation, rotation profile.Limits) *motion.Along {
	t.Helper()
	next := func(from geom.Frame) geom.Frame {
		return geom.Frame{Pos: from.Pos.Add(m.vector().Unit().Scale(size)), Rot: from.Rot.Add(m.vector(), size/2)}
	}
	var p *path.Path
	var err error
	switch to := next(from); kind {
	case lin:
		p, err = path.Line(from, to)
	case circ:
		p, err = path.Arc(from, next(from).Pos, to, path.Orientation(m.IntN(2)))
	default:
		p, err = path.Spline([]geom.Frame{from, to, next(to)}, path.Ends{})
	}
	if err != nil {
		t.Fatal(err)
	}
	a := motion.NewAlong(p)
	if r := a.Plan(profile.State{}, profile.State{Pos: p.Length()}, p.Limits(translation, rotation)); r != profile.Solved {
		t.Fatal(r)
	}
	return a
}

// flows looks at a motion in space between two times: velocity and acceleration are those of the frame, and neither is
// beyond its limit by more than a share, nor is jerk.
func flows(t *testing.T, m motion.InSpace, from, to float64, translation, rotation profile.Limits, more float64) {
	t.Helper()
	const steps = 300
	step := (to - from) / steps
	within := func(at float64, what string, value geom.Vector, limit float64) {
		t.Helper()
		if !(value.Length() <= limit*(1+more)) {
			t.Fatalf("%s of %v at %v, limit %v", what, value.Length(), at, limit)
		}
	}
	same := func(at float64, what string, a, b geom.Vector, by float64) {
		t.Helper()
		if !(a.Sub(b).Length() <= by) {
			t.Fatalf("%s differs by %v at %v, which is more than %v", what, a.Sub(b).Length(), at, by)
		}
	}
	a := m.At(from)
	for i := range steps {
		at := from + step*float64(i+1)
		b := m.At(at)
		within(at, "velocity", b.Velocity.Vel, translation.Vel)
		within(at, "angular velocity", b.Velocity.Rot, rotation.Vel)
		within(at, "acceleration", b.Acceleration.Vel, translation.Acc)
		within(at, "angular acceleration", b.Acceleration.Rot, rotation.Acc)
		within(at, "jerk", b.Acceleration.Vel.Sub(a.Acceleration.Vel).Scale(1/step), translation.Jerk+1e-6/step)
		within(at, "angular jerk", b.Acceleration.Rot.Sub(a.Acceleration.Rot).Scale(1/step), rotation.Jerk+1e-6/step)
		moved := a.Frame.Velocity(b.Frame, step)
		mean := a.Velocity.Add(b.Velocity).Scale(0.5)
		rounding := 1e-12/step + 1e-9
		same(at, "position and velocity", moved.Vel, mean.Vel, translation.Jerk*step*step+rounding)
		turn := rotation.Vel * rotation.Vel * rotation.Vel
		same(at, "rotation and angular velocity", moved.Rot, mean.Rot, (rotation.Jerk+turn+rotation.Vel*rotation.Acc)*step*step+rounding)
		gained := b.Velocity.Sub(a.Velocity).Scale(1 / step)
		mean = a.Acceleration.Add(b.Acceleration).Scale(0.5)
		same(at, "velocity and acceleration", gained.Vel, mean.Vel, translation.Jerk*step+rounding)
		same(at, "angular velocity and acceleration", gained.Rot, mean.Rot, rotation.Jerk*step+rounding)
		a = b
	}
}

// TestOverlap: any two motions in space, planned for their limits or less, overlap as early as limits allow.
func TestOverlap(t *testing.T) {
	m := newMaker(40)
	gained := 0
	for i := range max(kinds*kinds, tasks.Samples(20_000)/500) {
		translation, rotation := m.limits(), m.limits()
		planned := m.scale([]profile.Limits{translation, rotation})
		a := m.along(t, i%kinds, m.frame(), 0.5, planned[0], planned[1])
		b := m.along(t, i/kinds%kinds, a.At(a.Duration()).Frame, 0.5, planned[0], planned[1])
		o, err := motion.NewOverlap(a, b)
		if err != nil {
			t.Fatal(err)
		}
		earliest := a.Duration() * m.Float64()
		begin := o.Plan(earliest, translation, rotation)
		if begin < earliest || begin > a.Duration() || o.Begins() != begin {
			t.Fatalf("begins at %v", begin)
		}
		if begin < a.Duration()-1e-9 {
			gained++
		}
		flows(t, o, 0, o.Duration(), translation, rotation, 0.01)
		if o.At(o.Duration()) != b.At(b.Duration()) || o.At(begin/2) != a.At(begin/2) {
			t.Fatal("is not the one motion first and the other one in the end")
		}
	}
	if gained == 0 {
		t.Error("nothing overlaps")
	}
}

// TestOverlapOfLines: two lines overlap in a plane, inside of their corner; at a right angle that costs no waiting if they are
// planned for 0.7 of what there is.
func TestOverlapOfLines(t *testing.T) {
	l := profile.Limits{Vel: 0.5, Acc: 2, Jerk: 20}
	planned := profile.Limits{Vel: l.Vel, Acc: 0.7 * l.Acc, Jerk: 0.7 * l.Jerk}
	line := func(from, to geom.Vector) *motion.Along {
		p, err := path.Line(geom.Frame{Pos: from}, geom.Frame{Pos: to})
		if err != nil {
			t.Fatal(err)
		}
		a := motion.NewAlong(p)
		a.Plan(profile.State{}, profile.State{Pos: p.Length()}, planned)
		return a
	}
	a, b := line(geom.Vector{X: -1}, geom.Vector{}), line(geom.Vector{}, geom.Vector{Y: 1})
	o, err := motion.NewOverlap(a, b)
	if err != nil {
		t.Fatal(err)
	}
	leave := motion.Arriving(a, 0.1)
	if d := a.At(leave).Frame.Pos.Length(); math.Abs(d-0.1) > 1e-9 {
		t.Errorf("leaves %v before the corner", d)
	}
	if begin := o.Plan(leave, l, l); begin != leave {
		t.Errorf("begins at %v instead of %v", begin, leave)
	}
	for i := range 1001 {
		p := o.At(o.Duration() * float64(i) / 1000).Frame.Pos
		if p.X > 1e-12 || p.Y < -1e-12 || p.Z != 0 || p.X < -0.1-1e-9 && p.Y > 1e-12 {
			t.Fatalf("is at %v", p)
		}
	}
	if back, _ := motion.NewOverlap(b, b); back != nil {
		t.Error("a motion is overlapped with one that begins elsewhere")
	}
	moving := motion.NewAlong(a.Path())
	moving.Plan(profile.State{}, profile.State{Pos: 1, Vel: 0.1}, planned)
	if o, _ := motion.NewOverlap(moving, b); o != nil {
		t.Error("a motion is overlapped that does not come to rest")
	}
}

// TestSettle leaves motions at any time for any pose: from the state that they have, to rest. And from there another motion goes on.
func TestSettle(t *testing.T) {
	m := newMaker(41)
	s := motion.NewSettle()
	for i := range max(kinds, tasks.Samples(20_000)/500) {
		translation, rotation := m.limits(), m.limits()
		a := m.along(t, i%kinds, m.frame(), 0.5, translation, rotation)
		from := a.At(a.Duration() * m.Float64())
		to := a.At(a.Duration()).Frame
		if m.IntN(2) == 0 {
			to = geom.Frame{Pos: to.Pos.Add(m.vector()), Rot: to.Rot.Add(m.vector(), 0.3)}
		}
		if r := s.Plan(from, to, translation, rotation); r != profile.Solved {
			t.Fatal(r)
		}
		start := s.At(0)
		off := from.Frame.Velocity(start.Frame, 1)
		vel, acc := start.Velocity.Sub(from.Velocity), start.Acceleration.Sub(from.Acceleration)
		for _, v := range []geom.Vector{off.Vel, off.Rot, vel.Vel, vel.Rot, acc.Vel.Scale(1e-3), acc.Rot.Scale(1e-3)} {
			if v.Length() > 1e-6 {
				t.Fatalf("begins at %+v instead of %+v", start, from)
			}
		}
		faster, turning := translation, rotation // where an acceleration across is left to come to its end
		faster.Vel, turning.Vel = 1.1*translation.Vel, 1.1*rotation.Vel
		flows(t, s, 0, s.Duration(), faster, turning, 0.02)
		if s.At(s.Duration()) != (motion.Pose{Frame: to}) {
			t.Fatalf("ends at %+v instead of %+v", s.At(s.Duration()), to)
		}
		next := m.along(t, i/kinds%kinds, to, 0.5, translation, rotation)
		o, err := motion.NewOverlap(s, next)
		if err != nil {
			t.Fatal(err)
		}
		o.Plan(0, translation, rotation)
		flows(t, o, 0, o.Duration(), faster, turning, 0.05)
	}
}

func TestSettleOnALine(t *testing.T) {
	l := profile.Limits{Vel: 1, Acc: 2, Jerk: 20}
	from := motion.Pose{
		Frame:    geom.Frame{Pos: geom.Vector{X: -1}, Rot: geom.Exp(geom.Vector{Y: 0.5})},
		Velocity: geom.Twist{Vel: geom.Vector{X: 1}, Rot: geom.Vector{Y: -1}},
	}
	s := motion.NewSettle()
	if r := s.Plan(from, geom.Frame{}, l, l); r != profile.Solved {
		t.Fatal(r)
	}
	var p profile.Profile
	p.Plan(profile.State{Pos: -1, Vel: 1}, profile.Goal{}, l)
	if math.Abs(p.Duration()-s.Duration()) > 1e-9 {
		t.Errorf("takes %v instead of %v", s.Duration(), p.Duration())
	}
	for _, bad := range []motion.Pose{{Frame: geom.Frame{Pos: geom.Vector{X: math.NaN()}}}, {Velocity: geom.Twist{Rot: geom.Vector{X: math.Inf(1)}}}} {
		if r := s.Plan(bad, geom.Frame{}, l, l); r == profile.Solved {
			t.Errorf("settles from %+v", bad)
		}
	}
}

// cell is an arm and where it can move about.
type cell struct {
	*kinematics.Arm
	joints []float64
	limits []profile.Limits
}

func newCell() cell {
	c := cell{Arm: robots.KR16(), joints: []float64{0.3, -1.3, 1.4, 0.4, 0.7, -0.2}}
	for i := range c.Len() {
		v := c.Joint(i).Velocity
		c.limits = append(c.limits, profile.Limits{Vel: v, Acc: 4 * v, Jerk: 40 * v})
	}
	return c
}

// motion makes one of a kind, the last of which is PTP, from joints; in space it is a slow one.
func (c *cell) motion(t *testing.T, m maker, kind int, from []float64) (j motion.InJoints, to []float64) {
	t.Helper()
	if kind < kinds {
		slow := profile.Limits{Vel: 0.3, Acc: 1, Jerk: 10}
		b, err := motion.NewByArm(m.along(t, kind, c.Forward(from), 0.15, slow, slow), c.Arm, from)
		if err != nil {
			t.Fatal(err)
		}
		j = b
	} else {
		k := moves{make([]profile.State, c.Len()), make([]profile.Goal, c.Len()), c.limits}
		for i := range from {
			k.from[i].Pos, k.to[i].Pos = from[i], from[i]+0.3*(2*m.Float64()-1)
		}
		p := motion.NewJoints(c.Len())
		if out := p.Plan(motion.FullySynchronous, k.from, k.to, k.limits); !out.Solved() {
			t.Fatal(out)
		}
		j = p
	}
	s := make([]profile.State, c.Len())
	j.At(j.Duration(), s)
	for i := range s {
		to = append(to, s[i].Pos)
	}
	return j, to
}

// connected looks at random times: velocity and acceleration are those of the positions.
func connected(t *testing.T, m maker, j motion.InJoints, limits []profile.Limits, from, to float64, strict bool) {
	t.Helper()
	const step = 1e-5
	n := len(limits)
	a, b := make([]profile.State, n), make([]profile.State, n)
	for range 50 {
		at := from + m.Float64()*(to-from-step)
		j.At(at, a)
		j.At(at+step, b)
		for i, l := range limits {
			jerk := l.Jerk
			if !strict {
				jerk *= 20 // what joints do in space is not for them to say
			}
			d, e := b[i].Pos-a[i].Pos-step*(a[i].Vel+b[i].Vel)/2, b[i].Vel-a[i].Vel-step*(a[i].Acc+b[i].Acc)/2
			if !(math.Abs(d) < jerk*step*step*step+1e-11 && math.Abs(e) < jerk*step*step+1e-9 && math.Abs(a[i].Acc-b[i].Acc) < jerk*step+1e-6) {
				t.Fatalf("joint %d goes from %+v to %+v at %v (between %v and %v)", i, a[i], b[i], at, from, to)
			}
			if strict && !(math.Abs(a[i].Vel) <= l.Vel*(1+1e-9) && math.Abs(a[i].Acc) <= l.Acc*(1+1e-9)) {
				t.Fatalf("joint %d is beyond its limits: %+v", i, a[i])
			}
		}
	}
}

// TestBlend goes over between all kinds of motions, at any time of the first one: PTP, LIN, CIRC and spline.
func TestBlend(t *testing.T) {
	m, c := newMaker(42), newCell()
	n := c.Len()
	s, want := make([]profile.State, n), make([]profile.State, n)
	for i := range (kinds + 1) * (kinds + 1) {
		first, at := c.motion(t, m, i%(kinds+1), c.joints)
		second, _ := c.motion(t, m, i/(kinds+1), at)
		b := motion.NewBlend(first, second, n)
		for range max(1, tasks.Samples(100_000)/10_000) {
			if out := b.Plan(first.Duration()*m.Float64(), second.Duration()*m.Float64(), c.limits); !out.Solved() {
				t.Fatal(out)
			}
			left, entered := b.Between()
			connected(t, m, b, c.limits, left, entered, true)
			connected(t, m, b, c.limits, 0, b.Duration(), false)
			b.At(b.Duration(), s)
			second.At(second.Duration(), want)
			for i := range s {
				if !tasks.Near(s[i].Pos, want[i].Pos, 0) || !tasks.Near(s[i].Vel, want[i].Vel, 0) {
					t.Fatalf("ends at %+v instead of %+v", s, want)
				}
			}
		}
	}
}

// TestBlendAtAPlace leaves a motion at a distance before the corner and enters the next one at a distance behind it: that is faster than to
// stop, and stays near the corner.
func TestBlendAtAPlace(t *testing.T) {
	const radius = 0.05
	m, c := newMaker(43), newCell()
	first, at := c.motion(t, m, kinds, c.joints)
	second, _ := c.motion(t, m, lin, at)
	corner := c.Forward(at).Pos
	b := motion.NewBlend(first, second, c.Len())
	leave, enter := motion.Arriving(motion.NewOfTip(first, c.Chain), radius), motion.Departed(motion.NewOfTip(second, c.Chain), radius)
	if out := b.Plan(leave, enter, c.limits); !out.Solved() {
		t.Fatal(out)
	}
	if together := first.Duration() + second.Duration(); b.Duration() >= together {
		t.Errorf("takes %v, one after the other %v", b.Duration(), together)
	}
	tip := motion.NewOfTip(b, c.Chain)
	left, entered := b.Between()
	for _, t1 := range []float64{left, entered} {
		if d := tip.At(t1).Frame.Pos.Sub(corner).Length(); math.Abs(d-radius) > 1e-6 {
			t.Errorf("is %v away from the corner at %v", d, t1)
		}
	}
	for i := range 100 {
		if d := tip.At(left + (entered-left)*float64(i)/100).Frame.Pos.Sub(corner).Length(); d > 1.1*radius {
			t.Errorf("is %v away from the corner", d)
		}
	}
	goal := []profile.Goal{{State: profile.State{Vel: 1e3}}}
	far := motion.NewBlend(first, tooFast{goal[0].State}, c.Len())
	if out := far.Plan(0.1, 0, c.limits); out.Result != profile.BeyondLimit {
		t.Errorf("meets what is beyond the limits: %v", out)
	}
}

// tooFast is a motion that no axis can follow.
type tooFast struct{ profile.State }

func (f tooFast) Duration() float64 { return 1 }

func (f tooFast) At(_ float64, into []profile.State) {
	for i := range into {
		into[i] = f.State
	}
}

// TestBlendsOfTrapezoids: without limit of jerk it is velocity that stays continuous.
func TestBlendsOfTrapezoids(t *testing.T) {
	m, c := newMaker(47), newCell()
	for i := range c.limits {
		c.limits[i].Jerk = math.Inf(1)
	}
	first, at := c.motion(t, m, kinds, c.joints)
	second, _ := c.motion(t, m, kinds, at)
	b, s, before := motion.NewBlend(first, second, c.Len()), make([]profile.State, c.Len()), make([]profile.State, c.Len())
	for range 100 {
		if out := b.Plan(first.Duration()*m.Float64(), second.Duration()*m.Float64(), c.limits); !out.Solved() {
			t.Fatal(out)
		}
		b.At(0, before)
		step := b.Duration() / 1000
		for k := range 1000 {
			b.At(step*float64(k+1), s)
			for i, l := range c.limits {
				if !(math.Abs(s[i].Vel) <= l.Vel*(1+1e-9) && math.Abs(s[i].Vel-before[i].Vel) <= l.Acc*step*(1+1e-9)+1e-9) {
					t.Fatalf("joint %d goes from %+v to %+v", i, before[i], s[i])
				}
			}
			s, before = before, s
		}
	}

	l := profile.Limits{Vel: 1, Acc: 2, Jerk: math.Inf(1)}
	for i := range kinds * kinds {
		a := m.along(t, lin, m.frame(), 0.5, l, l)
		settle := motion.NewSettle()
		if r := settle.Plan(a.At(a.Duration()*m.Float64()), a.At(a.Duration()).Frame, l, l); r != profile.Solved {
			t.Fatal(r)
		}
		gentle := profile.Limits{Vel: 1, Acc: 2, Jerk: 20}
		next := m.along(t, i%kinds, a.At(a.Duration()).Frame, 0.5, gentle, gentle)
		for _, first := range []motion.InSpace{a, settle} {
			o, err := motion.NewOverlap(first, next)
			if err != nil {
				t.Fatal(err)
			}
			o.Plan(0, l, l)
			last := o.At(0)
			for k := range 1000 {
				p := o.At(o.Duration() * float64(k+1) / 1000)
				gained := p.Velocity.Sub(last.Velocity)
				most := 1.1*l.Acc*o.Duration()/1000 + 1e-9
				if gained.Vel.Length() > most || gained.Rot.Length() > most || p.Velocity.Vel.Length() > 1.05*l.Vel {
					t.Fatalf("goes from %+v to %+v", last, p)
				}
				last = p
			}
		}
	}
}

// TestByArm: joints move as the frame does, and back.
func TestByArm(t *testing.T) {
	m, c := newMaker(44), newCell()
	slow := profile.Limits{Vel: 0.3, Acc: 1, Jerk: 10}
	for kind := range kinds {
		a := m.along(t, kind, c.Forward(c.joints), 0.15, slow, slow)
		b, err := motion.NewByArm(a, c.Arm, c.joints)
		if err != nil {
			t.Fatal(err)
		}
		connected(t, m, b, c.limits, 0, b.Duration(), false)
		tip := motion.NewOfTip(b, c.Chain)
		for range 100 {
			at := m.Float64() * a.Duration()
			want, got := a.At(at), tip.At(at)
			off, vel, acc := want.Frame.Velocity(got.Frame, 1), want.Velocity.Sub(got.Velocity), want.Acceleration.Sub(got.Acceleration)
			for _, v := range []geom.Vector{off.Vel, off.Rot, vel.Vel, vel.Rot, acc.Vel, acc.Rot} {
				if !(v.Length() < 1e-9) {
					t.Fatalf("is %+v instead of %+v", got, want)
				}
			}
		}
		flows(t, tip, 0, tip.Duration(), slow, slow, 0.001)
	}
	far := m.along(t, lin, geom.Frame{Pos: geom.Vector{X: 5}}, 0.1, slow, slow)
	if _, err := motion.NewByArm(far, c.Arm, c.joints); err == nil {
		t.Error("goes where the arm cannot be")
	}
	seven := robots.Panda()
	joints := []float64{0.1, 0.2, 0.3, -1.4, 0.5, 1.6, 0.7}
	if _, err := motion.NewByArm(m.along(t, lin, seven.Forward(joints), 0.1, slow, slow), seven, joints); err == nil {
		t.Error("seven joints follow a pose")
	}
	if _, err := motion.NewByArm(far, c.Arm, nil); err == nil {
		t.Error("starts without joints")
	}
}

// TestByArmOfSevenJoints: the tip moves as it should, and the elbow keeps its alpha.
func TestByArmOfSevenJoints(t *testing.T) {
	m, arm := newMaker(46), robots.LWR4()
	elbow := arm.Solver.(*kinematics.SRS)
	slow, rounds, refused := profile.Limits{Vel: 0.3, Acc: 1, Jerk: 10}, tasks.Samples(20), 0
	for range rounds {
		joints := make([]float64, arm.Len())
		for i := range joints {
			joints[i] = 0.5 + 0.4*m.Float64() // nothing is straight
		}
		joints[3] += 0.8 // nor stretched
		for kind := range kinds {
			a := m.along(t, kind, arm.Forward(joints), 0.08, slow, slow)
			b, err := motion.NewByArm(a, arm, joints)
			if err != nil {
				refused++ // not with this alpha
				continue
			}
			tip, states, q := motion.NewOfTip(b, arm.Chain), make([]profile.State, arm.Len()), make([]float64, arm.Len())
			for range 20 {
				at := m.Float64() * a.Duration()
				want, got := a.At(at), tip.At(at)
				off, vel, acc := want.Frame.Velocity(got.Frame, 1), want.Velocity.Sub(got.Velocity), want.Acceleration.Sub(got.Acceleration)
				for _, v := range []geom.Vector{off.Vel, off.Rot, vel.Vel, vel.Rot, acc.Vel, acc.Rot} {
					if !(v.Length() < 1e-9) {
						t.Fatalf("is %+v instead of %+v", got, want)
					}
				}
				b.At(at, states)
				for i := range states {
					q[i] = states[i].Pos
				}
				if moved := elbow.Alpha(q, 0) - elbow.Alpha(joints, 0); math.Abs(math.Remainder(moved, 2*math.Pi)) > 1e-9 {
					t.Fatalf("the elbow has moved by %v", moved)
				}
				const moment = 1e-4
				before, after := make([]profile.State, arm.Len()), make([]profile.State, arm.Len())
				b.At(at-moment, before)
				b.At(at+moment, after)
				if at < moment || at > a.Duration()-moment {
					continue
				}
				for i, s := range states {
					vel := (after[i].Pos - before[i].Pos) / (2 * moment)
					acc := (after[i].Vel - before[i].Vel) / (2 * moment)
					if math.Abs(vel-s.Vel) > 1e-4 || math.Abs(acc-s.Acc) > 0.05 {
						t.Fatalf("joint %d moves with %v and %v, not with %v and %v", i+1, vel, acc, s.Vel, s.Acc)
					}
				}
			}
		}
	}
	if refused > rounds*kinds/10 {
		t.Errorf("%d of %d motions are none", refused, rounds*kinds)
	}
}

func TestBlendsAllocateNothing(t *testing.T) {
	m, c := newMaker(45), newCell()
	first, at := c.motion(t, m, kinds, c.joints)
	second, _ := c.motion(t, m, lin, at)
	b := motion.NewBlend(first, second, c.Len())
	tip, states := motion.NewOfTip(b, c.Chain), make([]profile.State, c.Len())
	l := profile.Limits{Vel: 1, Acc: 2, Jerk: 20}
	a := m.along(t, lin, geom.Frame{}, 0.5, l, l)
	o, err := motion.NewOverlap(a, m.along(t, circ, a.At(a.Duration()).Frame, 0.5, l, l))
	if err != nil {
		t.Fatal(err)
	}
	s := motion.NewSettle()
	if n := alloc.Least(func() {
		b.Plan(0.1, 0.1, c.limits)
		b.At(0.2, states)
		tip.At(0.3)
		o.Begin(0.1)
		s.Plan(o.At(0.2), geom.Frame{}, l, l)
		s.At(0.1)
	}); n != 0 {
		t.Errorf("%d allocations", n)
	}
}

func BenchmarkBlend(b *testing.B) {
	c := newCell()
	t := &testing.T{}
	m := newMaker(46)
	first, at := c.motion(t, m, kinds, c.joints)
	second, _ := c.motion(t, m, lin, at)
	blend, s := motion.NewBlend(first, second, c.Len()), make([]profile.State, c.Len())
	b.Run("plan", func(b *testing.B) {
		for b.Loop() {
			blend.Plan(0.2, 0.2, c.limits)
		}
	})
	b.Run("by arm", func(b *testing.B) {
		for b.Loop() {
			second.At(0.2, s)
		}
	})
}
