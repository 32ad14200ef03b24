package extension

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc/config"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// declaration returns a type as package net takes it.
func (m *primitive) declaration(id string, tree *grammar.Node) spec.Primitive {
	p := spec.Primitive{Name: m.Type, Extension: id, Doc: m.Doc, Net: tree}
	for _, in := range m.In {
		p.In = append(p.In, spec.Port{Name: in.Name, Type: value.Type(in.Type), Doc: in.Doc})
	}
	for _, out := range m.Out {
		p.Out = append(p.Out, spec.Port{Name: out.Name, Type: value.Type(out.Type), Doc: out.Doc})
	}
	for _, param := range m.Params {
		p.Params = append(p.Params, spec.Parameter{Name: param.Name, Default: param.Default, Required: param.Required, Doc: param.Doc})
	}
	for _, e := range m.Examples {
		p.Examples = append(p.Examples, spec.Example{
			Doc: e.Doc, Cycle: e.Cycle, Params: e.Params.Of, In: e.In.Of, Out: e.Out.Of, Reject: e.Reject,
		})
	}
	return p
}

// Declare returns a catalogue that has the types of all extensions besides those of another one. They may be written with
// each other, in whatever order, but not in a circle. Their examples are run. The error is a config.Error.
func Declare(base *spec.Catalogue, all []*Extension) (*spec.Catalogue, error) {
	d := declaring{catalogue: base, of: map[string]*entry{}}
	for _, e := range all {
		for i := range e.types {
			d.enter(&entry{ext: e, key: fmt.Sprintf("primitives[%d]", i), decl: e.types[i]})
		}
	}
	for _, name := range d.order {
		d.declare(d.of[name])
	}
	if len(d.wrong) > 0 {
		return nil, d.wrong
	}
	return d.catalogue, nil
}

type declaring struct {
	catalogue *spec.Catalogue
	of        map[string]*entry
	order     []string
	way       []string // types that are being declared, each written with the next
	wrong     config.Error
}

// entry is a type on its way into the catalogue.
type entry struct {
	ext    *Extension
	key    string
	decl   spec.Primitive
	begun  bool
	finish bool
}

func (d *declaring) refuse(e *entry, at string, err error) {
	d.wrong = append(d.wrong, e.ext.file.Problem(e.key+at, err)...)
}

func (d *declaring) enter(e *entry) {
	name := e.decl.Name
	switch there := d.catalogue.Lookup(name); {
	case there != nil:
		d.refuse(e, ".type", fmt.Errorf("extension %s already has type %s", there.Extension, name))
	case d.of[name] != nil:
		d.refuse(e, ".type", fmt.Errorf("extension %s already has type %s", d.of[name].ext.ID, name))
	default:
		d.of[name] = e
		d.order = append(d.order, name)
	}
}

// declare declares a type after those that it is written with.
func (d *declaring) declare(e *entry) {
	switch {
	case e.finish:
		return
	case e.begun:
		start := slices.Index(d.way, e.decl.Name)
		d.refuse(e, ".net", fmt.Errorf("type contains itself: %s", strings.Join(append(d.way[start:], e.decl.Name), " <- ")))
		return
	}
	e.begun = true
	d.way = append(d.way, e.decl.Name)
	whole := true
	for _, name := range typesIn(e.decl.Net) {
		if needed := d.of[name]; needed != nil {
			d.declare(needed)
			whole = whole && d.catalogue.Lookup(name) != nil
		}
	}
	d.way = d.way[:len(d.way)-1]
	e.finish = true
	if !whole {
		return // what is wrong has been said
	}
	p, err := net.Declare(e.decl, d.catalogue)
	var rejection *net.Rejection
	if errors.As(err, &rejection) {
		for _, problem := range rejection.Problems {
			d.refuse(e, e.keyOf(problem), errors.New(problem.String()))
		}
		return
	}
	d.runExamples(e, p)
	if d.catalogue, err = d.catalogue.With(p); err != nil {
		d.refuse(e, ".type", err) // cannot be: the name has been looked up
	}
}

func (d *declaring) runExamples(e *entry, p *spec.Primitive) {
	for i := range p.Examples {
		if err := net.RunExample(p, &p.Examples[i], d.catalogue); err != nil {
			d.refuse(e, fmt.Sprintf(".examples[%d]", i), err)
		}
	}
}

// keyOf returns the key below that of a type which a problem is about.
func (e *entry) keyOf(p net.Problem) string {
	if p.Path != "" {
		return ".net"
	}
	if i := e.decl.InPort(p.Port); i >= 0 {
		return fmt.Sprintf(".in[%d]", i)
	}
	if i := e.decl.OutPort(p.Port); i >= 0 {
		return fmt.Sprintf(".out[%d]", i)
	}
	if i := e.decl.Param(p.Port); i >= 0 {
		return fmt.Sprintf(".parameters[%d]", i)
	}
	return ".net"
}

// typesIn returns the types that a net is written with, each once.
func typesIn(n *grammar.Node) []string {
	seen := map[string]bool{}
	var visit func(n *grammar.Node)
	inline := func(s *grammar.Source) {
		if s.Inline != nil {
			visit(s.Inline)
		}
	}
	visit = func(n *grammar.Node) {
		if !n.Fragment {
			seen[n.Type] = true
		}
		for i := range n.Args {
			inline(&n.Args[i].From)
		}
		for _, child := range n.Nodes {
			visit(child)
		}
		for i := range n.Outs {
			inline(&n.Outs[i].From)
		}
	}
	visit(n)
	return slices.Sorted(maps.Keys(seen))
}

// Problem says an error that is found when a device of the extension is created.
func (e *Extension) Problem(device int, err error) error {
	return e.file.Problem(fmt.Sprintf("devices[%d]", device), err)
}
