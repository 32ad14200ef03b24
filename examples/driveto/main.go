// Driveto brings a mobile base to a shelf. Where the shelf is, is known as seen from the hall, and so is where the base counts its way
// from: what lies between the two becomes part of the net.
//
// Output:
//
//	at the shelf: true
package main

import (
	"context"
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/examples/internal/program"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/motions"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

func main() { program.Main(drive) }

func drive(ctx context.Context, robot *robotics.Runtime) error {
	base := actuator.NewBase("base")
	hall := world.NewFrame("hall")
	if _, err := world.Relate(hall, base.Origin(), geom.Frame{Pos: geom.Vector{X: 2, Y: 1}}); err != nil {
		return err
	}
	shelf := geom.Frame{Pos: geom.Vector{X: 3, Y: 1.5}, Rot: geom.FromABC(math.Pi/2, 0, 0)}
	goal := robotics.NewCommand(base, motions.DriveTo{To: shelf, In: hall}, actuator.BaseLimits{Vel: 0.5, RotVel: 0.6})
	if err := robot.Execute(ctx, goal); err != nil {
		return err
	}
	at, err := robotics.Value(ctx, robot, robotics.Pose(base.Body(), hall))
	if err != nil {
		return err
	}
	const tolerance = 0.011 // m and rad: the controller of a base is satisfied with about a centimetre
	fmt.Println("at the shelf:", at.Near(shelf, tolerance, tolerance))
	return nil
}
