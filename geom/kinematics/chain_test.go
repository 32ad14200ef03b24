package kinematics_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
)

// maker makes up chains and what they are asked.
type maker struct{ *rand.Rand }

func newMaker(seed uint64) maker { return maker{rand.New(rand.NewPCG(seed, 1))} }

func (m maker) vector() geom.Vector {
	return geom.Vector{X: m.NormFloat64(), Y: m.NormFloat64(), Z: m.NormFloat64()}
}

// frame is any frame, of special ones more than chance would make.
func (m maker) frame() geom.Frame {
	f := geom.Frame{Pos: m.vector(), Rot: geom.FromQuaternion(m.NormFloat64(), m.NormFloat64(), m.NormFloat64(), m.NormFloat64())}
	right := func() float64 { return float64(m.IntN(4)) * math.Pi / 2 }
	switch m.IntN(5) {
	case 0:
		f.Rot = geom.FromABC(right(), right(), right())
	case 1:
		f.Rot = geom.Exp(m.vector().Scale(math.Pow(10, -18*m.Float64())))
	case 2:
		return geom.Frame{}
	}
	return f
}

func (m maker) axis() geom.Vector {
	axes := []geom.Vector{{X: 1}, {Y: 1}, {Z: 1}, {X: -1}, {Y: -2}, {Z: -3}, {X: 1e-9, Z: -1}, m.vector()}
	return axes[m.IntN(len(axes))]
}

func (m maker) joint() kinematics.Joint {
	return kinematics.Joint{Kind: kinematics.Kind(m.IntN(2)), Min: math.Inf(-1), Max: math.Inf(1)}
}

// chain is a chain with the slow way of computing where its links, its axes and its tip are.
type chain struct {
	*kinematics.Chain
	slow func(q []float64) (links []geom.Frame, lines []kinematics.Line, tip geom.Frame)
}

// moved returns a frame after its joint about or along an axis.
func moved(f geom.Frame, axis geom.Vector, kind kinematics.Kind, value float64) geom.Frame {
	if kind == kinematics.Prismatic {
		return f.Mul(geom.Frame{Pos: axis.Unit().Scale(value)})
	}
	return f.Mul(geom.Frame{Rot: geom.FromAxisAngle(axis, value)})
}

// segments makes a chain of segments, some of which follow others.
func (m maker) segments() chain {
	segments, own := make([]kinematics.Segment, 1+m.IntN(9)), []int(nil)
	index := make([]int, len(segments))
	for i := range segments {
		s := kinematics.Segment{Before: m.frame(), Axis: m.axis(), Joint: m.joint()}
		if len(own) > 0 && m.IntN(4) == 0 {
			s.Follow = &kinematics.Follow{Segment: own[m.IntN(len(own))], Factor: m.NormFloat64(), Offset: m.NormFloat64()}
			index[i] = index[s.Follow.Segment]
		} else {
			index[i] = len(own)
			own = append(own, i)
		}
		segments[i] = s
	}
	tip := m.frame()
	slow := func(q []float64) (links []geom.Frame, lines []kinematics.Line, _ geom.Frame) {
		f := geom.Frame{}
		for i, s := range segments {
			f = f.Mul(s.Before)
			value, sign := q[index[i]], 1.0
			if s.Follow != nil {
				value, sign = s.Follow.Factor*value+s.Follow.Offset, s.Follow.Factor
			}
			lines = append(lines, kinematics.Line{Point: f.Pos, Direction: f.Rot.Rotate(s.Axis.Unit()).Scale(math.Copysign(1, sign))})
			f = moved(f, s.Axis, s.Kind, value)
			links = append(links, f)
		}
		return links, lines, f.Mul(tip)
	}
	return chain{must(kinematics.New(segments, tip)), slow}
}

