package graph

import (
	"fmt"
	"slices"
	"strings"
)

// Signal is an out port that gives values of a Go type. The zero Signal is open.
type Signal[T Value] struct{ Port }

// As makes a signal of an out port, whose type has to be that of T.
func As[T Value](p Port) Signal[T] {
	if p.Open() || p.failed() {
		return Signal[T]{p}
	}
	if want := TypeOf[T](); p.Type() != want {
		p.of.fail("%s is of type %s, not %s", p.of.decl.Out[p.out].Name, p.Type(), want)
		return Signal[T]{p.of.failedPort()}
	}
	return Signal[T]{p}
}

// The usual ports of primitives.
const (
	inValue  = "inValue"
	outValue = "outValue"
)

// Const returns a constant.
func Const[T Value](g *Graph, v T) Signal[T] {
	return As[T](g.Add(TypeOf[T]().family()+"Value").Set("Value", v).Out(outValue))
}

// In returns a value that the application writes under "in" + key while the net runs.
func In[T Value](g *Graph, key string, initial T) Signal[T] {
	return As[T](g.Add(TypeOf[T]().family()+"NetcommIn").Set("Key", key).Set("Value", initial).Out(outValue))
}

// Reads reports whether something reads what the application writes under "in" + key.
func Reads(g *Graph, key string) bool {
	return slices.ContainsFunc(g.primitives, func(p *Primitive) bool {
		i := slices.IndexFunc(p.decl.Params, func(d Param) bool { return d.Name == "Key" })
		return i >= 0 && p.params[i] == key && strings.HasSuffix(p.decl.Name, "NetcommIn")
	})
}

// Publish sends the application a value under "out" + key.
func Publish[T Value](g *Graph, key string, v Signal[T]) {
	g.Add(TypeOf[T]().family()+"NetcommOut").Set("Key", key).Link(inValue, v.Port)
}

// Cancelled is true from the cycle in which the end of the net was requested.
func Cancelled(g *Graph) Signal[bool] { return As[bool](g.Add("Cancel").Out("outCancel")) }

// Pre returns a signal one cycle late; it is null in the first one.
func Pre[T Value](v Signal[T]) Signal[T] { return unary[T](TypeOf[T]().family()+"Pre", v.Port) }

// IsNull reports whether there is no value in this cycle.
func IsNull[T Value](v Signal[T]) Signal[bool] {
	return unary[bool](TypeOf[T]().family()+"IsNull", v.Port)
}

// If returns one value while a condition is true, else, also while it is null, the other.
func If[T Value](condition Signal[bool], then, otherwise Signal[T]) Signal[T] {
	g := graphOf(condition.Port, then.Port, otherwise.Port)
	if g == nil {
		return Signal[T]{}
	}
	p := g.Add(TypeOf[T]().family() + "Conditional")
	return As[T](p.Link("inCondition", condition.Port).Link("inTrue", then.Port).Link("inFalse", otherwise.Port).Out(outValue))
}

// Hold follows a signal while another one is true, and keeps its value otherwise; before, it is initial.
func Hold[T Value](v Signal[T], while Signal[bool], initial T) Signal[T] {
	g := graphOf(v.Port, while.Port)
	if g == nil {
		return Signal[T]{}
	}
	p := g.Add(TypeOf[T]().family()+"Snapshot").Set("Value", initial)
	return As[T](p.Link(inValue, v.Port).Link("inSnapshot", while.Port).Out(outValue))
}

// Not returns the negation; null counts as false.
func Not(v Signal[bool]) Signal[bool] { return unary[bool]("Core::BooleanNot", v.Port) }

// And is true when all signals are true; null counts as true. Open signals do not count, and of none it is open.
func And(of ...Signal[bool]) Signal[bool] { return reduce("Core::BooleanAnd", of) }

// Or is true when one of the signals is true; null counts as false. Open signals do not count, and of none it is open.
func Or(of ...Signal[bool]) Signal[bool] { return reduce("Core::BooleanOr", of) }

// OnlyWhile reports whether a signal is only true while another one is, as far as that follows from And and Or that it is made of.
func OnlyWhile(of, other Signal[bool]) bool { return needs(of.Port, other.Port) }

