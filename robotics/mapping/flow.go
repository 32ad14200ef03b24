package mapping

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// Flow is what an action sends to an actuator in each cycle. Its Go type says what it means; what it carries besides signals is
// for those who use it.
type Flow any

// The flows that come with the package. Applications may have more.
type (
	// JointPositions are where joints are to be one cycle later. Those in flight begin where joints are, and as fast as they are, when
	// the command takes them over from another one. Those that are carried move with a frame, from the beginning on and at the end.
	// All others begin and end at rest.
	JointPositions struct {
		Pos               []graph.Signal[float64]
		InFlight, Carried bool
	}

	// JointGoal is where joints are to go in their own time. A goal that moves does so smoothly: it can be met in flight.
	JointGoal struct {
		Pos    []graph.Signal[float64]
		Moving bool
	}

	// JointVelocities are how fast joints are to move. An actuator that takes velocities, of joints or in space, reaches them within
	// limits of acceleration, and comes to rest when the command is cancelled.
	JointVelocities struct{ Vel []graph.Signal[float64] }

	// CartesianPosition is where a frame is to be one cycle later, seen from another one.
	CartesianPosition struct {
		Pose   graph.Signal[geom.Frame]
		Of, In *world.Frame
	}

	// CartesianGoal is where a frame is to go in its own time.
	CartesianGoal struct {
		CartesianPosition
		Moving bool
	}

	// CartesianVelocity is how a frame is to move, seen from another one: the velocity of its origin and its rotation, along the axes of
	// that. If that moves with the actuator itself they are meant relative to where the actuator stands.
	CartesianVelocity struct {
		Twist  graph.Signal[geom.Twist]
		Of, In *world.Frame
	}

	// Digital and Analog are states of outputs.
	Digital struct{ Value graph.Signal[bool] }
	Analog  struct{ Value graph.Signal[float64] }
)

// Context is a net, and the command that a part of it belongs to.
type Context struct {
	*Net
	Active    graph.Signal[bool]    // the command is being executed
	Cancelled graph.Signal[bool]    // it is to end
	Override  graph.Signal[float64] // share of the speed at which motions pass, 0 to 1
	Actuator  any                   // that the command is for

	params       []any
	asked        map[reflect.Type]bool
	time         graph.Signal[float64]
	said, joined graph.Wire[bool]
}

// NewContext returns a context with parameters, of which the first of a type counts.
func NewContext(m *Net, actuator any, params []any) *Context {
	return &Context{Net: m, Actuator: actuator, params: params, asked: map[reflect.Type]bool{}}
}

// MissingError is returned when neither a command nor its actuator have a parameter of a type.
type MissingError struct{ Type reflect.Type }

func (e *MissingError) Error() string { return fmt.Sprintf("there is no parameter %v", e.Type) }

// Time returns how long the command has been executed, s: one cycle in its first one. Clocks of sensors count from the beginning of the net
// instead, as a sensor exists once, whichever commands use it.
func (c *Context) Time() graph.Signal[float64] {
	if c.time.Open() {
		c.time = Link[float64](c.Add("Core::Clock").Link("inActive", c.Active.Port), "outValue")
	}
	return c.time
}

// Said is for actuators that have something to do when action and converters have nothing more to say, and then are done themselves: it
// is true from the last cycle in which they have.
func (c *Context) Said() graph.Signal[bool] {
	if c.said.Open() {
		c.said = graph.NewWire[bool](c.Graph)
	}
	return c.said.Signal
}

// Joined is for actions that begin when the actuator is where they say that it is to be, and moves like that: it is true while that was
// so one cycle before.
func (c *Context) Joined() graph.Signal[bool] {
	if c.joined.Open() {
		c.joined = graph.NewWire[bool](c.Graph)
	}
	return c.joined.Signal
}

// Join sets when the actuator is where the action wants it. Without a call it always is.
func (c *Context) Join(when graph.Signal[bool]) {
	if c.Joined(); !c.joined.Connected() {
		c.joined.Connect(c.Definite(graph.Pre(when)))
	}
}

// End is for the mapping of commands: it returns what holds when action and converters have nothing more to say, and whether the actuator
// has asked for that.
func (c *Context) End(done ...graph.Signal[bool]) (asked bool) {
	if !c.joined.Open() && !c.joined.Connected() {
		c.joined.Connect(c.True())
	}
	if asked = !c.said.Open(); asked {
		c.said.Connect(c.Latch(c.And(done...)))
	}
	return asked
}

