package main

import (
	"context"
	"math"

	"github.com/softrobot-rcc/rccd/examples/internal/program"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/activity"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/motions"
	"github.com/softrobot-rcc/rccd/robotics/world"
	"github.com/softrobot-rcc/rccd/tools/picture"
)

// team is two robots that stand opposite of each other, and what they carry.
type team struct {
	ctx         context.Context //nolint:containedctx // of the program, of which this is a part
	robot       *robotics.Runtime
	left, right *actuator.Lightweight
	grips       [2]*world.Frame // the middle of the container, as each of them holds it
	table       *world.Frame    // where that is at the beginning
	both        *activity.Robot

	leftGrip, rightGrip, apartBases geom.Frame
	ground                          float64 // height of the middle of the container on the table
}

// Where both begin: pointing down, with the container between them.
var start = []float64{0, 0.3, 0, -1.5, 0, math.Pi - 1.8, 0}

const (
	wide = 0.4    // m, the container
	mm   = 1000.0 // of a metre
)

func newTeam(ctx context.Context, robot *robotics.Runtime) (*team, error) {
	model := robots.LWR4()
	t := &team{ctx: ctx, robot: robot, left: actuator.NewLightweight("lwr", model), right: actuator.NewLightweight("holder", model)}
	at := model.Forward(start)
	// The bases are turned to each other, and as far apart as both reach, and the container is wide.
	t.apartBases = geom.Frame{Pos: geom.Vector{X: 2*at.Pos.X - wide}, Rot: geom.FromABC(math.Pi, 0, 0)}
	middle := geom.Frame{Pos: at.Pos.Add(geom.Vector{X: -wide / 2})}
	t.ground = middle.Pos.Z
	t.leftGrip = at.Invert().Mul(middle)
	t.rightGrip = t.apartBases.Mul(at).Invert().Mul(middle)
	if _, err := world.Relate(t.left.Base(), t.right.Base(), t.apartBases); err != nil {
		return nil, err
	}
	t.grips = [2]*world.Frame{t.left.Flange().Place("left grip", t.leftGrip), t.right.Flange().Place("right grip", t.rightGrip)}
	t.table = t.left.Base().Place("table", middle)
	arms := actuator.NewMultiArm("team", []actuator.Carrier{{Arm: t.left.Arm, By: t.grips[0]}, {Arm: t.right.Arm, By: t.grips[1]}})
	t.both = activity.NewMultiArm(arms, activity.NewRobot(robot, t.left.Arm), activity.NewRobot(robot, t.right.Arm))
	return t, nil
}

func (t *team) home() robotics.Command {
	to := motions.PTP{To: start}
	return robotics.Parallel(robotics.NewCommand(t.left, to), robotics.NewCommand(t.right, to))
}

var limits = robotics.CartesianLimits{Vel: 0.3, Acc: 0.8, Jerk: 8, RotVel: 0.5, RotAcc: 1, RotJerk: 10}

// ways are where the container goes, seen from the table.
var ways = []geom.Frame{
	{Pos: geom.Vector{Z: 0.12}},
	{Pos: geom.Vector{Y: 0.15, Z: 0.12}, Rot: geom.FromABC(0.15, 0, 0)},
	{Pos: geom.Vector{Y: 0.15}, Rot: geom.FromABC(0.15, 0, 0)},
}

// back is where it comes from.
var back = []geom.Frame{ways[1], ways[0], {}}

// asOne says each motion once, to both.
func (t *team) asOne() error {
	const share = 0.8
	var motions []activity.Activity
	for i, to := range append(ways[:len(ways):len(ways)], back...) {
		m := t.both.Lin(to, t.table, limits)
		if i+1 != len(ways) && i+1 != len(ways)+len(back) { // there it is put down
			m = m.Blend(share)
		}
		motions = append(motions, m)
	}
	return activity.Sequence(motions...).Execute(t.ctx)
}

// byLines tells both the same lines, each with its own grip: from line to line both come to rest.
func (t *team) byLines() error {
	var lines []robotics.Command
	for _, to := range append(ways[:len(ways):len(ways)], back...) {
		line := motions.LIN{To: to, In: t.table}
		lines = append(lines, robotics.Parallel(
			robotics.NewCommand(t.left, line, robotics.MotionCenter{Frame: t.grips[0]}, limits),
			robotics.NewCommand(t.right, line, robotics.MotionCenter{Frame: t.grips[1]}, limits),
		))
	}
	return t.robot.Execute(t.ctx, robotics.Sequence(lines...))
}

// apart returns how far the grips are from each other, which should be the same place, mm.
func (t *team) apart() robotics.Sensor[float64] {
	return robotics.Length(robotics.Derived(func(m *mapping.Net) graph.Signal[geom.Vector] {
		one := robotics.Read(m, robotics.Position(grip(t.left, geom.Frame{}, t.leftGrip)))
		other := robotics.Read(m, robotics.Position(grip(t.right, t.apartBases, t.rightGrip)))
		p := m.Add("World::VectorScale").Set("Factor", mm).Link("inValue", program.Way(m, one, other).Port)
		return mapping.Link[geom.Vector](p, "outValue")
	}))
}

// height returns the height of the container above the table, mm.
func (t *team) height() robotics.Sensor[float64] {
	z := robotics.Component(robotics.Position(grip(t.left, geom.Frame{}, t.leftGrip)), robotics.Z)
	return robotics.Mul(robotics.Constant(mm), robotics.Sub(z, robotics.Constant(t.ground)))
}

// grip returns where something is that an arm holds, as its joints are measured.
func grip(arm *actuator.Lightweight, base, by geom.Frame) robotics.Sensor[geom.Frame] {
	return robotics.Derived(func(m *mapping.Net) graph.Signal[geom.Frame] {
		return m.Mul(graph.Const(m.Graph, base), robotics.Read(m, arm.MeasuredPose()), graph.Const(m.Graph, by))
	})
}

func show(record *program.Recording) error {
	return program.Save(&picture.Figure{
		Name: "container", Title: "Two arms carry a container: as one robot, then each its own lines", Duration: record.Duration(),
		Panels: []picture.Panel{
			{Label: "grips apart, mm", Curves: []picture.Curve{record.Curve("", 0)}},
			{Label: "height, mm", Curves: []picture.Curve{record.Curve("", 1)}},
		},
	})
}
