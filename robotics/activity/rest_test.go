package activity_test

import (
	"math/rand/v2"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/internal/testkit/race"
	"github.com/softrobot-rcc/rccd/robotics/activity"
)

// TestFromRest: motions of all kinds begin where the one before has come to rest, one after the other, however slow the cycle of the controller is
// in which that goes on a little. RCCD_STEPS says how many.
func TestFromRest(t *testing.T) {
	race.Skip(t, "many motions one after another; TestWhereItBegins races one")
	for _, cycle := range []string{"1ms", "12ms"} {
		t.Run(cycle, func(t *testing.T) {
			c := newCell(t, cells.With(cells.Device{Name: "kr16", Kind: "kuka_kr_arm_sim", Params: map[string]string{"cycle": cycle}}))
			c.Free()
			robot := c.kr16()
			base := robot.Arm().Base()
			random := rand.New(rand.NewPCG(uint64(setting(t, "RCCD_SEED", 1)), 0))
			by := func(most float64) float64 { return (2*random.Float64() - 1) * most }
			if err := robot.PTP(home).Execute(t.Context()); err != nil {
				t.Fatal(err)
			}
			from := place(0, 0, 0)
			for n := range setting(t, "RCCD_STEPS", 12) {
				to := place(by(0.1), by(0.15), by(0.1))
				var m *activity.Motion
				switch n % 4 {
				case 0:
					m = robot.Lin(to, base)
				case 1:
					via := from.Pos.Lerp(to.Pos, 0.5)
					via.Z += 0.05
					m = robot.Circ(via, to, base)
				case 2:
					between := from.Lerp(to, 0.5)
					between.Pos.Z += 0.03
					m = robot.Spline([]geom.Frame{between, to}, base)
				default:
					joints := append([]float64{}, home...)
					for k := range joints {
						joints[k] += by(0.1)
					}
					m, to = robot.PTP(joints), model().Forward(joints)
				}
				from = to
				if err := m.Execute(t.Context()); err != nil {
					t.Fatalf("motion %d: %v", n, err)
				}
			}
		})
	}
}
