package kinematics

import "math"

// Unwind brings each joint to the value that means the same for the pose, is within its limits, and is nearest to hint.
// Hints above 1e9 are invalid, as they have no digits left.
func (c *Chain) Unwind(joints, hint []float64) Status {
	status := Solved
	for i := range c.joints {
		if i >= c.n {
			break
		}
		if i >= len(joints) || i >= len(hint) {
			return Invalid
		}
		v, h := joints[i], hint[i]
		if !(math.Abs(v) <= mostTurned) || !(math.Abs(h) <= mostTurned) {
			return Invalid
		}
		within := false
		if c.stiff[i] {
			joints[i], within = c.joints[i].hold(v)
		} else {
			joints[i], within = c.joints[i].Unwind(v, h)
		}
		if !within {
			status = OutOfLimits
		}
	}
	return status
}

// Margin returns how far the joint that is nearest to one of its limits is away from it, and which one it is. Beyond the
// limit the margin is less than 0; it is not a number if a value is not, or is missing.
func (c *Chain) Margin(q []float64) (margin float64, joint int) {
	margin = math.Inf(1)
	for i := range c.joints {
		if i >= c.n {
			break
		}
		if i >= len(q) {
			return math.NaN(), i
		}
		m := c.joints[i].Margin(q[i])
		if math.IsNaN(m) {
			return m, i
		}
		if m < margin {
			margin, joint = m, i
		}
	}
	return margin, joint
}

// Within reports whether all joints are within their limits.
func (c *Chain) Within(q []float64) bool {
	margin, _ := c.Margin(q)
	return margin >= 0
}

// Load returns the largest share that a joint has of the velocity that it may have, and which one it is: above 1 it is
// too fast. Joints of which no limit is known do not count. It is not a number if a velocity is not, or is missing.
func (c *Chain) Load(velocities []float64) (share float64, joint int) {
	for i := range c.joints {
		if i >= c.n {
			break
		}
		if i >= len(velocities) {
			return math.NaN(), i
		}
		limit := c.joints[i].Velocity
		if limit == 0 {
			limit = math.Inf(1)
		}
		s := math.Abs(velocities[i]) / limit
		if math.IsNaN(s) {
			return s, i
		}
		if s > share {
			share, joint = s, i
		}
	}
	return share, joint
}
