package robotics_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/motions"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

type values = map[string]robotics.Sensor[float64]

// place are sensors of where the origin of a frame is, seen from another one.
func place(of, in *world.Frame) values {
	at := robotics.Position(robotics.Pose(of, in))
	return values{"x": robotics.Component(at, robotics.X), "y": robotics.Component(at, robotics.Y), "z": robotics.Component(at, robotics.Z)}
}

// placed returns what they say.
func placed(r *cells.Trace) geom.Vector {
	return geom.Vector{X: r.Number("x"), Y: r.Number("y"), Z: r.Number("z")}
}

// poseAt returns where the flange of a KR 16 is.
func poseAt(joints []float64) geom.Frame { return robots.KR16().Forward(joints) }

// moved returns a frame that stands some way from another one, and is turned against it about its own axes.
func moved(f geom.Frame, by geom.Vector, a, b, c float64) geom.Frame {
	return geom.Frame{Pos: f.Pos.Add(by), Rot: f.Rot.Mul(geom.FromABC(a, b, c))}
}

// distance of a point from the line through two others.
func distance(p, a, b geom.Vector) float64 {
	u := b.Sub(a).Unit()
	return p.Sub(a).Cross(u).Length()
}

// walk executes a command to its end and returns where the watched frame was in each cycle.
func walk(t *testing.T, r *cells.Trace, most int) (way []geom.Vector) {
	t.Helper()
	for r.Step() {
		if r.Cycle > most {
			t.Fatalf("not at its end after %d cycles", most)
		}
		way = append(way, placed(r))
	}
	if r.Is("failed") {
		t.Errorf("failed: %v", r.Values)
	}
	return way
}

// limited checks whether a way keeps to limits of velocity and acceleration.
func limited(t *testing.T, way []geom.Vector, vel, acc float64) {
	t.Helper()
	const slack = 1.001
	var before geom.Vector
	for i := 1; i < len(way); i++ {
		v := way[i].Sub(way[i-1]).Scale(1 / period.Seconds())
		if v.Length() > vel*slack {
			t.Errorf("cycle %d: velocity %v", i, v.Length())
		}
		if a := v.Sub(before).Length() / period.Seconds(); i > 1 && a > acc*slack+1e-6 {
			t.Errorf("cycle %d: acceleration %v", i, a)
		}
		before = v
	}
}

var slow = robotics.CartesianLimits{Vel: 0.25, Acc: 1, Jerk: 10, RotVel: 1, RotAcc: 4, RotJerk: 40}

func TestLIN(t *testing.T) {
	c := cells.New(t)
	arm := kr16()
	start := poseAt(point)
	goal := moved(start, geom.Vector{X: -0.1, Y: 0.2, Z: -0.1}, 0.2, 0, 0.1)
	come := robotics.NewCommand(arm, motions.PTP{To: point})
	line := robotics.NewCommand(arm, motions.LIN{To: goal, In: arm.Base()}, slow)
	both := robotics.Sequence(come, line)
	r := trace(t, c, both, states{"line": line.Active(), "half": line.State(motions.Passed(0.5)), "late": line.State(motions.Progress(0.9))}, place(arm.Flange(), arm.Base()))
	var way []geom.Vector
	for r.Step() {
		at := placed(r)
		if !r.Is("line") {
			continue
		}
		way = append(way, at)
		if d := distance(at, start.Pos, goal.Pos); d > 1e-8 {
			t.Fatalf("cycle %d: %v from the line", r.Cycle, d)
		}
		share := at.Sub(start.Pos).Length() / goal.Pos.Sub(start.Pos).Length()
		if r.Is("half") && share < 0.49 || !r.Is("half") && share > 0.5 {
			t.Errorf("cycle %d: half way is %t at %v", r.Cycle, r.Is("half"), share)
		}
	}
	if r.Is("failed") || len(way) == 0 || way[len(way)-1].Sub(goal.Pos).Length() > 1e-6 {
		t.Fatalf("ends at %v, not at %v: %v", way[len(way)-1], goal.Pos, r.Values)
	}
	limited(t, way, slow.Vel, slow.Acc)
}

