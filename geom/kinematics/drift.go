package kinematics

import "github.com/softrobot-rcc/rccd/geom"

// Drift returns the acceleration that the tip has while the joints move with velocities and do not accelerate, seen from
// the base with respect to the origin of the tip: the derivative of the Jacobian by time, times the velocities. With the
// accelerations of the joints, the derivative of the twist is Jacobian · accelerations + Drift.
//
// The axis of a joint moves with the link before it, which turns with what the joints before it do (J. J. Craig,
// "Introduction to Robotics", 6.2; nothing is differentiated numerically).
func (c *Chain) Drift(q, velocities []float64) geom.Twist {
	var moved [MaxJoints]motion
	var stops [MaxJoints]axes
	known := c.motions(q, &moved)
	_, _, _, tip := c.trace(&moved, stops[:])
	if !known || len(velocities) < c.n {
		return noTwist
	}
	// How the links would move the tip if it were fixed to them. A derivative is that of the axis while the tip rests,
	// and that of the tip, which is the same for the axes of all joints that turn.
	var before, drift geom.Twist
	for i := range stops {
		if i >= c.m {
			break
		}
		s, stop := &c.steps[i], &stops[i]
		from := int(s.from)
		if from >= len(velocities) {
			break
		}
		axis := stop.z.Scale(s.factor * velocities[from])
		bent := before.Rot.Cross(axis)
		if s.slides {
			drift.Vel = drift.Vel.Add(bent)
			before.Vel = before.Vel.Add(axis)
			continue
		}
		arm := tip.Sub(stop.at)
		rests := before.At(arm.Neg()).Vel // the velocity of the point of the axis
		drift.Vel = drift.Vel.Add(bent.Cross(arm)).Sub(axis.Cross(rests))
		drift.Rot = drift.Rot.Add(bent)
		before = before.Add(geom.Twist{Vel: axis.Cross(arm), Rot: axis})
	}
	drift.Vel = drift.Vel.Add(before.Rot.Cross(before.Vel))
	return drift
}
