package armkinematics_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/testkit"
)

const cycle = 2 * time.Millisecond

// TestVelocities: how the flange moves is how poses change, and the way back leads to the same twist, slower in the same direction where a
// joint is at its limit. Near singularities, too, no joint is faster than that.
func TestVelocities(t *testing.T) {
	arm := robots.TX90L()
	n := arm.Len()
	limits := make([]float64, n)
	for i := range limits {
		limits[i] = arm.Joint(i).Velocity
	}
	forward := kit.Single(t, "ArmKinematics::VelKin", cycle, map[string]string{"Robot": "arm"}, "inJoints", "inVelocities")
	back := kit.Single(t, "ArmKinematics::InvVelKin", cycle, map[string]string{"Robot": "arm", "MaxVel": text(limits)}, "inJoints", "inTwist")
	twistOf := func(joints, velocities []float64) geom.Twist {
		forward.Next()
		testkit.In[[]float64](t, forward, "inJoints").Set(forward.Cy, joints)
		testkit.In[[]float64](t, forward, "inVelocities").Set(forward.Cy, velocities)
		forward.Phases()
		return testkit.Out[geom.Twist](t, forward, "outTwist").V
	}
	shares := 0
	rapid.Check(t, func(r *rapid.T) {
		joints, velocities := make([]float64, n), make([]float64, n)
		fast := rapid.SampledFrom([]float64{0.1, 20}).Draw(r, "fast")
		for i := range joints {
			joints[i] = rapid.Float64Range(-1.5, 1.5).Draw(r, "joint")
			velocities[i] = rapid.Float64Range(-fast, fast).Draw(r, "velocity")
		}
		if rapid.Bool().Draw(r, "singular") {
			joints[4] = rapid.SampledFrom([]float64{0, 1e-9, 1e-3}).Draw(r, "wrist")
		}
		twist := twistOf(joints, velocities)

		const step = 1e-5
		ahead, behind := make([]float64, n), make([]float64, n)
		for i := range joints {
			ahead[i], behind[i] = joints[i]+velocities[i]*step, joints[i]-velocities[i]*step
		}
		from, to := arm.Forward(behind), arm.Forward(ahead)
		moved := geom.Twist{Vel: to.Pos.Sub(from.Pos).Scale(0.5 / step), Rot: from.Rot.Velocity(to.Rot, 2*step)}
		if d := twist.Sub(moved); d.Vel.Length() > 1e-6*(1+fast*fast*fast) || d.Rot.Length() > 1e-6*(1+fast*fast*fast) {
			r.Fatalf("moves with %v, not with %v", moved, twist)
		}

		back.Next()
		testkit.In[[]float64](t, back, "inJoints").Set(back.Cy, joints)
		testkit.In[geom.Twist](t, back, "inTwist").Set(back.Cy, twist)
		back.Phases()
		found := testkit.Out[[]float64](t, back, "outVelocities").V
		share := testkit.Out[float64](t, back, "outShare").V
		for i, v := range found {
			if !(math.Abs(v) <= limits[i]*(1+1e-12)) {
				r.Fatalf("joint %d at %v, its limit is %v", i, v, limits[i])
			}
		}
		if share < 1 {
			shares++
		}
		if testkit.Out[bool](t, back, "outExact").V {
			if d := twistOf(joints, found).Sub(twist.Scale(share)); d.Vel.Length() > 1e-7 || d.Rot.Length() > 1e-7 {
				r.Fatalf("%v away from %v times %v", d, share, twist)
			}
		}
	})
	if shares == 0 {
		t.Error("no joint has ever been at its limit")
	}
}

// text writes numbers as parameters have them.
func text(of []float64) string {
	all := "["
	for i, v := range of {
		if i > 0 {
			all += ","
		}
		all += fmt.Sprint(v)
	}
	return all + "]"
}
