package kinematics_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
)

// configured is a solver that knows which branch values of joints belong to.
type configured interface {
	kinematics.Solver
	Configuration(joints []float64) uint8
}

// sixAxes is an arm whose inverse is known in closed form.
type sixAxes struct {
	name   string
	chain  *kinematics.Chain
	solver configured
	hand   float64 // from the centre of the wrist to the tip
	aside  float64 // from the plane of axis 1 to the centre
	mean   float64 // how many branches poses within the limits have, as far as published, or 0
}

const right = math.Pi / 2

// kuka returns an arm of KUKA with its ranges, in degrees.
func kuka(c1, a1, c2, a3, c3, c4 float64, ranges [6][2]float64) *kinematics.Chain {
	rows := []kinematics.Row{
		{D: c1, A: a1, Alpha: -right, Sign: -1},
		{A: c2},
		{Theta: right, A: a3, Alpha: right},
		{D: c3, Alpha: -right, Sign: -1},
		{Alpha: right},
		{D: c4, Sign: -1},
	}
	for i := range rows {
		rows[i].Joint = between("A"+string(rune('1'+i)), ranges[i][0]*degree, ranges[i][1]*degree)
	}
	return must(kinematics.Standard(geom.Frame{}, rows, geom.Frame{}))
}

func agilus(c2, c3 float64) *kinematics.Chain {
	return kuka(0.400, 0.025, c2, -0.035, c3, 0.080, [6][2]float64{{-170, 170}, {-190, 45}, {-120, 156}, {-185, 185}, {-120, 120}, {-350, 350}})
}

func kr16Limited() *kinematics.Chain {
	return kuka(0.675, 0.260, 0.680, 0.035, 0.670, 0.158, [6][2]float64{{-185, 185}, {-155, 35}, {-130, 154}, {-350, 350}, {-130, 130}, {-350, 350}})
}

// wide are ranges of a little more than a turn.
var wide = [6][2]float64{{-190, 190}, {-190, 190}, {-190, 190}, {-190, 190}, {-190, 190}, {-190, 190}}

// equalLinks returns an arm that can put its wrist into its shoulder, which is on axis 1.
func equalLinks() *kinematics.Chain {
	return kuka(0.4, 0, 0.5, 0, 0.5, 0.1, wide)
}

func wrist(c *kinematics.Chain) *kinematics.Wrist {
	w, err := kinematics.NewWrist(c)
	if err != nil {
		panic(err)
	}
	return w
}

func ur(c *kinematics.Chain) *kinematics.UR {
	u, err := kinematics.NewUR(c)
	if err != nil {
		panic(err)
	}
	return u
}

func armsOfSix() []sixAxes {
	kr16, r900, r700, r1100 := kr16Limited(), agilus(0.455, 0.420), agilus(0.315, 0.365), agilus(0.560, 0.515)
	return []sixAxes{
		{"KR16-2", kr16, wrist(kr16), 0.158, 0, 6.4},
		{"KR6 R900 sixx", r900, wrist(r900), 0.080, 0, 0},
		{"KR6 R700 sixx", r700, wrist(r700), 0.080, 0, 7.4},
		{"KR10 R1100 sixx", r1100, wrist(r1100), 0.080, 0, 0},
		{"TX90L", tx90l(), wrist(tx90l()), 0.100, 0.050, 0},
		{"equal links", equalLinks(), wrist(equalLinks()), 0.1, 0, 0},
		{"UR5", ur5(), ur(ur5()), 0.0823, 0.10915, 0},
	}
}

func forEachArm(t *testing.T, f func(t *testing.T, a *sixAxes, m *rand.Rand)) {
	t.Helper()
	for _, a := range armsOfSix() {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			f(t, &a, rand.New(rand.NewPCG(6, 2)))
		})
	}
}

// joints are values within the limits, of joints without limits within one turn to each side.
func (a *sixAxes) joints(m *rand.Rand) []float64 {
	q := make([]float64, 6)
	for i := range q {
		j := a.chain.Joint(i)
		least, most := max(j.Min, -2*math.Pi), min(j.Max, 2*math.Pi)
		q[i] = least + (most-least)*m.Float64()
	}
	return q
}

// mostOff returns by how much that joint differs which differs most.
func mostOff(a, b []float64) float64 {
	most := 0.0
	for i := range b {
		most = max(most, math.Abs(a[i]-b[i]))
	}
	return most
}

// way returns what nearest means for these solvers.
func way(a, b []float64) float64 {
	sum := 0.0
	for i := range b {
		sum += math.Abs(a[i] - b[i])
	}
	return sum
}

// leadsTo tests that joints lead to a pose.
func (a *sixAxes) leadsTo(t *testing.T, pose geom.Frame, joints []float64) {
	t.Helper()
	if off := apart(pose, a.chain.Forward(joints)); !(off < 1e-12) {
		t.Fatalf("joints %v are %g away from the pose", joints, off)
	}
}

