// Twomotions executes two motions in one real-time context (§10.1.1): the second one begins in the cycle after the last one of the
// first, whatever the application, the network and the operating system do.
//
// Output:
//
//	the first one is over
//	the second one is over
//	pauses between them: 0
package main

import (
	"context"
	"fmt"

	"github.com/softrobot-rcc/rccd/examples/internal/program"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

func main() { program.Main(move) }

func move(ctx context.Context, robot *robotics.Runtime) error {
	arm := actuator.NewArm("kr16", robots.KR16())
	first := robotics.NewCommand(arm, motions.PTP{To: []float64{0.5, -1.2, 1.2, 0.5, 0.5, 0.5}})
	second := robotics.NewCommand(arm, motions.PTP{To: []float64{-0.5, -1.5, 1.5, 0, 1, 0}})

	both := robotics.NewTransaction(first, second)
	both.AddStart(first)
	both.OnFirstEntered(first.Completed(), robotics.Start(second))
	both.OnFirstEntered(first.Completed(), robotics.External(func() { fmt.Println("the first one is over") }))
	both.OnFirstEntered(second.Completed(), robotics.External(func() { fmt.Println("the second one is over") }))

	pauses := 0
	pause := robotics.And(first.Completed(), robotics.Not(first.Active()), robotics.Not(second.Started()))
	both.OnEntered(pause, robotics.External(func() { pauses++ }))
	if err := robot.Execute(ctx, both); err != nil {
		return err
	}
	fmt.Println("pauses between them:", pauses)
	return nil
}
