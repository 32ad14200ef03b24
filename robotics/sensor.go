package robotics

import (
	"fmt"
	"math"
	"reflect"
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// Sensor is a value that is known in each cycle: of a device, set by the application, or computed from others. It maps itself.
type Sensor[T graph.Value] interface {
	MapSensor(m *mapping.Net) graph.Signal[T]
}

// Read returns what a sensor says in each cycle of a net. However many use a sensor, the net has it once.
func Read[T graph.Value](m *mapping.Net, s Sensor[T]) graph.Signal[T] {
	if mapping.Missing(s) {
		m.Fail(fmt.Errorf("%w of %v", ErrNoSensor, graph.TypeOf[T]()))
		return graph.Signal[T]{}
	}
	if !reflect.ValueOf(s).Comparable() {
		return signalOf(m, s)
	}
	return mapping.Once(m, sensorKey[T]{s}, func() graph.Signal[T] { return signalOf(m, s) })
}

func signalOf[T graph.Value](m *mapping.Net, s Sensor[T]) graph.Signal[T] {
	v := s.MapSensor(m)
	if v.Open() {
		m.Fail(fmt.Errorf("%s makes no signal: %w of %v", typeName(s), ErrNoSensor, graph.TypeOf[T]()))
	}
	return v
}

type sensorKey[T graph.Value] struct{ of Sensor[T] }

// Derived returns a sensor that a function computes: it is made of signals that Read returns, and of whatever there is in nets.
func Derived[T graph.Value](signal func(m *mapping.Net) graph.Signal[T]) Sensor[T] {
	return &derived[T]{signal: signal}
}

type derived[T graph.Value] struct {
	signal func(m *mapping.Net) graph.Signal[T]
	always *T // what a constant says
}

func (d *derived[T]) MapSensor(m *mapping.Net) graph.Signal[T] {
	if d.signal == nil {
		m.Fail(fmt.Errorf("%w of %v", ErrNoSensor, graph.TypeOf[T]()))
		return graph.Signal[T]{}
	}
	return d.signal(m)
}

// Constant returns a sensor that always says the same.
func Constant[T graph.Value](v T) Sensor[T] {
	says := func(m *mapping.Net) graph.Signal[T] {
		checkValue(m, v)
		return graph.Const(m.Graph, v)
	}
	return &derived[T]{signal: says, always: &v}
}

// checkValue reports values that sensors cannot have. An unknown value is null.
func checkValue(m *mapping.Net, v any) {
	if f, is := v.(float64); is && math.IsNaN(f) {
		m.Fail(fmt.Errorf("a sensor that says %v: %w", v, ErrNumber))
	}
}

// of computes a sensor of two.
func of[T, R graph.Value](a, b Sensor[T], compute func(a, b graph.Signal[T]) graph.Signal[R]) Sensor[R] {
	return Derived(func(m *mapping.Net) graph.Signal[R] { return compute(Read(m, a), Read(m, b)) })
}

// Add returns the sum of sensors.
func Add[T graph.Number](a, b Sensor[T]) Sensor[T] { return of(a, b, graph.Add[T]) }

// Sub returns the difference of sensors.
func Sub[T graph.Number](a, b Sensor[T]) Sensor[T] { return of(a, b, graph.Sub[T]) }

// Mul returns the product of sensors.
func Mul[T graph.Number](a, b Sensor[T]) Sensor[T] { return of(a, b, graph.Mul[T]) }

// Div returns the quotient of sensors.
func Div[T graph.Number](a, b Sensor[T]) Sensor[T] { return of(a, b, graph.Div[T]) }

// Min returns the smaller one of two sensors.
func Min[T graph.Number](a, b Sensor[T]) Sensor[T] { return of(a, b, graph.Min[T]) }

// Max returns the greater one of two sensors.
func Max[T graph.Number](a, b Sensor[T]) Sensor[T] { return of(a, b, graph.Max[T]) }

// Abs returns what a sensor says, without its sign.
func Abs[T graph.Number](a Sensor[T]) Sensor[T] {
	return Derived(func(m *mapping.Net) graph.Signal[T] {
		v := Read(m, a)
		return graph.Max(v, graph.Mul(v, graph.Const(m.Graph, T(-1))))
	})
}

// Greater returns the state in which a sensor says more than another one.
func Greater[T graph.Number](a, b Sensor[T]) State { return IsTrue(of(a, b, graph.Greater[T])) }

// Less returns the state in which a sensor says less than another one.
func Less[T graph.Number](a, b Sensor[T]) State { return IsTrue(of(a, b, graph.Less[T])) }

// Above returns the state in which a sensor says more than a limit.
func Above[T graph.Number](a Sensor[T], limit T) State { return Greater(a, Constant(limit)) }

// Below returns the state in which a sensor says less than a limit.
func Below[T graph.Number](a Sensor[T], limit T) State { return Less(a, Constant(limit)) }

// Near returns the state in which two sensors differ by no more than a tolerance.
func Near(a, b Sensor[float64], tolerance float64) State {
	return IsTrue(Derived(func(m *mapping.Net) graph.Signal[bool] {
		if !(tolerance >= 0) {
			m.Fail(fmt.Errorf("a tolerance of %v: %w", tolerance, ErrNegative))
		}
		return mapping.Near(Read(m, a), Read(m, b), tolerance)
	}))
}

// Average returns the mean of what a sensor has said for a time.
func Average(of Sensor[float64], d time.Duration) Sensor[float64] {
	return Derived(func(m *mapping.Net) graph.Signal[float64] {
		p := m.Add("Core::DoubleAverage").Set("Duration", positive(m, d)).Link("inValue", Read(m, of).Port)
		return mapping.Link[float64](p, "outValue")
	})
}

// Ago returns what a sensor has said some time ago. Before that it has no value.
func Ago(of Sensor[float64], d time.Duration) Sensor[float64] {
	return Derived(func(m *mapping.Net) graph.Signal[float64] {
		age := positive(m, d)
		p := m.Add("Core::DoubleAtTime").Set("Age", age).Set("MaxAge", age).Link("inValue", Read(m, of).Port)
		return mapping.Link[float64](p, "outValue")
	})
}

// Change returns how fast what a sensor says changes, 1/s. It has no value where the sensor has none, nor one cycle later, and so not in the
// first cycle.
func Change(of Sensor[float64]) Sensor[float64] {
	return Derived(func(m *mapping.Net) graph.Signal[float64] {
		now := Read(m, of)
		unknown := graph.Or(graph.IsNull(now), graph.IsNull(graph.Pre(now)))
		p := m.Add("Core::DoubleSetNull").Link("inValue", m.Rate(now).Port).Link("inNull", unknown.Port)
		return mapping.Link[float64](p, "outValue")
	})
}

// positive returns a time in seconds.
func positive(m *mapping.Net, d time.Duration) float64 {
	const most = 1000 * time.Second // which the daemon has room for in cycles of 1 ms
	switch {
	case d <= 0:
		m.Fail(fmt.Errorf("a sensor over %v: %w", d, ErrDuration))
	case d > most:
		m.Fail(fmt.Errorf("a sensor over %v: %w", d, ErrMemory))
	}
	return d.Seconds()
}

// Seen couples frames by a sensor that sees where the one is, seen from the other (world.Couple).
type Seen struct{ By Sensor[geom.Frame] }

// MapCoupling reads the sensor.
func (s Seen) MapCoupling(m *mapping.Net) graph.Signal[geom.Frame] { return Read(m, s.By) }

// Position returns the position of the origin of a sensor's frame.
func Position(of Sensor[geom.Frame]) Sensor[geom.Vector] {
	return Derived(func(m *mapping.Net) graph.Signal[geom.Vector] {
		return mapping.Link[geom.Vector](m.Add("World::FrameToPosRot").Link("inValue", Read(m, of).Port), "outPosition")
	})
}

// Axis is a direction in space.
type Axis string

// The axes.
const (
	X Axis = "outX"
	Y Axis = "outY"
	Z Axis = "outZ"
)

// Component returns what a vector is along an axis.
func Component(of Sensor[geom.Vector], axis Axis) Sensor[float64] {
	return Derived(func(m *mapping.Net) graph.Signal[float64] {
		return mapping.Link[float64](m.Add("World::VectorToXYZ").Link("inValue", Read(m, of).Port), string(axis))
	})
}

// Length returns the length of a vector.
func Length(of Sensor[geom.Vector]) Sensor[float64] {
	return Derived(func(m *mapping.Net) graph.Signal[float64] {
		v := Read(m, of).Port
		square := m.Add("World::VectorDot").Link("inFirst", v).Link("inSecond", v).Out("outValue")
		return mapping.Link[float64](m.Add("Core::DoubleSquareRoot").Link("inValue", square), "outValue")
	})
}

// Input is a sensor whose value the application sets while a command is executed (Handle.Set).
type Input[T graph.Value] struct {
	key     string
	initial T
}

// NewInput returns a sensor with the value that the application set last under a name, at first initial.
func NewInput[T graph.Value](name string, initial T) *Input[T] { return &Input[T]{name, initial} }

// MapSensor reads the value that was set last.
func (i *Input[T]) MapSensor(m *mapping.Net) graph.Signal[T] {
	checkValue(m, i.initial)
	first := mapping.Once(m, inputKey+i.key, func() any {
		inputsOf(m).keys[i.key] = true
		return i.initial
	})
	if now := any(i.initial); !reflect.DeepEqual(first, now) || !names.MatchString(i.key) {
		m.Fail(fmt.Errorf("input %q: %w", i.key, ErrName))
	}
	return graph.In(m.Graph, inputKey+i.key, i.initial)
}

// reads are the inputs that a net reads.
type reads struct{ keys map[string]bool }

func inputsOf(m *mapping.Net) *reads {
	type key struct{}
	return mapping.Once(m, key{}, func() *reads { return &reads{map[string]bool{}} })
}

// inputKey keeps names of the application apart from others.
const inputKey = "x"

// Always returns what a Constant says, and whether the sensor is one.
func Always[T graph.Value](s Sensor[T]) (v T, is bool) {
	if d, computed := s.(*derived[T]); computed && d.always != nil {
		return *d.always, true
	}
	return v, false
}