// TestRoundTrip: every branch leads to the pose, the original joints are among them, and no branch occurs twice.
func TestRoundTrip(t *testing.T) {
	poses := steps(100_000)
	forEachArm(t, func(t *testing.T, a *sixAxes, m *rand.Rand) {
		var all kinematics.Branches
		branches := 0
		for range poses {
			q := a.joints(m)
			pose := a.chain.Forward(q)
			if s := a.solver.Branches(&pose, q, &all); s != kinematics.Solved {
				t.Fatalf("%v: %v", q, s)
			}
			branches += all.N
			found, seen := math.Inf(1), 0
			for _, b := range all.Of[:all.N] {
				a.leadsTo(t, pose, b.Joints[:6])
				found = min(found, mostOff(b.Joints[:], q))
				if c := a.solver.Configuration(b.Joints[:]); c != b.Configuration || seen>>c&1 != 0 {
					t.Fatalf("branches of %v: %v with configuration %b", q, all.Of[:all.N], c)
				}
				seen |= 1 << b.Configuration
				if (b.Status == kinematics.Solved) != a.chain.Within(b.Joints[:]) || !b.Status.Good() && b.Status != kinematics.OutOfLimits {
					t.Fatalf("%v: %v", b.Joints, b.Status)
				}
			}
			if found > 1e-8 {
				t.Fatalf("%v is not among the branches: %v", q, all.Of[:all.N])
			}
		}
		mean := float64(branches) / float64(poses)
		t.Logf("%.2f branches", mean)
		if a.mean != 0 && math.Abs(mean-a.mean) > 0.1 {
			t.Errorf("%.2f branches on the average, not %.1f", mean, a.mean)
		}
	})
}

// byTheBook solves an arm of KUKA as textbooks do, with arcs of cosines and matrices.
func byTheBook(c1, a1, c2, a3, c3, c4 float64, pose geom.Frame) (all [][6]float64) {
	fore, bend := math.Hypot(a3, c3), math.Atan2(-c3, a3)
	about := func(axis geom.Vector, angle float64) geom.Rotation { return geom.FromAxisAngle(axis, angle) }
	x, z := geom.Vector{X: 1}, geom.Vector{Z: 1}
	centre := pose.Point(geom.Vector{Z: -c4})
	for _, front := range []float64{1, -1} {
		first := math.Atan2(front*centre.Y, front*centre.X)
		u, v := front*math.Hypot(centre.X, centre.Y)-a1, c1-centre.Z
		cos := (u*u + v*v - c2*c2 - fore*fore) / (2 * c2 * fore)
		if math.Abs(cos) > 1 {
			continue
		}
		for _, elbow := range []float64{math.Acos(cos), -math.Acos(cos)} {
			second := math.Atan2(v, u) - math.Atan2(fore*math.Sin(elbow), c2+fore*cos)
			third := elbow - bend
			forearm := about(z, first).Mul(about(x, -right)).Mul(about(z, second+third)).Mul(about(x, right))
			m := forearm.To(pose.Rot).Matrix()
			for _, side := range []float64{1, -1} {
				all = append(all, [6]float64{
					-first, second, third - right, -math.Atan2(side*m[1][2], side*m[0][2]),
					side * math.Acos(m[2][2]), -math.Atan2(side*m[2][1], -side*m[2][0]),
				})
			}
		}
	}
	return all
}

func TestAgainstTheBook(t *testing.T) {
	a, m := armsOfSix()[0], rand.New(rand.NewPCG(6, 13))
	for range 10_000 {
		pose := a.chain.Forward(a.joints(m))
		var all kinematics.Branches
		a.solver.Branches(&pose, make([]float64, 6), &all)
		book := byTheBook(0.675, 0.260, 0.680, 0.035, 0.670, 0.158, pose)
		if all.N != len(book) {
			t.Fatalf("%d branches, not %d", all.N, len(book))
		}
		for _, b := range all.Of[:all.N] {
			least := math.Inf(1)
			for _, q := range book {
				most := 0.0
				for i := range q {
					most = max(most, math.Abs(math.Remainder(q[i]-b.Joints[i], 2*math.Pi)))
				}
				least = min(least, most)
			}
			if least > 1e-5 { // arcs of cosines lose up to half of the digits
				t.Fatalf("%v is not among %v", b.Joints[:6], book)
			}
		}
	}
}

// TestNearest compares with all branches and all whole turns.
func TestNearest(t *testing.T) {
	poses := steps(10_000)
	forEachArm(t, func(t *testing.T, a *sixAxes, m *rand.Rand) {
		var all kinematics.Branches
		got := make([]float64, 6)
		for range poses {
			q := a.joints(m)
			pose := a.chain.Forward(q)
			if s := a.solver.Nearest(&pose, q, got); s != kinematics.Solved || mostOff(got, q) > 1e-8 {
				t.Fatalf("%v: %v %v", q, s, got)
			}
			hint := a.joints(m)
			if s := a.solver.Nearest(&pose, hint, got); s != kinematics.Solved {
				t.Fatalf("%v with hint %v: %v", q, hint, s)
			}
			a.leadsTo(t, pose, got)
			if !a.chain.Within(got) {
				t.Fatalf("%v is out of limits", got)
			}
			a.solver.Branches(&pose, q, &all)
			for _, b := range all.Of[:all.N] {
				nearer, ok := a.nearer(b.Joints[:6], hint)
				if ok && nearer < way(got, hint)-1e-7 {
					t.Fatalf("%v with hint %v: %v, but %v is nearer", q, hint, got, b.Joints)
				}
			}
		}
	})
}

// nearer returns the shortest way from a hint to joints that mean the same and are within the limits, found by trying.
func (a *sixAxes) nearer(joints, hint []float64) (least float64, ok bool) {
	sum := 0.0
	for i := range joints {
		j, best := a.chain.Joint(i), math.Inf(1)
		for turns := -4.0; turns <= 4; turns++ {
			if v := joints[i] + turns*2*math.Pi; v >= j.Min && v <= j.Max {
				best = min(best, math.Abs(v-hint[i]))
			}
		}
		sum += best
	}
	return sum, !math.IsInf(sum, 1)
}

