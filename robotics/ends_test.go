package robotics_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/internal/testkit/race"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/motions"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// goes returns a sensor that begins somewhere, goes on evenly from a time on, and is somewhere else from another time on.
func goes(from, vel, jump float64, since, until time.Duration) robotics.Sensor[float64] {
	return robotics.Derived(func(m *mapping.Net) graph.Signal[float64] {
		time := robotics.Read(m, clock())
		gone := graph.Max(m.Real(0), graph.Sub(time, m.Real(since.Seconds())))
		way := graph.Add(m.Real(from), graph.Mul(gone, m.Real(vel)))
		return graph.If(graph.Less(time, m.Real(until.Seconds())), way, m.Real(jump))
	})
}

// TestFollowToTheEnd: joints that are commanded to go on where they cannot come to rest at their ends, however the goal goes
// there, and come back with it; of no number they make nothing.
func TestFollowToTheEnd(t *testing.T) {
	race.Skip(t, "long motions one after another; TestFollow races one")
	for name, of := range map[string]struct {
		joint       int
		share, back float64 // of the velocity, and where the goal is in the end
		since       time.Duration
		smooth      bool
	}{
		"at once":          {joint: 0, share: 1e6, back: -99},
		"back":             {joint: 1, share: 0.8, back: -1, since: 100 * period},
		"down":             {joint: 2, share: -0.9, back: 99, since: 10 * period},
		"smoothly":         {joint: 1, share: 0.5, back: -1, since: 100 * period, smooth: true},
		"smoothly at once": {joint: 4, share: 1, back: -99, smooth: true},
		"faster than it":   {joint: 0, share: 2, back: 0, since: 50 * period, smooth: true},
		"to nowhere":       {joint: 2, share: 0.9, back: math.Inf(1), since: 50 * period, smooth: true},
	} {
		t.Run(name, func(t *testing.T) {
			c, arm := cells.New(t), kr16()
			at, j := c.Where("kr16"), arm.Joint(of.joint)
			goals := make([]robotics.Sensor[float64], arm.Len())
			for i := range goals {
				goals[i] = robotics.Constant(at[i])
			}
			goals[of.joint] = goes(at[of.joint], of.share*j.Velocity, of.back, of.since, 4*time.Second)
			follow := robotics.NewCommand(arm, motions.FollowJoints{Goals: goals, Smooth: of.smooth})
			follow.OnEntered(after(8*time.Second), robotics.Cancel(follow))
			n := trace(t, c, follow, nil, values{"q": last(arm, of.joint)})
			end := map[bool]float64{true: j.Max, false: j.Min}[of.share > 0]
			for n.Step() {
				if n.Cycle == 1990 && math.Abs(n.Number("q")-end) > 1e-6 {
					t.Errorf("at %v, not at its end %v", n.Number("q"), end)
				}
			}
			if !math.IsInf(of.back, 0) {
				end = max(j.Min, min(j.Max, of.back))
			}
			if n.Is("failed") || math.Abs(n.Number("q")-end) > 1e-6 {
				t.Errorf("ends at %v, not at %v: %v", n.Number("q"), end, n.Values)
			}
			c.Arm("kr16").Smooth()
		})
	}
}

// TestBeyondTheEnd: what is known to be beyond is a mistake.
func TestBeyondTheEnd(t *testing.T) {
	arm := kr16()
	goals := make([]robotics.Sensor[float64], arm.Len())
	for i := range goals {
		goals[i] = robotics.Constant(point[i])
	}
	goals[2] = robotics.Constant(99.0)
	base := actuator.NewBase("base")
	hall := world.NewFrame("hall")
	if _, err := world.Relate(hall, base.Origin(), geom.Frame{Pos: geom.Vector{Z: 0.5}}); err != nil {
		t.Fatal(err)
	}
	drive := func(to geom.Frame) robotics.Command {
		return robotics.NewCommand(base, motions.DriveTo{To: to, In: hall})
	}
	level := geom.Frame{Pos: geom.Vector{X: 1, Z: 0.5}, Rot: geom.FromABC(2, 0, 0)}
	for name, of := range map[string]struct {
		command robotics.Command
		err     error
	}{
		"a goal of joints":         {robotics.NewCommand(arm, motions.FollowJoints{Goals: goals}), robotics.ErrBeyond},
		"a base on its floor":      {drive(level), nil},
		"a base in the air":        {drive(geom.Frame{Pos: geom.Vector{X: 1}}), robotics.ErrPlane},
		"a base that tilts":        {drive(level.Mul(geom.Frame{Rot: geom.FromABC(0, 0.1, 0)})), robotics.ErrPlane},
		"a base that is overhead":  {drive(level.Mul(geom.Frame{Rot: geom.FromABC(0, 0, math.Pi)})), robotics.ErrPlane},
		"an arm that may go there": {robotics.NewCommand(actuator.NewArm("kr16", robots.KR16()), motions.PTP{To: point}), nil},
	} {
		if _, err := robotics.Watched(of.command, nil, nil, false); !errors.Is(err, of.err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// unknown returns the state in which a sensor has no value.
func unknown(of robotics.Sensor[float64]) robotics.State {
	return robotics.IsTrue(robotics.Derived(func(m *mapping.Net) graph.Signal[bool] { return graph.IsNull(robotics.Read(m, of)) }))
}
