package activity_test

import (
	"math/rand/v2"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/robotics"
)

// fastest returns the greatest velocity and acceleration that the flange was commanded, of way and turning.
func (c *cell) fastest(name string, since int) (most robotics.CartesianLimits) {
	arm, cycle := c.Arm(name), cells.Period.Seconds()
	ways := make([][]cells.SetPoint, 6)
	for i := range ways {
		ways[i] = arm.Way(i)
	}
	var before, now geom.Frame
	var last geom.Twist
	for k := since; k < len(ways[0]); k++ {
		q := make([]float64, len(ways))
		for i := range q {
			q[i] = ways[i][k].Pos
		}
		before, now = now, model().Forward(q)
		if k == since || ways[0][k].Time-ways[0][k-1].Time != int64(cells.Period) {
			last = geom.Twist{}
			continue
		}
		v := before.Velocity(now, cycle)
		a := v.Sub(last).Scale(1 / cycle)
		last = v
		most.Vel, most.RotVel = max(most.Vel, v.Vel.Length()), max(most.RotVel, v.Rot.Length())
		most.Acc, most.RotAcc = max(most.Acc, a.Vel.Length()), max(most.RotAcc, a.Rot.Length())
	}
	return most
}

// TestLimitsInFlight: where motions in space blend into each other, what moves is never faster than both of them together are allowed to
// be: at any place the one before brakes as it may, and the next one speeds up as it may.
func TestLimitsInFlight(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(setting(t, "RCCD_SEED", 1)), 0))
	by := func(most float64) float64 { return (2*random.Float64() - 1) * most }
	c := newCell(t)
	robot := c.kr16()
	c.come(robot)
	since := len(c.Arm("kr16").Way(0))
	c.Free()
	for range setting(t, "RCCD_STEPS", 30) {
		to := place(by(0.15), by(0.2), by(0.15))
		to.Rot = to.Rot.Mul(geom.FromABC(by(0.3), by(0.3), by(0.3)))
		if _, err := robot.Lin(to, robot.Arm().Base(), slow).Blend(0.3 + 0.6*random.Float64()).Begin(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := robot.Lin(place(0, 0, 0), robot.Arm().Base(), slow).Execute(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.Arm("kr16").Smooth()
	most := c.fastest("kr16", since)
	t.Logf("of the limits: %.2f velocity, %.2f acceleration, turning %.2f and %.2f", most.Vel/slow.Vel, most.Acc/slow.Acc, most.RotVel/slow.RotVel, most.RotAcc/slow.RotAcc)
	const both = 2.1 // the third of the limits that other directions have, too
	if most.Vel > 2*slow.Vel || most.RotVel > 2*slow.RotVel || most.Acc > both*slow.Acc || most.RotAcc > both*slow.RotAcc {
		t.Errorf("%+v is beyond %+v", most, slow)
	}
}