// small are amounts around those where rounding begins to matter more than the pose.
var small = []float64{0, 1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 5e-13, 1e-12, 2e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-4, 1e-2}

// TestAlignedWrist: where axes 4 and 6, or with UR axes 2, 3, 4 and 6, are parallel or nearly so, all branches lead to the
// pose, and the nearest one stays with the hint as far as the pose has the digits.
func TestAlignedWrist(t *testing.T) {
	forEachArm(t, func(t *testing.T, a *sixAxes, m *rand.Rand) {
		for range 200 {
			for _, tiny := range small {
				for _, off := range []float64{tiny, -tiny, math.Pi - tiny} {
					q := a.joints(m)
					q[2], q[4] = stretched[a.name]+0.3+m.Float64(), off
					if !a.chain.Within(q) || a.ahead(q) < 0.05 {
						continue
					}
					rounding := 1e-8
					if tiny > 1e-13 {
						rounding += 1e-13 / tiny
					}
					s := a.stays(t, q, rounding)
					if singular := tiny <= 1e-13; singular && s != kinematics.Singular || tiny > 1e-11 && s != kinematics.Solved {
						t.Fatalf("%v: %v", q, s)
					}
				}
			}
		}
	})
}

// stays tests all branches of the pose of q, and that the one nearest to q is q, except for rounding.
func (a *sixAxes) stays(t *testing.T, q []float64, rounding float64) kinematics.Status {
	t.Helper()
	var all kinematics.Branches
	pose := a.chain.Forward(q)
	if s := a.solver.Branches(&pose, q, &all); !s.Good() {
		t.Fatalf("%v: %v", q, s)
	}
	for _, b := range all.Of[:all.N] {
		a.leadsTo(t, pose, b.Joints[:6])
	}
	got := make([]float64, 6)
	s := a.solver.Nearest(&pose, q, got)
	a.leadsTo(t, pose, got)
	if off := mostOff(got, q); !s.Good() || !(off <= rounding) {
		t.Fatalf("%v: %v %v, %g away", q, s, got, off)
	}
	return s
}

// stretched is joint 3 where the elbow is straight.
var stretched = map[string]float64{
	"KR16-2": -math.Atan2(0.035, 0.670), "KR6 R900 sixx": math.Atan2(0.035, 0.420), "KR6 R700 sixx": math.Atan2(0.035, 0.365),
	"KR10 R1100 sixx": math.Atan2(0.035, 0.515), "TX90L": 0, "equal links": 0, "UR5": 0,
}

// TestStretched: the elbow straight or nearly so.
func TestStretched(t *testing.T) {
	forEachArm(t, func(t *testing.T, a *sixAxes, m *rand.Rand) {
		for range 200 {
			for _, tiny := range small {
				for _, off := range []float64{tiny, -tiny} {
					q := a.joints(m)
					if q[2], q[4] = stretched[a.name]+off, math.Copysign(0.3+m.Float64(), off); a.ahead(q) < 0.05 {
						continue
					}
					a.stays(t, q, 1e-6)
				}
			}
		}
	})
}

// ahead returns how far the centre of the wrist is from where axis 1 is singular.
func (a *sixAxes) ahead(q []float64) float64 {
	f := a.chain.Forward(q)
	centre := f.Point(geom.Vector{Z: -a.hand})
	return math.Hypot(centre.X, centre.Y) - a.aside
}

// at returns a pose of the tip in which the centre of the wrist is at a place.
func (a *sixAxes) at(m *rand.Rand, centre geom.Vector) geom.Frame {
	rot := geom.FromQuaternion(m.NormFloat64(), m.NormFloat64(), m.NormFloat64(), m.NormFloat64())
	return geom.Frame{Pos: centre.Add(rot.Rotate(geom.Vector{Z: a.hand})), Rot: rot}
}

// TestOnAxis1: with the wrist on axis 1 joint 1 stays where it is.
func TestOnAxis1(t *testing.T) {
	arms := armsOfSix()
	a, m, got := &arms[1], rand.New(rand.NewPCG(6, 3)), make([]float64, 6)
	for range 1000 {
		for _, tiny := range small {
			along := m.Float64() * 2 * math.Pi
			centre := geom.Vector{X: tiny * math.Cos(along), Y: tiny * math.Sin(along), Z: 1.1 + 0.1*m.Float64()}
			pose, hint := a.at(m, centre), a.joints(m)
			s := a.solver.Nearest(&pose, hint, got)
			if s == kinematics.OutOfLimits {
				continue
			}
			if !s.Good() {
				t.Fatalf("%v from axis 1: %v", tiny, s)
			}
			a.leadsTo(t, pose, got)
			if tiny <= 1e-14 && (s != kinematics.Singular || got[0] != hint[0]) || tiny >= 1e-11 && s != kinematics.Solved {
				t.Fatalf("%v from axis 1: %v with %v, hint %v", tiny, s, got, hint)
			}
		}
	}
}