// table makes a chain of a table in one of both forms.
func (m maker) table(modified bool) chain {
	base, tool, z := m.frame(), m.frame(), geom.Vector{Z: 1}
	rows := make([]kinematics.Row, 1+m.IntN(9))
	number := func() float64 {
		return []float64{0, math.Pi / 2, -math.Pi / 2, m.NormFloat64(), m.NormFloat64()}[m.IntN(5)]
	}
	for i := range rows {
		rows[i] = kinematics.Row{
			Theta: number(), D: number(), A: number(), Alpha: number(), Sign: float64(m.IntN(3) - 1), Joint: m.joint(),
		}
	}
	slow := func(q []float64) (links []geom.Frame, lines []kinematics.Line, _ geom.Frame) {
		f := base
		for i, r := range rows {
			link := geom.Frame{Pos: geom.Vector{X: r.A}, Rot: geom.FromABC(0, 0, r.Alpha)} // Rx and Tx commute
			sign := math.Copysign(1, r.Sign)
			if r.Sign == 0 {
				sign = 1
			}
			if modified {
				f = f.Mul(link)
			}
			lines = append(lines, kinematics.Line{Point: f.Pos, Direction: f.Rot.Rotate(z).Scale(sign)})
			f = moved(f.Mul(geom.Frame{Pos: geom.Vector{Z: r.D}, Rot: geom.FromABC(r.Theta, 0, 0)}), z, r.Kind, sign*q[i])
			if !modified {
				f = f.Mul(link)
			}
			links = append(links, f)
		}
		return links, lines, f.Mul(tool)
	}
	if modified {
		return chain{must(kinematics.Modified(base, rows, tool)), slow}
	}
	return chain{must(kinematics.Standard(base, rows, tool)), slow}
}

func (m maker) any() chain {
	switch m.IntN(3) {
	case 0:
		return m.segments()
	case 1:
		return m.table(true)
	default:
		return m.table(false)
	}
}

func (m maker) values(n int) []float64 {
	q := make([]float64, n)
	for i := range q {
		q[i] = 3 * m.NormFloat64()
	}
	return q
}

const (
	chainsTried = 20_000
	near        = 3e-12 // rounding of chains that are many m long
)

func same(t *testing.T, what string, got, want geom.Frame) {
	t.Helper()
	if !got.Near(want, near, near) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
}

// TestChains compares chains of all kinds with frames that are multiplied.
func TestChains(t *testing.T) {
	m := newMaker(1)
	for range chainsTried {
		c := m.any()
		q := m.values(c.Len())
		wantLinks, wantLines, wantTip := c.slow(q)
		links, lines := make([]geom.Frame, c.Links()), make([]kinematics.Line, c.Links())
		c.Frames(q, links)
		c.Axes(q, lines)
		same(t, "tip", c.Forward(q), wantTip)
		for i := range wantLinks {
			same(t, "link", links[i], wantLinks[i])
			got, want := lines[i], wantLines[i]
			between := got.Point.Sub(want.Point)
			aside := between.Sub(want.Direction.Scale(between.Dot(want.Direction)))
			if !got.Direction.Near(want.Direction, near) || !(aside.Length() <= near) {
				t.Fatalf("axis %v, want %v", got, want)
			}
		}
	}
}

// TestJacobian compares with differences, and checks whether joints and tip have the same power.
func TestJacobian(t *testing.T) {
	m := newMaker(2)
	for range chainsTried {
		c := m.any()
		q, v := m.values(c.Len()), m.values(c.Len())
		var j geom.Jacobian
		same(t, "pose", c.Jacobian(q, &j), c.Forward(q))
		if j.Len != c.Len() || !j.Finite() {
			t.Fatalf("%+v", j)
		}
		twist, other := j.Twist(v), c.Twist(q, v)
		if !twist.Vel.Near(other.Vel, near) || !twist.Rot.Near(other.Rot, near) {
			t.Fatalf("twist %v, %v", twist, other)
		}

		const short = 1e-5
		differs := c.Forward(ahead(q, v, -short/2)).Velocity(c.Forward(ahead(q, v, short/2)), short)
		off := twist.Sub(differs)
		if size := 1 + twist.Vel.Length() + twist.Rot.Length(); !(off.Vel.Length()+off.Rot.Length() <= 1e-6*size*size) {
			t.Fatalf("twist %v, but the difference is %v", twist, differs)
		}

		w, power := geom.Wrench{Force: m.vector(), Torque: m.vector()}, 0.0
		torques := make([]float64, c.Len())
		j.Torques(w, torques)
		for i := range torques {
			power += torques[i] * v[i]
		}
		if p := w.Power(twist); !(math.Abs(p-power) <= near*(1+math.Abs(p))) {
			t.Fatalf("power of the tip %v, of the joints %v", p, power)
		}
	}
}

