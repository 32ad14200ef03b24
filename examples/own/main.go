// Own has an arm swing a tool while a lamp is red. The sensor, the action, the actuator and what converts between them are types of
// this program (swing.go, lamp.go): nothing has to be registered, and the daemon knows nothing of them.
//
// Output:
//
//	it swings
//	the lamp is green: true
package main

import (
	"context"
	"fmt"
	"time"

	"github.com/softrobot-rcc/rccd/examples/internal/program"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

func main() { program.Main(work) }

func work(ctx context.Context, robot *robotics.Runtime) error {
	arm := actuator.NewArm("kr16", robots.KR16())
	lamp := Lamp{Red: robotics.DigitalOutput{Device: "io", Port: 2}, Green: robotics.DigitalOutput{Device: "io", Port: 3}}

	swing := robotics.NewCommand(arm, Swing{Joint: 5, Amplitude: 0.05, Frequency: 2})
	swing.OnEntered(robotics.Long(swing.Active(), time.Second), robotics.Cancel(swing))
	all := robotics.Sequence(
		robotics.NewCommand(lamp, Show{Red: true}), swing, robotics.NewCommand(lamp, Show{Green: true}),
	)
	far := robotics.Above(Turned{arm, 5}, 0.045)
	all.OnFirstEntered(far, robotics.External(func() { fmt.Println("it swings") }))

	home := robotics.NewCommand(arm, motions.PTP{To: []float64{0, -1.5, 1.5, 0, 1, 0}})
	if err := robot.Execute(ctx, robotics.Sequence(home, all)); err != nil {
		return err
	}
	green, err := robotics.Value(ctx, robot, lamp.Green)
	fmt.Println("the lamp is green:", green)
	return err
}