// TestInTheShoulder: an arm with links of one length may have its wrist where axes 1 and 2 meet.
func TestInTheShoulder(t *testing.T) {
	arms := armsOfSix()
	a, m, got := &arms[5], rand.New(rand.NewPCG(6, 4)), make([]float64, 6)
	for range 1000 {
		for _, tiny := range small {
			centre := geom.Vector{X: tiny * m.NormFloat64(), Y: tiny * m.NormFloat64(), Z: 0.4 + tiny*m.NormFloat64()}
			pose, hint := a.at(m, centre), a.joints(m)
			s := a.solver.Nearest(&pose, hint, got)
			if !s.Good() {
				t.Fatalf("%v from the shoulder: %v", tiny, s)
			}
			a.leadsTo(t, pose, got)
			if tiny == 0 && (s != kinematics.Singular || got[0] != hint[0] || math.Abs(got[1]-hint[1]) > 1e-15) {
				t.Fatalf("in the shoulder: %v with %v, hint %v", s, got, hint)
			}
		}
	}
}

// TestReach: at the border of what the arm reaches there are branches, and next to it there are none.
func TestReach(t *testing.T) {
	fore := math.Hypot(0.420, 0.035)
	for _, tt := range []struct {
		name   string
		at     float64 // distance of the wrist from the shoulder, straight up
		beyond float64 // the direction out of reach
	}{
		{"far", 0.455 + fore, 1},
		{"near", 0.455 - fore, -1},
	} {
		c := kuka(0.4, 0.025, 0.455, -0.035, 0.420, 0.080, wide)
		a, m := &sixAxes{chain: c, solver: wrist(c), hand: 0.080}, rand.New(rand.NewPCG(6, 5))
		var all kinematics.Branches
		hint := make([]float64, 6)
		for range 1000 {
			for _, tiny := range small {
				inside := a.at(m, geom.Vector{X: 0.025, Z: 0.4 + tt.at - tt.beyond*tiny})
				if s := a.solver.Branches(&inside, hint, &all); s != kinematics.Solved {
					t.Fatalf("%s: %g inside: %v", tt.name, tiny, s)
				}
				for _, b := range all.Of[:all.N] {
					a.leadsTo(t, inside, b.Joints[:6])
				}
				outside := a.at(m, geom.Vector{X: 0.025, Z: 0.4 + tt.at + tt.beyond*tiny})
				s := a.solver.Branches(&outside, hint, &all)
				if tiny <= 1e-15 && s != kinematics.Solved {
					t.Fatalf("%s: %g outside: %v", tt.name, tiny, s)
				}
				// Where it is too far to the front it may be so for the back, too; too near is something for one side.
				if tiny >= 1e-12 && (s == kinematics.Unreachable) != (tt.name == "far") || s == kinematics.Unreachable && all.N != 0 {
					t.Fatalf("%s: %g outside: %v with %d branches", tt.name, tiny, s, all.N)
				}
			}
		}
	}
	a := armsOfSix()[4]
	m, hint, got := rand.New(rand.NewPCG(6, 6)), make([]float64, 6), []float64{1, 2, 3, 4, 5, 6}
	for _, tt := range []struct {
		x    float64
		want kinematics.Status
	}{{0.050, kinematics.Solved}, {0.050 - 1e-15, kinematics.Solved}, {0.050 - 1e-11, kinematics.Unreachable}, {0, kinematics.Unreachable}, {0.06, kinematics.Solved}} {
		pose := a.at(m, geom.Vector{X: tt.x, Z: 0.9})
		if s := a.solver.Nearest(&pose, hint, got); s != tt.want {
			t.Errorf("%v from axis 1: %v", tt.x, s)
		}
		if tt.want == kinematics.Solved {
			a.leadsTo(t, pose, got)
		}
	}
}

// TestOutOfLimits: there are branches but none within the limits; the nearest is given nevertheless. One that is farther
// away and within them is taken first.
func TestOutOfLimits(t *testing.T) {
	full := kr16Limited()
	q := []float64{0.3, -1.5, 1.4, 0.5, 0.6, 0.7}
	pose := full.Forward(q)
	var all kinematics.Branches
	wrist(full).Branches(&pose, q, &all)
	ranges := func(around []float64) *kinematics.Chain {
		var r [6][2]float64
		for i := range r {
			r[i] = [2]float64{around[i]/degree - 1, around[i]/degree + 1}
		}
		return kuka(0.675, 0.260, 0.680, 0.035, 0.670, 0.158, r)
	}
	got := make([]float64, 6)
	for _, b := range all.Of[:all.N] {
		if s := wrist(ranges(b.Joints[:6])).Nearest(&pose, q, got); s != kinematics.Solved || mostOff(got, b.Joints[:6]) > 1e-9 {
			t.Errorf("only %v is within: %v %v", b.Joints, s, got)
		}
	}
	elsewhere := []float64{0.3, -1.5, 1.4, 0.5, 0.6, 1.7}
	if s := wrist(ranges(elsewhere)).Nearest(&pose, elsewhere, got); s != kinematics.OutOfLimits || mostOff(got, q) > 1e-9 {
		t.Errorf("none is within: %v %v", s, got)
	}
	if s := wrist(ranges(elsewhere)).Branches(&pose, elsewhere, &all); s != kinematics.OutOfLimits || all.N != 4 {
		t.Errorf("none is within: %v, %d branches", s, all.N)
	}

	// An aligned wrist shares the turn so that both joints are within.
	narrow := kuka(0.675, 0.260, 0.680, 0.035, 0.670, 0.158, [6][2]float64{{-185, 185}, {-155, 35}, {-130, 154}, {-90, 90}, {-130, 130}, {-20, 50}})
	for _, q := range [][]float64{{0, -1.5, 1.4, 1, 0, 0.8}, {0, -1.5, 1.4, -1, 0, -0.2}} {
		a := sixAxes{chain: narrow, solver: wrist(narrow)}
		pose := narrow.Forward(q)
		for _, h4 := range []float64{-1.5, 0, 1.5, 3} {
			hint := []float64{0, -1.5, 1.4, h4, 0, 0}
			if s := a.solver.Nearest(&pose, hint, got); s != kinematics.Singular || !narrow.Within(got) {
				t.Errorf("%v with hint %v: %v %v", q, hint, s, got)
			}
			a.leadsTo(t, pose, got)
		}
	}
}

