package kinematics_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
)

// iiwa returns the table of KUKA's LBR iiwa 14 R820, whose axes 2, 4 and 6 turn the other way.
func iiwa() *kinematics.Chain {
	var rows []kinematics.Row
	for i, alpha := range []float64{-90, 90, 90, -90, -90, 90, 0} {
		limit := []float64{170, 120, 170, 120, 170, 120, 175}[i] * degree
		rows = append(rows, kinematics.Row{
			D: []float64{0.36, 0, 0.42, 0, 0.4, 0, 0.126}[i], Alpha: alpha * degree,
			Joint: between("A"+strconv.Itoa(i+1), -limit, limit),
		})
	}
	return must(kinematics.Standard(geom.Frame{}, rows, geom.Frame{}))
}

// oblique returns an arm that hangs askew, counts from elsewhere, half of it the other way, and has wide and lopsided ranges.
func oblique() *kinematics.Chain {
	var rows []kinematics.Row
	for i, alpha := range []float64{90, -90, -90, 90, 90, -90, 30} {
		rows = append(rows, kinematics.Row{
			Theta: 0.3 * float64(i), D: []float64{0.2, 0, -0.35, 0, -0.45, 0, 0.1}[i], Alpha: alpha * degree, A: []float64{6: 0.05}[i],
			Sign:  []float64{1, -1}[i*i%3%2],
			Joint: between("q"+strconv.Itoa(i+1), []float64{-1, -2.5, -4, -0.2, -9, -1, -2}[i], []float64{2.5, 1, 4.5, 2.6, 2, 2.2, 1}[i]),
		})
	}
	base := geom.Frame{Pos: geom.Vector{X: 1, Y: 2, Z: 3}, Rot: geom.FromABC(1, 2, 3)}
	return must(kinematics.Standard(base, rows, geom.Frame{Pos: geom.Vector{X: 0.1, Z: 0.2}, Rot: geom.FromABC(0, 1, 0.5)}))
}

// unlimited returns the LWR if it could turn all round.
func unlimited() *kinematics.Chain {
	return must(kinematics.New(segments(func(j *kinematics.Joint) { j.Min, j.Max = math.Inf(-1), math.Inf(1) }), geom.Frame{Pos: geom.Vector{Z: 0.078}}))
}

// segments describe the LWR as a file about robots does: links that all stand upright.
func segments(change func(j *kinematics.Joint)) []kinematics.Segment {
	var all []kinematics.Segment
	for i, z := range []float64{0.3105, 0, 0.2, 0.2, 0.15, 0.24, 0} {
		j := between("joint "+strconv.Itoa(i+1), -170*degree, 170*degree)
		if i%2 == 1 {
			j.Min, j.Max = -120*degree, 120*degree
		}
		change(&j)
		axis := [...]geom.Vector{{Z: 1}, {Y: -1}, {Z: 1}, {Y: 1}, {Z: 1}, {Y: -1}, {Z: 1}}[i]
		all = append(all, kinematics.Segment{Before: geom.Frame{Pos: geom.Vector{Z: z}}, Axis: axis, Joint: j})
	}
	return all
}

// arms are those that the laws are tried with.
func sevenAxes() map[string]*kinematics.Chain {
	return map[string]*kinematics.Chain{"LWR": lwr(), "iiwa": iiwa(), "oblique": oblique()}
}

