package actuator

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

type lastVelocity struct{ device string }

// velocity returns how fast the joints are commanded to move at the beginning of a cycle: by the parabola through the last three positions. As
// long as there are fewer the device reports it.
func (j *Joints) velocity(m *mapping.Net) []graph.Signal[float64] {
	return mapping.Once(m, lastVelocity{j.name}, func() []graph.Signal[float64] {
		all := make([]graph.Signal[float64], j.Len())
		for i, now := range j.Last(m) {
			before := graph.Pre(now)
			step, change := steps(m, now, before, graph.Pre(before))
			vel := graph.Add(step, graph.Mul(m.Real(half), change))
			all[i] = graph.If(mapping.Near(vel, vel, 0), vel, j.monitor(m, i, "outCommandedVelocity"))
		}
		return all
	})
}

// MapVelocity returns how the joints move the flange.
func (c carries) MapVelocity(m *mapping.Net) graph.Signal[geom.Twist] {
	return mapping.Once(m, movesOf{c}, func() graph.Signal[geom.Twist] { return c.arm.twist(m, c.arm.velocity(m)) })
}

type movesOf struct{ by mapping.MovingCoupling }

// twist returns how velocities of the joints move the flange, along the axes of the base.
func (a *Arm) twist(m *mapping.Net, vel []graph.Signal[float64]) graph.Signal[geom.Twist] {
	p := m.Add("ArmKinematics::VelKin").Set("Robot", a.name).Link("inJoints", m.Array(a.Last(m)).Port).Link("inVelocities", m.Array(vel).Port)
	return mapping.Link[geom.Twist](p, "outTwist")
}

// MapVelocity returns how the base drives, as far as it knows, which it reports along its own axes.
func (d drives) MapVelocity(m *mapping.Net) graph.Signal[geom.Twist] {
	monitor := d.base.monitor(m)
	rot := m.Add("World::FrameToPosRot").Link("inValue", monitor.Out("outPos")).Out("outRotation")
	return mapping.Link[geom.Twist](m.Add("World::TwistRotate").Link("inValue", monitor.Out("outVel")).Link("inRot", rot), "outValue")
}

// toJoints finds velocities of joints for that of whatever the arm carries. Near singularities, and where a joint would be too fast, the
// arm is slower, in the same direction as long as there is one.
func (a *Arm) toJoints(c *mapping.Context, v mapping.CartesianVelocity) (mapping.JointVelocities, mapping.Part) {
	if dependent(a.flange, v.Of, carries{a}) {
		c.Fail(fmt.Errorf("frame %v: %w", v.Of, robotics.ErrNotCarried))
	}
	flange := c.ExpressVelocity(ownAxes(c, v), a.flange, a.base)
	p := c.Add("ArmKinematics::InvVelKin").Set("Robot", a.name).Set("MaxVel", a.limits(c).vel)
	p.Link("inJoints", c.Array(a.Last(c.Net)).Port).Link("inTwist", flange.Port)
	return mapping.JointVelocities{Vel: c.Elements(mapping.Link[[]float64](p, "outVelocities"), a.Len())}, mapping.Part{}
}

// toSpace returns how velocities of joints move the flange, seen from the base.
func (a *Arm) toSpace(c *mapping.Context, v mapping.JointVelocities) (mapping.CartesianVelocity, mapping.Part) {
	if len(v.Vel) != a.Len() {
		c.Fail(fmt.Errorf("velocities of %d joints: %w", len(v.Vel), robotics.ErrJoints))
		return mapping.CartesianVelocity{Of: a.flange, In: a.base}, mapping.Part{}
	}
	return mapping.CartesianVelocity{Twist: a.twist(c.Net, v.Vel), Of: a.flange, In: a.base}, mapping.Part{}
}

// ownAxes says a velocity that is given along the axes of a frame which the robot carries as one that is seen from where the
// robot stands.
func ownAxes(c *mapping.Context, v mapping.CartesianVelocity) mapping.CartesianVelocity {
	if base, own := OwnFrame(c, v.In); own {
		v.Twist, v.In = c.Turn(v.Twist, v.In, base), base
	}
	return v
}

// OwnFrame reports whether a frame moves with the actuator of a command, and returns the frame in which that stands.
func OwnFrame(c *mapping.Context, f *world.Frame) (base *world.Frame, own bool) {
	if arm, is := c.Actuator.(carrying); is {
		a := arm.asArm()
		return a.base, dependent(a.base, f, carries{a})
	}
	return nil, false
}