func TestInvalid(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, a := range armsOfSix() {
		q, got := []float64{0.3, -1.5, 1.4, 0.5, 0.6, 0.7}, make([]float64, 6)
		pose := a.chain.Forward(q)
		check := func(what string, pose geom.Frame, hint, joints []float64) {
			t.Helper()
			var all kinematics.Branches
			if s := a.solver.Nearest(&pose, hint, joints); s != kinematics.Invalid {
				t.Errorf("%s: %s: %v", a.name, what, s)
			}
			if s := a.solver.Branches(&pose, hint, &all); len(joints) >= 6 && (s != kinematics.Invalid || all.N != 0) {
				t.Errorf("%s: %s: %v, %d branches", a.name, what, s, all.N)
			}
		}
		for _, v := range []float64{nan, inf, -inf} {
			check("position", geom.Frame{Pos: geom.Vector{Y: v}}, q, got)
			check("hint", pose, []float64{0, 0, 0, 0, 0, v}, got)
		}
		check("rotation", geom.Frame{Pos: pose.Pos, Rot: geom.FromQuaternion(nan, 0, 0, 1)}, q, got)
		check("short hint", pose, q[:5], got)
		check("no hint", pose, nil, got)
		check("short joints", pose, q, got[:5])
		far := geom.Frame{Pos: geom.Vector{X: math.MaxFloat64, Y: math.MaxFloat64}}
		if s := a.solver.Nearest(&far, q, got); s != kinematics.Unreachable {
			t.Errorf("%s: far away: %v", a.name, s)
		}
		if c := a.solver.Configuration(q[:5]); c != 0 {
			t.Errorf("%s: configuration of too few joints: %d", a.name, c)
		}
	}
}

// TestNames: KUKA's upright pose with the forearm forward is in front and up. The words say where the elbow is.
func TestNames(t *testing.T) {
	w := wrist(kr16Limited())
	for _, tt := range []struct {
		name   string
		joints [6]float64 // deg
	}{
		{"front up", [6]float64{0, -90, 90, 0, 10, 0}},
		{"front up flip", [6]float64{0, -90, 90, 0, -10, 0}},
		{"front down", [6]float64{0, 0, -30, 0, 10, 0}},
		{"back up", [6]float64{0, -110, -90, 0, 10, 0}},
		{"back down flip", [6]float64{0, -150, 0, 0, -10, 0}},
	} {
		q := tt.joints
		for i := range q {
			q[i] *= degree
		}
		if name := w.Name(w.Configuration(q[:])); name != tt.name {
			t.Errorf("%v: %q, not %q", tt.joints, name, tt.name)
		}
	}
}

// TestStatusAndTurn: S and T lead to the joints they were taken of, also if the joints are described so that they count the
// other way.
func TestStatusAndTurn(t *testing.T) {
	m := rand.New(rand.NewPCG(6, 7))
	tried := armsOfSix()[:4]
	for range 50 {
		tried = append(tried, *tried[0].described(m))
	}
	got := make([]float64, 6)
	for i, a := range tried {
		w := a.solver.(*kinematics.Wrist)
		poses := 10_000
		if i >= 4 {
			poses = 200
		}
		for range poses {
			q, hint := a.joints(m), a.joints(m)
			pose := a.chain.Forward(q)
			s, turn := w.StatusAndTurn(q)
			if status := w.WithStatusAndTurn(&pose, s, turn, hint, got); status != kinematics.Solved || mostOff(got, q) > 1e-7 {
				t.Fatalf("%v with S %b and T %b: %v %v", q, s, turn, status, got)
			}
			if again, _ := w.StatusAndTurn(got); again != s {
				t.Fatalf("S %b became %b", s, again)
			}
		}
	}
}

// TestStatusAndTurnOfKUKA has values of an arm that is stretched at A3 = 4.8°.
func TestStatusAndTurnOfKUKA(t *testing.T) {
	w := wrist(agilus(0.455, 0.420))
	for _, tt := range []struct {
		joints [6]float64 // deg
		s, t   uint8
	}{
		{[6]float64{0, -90, 90, 0, 0, 0}, 0b010, 0b000010}, // as programs in KRL have it for this pose
		{[6]float64{-5, -90, 90, 0, 30, 10}, 0b010, 0b000011},
		{[6]float64{0, -90, 90, 0, -30, 10}, 0b110, 0b010010},
		{[6]float64{0, -90, 4, 0, 10, -10}, 0b000, 0b100010},
		{[6]float64{0, -90, 5.5, 0, 10, 0}, 0b010, 0b000010},
		{[6]float64{0, -140, 20, 0, 10, 0}, 0b011, 0b000010},
		{[6]float64{0, -110, -90, 0, 10, 0}, 0b001, 0b000110},
	} {
		q := tt.joints
		for i := range q {
			q[i] *= degree
		}
		s, turn := w.StatusAndTurn(q[:])
		if s != tt.s || turn != tt.t {
			t.Errorf("%v: S %03b T %06b, not %03b %06b", tt.joints, s, turn, tt.s, tt.t)
		}
	}
}

