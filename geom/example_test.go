package geom_test

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

func ExampleFrame_Mul() {
	base := geom.Frame{Pos: geom.Vector{X: 1}, Rot: geom.FromABC(math.Pi/2, 0, 0)}
	flange := geom.Frame{Pos: geom.Vector{X: 0.5, Z: 0.2}}
	p := base.Mul(flange).Pos
	fmt.Printf("%.1f %.1f %.1f\n", p.X, p.Y, p.Z)
	// Output: 1.0 0.5 0.2
}

func ExampleRotation_ABC() {
	aboutZ := geom.FromAxisAngle(geom.Vector{Z: 1}, 0.5)
	aboutY := geom.FromAxisAngle(geom.Vector{Y: 1}, 0.25)
	aboutX := geom.FromAxisAngle(geom.Vector{X: 1}, 0.1)
	a, b, c := aboutZ.Mul(aboutY).Mul(aboutX).ABC()
	fmt.Printf("%.2f %.2f %.2f\n", a, b, c)
	// Output: 0.50 0.25 0.10
}

func ExampleFrame_Velocity() {
	from := geom.Frame{}
	to := geom.Frame{Pos: geom.Vector{Z: 0.01}, Rot: geom.FromABC(0.02, 0, 0)}
	t := from.Velocity(to, 0.1)
	fmt.Printf("%.1f m/s %.1f rad/s\n", t.Vel.Z, t.Rot.Z)
	// Output: 0.1 m/s 0.2 rad/s
}

func ExampleTwist_At() {
	turning := geom.Twist{Rot: geom.Vector{Z: 1}}
	fmt.Println(turning.At(geom.Vector{X: 2}).Vel)
	// Output: {x:0,y:2,z:0}
}
