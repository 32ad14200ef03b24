package kinematics_test

import (
	"math"
	"slices"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
)

func numeric(c *kinematics.Chain, o kinematics.Options) *kinematics.Numeric {
	n, err := kinematics.NewNumeric(c, o)
	if err != nil {
		panic(err)
	}
	return n
}

var _ kinematics.Solver = (*kinematics.Numeric)(nil)

// found is how near a search has to come, and barely found how near in singular poses.
const (
	found       = 1e-10
	barelyFound = 2e-8
)

// searches are arms, and which share of poses at least is found from anywhere.
var searches = []struct {
	name  string
	chain *kinematics.Chain
	poses int
	share float64
}{
	{"Panda", panda(), 100_000, 0.9995},
	{"LWR", lwr(), 10_000, 0.99},
	{"KR16", kr16(), 10_000, 0.99},
	{"TX90L", tx90l(), 10_000, 0.99},
	{"UR5", ur5(), 10_000, 0.99},
	{"youBot", youBot(), 10_000, 0.99},
	{"LWR on a linear unit", onLinearUnit(), 10_000, 0.99},
	{"coupled", coupled(), 10_000, 0.99},
}

// onLinearUnit returns a LWR that slides along Y.
func onLinearUnit() *kinematics.Chain {
	y, z := geom.Vector{Y: 1}, geom.Vector{Z: 1}
	segments := []kinematics.Segment{{Axis: y, Joint: kinematics.Joint{Name: "slide", Kind: kinematics.Prismatic, Min: -1, Max: 2}}}
	before := geom.Frame{}
	for i, alpha := range []float64{90, -90, -90, 90, 90, -90, 0} {
		limit := []float64{170, 120}[i%2] * degree
		segments = append(segments, kinematics.Segment{Before: before, Axis: z, Joint: between("", -limit, limit)})
		before = geom.Frame{
			Pos: geom.Vector{Z: []float64{0.3105, 0, 0.4, 0, 0.39, 0, 0.078}[i]}, Rot: geom.FromABC(0, 0, alpha*degree),
		}
	}
	return must(kinematics.New(segments, before))
}

// coupled returns a palletizer: a parallelogram keeps joint 4 from turning with joints 2 and 3, here by following joint 3.
func coupled() *kinematics.Chain {
	y, z := geom.Vector{Y: 1}, geom.Vector{Z: 1}
	up := func(x, z float64) geom.Frame { return geom.Frame{Pos: geom.Vector{X: x, Z: z}} }
	return must(kinematics.New([]kinematics.Segment{
		{Before: up(0, 0.4), Axis: z, Joint: between("1", -3, 3)},
		{Before: up(0.1, 0), Axis: y, Joint: between("2", -1, 1.5)},
		{Before: up(0, 0.6), Axis: y, Joint: between("3", 0.2, 2.5)},
		{Before: up(0.5, 0), Axis: y, Joint: free("4"), Follow: &kinematics.Follow{Segment: 2, Factor: -0.5, Offset: 0.3}},
		{Before: up(0.1, 0), Axis: z, Joint: between("5", -6, 6)},
	}, up(0, -0.1)))
}

// TestNumeric: from near every pose is found, from anywhere nearly every one; what is found is the pose, and within the
// limits.
func TestNumeric(t *testing.T) {
	for _, tt := range searches {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m, c := newMaker(8), tt.chain
			n := numeric(c, kinematics.Options{})
			got, tried, failed := make([]float64, c.Len()), 0, 0
			for i := range tt.poses {
				q := anywhere(c, m.Rand)
				to := c.Forward(q)
				s := n.Nearest(&to, aside(m, q, 0.1), got)
				if !s.Good() {
					t.Fatalf("%v, from nearby", s)
				}
				isThere(t, c, got, &to, s)
				if i%10 != 0 {
					continue
				}
				tried++
				if s := n.Nearest(&to, anywhere(c, m.Rand), got); s.Good() {
					isThere(t, c, got, &to, s)
				} else {
					failed++
				}
			}
			share := 1 - float64(failed)/float64(tried)
			t.Logf("%d of %d are not found from anywhere", failed, tried)
			if !(share >= tt.share) {
				t.Errorf("only %v are found", share)
			}
		})
	}
}

// aside is somewhere near joints.
func aside(m maker, q []float64, by float64) []float64 {
	hint := slices.Clone(q)
	for i := range hint {
		hint[i] += by * (2*m.Float64() - 1)
	}
	return hint
}

