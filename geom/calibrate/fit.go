package calibrate

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/softrobot-rcc/rccd/geom"
)

// Mistakes in measurements. Errors say more, and wrap one of these.
var (
	ErrFew        = errors.New("too few measurements")
	ErrInfinite   = errors.New("measurement is not finite")
	ErrDegenerate = errors.New("measurements do not determine the result")
	ErrMirrored   = errors.New("measurements are mirrored")
)

// Quality rates a result.
type Quality struct {
	Residuals []float64 // m, how far each measurement is from what the result says of it
	RMS       float64   // m, of the residuals
	Condition float64   // 1 at best; by how much the arrangement of the measurements magnifies errors

	// One standard deviation of the result, from the residuals: of the position in m, and of the orientation in rad. They are NaN
	// where there are no more measurements than unknowns.
	Position, Orientation float64
}

func qualityOf(residuals []float64, condition float64) Quality {
	return Quality{
		Residuals: residuals, RMS: math.Sqrt(squares(residuals) / float64(len(residuals))), Condition: condition,
		Position: math.NaN(), Orientation: math.NaN(),
	}
}

func squares(of []float64) (sum float64) {
	for _, v := range of {
		sum += v * v
	}
	return sum
}

// variance returns that of a single coordinate: what is left of the residuals per equation that is not needed for an unknown.
func variance(residuals []float64, equations, unknowns int) float64 {
	if equations <= unknowns {
		return math.NaN()
	}
	return squares(residuals) / float64(equations-unknowns)
}

// Least distances and angles of what is measured. Smaller values are within the errors of robots.
const (
	leastExtent = 1e-4 // m, of points
	leastRatio  = 0.01 // of the second extent of points to the first; about the sine of the angle between two directions
	leastTurn   = 0.05 // how much poses of a tool differ, about 3° each
)

// Three returns the frame with a given origin whose x axis goes through a point, and whose xy plane contains another one, on the side of
// y. Three points have no residuals.
func Three(origin, onX, inXY geom.Vector) (geom.Frame, error) {
	for i, p := range []geom.Vector{origin, onX, inXY} {
		if !p.Finite() {
			return geom.Frame{}, fmt.Errorf("point %d: %w", i+1, ErrInfinite)
		}
	}
	x, aside := onX.Sub(origin), inXY.Sub(origin)
	if x.Length() < leastExtent || aside.Length() < leastExtent {
		return geom.Frame{}, fmt.Errorf("%w: two points coincide; measure points that are far apart", ErrDegenerate)
	}
	f, found := geom.FromPoints(origin, onX, inXY)
	if !found || math.Sin(x.Angle(aside)) < leastRatio {
		return geom.Frame{}, fmt.Errorf("%w: the points lie on one line; measure the third point beside it", ErrDegenerate)
	}
	return f, nil
}

// Pair is a point as known in a frame, and as measured outside of it.
type Pair struct{ Known, Measured geom.Vector }

// Points returns the frame that brings known points closest to the measured ones, by the singular value decomposition of their
// covariance (W. Kabsch, Acta Crystallographica A32, 1976; S. Umeyama, "Least-squares estimation of transformation parameters between
// two point patterns", IEEE PAMI 13, 1991). It takes three points that are not on one line, or more.
func Points(pairs []Pair) (geom.Frame, Quality, error) {
	const unknowns, least = 6, 3
	n := len(pairs)
	if n < least {
		return geom.Frame{}, Quality{}, fmt.Errorf("%w: %d points; at least %d are needed", ErrFew, n, least)
	}
	for i, p := range pairs {
		if !p.Known.Finite() || !p.Measured.Finite() {
			return geom.Frame{}, Quality{}, fmt.Errorf("point %d: %w", i+1, ErrInfinite)
		}
	}
	known, measured := centred(pairs)
	condition, err := spread(known.points)
	if err == nil {
		_, err = spread(measured.points)
	}
	if err != nil {
		return geom.Frame{}, Quality{}, err
	}
	var covariance mat.Dense
	covariance.Mul(measured.points.T(), known.points)
	rot, mirrored := rotation(&covariance)
	f := geom.Frame{Pos: measured.centre.Sub(rot.Rotate(known.centre)), Rot: rot}

	residuals := make([]float64, n)
	for i, p := range pairs {
		residuals[i] = f.Point(p.Known).Sub(p.Measured).Length()
	}
	q := qualityOf(residuals, condition)
	if mirrored && reflects(known.points, measured.points, q.RMS) {
		return geom.Frame{}, Quality{}, fmt.Errorf("%w: check the order of the points and the signs of coordinates", ErrMirrored)
	}
	v := variance(residuals, 3*n, unknowns)
	q.Position, q.Orientation = deviation(known, v)
	return f, q, nil
}

