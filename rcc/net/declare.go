package net

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/suggest"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// Declare makes a primitive whose type is written as a net. decl has its name, its net, ports and parameters with their
// types; the catalogue has the types that the net is written with. The error is a *Rejection, whose paths begin within the net of
// the type.
func Declare(decl spec.Primitive, catalogue *spec.Catalogue) (*spec.Primitive, error) {
	p := &decl
	p.Params = slices.Clone(decl.Params)
	d := declaration{p: p, catalogue: catalogue, uses: map[string][]use{}, ins: map[string]bool{}}
	d.read(p.Net, true)
	d.ports()
	d.params()
	if values := d.sample(); len(d.found) == 0 {
		d.compile(values)
	}
	if len(d.found) > 0 {
		return nil, &Rejection{Net: p.Name, Problems: d.found}
	}
	return p, nil
}

// declaration is the state of one Declare.
type declaration struct {
	p         *spec.Primitive
	catalogue *spec.Catalogue
	uses      map[string][]use // by parameter
	ins       map[string]bool  // in ports that the net reads
	found     []Problem
}

// use is a parameter of a primitive within the net that takes the value of a parameter of the type.
type use struct {
	typ, param string
}

func (decl *declaration) refuse(minor int, port, format string, args ...any) {
	decl.found = append(decl.found, Problem{Minor: minor, Port: port, Text: fmt.Sprintf(format, args...)})
}

// read gathers what the net uses of the ports and parameters of its type; outer tells that parent means the type.
func (decl *declaration) read(n *grammar.Node, outer bool) {
	for _, child := range n.Nodes {
		decl.readNode(child, outer)
	}
	for i := range n.Outs {
		decl.readSource(&n.Outs[i].From, outer)
	}
}

func (decl *declaration) readNode(n *grammar.Node, outer bool) {
	for i := range n.Args {
		a := &n.Args[i]
		if a.Connected() {
			decl.readSource(&a.From, outer)
		} else if name, ok := Placeholder(a.Value); ok {
			decl.uses[name] = append(decl.uses[name], use{n.Type, a.Name})
		}
	}
	if n.Fragment {
		decl.read(n, false)
	}
}

func (decl *declaration) readSource(s *grammar.Source, outer bool) {
	switch {
	case s.Inline != nil:
		decl.readNode(s.Inline, outer)
	case outer && s.Name == grammar.Parent:
		decl.ins[s.Port] = true
	}
}

// ports compares what is declared with the net.
func (decl *declaration) ports() {
	seen := map[string]bool{}
	for _, in := range decl.p.In {
		switch {
		case seen[in.Name]:
			decl.refuse(UnknownInPort, in.Name, "the port is declared twice")
		case !begins(in.Name, "in") || in.Name == inActive:
			decl.refuse(UnknownInPort, in.Name, "the name of an in port must begin with in, and not be %s, which every primitive has", inActive)
		case feeds[in.Type] == nil:
			decl.refuse(TypesDiffer, in.Name, "%q is not a data type%s", in.Type, didYouMean(in.Type))
		case !decl.ins[in.Name]:
			decl.refuse(UnknownInPort, in.Name, "the net does not use it")
		}
		seen[in.Name] = true
		delete(decl.ins, in.Name)
	}
	delete(decl.ins, inActive)
	for _, name := range sorted(decl.ins) {
		decl.refuse(UnknownInPort, name, "the net uses %s.%s, which is not declared", grammar.Parent, name)
	}
	outs := map[string]bool{}
	for i := range decl.p.Net.Outs {
		outs[decl.p.Net.Outs[i].Name] = true
	}
	for _, out := range decl.p.Out {
		switch {
		case seen[out.Name]:
			decl.refuse(UnknownOutPort, out.Name, "the port is declared twice")
		case !outs[out.Name]:
			decl.refuse(UnknownOutPort, out.Name, "the net has no such out port")
		case feeds[out.Type] == nil:
			decl.refuse(TypesDiffer, out.Name, "%q is not a data type%s", out.Type, didYouMean(out.Type))
		}
		seen[out.Name] = true
		delete(outs, out.Name)
	}
	for _, name := range sorted(outs) {
		decl.refuse(UnknownOutPort, name, "the net has the out port %s, which is not declared", name)
	}
}

