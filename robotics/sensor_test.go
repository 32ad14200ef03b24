package robotics_test

import (
	"math"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// TestSensors: what sensors say that are made of others, in the cycles of 2 ms.
func TestSensors(t *testing.T) {
	now := clock()
	half := robotics.Mul(now, robotics.Constant(0.5))
	seen := robotics.Derived(func(m *mapping.Net) graph.Signal[geom.Frame] {
		p := m.Add("World::FrameFromXYZ").Link("inX", robotics.Read(m, now).Port)
		return mapping.Link[geom.Frame](p, "outValue")
	})
	camera, part := world.NewFrame("camera"), world.NewFrame("part")
	if _, err := world.Couple(camera, part, robotics.Seen{By: seen}); err != nil {
		t.Fatal(err)
	}
	on := part.Place("hole", geom.Frame{Pos: geom.Vector{X: 1, Y: 2}})
	wait := robotics.NewWait(10 * period)
	r := trace(t, cells.New(t), wait, states{
		"between": robotics.And(robotics.Above(now, 0.005), robotics.Less(now, robotics.Constant(0.013))),
		"near":    robotics.Near(now, robotics.Constant(0.01), 0.0021), "not": robotics.Not(robotics.Below(now, 0.013)),
		"null": robotics.Above(robotics.Ago(now, 4*period), -1), "unchanged": unknown(robotics.Change(half)), "even": unknown(robotics.Change(robotics.Change(half))),
	}, values{
		"sum": robotics.Add(now, half), "difference": robotics.Sub(half, now), "quotient": robotics.Div(now, half), "least": robotics.Min(now, half),
		"most": robotics.Max(now, half), "abs": robotics.Abs(robotics.Sub(half, now)), "average": robotics.Average(now, 2*period),
		"ago": robotics.Ago(now, period), "change": robotics.Change(half), "x": robotics.Component(robotics.Position(robotics.Pose(on, camera)), robotics.X),
		"length": robotics.Length(robotics.Position(robotics.Pose(camera, on))),
	})
	got := map[string]string{}
	for r.Step() {
		at := float64(r.Cycle) * period.Seconds()
		want := map[string]float64{
			"sum": 1.5 * at, "difference": -at / 2, "quotient": 2, "least": at / 2, "most": at, "abs": at / 2, "x": 1 + at, "length": math.Hypot(1+at, 2),
		}
		if r.Cycle > 1 {
			want["average"], want["ago"], want["change"] = at-period.Seconds()/2, at-period.Seconds(), 0.5
		}
		for key, v := range want {
			if have := r.Number(key); math.Abs(have-v) > 1e-9 {
				t.Errorf("cycle %d: %s is %v, not %v", r.Cycle, key, have, v)
			}
		}
		for _, key := range []string{"between", "near", "not", "null", "unchanged", "even"} {
			mark := "."
			if r.Is(key) {
				mark = "x"
			}
			got[key] += mark
		}
	}
	for key, want := range map[string]string{"between": "..xxxx....", "near": "...xxx....", "not": "......xxxx", "null": "....xxxxxx", "unchanged": "x.........", "even": "xx........"} {
		if got[key] != want {
			t.Errorf("%s: %s, not %s", key, got[key], want)
		}
	}
}

// TestSetLoad: a device learns what it carries.
func TestSetLoad(t *testing.T) {
	c := cells.New(t)
	load := robotics.NewCommand(kr16(), actuator.SetLoad{Load: actuator.Load{Mass: 2, COM: geom.Vector{Z: 0.1}}})
	r := trace(t, c, load, states{"done": load.Completed()}, nil)
	for r.Step() {
		if r.Cycle > 100 {
			t.Fatal("it takes too long")
		}
	}
	if !r.Is("done") || r.Is("failed") {
		t.Errorf("%v", r.Values)
	}
}

// TestLong: a time is one of whole cycles, and is not reached by pieces.
func TestLong(t *testing.T) {
	wait := robotics.NewWait(9 * period)
	pulse := robotics.Or(robotics.Below(clock(), 0.0041), robotics.Above(clock(), 0.007))
	long := robotics.Long(pulse, 3*period-time.Millisecond)
	if got, want := trace(t, cells.New(t), wait, states{"a": pulse, "b": long}, nil).Spans(20, "a", "b"), "a 1-2 4-9, b 6-9, end 9"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

// timed is an action that takes some cycles and publishes the time that it is given.
type timed struct{}

func (timed) MapAction(c *mapping.Context) mapping.Part {
	graph.Publish(c.Graph, "time", graph.Mul(c.Time(), c.Real(1)))
	return mapping.Part{Flow: nothing{}, Done: graph.Greater(c.Time(), c.Real(2.5*period.Seconds()))}
}

// TestTime: the time of a command begins with it, wherever in a transaction that is.
func TestTime(t *testing.T) {
	late := robotics.NewCommand(player("late"), timed{})
	r := trace(t, cells.New(t), robotics.Sequence(robotics.NewWait(5*period), late), states{"late": late.Active()}, nil)
	var times []float64
	for r.Step() {
		if r.Is("late") {
			times = append(times, r.Number("time"))
		}
	}
	if want := []float64{0.002, 0.004, 0.006}; !near(times, want, 1e-12) {
		t.Errorf("%v, not %v", times, want)
	}
}
