package actuator

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// CommandedVelocity returns the velocity that a joint is commanded.
func (j *Joints) CommandedVelocity(joint int) robotics.Sensor[float64] {
	return jointSensor{j, joint, "outCommandedVelocity"}
}

// MeasuredAll returns the measured positions of all joints, of one cycle.
func (j *Joints) MeasuredAll() robotics.Sensor[[]float64] { return allSensor{j, "outMeasuredPosition"} }

// CommandedAll returns the positions that all joints are commanded in one cycle.
func (j *Joints) CommandedAll() robotics.Sensor[[]float64] {
	return allSensor{j, "outCommandedPosition"}
}

// MeasuredVelocities returns the measured velocities of all joints, of one cycle.
func (j *Joints) MeasuredVelocities() robotics.Sensor[[]float64] {
	return allSensor{j, "outMeasuredVelocity"}
}

// allSensor is something that is known of all joints.
type allSensor struct {
	of   *Joints
	port string
}

// MapSensor reads it.
func (s allSensor) MapSensor(m *mapping.Net) graph.Signal[[]float64] {
	if s.of.Len() == 0 {
		m.Fail(fmt.Errorf("%s has no joints: %w", s.of.name, robotics.ErrJoints))
		return graph.Signal[[]float64]{}
	}
	return m.Array(s.of.all(m, s.port))
}

func (j *Joints) all(m *mapping.Net, port string) []graph.Signal[float64] {
	all := make([]graph.Signal[float64], j.Len())
	for i := range all {
		all[i] = j.monitor(m, i, port)
	}
	return all
}

// At returns the state in which all joints are measured at a point, within a tolerance.
func (j *Joints) At(point []float64, tolerance float64) robotics.State {
	return robotics.IsTrue(robotics.Derived(func(m *mapping.Net) graph.Signal[bool] {
		if len(point) != j.Len() {
			m.Fail(fmt.Errorf("%v: %w", point, robotics.ErrJoints))
			return m.False()
		}
		if !(tolerance >= 0) {
			m.Fail(fmt.Errorf("a tolerance of %v: %w", tolerance, robotics.ErrNegative))
		}
		var at []graph.Signal[bool]
		for i, is := range j.all(m, "outMeasuredPosition") {
			at = append(at, mapping.Near(is, m.Real(point[i]), tolerance))
		}
		return m.And(at...)
	}))
}

// MeasuredPose returns where the flange is, seen from the base, as the joints are measured. It differs from where frames of the arm are
// (Pose), which follows from commands, while the arm gives way or is not at rest.
func (a *Arm) MeasuredPose() robotics.Sensor[geom.Frame] { return measuredPose{a} }

type measuredPose struct{ of *Arm }

// MapSensor computes it.
func (s measuredPose) MapSensor(m *mapping.Net) graph.Signal[geom.Frame] {
	p := m.Add("ArmKinematics::Kin").Set("Robot", s.of.name).Link("inJoints", robotics.Read(m, s.of.MeasuredAll()).Port)
	return mapping.Link[geom.Frame](p, "outFrame")
}

// Ready returns the state in which all joints can be commanded: the device exists, has power, and nothing has failed.
func (j *Joints) Ready() robotics.State { return robotics.Not(j.Faulty()) }

// NoPower returns the state in which drives of joints have no power, as after an emergency stop.
func (j *Joints) NoPower() robotics.State { return robotics.IsTrue(noPower{j}) }

type noPower struct{ of *Joints }

// MapSensor looks at all of them.
func (s noPower) MapSensor(m *mapping.Net) graph.Signal[bool] {
	const off = 2 // RobotArm::JointMonitor
	var is []graph.Signal[bool]
	for i := range s.of.joints {
		p := m.Add("Core::IntEquals").Link("inFirst", s.of.monitorOf(m, i).Out("outError")).Set("Second", off)
		is = append(is, mapping.Link[bool](p, "outValue"))
	}
	return graph.Or(is...)
}

// Ready returns the state in which the base can be commanded.
func (b *Base) Ready() robotics.State { return robotics.IsTrue(baseReady{b}) }

type baseReady struct{ of *Base }

// MapSensor looks at its error.
func (s baseReady) MapSensor(m *mapping.Net) graph.Signal[bool] {
	p := m.Add("Core::IntEquals").Link("inFirst", s.of.monitor(m).Out("outError")).Set("Second", 0)
	return mapping.Link[bool](p, "outValue")
}
