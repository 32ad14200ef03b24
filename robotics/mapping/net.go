package mapping

import (
	"errors"
	"fmt"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// Net is a net under construction, while a command is mapped.
type Net struct {
	*graph.Graph
	*whole

	part   string
	failed *bool // something is wrong with the part
}

// whole is what all views of a net have in common.
type whole struct {
	once     map[any]any
	finish   []func()
	problems []error
	keys     int
}

// New returns an empty net of primitives of a catalogue.
func New(c *graph.Catalogue) *Net {
	return &Net{Graph: graph.Of(c), whole: &whole{once: map[any]any{}}}
}

// Part returns the same net for a part of what is mapped, of which only the first mistake is reported: the rest may follow
// from it.
func (m *Net) Part(name string) *Net {
	return &Net{Graph: m.Graph.Under(name), whole: m.whole, part: name, failed: new(bool)}
}

// PartError is what is wrong with a part of what is mapped, such as a command.
type PartError struct {
	Part string
	Err  error
}

func (e *PartError) Error() string { return e.Part + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *PartError) Unwrap() error { return e.Err }

// Fail says that something cannot be mapped. Mapping goes on, so that all that is wrong is reported at once.
func (m *Net) Fail(err error) {
	if m.failed == nil {
		m.problems = append(m.problems, err)
		return
	}
	if !*m.failed {
		*m.failed = true
		m.problems = append(m.problems, &PartError{m.part, err})
	}
}

// Failed reports whether something is wrong with the part.
func (m *Net) Failed() bool { return m.failed != nil && *m.failed }

// Once makes something that a net needs once, however many ask for it: a sensor, a transformation. The key distinguishes it from
// everything else; types of keys belong to the package that makes them.
func Once[K comparable, V any](m *Net, key K, make func() V) V {
	if have, found := m.once[key].(V); found {
		return have
	}
	made := make()
	m.once[key] = made
	return made
}

// AtEnd registers a function for the end of mapping: for what needs to know all its users.
func (m *Net) AtEnd(do func()) { m.finish = append(m.finish, do) }

// Key returns an unused key of net variables.
func (m *Net) Key() string {
	m.keys++
	return fmt.Sprintf("v%d", m.keys-1)
}

// End does what was left for the end, and returns all that is wrong.
func (m *Net) End() error {
	for len(m.finish) > 0 {
		do := m.finish[0]
		m.finish = m.finish[1:]
		do()
	}
	if len(m.problems) > 0 {
		return errors.Join(m.problems...) // what is wrong with primitives may follow from it
	}
	return m.Err()
}

// Link makes a signal of a primitive with one out port of interest.
func Link[T graph.Value](p *graph.Primitive, out string) graph.Signal[T] {
	return graph.As[T](p.Out(out))
}

// And is true when all signals are; null counts as false, unlike in graph.And, as what is not known must not be taken for true.
func (m *Net) And(of ...graph.Signal[bool]) (all graph.Signal[bool]) {
	for i, one := range of {
		if i == 0 {
			all = one
			continue
		}
		p := m.Add("Core::BooleanAnd").Set("First", false).Set("Second", false)
		all = Link[bool](p.Link("inFirst", all.Port).Link("inSecond", one.Port), "outValue")
	}
	return all
}

// Definite returns a signal of which null has become false.
func (m *Net) Definite(s graph.Signal[bool]) graph.Signal[bool] {
	return Link[bool](m.Add("Core::BooleanOr").Link("inFirst", s.Port), "outValue")
}

// Latch is true from a signal on.
func (m *Net) Latch(on graph.Signal[bool]) graph.Signal[bool] {
	return Link[bool](m.Add("Core::Trigger").Link("inOn", on.Port), "outActive")
}

// Rises is true in the cycle in which a signal becomes true, or is true from the beginning. A signal that is null stays what it
// was.
func (m *Net) Rises(s graph.Signal[bool]) graph.Signal[bool] { return graph.Rising(s) }

// True and False are constants.
func (m *Net) True() graph.Signal[bool] {
	return Once(m, constant{true}, func() graph.Signal[bool] { return graph.Const(m.Graph, true) })
}

// False returns the constant false.
func (m *Net) False() graph.Signal[bool] {
	return Once(m, constant{false}, func() graph.Signal[bool] { return graph.Const(m.Graph, false) })
}

type constant struct{ value any }

// CycleTime returns the cycle time of the net, s.
func (m *Net) CycleTime() graph.Signal[float64] {
	type key struct{}
	return Once(m, key{}, func() graph.Signal[float64] { return Link[float64](m.Add("Core::CycleTime"), "outValue") })
}

// Real returns a constant number.
func (m *Net) Real(v float64) graph.Signal[float64] {
	return Once(m, constant{v}, func() graph.Signal[float64] { return graph.Const(m.Graph, v) })
}

// Reals are constant numbers.
func (m *Net) Reals(of []float64) []graph.Signal[float64] {
	all := make([]graph.Signal[float64], len(of))
	for i, v := range of {
		all[i] = m.Real(v)
	}
	return all
}

// Array joins numbers to an array.
func (m *Net) Array(of []graph.Signal[float64]) graph.Signal[[]float64] {
	all := graph.Port{}
	for i, one := range of {
		p := m.Add("Core::DoubleArraySet").Set("Size", len(of)).Set("Index", i)
		if i == 0 {
			all = m.Add("Core::DoubleArray").Set("Size", len(of)).Out("outArray")
		}
		all = p.Link("inArray", all).Link("inValue", one.Port).Out("outArray")
	}
	return graph.As[[]float64](all)
}

// Elements takes an array apart.
func (m *Net) Elements(of graph.Signal[[]float64], size int) []graph.Signal[float64] {
	all := make([]graph.Signal[float64], size)
	for i := range all {
		p := m.Add("Core::DoubleArrayGet").Set("Size", size).Set("Index", i).Link("inArray", of.Port)
		all[i] = Link[float64](p, "outValue")
	}
	return all
}

// Coupling knows where a frame is while it moves (world.Couple): robots for what they carry, sensors for what they see.
type Coupling interface {
	// MapCoupling returns where the coupled frame is, seen from the other one.
	MapCoupling(m *Net) graph.Signal[geom.Frame]
}

// ErrNumber is returned for NaN and infinities.
var ErrNumber = errors.New("it must be a number")

// CouplingError is returned when something that should couple frames cannot be mapped.
type CouplingError struct{ By any }

func (e *CouplingError) Error() string {
	return fmt.Sprintf("%T couples frames but has no MapCoupling", e.By)
}

type way struct{ from, to *world.Frame }

// Transform returns where a frame is, seen from another one, in each cycle; an open signal where they are the same.
func (m *Net) Transform(from, to *world.Frame) graph.Signal[geom.Frame] {
	return Once(m, way{from, to}, func() graph.Signal[geom.Frame] {
		steps, err := world.Path(from, to)
		if err != nil {
			m.Fail(err)
			return graph.Const(m.Graph, geom.Frame{})
		}
		var all graph.Signal[geom.Frame]
		for _, s := range steps {
			all = m.Mul(all, m.step(s))
		}
		return all
	})
}

func (m *Net) step(s world.Step) graph.Signal[geom.Frame] {
	if s.By == nil {
		if !s.At.Finite() {
			m.Fail(fmt.Errorf("a frame at %v: %w", s.At, ErrNumber))
		}
		return graph.Const(m.Graph, s.At)
	}
	by, ok := s.By.(Coupling)
	if !ok {
		m.Fail(&CouplingError{s.By})
		return graph.Const(m.Graph, geom.Frame{})
	}
	at := by.MapCoupling(m)
	if s.Invert {
		return m.Invert(at)
	}
	return at
}

// Mul returns the product of frames; open ones do not count.
func (m *Net) Mul(of ...graph.Signal[geom.Frame]) (all graph.Signal[geom.Frame]) {
	for _, one := range of {
		switch {
		case one.Open():
		case all.Open():
			all = one
		default:
			all = Link[geom.Frame](m.Add("World::FrameTransform").Link("inFirst", all.Port).Link("inSecond", one.Port), "outValue")
		}
	}
	return all
}

// Invert returns the inverse of a frame, open for an open one.
func (m *Net) Invert(f graph.Signal[geom.Frame]) graph.Signal[geom.Frame] {
	if f.Open() {
		return f
	}
	return Link[geom.Frame](m.Add("World::FrameInvert").Link("inValue", f.Port), "outValue")
}

// Identity returns a signal in place of an open one.
func (m *Net) Identity(f graph.Signal[geom.Frame]) graph.Signal[geom.Frame] {
	if f.Open() {
		return graph.Const(m.Graph, geom.Frame{})
	}
	return f
}
