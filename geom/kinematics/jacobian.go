package kinematics

import "github.com/softrobot-rcc/rccd/geom"

// Jacobian writes the Jacobian of the tip, seen from the base with respect to the origin of the tip, and returns the pose
// of the tip, which is known then. With too few values both are not numbers.
func (c *Chain) Jacobian(q []float64, into *geom.Jacobian) geom.Frame {
	var moved [MaxJoints]motion
	var stops [MaxJoints]axes
	known := c.motions(q, &moved)
	x, y, z, at := c.trace(&moved, stops[:])
	into.Len = c.n
	if !known {
		for i := range into.Columns {
			into.Columns[i] = noTwist
		}
		return nowhere()
	}
	for i := range stops {
		if i >= c.m {
			break
		}
		c.steps[i].twist(&stops[i], at, &into.Columns[i])
	}
	if c.m > c.n {
		c.gather(into)
	}
	return frame(x, y, z, at)
}

// twist writes the twist about the tip that the step has while the value of its joint changes by 1 in the time 1.
func (s *step) twist(at *axes, tip geom.Vector, into *geom.Twist) {
	axis := at.z.Scale(s.factor)
	if s.slides {
		into.Vel, into.Rot = axis, geom.Vector{}
	} else {
		into.Vel, into.Rot = axis.Cross(tip.Sub(at.at)), axis
	}
}

// gather adds up the columns of the steps that have one value.
func (c *Chain) gather(j *geom.Jacobian) {
	all := j.Columns
	j.Columns = [MaxJoints]geom.Twist{}
	for i := range c.steps {
		if i >= c.m {
			break
		}
		column := &j.Columns[c.steps[i].from%MaxJoints]
		*column = column.Add(all[i])
	}
}

// Twist returns the twist of the tip for values and velocities of all joints, seen from the base with respect to the
// origin of the tip.
func (c *Chain) Twist(q, velocities []float64) geom.Twist {
	if len(velocities) < c.n {
		return noTwist
	}
	var j geom.Jacobian
	c.Jacobian(q, &j)
	return j.Twist(velocities)
}
