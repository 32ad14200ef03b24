package kinematics_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
)

// TestURAgainstDesign tests joints 1 and 5 of all branches by what the table of the arm says about them: from the side of
// axis 1 the centre of the wrist is seen at d4, and the tip is d6·cos ϑ5 farther.
func TestURAgainstDesign(t *testing.T) {
	const d4, d6 = 0.10915, 0.0823
	a, m := armsOfSix()[6], rand.New(rand.NewPCG(6, 10))
	var all kinematics.Branches
	for range 10_000 {
		q := a.joints(m)
		pose := a.chain.Forward(q)
		a.solver.Branches(&pose, q, &all)
		for _, b := range all.Of[:all.N] {
			sin, cos := math.Sincos(b.Joints[0])
			aside := pose.Pos.X*sin - pose.Pos.Y*cos
			if off := aside - d4 - d6*math.Cos(b.Joints[4]); math.Abs(off) > 1e-12 {
				t.Fatalf("%v: joint 5 is wrong by %g m", b.Joints[:6], off)
			}
		}
	}
}

// TestURParallel: where axis 6 is parallel to axes 2 to 4, these can move while the tip rests. Whatever the hint is, a pose
// that is reached for some of their values is reached, with values as near to it as possible.
func TestURParallel(t *testing.T) {
	a, m, got := armsOfSix()[6], rand.New(rand.NewPCG(6, 11)), make([]float64, 6)
	around := 0
	for range 20_000 {
		q, hint := a.joints(m), a.joints(m)
		q[4] = []float64{0, math.Pi, -math.Pi}[m.IntN(3)]
		q[2] *= 0.1 // near to the border of reach
		pose := a.chain.Forward(q)
		s := a.solver.Nearest(&pose, hint, got)
		if s == kinematics.OutOfLimits {
			continue
		}
		if !s.Good() {
			t.Fatalf("%v with hint %v: %v", q, hint, s)
		}
		a.leadsTo(t, pose, got)
		if s == kinematics.Solved {
			continue // with the plane turned the other way round, where axis 6 is not parallel
		}
		off := math.Remainder(got[1]+got[2]+got[3]-hint[1]-hint[2]-hint[3], 2*math.Pi)
		if math.Abs(off) < 1e-9 {
			continue
		}
		// Else the arm is stretched, on its way to what the hint asks for.
		around++
		if math.Abs(math.Remainder(got[2], 2*math.Pi)) > 1e-6 && math.Abs(math.Remainder(got[2]-math.Pi, 2*math.Pi)) > 1e-6 {
			t.Fatalf("%v with hint %v: %v", q, hint, got)
		}
	}
	if around < 1000 {
		t.Errorf("only %d poses needed other values than the hint's", around)
	}
}

// TestURBorders: the centre of the wrist next to the cylinder around axis 1 that it cannot enter.
func TestURBorders(t *testing.T) {
	const d4 = 0.10915
	a, m, got := armsOfSix()[6], rand.New(rand.NewPCG(6, 12)), make([]float64, 6)
	for range 1000 {
		hint := a.joints(m)
		for _, tiny := range small {
			pose := a.at(m, geom.Vector{X: d4 + tiny, Z: 0.5})
			if s := a.solver.Nearest(&pose, hint, got); s != kinematics.Solved {
				t.Fatalf("%g outside: %v", tiny, s)
			}
			a.leadsTo(t, pose, got)
			pose = a.at(m, geom.Vector{X: d4 - tiny, Z: 0.5})
			s := a.solver.Nearest(&pose, hint, got)
			if tiny <= 1e-15 && s != kinematics.Solved || tiny >= 1e-12 && s != kinematics.Unreachable {
				t.Fatalf("%g inside: %v", tiny, s)
			}
			if s == kinematics.Solved {
				a.leadsTo(t, pose, got)
			}
		}
	}
}

func TestURNames(t *testing.T) {
	u := ur(ur5())
	for _, tt := range []struct {
		name   string
		joints [6]float64 // deg
	}{
		{"front up flip", [6]float64{0, -60, 60, -90, -90, 0}},
		{"front down flip", [6]float64{0, -10, -60, -90, -90, 0}},
		{"front up", [6]float64{0, -60, 60, -90, 90, 0}},
		{"back up flip", [6]float64{0, -120, -60, -90, -90, 0}},
		{"back down", [6]float64{0, -170, 60, -90, 90, 0}},
	} {
		q := tt.joints
		for i := range q {
			q[i] *= degree
		}
		if name := u.Name(u.Configuration(q[:])); name != tt.name {
			t.Errorf("%v: %q, not %q", tt.joints, name, tt.name)
		}
	}
}
