// Contact moves an arm down until it touches something: as soon as the force at its tip is above 15 N, it stops, and then says how far it
// has come. Where nothing is it says so. Nothing stands below a simulated robot; while it searches, be the table yourself:
//
//	curl -d 'what=tip 0 0 25 0 0 0' http://127.0.0.1:8080/devices/lwr/happen
//
// Output:
//
//	searching
//	contact after 8 cm
package main

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/examples/internal/program"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

var errNothing = errors.New("nothing is there")

func main() { program.Main(search) }

func search(ctx context.Context, robot *robotics.Runtime) error {
	arm := actuator.NewLightweight("lwr", robots.LWR4())
	start := []float64{0, 0.5, 0, 1.5, 0, 1.1, 0}
	above := robots.LWR4().Forward(start)
	below := above
	below.Pos.Z -= 0.15
	down := robotics.NewCommand(arm, motions.LIN{To: below, In: arm.Base()}, robotics.CartesianLimits{
		Vel: 0.02, Acc: 0.5, Jerk: 10, RotVel: 0.5, RotAcc: 2, RotJerk: 40,
	})
	touched := false
	contact := robotics.Above(robotics.Length(arm.Force()), 15.0)
	down.OnFirstEntered(contact, robotics.Cancel(down), robotics.External(func() { touched = true }))
	down.OnFirstEntered(down.Active(), robotics.External(func() { fmt.Println("searching") }))

	if err := robot.Execute(ctx, robotics.Sequence(robotics.NewCommand(arm, motions.PTP{To: start}), down)); err != nil {
		return err
	}
	if !touched {
		return errNothing
	}
	at, err := robotics.Value(ctx, robot, robotics.Pose(arm.Flange(), arm.Base()))
	fmt.Printf("contact after %.0f cm\n", math.Round(100*(above.Pos.Z-at.Pos.Z)))
	return err
}