func isThere(t *testing.T, c *kinematics.Chain, joints []float64, to *geom.Frame, s kinematics.Status) {
	t.Helper()
	near := found
	if s == kinematics.Singular {
		near = barelyFound
	}
	if f := c.Forward(joints); !f.Near(*to, near, near) || !c.Within(joints) {
		t.Fatalf("%v: joints %v lead to %v, not to %v, or are beyond limits", s, joints, f, to)
	}
}

// planar are two links of 0.5 and 0.4 m. Only positions in their plane count.
func planar(least, most float64) (*kinematics.Chain, *kinematics.Numeric) {
	c := must(kinematics.Standard(geom.Frame{}, []kinematics.Row{
		{A: 0.5, Joint: between("1", -3, 3)}, {A: 0.4, Joint: between("2", least, most)},
	}, geom.Frame{}))
	return c, numeric(c, kinematics.Options{Along: geom.Vector{X: 1, Y: 1}})
}

// TestAnswers of a search for poses of which it is known why there is no solution.
func TestAnswers(t *testing.T) {
	k := kr16()
	p, narrow := planar(0.2, 1)
	whole := numeric(k, kinematics.Options{})
	tests := []struct {
		name string
		n    *kinematics.Numeric
		to   geom.Frame
		hint []float64
		want kinematics.Status
	}{
		{"within", narrow, p.Forward([]float64{1, 0.5}), []float64{0, 0.5}, kinematics.Solved},
		{"at the limit", narrow, p.Forward([]float64{1, 1}), []float64{0, 0.5}, kinematics.Solved},
		{"beyond a limit", narrow, p.Forward([]float64{1, 1.2}), []float64{0, 0.5}, kinematics.OutOfLimits},
		{"beyond the other limit", narrow, p.Forward([]float64{1, 0.1}), []float64{0, 0.5}, kinematics.OutOfLimits},
		{"too far", narrow, geom.Frame{Pos: geom.Vector{X: 0.91}}, []float64{0, 0.5}, kinematics.Unreachable},
		{"too near", narrow, geom.Frame{Pos: geom.Vector{X: 0.09}}, []float64{0, 0.5}, kinematics.Unreachable},
		{"too far for all joints", whole, geom.Frame{Pos: geom.Vector{X: 3}}, make([]float64, 6), kinematics.Unreachable},
		{"straight wrist", whole, k.Forward([]float64{0.1, -1, 1, 0.3, 0, 0.2}), []float64{0, -1, 1, 0, 0.1, 0}, kinematics.Singular},
		{"bent wrist", whole, k.Forward([]float64{0.1, -1, 1, 0.3, 0.1, 0.2}), []float64{0, -1, 1, 0, 0.1, 0}, kinematics.Solved},
		{"few hints", whole, geom.Frame{}, make([]float64, 5), kinematics.Invalid},
		{"no hint", whole, geom.Frame{}, []float64{0, 0, 0, math.NaN(), 0, 0}, kinematics.Invalid},
		{"nowhere", whole, k.Forward(nil), make([]float64, 6), kinematics.Invalid},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			joints := []float64{9, 9, 9, 9, 9, 9}
			got := tt.n.Nearest(&tt.to, tt.hint, joints)
			if got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
			if changed := joints[0] != 9; changed != got.Good() {
				t.Errorf("%v, and joints %v", got, joints)
			}
			var all kinematics.Branches
			got = tt.n.Branches(&tt.to, tt.hint, &all)
			if got.Good() { // the first one is that from the hint, others may be better
				got = all.Of[0].Status
			}
			if got != tt.want || got.Good() != (all.N > 0) {
				t.Errorf("branches: %v, %d, want %v", got, all.N, tt.want)
			}
		})
	}
	to := k.Forward(make([]float64, 6))
	if s := whole.Nearest(&to, make([]float64, 6), make([]float64, 5)); s != kinematics.Invalid {
		t.Error("no room:", s)
	}
}

// TestNumericBranches: two links reach a point in two ways; a whole arm in several, and all of them lead there.
func TestNumericBranches(t *testing.T) {
	p, wide := planar(-2, 2)
	to := p.Forward([]float64{0.5, 1})
	var all kinematics.Branches
	if s := wide.Branches(&to, []float64{0, 0.5}, &all); s != kinematics.Solved || all.N != 2 || math.Abs(all.Of[0].Joints[1]+all.Of[1].Joints[1]) > found {
		t.Errorf("%v, %d: %v", s, all.N, all.Of[:2])
	}
	m, c := newMaker(9), kr16()
	n := numeric(c, kinematics.Options{})
	some := 0
	for range 300 {
		q := anywhere(c, m.Rand)
		to := c.Forward(q)
		n.Branches(&to, q, &all)
		some += all.N
		for i := range all.N {
			isThere(t, c, all.Of[i].Joints[:c.Len()], &to, all.Of[i].Status)
			for k := range i {
				if apart := length(difference(all.Of[i].Joints[:c.Len()], all.Of[k].Joints[:c.Len()])); apart < 1e-7 {
					t.Fatalf("branches %d and %d are the same: %v", i, k, all.Of[i])
				}
			}
		}
	}
	if some < 3*300 {
		t.Errorf("only %d branches of 300 poses", some)
	}
}

