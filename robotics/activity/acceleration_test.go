package activity_test

import (
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/internal/testkit/race"
	"github.com/softrobot-rcc/rccd/robotics/activity"
)

// TestAccelerations: where motions blend into each other, accelerations of joints change from cycle to cycle by what their jerk allows, and
// that of what moves from one way in space to another, of any kind, by what both jerks allow. Where joints that were led join a way in space, their
// accelerations may change at once, by an eighth of what they may be.
func TestAccelerations(t *testing.T) {
	race.Skip(t, "many motions one after another; TestLimitsInFlight races some")
	point, on := []float64{0.5, -1.4, 1.4, 0.2, 0.9, 0.3}, []float64{0.2, -1.45, 1.55, -0.1, 1.1, 0.1}
	ptp := func(r *activity.Robot, to []float64) *activity.Motion { return r.PTP(to) }
	lin := func(r *activity.Robot, to []float64) *activity.Motion {
		return r.Lin(model().Forward(to), r.Arm().Base(), slow)
	}
	circ := func(r *activity.Robot, to []float64) *activity.Motion {
		end := model().Forward(to)
		return r.Circ(between(point, to), end, r.Arm().Base(), slow)
	}
	spline := func(r *activity.Robot, to []float64) *activity.Motion {
		end := model().Forward(to)
		via := geom.Frame{Pos: between(point, to), Rot: end.Rot}
		return r.Spline([]geom.Frame{via, end}, r.Arm().Base(), slow)
	}
	const byJerk, joining, any = 0.02, 0.125, 1e9 // a KR 16 has all of its acceleration after 0.1 s, 50 cycles
	for name, tt := range map[string]struct {
		one, other    func(r *activity.Robot, to []float64) *activity.Motion
		joints, space float64
	}{
		"PTP PTP":    {ptp, ptp, byJerk, any},
		"PTP LIN":    {ptp, lin, byJerk + joining, any},
		"LIN PTP":    {lin, ptp, byJerk, any},
		"LIN LIN":    {lin, lin, byJerk, 2},
		"PTP CIRC":   {ptp, circ, byJerk + joining, any},
		"LIN CIRC":   {lin, circ, byJerk, 2},
		"PTP spline": {ptp, spline, byJerk + joining, any},
		"LIN spline": {lin, spline, byJerk, 2},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCell(t)
			robot := c.kr16()
			c.come(robot)
			c.Pass(100)
			_, since := c.Arm("kr16").Last()
			c.pass(tt.one(robot, point).Blend(0.5))
			waits, early := c.start(tt.other(robot, on))
			if early != nil {
				t.Fatal(early.err)
			}
			c.end(c.finish(waits))
			const slack = 1.05
			joints, space := c.jerks(since)
			if t.Logf("joints %.4f of their accelerations, space %.2f of the jerk", joints, space); joints > slack*tt.joints || space > slack*tt.space {
				t.Errorf("joints %v of their accelerations in a cycle, %v is allowed; in space %v of the jerk, %v", joints, tt.joints, space, tt.space)
			}
		})
	}
}

// between is beside the middle of two places of the flange.
func between(one, other []float64) geom.Vector {
	from, to := model().Forward(one).Pos, model().Forward(other).Pos
	return from.Add(to).Scale(0.5).Add(geom.Vector{X: -0.05, Z: -0.05})
}

// jerks returns the greatest changes of acceleration from one cycle to the next since some time: of joints, as shares of the acceleration that
// they may have, and of the flange, as a share of what its jerk allows.
func (c *cell) jerks(since int64) (joints, space float64) {
	arm, cycle := c.Arm("kr16"), cells.Period.Seconds()
	for i := range 6 {
		way := arm.Way(i)
		for k := 3; k < len(way); k++ {
			change := way[k].Pos - 3*way[k-1].Pos + 3*way[k-2].Pos - way[k-3].Pos
			if way[k-3].Time > since {
				joints = max(joints, math.Abs(change)/(cycle*cycle*model().Joint(i).Acceleration))
			}
		}
	}
	f := fly(arm)
	var last [3]geom.Vector
	for k, at := range f.at {
		change := at.Pos.Sub(last[0].Scale(3)).Add(last[1].Scale(3)).Sub(last[2])
		if k >= 3 && f.time[k-3] > since {
			space = max(space, change.Length()/(cycle*cycle*cycle*slow.Jerk))
		}
		last[0], last[1], last[2] = at.Pos, last[0], last[1]
	}
	return joints, space
}