func srs(t testing.TB, c *kinematics.Chain) *kinematics.SRS {
	t.Helper()
	s, err := kinematics.NewSRS(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// forSevenAxes tries a law with all arms.
func forSevenAxes(t *testing.T, law func(t *testing.T, c *kinematics.Chain, s *kinematics.SRS, r *rand.Rand)) {
	t.Helper()
	for name, c := range sevenAxes() {
		t.Run(name, func(t *testing.T) { law(t, c, srs(t, c), rand.New(rand.NewPCG(7, 7))) })
	}
}

// steps returns how many random cases a law is tried with.
func steps(usual int) int {
	if n, err := strconv.Atoi(os.Getenv("RCCD_STEPS")); err == nil {
		return n
	}
	return usual
}

// somewhere returns values of joints within their limits.
func somewhere(r *rand.Rand, c *kinematics.Chain) []float64 {
	q := make([]float64, c.Len())
	for i := range q {
		j := c.Joint(i)
		q[i] = j.Min + r.Float64()*(j.Max-j.Min)
	}
	return q
}

// apart returns how far two frames are away from each other, in m or rad.
func apart(a, b geom.Frame) float64 {
	return max(a.Pos.Sub(b.Pos).Length(), a.Rot.To(b.Rot).Angle())
}

// farthest returns by how much the joint moves that moves most.
func farthest(a, b []float64) float64 {
	most := 0.0
	for i := range min(len(a), len(b)) {
		most = max(most, math.Abs(a[i]-b[i]))
	}
	return most
}

// turned returns the difference of two angles, whole turns aside.
func turned(a, b float64) float64 { return math.Abs(math.Remainder(a-b, 2*math.Pi)) }

// triangle returns the shoulder, the elbow and the wrist, by where axes cross.
func triangle(c *kinematics.Chain, q []float64) (shoulder, elbow, wrist geom.Vector) {
	var a [7]kinematics.Line
	c.Axes(q, a[:])
	crossing := func(a, b kinematics.Line) geom.Vector {
		return a.Point.Add(a.Direction.Scale(b.Point.Sub(a.Point).Dot(a.Direction)))
	}
	return crossing(a[0], a[1]), crossing(a[2], a[3]), crossing(a[4], a[5])
}

// sines returns those of the angles between axes 1 and 3, 3 and 5, 5 and 7: 0 where the arm is singular.
func sines(c *kinematics.Chain, q []float64) [3]float64 {
	var a [7]kinematics.Line
	c.Axes(q, a[:])
	sine := func(i int) float64 { return a[i].Direction.Cross(a[i+2].Direction).Length() }
	return [3]float64{sine(0), sine(2), sine(4)}
}

// TestSRSRoundTrip goes from joints to the pose and back, with the alpha of the joints and with any other.
func TestSRSRoundTrip(t *testing.T) {
	forSevenAxes(t, func(t *testing.T, c *kinematics.Chain, s *kinematics.SRS, r *rand.Rand) {
		var found kinematics.Branches
		for range steps(10_000) {
			q := somewhere(r, c)
			to, alpha := c.Forward(q), s.Alpha(q, 0)
			status := s.BranchesAt(&to, alpha, q, &found)
			eight(t, c, s, &to, alpha, q, status, &found)
			nearest := math.Inf(1)
			for i := range found.N {
				nearest = min(nearest, farthest(q, found.Of[i].Joints[:]))
			}
			// Near singular postures rounding of the pose turns joints by more.
			if sin := sines(c, q); !(nearest <= 1e-13/min(sin[0], sin[1], sin[2])/min(sin[0], sin[1], sin[2])) {
				t.Fatalf("%v: the nearest branch is %g away", q, nearest)
			}
			alpha = r.NormFloat64() * 4
			status = s.BranchesAt(&to, alpha, q, &found)
			eight(t, c, s, &to, alpha, q, status, &found)
		}
	})
}

// eight checks eight branches for an alpha.
func eight(t *testing.T, c *kinematics.Chain, s *kinematics.SRS, to *geom.Frame, alpha float64, hint []float64, status kinematics.Status, found *kinematics.Branches) {
	t.Helper()
	if status != kinematics.Solved && status != kinematics.OutOfLimits || found.N != 8 {
		t.Fatalf("%v: %v, %d branches", hint, status, found.N)
	}
	within := false
	for i := range found.N {
		b := &found.Of[i]
		if off := apart(c.Forward(b.Joints[:]), *to); !(off <= 1e-13) {
			t.Fatalf("%v, alpha %v: branch %s is %g away", hint, alpha, s.Name(b.Configuration), off)
		}
		if off := turned(s.Alpha(b.Joints[:], alpha), alpha); !(off <= 1e-9) {
			t.Fatalf("%v, alpha %v: branch %s has another one, %g away", hint, alpha, s.Name(b.Configuration), off)
		}
		if b.Configuration != uint8(i) || b.Status.Good() != c.Within(b.Joints[:7]) {
			t.Fatalf("%v: branch %d is %d, %v", hint, i, b.Configuration, b.Status)
		}
		within = within || b.Status.Good()
		for k, x := range b.Joints[:7] {
			j := c.Joint(k)
			if j.Max-j.Min < 2*math.Pi && b.Status.Good() {
				continue
			}
			if turns := math.Abs(x - hint[k]); turns > math.Pi+1e-9 && x-2*math.Pi >= j.Min && x+2*math.Pi <= j.Max {
				t.Fatalf("%v: joint %d of branch %d is not unwound: %v", hint, k+1, i, x)
			}
		}
	}
	if within != status.Good() {
		t.Fatalf("%v: %v", hint, status)
	}
}

// TestSRSCheckValues: poses from published models, solved at the alpha of their joints.
func TestSRSCheckValues(t *testing.T) {
	c := lwr()
	s := srs(t, c)
	for _, tt := range []struct {
		q     []float64 // deg
		alpha float64
	}{
		{[]float64{0, 30, 0, 60, 0, 45, 0}, math.Pi},
		{[]float64{0, -30, 0, 90, 0, 45, 0}, 0},
		{[]float64{70, -30, 0, 90, 0, 45, 0}, 0},
		{[]float64{0, 30, 0, -90, 0, 45, 0}, 0},
		{[]float64{10, 20, 30, 40, 50, 60, 70}, math.NaN()},
	} {
		q, joints := make([]float64, 7), make([]float64, 7)
		for i := range q {
			q[i] = tt.q[i] * degree
		}
		alpha := s.Alpha(q, 0)
		if off := turned(alpha, tt.alpha); off > 1e-14 {
			t.Errorf("%v: alpha %v", tt.q, alpha)
		}
		to, far := c.Forward(q), make([]float64, 7)
		for i := range far {
			far[i] = q[i] + 0.3
		}
		if status := s.At(&to, alpha, far, joints); status != kinematics.Solved || farthest(joints, q) > 1e-13 {
			t.Errorf("%v: %v, %v", tt.q, status, joints)
		}
	}
	if name := s.Name(5); name != "shoulder- elbow+ wrist-" {
		t.Error(name)
	}
}

// TestSRSAlpha compares with the angle between two planes, computed from where the axes are.
func TestSRSAlpha(t *testing.T) {
	for name, c := range map[string]*kinematics.Chain{"LWR": lwr(), "iiwa": iiwa(), "unlimited": unlimited()} {
		s, r := srs(t, c), rand.New(rand.NewPCG(3, 1))
		for range steps(5000) {
			q := somewhere(r, lwr())
			shoulder, elbow, wrist := triangle(c, q)
			along := wrist.Sub(shoulder).Unit()
			across := func(v geom.Vector) geom.Vector { return v.Sub(along.Scale(v.Dot(along))) }
			high, now := across(geom.Vector{Z: 1}), across(elbow.Sub(shoulder))
			want := math.Atan2(high.Cross(now).Dot(along), high.Dot(now))
			near := r.NormFloat64() * 10
			alpha := s.Alpha(q, near)
			if off := turned(alpha, want); !(off <= 1e-14/high.Length()/now.Length()) {
				t.Fatalf("%s, %v: alpha %v, not %v", name, q, alpha, want)
			}
			if math.Abs(alpha-near) > math.Pi+1e-9 {
				t.Fatalf("alpha %v is not near %v", alpha, near)
			}
		}
	}
}

// TestSRSAlphaVelocity compares with a difference of two alphas.
func TestSRSAlphaVelocity(t *testing.T) {
	forSevenAxes(t, func(t *testing.T, c *kinematics.Chain, s *kinematics.SRS, r *rand.Rand) {
		for range steps(5000) {
			q, v := somewhere(r, c), make([]float64, 7)
			for i := range v {
				v[i] = r.NormFloat64()
			}
			velocity, sin := s.AlphaVelocity(q, v), sines(c, q)
			const h = 1e-5
			before, after := make([]float64, 7), make([]float64, 7)
			for i := range q {
				before[i], after[i] = q[i]-h*v[i], q[i]+h*v[i]
			}
			alpha := s.Alpha(before, 0)
			got := (s.Alpha(after, alpha) - alpha) / (2 * h)
			if math.Abs(velocity) > 30 || sin[1] < 1e-3 { // near the first axis, or stretched
				continue
			}
			if math.Abs(got-velocity) > 1e-5*(1+math.Abs(velocity*velocity*velocity)) {
				t.Fatalf("%v, %v: %v, not %v", q, v, velocity, got)
			}
		}
	})
}

// wristAt returns a pose of the LWR whose wrist is at a point, seen from the shoulder.
func wristAt(rot geom.Rotation, x, y, z float64) geom.Frame {
	wrist := geom.Frame{Pos: geom.Vector{X: x, Y: y, Z: 0.3105 + z}, Rot: rot}
	return wrist.Mul(geom.Frame{Pos: geom.Vector{Z: 0.078}})
}

// TestSRSAlphaOnTheAxis: with the wrist on the first axis, alpha is what it is a little ahead of it, its velocity that of the
// elbow about the axis.
func TestSRSAlphaOnTheAxis(t *testing.T) {
	c := unlimited()
	s, r := srs(t, c), rand.New(rand.NewPCG(4, 4))
	on, ahead, zero := make([]float64, 7), make([]float64, 7), make([]float64, 7)
	for range steps(2000) {
		z := (0.2 + 0.5*r.Float64()) * float64(2*r.IntN(2)-1)
		rot := geom.FromABC(r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
		alpha := r.NormFloat64()
		axis, next := wristAt(rot, 0, 0, z), wristAt(rot, 1e-6, 0, z)
		if status := s.At(&axis, alpha, zero, on); status != kinematics.Solved || apart(c.Forward(on), axis) > 1e-13 {
			t.Fatal(status)
		}
		if off := math.Abs(s.Alpha(on, alpha) - alpha); off > 1e-9 {
			t.Fatalf("alpha %v is %g away", alpha, off)
		}
		if status := s.At(&next, alpha, on, ahead); status != kinematics.Solved || farthest(on, ahead) > 1e-3 {
			t.Fatalf("alpha %v: %v %v ahead of the axis, %v on it", alpha, status, ahead, on)
		}
		v := []float64{1, 0, 0, 0, -1, 1, 0.5} // the arm as a whole
		if velocity := s.AlphaVelocity(on, v); math.Abs(velocity-math.Copysign(1, z)) > 1e-9 {
			t.Fatalf("turns about itself with %v", velocity)
		}
	}
}

// TestSRSAcrossTheAxis lets the wrist pass the first axis at all distances, also at none. Nearest never jumps there.
func TestSRSAcrossTheAxis(t *testing.T) {
	c := unlimited()
	s := srs(t, c)
	for _, y := range []float64{0, 1e-15, 1e-9, 1e-4, 3e-3, 0.02, 0.1} {
		q, next := []float64{0.3, -0.4, 0.5, 1.6, 0.2, 0.9, 0}, make([]float64, 7)
		rot := geom.FromABC(0.4, 1.1, 0.2)
		const ds = 1e-3
		most, first := 0.0, true
		for i := -400; i <= 400; i++ {
			to := wristAt(rot, float64(i)*ds, y, 0.45)
			if status := s.Nearest(&to, q, next); !status.Good() || apart(c.Forward(next), to) > 1e-12 {
				t.Fatalf("y %v: %v", y, status)
			}
			if !first {
				most = max(most, farthest(q, next))
			}
			first = false
			copy(q, next)
		}
		if most > 40*ds {
			t.Errorf("y %v: a joint moves by %v", y, most)
		}
	}
}

// TestSRSRanges compares with all branches for alphas all round.
func TestSRSRanges(t *testing.T) {
	forSevenAxes(t, func(t *testing.T, c *kinematics.Chain, s *kinematics.SRS, r *rand.Rand) {
		const around = 90
		var ranges kinematics.Ranges
		var found kinematics.Branches
		allowed, edges := 0, 0
		for range steps(60_000) / 100 {
			q := somewhere(r, c)
			to := c.Forward(q)
			configuration := uint8(r.IntN(8))
			status := s.Ranges(&to, configuration, &ranges)
			if (status == kinematics.Solved) != (ranges.N > 0) {
				t.Fatalf("%v: %v, %d ranges", q, status, ranges.N)
			}
			in := func(alpha, more float64) bool {
				for _, arc := range ranges.Of[:ranges.N] {
					middle, half := (arc.From+arc.To)/2, (arc.To-arc.From)/2
					if turned(alpha, middle) <= half+more {
						return true
					}
				}
				return false
			}
			for i := range around {
				alpha := 2 * math.Pi * (float64(i) + r.Float64()) / around
				s.BranchesAt(&to, alpha, q, &found)
				good := found.Of[configuration].Status.Good()
				if good && !in(alpha, 1e-9) || !good && in(alpha, -1e-9) {
					t.Fatalf("%v, %s: alpha %v is allowed: %v, but ranges are %v", q, s.Name(configuration), alpha, good, ranges.Of[:ranges.N])
				}
				if good {
					allowed++
				}
			}
			// At the ends a joint is at its limit.
			for _, arc := range ranges.Of[:ranges.N] {
				if arc.To-arc.From > 2*math.Pi-1e-9 {
					continue
				}
				for _, alpha := range []float64{arc.From, arc.To} {
					s.BranchesAt(&to, alpha, q, &found)
					joints := found.Of[configuration].Joints[:7]
					margin, _ := c.Margin(joints)
					if sin := sines(c, joints); math.Abs(margin) > 1e-12/min(sin[0], sin[2]) {
						t.Fatalf("%v, %s: at the end %v of a range joints are %v away from limits", q, s.Name(configuration), alpha, margin)
					}
					edges++
				}
			}
		}
		if allowed < 1000 || edges < 100 {
			t.Errorf("only %d alphas were allowed, and %d ends", allowed, edges)
		}
	})
}

// TestSRSSingular: where joints share their angles, or the elbow has no circle, hints decide; what was there is found again.
func TestSRSSingular(t *testing.T) {
	forSevenAxes(t, func(t *testing.T, c *kinematics.Chain, s *kinematics.SRS, r *rand.Rand) {
		joints, hint := make([]float64, 7), make([]float64, 7)
		var found kinematics.Branches
		straight := straights(c)
		for n := range steps(4000) {
			q := somewhere(r, c)
			if n%3 == 0 {
				q[3] = straight[3] + math.Copysign(0.3*math.Pow(10, -3.4*r.Float64()), r.Float64()-0.5) // rounding turns others
			}
			singular := n%7 + 1
			for bit, i := range []int{1, 3, 5} {
				if singular>>bit&1 != 0 {
					q[i] = straight[i]
				}
			}
			for i := range hint {
				hint[i] = q[i] + 0.1*r.NormFloat64()*float64(n%2)
			}
			to := c.Forward(q)
			status := s.Nearest(&to, hint, joints)
			if n%2 == 1 { // the hint has another alpha
				status = s.At(&to, s.Alpha(q, 0), hint, joints)
			}
			off := apart(c.Forward(joints), to)
			if status != kinematics.Singular || off > 3e-10 || !c.Within(joints) {
				t.Fatalf("%v: %v, %g away", q, status, off)
			}
			// At the border of what the arm reaches, distances are rounded, and angles are their square roots.
			rounding := 1e-9
			if singular&2 != 0 || n%3 == 0 {
				rounding = 1e-6
			}
			if n%2 == 0 && farthest(joints, q) > rounding {
				t.Fatalf("%v: %v instead of the hint", q, joints)
			}
			if farthest(joints, hint) > 20*farthest(q, hint)+1e-6 {
				t.Fatalf("%v: %v is far from the hint %v", q, joints, hint)
			}
			if singular != 2 && singular&5 != 0 && s.BranchesAt(&to, s.Alpha(q, 0), hint, &found).Good() {
				branches(t, c, &to, &found)
			}
		}
	})
}

// branches checks that all branches lead to a pose, and that no two of them are the same.
func branches(t *testing.T, c *kinematics.Chain, to *geom.Frame, found *kinematics.Branches) {
	t.Helper()
	for i := range found.N {
		if off := apart(c.Forward(found.Of[i].Joints[:]), *to); off > 3e-10 {
			t.Fatalf("branch %d of %v is %g away", i, to, off)
		}
		for k := range i {
			if farthest(found.Of[i].Joints[:], found.Of[k].Joints[:]) == 0 {
				t.Fatalf("branches %d and %d of %v are the same", k, i, to)
			}
		}
	}
}

// straights returns the values of joints 2, 4 and 6 at which the axes before and after them are parallel, within limits.
func straights(c *kinematics.Chain) []float64 {
	straight := make([]float64, 7)
	var a [7]kinematics.Line
	c.Axes(straight, a[:])
	for _, i := range []int{1, 3, 5} {
		before, after, j := a[i-1].Direction, a[i+1].Direction, c.Joint(i)
		middle := (j.Min + j.Max) / 2
		value, ok := j.Unwind(-math.Atan2(before.Cross(after).Dot(a[i].Direction), before.Dot(after)), middle)
		if !ok || math.Abs(value-middle) > math.Pi/2 {
			value, _ = j.Unwind(value+math.Pi, middle)
		}
		straight[i] = value
	}
	return straight
}

// TestSRSAtLimits: what joints at their limits lead to is solved by these joints.
func TestSRSAtLimits(t *testing.T) {
	forSevenAxes(t, func(t *testing.T, c *kinematics.Chain, s *kinematics.SRS, r *rand.Rand) {
		joints := make([]float64, 7)
		for range steps(5000) {
			q := somewhere(r, c)
			for i := range q {
				if j := c.Joint(i); r.IntN(3) == 0 {
					q[i] = []float64{j.Min, j.Max}[r.IntN(2)]
				}
			}
			to := c.Forward(q)
			if status := s.Nearest(&to, q, joints); status != kinematics.Solved || farthest(joints, q) > 1e-7 || apart(c.Forward(joints), to) > 1e-9 {
				t.Fatalf("%v: %v, %v", q, status, joints)
			}
		}
	})
}

// TestSRSRefuses what cannot be solved, each for its reason, without touching joints.
func TestSRSRefuses(t *testing.T) {
	c := lwr()
	s := srs(t, c)
	q, nan := []float64{0.1, 0.5, 0.3, 0.9, 0.5, 0.7, 0.2}, math.NaN()
	good := c.Forward(q)
	bad := good
	bad.Pos.X = nan
	turned := good
	turned.Rot = geom.FromQuaternion(nan, 0, 0, 1)
	far, near, low := wristAt(geom.Rotation{}, 0.7, 0.3, 0.3), wristAt(geom.Rotation{}, 0.003, 0, 0.004), wristAt(geom.Rotation{}, 0.2, 0.1, -0.2)
	stretched, folded := wristAt(geom.Rotation{}, 0.79, 0, 0), wristAt(geom.Rotation{}, 0.01, 0, 0)
	for _, tt := range []struct {
		name string
		to   *geom.Frame
		hint []float64
		want kinematics.Status
	}{
		{"pose", &good, q, kinematics.Solved},
		{"pose at the border", &stretched, q, kinematics.Singular},
		{"too far away", &far, q, kinematics.Unreachable},
		{"too near", &near, q, kinematics.Unreachable},
		{"joint 4 folded", &folded, q, kinematics.OutOfLimits},
		{"elbow beyond its limit", &low, q, kinematics.OutOfLimits},
		{"no number", &bad, q, kinematics.Invalid},
		{"no rotation", &turned, q, kinematics.Invalid},
		{"short hint", &good, q[:6], kinematics.Invalid},
		{"no hint", &good, nil, kinematics.Invalid},
		{"hint that is not a number", &good, []float64{0, 0, 0, 0, nan, 0, 0}, kinematics.Invalid},
		{"infinite hint", &good, []float64{0, 0, 0, 0, 0, 0, math.Inf(1)}, kinematics.Invalid},
	} {
		joints := make([]float64, 7)
		var found kinematics.Branches
		var ranges kinematics.Ranges
		for way, status := range map[string]kinematics.Status{
			"nearest":  s.Nearest(tt.to, tt.hint, joints),
			"at":       s.At(tt.to, 1, tt.hint, joints),
			"solve":    s.Solve(tt.to, kinematics.Elbow{Strategy: kinematics.LeastMotion}, tt.hint, joints),
			"branches": s.Branches(tt.to, tt.hint, &found),
		} {
			if status != tt.want {
				t.Errorf("%s, %s: %v", tt.name, way, status)
			}
		}
		if status := s.Ranges(tt.to, 0, &ranges); len(tt.hint) == 7 && tt.hint[4] == q[4] && status != tt.want && tt.want != kinematics.Singular {
			t.Errorf("%s: ranges are %v", tt.name, status)
		}
		if (tt.want == kinematics.Invalid || tt.want == kinematics.Unreachable) && (farthest(joints, make([]float64, 7)) != 0 || found.N != 0) {
			t.Errorf("%s: joints are %v", tt.name, joints)
		}
	}
	for _, elbow := range []kinematics.Elbow{{Alpha: nan}, {Alpha: math.Inf(1)}, {Step: nan}, {Step: -1}, {Strategy: 3}} {
		if status := s.Solve(&good, elbow, q, make([]float64, 7)); status != kinematics.Invalid {
			t.Errorf("%v: %v", elbow, status)
		}
	}
	for n := range 7 {
		short := make([]float64, n)
		if s.At(&good, 1, q, short) != kinematics.Invalid || s.Nearest(&good, q, short) != kinematics.Invalid || s.Solve(&good, kinematics.Elbow{}, q, short) != kinematics.Invalid {
			t.Errorf("there is room for %d joints only", n)
		}
	}
	if s.At(&good, nan, q, q) != kinematics.Invalid || s.BranchesAt(&good, nan, q, new(kinematics.Branches)) != kinematics.Invalid {
		t.Error("an alpha that is not a number")
	}
	if !math.IsNaN(s.Alpha(q[:6], 0)) || !math.IsNaN(s.AlphaVelocity(q, q[:6])) || !math.IsNaN(s.AlphaVelocity(nil, q)) {
		t.Error("alpha of too few values")
	}
}

// TestNewSRS recognises what fits, whatever describes it, and says what does not.
func TestNewSRS(t *testing.T) {
	c := must(kinematics.New(segments(func(*kinematics.Joint) {}), geom.Frame{Pos: geom.Vector{Z: 0.078}}))
	s, table, r := srs(t, c), srs(t, lwr()), rand.New(rand.NewPCG(5, 5))
	for range 1000 {
		q := somewhere(r, c)
		if off := turned(s.Alpha(q, 0), table.Alpha(q, 0)); off > 1e-9 {
			t.Fatalf("alpha at %v is another one: %g away", q, off)
		}
		to, one, other := c.Forward(q), make([]float64, 7), make([]float64, 7)
		if s.At(&to, 1, q, one) != table.At(&to, 1, q, other) || farthest(one, other) > 1e-9 {
			t.Fatalf("%v: %v or %v", q, one, other)
		}
	}
	changed := func(change func(all []kinematics.Segment) []kinematics.Segment) *kinematics.Chain {
		return must(kinematics.New(change(segments(func(*kinematics.Joint) {})), geom.Frame{}))
	}
	for _, tt := range []struct {
		chain *kinematics.Chain
		want  string
	}{
		{kr16(), "7 independent joints, not 6 in 6 links"},
		{panda(), `joint 4 "4": its axis and that of the joint before it pass each other at a distance of 0.0825 m`},
		{changed(func(all []kinematics.Segment) []kinematics.Segment {
			all[2].Kind = kinematics.Prismatic
			return all
		}), `joint 3 "joint 3": it slides`},
		{changed(func(all []kinematics.Segment) []kinematics.Segment {
			all[5].Axis = geom.Vector{Y: 1, Z: 1}
			return all
		}), `joint 6 "joint 6": its axis and that of the joint before it are at an angle of 45°`},
		{changed(func(all []kinematics.Segment) []kinematics.Segment {
			all[4].Before.Pos.X = 0.01
			return all
		}), `joint 5 "joint 5": its axis and that of the joint before it pass each other at a distance of 0.01 m`},
		{changed(func(all []kinematics.Segment) []kinematics.Segment {
			all[6].Before.Pos.Y = 0.02
			return all
		}), "axes 5, 6 and 7 do not meet in one wrist: the crossings are 0.02 m apart"},
		{changed(func(all []kinematics.Segment) []kinematics.Segment {
			all[2].Before.Pos, all[3].Before.Pos = geom.Vector{}, geom.Vector{}
			return all
		}), "the elbow coincides"},
		{changed(func(all []kinematics.Segment) []kinematics.Segment {
			all[6].Follow = &kinematics.Follow{Segment: 5, Factor: 1}
			return all
		}), "not 6 in 7 links"},
	} {
		_, err := kinematics.NewSRS(tt.chain)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v instead of %q", err, tt.want)
		}
	}
}

// plainLWR is how one would write it down at first: the place of the elbow, then each branch by itself, from it to the tip.
func plainLWR(to geom.Frame, alpha float64, into *[8][7]float64) {
	const upper, lower = 0.4, 0.39
	wrist := to.Point(geom.Vector{Z: -0.078}).Sub(geom.Vector{Z: 0.3105})
	far := wrist.Length()
	along := wrist.Scale(1 / far)
	high := geom.Vector{Z: 1}.Sub(along.Scale(along.Z)).Unit()
	cos := (upper*upper + far*far - lower*lower) / (2 * upper * far)
	aside := high.Scale(math.Cos(alpha)).Add(along.Cross(high).Scale(math.Sin(alpha)))
	elbow := along.Scale(cos).Add(aside.Scale(math.Sqrt(1 - cos*cos)))
	fore := wrist.Sub(elbow.Scale(upper)).Scale(1 / lower)
	z, y := geom.Vector{Z: 1}, geom.Vector{Y: 1}
	for i := range into {
		q, side := &into[i], func(bit int) float64 { return float64(1 - 2*(i>>bit&1)) }
		q[1] = side(0) * math.Acos(elbow.Z)
		q[0] = math.Atan2(-side(0)*elbow.Y, -side(0)*elbow.X)
		shoulder := geom.FromAxisAngle(z, q[0]).Mul(geom.FromAxisAngle(y, -q[1]))
		seen := shoulder.Invert().Rotate(fore)
		q[3] = side(1) * math.Acos(seen.Z)
		q[2] = math.Atan2(side(1)*seen.Y, side(1)*seen.X)
		forearm := shoulder.Mul(geom.FromAxisAngle(z, q[2])).Mul(geom.FromAxisAngle(y, q[3]))
		hand := forearm.To(to.Rot).Matrix()
		q[5] = side(2) * math.Acos(hand[2][2])
		q[4] = math.Atan2(-side(2)*hand[1][2], -side(2)*hand[0][2])
		q[6] = math.Atan2(-side(2)*hand[2][1], side(2)*hand[2][0])
	}
}

// TestSRSAgainstPlain compares all branches with those that are written down plainly.
func TestSRSAgainstPlain(t *testing.T) {
	c := lwr()
	s, r := srs(t, c), rand.New(rand.NewPCG(9, 9))
	for range steps(5000) {
		q := somewhere(r, c)
		to, alpha := c.Forward(q), r.NormFloat64()
		var plain [8][7]float64
		plainLWR(to, alpha, &plain)
		for _, b := range allOf(s, &to, alpha, q) {
			want := plain[b.Configuration]
			sin := sines(c, want[:])
			for i := range want {
				if off := turned(b.Joints[i], want[i]); !(off <= 1e-14/min(sin[0], sin[1], sin[2])/min(sin[0], sin[1], sin[2])) {
					t.Fatalf("%v: %s is %v, not %v", q, s.Name(b.Configuration), b.Joints[:7], want)
				}
			}
		}
	}
}

func TestSRSAllocatesNothing(t *testing.T) {
	for name, f := range seven(t) {
		if n := alloc.Least(f); n != 0 {
			t.Errorf("%s: %d allocations", name, n)
		}
	}
}

// seven returns what a cycle may ask, with a pose that changes.
func seven(t testing.TB) map[string]func() {
	t.Helper()
	c := lwr()
	s, r := srs(t, c), rand.New(rand.NewPCG(1, 1))
	const many = 256
	var poses [many]geom.Frame
	var hints [many][]float64
	for i := range hints {
		hints[i] = somewhere(r, c)
		poses[i] = c.Forward(hints[i])
	}
	var found kinematics.Branches
	var plain [8][7]float64
	var ranges kinematics.Ranges
	joints, number, n := make([]float64, 7), 0.0, 0
	next := func() (*geom.Frame, []float64) {
		n = (n + 1) % many
		return &poses[n], hints[n]
	}
	all := map[string]func(){
		"Alpha":         func() { _, q := next(); number += s.Alpha(q, 0) },
		"AlphaVelocity": func() { _, q := next(); number += s.AlphaVelocity(q, q) },
		"Branches":      func() { to, q := next(); s.Branches(to, q, &found) },
		"BranchesAt":    func() { to, q := next(); s.BranchesAt(to, 1, q, &found) },
		"plain":         func() { to, _ := next(); plainLWR(*to, 1, &plain) },
		"At":            func() { to, q := next(); s.At(to, 1, q, joints) },
		"Nearest":       func() { to, q := next(); s.Nearest(to, q, joints) },
		"Ranges":        func() { to, _ := next(); s.Ranges(to, 0, &ranges) },
	}
	for _, strategy := range []kinematics.Strategy{kinematics.KeepAlpha, kinematics.LeastMotion, kinematics.AwayFromLimits} {
		all["Solve "+strategy.String()] = func() {
			to, q := next()
			s.Solve(to, kinematics.Elbow{Strategy: strategy, Alpha: 1, Step: 0.01}, q, joints)
		}
	}
	return all
}

// BenchmarkSRS goes round through poses, so that the next one cannot be predicted. Beside it is what is written down plainly.
func BenchmarkSRS(b *testing.B) {
	for name, f := range seven(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f()
			}
		})
	}
}

