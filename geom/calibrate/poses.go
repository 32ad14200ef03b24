package calibrate

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/softrobot-rcc/rccd/geom"
)

// PosePair is a pose as known in a frame, and as measured outside of it.
type PosePair struct{ Known, Measured geom.Frame }

// Turns are the rotations of poses from where the result has them, in rad.
type Turns struct {
	Residuals []float64
	RMS       float64
}

// Poses returns the frame that brings known poses closest to the measured ones: its orientation is the mean of what the orientations say,
// in the sense of matrices, and its position the mean of what the positions then say. One pose would do, but shows no errors;
// two are the least that is taken. They may be turned and placed in any way.
func Poses(pairs []PosePair) (geom.Frame, Quality, Turns, error) {
	const least = 2
	n := len(pairs)
	if n < least {
		return geom.Frame{}, Quality{}, Turns{}, fmt.Errorf("%w: %d poses; at least %d are needed", ErrFew, n, least)
	}
	sum, lever := mat.NewDense(3, 3, nil), geom.Vector{}
	for i, p := range pairs {
		if !p.Known.Finite() || !p.Measured.Finite() {
			return geom.Frame{}, Quality{}, Turns{}, fmt.Errorf("pose %d: %w", i+1, ErrInfinite)
		}
		m := p.Measured.Rot.Mul(p.Known.Rot.Invert()).Matrix()
		for k, row := range m {
			for l, v := range row {
				sum.Set(k, l, sum.At(k, l)+v/float64(n))
			}
		}
		lever = lever.Add(p.Known.Pos.Scale(1 / float64(n)))
	}
	const agree = 0.5 // the second singular value is 1 where all agree, and 0 where orientations contradict each other
	extents := singularValues(sum)
	if extents[1] < agree {
		return geom.Frame{}, Quality{}, Turns{}, fmt.Errorf("%w: the poses contradict each other; check their order and the order of the angles", ErrDegenerate)
	}
	f := geom.Frame{}
	f.Rot, _ = rotation(sum)
	for _, p := range pairs {
		f.Pos = f.Pos.Add(p.Measured.Pos.Sub(f.Rot.Rotate(p.Known.Pos)).Scale(1 / float64(n)))
	}
	distances, turns := make([]float64, n), make([]float64, n)
	for i, p := range pairs {
		is := f.Mul(p.Known)
		distances[i], turns[i] = is.Pos.Sub(p.Measured.Pos).Length(), is.Rot.To(p.Measured.Rot).Angle()
	}
	q := qualityOf(distances, 1/extents[1])
	// Each mean takes three of the 3n numbers. The position also has what the orientation does to it over the lever.
	q.Orientation = math.Sqrt(3 * variance(turns, 3*n, 3) / float64(n))
	across := lever.Length() * q.Orientation * math.Sqrt(2.0/3)
	q.Position = math.Hypot(math.Sqrt(3*variance(distances, 3*n, 3)/float64(n)), across)
	return f, q, Turns{turns, math.Sqrt(squares(turns) / float64(n))}, nil
}
