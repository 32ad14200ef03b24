package kinematics_test

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
)

// iiwa is the table of KUKA's LBR iiwa 14 R820, whose axes 2, 4 and 6 turn the other way.
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

// oblique is an arm that hangs askew, counts from elsewhere, half of it the other way, and has wide and lopsided ranges.
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

func arms() map[string]*kinematics.Chain {
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

// steps is how many random cases a law is tried with.
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

// apart is how far two frames are away from each other, in m or rad.
func apart(a, b geom.Frame) float64 {
	return max(a.Pos.Sub(b.Pos).Length(), a.Rot.To(b.Rot).Angle())
}

// farthest is by how much the joint moves that moves most.
func farthest(a, b []float64) float64 {
	most := 0.0
	for i := range a {
		most = max(most, math.Abs(a[i]-b[i]))
	}
	return most
}

// turned is the difference of two angles, whole turns aside.
func turned(a, b float64) float64 { return math.Abs(math.Remainder(a-b, 2*math.Pi)) }

func TestSRSRoundTrip(t *testing.T) {
	for name, c := range arms() {
		t.Run(name, func(t *testing.T) {
			s, r := srs(t, c), rand.New(rand.NewPCG(1, 2))
			worst, worstAlpha, worstJoint := 0.0, 0.0, 0.0
			var found kinematics.Branches
			for range steps(20000) {
				q := somewhere(r, c)
				to := c.Forward(q)
				alpha := s.Alpha(q, 0)
				if status := s.BranchesAt(&to, alpha, q, &found); !status.Good() {
					t.Fatalf("%v: %v", q, status)
				}
				if found.N != 8 {
					t.Fatalf("%v: %d branches", q, found.N)
				}
				nearest := math.Inf(1)
				for i := range found.N {
					b := &found.Of[i]
					off := apart(c.Forward(b.Joints[:]), to)
					worst = max(worst, off)
					a := turned(s.Alpha(b.Joints[:], 0), alpha)
					worstAlpha = max(worstAlpha, a)
					if off > 1e-9 || a > 1e-6 {
						t.Fatalf("%v: branch %s is %g away, alpha %v %v", q, s.Name(b.Configuration), off, a, alpha)
					}
					if b.Status.Good() != c.Within(b.Joints[:7]) {
						t.Fatal("limits")
					}
					nearest = min(nearest, farthest(q, b.Joints[:]))
				}
				worstJoint = max(worstJoint, nearest)
			}
			t.Log(worst, worstAlpha, worstJoint)
		})
	}
}

func BenchmarkSRS(b *testing.B) {
	c := lwr()
	s := srs(b, c)
	q := []float64{0.1, 0.5, 0.3, 0.9, 0.5, 0.7, 0.2}
	to := c.Forward(q)
	var found kinematics.Branches
	out := make([]float64, 7)
	b.Run("branches", func(b *testing.B) {
		for b.Loop() {
			s.BranchesAt(&to, 0.3, q, &found)
		}
	})
	b.Run("at", func(b *testing.B) {
		for b.Loop() {
			s.At(&to, 0.3, q, out)
		}
	})
	b.Run("nearest", func(b *testing.B) {
		for b.Loop() {
			s.Nearest(&to, q, out)
		}
	})
	for i := range 3 {
		b.Run(kinematics.Strategy(i).String(), func(b *testing.B) {
			for b.Loop() {
				s.Solve(&to, kinematics.Elbow{Strategy: kinematics.Strategy(i), Alpha: 0.3}, q, out)
			}
		})
	}
	b.Run("ranges", func(b *testing.B) {
		var ranges kinematics.Ranges
		for b.Loop() {
			s.Ranges(&to, 0, &ranges)
		}
	})
}
