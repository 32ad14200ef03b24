package kinematics_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
)

// paths returns how many paths are tried.
func paths() int { return max(1, steps(100_000)/10_000) }

// follow goes straight from one pose to another in cycles, each with the joints of the one before as hint, as far as it gets,
// and calls step for each.
func follow(t *testing.T, c *kinematics.Chain, from, to geom.Frame, start []float64, solve func(pose *geom.Frame, hint, joints []float64) kinematics.Status, step func(before, now []float64, way float64)) (steps int) {
	t.Helper()
	const cycles = 1000
	way := apart(from, to) / cycles
	q, next := append([]float64(nil), start...), make([]float64, len(start))
	for i := range cycles + 1 {
		pose := from.Lerp(to, float64(i)/cycles)
		status := solve(&pose, q, next)
		if !status.Good() {
			return i
		}
		if off := apart(c.Forward(next), pose); !(off <= 1e-9) || !c.Within(next) {
			t.Fatalf("%v after %v: %g away", next, q, off)
		}
		step(q, next, way)
		copy(q, next)
	}
	return cycles + 1
}

// bounded says how far joints may move in a cycle in which the tip moves by a way and the elbow turns by an angle: as far as
// the least of the sines of joints 2, 4 and 6 lets them, and where a cycle passes a singular posture, by a quarter turn,
// after which they are on the other side.
func bounded(t *testing.T, c *kinematics.Chain, before, now []float64, way, angle float64) {
	t.Helper()
	least := 1.0
	for _, q := range [][]float64{before, now} {
		sin := sines(c, q)
		least = min(least, sin[0], sin[1], sin[2])
	}
	if move := farthest(before, now); move > 20*(way+angle)/least {
		t.Fatalf("from %v to %v: joints move by %v while the tip moves by %v; the least sine is %v", before, now, move, way, least)
	}
}

// side is the configuration of joints.
func side(straight, q []float64) [3]bool {
	return [3]bool{q[1] < straight[1], q[3] < straight[3], q[5] < straight[5]}
}

// TestSRSPaths follows random straight lines, many of which pass near singular postures, with all strategies in steps: no joint
// jumps, no branch changes but through where it meets another one, and the elbow turns by no more than the step.
func TestSRSPaths(t *testing.T) {
	const step = 0.01
	forSevenAxes(t, func(t *testing.T, c *kinematics.Chain, s *kinematics.SRS, r *rand.Rand) {
		total, straight := 0, straights(c)
		for range paths() {
			start, goal := somewhere(r, c), somewhere(r, c)
			alpha := s.Alpha(start, 0) + r.NormFloat64()
			for strategy := range kinematics.AwayFromLimits + 1 {
				elbow := kinematics.Elbow{Strategy: strategy, Alpha: alpha, Step: step}
				total += follow(t, c, c.Forward(start), c.Forward(goal), start, func(pose *geom.Frame, hint, joints []float64) kinematics.Status {
					return s.Solve(pose, elbow, hint, joints)
				}, func(before, now []float64, way float64) {
					bounded(t, c, before, now, way, step)
					a, b, sin, was := side(straight, before), side(straight, now), sines(c, now), sines(c, before)
					for i := range a {
						if a[i] != b[i] && min(sin[i], was[i]) > 20*(way+step) {
							t.Fatalf("from %v to %v another branch", before, now)
						}
					}
				})
			}
		}
		if total < 800*paths() {
			t.Errorf("only %d cycles", total)
		}
	})
}

// TestSRSNearestPaths: without limits in the way Nearest gets along all paths, no joint jumps, and away from the first axis
// alpha is kept to the last digits.
func TestSRSNearestPaths(t *testing.T) {
	c := unlimited()
	s, r := srs(t, c), rand.New(rand.NewPCG(6, 6))
	for range paths() {
		start, goal := somewhere(r, lwr()), somewhere(r, lwr())
		steps := follow(t, c, c.Forward(start), c.Forward(goal), start, s.Nearest, func(before, now []float64, way float64) {
			bounded(t, c, before, now, way, 0)
			if min(slope(c, before), slope(c, now)) > 0.2 {
				if off := turned(s.Alpha(now, 0), s.Alpha(before, 0)); off > 1e-11 {
					t.Fatalf("from %v to %v alpha changes by %g", before, now, off)
				}
			}
		})
		if steps != 1001 {
			t.Fatalf("%v: stops after %d cycles", start, steps)
		}
	}
}

// slope returns the sine of the angle between the first axis and the line from shoulder to wrist.
func slope(c *kinematics.Chain, q []float64) float64 {
	shoulder, _, wrist := triangle(c, q)
	along := wrist.Sub(shoulder).Unit()
	return math.Sqrt(along.X*along.X + along.Y*along.Y)
}