func sorted(set map[string]bool) (names []string) {
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func didYouMean(t value.Type) string {
	return suggest.DidYouMean(string(t), func(yield func(string) bool) {
		for name := range feeds {
			if !yield(string(name)) {
				return
			}
		}
	})
}

// params finds the types of the parameters, and what their values may be: what all primitives take that get them.
func (decl *declaration) params() {
	seen := map[string]bool{}
	for i := range decl.p.Params {
		param := &decl.p.Params[i]
		uses := decl.uses[param.Name]
		delete(decl.uses, param.Name)
		switch {
		case seen[param.Name]:
			decl.refuse(UnknownParameter, param.Name, "the parameter is declared twice")
		case decl.p.InPort(param.Name) >= 0 || decl.p.OutPort(param.Name) >= 0 || param.Name == inActive:
			decl.refuse(UnknownParameter, param.Name, "a port has this name")
		case len(uses) == 0:
			decl.refuse(UnknownParameter, param.Name, "the net does not use it; to give its value to a parameter, write '$%s'", param.Name)
		default:
			decl.param(param, uses)
		}
		seen[param.Name] = true
	}
	rest := map[string]bool{}
	for name := range decl.uses {
		rest[name] = true
	}
	for _, name := range sorted(rest) {
		decl.refuse(UnknownParameter, name, "the net uses '$%s', which is not declared; a value that begins with $ has two of them", name)
	}
}

func (decl *declaration) param(param *spec.Parameter, uses []use) {
	var checks []func(string) error
	for _, u := range uses {
		inner := decl.catalogue.Lookup(u.typ)
		if inner == nil || inner.Param(u.param) < 0 {
			continue // compiling says so
		}
		given := &inner.Params[inner.Param(u.param)]
		switch param.Type {
		case "":
			param.Type = given.Type
		case given.Type:
		default:
			decl.refuse(TypesDiffer, param.Name, "it is used as %s and, for %s of %s, as %s", param.Type, u.param, u.typ, given.Type)
		}
		checks = append(checks, given.Check)
	}
	param.Check = func(text string) error {
		for _, check := range checks {
			if err := check(text); err != nil {
				return err
			}
		}
		return nil
	}
	if param.Required {
		return
	}
	if err := param.Check(param.Default); err != nil {
		decl.refuse(NotConfigured, param.Name, "the default: %v", err)
	}
}

// compile finds the mistakes within the net, and the types of its out ports. Nothing is instantiated: a device that the
// net needs may come later.
func (decl *declaration) compile(params map[string]string) {
	tree, catalogue, err := probe(decl.p, decl.catalogue, params, nil, func(string) bool { return true })
	if err != nil {
		decl.refuse(NotInstantiated, "", "%v", err)
		return
	}
	c := newCompiler(Options{Name: decl.p.Name, Catalogue: catalogue, Once: true})
	if c.flatten(tree) {
		c.resolve()
		c.guard()
		c.order()
	}
	var rejection *Rejection
	if errors.As(c.rejection(decl.p.Name), &rejection) {
		decl.found = append(decl.found, within(decl.p.Name, rejection.Problems)...)
		return
	}
	for _, out := range decl.p.Out {
		k, _ := c.names.get(0, anOutPort, out.Name)
		l := c.ports[k].link
		if !l.connected() {
			decl.refuse(UnknownOutPort, out.Name, "it has no source")
		} else if is := c.instances[l.from].prim.Out[l.port].Type; is != out.Type {
			decl.refuse(TypesDiffer, out.Name, "it is declared as %s, but is %s", out.Type, is)
		}
	}
}

// sample has values for parameters without default, from the first example that has them.
func (decl *declaration) sample() map[string]string {
	values := map[string]string{}
	for _, e := range slices.Backward(decl.p.Examples) {
		if e.Reject == "" {
			for name, text := range e.Params {
				values[name] = text
			}
		}
	}
	for i := range decl.p.Params {
		name := decl.p.Params[i].Name
		if _, given := values[name]; !decl.p.Params[i].Required {
			delete(values, name)
		} else if !given {
			decl.refuse(NotConfigured, name, "a parameter without default needs an example that gives it a value")
		}
	}
	return values
}

// within leaves out of the paths what stands for the type itself.
func within(typ string, found []Problem) []Problem {
	for i := range found {
		found[i].Path = strings.TrimPrefix(strings.TrimPrefix(found[i].Path, typ), ".")
	}
	return found
}

// probe is a net of one primitive, which feeds values to its in ports and shows those of its out ports; the catalogue has
// what it needs besides.
func probe(p *spec.Primitive, catalogue *spec.Catalogue, params, first map[string]string, fed func(port string) bool) (*grammar.Node, *spec.Catalogue, error) {
	node := &grammar.Node{Name: p.Name, Type: p.Name}
	root := &grammar.Node{Fragment: true, Nodes: []*grammar.Node{node}}
	for name, text := range params {
		node.Args = append(node.Args, grammar.Arg{Name: name, Value: text})
	}
	slices.SortFunc(node.Args, func(a, b grammar.Arg) int { return cmp.Compare(a.Name, b.Name) })
	more := []*spec.Primitive{p}
	for _, in := range p.In {
		if !fed(in.Name) {
			continue
		}
		feed := feeds[in.Type]
		if !slices.Contains(more, feed) {
			more = append(more, feed)
		}
		from := grammar.Source{Name: in.Name, Port: feed.Out[0].Name}
		source := &grammar.Node{Name: in.Name, Type: feed.Name}
		if text, ok := first[in.Name]; ok {
			source.Args = []grammar.Arg{{Name: feed.Params[0].Name, Value: text}}
		}
		root.Nodes = append(root.Nodes, source)
		root.Outs = append(root.Outs, grammar.Out{Name: feedOf(in.Name), From: from})
		node.Args = append(node.Args, grammar.Arg{Name: in.Name, From: from})
	}
	for _, out := range p.Out {
		root.Outs = append(root.Outs, grammar.Out{Name: out.Name, From: grammar.Source{Name: p.Name, Port: out.Name}})
	}
	catalogue, err := catalogue.With(more...)
	return root, catalogue, err
}

// feedOf is the out port of a probe that is fed to an in port. No declared port has such a name.
func feedOf(in string) string { return "out " + in }

// feed is a source whose value comes from outside.
type feed[T any] struct {
	First spec.Param[T] `rcc:"First" default:"" doc:"value that tells the length of arrays"`
	Value spec.Out[T]   `rcc:"outValue" doc:"what it is given"`
}

func (f *feed[T]) Init(*spec.Env) error {
	f.Value.V = f.First.V
	return nil
}

func feedFor[T any]() *spec.Primitive {
	// no text of a net can say this name, and what has out ports has a place in the order
	return spec.Declare(spec.Decl{Name: "<" + string(value.Of[T]().Type) + ">"}, spec.Kernels[feed[T]]{
		Run: func([]feed[T], *spec.Cycle) {},
	})
}

// feeds are the sources of all data types.
var feeds = func() map[value.Type]*spec.Primitive {
	m := map[value.Type]*spec.Primitive{}
	for _, p := range []*spec.Primitive{
		feedFor[bool](), feedFor[int32](), feedFor[float64](), feedFor[value.Time](),
		feedFor[geom.Vector](), feedFor[geom.Rotation](), feedFor[geom.Frame](), feedFor[geom.Twist](), feedFor[geom.Wrench](), feedFor[value.Matrix](),
		feedFor[[]bool](), feedFor[[]int32](), feedFor[[]float64](),
		feedFor[[]geom.Vector](), feedFor[[]geom.Rotation](), feedFor[[]geom.Frame](), feedFor[[]geom.Twist](), feedFor[[]geom.Wrench](),
	} {
		m[p.Out[0].Type] = p
	}
	return m
}()
