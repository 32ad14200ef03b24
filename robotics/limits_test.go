package robotics_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/internal/testkit/race"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

// lower are random limits below those of joints, of some of which there are none.
func lower(random *rand.Rand, of []kinematics.Joint) (l robotics.JointLimits) {
	share := func(limit float64) float64 {
		if random.IntN(3) == 0 {
			return 0
		}
		return limit * (0.1 + 0.9*random.Float64())
	}
	for _, j := range of {
		l.Vel, l.Acc = append(l.Vel, share(j.Velocity)), append(l.Acc, share(j.Acceleration))
		l.Jerk = append(l.Jerk, share(j.Velocity/0.02))
	}
	return l
}

// keeps checks that joints were within limits since some cycle, by the differences of their set-points, and reports in which
// cycle each of them has moved last. How a motion begins is judged by the device.
func keeps(t *testing.T, arm *cells.Arm, l robotics.JointLimits, since int) (ends []int) {
	t.Helper()
	cycle := cells.Period.Seconds()
	for i := range l.Vel {
		way, v, a, last := arm.Way(i), 0.0, 0.0, 0
		for k := since + 1; k < len(way); k++ {
			now := (way[k].Pos - way[k-1].Pos) / cycle
			rise := (now - v) / cycle
			if now != 0 {
				last = k
			}
			const slack, rounding = 1 + 1e-6, 1e-10
			switch {
			case math.Abs(now) > l.Vel[i]*slack:
				t.Fatalf("joint %d, cycle %d: velocity %v of %v", i, k-since, now, l.Vel[i])
			case k > since+1 && math.Abs(rise) > l.Acc[i]*slack+rounding/cycle:
				t.Fatalf("joint %d, cycle %d: acceleration %v of %v", i, k-since, rise, l.Acc[i])
			case k > since+2 && math.Abs(rise-a)/cycle > l.Jerk[i]*slack+rounding/cycle/cycle:
				t.Fatalf("joint %d, cycle %d: jerk %v of %v", i, k-since, (rise-a)/cycle, l.Jerk[i])
			}
			v, a = now, rise
		}
		ends = append(ends, last)
	}
	return ends
}

// TestJointLimits: joints go from point to point within their limits of velocity, acceleration and, where there is one, jerk, whichever of
// them are those of the joint and which are of the motion; those that are synchronous end in the same cycle, or by rounding one apart.
func TestJointLimits(t *testing.T) {
	race.Skip(t, "many motions one after another; TestPTP races one")
	c := cells.New(t, cells.Only("kr16")).Free()
	r := c.Connect()
	random := rand.New(rand.NewPCG(1, 0))
	for n := range 40 {
		jerky := n%2 == 0 // trapezoids of velocity
		joints := jointsOfKR16(func(of []kinematics.Joint) {
			l := lower(random, of)
			for i := range of {
				if l.Vel[i] > 0 {
					of[i].Velocity = l.Vel[i]
				}
				if of[i].Jerk = l.Jerk[i]; jerky {
					of[i].Jerk = 0
				}
			}
		})
		of := make([]kinematics.Joint, joints.Len())
		for i := range of {
			of[i] = joints.Joint(i)
		}
		given := lower(random, of)
		if jerky {
			given.Jerk = nil
		}
		goal := append([]float64{}, point...)
		for i := range goal {
			goal[i] += (2*random.Float64() - 1) * 0.4
		}
		sync := []robotics.Sync{robotics.Asynchronous, robotics.Synchronous, robotics.FullySynchronous}[n%3]
		since := len(c.Arm("kr16").Way(0))
		if err := r.Execute(t.Context(), robotics.NewCommand(joints, motions.PTP{To: goal, Sync: sync}, given)); err != nil {
			t.Fatal(err)
		}
		ends := keeps(t, c.Arm("kr16"), joints.Limits(given), since)
		for i := range ends {
			if off := ends[i] - ends[0]; sync != robotics.Asynchronous && (off < -1 || off > 1) {
				t.Errorf("motion %d, %s: joints end in cycles %v", n, sync, ends)
			}
		}
	}
}