func difference(a, b []float64) []float64 {
	d := make([]float64, len(a))
	for i := range d {
		d[i] = a[i] - b[i]
	}
	return d
}

// TestPosture: joints of a redundant arm go to the posture as far as the pose lets them, and the tip rests.
func TestPosture(t *testing.T) {
	m, c := newMaker(10), panda()
	posture := []float64{0, -0.5, 0, -2, 0, 1.5, 0.7}
	n := numeric(c, kinematics.Options{Posture: posture, Pull: 0.3})
	for range 200 {
		q := aside(m, posture, 1)
		for i := range q {
			j := c.Joint(i)
			q[i] = max(j.Min+0.05, min(j.Max-0.05, q[i]))
		}
		to := c.Forward(q)
		before := length(difference(q, posture))
		for range 60 {
			s := n.Nearest(&to, q, q)
			if !s.Good() {
				t.Fatal(s)
			}
			isThere(t, c, q, &to, s)
		}
		apart := difference(posture, q)
		if after := length(apart); after > before+1e-9 {
			t.Fatalf("%v away from the posture, %v before", after, before)
		}
		var j geom.Jacobian
		c.Jacobian(q, &j)
		if margin, _ := c.Margin(q); margin > 1e-3 && nullPart(&j, apart) > 0.01 {
			t.Fatalf("%v of the posture is left", nullPart(&j, apart))
		}
	}
}

// TestTask: an arm with five joints brings the axis of its tool where it should be, however it is turned about itself.
func TestTask(t *testing.T) {
	m, c := newMaker(11), youBot()
	n := numeric(c, kinematics.Options{Along: geom.Vector{X: 1, Y: 1, Z: 1}, About: geom.Vector{X: 1, Y: 1}})
	whole := numeric(c, kinematics.Options{})
	for range 500 {
		q := anywhere(c, m.Rand)
		to := c.Forward(q)
		to.Rot = to.Rot.Mul(geom.FromAxisAngle(geom.Vector{Z: 1}, 0.3+m.Float64()))
		got := make([]float64, c.Len())
		s := n.Nearest(&to, aside(m, q, 0.1), got)
		if !s.Good() {
			t.Fatal(s)
		}
		// Without the turn about Z, it is there.
		f := c.Forward(got)
		z := geom.Vector{Z: 1}
		there := geom.Frame{Pos: to.Pos, Rot: geom.Between(f.Rot.Rotate(z), to.Rot.Rotate(z)).Mul(f.Rot)}
		isThere(t, c, got, &there, s)
		to.Rot = to.Rot.Mul(geom.FromAxisAngle(geom.Vector{X: 1}, 0.3)) // out of the plane in which the arm bends
		if s := whole.Nearest(&to, q, got); s.Good() {
			isThere(t, c, got, &to, s)
		}
	}
}

// TestNumericIsRepeatable: whatever has been asked before, and far away from everything.
func TestNumericIsRepeatable(t *testing.T) {
	m, c := newMaker(12), panda()
	n := numeric(c, kinematics.Options{Tries: 3})
	first, second := make([]float64, c.Len()), make([]float64, c.Len())
	for range 500 {
		to := c.Forward(m.values(c.Len()))
		hint := m.values(c.Len())
		s := n.Nearest(&to, hint, first)
		other := c.Forward(m.values(c.Len()))
		n.Nearest(&other, hint, second)
		if again := n.Nearest(&to, hint, second); again != s || s.Good() && !slices.Equal(first, second) {
			t.Fatalf("%v at %v, then %v at %v", s, first, again, second)
		}
	}
}

func TestNumericRefused(t *testing.T) {
	for _, o := range []kinematics.Options{
		{Posture: make([]float64, 6)},
		{Pull: 2},
		{Pull: math.NaN()},
		{Length: -1},
		{Length: math.Inf(1)},
		{Along: geom.Vector{X: -1}},
		{About: geom.Vector{Z: math.NaN()}},
	} {
		if n, err := kinematics.NewNumeric(panda(), o); err == nil {
			t.Errorf("%+v: %v", o, n.Name(0))
		}
	}
}