// TestLINFrames: the goal is seen from a table, the tool is what moves; both are far from base and flange.
func TestLINFrames(t *testing.T) {
	c := cells.New(t).Free()
	arm := kr16()
	tool := arm.Flange().Place("tool", geom.Frame{Pos: geom.Vector{X: 0.05, Z: 0.2}, Rot: geom.FromABC(0.3, 0.2, 0.1)})
	cell := world.NewFrame("cell")
	stand, err := world.Relate(cell, arm.Base(), geom.Frame{Pos: geom.Vector{X: 3, Y: 1}, Rot: geom.FromABC(2, 0, 0)})
	if err != nil {
		t.Fatal(err)
	}
	table := cell.Place("table", geom.Frame{Pos: geom.Vector{X: 2, Y: 1.5, Z: 0.5}, Rot: geom.FromABC(1, 0, 0)})
	r := c.Connect()
	if err := r.Execute(t.Context(), robotics.NewCommand(arm, motions.PTP{To: point})); err != nil {
		t.Fatal(err)
	}
	for _, at := range []geom.Frame{
		{Pos: geom.Vector{X: 3, Y: 1}, Rot: geom.FromABC(2, 0, 0)},
		{Pos: geom.Vector{X: 3.1, Y: 1.05}, Rot: geom.FromABC(2.05, 0, 0)}, // measured again
	} {
		if err := stand.Set(at); err != nil {
			t.Fatal(err)
		}
		base := geom.Frame{Pos: geom.Vector{X: 2, Y: 1.5, Z: 0.5}, Rot: geom.FromABC(1, 0, 0)}.Invert().Mul(at)
		held := geom.Frame{Pos: geom.Vector{X: 0.05, Z: 0.2}, Rot: geom.FromABC(0.3, 0.2, 0.1)}
		goal := base.Mul(moved(poseAt(point), geom.Vector{Z: -0.05}, 0, 0, 0)).Mul(held)
		if err := r.Execute(t.Context(), robotics.NewCommand(arm, motions.LIN{To: goal, In: table}, robotics.MotionCenter{Frame: tool}, slow)); err != nil {
			t.Fatal(err)
		}
		there := base.Mul(poseAt(c.Where("kr16"))).Mul(held)
		if !there.Near(goal, 1e-5, 1e-5) {
			t.Errorf("at %v, not at %v", there, goal)
		}
	}
}

// TestCIRC: an arc keeps its radius, also when it is cancelled.
func TestCIRC(t *testing.T) {
	for name, cancelled := range map[string]bool{"done": false, "cancelled": true} {
		t.Run(name, func(t *testing.T) {
			c := cells.New(t)
			arm := kr16()
			start := poseAt(point)
			center := start.Pos.Add(geom.Vector{Y: 0.2})
			via, goal := center.Add(geom.Vector{X: -0.2}), moved(start, geom.Vector{Y: 0.4}, 0.1, 0, 0)
			come := robotics.NewCommand(arm, motions.PTP{To: point})
			arc := robotics.NewCommand(arm, motions.CIRC{From: start, Via: via, To: goal, In: arm.Base()}, slow)
			both := robotics.Sequence(come, arc)
			if cancelled {
				both.OnEntered(arc.State(motions.Passed(0.3)), robotics.Cancel(arc))
			}
			r := trace(t, c, both, states{"arc": arc.Started()}, place(arm.Flange(), arm.Base()))
			var way []geom.Vector
			for r.Step() {
				if !r.Is("arc") {
					continue
				}
				way = append(way, placed(r))
				if d := placed(r).Sub(center).Length(); math.Abs(d-0.2) > 1e-6 {
					t.Fatalf("cycle %d: %v from the centre", r.Cycle, d)
				}
			}
			limited(t, way, slow.Vel, slow.Acc)
			left := way[len(way)-1].Sub(goal.Pos).Length()
			if r.Is("failed") || !cancelled && left > 1e-6 || cancelled && left < 0.2 {
				t.Errorf("ends %v before the goal: %v", left, r.Values)
			}
		})
	}
}

