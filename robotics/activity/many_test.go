package activity_test

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/softrobot-rcc/rccd/robotics/activity"
)

// TestMany: one motion after the other of all kinds goes over into the next one, and none of them misses that when the next one is there in
// time. RCCD_STEPS says how many, 500 are the whole, and none may be missed then: that is for a machine that does nothing else. Otherwise the
// clock may have gone on before the test sees that it should be held, and the next motion was late indeed.
func TestMany(t *testing.T) {
	c := newCell(t)
	robot := c.kr16()
	c.come(robot)
	random := rand.New(rand.NewPCG(uint64(setting(t, "RCCD_SEED", 1)), 0))
	before := place(0, 0, 0)
	x := c.pass(robot.Lin(before, robot.Arm().Base(), slow))
	c.end(x)
	steps, missed := setting(t, "RCCD_STEPS", 25), -1 // the first one begins at rest
	for i := range steps {
		by := func(most float64) float64 { return (2*random.Float64() - 1) * most }
		to := place(by(0.1), by(0.15), by(0.1))
		var m *activity.Motion
		switch random.IntN(4) {
		case 0:
			joints := append([]float64{}, home...)
			for k := range joints {
				joints[k] += by(0.1)
			}
			m, to = robot.PTP(joints), model().Forward(joints)
		case 1:
			via := before.Pos.Lerp(to.Pos, 0.5)
			via.Z += 0.03
			m = robot.Circ(via, to, robot.Arm().Base(), slow)
		case 2:
			between := before.Lerp(to, 0.5)
			between.Pos.Z += 0.03
			m = robot.Spline(append(curve(0, 0)[:0], between, to), robot.Arm().Base(), slow)
		default:
			m = robot.Lin(to, robot.Arm().Base(), slow)
		}
		before = to
		m.Blend(0.4 + 0.4*random.Float64())
		waits, begun := c.asking(m)
		switch {
		case begun != nil && begun.err != nil:
			t.Fatalf("motion %d, %v: %v", i, m, begun.err)
		case begun != nil:
			x = begun.x
			missed++
		default:
			x = c.finish(waits)
			if c.newest() != "leave" {
				missed++
			}
		}
	}
	c.end(x)
	c.Arm("kr16").Smooth()
	if at := model().Forward(c.Arm("kr16").At()); !at.Near(before, 1e-6, 1e-6) {
		t.Errorf("at %v, not at %v", at, before)
	}
	t.Logf("%d of %d motions have missed the one before", missed, steps)
	if _, long := os.LookupEnv("RCCD_STEPS"); missed > 0 && long || missed > steps/4 {
		t.Errorf("%d of %d motions have missed the one before", missed, steps)
	}
}