// TestStatusAndTurnAtBorders: where branches meet, S of either leads to the joints.
func TestStatusAndTurnAtBorders(t *testing.T) {
	c := agilus(0.455, 0.420)
	a := sixAxes{chain: c, solver: wrist(c), hand: 0.080}
	w, got := wrist(c), make([]float64, 6)
	for _, tt := range []struct {
		joints []float64
		either []uint8
		want   kinematics.Status
	}{
		{[]float64{0.1, -1.2, 1.1, 0.4, 0, 0.5}, []uint8{0b010, 0b110}, kinematics.Singular},
		{[]float64{0.1, -1.2, math.Atan2(0.035, 0.420), 0.4, 0.5, 0.6}, []uint8{0b000, 0b010}, kinematics.Solved},
	} {
		pose := c.Forward(tt.joints)
		for _, s := range tt.either {
			if status := w.WithStatusAndTurn(&pose, s, 0b000010, tt.joints, got); status != tt.want || mostOff(got, tt.joints) > 1e-6 {
				t.Errorf("%v with S %03b: %v %v", tt.joints, s, status, got)
			}
		}
	}
	m, hint := rand.New(rand.NewPCG(6, 7)), []float64{0.7, 0, 0, 0, 0, 0}
	pose := a.at(m, geom.Vector{Z: 1.1})
	for _, s := range []uint8{0b010, 0b001, 0b011, 0b000} {
		status := w.WithStatusAndTurn(&pose, s, 0b000010, hint, got)
		if (status != kinematics.Singular || got[0] != 0.7) && status != kinematics.OutOfLimits {
			t.Errorf("on axis 1 with S %03b: %v %v", s, status, got)
		}
		a.leadsTo(t, pose, got)
	}

	far, high := geom.Frame{Pos: geom.Vector{X: 9}}, c.Forward([]float64{0.1, -1.2, 1.1, 0.4, 0.3, 0.5})
	for _, tt := range []struct {
		what         string
		pose         *geom.Frame
		turn         uint8
		hint, joints []float64
		want         kinematics.Status
	}{
		{"short hint", &high, 2, hint[:5], got, kinematics.Invalid},
		{"short joints", &high, 2, hint, got[:5], kinematics.Invalid},
		{"far away", &far, 2, hint, got, kinematics.Unreachable},
		{"joint 2 at 291°", &high, 0, hint, got, kinematics.OutOfLimits},
	} {
		if s := w.WithStatusAndTurn(tt.pose, 0b010, tt.turn, tt.hint, tt.joints); s != tt.want {
			t.Errorf("%s: %v", tt.what, s)
		}
	}
}

// TestSegments: the same arm as a description by frames has it is solved the same.
func TestSegments(t *testing.T) {
	r900 := agilus(0.455, 0.420)
	segments := make([]kinematics.Segment, 6)
	for i, s := range []struct{ at, axis geom.Vector }{
		{geom.Vector{Z: 0.4}, geom.Vector{Z: -1}},
		{geom.Vector{X: 0.025}, geom.Vector{Y: 1}},
		{geom.Vector{X: 0.455}, geom.Vector{Y: 1}},
		{geom.Vector{Z: 0.035}, geom.Vector{X: -1}},
		{geom.Vector{X: 0.420}, geom.Vector{Y: 1}},
		{geom.Vector{X: 0.080}, geom.Vector{X: -1}},
	} {
		segments[i] = kinematics.Segment{Before: geom.Frame{Pos: s.at}, Axis: s.axis, Joint: r900.Joint(i)}
	}
	same := must(kinematics.New(segments, geom.Frame{Rot: geom.FromABC(0, right, 0)}))
	a, m, hint := &sixAxes{chain: r900}, rand.New(rand.NewPCG(6, 8)), make([]float64, 6)
	for range 1000 {
		pose := r900.Forward(a.joints(m))
		var want, got kinematics.Branches
		wrist(r900).Branches(&pose, hint, &want)
		wrist(same).Branches(&pose, hint, &got)
		if got.N != want.N {
			t.Fatalf("%d branches, not %d", got.N, want.N)
		}
		for i := range want.N {
			if got.Of[i].Configuration != want.Of[i].Configuration || mostOff(got.Of[i].Joints[:6], want.Of[i].Joints[:6]) > 1e-8 {
				t.Fatalf("%v, not %v", got.Of[i], want.Of[i])
			}
		}
	}
}

// TestAnyDescription describes the arms by frames anywhere on their axes, with axes in any direction, in any base, with
// any tool, and with joints that count from elsewhere.
func TestAnyDescription(t *testing.T) {
	forEachArm(t, func(t *testing.T, a *sixAxes, m *rand.Rand) {
		for range 100 {
			b := a.described(m)
			for range 20 {
				q := b.joints(m)
				b.stays(t, q, 1e-7)
			}
		}
	})
}