// TestNumericIsTotal asks for poses of all sizes from all hints.
func TestNumericIsTotal(t *testing.T) {
	extremes := []float64{0, 1, -1, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, 5e-324, 1e-160, 1e160, math.Pi}
	m := newMaker(14)
	for _, c := range []*kinematics.Chain{panda(), coupled(), onLinearUnit(), tx90l()} {
		n := numeric(c, kinematics.Options{Pull: 0.5, Tries: 2})
		for range 3000 {
			pick := func() float64 { return extremes[m.IntN(len(extremes))] }
			q, hint := anywhere(c, m.Rand), anywhere(c, m.Rand)
			q[m.IntN(len(q))], hint[m.IntN(len(hint))] = pick(), pick()
			to := c.Forward(q)
			if m.IntN(2) == 0 {
				to.Pos.X, to.Rot = pick(), geom.FromQuaternion(pick(), pick(), pick(), pick())
			}
			got := make([]float64, c.Len())
			var all kinematics.Branches
			s := n.Nearest(&to, hint, got)
			if s.Good() {
				isThere(t, c, got, &to, s)
			}
			if known := to.Pos.Finite() && to.Rot.Finite(); !known && s != kinematics.Invalid {
				t.Fatalf("%v: %v", to, s)
			}
			if some := n.Branches(&to, hint, &all); some.Good() != (all.N > 0) {
				t.Fatalf("%v: %v, %d branches", to, some, all.N)
			}
		}
	}
}

// TestNumericAgrees: what the closed forms say of poses that may or may not be reachable is what the
// search says. It may miss a solution, but never finds one that does not exist.
func TestNumericAgrees(t *testing.T) {
	wrist, err := kinematics.NewWrist(kr16())
	if err != nil {
		t.Fatal(err)
	}
	ur, err := kinematics.NewUR(ur5())
	if err != nil {
		t.Fatal(err)
	}
	srs, err := kinematics.NewSRS(lwr())
	if err != nil {
		t.Fatal(err)
	}
	m := newMaker(15)
	for _, arm := range []kinematics.Arm{{Chain: kr16(), Solver: wrist}, {Chain: ur5(), Solver: ur}, {Chain: lwr(), Solver: srs}} {
		n := numeric(arm.Chain, kinematics.Options{})
		const poses = 500
		agreed, answers := 0, map[kinematics.Status]int{}
		for range poses {
			to := geom.Frame{Pos: m.vector().Scale(0.7), Rot: m.frame().Rot}
			hint, joints := anywhere(arm.Chain, m.Rand), make([]float64, arm.Len())
			want, got := arm.Nearest(&to, hint, joints), n.Nearest(&to, hint, joints)
			answers[want]++
			if got.Good() && !want.Good() {
				t.Fatalf("%v: %v, but the closed form says %v", to, got, want)
			}
			if got == want {
				agreed++
			}
		}
		t.Logf("%T: %d of %d agree, of %v", arm.Solver, agreed, poses, answers)
		if agreed < poses*98/100 || len(answers) < 2 {
			t.Errorf("%T: only %d of %d agree, of %v", arm.Solver, agreed, poses, answers)
		}
	}
}

// TestNumericFollows: along a circle, each pose solved from the one before, joints move as Inverse says and do not jump.
func TestNumericFollows(t *testing.T) {
	c := panda()
	n := numeric(c, kinematics.Options{Tries: -1})
	q := []float64{0.1, -0.4, 0.2, -2.1, 0.1, 1.8, 0.6}
	from := c.Forward(q)
	const steps = 2000
	before, v := make([]float64, c.Len()), make([]float64, c.Len())
	for i := range steps {
		angle := 2 * math.Pi * float64(i+1) / steps
		to := from
		to.Pos = to.Pos.Add(geom.Vector{X: 0.15 * (math.Cos(angle) - 1), Y: 0.15 * math.Sin(angle)})
		to.Rot = geom.Exp(geom.Vector{X: 0.3 * math.Sin(angle)}).Mul(from.Rot)
		var j geom.Jacobian
		twist := c.Jacobian(q, &j).Velocity(to, 1)
		inverse.Velocities(&j, twist, nil, v)
		copy(before, q)
		if s := n.Nearest(&to, q, q); s != kinematics.Solved {
			t.Fatalf("step %d: %v", i, s)
		}
		isThere(t, c, q, &to, kinematics.Solved)
		if off := length(difference(difference(q, before), v)); !(off <= 0.02*length(v)) {
			t.Fatalf("step %d: joints go by %v, not by %v", i, difference(q, before), v)
		}
	}
}
