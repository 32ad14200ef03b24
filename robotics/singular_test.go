package robotics_test

import (
	"math"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/internal/testkit/race"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

// TestSingular: where joints would have to be too fast for a way in space the arm comes to rest within its limits, and the command fails.
func TestSingular(t *testing.T) {
	race.Skip(t, "many motions one after another; TestLIN races one")
	home := []float64{0, -math.Pi / 2, math.Pi / 2, 0, 0, 0}
	near := func(fifth float64) []float64 { return []float64{0, -math.Pi / 2, math.Pi / 2, 0, fifth, 0} }
	by := func(arm *actuator.Arm, f geom.Frame) robotics.Action { return motions.LINBy{By: f, In: arm.Base()} }
	jog := func(arm *actuator.Arm, v geom.Twist) robotics.Action {
		return motions.Jog{Velocity: robotics.Constant(v), In: arm.Base()}
	}
	for name, of := range map[string]struct {
		from  []float64
		does  func(arm *actuator.Arm) robotics.Action
		moves bool
	}{
		"aside":      {home, func(a *actuator.Arm) robotics.Action { return by(a, geom.Frame{Pos: geom.Vector{Y: 0.1}}) }, false},
		"turn":       {home, func(a *actuator.Arm) robotics.Action { return by(a, geom.Frame{Rot: geom.FromABC(0.2, 0, 0)}) }, false},
		"jog":        {home, func(a *actuator.Arm) robotics.Action { return jog(a, geom.Twist{Vel: geom.Vector{Y: 0.05}}) }, false},
		"jog a turn": {home, func(a *actuator.Arm) robotics.Action { return jog(a, geom.Twist{Rot: geom.Vector{Z: 0.05}}) }, false},
		"near":       {near(0.001), func(a *actuator.Arm) robotics.Action { return by(a, geom.Frame{Pos: geom.Vector{Y: 0.1}}) }, true},
		"less near":  {near(0.02), func(a *actuator.Arm) robotics.Action { return by(a, geom.Frame{Pos: geom.Vector{Y: 0.1}}) }, true},
		"stretched":  {near(0.5), func(a *actuator.Arm) robotics.Action { return jog(a, geom.Twist{Vel: geom.Vector{X: 0.05}}) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			c, arm := cells.New(t), kr16()
			does := robotics.NewCommand(arm, of.does(arm))
			does.OnEntered(after(time.Minute), robotics.Cancel(does))
			n := trace(t, c, robotics.Sequence(robotics.NewCommand(arm, motions.PTP{To: of.from}), does), states{"does": does.Active()}, nil)
			for n.Step() {
				if n.Cycle > 25_000 {
					break
				}
			}
			if !n.Is("failed") {
				t.Errorf("in cycle %d: %v", n.Cycle, n.Values)
			}
			if at := c.Where("kr16"); !of.moves {
				for i := range at {
					if math.Abs(at[i]-of.from[i]) > 1e-9 {
						t.Errorf("joint %d has gone to %v", i, at[i])
					}
				}
			}
			c.Arm("kr16").Smooth()
		})
	}
}
