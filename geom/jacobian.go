package geom

import "math"

// MaxJoints is the largest number of columns of a Jacobian.
const MaxJoints = 16

// Jacobian maps velocities of joints to the twist of a body: a column for each joint, the twist of the body when this joint
// moves with the velocity 1 and the others rest. All columns have one reference and one point of reference.
type Jacobian struct {
	Len     int // number of joints
	Columns [MaxJoints]Twist
}

// joints returns the number of columns, whatever Len is, and of their values.
func (j *Jacobian) joints(values []float64) int { return min(j.Len, MaxJoints, len(values)) }

// Twist returns the twist of the body for velocities of the joints. Joints without a velocity rest.
func (j *Jacobian) Twist(velocities []float64) Twist {
	var t Twist
	n := j.joints(velocities)
	for i := range j.Columns {
		if i >= n || i >= len(velocities) {
			break
		}
		c, v := &j.Columns[i], velocities[i]
		t.Vel.X += c.Vel.X * v
		t.Vel.Y += c.Vel.Y * v
		t.Vel.Z += c.Vel.Z * v
		t.Rot.X += c.Rot.X * v
		t.Rot.Y += c.Rot.Y * v
		t.Rot.Z += c.Rot.Z * v
	}
	return t
}

// Torques writes the torques (of joints that slide: the forces) by which the joints exert the wrench, as far as
// there is room. It is the transposed Jacobian times the wrench: joints and body have the same power.
func (j *Jacobian) Torques(w Wrench, into []float64) {
	n := j.joints(into)
	for i := range j.Columns {
		if i >= n || i >= len(into) {
			break
		}
		into[i] = w.Power(j.Columns[i])
	}
}

// At moves the point of reference of all columns by v, seen from their reference.
func (j *Jacobian) At(v Vector) {
	for i := range j.Columns {
		if i >= j.Len {
			break
		}
		j.Columns[i] = j.Columns[i].At(v)
	}
}

// Rotate makes all columns those that are seen from the reference of r. The point of reference stays.
func (j *Jacobian) Rotate(r Rotation) {
	m := r.Matrix()
	turn := func(v Vector) Vector {
		return Vector{
			m[0][0]*v.X + m[0][1]*v.Y + m[0][2]*v.Z,
			m[1][0]*v.X + m[1][1]*v.Y + m[1][2]*v.Z,
			m[2][0]*v.X + m[2][1]*v.Y + m[2][2]*v.Z,
		}
	}
	for i := range j.Columns {
		if i >= j.Len {
			break
		}
		j.Columns[i] = Twist{turn(j.Columns[i].Vel), turn(j.Columns[i].Rot)}
	}
}

// Finite reports whether all elements are finite.
func (j *Jacobian) Finite() bool {
	sum := 0.0
	for i := range j.Columns {
		if i >= j.Len {
			break
		}
		c := &j.Columns[i]
		sum += 0*c.Vel.X + 0*c.Vel.Y + 0*c.Vel.Z + 0*c.Rot.X + 0*c.Rot.Y + 0*c.Rot.Z
	}
	return !math.IsNaN(sum)
}
