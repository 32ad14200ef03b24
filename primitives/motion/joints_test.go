package motion_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/internal/testkit"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

func list(v []float64) string { return string(value.Of[[]float64]().Append(nil, v)) }

// drawn are numbers for joints.
func drawn(r *rapid.T, name string, n int, low, high float64) []float64 {
	return rapid.SliceOfN(rapid.Float64Range(low, high), n, n).Draw(r, name)
}

// TestPointToPoint: from rest to rest joints keep their limits cycle by cycle and arrive at once where they should; on a straight line
// they are the same share of their ways from home; and no way of synchronising takes longer than the slowest joint alone.
func TestPointToPoint(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(r, "joints")
		sync := rapid.SampledFrom([]string{"asynchronous", "synchronous", "fully synchronous"}).Draw(r, "sync")
		from, to := drawn(r, "from", n, -0.1, 0.1), drawn(r, "to", n, -0.1, 0.1)
		vel, acc, jerk := drawn(r, "vel", n, 0.1, 3), drawn(r, "acc", n, 1, 30), drawn(r, "jerk", n, 10, 1000)
		p := ports{kit.Single(t, "Motion::PTP", period, map[string]string{
			"From": list(from), "To": list(to), "MaxVel": list(vel), "MaxAcc": list(acc), "MaxJerk": list(jerk), "Sync": sync,
		}), t}
		watches := make([]watch, n)
		longest := 0.0
		for k := range watches {
			l := limits{vel[k], acc[k], jerk[k]}
			watches[k] = watch{limits: l, period: period.Seconds(), pos: from[k]}
			longest = max(longest, restToRest(math.Abs(to[k]-from[k]), l))
		}
		pos, finished, end := testkit.Out[[]float64](t, p.Single, "outPos"), p.truth("outFinished"), p.out("outDuration")
		for !finished.V {
			p.Next()
			p.Phases()
			for k := range watches {
				watches[k].next(r, pos.V[k])
			}
			if sync == "fully synchronous" {
				onLine(r, pos.V, from, to)
			}
		}
		for k := range to {
			if pos.V[k] != to[k] {
				r.Fatalf("joint %d ends at %g, not %g", k, pos.V[k], to[k])
			}
		}
		if end.V < longest*(1-1e-9) || sync != "fully synchronous" && end.V > longest*(1+1e-9)+1e-12 {
			r.Fatalf("takes %g s, the slowest joint %g", end.V, longest)
		}
	})
}

func onLine(r *rapid.T, pos, from, to []float64) {
	for k := range pos {
		for l := range k {
			if across := (pos[k]-from[k])*(to[l]-from[l]) - (pos[l]-from[l])*(to[k]-from[k]); math.Abs(across) > 1e-14 {
				r.Fatalf("joints %d and %d leave their line by %g", k, l, across)
			}
		}
	}
}
