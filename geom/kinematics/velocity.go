package kinematics

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// Inverse finds velocities of joints for a twist, and accelerations for the derivative of a twist. Near singularities, in
// which finite twists need infinite velocities, it follows the twist only as far as that keeps velocities bounded.
//
// With the singular values σ of the Jacobian, a twist in the direction of one of them needs velocities of 1/σ. That is what
// it gets where σ is at least Least. Below, it gets σ/Least², which falls to 0 with σ and is the same at Least, so that
// velocities change continuously. No velocities are greater, in the root of the sum of squares, than twist/Least; with a wish,
// than the wish and what it lacks to the twist over Least. All other directions are followed exactly.
type Inverse struct {
	Length float64 // in m, what compares with 1 rad: twists are measured in rad/s and Length/s
	Least  float64 // singular value from which on twists are followed exactly

	// Along and About weigh directions of the reference. One of weight 0 does not count, whatever the tip does there;
	// if all are 0, all directions count.
	Along, About geom.Vector
}

// Velocities writes the velocities of all joints with which the tip has the twist, and of those that are nearest to
// wish; nil stands for the least ones. It reports whether the tip has exactly this twist, as far as it counts. The twist must
// have the reference and point of reference of the Jacobian. Without enough room, or of what is not a number, nothing is
// written.
//
// For accelerations, want is the derivative of the twist minus Drift.
func (v Inverse) Velocities(j *geom.Jacobian, want geom.Twist, wish, into []float64) (exact bool) {
	var cols columns
	var values [MaxJoints]float64
	n := max(0, min(j.Len, MaxJoints))
	w := weightsOf(v.Along, v.About, v.Length)
	e := w.of(want)
	if n > len(into) || !j.Finite() || !(e.dot(&e) <= math.MaxFloat64) || !w.valid() || !(v.Least > 0) {
		return false
	}
	for i := range cols {
		if i >= n {
			break
		}
		cols[i] = w.of(j.Columns[i])
		if i < len(wish) {
			values[i] = wish[i]
		}
	}
	moved := cols.times(&values)
	e.add(&moved, -1)
	x, exact := cols.resolve(n, e, v.Least)
	for i := range cols {
		if i >= n || i >= len(into) {
			break
		}
		into[i] = values[i] + cols[i].dot(&x)
	}
	return exact
}

// resolve returns x such that the transposed columns times x are the values that Inverse promises.
func (c *columns) resolve(n int, e vector6, least float64) (x vector6, exact bool) {
	g := c.gram(n)
	if _, ok := g.factor(-least * least); ok { // all singular values are above
		if l, ok := g.factor(0); ok {
			return l.solve(e), true
		}
	}
	values, vectors := g.eigen()
	exact = true
	for i := range vectors {
		u := &vectors[i]
		share := e.dot(u)
		x.add(u, share/max(values[i], least*least))
		if values[i] < least*least && math.Abs(share) > 1e-12*math.Sqrt(e.dot(&e)) {
			exact = false
		}
	}
	return x, exact
}

// Dexterity rates how well the arm can move its tip: the manipulability of T. Yoshikawa (1985), which is the product
// of all singular values of the Jacobian, and the least of them: a twist of the size 1 needs velocities of at most 1/least.
// With fewer than six joints there are as many singular values as joints, or as directions that count.
func (v Inverse) Dexterity(j *geom.Jacobian) (manipulability, least float64) {
	var cols columns
	n := max(0, min(j.Len, MaxJoints))
	w := weightsOf(v.Along, v.About, v.Length)
	if !j.Finite() || !w.valid() {
		return math.NaN(), math.NaN()
	}
	for i := range cols {
		if i < n {
			cols[i] = w.of(j.Columns[i])
		}
	}
	g := cols.gram(n)
	values, _ := g.eigen()
	return dexterity(values, min(n, w.count()))
}

// dexterity returns the product and the least of the roots of the n largest of the values.
func dexterity(values vector6, n int) (product, least float64) {
	product, least = 1, math.Inf(1)
	for skip := dims - n; skip > 0; skip-- { // those have no joint
		lowest := &values[0]
		for i := range values {
			if values[i] < *lowest {
				lowest = &values[i]
			}
		}
		*lowest = math.Inf(1)
	}
	for _, value := range values {
		if s := math.Sqrt(max(value, 0)); !math.IsInf(s, 1) {
			product, least = product*s, min(least, s)
		}
	}
	return product, least
}
