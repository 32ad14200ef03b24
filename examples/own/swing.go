package main

import (
	"math"

	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/net"
)

// Sine is a sensor: a sine of the time.
type Sine struct{ Amplitude, Frequency float64 }

// MapSensor makes primitives of it.
func (s Sine) MapSensor(m *mapping.Net) net.Signal[float64] {
	angle := m.Add("Core::Clock").Set("Increment", 2*math.Pi*s.Frequency).Out("outValue")
	sine := mapping.Link[float64](m.Add("Core::DoubleSin").Link("inValue", angle), "outValue")
	return net.Mul(sine, m.Real(s.Amplitude))
}

// Offset is what a Swing says in each cycle: how far a joint is to be from where it was at the beginning.
type Offset struct {
	Joint int
	By    net.Signal[float64]
}

// Swing is an action: a joint follows a sensor, until it is cancelled.
type Swing struct {
	Joint int
	By    robotics.Sensor[float64]
}

// MapAction says by how much.
func (s Swing) MapAction(c *mapping.Context) mapping.Part {
	return mapping.Part{Flow: Offset{s.Joint, robotics.Read(c.Net, s.By)}, Done: c.Cancelled}
}

// Converters make goals of offsets. How joints come to a goal within their limits, everybody knows.
func (s Swing) Converters() []mapping.Converter { return []mapping.Converter{mapping.Convert(goalOf)} }

func goalOf(c *mapping.Context, o Offset) (mapping.JointGoal, mapping.Part) {
	pos := robotics.LastPositions(c)
	for i := range pos {
		pos[i] = net.Hold(pos[i], net.Rising(c.Active), 0)
	}
	pos[o.Joint] = net.Add(pos[o.Joint], o.By)
	return mapping.JointGoal{Pos: pos, Moving: true}, mapping.Part{}
}
