package robotics_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// turned is a sensor of one's own: how far a joint is from 0, in any direction.
type turned struct {
	of    *actuator.Arm
	joint int
}

func (s turned) MapSensor(m *mapping.Net) graph.Signal[float64] {
	at := robotics.Read(m, s.of.Commanded(s.joint))
	return mapping.Link[float64](m.Add("Core::DoubleAbs").Link("inValue", at.Port), "outValue")
}

// offset is a flow of one's own: by how much one joint is to be moved from where it has been.
type offset struct {
	joint int
	by    graph.Signal[float64]
}

// shake is an action of one's own: it moves a joint to and fro until it is cancelled.
type shake struct {
	joint                int
	amplitude, frequency float64
}

func (s shake) MapAction(c *mapping.Context) mapping.Part {
	angle := graph.Mul(c.Time(), c.Real(2*math.Pi*s.frequency))
	sine := mapping.Link[float64](c.Add("Core::DoubleSin").Link("inValue", angle.Port), "outValue")
	return mapping.Part{Flow: offset{s.joint, graph.Mul(sine, c.Real(s.amplitude))}, Done: c.Cancelled}
}

// Converters says what goal an offset is for joints. That the arm goes there within its limits is the business of the next
// converter, which all have.
func (s shake) Converters() []mapping.Converter {
	return []mapping.Converter{mapping.Convert(func(c *mapping.Context, o offset) (mapping.JointGoal, mapping.Part) {
		pos := actuator.LastPositions(c)
		for i := range pos {
			pos[i] = graph.Hold(pos[i], graph.Rising(c.Active), 0)
		}
		pos[o.joint] = graph.Add(pos[o.joint], o.by)
		return mapping.JointGoal{Pos: pos, Moving: true}, mapping.Part{}
	})}
}

// lamp is an actuator of one's own: two outputs are a lamp of three colours.
type lamp struct{ red, green robotics.DigitalOutput }

type color struct{ red, green bool } // a flow

func (l lamp) String() string              { return "lamp" }
func (l lamp) Defaults() []robotics.Param  { return nil }
func (l lamp) Understands() []mapping.Flow { return []mapping.Flow{color{}} }

func (l lamp) MapActuator(c *mapping.Context, flow mapping.Flow) mapping.Part {
	shown := flow.(color) //nolint:forcetypeassert // it is what Understands says
	red := l.red.MapActuator(c, mapping.Digital{Value: graph.Const(c.Graph, shown.red)})
	green := l.green.MapActuator(c, mapping.Digital{Value: graph.Const(c.Graph, shown.green)})
	return mapping.Part{Faults: slices.Concat(red.Faults, green.Faults)} // that another net has the lamp
}

// show is an action for it.
type show struct{ color }

func (s show) MapAction(*mapping.Context) mapping.Part { return mapping.Part{Flow: s.color} }

// Actions, actuators, sensors, flows and converters of one's own are types that map themselves. Nothing has to be registered.
func Example_own() {
	robot, letGo, closed := demo()
	defer closed()
	arm := actuator.NewArm("kr16", robots.KR16())
	signal := lamp{robotics.DigitalOutput{Device: "io", Port: 0}, robotics.DigitalOutput{Device: "io", Port: 1}}

	shaking := robotics.NewCommand(arm, shake{joint: 5, amplitude: 0.05, frequency: 2})
	shaking.OnEntered(robotics.Long(shaking.Active(), time.Second), robotics.Cancel(shaking))
	all := robotics.Sequence(
		robotics.NewCommand(signal, show{color{red: true}}), shaking, robotics.NewCommand(signal, show{color{green: true}}),
	)
	most := robotics.Above(turned{arm, 5}, 0.049)
	all.OnFirstEntered(most, robotics.External(func() { fmt.Println("it shakes") }))

	letGo()
	fmt.Println(robot.Execute(context.Background(), all))
	green, err := robotics.Value(context.Background(), robot, signal.green)
	fmt.Println(green, err)
	// Output:
	// it shakes
	// <nil>
	// true <nil>
}
