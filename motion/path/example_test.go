package path_test

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/motion/path"
	"github.com/softrobot-rcc/rccd/motion/profile"
)

func ExampleLine() {
	from := geom.Frame{Pos: geom.Vector{X: 0.5, Z: 0.3}}
	to := geom.Frame{Pos: geom.Vector{X: 0.5, Y: 0.4, Z: 0.3}, Rot: geom.FromABC(math.Pi/2, 0, 0)}
	line, err := path.Line(from, to)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := line.At(line.Length() / 2)
	a, _, _ := p.Frame.Rot.ABC()
	fmt.Printf("y %.1f m of %.1f m, turned by %.0f°\n", p.Frame.Pos.Y, line.Length(), a*180/math.Pi)
	// Output: y 0.2 m of 0.4 m, turned by 45°
}

// A glue gun goes round a centre one and a quarter times, looking outwards all the time.
func ExampleCircle() {
	start := geom.Frame{Pos: geom.Vector{X: 0.6}}
	centre, up := geom.Vector{X: 0.5}, geom.Vector{Z: 1}
	circle, err := path.Circle(start, centre, up, 2.5*math.Pi, path.FixedOnWheel)
	if err != nil {
		fmt.Println(err)
		return
	}
	end := circle.At(circle.Length())
	a, _, _ := end.Frame.Rot.ABC()
	fmt.Printf("%.3f m, to x %.2f y %.2f, turned by %.0f°, radius %.2f m\n",
		circle.Length(), end.Frame.Pos.X, end.Frame.Pos.Y, a*180/math.Pi, 1/end.Curvature())
	// Output: 0.785 m, to x 0.50 y 0.10, turned by 90°, radius 0.10 m
}

// How fast a spline may be gone depends on how narrow its bends are.
func ExamplePath_Limits() {
	var via []geom.Frame
	for i := range 5 {
		via = append(via, geom.Frame{Pos: geom.Vector{X: 0.1 * float64(i), Y: 0.05 * float64(i%2)}})
	}
	spline, err := path.Spline(via, path.Ends{})
	if err != nil {
		fmt.Println(err)
		return
	}
	tool := profile.Limits{Vel: 1, Acc: 4, Jerk: math.Inf(1)}
	turn := profile.Limits{Vel: 2, Acc: 10, Jerk: math.Inf(1)}
	narrowest := 0.0
	for _, s := range spline.Segments() {
		narrowest = max(narrowest, s.Translation.Second)
	}
	fmt.Printf("radius %.0f mm, %.2f m/s\n", 1000/narrowest, spline.Limits(tool, turn).Vel)
	// Output: radius 39 mm, 0.28 m/s
}
