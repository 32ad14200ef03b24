package graph

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Graph is a net under construction. It must not be used by several goroutines at once.
type Graph struct {
	*whole
	place string
}

// whole is what all views of a graph have in common.
type whole struct {
	catalogue  *Catalogue
	primitives []*Primitive
	outs       []rootPort
	problems   []error
	text       string // of a graph that has been checked, until something is added
}

// rootPort is an out port of the net.
type rootPort struct {
	name string
	from Port
}

// New returns an empty graph of primitives of the Standard catalogue.
func New() *Graph { return Of(Standard()) }

// Of returns an empty graph of primitives of a catalogue.
func Of(c *Catalogue) *Graph { return &Graph{whole: &whole{catalogue: c}} }

// Under returns the same graph for a part of what it is made of: its name stands before what is wrong with primitives that
// are made there.
func (g *Graph) Under(name string) *Graph {
	if g.place != "" {
		name = g.place + "/" + name
	}
	return &Graph{whole: g.whole, place: name}
}

// Len returns how many primitives there are.
func (g *Graph) Len() int { return len(g.primitives) }

// Primitive is a node of a graph.
type Primitive struct {
	of       *whole
	place    string
	number   int // place in of.primitives
	decl     *Declaration
	params   []string // by parameter, where set
	set      []bool
	in       []Port // by in port, and inActive last where it is not listed
	switcher int    // which of them is inActive
}

// Port is an out port of a primitive of a graph. The zero Port stands for none: what is linked to it is open.
type Port struct {
	of  *Primitive
	out int
}

// Open reports whether the signal is not a port.
func (p Port) Open() bool { return p.of == nil }

// failed reports whether it stands for a port that does not exist, of which enough has been said.
func (p Port) failed() bool { return p.of != nil && p.of.decl.Name == unknown }

// Type returns the data type of the port, none of an open one.
func (p Port) Type() Type {
	if p.Open() || p.failed() {
		return ""
	}
	return p.of.decl.Out[p.out].Type
}

// Graph returns the graph that the port belongs to, at the place where its primitive was made; nil of an open one.
func (p Port) Graph() *Graph {
	if p.Open() {
		return nil
	}
	return &Graph{whole: p.of.of, place: p.of.place}
}

func (p Port) String() string {
	switch {
	case p.Open():
		return "open"
	case p.failed():
		return p.of.String()
	}
	return p.of.String() + "." + p.of.decl.Out[p.out].Name
}

func (p *Primitive) String() string {
	name := p.decl.Name
	if p.place != "" {
		name = p.place + ": " + name
	}
	return name
}

// unknown is the type of primitives whose type does not exist, of which nothing more is said.
const unknown = "unknown type"

var nothing = Declaration{Name: unknown}

// Add adds a primitive of a type.
func (g *Graph) Add(name string) *Primitive {
	d := g.catalogue.Lookup(name)
	if d == nil {
		d = &nothing
		g.fail(g.place, "no primitive %s%s", name, g.catalogue.suggest(name))
	}
	return g.add(d)
}

func (g *Graph) add(d *Declaration) *Primitive {
	g.text = ""
	p := &Primitive{of: g.whole, place: g.place, number: len(g.primitives), decl: d, in: make([]Port, len(d.In)+1), switcher: d.in(inActive)}
	if n := len(d.Params); n > 0 {
		p.params, p.set = make([]string, n), make([]bool, n)
	}
	g.primitives = append(g.primitives, p)
	return p
}

func (w *whole) fail(place, format string, args ...any) {
	w.text = ""
	w.problems = append(w.problems, &ProblemError{Place: place, Text: fmt.Sprintf(format, args...)})
}

// fail says what is wrong with the primitive, unless that only follows from an unknown type.
func (p *Primitive) fail(format string, args ...any) {
	if p.decl.Name != unknown {
		p.of.fail(p.String(), format, args...)
	}
}

// ProblemError is something that is wrong with a graph.
type ProblemError struct {
	Place string // names that Under was given, and the type of the primitive
	Text  string
}

func (e *ProblemError) Error() string {
	if e.Place == "" {
		return e.Text
	}
	return e.Place + ": " + e.Text
}

// Set gives a parameter its value: a Value, a string, or an int for an int or a double.
func (p *Primitive) Set(param string, v any) *Primitive {
	i := p.decl.param(param)
	if i < 0 {
		p.fail("it has no parameter %s%s", param, among(names(p.decl.Params, func(p Param) string { return p.Name })))
		return p
	}
	text, err := textOf(v, p.decl.Params[i].Type)
	if err != nil {
		p.fail("%s: %v", param, err)
		return p
	}
	p.params[i], p.set[i] = text, true
	p.of.text = ""
	return p
}

// Link links an in port to an out port. Each in port is linked once; linking it to an open port has no effect.
func (p *Primitive) Link(in string, from Port) *Primitive {
	i := p.decl.in(in)
	switch {
	case p.decl.Name == unknown || from.failed():
	case i < 0:
		p.fail("it has no in port %s%s", in, among(names(p.decl.In, func(p InPort) string { return p.Name })))
	case from.Open():
	case from.of.of != p.of:
		p.fail("%s: %v belongs to another net", in, from)
	case !p.in[i].Open():
		p.fail("%s: already linked to %v", in, p.in[i])
	case from.Type() != p.decl.inPort(i).Type:
		p.fail("%s: it is of type %s, but %v of type %s", in, p.decl.inPort(i).Type, from, from.Type())
	default:
		p.in[i] = from
		p.of.text = ""
	}
	return p
}

// Out returns an out port.
func (p *Primitive) Out(name string) Port {
	i := p.decl.out(name)
	switch {
	case p.decl.Name == unknown:
		return Port{of: p}
	case i < 0:
		p.fail("it has no out port %s%s", name, among(names(p.decl.Out, func(p OutPort) string { return p.Name })))
		return p.failedPort()
	}
	return Port{p, i}
}

// failedPort returns a port that does not exist.
func (p *Primitive) failedPort() Port { return Port{of: &Primitive{of: p.of, decl: &nothing}} }

// outTerminate is the out port of a net that ends it.
const outTerminate = "outTerminate"

// Terminate ends the net with the first cycle in which the signal is true. Every net that is to run needs one.
func (g *Graph) Terminate(when Signal[bool]) { g.Out(outTerminate, when.Port) }

// Out gives the net itself an out port, as for nets that are only evaluated once (/eval/).
func (g *Graph) Out(name string, from Port) {
	switch {
	case from.failed():
	case from.Open():
		g.fail(g.place, "%s is linked to nothing", name)
	case from.of.of != g.whole:
		g.fail(g.place, "%s: %v belongs to another net", name, from)
	case slices.ContainsFunc(g.outs, func(o rootPort) bool { return o.name == name }):
		g.fail(g.place, "the net has its %s already", name)
	case !strings.HasPrefix(name, "out"):
		g.fail(g.place, "the out port %s of the net does not begin with out", name)
	case name == outTerminate && from.Type() != Bool:
		g.fail(g.place, "%s: it is of type bool, but %v of type %s", name, from, from.Type())
	default:
		g.outs = append(g.outs, rootPort{name, from})
		g.text = ""
	}
}

// Err returns everything that is wrong with the graph so far.
func (g *Graph) Err() error { return errors.Join(g.problems...) }

func names[T any](list []T, name func(T) string) []string {
	all := make([]string, len(list))
	for i := range list {
		all[i] = name(list[i])
	}
	return all
}

// among says which names there are.
func among(names []string) string {
	if len(names) == 0 {
		return ", it has none"
	}
	return ", only " + strings.Join(names, " ")
}
