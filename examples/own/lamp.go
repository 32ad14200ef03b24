package main

import (
	"slices"

	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// Lamp is an actuator: two outputs, for two colours.
type Lamp struct{ Red, Green robotics.DigitalOutput }

func (Lamp) String() string { return "lamp" }

// Defaults are none.
func (Lamp) Defaults() []robotics.Param { return nil }

// Understands are colours.
func (Lamp) Understands() []mapping.Flow { return []mapping.Flow{Show{}} }

// MapActuator switches both outputs.
func (l Lamp) MapActuator(c *mapping.Context, flow mapping.Flow) mapping.Part {
	show := flow.(Show) //nolint:forcetypeassert // it is what Understands says
	red := l.Red.MapActuator(c, mapping.Digital{Value: graph.Const(c.Graph, show.Red)})
	green := l.Green.MapActuator(c, mapping.Digital{Value: graph.Const(c.Graph, show.Green)})
	return mapping.Part{Faults: slices.Concat(red.Faults, green.Faults)} // that others would switch them at the same time
}

// Show is an action that says itself: colours.
type Show struct{ Red, Green bool }

// MapAction says them.
func (s Show) MapAction(*mapping.Context) mapping.Part { return mapping.Part{Flow: s} }
