package activity_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/race"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/activity"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
)

// chain begins motions one after the other, each of which is there in time, and returns the last one. Those whose way is none are left out.
func (c *cell) chain(motions ...*activity.Motion) (last *activity.Execution) {
	c.t.Helper()
	for _, m := range motions {
		waits, early := c.asking(m)
		switch {
		case early == nil:
			last = c.finish(waits)
		case early.err == nil:
			last = early.x
		case !errors.As(early.err, new(*actuator.PathError)):
			c.t.Fatal(early.err)
		}
	}
	return last
}

// within returns joints that were beyond their limits since some cycle. In flight, what leaves an arc may have up to twice the jerk.
func (c *cell) within(robot *activity.Robot, since int) {
	c.t.Helper()
	const rounding, beside = 1.01, 2
	if vel, acc, jerk := c.used(robot, since); vel > rounding || acc > rounding || jerk > beside {
		c.t.Errorf("of the limits of joints: %.2f velocity, %.2f acceleration, %.2f jerk", vel, acc, jerk)
	}
}

// TestSum: joints can do what lines ask of them together that blend into each other, though each alone may ask for all of what they can.
func TestSum(t *testing.T) {
	race.Skip(t, "many motions one after another; TestTogether races one")
	for name, to := range map[string][2]geom.Frame{
		"back":            {place(0, 0.3, 0), place(0, 0, 0)},
		"round a corner":  {place(0, 0.3, 0), place(0, 0.3, 0.3)},
		"nearly straight": {place(0, 0.2, 0), place(0, 0.4, 0.1)},
	} {
		for _, vel := range []float64{1, 2} {
			for _, share := range []float64{0.3, 0.5, 0.8} {
				t.Run(fmt.Sprint(name, vel, share), func(t *testing.T) {
					c := newCell(t)
					robot := c.kr16()
					base := robot.Arm().Base()
					l := robotics.CartesianLimits{Vel: vel, Acc: 8 * vel, Jerk: 80 * vel, RotVel: 3, RotAcc: 30, RotJerk: 300}
					c.come(robot)
					c.Pass(100)
					since := len(c.Arm("kr16").Way(0))
					c.end(c.chain(robot.Lin(to[0], base, l).Blend(share), robot.Lin(to[1], base, l)))
					c.within(robot, since)
				})
			}
		}
	}
}

// TestSums: so it is with any two ways, and with more that blend into each other late, whatever happens to them. RCCD_STEPS says how many.
func TestSums(t *testing.T) {
	race.Skip(t, "many random motions one after another; TestTogether races one")
	random := rand.New(rand.NewPCG(uint64(setting(t, "RCCD_SEED", 1)), 0))
	by := func(most float64) float64 { return (2*random.Float64() - 1) * most }
	any := func(robot *activity.Robot, wide, early float64) *activity.Motion {
		base, share := robot.Arm().Base(), 0.2+random.Float64()
		to := place(by(wide), by(wide), by(wide))
		to.Rot = to.Rot.Mul(geom.FromABC(by(0.3), by(0.3), by(0.3)))
		m := robot.Lin(to, base, fierce.Slower(share))
		if random.IntN(3) == 0 {
			m = robot.Circ(place(by(wide), by(wide), by(wide)).Pos, to, base, fierce.Slower(share))
		}
		return m.Blend(early + (0.95-early)*random.Float64())
	}
	for n := range setting(t, "RCCD_STEPS", 30) {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			c := newCell(t)
			robot := c.kr16()
			c.come(robot)
			c.Pass(100)
			since := len(c.Arm("kr16").Way(0))
			motions := []*activity.Motion{any(robot, 0.2, 0.05), any(robot, 0.2, 0.05)}
			if random.IntN(3) == 0 {
				motions = nil
				for range 4 {
					motions = append(motions, any(robot, 0.2, 0.4))
				}
			}
			x := c.chain(motions...)
			if x == nil {
				return
			}
			c.Pass(random.IntN(30))
			var err error
			switch random.IntN(4) {
			case 0:
				err = x.Cancel(t.Context())
			case 1:
				err = x.Handle().SetOverride(t.Context(), random.Float64())
				c.Pass(random.IntN(50))
				err = errors.Join(err, x.Handle().SetOverride(t.Context(), 1))
			}
			if err != nil {
				t.Logf("it has ended before: %v", err)
			}
			c.end(x)
			c.within(robot, since)
		})
	}
}
