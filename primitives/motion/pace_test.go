package motion_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/internal/testkit"
)

// TestPaceOfAProfile: a profile whose time passes at rates that change at random keeps the limits of the axis, can be stopped at any
// time, stands then, and goes on to its end.
func TestPaceOfAProfile(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		l := limits{rapid.Float64Range(0.5, 3).Draw(r, "vel"), rapid.Float64Range(2, 30).Draw(r, "acc"), rapid.Float64Range(50, 500).Draw(r, "jerk")}
		const vel, acc, jerk = 0.9, 0.7, 0.5
		clock := ports{kit.Single(t, "Motion::Pace", period, map[string]string{
			"PlannedVel": list([]float64{vel * l.vel}), "PlannedAcc": list([]float64{acc * l.acc}), "PlannedJerk": list([]float64{jerk * l.jerk}),
			"MaxVel": list([]float64{l.vel}), "MaxAcc": list([]float64{l.acc}), "MaxJerk": list([]float64{l.jerk}),
		}, "inRate", "inStop"), t}
		course := ports{kit.Single(t, "Motion::DoubleS", period, map[string]string{
			"To": "1", "MaxVel": text(vel * l.vel), "MaxAcc": text(acc * l.acc), "MaxJerk": text(jerk * l.jerk),
		}, "inTime"), t}
		w := watch{limits: l, period: period.Seconds()}
		step := func(rate float64, stop bool) {
			clock.Next()
			clock.in("inRate").Set(clock.Cy, rate)
			testkit.In[bool](t, clock.Single, "inStop").Set(clock.Cy, stop)
			clock.Phases()
			course.Next()
			course.in("inTime").Set(course.Cy, clock.out("outTime").V)
			course.Phases()
			w.next(r, course.out("outPos").V)
		}
		for range rapid.IntRange(0, 10).Draw(r, "changes") {
			rate := rapid.Float64Range(0, 1.5).Draw(r, "rate")
			for range rapid.IntRange(1, 100).Draw(r, "cycles") {
				step(rate, false)
			}
		}
		for n := 0; !clock.truth("outStands").V; n++ {
			if n > 20_000 {
				r.Fatal("does not stand")
			}
			step(1, true)
		}
		at := course.out("outPos").V
		step(1, true)
		if course.out("outPos").V != at {
			r.Fatal("does not stand still")
		}
		for n := 0; !course.truth("outFinished").V; n++ {
			if n > 50_000 {
				r.Fatal("does not arrive")
			}
			step(1, false)
		}
		if course.out("outPos").V != 1 {
			r.Fatalf("ends at %g", course.out("outPos").V)
		}
	})
}
