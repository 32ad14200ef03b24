package kinematics

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// dims are the dimensions of the motions of a body.
const dims = 6

// vector6 is a twist by its numbers, as they count.
type vector6 [dims]float64

// weights are by how much directions count: a rotation by 1 rad as 1 if they all do.
type weights vector6

// weightsOf takes the weights of directions, all 1 if they are all 0, and the length that compares with 1 rad.
func weightsOf(along, about geom.Vector, length float64) weights {
	if along == (geom.Vector{}) && about == along {
		along, about = geom.Vector{X: 1, Y: 1, Z: 1}, geom.Vector{X: 1, Y: 1, Z: 1}
	}
	return weights{along.X / length, along.Y / length, along.Z / length, about.X, about.Y, about.Z}
}

// valid reports whether all weights are finite and not negative.
func (w *weights) valid() bool {
	for _, v := range w {
		if !(v >= 0 && v <= math.MaxFloat64) {
			return false
		}
	}
	return true
}

// count returns how many directions count.
func (w *weights) count() (n int) {
	for _, v := range w {
		if v > 0 {
			n++
		}
	}
	return n
}

func (w *weights) of(t geom.Twist) vector6 {
	return vector6{w[0] * t.Vel.X, w[1] * t.Vel.Y, w[2] * t.Vel.Z, w[3] * t.Rot.X, w[4] * t.Rot.Y, w[5] * t.Rot.Z}
}

func (v *vector6) dot(w *vector6) float64 {
	return v[0]*w[0] + v[1]*w[1] + v[2]*w[2] + v[3]*w[3] + v[4]*w[4] + v[5]*w[5]
}

// add adds w times s.
func (v *vector6) add(w *vector6, s float64) {
	for i := range v {
		v[i] += w[i] * s
	}
}

// columns are a Jacobian by its numbers, those of joints that are not there 0.
type columns [MaxJoints]vector6

// times returns the columns times values, added up.
func (c *columns) times(values *[MaxJoints]float64) (sum vector6) {
	for i := range c {
		sum.add(&c[i], values[i])
	}
	return sum
}

// symmetric is a symmetric matrix; what is above its diagonal is not used.
type symmetric [dims][dims]float64

// gram returns the columns times their transpose.
func (c *columns) gram(n int) (g symmetric) {
	for k := range c {
		if k >= n {
			break
		}
		v := &c[k]
		for i := range dims {
			for j := range dims {
				if j <= i {
					g[i][j] += v[i] * v[j]
				}
			}
		}
	}
	return g
}

// factor computes the triangle L with L·Lᵀ = g + shift (A. L. Cholesky), with the inverses of its diagonal. It reports
// whether there is one: whether all eigenvalues of g are above -shift.
func (g *symmetric) factor(shift float64) (l symmetric, ok bool) {
	for i := range dims {
		for j := range dims {
			if j > i {
				break
			}
			sum := g[i][j]
			if j == i {
				sum += shift
			}
			for k := range dims {
				if k >= j {
					break
				}
				sum -= l[i][k] * l[j][k]
			}
			if j < i {
				l[i][j] = sum * l[j][j]
				continue
			}
			if !(sum > 0) {
				return l, false
			}
			l[i][i] = 1 / math.Sqrt(sum)
		}
	}
	return l, true
}

// solve returns x with L·Lᵀ·x = v.
func (g *symmetric) solve(v vector6) vector6 {
	for i := range dims {
		sum := v[i]
		for j := range dims {
			if j >= i {
				break
			}
			sum -= g[i][j] * v[j]
		}
		v[i] = sum * g[i][i]
	}
	for r := range dims {
		i := dims - 1 - r
		sum := v[i]
		for j := range dims {
			if j > i {
				sum -= g[j][i] * v[j]
			}
		}
		v[i] = sum * g[i][i]
	}
	return v
}

// eigen returns the eigenvalues of g and as rows the eigenvectors, by rotations that bring one number beside the diagonal
// to 0 after the other (C. G. J. Jacobi, 1846; in the form of Golub and Van Loan, "Matrix Computations", 8.5).
func (g *symmetric) eigen() (values vector6, vectors [dims]vector6) {
	a := *g
	for i := range dims {
		for j := range dims {
			if j > i {
				a[i][j] = g[j][i]
			}
		}
		vectors[i][i] = 1
	}
	const sweeps = 10 // the number of digits doubles with each
	for range sweeps {
		rest := 0.0
		for p := range dims {
			for q := range dims {
				if q > p {
					rest = max(rest, math.Abs(a[p][q]))
					a.level(p, q, &vectors)
				}
			}
		}
		if rest == 0 {
			break
		}
	}
	for i := range dims {
		values[i] = a[i][i]
	}
	return values, vectors
}

// level rotates rows and columns p and q so that a[p][q] becomes 0.
func (g *symmetric) level(p, q int, vectors *[dims]vector6) {
	if p < 0 || p >= dims || q < 0 || q >= dims {
		return
	}
	off := g[p][q]
	if math.Abs(off) <= 1e-18*(math.Abs(g[p][p])+math.Abs(g[q][q])) {
		g[p][q], g[q][p] = 0, 0
		return
	}
	theta := (g[q][q] - g[p][p]) / (2 * off)
	t := math.Copysign(1, theta) / (math.Abs(theta) + math.Sqrt(1+theta*theta))
	cos := 1 / math.Sqrt(1+t*t)
	sin := t * cos
	for k := range dims {
		g[k][p], g[k][q] = cos*g[k][p]-sin*g[k][q], sin*g[k][p]+cos*g[k][q]
	}
	for k := range dims {
		g[p][k], g[q][k] = cos*g[p][k]-sin*g[q][k], sin*g[p][k]+cos*g[q][k]
	}
	u, v := &vectors[p], &vectors[q]
	for k := range dims {
		u[k], v[k] = cos*u[k]-sin*v[k], sin*u[k]+cos*v[k]
	}
}