func FuzzSRS(f *testing.F) {
	f.Add(0.3, 0.2, 0.5, 1.0, 0.5, 0.2, 1.0, 0.1, uint8(0))
	f.Add(0.0, 0.0, 1.1785, 0.0, 0.0, 0.0, 0.0, 0.0, uint8(1))
	f.Add(0.0, 0.0, 0.9, 0.0, math.Pi, 0.0, 3.0, 0.02, uint8(2))
	f.Add(math.NaN(), math.Inf(1), 1e300, 1e300, 5e-324, -1e9, 1e308, 0.0, uint8(3))
	var arms []*kinematics.Chain
	for _, c := range sevenAxes() {
		arms = append(arms, c)
	}
	f.Fuzz(func(t *testing.T, x, y, z, a, b, c, alpha, step float64, strategy uint8) {
		for _, chain := range arms {
			s := srs(t, chain)
			to := geom.Frame{Pos: geom.Vector{X: x, Y: y, Z: z}, Rot: geom.FromABC(a, b, c)}
			hint, joints := []float64{a, b, c, alpha, x, y, z}, make([]float64, 7)
			check := func(way string, status kinematics.Status) {
				if !status.Good() {
					return
				}
				if off := apart(chain.Forward(joints), to); !(off <= 1e-9) || !chain.Within(joints) {
					t.Fatalf("%s from %v: %v, %g away", way, hint, joints, off)
				}
			}
			check("nearest", s.Nearest(&to, hint, joints))
			check("at", s.At(&to, alpha, hint, joints))
			check("solve", s.Solve(&to, kinematics.Elbow{Strategy: kinematics.Strategy(strategy % 4), Alpha: alpha, Step: step}, hint, joints))
			var found kinematics.Branches
			var ranges kinematics.Ranges
			s.Branches(&to, hint, &found)
			s.Ranges(&to, strategy, &ranges)
			s.Alpha(hint, alpha)
			s.AlphaVelocity(hint, joints)
			for i := range found.N {
				copy(joints, found.Of[i].Joints[:])
				check("branches", found.Of[i].Status)
			}
		}
	})
}

func ExampleSRS() {
	chain := lwr()
	arm, err := kinematics.NewSRS(chain)
	if err != nil {
		fmt.Println(err)
		return
	}
	joints := []float64{0, -0.5, 0, 1.6, 0, 0.9, 0}
	pose, alpha := chain.Forward(joints), arm.Alpha(joints, 0)

	// The elbow turns by a quarter, the tip stays.
	status := arm.At(&pose, alpha+math.Pi/2, joints, joints)
	fmt.Printf("%v %.3f\n", status, joints)
	fmt.Println("stays:", chain.Forward(joints).Pos.Sub(pose.Pos).Length() < 1e-9)

	// Which alphas would be within limits?
	var ranges kinematics.Ranges
	arm.Ranges(&pose, 0, &ranges)
	fmt.Printf("%.2f\n", ranges.Of[:ranges.N])
	// Output:
	// solved [-0.807 -1.372 1.775 1.600 -0.119 0.817 -1.489]
	// stays: true
	// [{-2.92 -0.12} {0.12 2.92}]
}