func (a *sixAxes) described(m *rand.Rand) *sixAxes {
	anyFrame := func() geom.Frame {
		return geom.Frame{
			Pos: geom.Vector{X: m.NormFloat64(), Y: m.NormFloat64(), Z: m.NormFloat64()},
			Rot: geom.FromQuaternion(m.NormFloat64(), m.NormFloat64(), m.NormFloat64(), m.NormFloat64()),
		}
	}
	base := anyFrame()
	var lines [6]kinematics.Line
	zero := a.joints(m)
	a.chain.Axes(zero, lines[:])
	before, segments := geom.Frame{}, make([]kinematics.Segment, 6)
	for i, l := range lines {
		frame := geom.Frame{Pos: base.Point(l.Point.Add(l.Direction.Scale(m.NormFloat64()))), Rot: anyFrame().Rot}
		direction := base.Rot.Rotate(l.Direction).Scale([]float64{1, -1}[m.IntN(2)])
		segments[i] = kinematics.Segment{Before: before.To(frame), Axis: frame.Rot.Invert().Rotate(direction), Joint: between("", -4, 3)}
		before = frame
	}
	b := &sixAxes{name: a.name, chain: must(kinematics.New(segments, anyFrame()))}
	if a.name == "UR5" {
		b.solver = ur(b.chain)
	} else {
		b.solver = wrist(b.chain)
	}
	return b
}

// TestLeaning: axis 4 may stand on the forearm at any angle, and be aside of the plane.
func TestLeaning(t *testing.T) {
	m := rand.New(rand.NewPCG(6, 16))
	for range 300 {
		rows := []kinematics.Row{
			{Theta: m.Float64(), D: 0.4, A: 0.1, Alpha: right},
			{Theta: 6 * m.Float64(), A: 0.3 + m.Float64()},
			{Theta: 6 * m.Float64(), D: 0.1 * m.Float64(), A: 0.1 * m.Float64(), Alpha: 6 * m.Float64()},
			{Theta: 6 * m.Float64(), D: 0.3 + m.Float64(), Alpha: -right},
			{Alpha: right},
			{Theta: 6 * m.Float64(), D: 0.1},
		}
		for i := range rows {
			rows[i].Joint = free("")
		}
		a := &sixAxes{name: "leaning", chain: must(kinematics.Standard(geom.Frame{}, rows, geom.Frame{}))}
		a.solver = wrist(a.chain)
		for range 30 {
			q := a.joints(m)
			pose, all, found := a.chain.Forward(q), kinematics.Branches{}, false
			a.solver.Branches(&pose, q, &all)
			for _, b := range all.Of[:all.N] {
				a.leadsTo(t, pose, b.Joints[:6])
				found = found || mostOff(b.Joints[:6], q) < 1e-7
			}
			if !found {
				t.Fatalf("%v is not among %v", q, all.Of[:all.N])
			}
		}
	}
}

// TestNotRecognised: what does not fit is refused.
func TestNotRecognised(t *testing.T) {
	table := func(change func(rows []kinematics.Row)) *kinematics.Chain {
		rows := []kinematics.Row{{D: 0.4, A: 0.1, Alpha: -right}, {A: 0.5}, {Alpha: right}, {D: 0.5, Alpha: -right}, {Alpha: right}, {D: 0.1}}
		for i := range rows {
			rows[i].Joint = free("")
		}
		change(rows)
		return must(kinematics.Standard(geom.Frame{}, rows, geom.Frame{}))
	}
	tests := []struct {
		chain     *kinematics.Chain
		wrist, ur string // in the error, or empty
	}{
		{chain: table(func([]kinematics.Row) {}), ur: "axis 4 is not parallel to axis 3, but 90° off"},
		{chain: ur5(), wrist: "axis 4 misses axes 5 and 6 by 94.6 mm"},
		{chain: panda(), wrist: "need six joints, not 7 with 7 drives", ur: "need six joints"},
		{chain: table(func(r []kinematics.Row) { r[2].Kind = kinematics.Prismatic }), wrist: "joint 3 does not turn", ur: "joint 3 does not turn"},
		{chain: table(func(r []kinematics.Row) { r[0].Alpha += 0.5 * degree }), wrist: "axis 2 is not at right angles to axis 1, but 0.5° off", ur: "axis 2"},
		{chain: table(func(r []kinematics.Row) { r[1].Alpha = 0.25 * degree }), wrist: "axis 3 is not parallel to axis 2, but 0.25° off", ur: "axis 3"},
		{chain: table(func(r []kinematics.Row) { r[3].Alpha -= 0.01 * degree }), wrist: "axis 5 is not at right angles to axis 4, but 0.01° off", ur: "axis 5"},
		{chain: table(func(r []kinematics.Row) { r[4].A = 0.001 }), wrist: "axis 6 does not meet axis 5, but is 1 mm away", ur: "axis 6"},
		{chain: table(func(r []kinematics.Row) { r[3].A = 0.002 }), wrist: "axis 4 misses axes 5 and 6 by 2 mm", ur: "axis 4"},
		{chain: table(func(r []kinematics.Row) { r[1].A = 0 }), wrist: "upper arm and forearm of 0 and 0.5 m: both must be above 0", ur: "axis 4"},
		{chain: table(func(r []kinematics.Row) { r[3].D = 0 }), wrist: "upper arm and forearm of 0.5 and 0 m: both must be above 0", ur: "axis 4"},
	}
	for _, tt := range tests {
		_, err := kinematics.NewWrist(tt.chain)
		if (err != nil) != (tt.wrist != "") || err != nil && !strings.Contains(err.Error(), "not an arm with a spherical wrist: "+tt.wrist) {
			t.Errorf("spherical wrist: %v, not %q", err, tt.wrist)
		}
		_, err = kinematics.NewUR(tt.chain)
		if (err != nil) != (tt.ur != "") || err != nil && !strings.Contains(err.Error(), "not an arm with three parallel axes: "+tt.ur) {
			t.Errorf("three parallel axes: %v, not %q", err, tt.ur)
		}
	}
	// Missing digits do not change the structure, and cost no more accuracy than they stand for.
	short := table(func(r []kinematics.Row) { r[0].Alpha, r[3].Alpha = -1.570796325, -1.570796325 })
	w, m := wrist(short), rand.New(rand.NewPCG(6, 14))
	for range 1000 {
		q := (&sixAxes{chain: short}).joints(m)
		pose := short.Forward(q)
		got := make([]float64, 6)
		if s := w.Nearest(&pose, q, got); s != kinematics.Solved || !(apart(pose, short.Forward(got)) < 2e-8) {
			t.Fatalf("%v: %v %v", q, s, got)
		}
	}
}

