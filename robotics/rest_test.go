package robotics_test

import (
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/internal/testkit/race"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

// TestFromRest: motions that say where they begin can say where the one before was to end, however slow the cycle of the controller is in
// which that goes on a little, and however hard it has braked; the way begins where the arm is, without a jump, and ends where it is to.
func TestFromRest(t *testing.T) {
	race.Skip(t, "many motions one after another; TestPTP races one")
	for _, cycle := range []string{"1ms", "4ms", "12ms"} {
		t.Run(cycle, func(t *testing.T) {
			params := map[string]string{"cycle": cycle, "ahead": "5ms"}
			c := cells.New(t, cells.Only("kr16"), cells.With(cells.Device{Name: "kr16", Kind: "kuka_kr_arm_sim", Params: params})).Free()
			r, arm := c.Connect(), kr16()
			do := func(a robotics.Action, params ...robotics.Param) {
				t.Helper()
				if err := r.Execute(t.Context(), robotics.NewCommand(arm, a, params...)); err != nil {
					t.Fatalf("%v: %v", a, err)
				}
			}
			trapezoid := robotics.CartesianLimits{Vel: 1, Acc: 4, Jerk: math.Inf(1), RotVel: 2, RotAcc: 6, RotJerk: math.Inf(1)}
			a, b := poseAt(point), poseAt(point)
			b.Pos = b.Pos.Add(geom.Vector{X: 0.05, Y: 0.1, Z: 0.07})
			via := a.Pos.Lerp(b.Pos, 0.5).Add(geom.Vector{Z: 0.03})
			do(motions.PTP{To: point})
			for range 5 {
				do(motions.LIN{To: b, In: arm.Base()}, trapezoid)
				do(motions.CIRC{From: b, Via: via, To: a, In: arm.Base()}, trapezoid)
				do(motions.Spline{Through: []geom.Frame{a, {Pos: via, Rot: a.Rot}, b}, In: arm.Base()}, trapezoid)
				if at := model().Forward(c.Arm("kr16").At()); !at.Near(b, 1e-8, 1e-8) {
					t.Errorf("at %v, not at %v", at, b)
				}
				do(motions.PTP{To: point})
				do(motions.PTP{From: point, To: point})
			}
		})
	}
}
