package activity_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/activity"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

// TestDo: a motion by an action that the application brings is taken over and takes over as those of the package are.
func TestDo(t *testing.T) {
	var ways [][]cells.SetPoint
	for _, line := range []func(r *activity.Robot) *activity.Motion{
		func(r *activity.Robot) *activity.Motion { return r.Lin(place(0, 0.2, 0), r.Arm().Base(), slow) },
		func(r *activity.Robot) *activity.Motion {
			to, base := place(0, 0.2, 0), r.Arm().Base()
			return r.Do(motions.LIN{To: to, In: base}, robotics.End{Pose: to, Of: r.Arm().Flange(), In: base, Limits: slow}, slow)
		},
	} {
		c := newCell(t)
		robot := c.kr16()
		c.come(robot)
		robot.SetBlend(0.6)
		begins := len(c.Arm("kr16").Way(1))
		x := c.pass(robot.Lin(place(0, 0, 0.1), robot.Arm().Base(), slow))
		for _, m := range []*activity.Motion{line(robot), robot.Lin(place(0, 0, 0), robot.Arm().Base(), slow)} {
			waits, _ := c.asking(m)
			if x = c.finish(waits); c.newest() != "leave" {
				t.Fatalf("%v has missed the one before", m)
			}
		}
		c.end(x)
		c.Arm("kr16").Smooth()
		way := c.Arm("kr16").Way(1)[begins:]
		for k, begin := 0, way[0].Time; k < len(way); k++ {
			way[k].Time -= begin
		}
		ways = append(ways, way)
	}
	if !slices.Equal(ways[0], ways[1]) {
		t.Error("it has gone another way")
	}
}

// TestSetBlend: every motion of a robot blends into the next one, except motions that have to rest, and commands of something
// else.
func TestSetBlend(t *testing.T) {
	in := cells.New(t, cells.Only("kr16", "io"))
	c := &cell{in, t, in.Connect()}
	robot := c.kr16()
	robot.SetBlend(0.6)
	c.Free()
	base, lamp := robot.Arm().Base(), robotics.DigitalOutput{Device: "io", Port: 3}
	on := func(is bool) activity.Activity {
		return activity.Of(c.r, robotics.NewCommand(lamp, robotics.SetDigital{Value: is}))
	}
	if err := activity.Sequence(robot.PTP(home), on(true),
		robot.Lin(place(0, 0.1, 0), base, slow).Rest(), robot.Lin(place(0, 0.1, 0.1), base, slow), on(false),
		robot.PTP(home)).Execute(t.Context()); err != nil {
		t.Fatal(err)
	}
	for what, at := range map[string]geom.Frame{"home": place(0, 0, 0), "the corner": place(0, 0.1, 0), "the end": place(0, 0.1, 0.1)} {
		if !c.Arm("kr16").Rested(func(joints []float64) bool { return model().Forward(joints).Near(at, 1e-6, 1e-6) }) {
			t.Errorf("it has not rested at %s", what)
		}
	}
	if told := c.Told(); len(told) != 2 {
		t.Errorf("told %v", told)
	}
	c.Arm("kr16").Smooth()

	robot.SetBlend(2)
	if err := robot.PTP(home).Execute(t.Context()); !errors.Is(err, activity.ErrShare) {
		t.Errorf("a share of 2: %v", err)
	}
}