func TestInverseAllocatesNothing(t *testing.T) {
	for _, a := range armsOfSix() {
		q, got := []float64{0.3, -1.5, 1.4, 0.5, 0.6, 0.7}, make([]float64, 6)
		pose := a.chain.Forward(q)
		var all kinematics.Branches
		if n := alloc.Least(func() {
			a.solver.Branches(&pose, q, &all)
			a.solver.Nearest(&pose, q, got)
			a.solver.Configuration(got)
		}); n != 0 {
			t.Errorf("%s: %d allocations", a.name, n)
		}
	}
}

// FuzzInverse: any numbers give a status, and joints that are called solved lead to the pose.
func FuzzInverse(f *testing.F) {
	arms := armsOfSix()
	f.Add(uint8(0), 1.0, 0.0, 1.3, 0.0, 0.7, 0.0, 0.7, 0.0, -1.5, 1.5, 0.0, 0.1, 0.0)
	f.Add(uint8(6), -0.8, -0.19, 0.0, 0.7, 0.0, 0.0, 0.7, 0.0, 0.0, 0.0, 0.0, 0.0, 1e9)
	f.Add(uint8(5), 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 1.0, math.Inf(1), 0.0, math.NaN(), 0.0, 0.0, 1e300)
	f.Fuzz(func(t *testing.T, which uint8, px, py, pz, x, y, z, w, h1, h2, h3, h4, h5, h6 float64) {
		a := &arms[int(which)%len(arms)]
		if which < 0x80 { // most places are out of reach
			px, py, pz = math.Remainder(px, 1.5), math.Remainder(py, 1.5), math.Remainder(pz, 2)
		}
		pose := geom.Frame{Pos: geom.Vector{X: px, Y: py, Z: pz}, Rot: geom.FromQuaternion(x, y, z, w)}
		hint, got := []float64{h1, h2, h3, h4, h5, h6}, make([]float64, 6)
		rounding := 1e-15 * max(math.Abs(h1), math.Abs(h2), math.Abs(h3), math.Abs(h4), math.Abs(h5), math.Abs(h6))
		rounding += 2e-8 // joints that are beyond their limits by 1e-9 are brought to them
		check := func(s kinematics.Status, joints []float64) {
			if s > kinematics.Invalid {
				t.Fatal(s)
			}
			if off := apart(pose, a.chain.Forward(joints)); (s.Good() || s == kinematics.OutOfLimits) && !(off <= rounding) {
				t.Fatalf("%s: %v: %v is %g away", a.name, s, joints, off)
			}
			if s.Good() && !a.chain.Within(joints) {
				t.Fatalf("%s: %v: %v is out of limits", a.name, s, joints)
			}
		}
		check(a.solver.Nearest(&pose, hint, got), got)
		all := kinematics.Branches{N: 7}
		s := a.solver.Branches(&pose, hint, &all)
		if (all.N > 0) != (s.Good() || s == kinematics.OutOfLimits) {
			t.Fatalf("%s: %v with %d branches", a.name, s, all.N)
		}
		for _, b := range all.Of[:all.N] {
			check(b.Status, b.Joints[:6])
			if a.solver.Name(b.Configuration) == "" {
				t.Fatal("no name")
			}
		}
		if w, ok := a.solver.(*kinematics.Wrist); ok {
			check(w.WithStatusAndTurn(&pose, which, which>>2, hint, got), got)
			w.StatusAndTurn(hint)
		}
	})
}

// BenchmarkInverse goes from one pose to any other, so that nothing is guessed because it was so the last time.
func BenchmarkInverse(b *testing.B) {
	b.Run("by the book", func(b *testing.B) {
		a, m, poses, i := armsOfSix()[0], rand.New(rand.NewPCG(6, 9)), make([]geom.Frame, 4096), 0
		for i := range poses {
			poses[i] = a.chain.Forward(a.joints(m))
		}
		for b.Loop() {
			byTheBook(0.675, 0.260, 0.680, 0.035, 0.670, 0.158, poses[i])
			i = (i + 1) % len(poses)
		}
	})
	for _, a := range armsOfSix() {
		m := rand.New(rand.NewPCG(6, 9))
		joints, poses := make([][]float64, 4096), make([]geom.Frame, 4096)
		for i := range joints {
			joints[i] = a.joints(m)
			poses[i] = a.chain.Forward(joints[i])
		}
		var all kinematics.Branches
		got, i := make([]float64, 6), 0
		b.Run(a.name+"/branches", func(b *testing.B) {
			for b.Loop() {
				a.solver.Branches(&poses[i], joints[i], &all)
				i = (i + 1) % len(poses)
			}
		})
		b.Run(a.name+"/nearest", func(b *testing.B) {
			for b.Loop() {
				a.solver.Nearest(&poses[i], joints[i], got)
				i = (i + 1) % len(poses)
			}
		})
	}
}