// ahead returns where joints are after a time.
func ahead(q, v []float64, time float64) []float64 {
	there := make([]float64, len(q))
	for i := range q {
		there[i] = q[i] + v[i]*time
	}
	return there
}

// TestDrift compares with differences of twists.
func TestDrift(t *testing.T) {
	m := newMaker(3)
	for range chainsTried {
		c := m.any()
		q, v := m.values(c.Len()), m.values(c.Len())
		const short = 1e-5
		there, here := c.Twist(ahead(q, v, short/2), v), c.Twist(ahead(q, v, -short/2), v)
		differs := there.Sub(here).Scale(1 / short)
		drift := c.Drift(q, v)
		size := 1 + here.Vel.Length() + here.Rot.Length()
		if off := drift.Sub(differs); !(off.Vel.Length()+off.Rot.Length() <= 1e-6*size*size*size) {
			t.Fatalf("drift %v, but the difference is %v", drift, differs)
		}
	}
}

// TestTotal gives chains too little, and what are no numbers.
func TestTotal(t *testing.T) {
	c := panda()
	good := []float64{0, 0, 0, -1, 0, 1, 0}
	unknown := func(what string, f geom.Frame) {
		t.Helper()
		if f.Pos.Finite() || f.Rot.Finite() {
			t.Errorf("%s: %v", what, f)
		}
	}
	for n := range good {
		unknown("too short", c.Forward(good[:n]))
		links, lines := make([]geom.Frame, n), make([]kinematics.Line, n+9)
		c.Frames(good, links)
		c.Frames(good[:n], links)
		c.Axes(good[:n], lines)
		for _, link := range links {
			unknown("link", link)
		}
		var j geom.Jacobian
		unknown("too short", c.Jacobian(good[:n], &j))
		if j.Finite() || c.Twist(good, good[:n]).Vel.Finite() || c.Twist(good[:n], good).Rot.Finite() || c.Drift(good, good[:n]).Vel.Finite() {
			t.Errorf("%d values are enough", n)
		}
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		q := []float64{0, 0, bad, 0, 0, 0, 0}
		unknown("not a number", c.Forward(q))
		if c.Drift(good, q).Vel.Finite() {
			t.Error("velocity", bad)
		}
	}
	// Far beyond what sines are computed for quickly.
	huge := []float64{1e6, -1e7, 1e15, 1e300, -1e9, 3e8, 0}
	plain := make([]float64, len(huge))
	for i, v := range huge {
		sin, cos := math.Sincos(v)
		plain[i] = math.Atan2(sin, cos)
	}
	if got, want := c.Forward(huge), c.Forward(plain); !got.Near(want, 1e-12, 1e-12) {
		t.Errorf("%v, want %v", got, want)
	}
	if j := c.Joint(-1); j != (kinematics.Joint{}) || c.Joint(7) != j {
		t.Error("joints that are not there")
	}
}

