package robotics_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/motions"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// demo returns a cell with simulated robots for an example, and a connection to it. Its time stands still until it is let go, and then
// passes as fast as it can.
func demo(options ...cells.Option) (robot *robotics.Runtime, letGo, closed func()) {
	c, closed := cells.Demo(options...)
	return c.Connect(), func() { c.Free() }, closed
}

// The gripper of listing 10.1: it opens while an output is on, and says by an input when it is open. The output is switched off
// also when the whole is cancelled.
func Example_gripper() {
	robot, letGo, closed := demo()
	defer closed()
	outOpen, inFinished := robotics.DigitalOutput{Device: "io", Port: 0}, robotics.DigitalInput{Device: "io", Port: 1}

	setHigh := robotics.NewCommand(outOpen, robotics.SetDigital{Value: true})
	wait := robotics.NewWaitForCancel()
	setLow := robotics.NewCommand(outOpen, robotics.SetDigital{Value: false})

	open := robotics.NewTransaction(wait, setLow)
	open.AddStart(setHigh)
	open.OnFirstEntered(setHigh.Completed(), robotics.Start(wait))
	open.OnFirstEntered(wait.Completed(), robotics.Start(setLow))
	open.OnFirstEntered(robotics.Or(robotics.IsTrue(inFinished), open.Cancelled()), robotics.Cancel(wait))

	// The gripper itself: half a second after the output is on, it is open.
	isOpen := robotics.NewCommand(robotics.DigitalOutput{Device: "io", Port: 1}, robotics.SetDigital{Value: true})
	machine := robotics.Sequence(robotics.NewWait(500*time.Millisecond), isOpen)

	both := robotics.Parallel(open, machine)
	both.OnEntered(robotics.IsTrue(outOpen), robotics.External(func() { fmt.Println("it opens") }))
	both.OnEntered(wait.Completed(), robotics.External(func() { fmt.Println("it is open") }))
	both.OnLeft(robotics.IsTrue(outOpen), robotics.External(func() { fmt.Println("the motor is off") }))
	letGo()
	fmt.Println(robot.Execute(context.Background(), both))
	// Output:
	// it opens
	// it is open
	// the motor is off
	// <nil>
}

// A mobile base drives to a place that is seen from the hall, wherever it counts its way from.
func Example_driveTo() {
	robot, letGo, closed := demo()
	defer closed()
	base := actuator.NewBase("base")
	hall := world.NewFrame("hall")
	if _, err := world.Relate(hall, base.Origin(), geom.Frame{Pos: geom.Vector{X: 2, Y: 1}}); err != nil {
		fmt.Println(err)
		return
	}

	shelf := geom.Frame{Pos: geom.Vector{X: 3, Y: 1.5}, Rot: geom.FromABC(math.Pi/2, 0, 0)}
	letGo()
	err := robot.Execute(context.Background(), robotics.NewCommand(base, motions.DriveTo{To: shelf, In: hall}))
	if err != nil {
		fmt.Println(err)
		return
	}
	at, err := robotics.Value(context.Background(), robot, robotics.Pose(base.Body(), hall))
	fmt.Println(at.Near(shelf, 0.011, 0.011), err)
	// Output: true <nil>
}

// A motion is cancelled by a sensor, in real time: when the first joint passes 0.5 rad, the arm brakes on its way.
func Example_sensorEvent() {
	robot, letGo, closed := demo()
	defer closed()
	arm := actuator.NewArm("kr16", robots.KR16())

	move := robotics.NewCommand(arm, motions.PTP{To: []float64{2.5, -1.2, 1.2, 0, 0.5, 0}})
	move.OnEntered(robotics.Above(arm.Measured(0), 0.5), robotics.Cancel(move))

	letGo()
	fmt.Println(robot.Execute(context.Background(), move))
	at, err := robotics.Value(context.Background(), robot, arm.Commanded(0))
	fmt.Println(at > 0.5, at < 1.5, err)
	// Output:
	// <nil>
	// true true <nil>
}

// Two motions in one real-time context: the second one begins in the cycle after the last one of the first, whatever the
// application does.
func Example_twoMotions() {
	robot, letGo, closed := demo()
	defer closed()
	arm := actuator.NewArm("kr16", robots.KR16())

	first := robotics.NewCommand(arm, motions.PTP{To: []float64{0.5, -1.2, 1.2, 0.5, 0.5, 0.5}})
	second := robotics.NewCommand(arm, motions.PTP{To: []float64{-0.5, -1.5, 1.5, 0, 1, 0}})
	both := robotics.NewTransaction(first, second)
	both.AddStart(first)
	both.OnFirstEntered(first.Completed(), robotics.Start(second))

	letGo()
	fmt.Println(robot.Execute(context.Background(), both))
	// Output: <nil>
}

// An arm moves down until it touches something: as soon as the force at its tip is above 15 N, it stops.
func Example_contactStop() {
	robot, letGo, closed := demo(cells.With(cells.Device{Name: "lwr", Kind: "kuka_lwr_sim", Params: map[string]string{"faults": "3s tip 0 0 25 0 0 0"}})) // a table is there after 3 s
	defer closed()
	arm := actuator.NewLightweight("lwr", robots.LWR4())
	above := []float64{0, 0.5, 0, 1.5, 0, 1.1, 0}

	down := robots.LWR4().Forward(above)
	down.Pos.Z -= 0.3
	search := robotics.NewCommand(arm, motions.LIN{To: down, In: arm.Base()}, robotics.CartesianLimits{
		Vel: 0.05, Acc: 0.5, Jerk: 10, RotVel: 0.5, RotAcc: 2, RotJerk: 40,
	})
	touched := robotics.Above(robotics.Length(arm.Force()), 15.0)
	search.OnFirstEntered(touched, robotics.Cancel(search), robotics.External(func() { fmt.Println("contact") }))
	missed := errors.New("nothing is there")

	motion, err := robot.Start(context.Background(), robotics.Sequence(robotics.NewCommand(arm, motions.PTP{To: above}), search))
	if err != nil {
		fmt.Println(err)
		return
	}
	letGo()
	if err := motion.Wait(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	at, err := robotics.Value(context.Background(), robot, robotics.Pose(arm.Flange(), arm.Base()))
	if at.Pos.Z < down.Pos.Z+0.1 {
		err = missed
	}
	fmt.Println(err)
	// Output:
	// contact
	// <nil>
}