// cloud are points as seen from their centre, one in each row.
type cloud struct {
	centre geom.Vector
	points *mat.Dense
}

func cloudOf(points []geom.Vector) cloud {
	c := cloud{points: mat.NewDense(len(points), 3, nil)}
	for _, p := range points {
		c.centre = c.centre.Add(p.Scale(1 / float64(len(points))))
	}
	for i, p := range points {
		p = p.Sub(c.centre)
		c.points.SetRow(i, []float64{p.X, p.Y, p.Z})
	}
	return c
}

func centred(pairs []Pair) (known, measured cloud) {
	var a, b []geom.Vector
	for _, p := range pairs {
		a, b = append(a, p.Known), append(b, p.Measured)
	}
	return cloudOf(a), cloudOf(b)
}

// spread returns how much longer points extend in one direction than in a second one. Points of a plane determine a frame, points of a
// line do not.
func spread(points *mat.Dense) (ratio float64, err error) {
	extents := singularValues(points)
	switch root := math.Sqrt(float64(points.RawMatrix().Rows)); {
	case extents[0]/root < leastExtent:
		return 0, fmt.Errorf("%w: the points coincide; measure points that are far apart", ErrDegenerate)
	case extents[1] < leastRatio*extents[0]:
		return 0, fmt.Errorf("%w: the points lie on one line; measure one beside it", ErrDegenerate)
	}
	return extents[0] / extents[1], nil
}

// rotation returns the one that maximises the trace of itself with the transposed covariance, and whether a reflection would fit better.
func rotation(covariance *mat.Dense) (r geom.Rotation, mirrored bool) {
	svd := decompose(covariance)
	var u, v, whole mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	whole.Mul(&u, v.T())
	if mirrored = mat.Det(&whole) < 0; mirrored { // the direction that matters least is turned round
		whole.Mul(&u, mat.NewDiagDense(3, []float64{1, 1, -1}))
		whole.Mul(mat.DenseCopyOf(&whole), v.T())
	}
	var m [3][3]float64
	for i := range m {
		for k := range m[i] {
			m[i][k] = whole.At(i, k)
		}
	}
	return geom.FromMatrix(m), mirrored
}

// reflects reports whether points are those of a mirror: a reflection explains them far better than the rotation with the given RMS.
// Points of a plane look the same in it.
func reflects(known, measured *mat.Dense, rms float64) bool {
	const better = 0.1
	n := float64(known.RawMatrix().Rows)
	var covariance mat.Dense
	covariance.Mul(measured.T(), known)
	var sum float64 // the trace that a reflection reaches
	for _, s := range singularValues(&covariance) {
		sum += s
	}
	left := math.Pow(mat.Norm(known, 2), 2) + math.Pow(mat.Norm(measured, 2), 2) - 2*sum
	return math.Sqrt(max(left, 0)/n) < better*rms && rms > leastExtent
}

// deviation returns those of the origin and of the orientation, where every coordinate has a variance: the centre is known by the mean,
// the orientation by the moments of inertia of the points, and the origin by both.
func deviation(c cloud, variance float64) (position, orientation float64) {
	n, _ := c.points.Dims()
	var moments mat.Dense
	moments.Mul(c.points.T(), c.points)
	inertia := mat.NewDense(3, 3, nil)
	for i := range 3 {
		for k := range 3 {
			inertia.Set(i, k, -moments.At(i, k))
		}
		inertia.Set(i, i, mat.Trace(&moments)-moments.At(i, i))
	}
	var turns mat.Dense
	if turns.Inverse(inertia) != nil {
		return math.NaN(), math.NaN()
	}
	// A turn by a small δ about the centre moves the origin by the cross product of δ with the centre.
	x := c.centre
	cross := mat.NewDense(3, 3, []float64{0, -x.Z, x.Y, x.Z, 0, -x.X, -x.Y, x.X, 0})
	var lever mat.Dense
	lever.Product(cross, &turns, cross.T())
	return math.Sqrt(variance * (3/float64(n) + mat.Trace(&lever))), math.Sqrt(variance * mat.Trace(&turns))
}

func decompose(m mat.Matrix) *mat.SVD {
	var svd mat.SVD
	if !svd.Factorize(m, mat.SVDThin) {
		panic("calibrate: a finite matrix has no singular value decomposition")
	}
	return &svd
}

func singularValues(m mat.Matrix) []float64 { return decompose(m).Values(nil) }
