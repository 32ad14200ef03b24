package main

import (
	"math"

	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// Turned is a sensor: how far a joint is from 0, in any direction.
type Turned struct {
	Of    *actuator.Arm
	Joint int
}

// MapSensor makes primitives of it.
func (t Turned) MapSensor(m *mapping.Net) graph.Signal[float64] {
	at := robotics.Read(m, t.Of.Commanded(t.Joint))
	return mapping.Link[float64](m.Add("Core::DoubleAbs").Link("inValue", at.Port), "outValue")
}

// Offset is what a Swing says in each cycle: how far a joint is to be from where it was at the beginning.
type Offset struct {
	Joint int
	By    graph.Signal[float64]
}

// Swing is an action: a joint swings about where it is at the beginning, until it is cancelled.
type Swing struct {
	Joint                int
	Amplitude, Frequency float64
}

// MapAction says by how much. The time is that of the command, so that it begins where the joint is.
func (s Swing) MapAction(c *mapping.Context) mapping.Part {
	angle := graph.Mul(c.Time(), c.Real(2*math.Pi*s.Frequency))
	sine := mapping.Link[float64](c.Add("Core::DoubleSin").Link("inValue", angle.Port), "outValue")
	return mapping.Part{Flow: Offset{s.Joint, graph.Mul(sine, c.Real(s.Amplitude))}, Done: c.Cancelled}
}

// Converters make goals of offsets. How joints come to a goal within their limits, everybody knows.
func (s Swing) Converters() []mapping.Converter { return []mapping.Converter{mapping.Convert(goalOf)} }

func goalOf(c *mapping.Context, o Offset) (mapping.JointGoal, mapping.Part) {
	pos := actuator.LastPositions(c)
	for i := range pos {
		pos[i] = graph.Hold(pos[i], graph.Rising(c.Active), 0)
	}
	pos[o.Joint] = graph.Add(pos[o.Joint], o.By)
	return mapping.JointGoal{Pos: pos, Moving: true}, mapping.Part{}
}