// TestRefused makes chains that are none.
func TestRefused(t *testing.T) {
	z, ok := geom.Vector{Z: 1}, free("A")
	nan := math.NaN()
	segment := func(change func(s *kinematics.Segment)) []kinematics.Segment {
		s := kinematics.Segment{Axis: z, Joint: ok}
		change(&s)
		return []kinematics.Segment{{Axis: z, Joint: free("first")}, s}
	}
	tests := []struct {
		want     string
		segments []kinematics.Segment
		tip      geom.Frame
	}{
		{"a chain has 1 to 16 joints, not 0", nil, geom.Frame{}},
		{"a chain has 1 to 16 joints, not 17", slices.Repeat(segment(func(*kinematics.Segment) {})[:1], 17), geom.Frame{}},
		{`joint 2 "A": the axis has no direction`, segment(func(s *kinematics.Segment) { s.Axis = geom.Vector{} }), geom.Frame{}},
		{`joint 2 "A": the axis has no direction`, segment(func(s *kinematics.Segment) { s.Axis.X = nan }), geom.Frame{}},
		{`joint 2 "A": its pose is not a number`, segment(func(s *kinematics.Segment) { s.Before.Pos.X = nan }), geom.Frame{}},
		{`joint 2 "A": range 1 to 1 is not possible; without limits it is -Inf to +Inf`, segment(func(s *kinematics.Segment) { s.Min, s.Max = 1, 1 }), geom.Frame{}},
		{`joint 2 "A": range NaN to +Inf`, segment(func(s *kinematics.Segment) { s.Min = nan }), geom.Frame{}},
		{`joint 2 "A": limits of velocity`, segment(func(s *kinematics.Segment) { s.Velocity = -1 }), geom.Frame{}},
		{`joint 2 "A": limits of velocity`, segment(func(s *kinematics.Segment) { s.Jerk = nan }), geom.Frame{}},
		{`joint 2 "A": kind 7 is neither`, segment(func(s *kinematics.Segment) { s.Kind = 7 }), geom.Frame{}},
		{`joint 2 "A": it must follow a joint`, segment(func(s *kinematics.Segment) { s.Follow = &kinematics.Follow{Segment: 1, Factor: 1} }), geom.Frame{}},
		{`joint 2 "A": it must follow a joint`, segment(func(s *kinematics.Segment) { s.Follow = &kinematics.Follow{Segment: 2, Factor: 1} }), geom.Frame{}},
		{`joint 2 "A": factor 0`, segment(func(s *kinematics.Segment) { s.Follow = &kinematics.Follow{} }), geom.Frame{}},
		{`joint 2 "A": its limits and those of joint "first"`, []kinematics.Segment{
			{Axis: z, Joint: between("first", 0, 1)},
			{Axis: z, Joint: between("A", 4, 5), Follow: &kinematics.Follow{Factor: 2}},
		}, geom.Frame{}},
		{"the pose of the tip is not a number", segment(func(*kinematics.Segment) {}), geom.Frame{Pos: geom.Vector{X: nan}}},
	}
	for _, tt := range tests {
		if _, err := kinematics.New(tt.segments, tt.tip); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
	rows := []kinematics.Row{{Sign: 0.5, Joint: ok}}
	if _, err := kinematics.Standard(geom.Frame{}, rows, geom.Frame{}); err == nil || err.Error() != `joint 1 "A": sign 0.5 is neither 1 nor -1` {
		t.Error(err)
	}
	if _, err := kinematics.Modified(geom.Frame{}, []kinematics.Row{{Theta: nan, Joint: ok}}, geom.Frame{}); err == nil {
		t.Error("theta is not a number")
	}
}

// TestFollow: the limits of a joint that follows hold for the one that it follows.
func TestFollow(t *testing.T) {
	x := geom.Vector{X: 1}
	c := must(kinematics.New([]kinematics.Segment{
		{Axis: x, Joint: kinematics.Joint{Name: "leads", Min: -1, Max: 2, Velocity: 3, Jerk: 5}},
		{Axis: x, Joint: kinematics.Joint{Min: -3, Max: 1, Velocity: 2, Acceleration: 8}, Follow: &kinematics.Follow{Factor: -2, Offset: 0.5}},
	}, geom.Frame{}))
	want := kinematics.Joint{Name: "leads", Min: -0.25, Max: 1.75, Velocity: 1, Acceleration: 4, Jerk: 5}
	if got := c.Joint(0); c.Len() != 1 || c.Links() != 2 || got != want {
		t.Errorf("%d joints, %+v", c.Len(), got)
	}
	// Angles are whole turns away only if that leads to the same pose.
	for _, tt := range []struct{ factor, want float64 }{{-2, 1}, {0.5, 1 + 2*math.Pi}} {
		c := must(kinematics.New([]kinematics.Segment{
			{Axis: x, Joint: free("leads")},
			{Axis: x, Joint: free("follows"), Follow: &kinematics.Follow{Factor: tt.factor}},
		}, geom.Frame{}))
		q := []float64{1 + 2*math.Pi}
		if s := c.Unwind(q, []float64{0}); s != kinematics.Solved || math.Abs(q[0]-tt.want) > 1e-12 {
			t.Errorf("%v times: %v, %v", tt.factor, s, q)
		}
	}
}
