package profile_test

import (
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/motion/profile"
)

// FuzzPlan: whatever the numbers are, there is an answer, and a profile that is one keeps what it promises.
func FuzzPlan(f *testing.F) {
	f.Add(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, false, 1.0, 2.0, 10.0, 0.0)
	f.Add(0.0, 0.5, 1.0, 0.1, 0.5, 1.0, false, 1.0, 2.0, 10.0, 0.3)
	f.Add(1.0, -2.0, 3.0, 0.0, 0.5, 0.0, true, 1.0, 2.0, math.Inf(1), 7.0)
	f.Fuzz(func(t *testing.T, p0, v0, a0, p1, v1, a1 float64, moving bool, vel, acc, jerk, after float64) {
		k := task{
			from: profile.State{Pos: p0, Vel: v0, Acc: a0}, limits: profile.Limits{Vel: vel, Acc: acc, Jerk: jerk},
			to: profile.Goal{State: profile.State{Pos: p1, Vel: v1, Acc: a1}, Moving: moving},
		}
		var stop, p profile.Profile
		if r := stop.Stop(k.from, k.limits); r == profile.Solved && !(stop.Duration() >= 0) {
			t.Fatalf("%+v stops after %v", k, stop.Duration())
		}
		var x profile.Transfer
		if x.Set(k.from, k.to, k.limits) != profile.Solved {
			return
		}
		wanted := x.Earliest(after)
		if math.IsNaN(after) || math.Abs(after) > 1e12 {
			wanted = x.Earliest(0)
		}
		if !(wanted >= x.Earliest(0)) {
			t.Fatalf("%+v: %v is earlier than %v", k, wanted, x.Earliest(0))
		}
		if r := x.In(wanted, &p); r != profile.Solved {
			t.Fatalf("%+v in %v: %v", k, wanted, r)
		}
		// Numbers of very different sizes lose more digits than the bounds of check allow for.
		reach := math.Max(math.Abs(p0), math.Abs(p1)) + math.Abs(v0) + math.Abs(a0)
		if vel < 1e-3 || vel > 1e3 || acc < 1e-3 || acc > 1e3 || jerk < 1e-3 || jerk > 1e4 && !math.IsInf(jerk, 1) || reach > 1e3 || wanted > 1e4 {
			return
		}
		if moving {
			k.to.Acc = 0
		}
		if math.IsInf(jerk, 1) {
			k.from.Acc, k.to.Acc = 0, 0
		}
		check(t, k, &p)
	})
}
