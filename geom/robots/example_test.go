package robots_test

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/geom/robots"
)

// An arm takes its tool from one place to another.
func Example() {
	arm := robots.KR16()
	joints := []float64{0, -1.5, 1.5, 0, 0.5, 0}
	at := arm.Forward(joints)
	at.Pos.Z -= 0.1
	status := arm.Nearest(&at, joints, joints)
	fmt.Printf("%v: %.3f\n", status, joints)
	// Output: solved: [0.000 -1.481 1.630 0.000 0.351 0.000]
}

func ExampleFind() {
	robot, err := robots.Find("kr 16-2")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(robot.Description)
	arm := robot.Arm()
	for i := range arm.Len() {
		j := arm.Joint(i)
		fmt.Printf("%s %.2f to %.2f, %.2f per s\n", j.Name, j.Min, j.Max, j.Velocity)
	}
	// Output:
	// KUKA KR 16-2, six axes, 16 kg
	// A1 -3.23 to 3.23, 2.72 per s
	// A2 -2.71 to 0.61, 2.72 per s
	// A3 -2.27 to 2.69, 2.72 per s
	// A4 -6.11 to 6.11, 5.76 per s
	// A5 -2.27 to 2.27, 5.76 per s
	// A6 -6.11 to 6.11, 10.73 per s
}

func ExampleRobot_OnLinearUnit() {
	robot, err := robots.Find("UR5")
	if err != nil {
		fmt.Println(err)
		return
	}
	rail := kinematics.Joint{Name: "rail", Min: 0, Max: 3, Velocity: 1}
	arm, err := robot.OnLinearUnit(geom.Vector{X: 1}, rail)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(arm.Len(), "joints, the first is", arm.Joint(0).Name)
	// Output: 7 joints, the first is rail
}
