// Twoarms lifts two arms on lines that begin in the same cycle. They are one command: if one of the arms cannot go on, the other one
// comes to rest as well, without any help of the application.
//
// Output:
//
//	both begin
//	both are at rest
//	one without the other: 0 times
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

func main() { program.Main(lift) }

func lift(ctx context.Context, robot *robotics.Runtime) error {
	left, right := actuator.NewArm("kr16", robots.KR16()), actuator.NewArm("tx90", robots.TX90L())
	low, bent := []float64{0, -1.5, 1.5, 0, 1, 0}, []float64{0, 0.5, 1.5, 0, 0.5, 0}
	below := robotics.Parallel(
		robotics.NewCommand(left, motions.PTP{To: low}), robotics.NewCommand(right, motions.PTP{To: bent}),
	)
	highLeft, highRight := robots.KR16().Forward(low), robots.TX90L().Forward(bent)
	highLeft.Pos.Z += 0.1
	highRight.Pos.Z += 0.1
	one := robotics.NewCommand(left, motions.LIN{To: highLeft, In: left.Base()})
	other := robotics.NewCommand(right, motions.LIN{To: highRight, In: right.Base()})
	both := robotics.Parallel(one, other)

	alone := 0
	apart := robotics.Or(
		robotics.And(one.Started(), robotics.Not(other.Started())), robotics.And(other.Started(), robotics.Not(one.Started())),
	)
	both.OnEntered(apart, robotics.External(func() { alone++ }))
	both.OnFirstEntered(robotics.And(one.Started(), other.Started()), robotics.External(func() { fmt.Println("both begin") }))
	both.OnFirstEntered(robotics.And(one.Completed(), other.Completed()), robotics.External(func() { fmt.Println("both are at rest") }))

	if err := robot.Execute(ctx, robotics.Sequence(below, both)); err != nil {
		return err
	}
	fmt.Printf("one without the other: %d times\n", alone)
	return nil
}
