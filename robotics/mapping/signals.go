package mapping

import (
	"math"
	"reflect"
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics/graph"
)

// Rounding is the tolerated error of sums of cycles, s.
const Rounding = 1e-9

// IsNumber reports whether v is finite.
func IsNumber(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Near is true while two numbers differ by no more than a tolerance, never with null or NaN. It is open if one of them is.
func Near(a, b graph.Signal[float64], tolerance float64) graph.Signal[bool] {
	if a.Open() || b.Open() {
		return graph.Signal[bool]{}
	}
	p := a.Graph().Add("Core::DoubleEquals").Link("inFirst", a.Port).Link("inSecond", b.Port).Set("Epsilon", tolerance)
	return Link[bool](p, "outValue")
}

// Long is true while a signal has been true for a time without interruption.
func (m *Net) Long(is graph.Signal[bool], d time.Duration) graph.Signal[bool] {
	since := m.Add("Core::Clock").Link("inActive", is.Port).Link("inReset", graph.Rising(is).Port).Out("outValue")
	return m.Reached(graph.As[float64](since), d)
}

// Reached is true when a clock has reached a time, up to rounding of the cycles that it adds up.
func (m *Net) Reached(clock graph.Signal[float64], d time.Duration) graph.Signal[bool] {
	return graph.Greater(clock, m.Real(d.Seconds()-Rounding))
}

// Rate returns how fast a number changes, 1/s. In the first cycle it is not a number.
func (m *Net) Rate(of graph.Signal[float64]) graph.Signal[float64] {
	return graph.Div(graph.Sub(of, graph.Pre(of)), m.CycleTime())
}

// NullWhile returns numbers that are null while something is true.
func (m *Net) NullWhile(is graph.Signal[bool], of []graph.Signal[float64]) []graph.Signal[float64] {
	all := make([]graph.Signal[float64], len(of))
	for i := range of {
		all[i] = Link[float64](m.Add("Core::DoubleSetNull").Link("inValue", of[i].Port).Link("inNull", is.Port), "outValue")
	}
	return all
}

// Between returns how far a frame is from another one: a distance in m, and an angle in rad.
func (m *Net) Between(from, to graph.Signal[geom.Frame]) (distance, angle graph.Signal[float64]) {
	rel := m.Add("World::FrameToPosRot").Link("inValue", m.Mul(m.Invert(from), to).Port)
	v := rel.Out("outPosition")
	square := m.Add("World::VectorDot").Link("inFirst", v).Link("inSecond", v).Out("outValue")
	distance = Link[float64](m.Add("Core::DoubleSquareRoot").Link("inValue", square), "outValue")
	angle = Link[float64](m.Add("World::RotationToAxisAngle").Link("inValue", rel.Out("outRotation")), "outAngle")
	return distance, Link[float64](m.Add("Core::DoubleAbs").Link("inValue", angle.Port), "outValue")
}

// Missing reports whether v is nil, or a nil pointer or function in an interface.
func Missing(v any) bool {
	if v == nil {
		return true
	}
	r := reflect.ValueOf(v)
	return (r.Kind() == reflect.Pointer || r.Kind() == reflect.Func) && r.IsNil()
}
