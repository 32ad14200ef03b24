package kinematics_test

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
)

func ExampleNewWrist() {
	limited := func(name string, least, most float64) kinematics.Joint {
		return kinematics.Joint{Name: name, Min: least * math.Pi / 180, Max: most * math.Pi / 180}
	}
	chain, err := kinematics.Standard(geom.Frame{}, []kinematics.Row{
		{D: 0.400, A: 0.025, Alpha: -math.Pi / 2, Sign: -1, Joint: limited("A1", -170, 170)},
		{A: 0.455, Joint: limited("A2", -190, 45)},
		{Theta: math.Pi / 2, A: -0.035, Alpha: math.Pi / 2, Joint: limited("A3", -120, 156)},
		{D: 0.420, Alpha: -math.Pi / 2, Sign: -1, Joint: limited("A4", -185, 185)},
		{Alpha: math.Pi / 2, Joint: limited("A5", -120, 120)},
		{D: 0.080, Sign: -1, Joint: limited("A6", -350, 350)},
	}, geom.Frame{})
	if err != nil {
		fmt.Println(err)
		return
	}
	arm, err := kinematics.NewWrist(chain)
	if err != nil {
		fmt.Println(err)
		return
	}
	pose := geom.Frame{Pos: geom.Vector{X: 0.4, Y: 0.1, Z: 0.5}, Rot: geom.FromABC(0, math.Pi/2, 0)}
	hint := make([]float64, 6)

	var all kinematics.Branches
	fmt.Println(arm.Branches(&pose, hint, &all))
	for _, b := range all.Of[:all.N] {
		fmt.Printf("%-15s %s", arm.Name(b.Configuration), b.Status)
		for _, angle := range b.Joints[:chain.Len()] {
			fmt.Printf(" %.1f", angle*180/math.Pi)
		}
		fmt.Println()
	}
	joints := make([]float64, 6)
	fmt.Println(arm.Nearest(&pose, hint, joints), arm.Name(arm.Configuration(joints)))
	// Output:
	// solved
	// front up        solved -17.4 -80.6 141.3 160.3 62.1 -170.5
	// front up flip   solved -17.4 -80.6 141.3 -19.7 -62.1 9.5
	// front down      out of limits -17.4 44.9 -131.8 17.4 87.0 -0.9
	// front down flip out of limits -17.4 44.9 -131.8 -162.6 -87.0 179.1
	// back up         out of limits 162.6 -104.3 -124.9 -22.4 51.4 -165.6
	// back up flip    out of limits 162.6 -104.3 -124.9 157.6 -51.4 14.4
	// back down       out of limits 162.6 135.3 134.4 -162.6 89.8 -0.1
	// back down flip  out of limits 162.6 135.3 134.4 17.4 -89.8 179.9
	// solved front up flip
}
