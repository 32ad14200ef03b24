package calibrate

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/softrobot-rcc/rccd/geom"
)

// Tip is the position of the tip of a tool, seen from the flange, and the point that it touched, seen from the base.
type Tip struct{ Tip, Touched geom.Vector }

// Tool returns where the tip is with which poses of the flange touch one point. With R and x those of a pose, t the tip and p the point,
// R·t + x = p is linear in both; the point that fits best for any t is the mean, which leaves
//
//	(R - mean of R)·t = mean of x - x
//
// Poses that differ by turns about one axis only say nothing of the tip along it, and are refused. A touched point says nothing of how
// the tool is turned.
func Tool(flanges []geom.Frame) (Tip, Quality, error) {
	const unknowns, least = 6, 4
	n := len(flanges)
	if n < least {
		return Tip{}, Quality{}, fmt.Errorf("%w: %d poses; at least %d are needed", ErrFew, n, least)
	}
	for i, f := range flanges {
		if !f.Finite() {
			return Tip{}, Quality{}, fmt.Errorf("pose %d: %w", i+1, ErrInfinite)
		}
	}
	turns, shifts, mean := turnsOf(flanges)
	svd := decompose(turns)
	extents := svd.Values(nil)
	if extents[2]/math.Sqrt(float64(n)) < leastTurn {
		return Tip{}, Quality{}, fmt.Errorf("%w: the poses are too alike; turn the tool about at least two axes, by 30° or more", ErrDegenerate)
	}
	var solved mat.Dense
	svd.SolveTo(&solved, shifts, len(extents))
	tip := geom.Vector{X: solved.At(0, 0), Y: solved.At(1, 0), Z: solved.At(2, 0)}
	found := Tip{Tip: tip, Touched: mean.apply(tip)}

	residuals := make([]float64, n)
	for i, f := range flanges {
		residuals[i] = f.Point(tip).Sub(found.Touched).Length()
	}
	q := qualityOf(residuals, extents[0]/extents[2])
	var inverse float64
	for _, s := range extents {
		inverse += 1 / (s * s)
	}
	q.Position = math.Sqrt(variance(residuals, 3*n, unknowns) * inverse)
	return found, q, nil
}

// affine is the mean of frames, which is not a frame itself.
type affine struct {
	linear mat.Dense
	shift  geom.Vector
}

func (a *affine) apply(v geom.Vector) geom.Vector {
	var out mat.Dense
	out.Mul(&a.linear, mat.NewDense(3, 1, []float64{v.X, v.Y, v.Z}))
	return a.shift.Add(geom.Vector{X: out.At(0, 0), Y: out.At(1, 0), Z: out.At(2, 0)})
}

// turnsOf returns by how much rotations and positions differ from their means, positions with the opposite sign, three rows for a frame.
func turnsOf(frames []geom.Frame) (turns, shifts *mat.Dense, mean affine) {
	n := len(frames)
	turns, shifts = mat.NewDense(3*n, 3, nil), mat.NewDense(3*n, 1, nil)
	mean.linear.Zero()
	sum := mat.NewDense(3, 3, nil)
	for i, f := range frames {
		m := f.Rot.Matrix()
		for k, row := range m {
			turns.SetRow(3*i+k, row[:])
			for l, v := range row {
				sum.Set(k, l, sum.At(k, l)+v/float64(n))
			}
		}
		mean.shift = mean.shift.Add(f.Pos.Scale(1 / float64(n)))
	}
	for i, f := range frames {
		off := mean.shift.Sub(f.Pos)
		for k, v := range []float64{off.X, off.Y, off.Z} {
			shifts.Set(3*i+k, 0, v)
			for l := range 3 {
				turns.Set(3*i+k, l, turns.At(3*i+k, l)-sum.At(k, l))
			}
		}
	}
	mean.linear.CloneFrom(sum)
	return turns, shifts, mean
}
