package main

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// face returns what is drawn: strokes, in m, seen from the middle of the board.
func face() [][]geom.Vector {
	eye := func(x float64) []geom.Vector { return arc(geom.Vector{X: x, Y: 0.02}, 0.01, 0, 2*math.Pi, 6) }
	return [][]geom.Vector{
		arc(geom.Vector{}, 0.06, 0, 2*math.Pi, 16),
		eye(-0.022), eye(0.022),
		{{Y: 0.01}, {X: 0.008, Y: -0.012}, {Y: -0.012}},
		arc(geom.Vector{}, 0.038, 1.2*math.Pi, 1.8*math.Pi, 5),
	}
}

// arc returns a circle or a part of one, in straight lines.
func arc(middle geom.Vector, radius, from, to float64, lines int) (stroke []geom.Vector) {
	for i := range lines + 1 {
		sin, cos := math.Sincos(from + (to-from)*float64(i)/float64(lines))
		stroke = append(stroke, middle.Add(geom.Vector{X: radius * cos, Y: radius * sin}))
	}
	return stroke
}
