// Sensorstop cancels a motion by a sensor (§10.1.1): as soon as the first joint is measured beyond 0.5 rad, the arm brakes. The daemon
// looks at the sensor in every cycle, and does it by itself.
//
// Output:
//
//	beyond 0.5 rad
//	at rest before 1 rad: true
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
	begin := robotics.NewCommand(arm, motions.PTP{To: []float64{0, -1.5, 1.5, 0, 1, 0}})

	turn := robotics.NewCommand(arm, motions.PTP{To: []float64{2, -1.5, 1.5, 0, 1, 0}}, robotics.Speed(0.5))
	beyond := robotics.Above(arm.Measured(0), 0.5)
	turn.OnEntered(beyond, robotics.Cancel(turn), robotics.External(func() { fmt.Println("beyond 0.5 rad") }))

	if err := robot.Execute(ctx, robotics.Sequence(begin, turn)); err != nil {
		return err
	}
	at, err := robotics.Value(ctx, robot, arm.Commanded(0))
	fmt.Println("at rest before 1 rad:", at > 0.5 && at < 1)
	return err
}