func needs(p, other Port) bool {
	if p.Open() || p == other {
		return !p.Open()
	}
	linked := slices.DeleteFunc(slices.Clone(p.of.in), Port.Open)
	does := func(in Port) bool { return needs(in, other) }
	doesNot := func(in Port) bool { return !does(in) }
	switch p.of.decl.Name {
	case "Core::BooleanAnd":
		return slices.ContainsFunc(linked, does)
	case "Core::BooleanOr":
		return len(linked) > 0 && !slices.Contains(p.of.set, true) && !slices.ContainsFunc(linked, doesNot)
	}
	return false
}

func reduce(name string, of []Signal[bool]) (all Signal[bool]) {
	for _, one := range of {
		switch {
		case one.Open():
		case all.Open():
			all = one
		default:
			all = binary[bool](name, all.Port, one.Port)
		}
	}
	return all
}

// Rising is true in the cycle in which a signal becomes true, the first one of the net included.
func Rising(v Signal[bool]) Signal[bool] { return unary[bool]("Core::EdgeDetection", v.Port) }

// Number is a type with arithmetic.
type Number interface{ int32 | float64 }

// Add returns the sum.
func Add[T Number](a, b Signal[T]) Signal[T] { return arithmetic[T]("Add", a, b) }

// Mul returns the product.
func Mul[T Number](a, b Signal[T]) Signal[T] { return arithmetic[T]("Multiply", a, b) }

// Div returns the quotient: of doubles as IEEE 754 says, of ints null for a division by zero.
func Div[T Number](a, b Signal[T]) Signal[T] { return arithmetic[T]("Divide", a, b) }

// Sub returns the difference.
func Sub[T Number](a, b Signal[T]) Signal[T] {
	g := graphOf(b.Port)
	if g == nil {
		return a
	}
	minus := g.Add(TypeOf[T]().family()+"Multiply").Link("inFirst", b.Port).Set("Second", -1)
	return Add(a, As[T](minus.Out(outValue)))
}

// Min returns the smaller one.
func Min[T Number](a, b Signal[T]) Signal[T] { return arithmetic[T]("Min", a, b) }

// Max returns the greater one.
func Max[T Number](a, b Signal[T]) Signal[T] { return arithmetic[T]("Max", a, b) }

// Greater reports whether a is greater than b, never with null or NaN.
func Greater[T Number](a, b Signal[T]) Signal[bool] {
	return binary[bool](TypeOf[T]().family()+"Greater", a.Port, b.Port)
}

// Less reports whether a is less than b, never with null or NaN.
func Less[T Number](a, b Signal[T]) Signal[bool] { return Greater(b, a) }

func arithmetic[T Number](name string, a, b Signal[T]) Signal[T] {
	return binary[T](TypeOf[T]().family()+name, a.Port, b.Port)
}

func unary[T Value](name string, v Port) Signal[T] {
	g := graphOf(v)
	if g == nil {
		return Signal[T]{}
	}
	return As[T](g.Add(name).Link(inValue, v).Out(outValue))
}

func binary[T Value](name string, a, b Port) Signal[T] {
	g := graphOf(a, b)
	if g == nil {
		return Signal[T]{}
	}
	return As[T](g.Add(name).Link("inFirst", a).Link("inSecond", b).Out(outValue))
}

// graphOf returns the graph of the first port that is not open.
func graphOf(ports ...Port) *Graph {
	for _, p := range ports {
		if !p.Open() {
			return p.Graph()
		}
	}
	return nil
}

// Wire is a signal that is connected later.
type Wire[T Value] struct {
	Signal[T]
	end *Primitive
}

// NewWire returns a wire that is not connected yet.
func NewWire[T Value](g *Graph) Wire[T] {
	t := TypeOf[T]()
	end := g.add(&Declaration{Name: wireName, In: []InPort{{Name: inValue, Type: t}}, Out: []OutPort{{Name: outValue, Type: t}}})
	return Wire[T]{Signal[T]{Port{end, 0}}, end}
}

// wireName is the type of what is gone before a net gets its text.
const wireName = "wire"

// Connect makes the wire give what a signal gives. It may be called once.
func (w Wire[T]) Connect(from Signal[T]) { w.end.Link(inValue, from.Port) }

// Connected reports whether it has been called with something that is not open.
func (w Wire[T]) Connected() bool { return !w.end.in[0].Open() }

// source follows wires to where a value comes from.
func (p Port) source() (Port, error) {
	for steps := 0; !p.Open() && p.of.decl.Name == wireName; steps++ {
		if steps > len(p.of.of.primitives) {
			return Port{}, fmt.Errorf("%v is connected to itself", p)
		}
		p = p.of.in[0]
	}
	return p, nil
}