func TestSpline(t *testing.T) {
	c := cells.New(t)
	arm := kr16()
	start := poseAt(point)
	through := []geom.Frame{start}
	for _, by := range []geom.Vector{{X: -0.1, Y: 0.1}, {Y: 0.2, Z: 0.05}, {X: -0.05, Y: 0.3}} {
		through = append(through, moved(start, by, 0.1, 0, 0))
	}
	come := robotics.NewCommand(arm, motions.PTP{To: point})
	curve := robotics.NewCommand(arm, motions.Spline{Through: through, In: arm.Base()}, slow)
	r := trace(t, c, robotics.Sequence(come, curve), states{"curve": curve.Started()}, place(arm.Flange(), arm.Base()))
	nearest := []float64{1, 1, 1, 1}
	var way []geom.Vector
	for r.Step() {
		if r.Is("curve") {
			way = append(way, placed(r))
			for i := range through {
				nearest[i] = min(nearest[i], placed(r).Sub(through[i].Pos).Length())
			}
		}
	}
	for i, d := range nearest {
		if d > 1e-3 {
			t.Errorf("passes frame %d at %v", i, d)
		}
	}
	if r.Is("failed") {
		t.Errorf("failed: %v", r.Values)
	}
	limited(t, way, slow.Vel, slow.Acc)
}

// TestNotAtTheBeginning: a motion whose way begins elsewhere moves nothing.
func TestNotAtTheBeginning(t *testing.T) {
	c := cells.New(t)
	arm := kr16()
	away := moved(poseAt(point), geom.Vector{}, 0.1, 0, 0)
	for _, action := range []robotics.Action{
		motions.CIRC{From: away, Via: away.Pos.Add(geom.Vector{X: 0.1}), To: moved(away, geom.Vector{Y: 0.1}, 0, 0, 0), In: arm.Base()},
		motions.Spline{Through: []geom.Frame{away, poseAt(point)}, In: arm.Base()},
	} {
		command := robotics.NewCommand(arm, action)
		before := c.Where("kr16")
		if got, want := trace(t, c, command, nil, nil).Spans(10, "failed"), "failed 1, end 1"; got != want {
			t.Errorf("%v: %s", action, got)
		}
		if after := c.Where("kr16"); !near(before, after, 0) {
			t.Errorf("%v: moved to %v", action, after)
		}
	}
}

// TestUnreachable: an arm that cannot go on along a line fails: at the edge of what it can reach its joints would have to be too
// fast. Only of a frame that may move it is unknown beforehand.
func TestUnreachable(t *testing.T) {
	c := cells.New(t).Free()
	arm := kr16()
	r := c.Connect()
	raft := world.NewFrame("raft")
	if _, err := world.Couple(arm.Base(), raft, calm{}); err != nil {
		t.Fatal(err)
	}
	err := r.Execute(t.Context(), robotics.Sequence(
		robotics.NewCommand(arm, motions.PTP{To: point}),
		robotics.NewCommand(arm, motions.LIN{To: moved(poseAt(point), geom.Vector{X: 3}, 0, 0, 0), In: raft}),
	))
	if err == nil || !contains(err, robotics.FaultRefused) {
		t.Errorf("%v", err)
	}
}

// calm couples frames that are where each other is.
type calm struct{}

func (calm) MapCoupling(m *mapping.Net) graph.Signal[geom.Frame] {
	return graph.Const(m.Graph, geom.Frame{})
}

// contains reports whether a command has failed with a fault.
func contains(err error, fault string) bool {
	var failed *robotics.FailedError
	return errors.As(err, &failed) && slices.ContainsFunc(failed.Faults, func(f *robotics.FaultError) bool { return f.Fault == fault })
}
