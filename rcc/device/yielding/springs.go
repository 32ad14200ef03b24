package yielding

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// Joints is how many a robot that gives way has.
const Joints = 7

// square is a symmetric matrix over joints, or over directions of the tip, of which the lower half counts.
type square [Joints][Joints]float64

// vector is a value for each joint, or for each direction of the tip.
type vector [Joints]float64

// solve finds x with m·x = b, b being replaced by x, and m by its factor (Cholesky). A matrix that is not positive definite,
// not even by rounding, gives 0.
func (m *square) solve(b *vector) {
	for i := range Joints {
		for k := range i + 1 {
			sum := m[i][k]
			for l := range k {
				sum -= m[i][l] * m[k][l]
			}
			if k < i {
				m[i][k] = sum / m[k][k]
				continue
			}
			if !(sum > 0) {
				*b = vector{}
				return
			}
			m[i][i] = math.Sqrt(sum)
		}
	}
	for i := range Joints {
		for k := range i {
			b[i] -= m[i][k] * b[k]
		}
		b[i] /= m[i][i]
	}
	for i := Joints - 1; i >= 0; i-- {
		for k := i + 1; k < Joints; k++ {
			b[i] -= m[k][i] * b[k]
		}
		b[i] /= m[i][i]
	}
}

// rows of a Jacobian: directions of the tip by joints.
type rows [6]vector

func rowsOf(j *geom.Jacobian) (r rows) {
	for i := range Joints {
		c := six(geom.Wrench{Force: j.Columns[i].Vel, Torque: j.Columns[i].Rot})
		for k := range r {
			r[k][i] = c[k]
		}
	}
	return r
}

// six returns the components of a wrench in their order.
func six(w geom.Wrench) [6]float64 {
	return [6]float64{w.Force.X, w.Force.Y, w.Force.Z, w.Torque.X, w.Torque.Y, w.Torque.Z}
}

func wrench(v *[6]float64) geom.Wrench {
	return geom.Wrench{Force: geom.Vector{X: v[0], Y: v[1], Z: v[2]}, Torque: geom.Vector{X: v[3], Y: v[4], Z: v[5]}}
}

// singular is what is added to the squares of what the tip can do in each direction, so that wrenches stay finite where it
// can do nothing: far below all others.
const singular = 1e-9

// wrenchOf returns the wrench at the tip that explains torques of the joints best, each of which counts by its weight.
func (r *rows) wrenchOf(torques, weights *vector) (w [6]float64) {
	var m square
	var b vector
	for i := range r {
		for k := range i + 1 {
			for l := range Joints {
				m[i][k] += r[i][l] * weights[l] * r[k][l]
			}
		}
		m[i][i] += singular
		for l := range Joints {
			b[i] += r[i][l] * weights[l] * torques[l]
		}
	}
	m[Joints-1][Joints-1] = 1 // there is no seventh direction
	m.solve(&b)
	copy(w[:], b[:])
	return w
}

// torquesOf returns the torques that bring about a wrench.
func (r *rows) torquesOf(w *[6]float64) (t vector) {
	for i := range r {
		for l := range t {
			t[l] += r[i][l] * w[i]
		}
	}
	return t
}

// masses are what is moved: joints with inertia that rub.
type masses struct {
	inertia  vector // kg·m²
	friction vector // Nm·s/rad
}

// springs are what holds it, around where joints are now.
type springs struct {
	stiffness square
	damping   square
	torque    vector // what acts on joints where they are: of the springs, and of all else
}

// hold adds a spring at a joint that pulls by a distance. Its damping is the share of what it needs not to overshoot.
func (s *springs) hold(joint int, inertia, stiffness, damping, distance float64) {
	s.stiffness[joint][joint] += stiffness
	s.damping[joint][joint] += 2 * damping * math.Sqrt(stiffness*inertia)
	s.torque[joint] += stiffness * distance
}

// pull adds springs at the tip, in the directions of the rows.
func (s *springs) pull(r *rows, b *masses, stiffness, damping, distances *[6]float64) {
	for d := range r {
		row := &r[d]
		mobility := singular
		for l := range row {
			mobility += row[l] * row[l] / b.inertia[l]
		}
		loss := 2 * damping[d] * math.Sqrt(stiffness[d]/mobility)
		for i := range row {
			for k := range i + 1 {
				s.stiffness[i][k] += row[i] * stiffness[d] * row[k]
				s.damping[i][k] += row[i] * loss * row[k]
			}
			s.torque[i] += row[i] * stiffness[d] * distances[d]
		}
	}
}

// step returns velocities after a time. Forces are those at its end (implicit Euler method), so springs of any stiffness
// lose energy and never gain any, however long a step is.
func (b *masses) step(s *springs, velocities *vector, time float64) vector {
	var m square
	var next vector
	for i := range next {
		for k := range i + 1 {
			m[i][k] = time*s.damping[i][k] + time*time*s.stiffness[i][k]
		}
		m[i][i] += b.inertia[i] + time*b.friction[i]
		next[i] = b.inertia[i]*velocities[i] + time*s.torque[i]
	}
	m.solve(&next)
	return next
}