// Param returns the parameter of a type: that of the command, or the default of the actuator.
func Param[T any](c *Context) (value T) {
	c.asked[reflect.TypeFor[T]()] = true
	for _, p := range c.params {
		if v, ok := p.(T); ok {
			return v
		}
	}
	c.Fail(&MissingError{reflect.TypeFor[T]()})
	return value
}

// Asked reports whether parameters of a type were asked for.
func (c *Context) Asked(t reflect.Type) bool { return c.asked[t] }

// Fault is something that may go wrong.
type Fault struct {
	Name string             // such as "out of range"
	Of   string             // what it is wrong with, such as the name of a device
	Is   graph.Signal[bool] // while it is wrong
	Rest bool               // what is not wrong can come to rest: the command is cancelled, and not stopped
}

// Part is the mapped form of an action, an actuator or a converter.
type Part struct {
	Flow   Flow               // what it says, if anything
	Done   graph.Signal[bool] // it has nothing more to do; open: it never has anything to do longer than a cycle
	Faults []Fault
	States func(state any) graph.Signal[bool] // that commands can react to, by keys of the part; open signals for others; or nil
}

// Converter makes one flow of another one.
type Converter struct {
	From, To reflect.Type
	Convert  func(c *Context, from Flow) Part
}

// Convert makes a converter from a function.
func Convert[From, To any](convert func(c *Context, from From) (To, Part)) Converter {
	return Converter{
		From: reflect.TypeFor[From](), To: reflect.TypeFor[To](),
		Convert: func(c *Context, from Flow) Part {
			to, part := convert(c, from.(From)) //nolint:forcetypeassert // Connect looks at From
			part.Flow = to
			return part
		},
	}
}

// Converting is an action or actuator that brings converters of its own.
type Converting interface{ Converters() []Converter }

// NoConverterError is returned when the actuator does not understand the flow of the action.
type NoConverterError struct {
	From reflect.Type
	To   []reflect.Type
}

func (e *NoConverterError) Error() string {
	names := make([]string, len(e.To))
	for i, t := range e.To {
		names[i] = t.Name()
	}
	if len(names) == 0 {
		names = []string{"a flow of the actuator"}
	}
	from := "nothing"
	if e.From != nil {
		from = e.From.Name()
	}
	return fmt.Sprintf("no converter makes %s from %s", strings.Join(names, " or "), from)
}

// Connect brings a flow to one of the types that are understood, by the shortest chain of converters; the earlier of two that
// are equally short counts. The parts of the chain come back, the last one with the flow.
func (c *Context) Connect(from Flow, understood []reflect.Type, converters []Converter) ([]Part, error) {
	chain, found := shortest(reflect.TypeOf(from), understood, converters)
	if !found {
		return nil, &NoConverterError{reflect.TypeOf(from), understood}
	}
	parts := []Part{{Flow: from}}
	for _, by := range chain {
		parts = append(parts, by.Convert(c, parts[len(parts)-1].Flow))
	}
	return parts, nil
}

// shortest searches in breadth, and backwards, so that the preferred type is found first.
func shortest(from reflect.Type, understood []reflect.Type, converters []Converter) (chain []Converter, found bool) {
	type step struct {
		at   reflect.Type
		rest []Converter
	}
	var open []step
	seen := map[reflect.Type]bool{}
	for _, t := range understood {
		open = append(open, step{at: t})
		seen[t] = true
	}
	for ; len(open) > 0; open = open[1:] {
		at := open[0]
		if at.at == from {
			return at.rest, true
		}
		for _, by := range converters {
			if by.To == at.at && !seen[by.From] {
				seen[by.From] = true
				open = append(open, step{by.From, append([]Converter{by}, at.rest...)})
			}
		}
	}
	return nil, false
}

// Express returns where a frame is, seen from another one, when a pose says where one frame is seen from another: the converter
// between coordinate systems, and between what tools of an actuator are moved.
func (c *Context) Express(p CartesianPosition, of, in *world.Frame) graph.Signal[geom.Frame] {
	return c.Mul(c.Transform(in, p.In), p.Pose, c.Transform(p.Of, of))
}
