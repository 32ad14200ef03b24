package main

import (
	"github.com/softrobot-rcc/rccd/examples/internal/program"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// Quadcopter is an actuator: it keeps an attitude by itself, and is seen by a tracking system.
type Quadcopter struct{ Device string }

func (q Quadcopter) String() string { return q.Device }

// Defaults returns the gains of the controller (figure 11.9).
func (q Quadcopter) Defaults() []robotics.Param {
	return []robotics.Param{Gains{Position: 1.8, Velocity: 3.5, Fastest: 1}}
}

// Position returns where the quadcopter is seen.
func (q Quadcopter) Position() robotics.Sensor[geom.Vector] {
	return robotics.Derived(func(m *mapping.Net) graph.Signal[geom.Vector] {
		return mapping.Link[geom.Vector](q.monitor(m), "outPosition")
	})
}

// Coordinate returns one of its position.
func (q Quadcopter) Coordinate(axis robotics.Axis) robotics.Sensor[float64] {
	return robotics.Component(q.Position(), axis)
}

// Compass returns where the quadcopter points to.
func (q Quadcopter) Compass() robotics.Sensor[float64] {
	return robotics.Derived(func(m *mapping.Net) graph.Signal[float64] { return mapping.Link[float64](q.monitor(m), "outYaw") })
}

// Away returns how far it is from a place.
func (q Quadcopter) Away(from robotics.Sensor[geom.Vector]) robotics.Sensor[float64] {
	return robotics.Length(robotics.Derived(func(m *mapping.Net) graph.Signal[geom.Vector] {
		return program.Way(m, robotics.Read(m, from), robotics.Read(m, q.Position()))
	}))
}

// Aside returns how far it is from the upright line through the origin.
func (q Quadcopter) Aside() robotics.Sensor[float64] {
	return robotics.Length(robotics.Derived(func(m *mapping.Net) graph.Signal[geom.Vector] {
		p := m.Add("World::VectorFromXYZ").Link("inX", robotics.Read(m, q.Coordinate(robotics.X)).Port)
		return mapping.Link[geom.Vector](p.Link("inY", robotics.Read(m, q.Coordinate(robotics.Y)).Port), "outValue")
	}))
}

func (q Quadcopter) monitor(m *mapping.Net) *graph.Primitive {
	return mapping.Once(m, q, func() *graph.Primitive { return m.Add("QC::Monitor").Set("Device", q.Device) })
}

// Attitude is how a quadcopter is to fly: angles in rad, and the thrust by its mass, m/s².
type Attitude struct{ Roll, Pitch, Yaw, Thrust float64 }

// Flying is such an attitude in each cycle: what the quadcopter hears.
type Flying struct{ Roll, Pitch, Yaw, Thrust graph.Signal[float64] }

// Understands are attitudes.
func (q Quadcopter) Understands() []mapping.Flow { return []mapping.Flow{Flying{}} }

// MapActuator commands an attitude.
func (q Quadcopter) MapActuator(c *mapping.Context, flow mapping.Flow) mapping.Part {
	f := flow.(Flying) //nolint:forcetypeassert // it is what Understands says
	p := c.Add("QC::Control").Set("Device", q.Device).Link("inActive", c.Active.Port)
	p.Link("inRoll", f.Roll.Port).Link("inPitch", f.Pitch.Port).Link("inYaw", f.Yaw.Port).Link("inThrust", f.Thrust.Port)
	return mapping.Part{Faults: []mapping.Fault{
		{Name: robotics.FaultConcurrent, Of: q.Device, Is: mapping.Link[bool](p, "outErrorConcurrentAccess")},
		{Name: robotics.FaultIllegal, Of: q.Device, Is: mapping.Link[bool](p, "outErrorIllegalAttitude")},
		{Name: robotics.FaultFailed, Of: q.Device, Is: mapping.Link[bool](p, "outErrorFailed")},
	}}
}

// Keep is an action: the same attitude, until it is cancelled.
type Keep struct{ Attitude }

func (Keep) String() string { return "keep attitude" }

// MapAction says the attitude.
func (k Keep) MapAction(c *mapping.Context) mapping.Part {
	return mapping.Part{Flow: Flying{c.Real(k.Roll), c.Real(k.Pitch), c.Real(k.Yaw), c.Real(k.Thrust)}, Done: c.Cancelled}
}
