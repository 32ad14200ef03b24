package actuator

import (
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// Lightweight is a lightweight robot of KUKA: an arm that feels torques, and can give way to them.
type Lightweight struct{ *Arm }

// NewLightweight returns the proxy of a lightweight robot with a model of its joints.
func NewLightweight(device string, model *kinematics.Arm, defaults ...robotics.Param) *Lightweight {
	const slowly = Transition(500 * time.Millisecond)
	a := NewArm(device, model)
	a.defaults = robotics.DefaultsOf(defaults, append(a.defaults, Under{}, slowly)...)
	return &Lightweight{a}
}

// Understands returns those of every arm, ways of control, and tools.
func (l *Lightweight) Understands() []mapping.Flow {
	return append(l.Arm.Understands(), SwitchControl{}, SetTool{})
}

// MapActuator commands the joints, or sets how the robot is controlled, or what it carries.
func (l *Lightweight) MapActuator(c *mapping.Context, flow mapping.Flow) mapping.Part {
	switch f := flow.(type) {
	case SwitchControl:
		return l.switchTo(c, f.To)
	case SetTool:
		return l.attach(c, f)
	case mapping.JointPositions:
		said, faults := l.under(c, f)
		part := l.Arm.MapActuator(c, said)
		part.Faults = append(faults, part.Faults...)
		return part
	}
	return l.Arm.MapActuator(c, flow)
}

// Force returns the force on the tip, along the axes of the tool, N, as the robot estimates it.
func (l *Lightweight) Force() robotics.Sensor[geom.Vector] { return tipSensor{l.name, "F"} }

// Moment returns the torque about the tip, along the axes of the tool, Nm, as the robot estimates it.
func (l *Lightweight) Moment() robotics.Sensor[geom.Vector] { return tipSensor{l.name, "T"} }

type tipSensor struct{ device, of string }

// MapSensor reads it.
func (s tipSensor) MapSensor(m *mapping.Net) graph.Signal[geom.Vector] {
	tip := m.Add("KUKA::LWR::FMonitor").Set("Robot", s.device)
	v := m.Add("World::VectorFromXYZ")
	v.Link("inX", tip.Out("outTcp"+s.of+"x")).Link("inY", tip.Out("outTcp"+s.of+"y")).Link("inZ", tip.Out("outTcp"+s.of+"z"))
	return mapping.Link[geom.Vector](v, "outValue")
}

// Torque returns the measured torque of a joint, Nm, including the weight that it carries.
func (l *Lightweight) Torque(joint int) robotics.Sensor[float64] {
	return axisSensor{l, joint, "KUKA::LWR::TMonitor", "outMsr"}
}

// ExternalTorque returns the torque on a joint from outside, Nm, as the robot estimates it.
func (l *Lightweight) ExternalTorque(joint int) robotics.Sensor[float64] {
	return axisSensor{l, joint, "KUKA::LWR::TMonitor", "outEst"}
}

// Stiffness returns the stiffness of the spring of a joint, Nm/rad, as it would be under joint impedance.
func (l *Lightweight) Stiffness(joint int) robotics.Sensor[float64] {
	return axisSensor{l, joint, "KUKA::LWR::JointImpMonitor", "outStiffness"}
}

// axisSensor is something that a primitive reports of a joint.
type axisSensor struct {
	of              *Lightweight
	joint           int
	primitive, port string
}

// MapSensor reads it.
func (s axisSensor) MapSensor(m *mapping.Net) graph.Signal[float64] {
	if !s.of.has(m, s.joint) {
		return m.Real(0)
	}
	return mapping.Link[float64](m.Add(s.primitive).Set("Robot", s.of.name).Set("Axis", s.joint), s.port)
}

// Controlled returns the state in which the robot is controlled by a strategy.
func (l *Lightweight) Controlled(by Strategy) robotics.State {
	return robotics.IsTrue(controlSensor{l, by})
}

type controlSensor struct {
	of *Lightweight
	by Strategy
}

// MapSensor checks whether it is the one in force.
func (s controlSensor) MapSensor(m *mapping.Net) graph.Signal[bool] { return s.of.controlled(m, s.by) }

func (l *Lightweight) controlled(m *mapping.Net, by Strategy) graph.Signal[bool] {
	p := m.Add("Core::IntEquals").Link("inFirst", l.state(m).Out("outStrategy")).Set("Second", int(by))
	return mapping.Link[bool](p, "outValue")
}

// Quality returns how the controller of the robot rates the connection, from 0, unacceptable, to 3, perfect. Simulated robots have no value.
func (l *Lightweight) Quality() robotics.Sensor[int32] { return qualitySensor{l} }

type qualitySensor struct{ of *Lightweight }

// MapSensor reads it.
func (s qualitySensor) MapSensor(m *mapping.Net) graph.Signal[int32] {
	return mapping.Link[int32](s.of.state(m), "outQuality")
}

type stateKey struct{ device string }

func (l *Lightweight) state(m *mapping.Net) *graph.Primitive {
	return mapping.Once(m, stateKey{l.name}, func() *graph.Primitive { return m.Add("KUKA::LWR::StateMonitor").Set("Robot", l.name) })
}
