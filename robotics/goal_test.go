package robotics_test

import (
	"math"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/motions"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// clock returns a sensor of the time of a net.
func clock() robotics.Sensor[float64] {
	return robotics.Derived(func(m *mapping.Net) graph.Signal[float64] {
		return mapping.Link[float64](m.Add("Core::Clock"), "outValue")
	})
}

// after returns the state in which a time has passed since the beginning of a net.
func after(d time.Duration) robotics.State { return robotics.Above(clock(), d.Seconds()) }

// cancelAfter makes a command that cancels another one.
func cancelAfter(c robotics.Command, d time.Duration) robotics.Command {
	c.OnEntered(after(d), robotics.Cancel(c))
	return c
}

// TestJogJoints: joints turn as fast as commanded, and come to rest before their limits and when the command is cancelled.
func TestJogJoints(t *testing.T) {
	c := cells.New(t)
	arm := kr16()
	speeds := []robotics.Sensor[float64]{
		robotics.Constant(0.5), robotics.Constant(5.0), robotics.Constant(0.0), robotics.Constant(-0.2), robotics.Constant(0.0), robotics.Constant(0.0),
	}
	jog := cancelAfter(robotics.NewCommand(arm, motions.JogJoints{Velocities: speeds}), 2500*time.Millisecond)
	r := trace(t, c, jog, nil, values{"q0": last(arm, 0), "q1": last(arm, 1), "q3": last(arm, 3)})
	start := c.Where("kr16")
	var before, fastest float64
	for r.Step() {
		if r.Cycle > 1 {
			fastest = max(fastest, (r.Number("q0")-before)/period.Seconds())
		}
		before = r.Number("q0")
	}
	if r.Is("failed") || math.Abs(fastest-0.5) > 1e-6 {
		t.Errorf("fastest %v, %v", fastest, r.Values)
	}
	if most := arm.Joint(1).Max; r.Number("q1") > most || r.Number("q1") < most-0.01 {
		t.Errorf("joint at %v, but its limit is %v", r.Number("q1"), most)
	}
	if way := r.Number("q3") - start[3]; math.Abs(way+0.5) > 0.02 {
		t.Errorf("turned by %v", way)
	}
}

// TestJog: the tool moves along axes of a frame.
func TestJog(t *testing.T) {
	c := cells.New(t)
	arm := kr16()
	table := arm.Base().Place("table", geom.Frame{Rot: geom.FromABC(math.Pi/2, 0, 0)})
	come := robotics.NewCommand(arm, motions.PTP{To: point})
	jog := robotics.NewCommand(arm, motions.Jog{Velocity: robotics.Constant(geom.Twist{Vel: geom.Vector{X: 0.1}}), In: table}, slow)
	both := robotics.Sequence(come, jog)
	jog.OnEntered(robotics.Long(jog.Active(), time.Second), robotics.Cancel(jog))
	r := trace(t, c, both, states{"jog": jog.Active()}, place(arm.Flange(), arm.Base()))
	var way []geom.Vector
	for r.Step() {
		if r.Is("jog") {
			way = append(way, placed(r))
		}
	}
	limited(t, way, 0.1, slow.Acc)
	if by := way[len(way)-1].Sub(way[0]); r.Is("failed") || math.Abs(by.Y-0.1) > 0.02 || math.Hypot(by.X, by.Z) > 1e-6 {
		t.Errorf("moved by %v: %v", by, r.Values)
	}
}

// TestFollowJoints: goals that jump are followed within the limits.
func TestFollowJoints(t *testing.T) {
	c := cells.New(t)
	arm := kr16()
	at := c.Where("kr16")
	goals := make([]robotics.Sensor[float64], 6)
	for i := range goals {
		goals[i] = robotics.Constant(at[i])
	}
	jump := robotics.Derived(func(m *mapping.Net) graph.Signal[float64] {
		return graph.If(graph.Greater(robotics.Read(m, clock()), m.Real(0.5)), m.Real(0.3), m.Real(0.1))
	})
	goals[0] = jump
	follow := cancelAfter(robotics.NewCommand(arm, motions.FollowJoints{Goals: goals}), 2*time.Second)
	r := trace(t, c, follow, nil, values{"q0": last(arm, 0)})
	reached := 0
	for r.Step() {
		if r.Cycle == 250 && math.Abs(r.Number("q0")-0.1) < 1e-9 {
			reached++
		}
	}
	if r.Is("failed") || reached != 1 || math.Abs(r.Number("q0")-0.3) > 1e-9 {
		t.Errorf("%d: %v", reached, r.Values)
	}
}

// TestCartesianHold: an arm holds its tool where it is, seen from the flange of another arm that moves.
func TestCartesianHold(t *testing.T) {
	c := cells.New(t)
	holder, guide := kr16(), actuator.NewArm("tx90", robots.TX90L())
	if _, err := world.Relate(guide.Base(), holder.Base(), geom.Frame{Pos: geom.Vector{X: 1.5}}); err != nil {
		t.Fatal(err)
	}
	at := c.Where("tx90")
	at[0] += 0.1
	hold := robotics.NewCommand(holder, motions.CartesianHold{In: guide.Flange()})
	move := robotics.NewCommand(guide, motions.PTP{To: at}, robotics.Speed(0.05))
	both := robotics.NewTransaction(hold, move)
	come := robotics.NewCommand(holder, motions.PTP{To: point})
	both.AddStart(come)
	both.OnEntered(come.Completed(), robotics.Start(hold), robotics.Start(move))
	wait := robotics.NewWait(time.Second)
	both.Add(wait)
	both.OnEntered(move.Completed(), robotics.Start(wait))
	both.OnEntered(wait.Completed(), robotics.Cancel(hold))
	r := trace(t, c, both, states{"hold": hold.Active()}, place(holder.Flange(), guide.Flange()))
	var first geom.Vector
	most, held := 0.0, 0
	for r.Step() {
		if !r.Is("hold") {
			continue
		}
		if held++; held == 1 {
			first = placed(r)
		}
		most = max(most, placed(r).Sub(first).Length())
	}
	if left := placed(r).Sub(first).Length(); r.Is("failed") || held < 500 || most > 0.05 || left > 1e-6 {
		t.Errorf("held for %d cycles, %v away at most, %v in the end: %v", held, most, left, r.Values)
	}
}

// TestJointHold: joints that are held stay.
func TestJointHold(t *testing.T) {
	c := cells.New(t)
	arm := kr16()
	before := c.Where("kr16")
	hold := cancelAfter(robotics.NewCommand(arm, motions.JointHold{}), 101*time.Millisecond)
	if got, want := trace(t, c, hold, states{"a": hold.Active()}, nil).Spans(100, "a", "failed"), "a 1-52, failed, end 52"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	if at := c.Where("kr16"); !near(at, before, 0) {
		t.Errorf("moved to %v", at)
	}
}

// TestOutputs: outputs follow commands and sensors.
func TestOutputs(t *testing.T) {
	c := cells.New(t)
	out, in := robotics.DigitalOutput{Device: "io", Port: 1}, robotics.DigitalInput{Device: "io", Port: 1}
	level, copied := robotics.AnalogOutput{Device: "io", Port: 2}, robotics.AnalogOutput{Device: "io", Port: 3}
	on, off := robotics.NewCommand(out, robotics.SetDigital{Value: true}), robotics.NewCommand(out, robotics.SetDigital{Value: false})
	set := robotics.NewCommand(level, robotics.SetAnalog{Value: 1.5})
	twice := cancelAfter(robotics.NewCommand(copied, robotics.FollowAnalog{
		Value: robotics.Mul[float64](robotics.AnalogInput{Device: "io", Port: 2}, robotics.Constant(2.0)),
	}), 20*time.Millisecond)
	lamp := cancelAfter(robotics.NewCommand(robotics.DigitalOutput{Device: "io", Port: 4}, robotics.FollowDigital{Value: in}), 30*time.Millisecond)
	all := robotics.Parallel(robotics.Sequence(on, set, robotics.NewWait(10*time.Millisecond), off), twice, lamp)
	r := trace(t, c, all, states{
		"in": robotics.IsTrue(in), "out": robotics.IsTrue(out), "lamp": robotics.IsTrue(robotics.DigitalOutput{Device: "io", Port: 4}),
		"set": robotics.Near(level, robotics.Constant(1.5), 0), "twice": robotics.Near(copied, robotics.Constant(3.0), 1e-12),
	}, nil)
	want := "in 2-8, out 2-8, lamp 3-9, set 3-17, twice 4-17, end 17"
	if got := r.Spans(100, "in", "out", "lamp", "set", "twice"); got != want {
		t.Errorf("%s\n  not %s", got, want)
	}
}

// TestGripper: a job takes its time, and another one that is cancelled ends.
func TestGripper(t *testing.T) {
	c := cells.New(t)
	hand := actuator.Gripper{Device: "gripper"}
	open := robotics.NewCommand(hand, actuator.MoveFingers{Width: 0.05, Speed: 0.1})
	home := robotics.NewCommand(hand, actuator.Home{})
	grasp := robotics.NewCommand(hand, actuator.Grasp{Width: 0.04, Speed: 0.1})
	release := robotics.NewCommand(hand, actuator.Release{Width: 0.06, Speed: 0.1})
	r := trace(t, c, robotics.Sequence(home, open, grasp, release), states{"done": open.Completed()}, values{"width": hand.Width(), "force": hand.Force()})
	at := 0.0
	for r.Step() {
		if r.Is("done") && at == 0 {
			at = r.Number("width")
		}
	}
	if math.Abs(at-0.05) > 1e-3 {
		t.Errorf("fingers at %v: %v", at, r.Values)
	}
}

// TestDriveTo: a base finds its way to a place that is seen from a frame, and brakes when it is cancelled.
func TestDriveTo(t *testing.T) {
	for name, cancelled := range map[string]bool{"done": false, "cancelled": true} {
		t.Run(name, func(t *testing.T) {
			c := cells.New(t)
			base := actuator.NewBase("base")
			hall := world.NewFrame("hall")
			if _, err := world.Relate(hall, base.Origin(), geom.Frame{Pos: geom.Vector{X: 5, Y: 3}, Rot: geom.FromABC(math.Pi/2, 0, 0)}); err != nil {
				t.Fatal(err)
			}
			goal := geom.Frame{Pos: geom.Vector{X: 5, Y: 4}, Rot: geom.FromABC(math.Pi, 0, 0)}
			drive := robotics.NewCommand(base, motions.DriveTo{To: goal, In: hall})
			if cancelled {
				cancelAfter(drive, time.Second)
			}
			r := trace(t, c, drive, nil, place(base.Body(), hall))
			way := walk(t, r, 10_000)
			limited(t, way, 0.36, 1.5)
			left := way[len(way)-1].Sub(goal.Pos).Length()
			if cancelled != (left > 0.5) || !cancelled && left > 0.011 {
				t.Errorf("ends %v before the goal", left)
			}
		})
	}
}

// TestDrive: a base drives as commanded.
func TestDrive(t *testing.T) {
	c := cells.New(t)
	base := actuator.NewBase("base")
	drive := cancelAfter(robotics.NewCommand(base, motions.Jog{
		Velocity: robotics.Constant(geom.Twist{Vel: geom.Vector{Y: 0.2}}), In: base.Origin(),
	}), 2*time.Second)
	way := walk(t, trace(t, c, drive, nil, place(base.Body(), base.Origin())), 10_000)
	if end := way[len(way)-1]; math.Abs(end.Y-0.4) > 0.02 || math.Abs(end.X) > 1e-6 {
		t.Errorf("ends at %v", end)
	}
}

// TestFollow: a tool follows a sensor, also when its value jumps beyond what the arm can do at once.
func TestFollow(t *testing.T) {
	c := cells.New(t)
	arm := kr16()
	start := poseAt(point)
	goal := robotics.Derived(func(m *mapping.Net) graph.Signal[geom.Frame] {
		late := graph.Greater(robotics.Read(m, clock()), m.Real(3))
		there := moved(start, geom.Vector{Y: 0.2, Z: -0.1}, 0.1, 0, 0)
		return graph.If(late, graph.Const(m.Graph, there), graph.Const(m.Graph, start))
	})
	come := robotics.NewCommand(arm, motions.PTP{To: point})
	follow := robotics.NewCommand(arm, motions.Follow{Goal: goal, In: arm.Base()})
	follow.OnEntered(after(5*time.Second), robotics.Cancel(follow))
	way := walk(t, trace(t, c, robotics.Sequence(come, follow), nil, place(arm.Flange(), arm.Base())), 5000)
	if at := way[len(way)-1]; at.Sub(start.Pos.Add(geom.Vector{Y: 0.2, Z: -0.1})).Length() > 1e-6 {
		t.Errorf("at %v", at)
	}
}

// TestConcurrent: two commands for one arm at the same time are a fault of both, and nothing moves.
func TestConcurrent(t *testing.T) {
	c := cells.New(t).Free()
	arm := kr16()
	before := c.Where("kr16")
	err := c.Connect().Execute(t.Context(), robotics.Parallel(
		robotics.NewCommand(arm, motions.PTP{To: point}), robotics.NewCommand(arm, motions.JointHold{}),
	))
	if !contains(err, robotics.FaultConcurrent) {
		t.Errorf("%v", err)
	}
	if at := c.Where("kr16"); !near(at, before, 1e-4) {
		t.Errorf("moved to %v", at)
	}
}

// TestOverride: motions become slower and faster on their way, and stand still.
func TestOverride(t *testing.T) {
	c := cells.New(t)
	arm := kr16()
	line := robotics.NewCommand(arm, motions.LIN{To: moved(poseAt(point), geom.Vector{Y: 0.5}, 0, 0, 0), In: arm.Base()}, slow)
	r := trace(t, c, robotics.Sequence(robotics.NewCommand(arm, motions.PTP{To: point}), line), states{"line": line.Active()}, place(arm.Flange(), arm.Base()))
	var way []geom.Vector
	for r.Step() {
		if !r.Is("line") {
			continue
		}
		way = append(way, placed(r))
		switch len(way) {
		case 400:
			r.Set("override", "0.5")
		case 700:
			r.Set("override", "0")
		case 1000:
			r.Set("override", "7") // as 1
		}
	}
	limited(t, way, slow.Vel, slow.Acc)
	for _, of := range []struct {
		cycle int
		want  float64
	}{{390, 0.25}, {690, 0.125}, {990, 0}, {1400, 0.25}} {
		if v := way[of.cycle].Sub(way[of.cycle-1]).Length() / period.Seconds(); math.Abs(v-of.want) > 1e-6 {
			t.Errorf("cycle %d: %v m/s, not %v", of.cycle, v, of.want)
		}
	}
	if r.Is("failed") || math.Abs(way[len(way)-1].Y-poseAt(point).Pos.Y-0.5) > 1e-6 {
		t.Errorf("ends at %v: %v", way[len(way)-1], r.Values)
	}
}
