package path

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// row gives the parameter of a piece from an arc length: a polynomial of degree 5 that has the exact value and two exact
// derivatives at both ends of the row.
type row struct {
	start, per float64    // arc length where it begins, and 1/extent
	parameters [6]float64 // by the share of the row that has been gone
	piece      int
}

func (r *row) parameter(s float64) float64 {
	x := min(max((s-r.start)*r.per, 0), 1)
	u := 0.0
	for i := len(r.parameters) - 1; i >= 0; i-- {
		u = u*x + r.parameters[i]
	}
	return u
}

const (
	measured = 1e-12 // how far the length of a row may be off, as a share of it
	right    = 1e-8  // how far a place within a row may be off, as a share of the row
	rightOf  = 1e-10 // and as a share of the piece
	halvings = 12    // of a piece; what needs more all but stands still somewhere
)

// table returns the rows of a piece that begins at an arc length, and its length. That is NaN when the piece stands still.
func (p *piece) table(start float64, index int) (rows []row, length float64) {
	w := writer{piece: p, index: index, start: start, rough: p.gone(0, 1)}
	w.write(0, 1, 0)
	return w.rows, w.length
}

// writer makes the table of a piece.
type writer struct {
	piece                *piece
	index                int
	start, rough, length float64
	rows                 []row
}

// write adds what leads from parameter a to b: a row that is right, or two halves.
func (w *writer) write(a, b float64, depth int) {
	middle := (a + b) / 2
	extent := w.piece.gone(a, middle) + w.piece.gone(middle, b)
	r := w.row(a, b, extent)
	switch {
	case math.Abs(w.piece.gone(a, b)-extent) <= measured*extent && w.isRight(&r, a, extent):
		w.rows = append(w.rows, r)
		w.length += extent
	case depth == halvings || math.IsNaN(w.length):
		w.length = math.NaN()
	default:
		w.write(a, middle, depth+1)
		w.write(middle, b, depth+1)
	}
}

// row returns the polynomial from a to b, right or not.
func (w *writer) row(a, b, extent float64) row {
	end := func(u float64) knot {
		point := w.piece.at(u)
		g, g1, _ := point.speed(w.piece.turns)
		return knot{geom.Vector{X: u}, geom.Vector{X: 1 / g}, geom.Vector{X: -g1 / (g * g * g)}}.scale(extent)
	}
	r := row{start: w.start + w.length, per: 1 / extent, piece: w.index}
	for i, c := range hermite(end(a), end(b)) {
		r.parameters[i] = c.X
	}
	return r
}

// isRight reports whether a row leads to where it should, at the quarters. It is furthest off near its middle.
func (w *writer) isRight(r *row, a, extent float64) bool {
	for _, share := range [...]float64{0.25, 0.5, 0.75} {
		wanted := share * extent
		gone := w.piece.gone(a, r.parameter(r.start+wanted))
		if !(math.Abs(gone-wanted) <= min(right*extent, rightOf*w.rough)) {
			return false
		}
	}
	return true
}

// gone returns the arc length from a to b by the rule of Gauss and Legendre with ten points (Abramowitz and Stegun, table 25.4).
func (p *piece) gone(a, b float64) float64 {
	sum := 0.0
	for i, x := range legendre.at {
		for _, u := range [...]float64{a + (1-x)*(b-a)/2, a + (1+x)*(b-a)/2} {
			sum += legendre.weight[i] * p.speed(u)
		}
	}
	return sum * (b - a) / 2
}

var legendre = struct{ at, weight [5]float64 }{
	[5]float64{0.1488743389816312, 0.4333953941292472, 0.6794095682990244, 0.8650633666889845, 0.9739065285171717},
	[5]float64{0.2955242247147529, 0.2692667193099963, 0.2190863625159820, 0.1494513491505806, 0.0666713443086881},
}
