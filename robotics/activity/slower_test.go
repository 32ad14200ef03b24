package activity_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/internal/testkit/race"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/activity"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
)

// fierce asks more of the joints of a KR 16 than they can do in most places.
var fierce = robotics.CartesianLimits{Vel: 3, Acc: 30, Jerk: 500, RotVel: 6, RotAcc: 60, RotJerk: 1000}

// used returns how much of the limits of its joints a robot has used since some cycle. How it begins is judged by its device.
func (c *cell) used(robot *activity.Robot, since int) (vel, acc, jerk float64) {
	cycle := cells.Period.Seconds()
	for i := range robot.Arm().Len() {
		joint, way := robot.Arm().Joint(i), c.Arm(robot.Arm().Device()).Way(i)
		var v, a float64
		steps := 0
		for k := max(1, since); k < len(way); k++ {
			if steps++; way[k].Time-way[k-1].Time != int64(cells.Period) {
				steps = 0
				continue
			}
			now := (way[k].Pos - way[k-1].Pos) / cycle
			rise := (now - v) / cycle
			vel = max(vel, math.Abs(now)/joint.Velocity)
			if steps > 1 {
				acc = max(acc, math.Abs(rise)/joint.Acceleration)
			}
			if steps > 2 {
				jerk = max(jerk, math.Abs(rise-a)/cycle/joint.Jerk)
			}
			v, a = now, rise
		}
	}
	return vel, acc, jerk
}

// strict has a device refuse what is beyond the jerks of a model, which are none of its own.
func strict(name, kind string, model *kinematics.Arm) cells.Option {
	var jerks []float64
	for i := range model.Len() {
		jerks = append(jerks, model.Joint(i).Jerk)
	}
	text, _ := json.Marshal(jerks)
	return cells.With(cells.Device{Name: name, Kind: kind, Params: map[string]string{"max_jerk": string(text)}})
}

// TestSlower: whatever ways in space are asked for, and whatever happens to them on the way, no joint is beyond a limit of velocity,
// acceleration or jerk, and what is impossible within them is reported before anything moves. RCCD_STEPS says how many there are.
func TestSlower(t *testing.T) {
	race.Skip(t, "many motions one after another; TestOverride races one")
	random := rand.New(rand.NewPCG(uint64(setting(t, "RCCD_SEED", 1)), 0))
	by := func(most float64) float64 { return (2*random.Float64() - 1) * most }
	c := newCell(t, strict("kr16", "kuka_kr_arm_sim", model()))
	c.Free()
	robot := c.kr16()
	base := robot.Arm().Base()
	if err := robot.PTP(home).Execute(t.Context()); err != nil {
		t.Fatal(err)
	}
	since, slowed, refused := len(c.Arm("kr16").Way(0)), 0, 0
	for n := range setting(t, "RCCD_STEPS", 40) {
		to := place(by(0.4), by(0.6), by(0.4))
		to.Rot = to.Rot.Mul(geom.FromABC(by(1), by(0.6), by(1)))
		m := robot.Lin(to, base, fierce)
		if from := model().Forward(c.Arm("kr16").At()); random.IntN(2) == 0 {
			via := from.Pos.Lerp(to.Pos, 0.5)
			via.X, via.Z = via.X+by(0.1), via.Z+0.1
			m = robot.Circ(via, to, base, fierce)
		}
		before := slices.Clone(c.Arm("kr16").At())
		x, err := m.Begin(t.Context())
		if way := (*actuator.PathError)(nil); errors.As(err, &way) {
			refused++
			if !slices.Equal(before, c.Arm("kr16").At()) || errors.Is(err, robotics.ErrTooFast) && way.Speed >= 0.1 {
				t.Errorf("motion %d: %v", n, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("motion %d: %v", n, err)
		}
		if x.Slowed() < 1 {
			slowed++
		}
		switch random.IntN(4) {
		case 0:
			err = x.Cancel(t.Context())
		case 1:
			err = x.Handle().SetOverride(t.Context(), random.Float64())
			err = errors.Join(err, x.Handle().SetOverride(t.Context(), 1))
		}
		if err = errors.Join(err, x.Wait(t.Context())); err != nil {
			t.Fatalf("motion %d at %v: %v", n, x.Slowed(), err)
		}
	}
	c.Arm("kr16").Smooth()
	vel, acc, jerk := c.used(robot, since)
	t.Logf("%d slowed down, %d refused; of the limits of joints: %.2f velocity, %.2f acceleration, %.2f jerk", slowed, refused, vel, acc, jerk)
	const rounding = 1.01
	if vel > rounding || acc > rounding || jerk > rounding {
		t.Error("joints are beyond their limits")
	}
	if slowed == 0 {
		t.Error("nothing was slowed down")
	}
}
