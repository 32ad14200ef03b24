package motion_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/testkit"
	"github.com/softrobot-rcc/rccd/motion/profile"
)

// TestMonitorOfProfiles: a profile that uses its limits fully does not exceed them, at any cycle time; the same profile exceeds each
// limit that is a bit less, and no other one.
func TestMonitorOfProfiles(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 6))
	for _, period := range []time.Duration{125 * time.Microsecond, time.Millisecond, 12 * time.Millisecond} {
		for range 20 {
			l := profile.Limits{Vel: 0.3 + rnd.Float64(), Acc: 2 + 2*rnd.Float64(), Jerk: 40 + 40*rnd.Float64()}
			from := profile.State{Pos: 6*rnd.Float64() - 3}
			to := profile.Goal{State: profile.State{Pos: from.Pos + 1 + rnd.Float64()}}
			var course profile.Profile
			if r := course.Plan(from, to, l); r != profile.Solved {
				t.Fatal(r)
			}
			const less = 0.99
			for port, limits := range map[string]profile.Limits{
				"": l, "outVelExceeded": {Vel: less * l.Vel, Acc: l.Acc, Jerk: l.Jerk},
				"outAccExceeded": {Vel: l.Vel, Acc: less * l.Acc, Jerk: l.Jerk}, "outJerkExceeded": {Vel: l.Vel, Acc: l.Acc, Jerk: less * l.Jerk},
			} {
				monitorProfile(t, &course, limits, period, port)
			}
		}
	}
}

func monitorProfile(t *testing.T, course *profile.Profile, l profile.Limits, period time.Duration, exceeded string) {
	t.Helper()
	p := ports{kit.Single(t, "Motion::LimitMonitor", period, map[string]string{
		"MaxVel": text(l.Vel), "MaxAcc": text(l.Acc), "MaxJerk": text(l.Jerk), "Min": text(course.At(0).Pos), "Max": text(course.End().Pos),
	}, "inValue"), t}
	for n := range int(course.Duration()/period.Seconds()) + 10 {
		p.Next()
		p.in("inValue").Set(p.Cy, course.At(float64(n)*period.Seconds()).Pos)
		p.Phases()
	}
	for _, port := range []string{"outPosExceeded", "outVelExceeded", "outAccExceeded", "outJerkExceeded"} {
		if got := p.truth(port).V; got != (port == exceeded) {
			t.Errorf("cycles of %v, limits %v: %s is %t", period, l, port, got)
		}
	}
	if p.truth("outExceeded").V != (exceeded != "") {
		t.Errorf("outExceeded is %t", exceeded == "")
	}
}

// TestMonitorRemembers: what was exceeded stays so whatever comes, also cycles without set-point and inactive ones, until a reset.
func TestMonitorRemembers(t *testing.T) {
	p := ports{kit.Single(t, "Motion::LimitMonitor", period, map[string]string{"Max": "1"}, "inValue", "inReset"), t}
	rnd := rand.New(rand.NewPCG(2, 6))
	exceeded := false
	for range 10_000 {
		p.Next()
		p.Cy.N += uint64(rnd.IntN(10) / 9)
		reset := rnd.IntN(20) == 0
		testkit.In[bool](t, p.Single, "inReset").Set(p.Cy, reset)
		exceeded = exceeded && !reset
		switch rnd.IntN(8) {
		case 0:
			p.in("inValue").Set(p.Cy, 1.5)
			exceeded = true
		case 1:
			p.in("inValue").Set(p.Cy, math.NaN())
		case 2: // null
		default:
			p.in("inValue").Set(p.Cy, rnd.Float64())
		}
		p.Phases()
		if p.truth("outExceeded").V != exceeded || p.truth("outPosExceeded").V != exceeded {
			t.Fatalf("cycle %d: exceeded: %t", p.Cy.N, !exceeded)
		}
	}
}

// TestMonitorOfJoints says what monitors of each joint say.
func TestMonitorOfJoints(t *testing.T) {
	const joints = 3
	rnd := rand.New(rand.NewPCG(3, 6))
	each := map[string][]string{"Min": {"-1", "-2", "-1"}, "Max": {"1", "1", "2"}, "MaxVel": {"500", "900", "2000"}, "MaxAcc": {"2e6", "1e6", "2e6"}, "MaxJerk": {"6e9", "7e9", "5e9"}}
	texts := map[string]string{}
	for name, v := range each {
		texts[name] = "[" + v[0] + "," + v[1] + "," + v[2] + "]"
	}
	texts["Size"] = "3"
	for range 300 {
		all := ports{kit.Single(t, "Motion::JointLimitMonitor", period, texts, "inValues"), t}
		var one [joints]ports
		for k := range one {
			own := map[string]string{}
			for name, v := range each {
				own[name] = v[k]
			}
			one[k] = ports{kit.Single(t, "Motion::LimitMonitor", period, own, "inValue"), t}
		}
		values := testkit.In[[]float64](t, all.Single, "inValues")
		values.V = make([]float64, joints)
		first := -1
		for range 30 {
			all.Next()
			for k := range one {
				values.V[k] = 2.1*rnd.Float64() - 1.05
				one[k].Next()
				one[k].in("inValue").Set(one[k].Cy, values.V[k])
				one[k].Phases()
				if first < 0 && one[k].truth("outExceeded").V {
					first = k
				}
			}
			values.Touch(all.Cy)
			all.Phases()
			for _, port := range []string{"outPosExceeded", "outVelExceeded", "outAccExceeded", "outJerkExceeded", "outExceeded"} {
				want := one[0].truth(port).V || one[1].truth(port).V || one[2].truth(port).V
				if got := all.truth(port).V; got != want {
					t.Fatalf("%s is %t", port, got)
				}
			}
			joint := testkit.Out[int32](t, all.Single, "outJoint")
			if there := joint.Current(all.Cy); there != (first >= 0) || there && int(joint.V) != first {
				t.Fatalf("joint %d, %t instead of %d", joint.V, there, first)
			}
		}
	}
}
