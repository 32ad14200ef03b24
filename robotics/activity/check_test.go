package activity_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/race"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/activity"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
)

// TestChecked: a path that an arm cannot follow is reported before anything moves, with the place on it, whether the robot rests
// or moves.
func TestChecked(t *testing.T) {
	c := newCell(t)
	c.Free()
	robot := c.kr16()
	if err := robot.PTP(home).Execute(t.Context()); err != nil {
		t.Fatal(err)
	}
	base := robot.Arm().Base()
	across := place(0, 0, 0)
	across.Pos.X, across.Pos.Y = -across.Pos.X, -across.Pos.Y
	straight := []float64{0.3, -1.5, 1.5, 0, 0.02, 0} // the wrist nearly so
	tilted := model().Forward(straight)
	tilted.Pos.Y += 0.3
	for name, tt := range map[string]struct {
		from []float64
		do   func() *activity.Motion
		err  error
	}{
		"over the own axis": {home, func() *activity.Motion { return robot.Lin(across, base) }, nil},
		"with the wrist straight": {straight, func() *activity.Motion {
			return robot.Lin(tilted, base, robotics.CartesianLimits{Vel: 2, Acc: 20, Jerk: 200, RotVel: 3, RotAcc: 30, RotJerk: 300}, robotics.Slowest(1))
		}, robotics.ErrTooFast},
		"out of reach on the way": {home, func() *activity.Motion {
			return robot.Circ(place(1.5, 0.2, 0).Pos, place(0, 0.4, 0), base)
		}, nil},
	} {
		if err := robot.PTP(tt.from).Execute(t.Context()); err != nil {
			t.Fatal(err)
		}
		before := slices.Clone(c.Arm("kr16").At())
		err := tt.do().Execute(t.Context())
		var way *actuator.PathError
		if !errors.As(err, &way) || tt.err != nil && !errors.Is(err, tt.err) || !(way.Share > 0 && way.Share < 1) || way.Arm != "kr16" {
			t.Errorf("%s: %v", name, err)
		}
		if !slices.Equal(before, c.Arm("kr16").At()) {
			t.Errorf("%s: something has moved", name)
		}
		// A motion that is refused in flight leaves the one before alone.
		if err := robot.PTP(home).Execute(t.Context()); err != nil {
			t.Fatal(err)
		}
		x, err := robot.PTP(tt.from).Blend(0.9).Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tt.do().Begin(t.Context()); !errors.As(err, &way) {
			t.Errorf("%s: %v", name, err)
		}
		if err := x.Wait(t.Context()); err != nil {
			t.Error(err)
		}
	}
	c.Arm("kr16").Smooth()
}

// TestSlowed: a motion that would be refused, as a joint would be too fast, is slowed down, which is reported; shares of limits
// that motions use count.
func TestSlowed(t *testing.T) {
	race.Skip(t, "many motions one after another; TestOverride races one")
	c := newCell(t)
	c.Free()
	robot := c.kr16()
	straight := []float64{0.3, -1.5, 1.5, 0, 0.02, 0}
	tilted := model().Forward(straight)
	tilted.Pos.Y += 0.3
	for name, tt := range map[string]struct {
		params []robotics.SpaceParam
		slowed func(float64) bool
		err    error
	}{
		"by itself":      {nil, func(s float64) bool { return s > 0.1 && s < 0.5 }, nil},
		"slow anyway":    {[]robotics.SpaceParam{robotics.Speed(0.05), robotics.Acceleration(0.001)}, func(s float64) bool { return s == 1 }, nil},
		"as fast as it":  {[]robotics.SpaceParam{robotics.Slowest(1)}, nil, robotics.ErrTooFast},
		"no share":       {[]robotics.SpaceParam{robotics.Slowest(0)}, nil, robotics.ErrShare},
		"slower joints":  {[]robotics.SpaceParam{robotics.JointLimits{Vel: []float64{0.1, 0, 0, 0, 0, 0}}, robotics.Slowest(0.01)}, func(s float64) bool { return s < 0.3 }, nil},
		"too few limits": {[]robotics.SpaceParam{robotics.JointLimits{Vel: []float64{1}}}, nil, robotics.ErrJoints},
	} {
		if err := robot.PTP(straight).Execute(t.Context()); err != nil {
			t.Fatal(err)
		}
		m := robot.Lin(tilted, robot.Arm().Base(), append(tt.params, fierce)...)
		for range 2 { // the motion is not changed by it
			x, err := m.Begin(t.Context())
			if !errors.Is(err, tt.err) || err == nil && !tt.slowed(x.Slowed()) {
				t.Errorf("%s: %v, %v", name, x, err)
			}
			if err != nil {
				break
			}
			if err := errors.Join(x.Wait(t.Context()), robot.PTP(straight).Execute(t.Context())); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	x, err := activity.Parallel(robot.Lin(tilted, robot.Arm().Base(), fierce), c.tx90().PTP(bent)).Begin(t.Context())
	if err != nil || !(x.Slowed() < 0.5) {
		t.Fatalf("%v, %v", x, err)
	}
	if err := x.Wait(t.Context()); err != nil {
		t.Error(err)
	}
	c.Arm("kr16").Smooth()
}

// TestCheckedInRelation: a path that one of several arms in a relation cannot follow is reported before they move.
func TestCheckedInRelation(t *testing.T) {
	p := newPair(t)
	p.Free()
	err := p.both.Lin(place(-0.3, 0, 0), p.one.Arm().Base(), slow).Execute(t.Context())
	var way *actuator.PathError
	if !errors.As(err, &way) || way.Arm != "tx90" || math.IsNaN(way.Share) {
		t.Errorf("%v", err)
	}
}