// TestSRSKeepAlpha: alpha is kept where it is allowed, and is otherwise at the end of a range that the elbow has not left.
func TestSRSKeepAlpha(t *testing.T) {
	forSevenAxes(t, func(t *testing.T, c *kinematics.Chain, s *kinematics.SRS, r *rand.Rand) {
		joints := make([]float64, 7)
		kept, held := 0, 0
		for range steps(3000) {
			q := somewhere(r, c)
			to, from := c.Forward(q), s.Alpha(q, 0)
			want := from + 2*math.Pi*(r.Float64()-0.5)
			if status := s.Solve(&to, kinematics.Elbow{Alpha: want}, q, joints); !status.Good() || apart(c.Forward(joints), to) > 1e-9 {
				t.Fatalf("%v: %v", q, status)
			}
			var ranges kinematics.Ranges
			configuration := -1
			for i, b := range allOf(s, &to, from, q) {
				if farthest(b.Joints[:], q) < 1e-6 {
					configuration = i
				}
			}
			if configuration < 0 || s.Ranges(&to, uint8(configuration), &ranges) != kinematics.Solved {
				continue // close to a singular posture, or to limits
			}
			end := math.NaN()
			for _, arc := range ranges.Of[:ranges.N] {
				middle, half := (arc.From+arc.To)/2, (arc.To-arc.From)/2
				if away := math.Remainder(from-middle, 2*math.Pi); arc.To-arc.From > 6.283 {
					end = want
				} else if math.Abs(away) <= half {
					end = from - away + max(-half, min(half, want-from+away))
				}
			}
			off := math.Abs(s.Alpha(joints, end) - end)
			switch {
			case off > 1e-8 && math.Abs(want-from) > 0.02:
				t.Fatalf("%v: from alpha %v to %v, it is %g away from %v", q, from, want, off, end)
			case math.Abs(end-want) < 1e-9:
				kept++
			default:
				held++
			}
		}
		if kept < 100 || held < 100 {
			t.Errorf("alpha was kept %d times and held by limits %d times", kept, held)
		}
	})
}

// allOf returns all branches.
func allOf(s *kinematics.SRS, to *geom.Frame, alpha float64, hint []float64) []kinematics.Branch {
	var b kinematics.Branches
	s.BranchesAt(to, alpha, hint, &b)
	return b.Of[:b.N]
}

// TestSRSLeastMotion compares with many alphas.
func TestSRSLeastMotion(t *testing.T) {
	c := unlimited()
	s, r := srs(t, c), rand.New(rand.NewPCG(8, 8))
	joints, other := make([]float64, 7), make([]float64, 7)
	squares := func(a, b []float64) (sum float64) {
		for i := range a {
			sum += (a[i] - b[i]) * (a[i] - b[i])
		}
		return sum
	}
	for n := range steps(10_000) / 100 {
		q := somewhere(r, lwr())
		hint := append([]float64(nil), q...)
		size := []float64{0.02, 3}[n%2]
		for i := range hint {
			hint[i] += size * (r.Float64() - 0.5)
		}
		to := c.Forward(q)
		if status := s.Solve(&to, kinematics.Elbow{Strategy: kinematics.LeastMotion}, hint, joints); !status.Good() {
			t.Fatal(status)
		}
		got, least := squares(joints, hint), math.Inf(1)
		for i := range 360 {
			s.At(&to, 2*math.Pi*float64(i)/360, hint, other)
			least = min(least, squares(other, hint))
		}
		// From far away the valley that is looked for may be one that is not the deepest.
		if got > least*[]float64{1 + 1e-9, 1.5}[n%2] {
			t.Fatalf("%v to %v: %v instead of %v", hint, joints, got, least)
		}
	}
}

// TestSRSAwayFromLimits: the elbow goes down to where the barrier is lowest, a step at a time, and stays there.
func TestSRSAwayFromLimits(t *testing.T) {
	forSevenAxes(t, func(t *testing.T, c *kinematics.Chain, s *kinematics.SRS, r *rand.Rand) {
		barrier := func(q []float64) (sum float64) {
			for i := range q {
				j := c.Joint(i)
				x := (2*q[i] - j.Max - j.Min) / (j.Max - j.Min)
				sum -= math.Log(1 - x*x)
			}
			return sum
		}
		next, beside := make([]float64, 7), make([]float64, 7)
		for range steps(10_000) / 300 {
			q := somewhere(r, c)
			to := c.Forward(q)
			elbow := kinematics.Elbow{Strategy: kinematics.AwayFromLimits, Step: 0.02}
			rests := false
			for range 400 {
				if status := s.Solve(&to, elbow, q, next); !status.Good() || barrier(next) > barrier(q)+1e-9 {
					t.Fatalf("from %v to %v: %v, barrier from %v to %v", q, next, status, barrier(q), barrier(next))
				}
				rests = farthest(q, next) < 1e-6
				copy(q, next)
			}
			if !rests {
				t.Fatalf("%v: does not come to rest", q)
			}
			for _, off := range []float64{-1e-3, 1e-3} {
				if s.At(&to, s.Alpha(q, 0)+off, q, beside).Good() && farthest(beside, q) < 0.1 && barrier(beside) < barrier(q)-1e-9 {
					t.Fatalf("%v: it is lower at %v", q, beside)
				}
			}
		}
	})
}
