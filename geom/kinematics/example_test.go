package kinematics_test

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
)

// An arm with two links of 0.5 and 0.4 m that bends upwards.
func ExampleStandard() {
	shoulder := kinematics.Joint{Name: "shoulder", Min: -1, Max: 2}
	elbow := kinematics.Joint{Name: "elbow", Min: -2, Max: 2}
	base := geom.Frame{Rot: geom.FromABC(0, 0, math.Pi/2)} // the axes are horizontal
	c, err := kinematics.Standard(base, []kinematics.Row{{A: 0.5, Joint: shoulder}, {A: 0.4, Joint: elbow}}, geom.Frame{})
	if err != nil {
		fmt.Println(err)
		return
	}
	at := c.Forward([]float64{math.Pi / 2, -math.Pi / 2}).Pos
	fmt.Printf("%.2f %.2f %.2f\n", at.X, at.Y, at.Z)
	// Output: 0.40 0.00 0.50
}

func ExampleNew() {
	// A linear unit that carries an axis which turns; seen from above.
	c, err := kinematics.New([]kinematics.Segment{
		{Axis: geom.Vector{Y: 1}, Joint: kinematics.Joint{Name: "slide", Kind: kinematics.Prismatic, Max: 3}},
		{Axis: geom.Vector{Z: 1}, Joint: kinematics.Joint{Name: "turn", Min: -3, Max: 3}},
	}, geom.Frame{Pos: geom.Vector{X: 0.5}})
	if err != nil {
		fmt.Println(err)
		return
	}
	twist := c.Twist([]float64{2, 0}, []float64{0.1, 1})
	fmt.Printf("%.1f m/s %.1f rad/s\n", twist.Vel.Y, twist.Rot.Z)
	// Output: 0.6 m/s 1.0 rad/s
}

// The joints of an arm with seven axes are where the tip is 0.1 m lower, as near as possible to where they were.
func ExampleNumeric() {
	c := panda()
	n, err := kinematics.NewNumeric(c, kinematics.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	q := []float64{0, -0.3, 0, -2, 0, 1.7, 0.8}
	to := c.Forward(q)
	to.Pos.Z -= 0.1
	fmt.Println(n.Nearest(&to, q, q), c.Forward(q).Near(to, 1e-9, 1e-9), c.Within(q))

	to.Pos.X++
	fmt.Println(n.Nearest(&to, q, q))
	// Output:
	// solved true true
	// unreachable
}

func ExampleInverse() {
	c := panda()
	q := []float64{0, -0.3, 0, -2, 0, 1.7, 0.8}
	var j geom.Jacobian
	c.Jacobian(q, &j)
	v := make([]float64, c.Len())
	inverse := kinematics.Inverse{Length: 0.5, Least: 0.05}
	exact := inverse.Velocities(&j, geom.Twist{Vel: geom.Vector{Z: -0.1}}, nil, v)
	twist := c.Twist(q, v)
	fmt.Printf("%t: %.3f m/s down\n", exact, -twist.Vel.Z)
	// Output: true: 0.100 m/s down
}
