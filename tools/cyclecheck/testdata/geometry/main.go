// Geometry calls what packages geom and motion offer to the cycle, whether or not kernels need it already. The tests of
// cyclecheck begin a cycle in every function here that takes a *cell.
package main

import (
	"fmt"
	"math"
	"os"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/motion/path"
)

// cell is what a cycle works on. Results are stored, so that the compiler does not leave out what computes them.
type cell struct {
	chain  *kinematics.Chain
	solver kinematics.Solver
	joints []float64 // values, velocities or torques
	other  []float64

	frame     geom.Frame
	frames    []geom.Frame
	lines     []kinematics.Line
	rotations []geom.Rotation
	jacobian  geom.Jacobian
	twist     geom.Twist
	wrench    geom.Wrench
	vector    geom.Vector
	number    float64
	index     int
	ok        bool
	status    kinematics.Status
	branches  kinematics.Branches
	axes      axes
	wrist     *kinematics.Wrist
	ur        *kinematics.UR
	srs       *kinematics.SRS
	ranges    kinematics.Ranges
	way       way
}

func main() {
	chain, err := kinematics.Standard(geom.Frame{}, []kinematics.Row{{A: 1, Joint: kinematics.Joint{Max: math.Pi}}}, geom.Frame{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	line, err := path.Line(geom.Frame{}, geom.Frame{Pos: geom.Vector{X: 1}})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	c := &cell{
		chain: chain, joints: make([]float64, 1), other: make([]float64, 1),
		way:    way{path: line},
		axes:   newAxes(),
		frames: make([]geom.Frame, 1), lines: make([]kinematics.Line, 1), rotations: make([]geom.Rotation, 2),
	}
	rotations(c)
	values(c)
	chains(c)
	searches(c)
	sixAxes(c)
	sevenAxes(c)
	plans(c)
	steps(c)
	ways(c)
	fmt.Println(c.frame)
}
