package robotics

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/net"
)

// Lightweight is a lightweight robot of KUKA: an arm that feels torques.
type Lightweight struct{ *Arm }

// NewLightweight returns the proxy of a lightweight robot with a model of its joints.
func NewLightweight(device string, model *kinematics.Arm, defaults ...any) *Lightweight {
	return &Lightweight{NewArm(device, model, defaults...)}
}

// Force is what acts on the tip, along the axes of the tool, N, as the robot estimates it.
func (l *Lightweight) Force() Sensor[geom.Vector] { return tipSensor{l.name, "F"} }

// Moment is what acts about the tip, along the axes of the tool, Nm, as the robot estimates it.
func (l *Lightweight) Moment() Sensor[geom.Vector] { return tipSensor{l.name, "T"} }

type tipSensor struct{ device, of string }

// MapSensor reads it.
func (s tipSensor) MapSensor(m *mapping.Net) net.Signal[geom.Vector] {
	tip := m.Add("KUKA::LWR::FMonitor").Set("Robot", s.device)
	v := m.Add("World::VectorFromXYZ")
	v.Link("inX", tip.Out("outTcp"+s.of+"x")).Link("inY", tip.Out("outTcp"+s.of+"y")).Link("inZ", tip.Out("outTcp"+s.of+"z"))
	return mapping.Link[geom.Vector](v, "outValue")
}

// Torque is what a joint feels, Nm, as it is measured.
func (l *Lightweight) Torque(joint int) Sensor[float64] { return torqueSensor{l.name, joint} }

type torqueSensor struct {
	device string
	joint  int
}

// MapSensor reads it.
func (s torqueSensor) MapSensor(m *mapping.Net) net.Signal[float64] {
	return mapping.Link[float64](m.Add("KUKA::LWR::TMonitor").Set("Robot", s.device).Set("Axis", s.joint), "outMsr")
}
