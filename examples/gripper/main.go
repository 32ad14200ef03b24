// Gripper opens a gripper (listing 10.1): it opens while an output is on, and says by an input when it is open. The output is
// switched off in any case, also when the whole is cancelled: otherwise its motor would go on.
//
// Output:
//
//	it opens
//	it is open
//	the motor is off
package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/softrobot-rcc/rccd/examples/internal/program"
	"github.com/softrobot-rcc/rccd/robotics"
)

var (
	outOpen    = robotics.DigitalOutput{Device: "io", Port: 0}
	inFinished = robotics.DigitalInput{Device: "io", Port: 1}
)

func main() { program.Main(open) }

func open(ctx context.Context, robot *robotics.Runtime) error {
	gripper, err := robot.Start(ctx, simulation())
	if err != nil {
		return err
	}
	setHigh := robotics.NewCommand(outOpen, robotics.SetDigital{Value: true})
	wait := robotics.NewWaitForCancel()
	setLow := robotics.NewCommand(outOpen, robotics.SetDigital{Value: false})

	all := robotics.NewTransaction(wait, setLow)
	all.AddStart(setHigh)
	all.OnFirstEntered(setHigh.Completed(), robotics.Start(wait))
	all.OnFirstEntered(wait.Completed(), robotics.Start(setLow))
	all.OnFirstEntered(robotics.Or(robotics.IsTrue(inFinished), all.Cancelled()), robotics.Cancel(wait))

	all.OnFirstEntered(setHigh.Completed(), say("it opens"))
	all.OnFirstEntered(robotics.IsTrue(inFinished), say("it is open"))
	all.OnFirstEntered(setLow.Completed(), say("the motor is off"))
	return errors.Join(robot.Execute(ctx, all), gripper.Cancel(ctx), gripper.Wait(ctx))
}

func say(text string) robotics.Effect { return robotics.External(func() { fmt.Println(text) }) }

// simulation returns the gripper itself: when the output has been on for half a second, it is open.
func simulation() robotics.Command {
	moves := robotics.NewWaitForCancel()
	moves.OnEntered(robotics.Long(robotics.IsTrue(outOpen), time.Second/2), robotics.Cancel(moves))
	isOpen := robotics.DigitalOutput{Device: "io", Port: 1} // in this cell, what is written there is read at the input
	return robotics.Sequence(
		robotics.NewCommand(isOpen, robotics.SetDigital{Value: false}), moves, robotics.NewCommand(isOpen, robotics.SetDigital{Value: true}),
	)
}
