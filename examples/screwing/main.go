// Screwing drives a screw, as robots of chapter 11 do: the arm comes down until it feels the head, then presses on it with 15 N and turns to
// the right until the screw resists with 2 Nm. Springs hold its tip, so that it follows the screw down. Each time they are
// exchanged for position control, the arm has been commanded to where it is, so that it neither jumps nor presses any more.
//
// Output:
//
//	looking for the screw
//	turning
//	tight after 268°
package main

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/examples/internal/program"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

var (
	soft = actuator.CartesianImpedance{Stiffness: geom.Wrench{Force: geom.Vector{X: 2000, Y: 2000, Z: 500}}}
	slow = robotics.CartesianLimits{Vel: 0.01, Acc: 0.2, Jerk: 5, RotVel: 0.5, RotAcc: 2, RotJerk: 20}

	above = []float64{0, 0.6, 0, -1.5, 0, math.Pi - 2.1, -2.8} // the screwdriver points down, and has been turned to the left

	errLoose = errors.New("the screw does not get tight")
)

func main() { program.Main(screw) }

func screw(ctx context.Context, robot *robotics.Runtime) error {
	arm := actuator.NewLightweight("driver", robots.LWR4())
	by := func(z float64) motions.LINBy {
		return motions.LINBy{By: geom.Frame{Pos: geom.Vector{Z: z}}, In: arm.Flange()}
	}

	down := robotics.NewCommand(arm, by(0.04), slow)
	down.OnFirstEntered(down.Active(), robotics.External(func() { fmt.Println("looking for the screw") }))
	down.OnFirstEntered(robotics.Above(robotics.Length(arm.Force()), 5.0), robotics.Cancel(down))
	if err := robot.Execute(ctx, robotics.Sequence(robotics.NewCommand(arm, motions.PTP{To: above}), arm.Yield(soft, down))); err != nil {
		return err
	}
	found, err := robotics.Value(ctx, robot, arm.MeasuredPose())
	if err != nil {
		return err
	}
	turned, err := robotics.Value(ctx, robot, arm.CommandedAll())
	if err != nil {
		return err
	}

	turned[6] = 2.8
	press, tight := soft, false
	press.Force.Force.Z = 15 // along the tool, which is down
	turn := robotics.NewCommand(arm, motions.PTP{To: turned}, robotics.Speed(0.2), actuator.Under{Control: press})
	turn.OnFirstEntered(turn.Active(), robotics.External(func() { fmt.Println("turning") }))
	resists := robotics.Above(robotics.Abs(robotics.Component(arm.Moment(), robotics.Z)), 2.0)
	turn.OnFirstEntered(resists, robotics.Cancel(turn), robotics.External(func() { tight = true }))
	height := robotics.Component(robotics.Position(arm.MeasuredPose()), robotics.Z)
	turn.OnFirstEntered(robotics.Below(height, found.Pos.Z-0.003), robotics.Cancel(turn)) // it has slipped off, or fallen through
	if err := robot.Execute(ctx, robotics.Sequence(arm.Yield(soft, turn), robotics.NewCommand(arm, by(-0.04), slow))); err != nil {
		return err
	}
	if !tight {
		return errLoose
	}
	angle, err := robotics.Value(ctx, robot, arm.Measured(6))
	fmt.Printf("tight after %.0f°\n", (angle-above[6])*180/math.Pi)
	return err
}
