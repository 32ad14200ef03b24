package main

import (
	"context"
	"fmt"

	"github.com/softrobot-rcc/rccd/examples/internal/program"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/motions"
	"github.com/softrobot-rcc/rccd/tools/picture"
)

// arm is one of the two, and where its line begins.
type arm struct {
	*actuator.Arm
	start []float64
	here  geom.Frame
}

func newArm(device string, model *kinematics.Arm, start ...float64) *arm {
	return &arm{actuator.NewArm(device, model), start, model.Forward(start)}
}

// pair are both.
type pair struct {
	ctx         context.Context //nolint:containedctx // of the program, of which this is a part
	robot       *robotics.Runtime
	left, right *arm
	record      *program.Recording
}

func newPair(ctx context.Context, robot *robotics.Runtime) *pair {
	return &pair{
		ctx: ctx, robot: robot,
		left:  newArm("tx90", robots.TX90L(), -0.3, 0.5, 1.5, 0, 0.5, 0),
		right: newArm("kr16", robots.KR16(), 0.25, -1.5, 1.5, 0, 1, 0),
	}
}

// home brings both to where their lines begin, and begins to record.
func (p *pair) home() (err error) {
	if err := p.robot.Execute(p.ctx, robotics.Parallel(
		robotics.NewCommand(p.left, motions.PTP{To: p.left.start}), robotics.NewCommand(p.right, motions.PTP{To: p.right.start}),
	)); err != nil {
		return err
	}
	mm := robotics.Mul(robotics.Constant(1000.0), p.apart()) //nolint:mnd // m
	p.record, err = program.Record(p.ctx, p.robot, mm, robotics.Component(robotics.Position(p.left.MeasuredPose()), robotics.Y))
	return err
}

// The limits of §11.2.1, and how long the lines are.
var limits = robotics.CartesianLimits{Vel: 2, Acc: 10, Jerk: 100, RotVel: 2, RotAcc: 10, RotJerk: 100}

const stroke = 0.5 // m

// line returns the motion of one of them, there or back.
func (p *pair) line(a *arm, far bool) robotics.Command {
	to := a.here
	if far {
		to.Pos.Y += stroke
	}
	return robotics.NewCommand(a, motions.LIN{To: to, In: a.Base()}, limits)
}

// preview prints how long both lines take, or what would go wrong.
func (p *pair) preview() error {
	foreseen, err := p.robot.Preview(p.ctx, robotics.Parallel(p.line(p.left, true), p.line(p.right, true)))
	if err == nil {
		err = foreseen.Err()
	}
	if err != nil {
		return err
	}
	fmt.Printf("preview: a line takes %.3f s, and violates no limit\n", foreseen.Duration.Seconds())
	return nil
}

// asOne starts one command that consists of two.
func (p *pair) asOne(one, other robotics.Command) ([]*robotics.Handle, error) {
	h, err := p.robot.Start(p.ctx, robotics.Parallel(one, other))
	return []*robotics.Handle{h}, err
}

// byRule has the daemon start two commands at once (§6.2).
func (p *pair) byRule(one, other robotics.Command) (both []*robotics.Handle, err error) {
	for _, c := range []robotics.Command{one, other} {
		h, err := p.robot.Load(p.ctx, c)
		if err != nil {
			return nil, err
		}
		both = append(both, h)
	}
	_, err = p.robot.Synchronize(p.ctx, robotics.Now, robotics.Switch{Start: both})
	return both, err
}

// inTurn starts two commands.
func (p *pair) inTurn(one, other robotics.Command) (both []*robotics.Handle, err error) {
	for _, c := range []robotics.Command{one, other} {
		h, err := p.robot.Start(p.ctx, c)
		if err != nil {
			return nil, err
		}
		both = append(both, h)
	}
	return both, nil
}

// draw draws how far the flanges were apart.
func (p *pair) draw() error {
	if err := p.record.Stop(p.ctx); err != nil {
		return err
	}
	return program.Save(&picture.Figure{
		Name: "synchronised", Title: "Two arms: one command, one rule, one after the other", Duration: p.record.Duration(),
		Panels: []picture.Panel{
			{Label: "apart, mm", Curves: []picture.Curve{p.record.Curve("", 0)}},
			{Label: "moved, m", Curves: []picture.Curve{p.record.Curve("", 1)}},
		},
	})
}
