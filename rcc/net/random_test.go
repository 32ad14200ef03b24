package net_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// shape is a type of primitive as the generator sees it.
type shape struct {
	typ    string
	out    byte // B, I or D
	in     []inShape
	params []string // names of parameters of type out
	pre    bool
}

type inShape struct {
	name     string
	typ      byte
	required bool
}

func shapes() []shape {
	two := func(t byte) []inShape { return []inShape{{"inFirst", t, false}, {"inSecond", t, false}} }
	both := []string{"First", "Second"}
	all := []shape{
		{typ: "Core::DoubleAdd", out: 'D', in: two('D'), params: both},
		{typ: "Core::DoubleMultiply", out: 'D', in: two('D'), params: both},
		{typ: "Core::DoubleDivide", out: 'D', in: two('D')},
		{typ: "Core::IntAdd", out: 'I', in: two('I'), params: both},
		{typ: "Core::IntMultiply", out: 'I', in: two('I'), params: both},
		{typ: "Core::DoubleGreater", out: 'B', in: two('D')},
		{typ: "Core::IntGreater", out: 'B', in: two('I')},
		{typ: "Core::IntEquals", out: 'B', in: two('I')},
		{typ: "Core::BooleanAnd", out: 'B', in: two('B'), params: both},
		{typ: "Core::BooleanOr", out: 'B', in: two('B'), params: both},
		{typ: "Core::BooleanNot", out: 'B', in: []inShape{{"inValue", 'B', false}}, params: []string{"Value"}},
		{typ: "Test::Clock", out: 'D', in: []inShape{{"inIncrement", 'D', false}, {"inReset", 'B', false}}, params: []string{"Increment"}},
		{typ: "Test::Snapshot", out: 'D', in: []inShape{{"inValue", 'D', true}, {"inSnapshot", 'B', true}}, params: []string{"Value"}},
		{typ: "Test::Memory", out: 'D', in: []inShape{{"inValue", 'D', false}, {"inReset", 'B', false}}, pre: true},
	}
	for _, t := range []byte("BID") {
		name := map[byte]string{'B': "Core::Boolean", 'I': "Core::Int", 'D': "Core::Double"}[t]
		all = append(all,
			shape{typ: name + "Value", out: t, params: []string{"Value"}},
			shape{typ: name + "IsNull", out: 'B', in: []inShape{{"inValue", t, true}}},
			shape{typ: name + "SetNull", out: t, in: []inShape{{"inValue", t, true}, {"inNull", 'B', true}}},
			shape{typ: name + "Conditional", out: t, in: []inShape{{"inCondition", 'B', true}, {"inTrue", t, false}, {"inFalse", t, false}}, params: []string{"True", "False"}},
			shape{typ: name + "Pre", out: t, in: []inShape{{"inValue", t, false}, {"inReset", 'B', false}}, pre: true},
		)
	}
	return all
}

var samples = map[byte][]string{
	'B': {"true", "false"},
	'I': {"0", "1", "2", "-3", "2147483647"},
	'D': {"0", "0.02", "1", "-2", "+inf"},
}

// maker makes nets: primitives in an order of their own, spread over fragments without regard to it, so that values
// cross the borders of fragments in all ways.
type maker struct {
	t         *rapid.T
	tree      *grammar.Node
	fragments []*madeFragment
	made      []*madePrimitive
}

type madeFragment struct {
	node *grammar.Node
	up   *madeFragment
}

type madePrimitive struct {
	node *grammar.Node
	in   *madeFragment
	shape
}

func (m *maker) pick(what string, n int) int { return rapid.IntRange(0, n-1).Draw(m.t, what) }
func (m *maker) chance(what string, percent int) bool {
	return rapid.IntRange(0, 99).Draw(m.t, what) >= 100-percent // shrinks to false
}

// makeNet makes a net without a cycle of data links.
func makeNet(t *rapid.T) *grammar.Node {
	m := &maker{t: t, tree: &grammar.Node{Fragment: true}}
	m.fragments = []*madeFragment{{node: m.tree}}
	for i := range m.pick("fragments", 6) {
		up := m.fragments[m.pick("around", len(m.fragments))]
		f := &madeFragment{node: &grammar.Node{Name: fmt.Sprint("f", i), Fragment: true}, up: up}
		up.node.Nodes = append(up.node.Nodes, f.node)
		m.fragments = append(m.fragments, f)
	}
	all := shapes()
	for i := range 2 + m.pick("primitives", 30) {
		s := all[m.pick("type", len(all))]
		if !m.connectable(s) {
			s = all[len(all)-1]
		}
		p := &madePrimitive{node: &grammar.Node{Name: fmt.Sprint("p", i), Type: s.typ}, in: m.fragments[m.pick("fragment", len(m.fragments))], shape: s}
		p.in.node.Nodes = append(p.in.node.Nodes, p.node)
		m.made = append(m.made, p)
	}
	for i := range m.made {
		m.feed(i)
	}
	for _, f := range m.fragments[1:] {
		if m.chance("guarded fragment", 60) {
			m.connect(f.node, f.up, "inActive", 'B', len(m.made))
		}
	}
	m.end()
	return m.tree
}

func (m *maker) connectable(s shape) bool {
	for _, in := range s.in {
		if in.required && !slices.ContainsFunc(m.made, func(p *madePrimitive) bool { return p.out == in.typ }) {
			return false
		}
	}
	return true
}

// feed connects the in ports of a primitive to earlier ones, those of a Pre to any.
func (m *maker) feed(i int) {
	p := m.made[i]
	before := i
	if p.pre {
		before = len(m.made)
	}
	for _, in := range p.shape.in {
		if in.required || m.chance("connected", 75) {
			m.connect(p.node, p.in, in.name, in.typ, before)
		}
	}
	if m.chance("guarded", 15) {
		m.connect(p.node, p.in, "inActive", 'B', before)
	}
	for _, name := range p.params {
		if m.chance("given", 60) {
			text := samples[p.out][m.pick("value", len(samples[p.out]))]
			p.node.Args = append(p.node.Args, grammar.Arg{Name: name, Value: text})
		}
	}
}

// connect gives an in port of a node in a fragment one of the first made primitives as its source.
func (m *maker) connect(n *grammar.Node, in *madeFragment, port string, typ byte, before int) {
	var sources []*madePrimitive
	for _, p := range m.made[:before] {
		if p.out == typ {
			sources = append(sources, p)
		}
	}
	if len(sources) == 0 {
		return
	}
	from := m.route(sources[m.pick("source", len(sources))], in)
	if m.chance("passed on", 5) {
		from = m.pass(from, in)
	}
	n.Args = append(n.Args, grammar.Arg{Name: port, From: from})
}

func (f *madeFragment) depth() (n int) {
	for ; f.up != nil; f = f.up {
		n++
	}
	return n
}

// route makes the fragment ports on the way from a primitive to the inside of a fragment.
func (m *maker) route(p *madePrimitive, to *madeFragment) grammar.Source {
	from, at := grammar.Source{Name: p.node.Name, Port: "outValue"}, p.in
	var down []*madeFragment
	for at != to {
		if at.depth() >= to.depth() {
			name := "out" + p.node.Name
			if !slices.ContainsFunc(at.node.Outs, func(o grammar.Out) bool { return o.Name == name }) {
				at.node.Outs = append(at.node.Outs, grammar.Out{Name: name, From: from})
			}
			from = grammar.Source{Name: at.node.Name, Port: name}
			at = at.up
		} else {
			down = append(down, to)
			to = to.up
		}
	}
	for _, f := range slices.Backward(down) {
		name := "in" + p.node.Name
		if arg(f.node, name) == nil {
			f.node.Args = append(f.node.Args, grammar.Arg{Name: name, From: from})
		}
		from = grammar.Source{Name: grammar.Parent, Port: name}
	}
	return from
}

// pass leads a value through an anonymous fragment that hands it on, however active it is.
func (m *maker) pass(from grammar.Source, in *madeFragment) grammar.Source {
	f := &grammar.Node{Fragment: true, Args: []grammar.Arg{{Name: "inOn", From: from}}}
	f.Outs = []grammar.Out{{Name: "outOn", From: grammar.Source{Name: grammar.Parent, Port: "inOn"}}}
	if m.chance("off", 30) {
		never := &grammar.Node{Type: "Core::BooleanValue"}
		f.Args = append(f.Args, grammar.Arg{Name: "inActive", From: grammar.Source{Inline: never, Port: "outValue"}})
	}
	return grammar.Source{Inline: f, Port: "outOn"}
}

func (m *maker) end() {
	never := &grammar.Node{Type: "Core::BooleanValue"}
	m.tree.Outs = append(m.tree.Outs, grammar.Out{Name: "outTerminate", From: grammar.Source{Inline: never, Port: "outValue"}})
}

// hasCycle reports whether the value of a primitive needs itself.
func (r *reference) hasCycle() bool {
	const grey, black = 1, 2
	color := map[*place]int{}
	var visit func(p *place) bool
	visit = func(p *place) bool {
		if color[p] != 0 {
			return color[p] == grey
		}
		color[p] = grey
		for _, need := range p.needs() {
			if p.waits(need) && visit(need.at) {
				return true
			}
		}
		color[p] = black
		return false
	}
	return slices.ContainsFunc(r.all, visit)
}

// current returns the value of a cell, nil for null.
func current(c spec.Cell, cy *spec.Cycle) any {
	if !c.Current(cy) {
		return nil
	}
	switch c := c.(type) {
	case *spec.Out[bool]:
		return c.V
	case *spec.Out[int32]:
		return c.V
	case *spec.Out[float64]:
		return c.V
	}
	panic("cell of another type")
}

func same(a, b any) bool {
	x, okX := a.(float64)
	y, okY := b.(float64)
	if okX && okY {
		return math.Float64bits(x) == math.Float64bits(y) || math.IsNaN(x) && math.IsNaN(y)
	}
	return a == b
}

// unseen reports whether a port may have a value although it ought to be null: that of a constant which is inactive together
// with everything that reads it.
func unseen(probe net.Probed, want any) bool { return want == nil && probe.Constant }

// TestReference compares compiled nets with the reference, port by port and cycle by cycle.
func TestReference(t *testing.T) {
	opt := options(t)
	rapid.Check(t, func(t *rapid.T) {
		text := makeNet(t).String()
		t.Log(text)
		tree := parse(t, text)
		ref := newReference(tree)
		cyclic := ref.hasCycle()
		p, probes, err := net.CompileProbed(tree, opt)
		if cyclic || err != nil {
			checkCycleFound(t, cyclic, err)
			return
		}
		again, _ := net.Compile(tree, opt)
		runs, guards := p.Steps()
		if r, g := again.Steps(); r != runs || g != guards {
			t.Fatalf("compiled again, the program has %d runs and %d guards instead of %d and %d", r, g, runs, guards)
		}
		compare(t, p, probes, ref)
	})
}

func compare(t interface{ Fatalf(string, ...any) }, p *net.Program, probes []net.Probed, ref *reference) {
	places := map[string]*place{}
	for _, at := range ref.all {
		places[at.path] = at
	}
	if len(places) != len(probes) || len(probes) != p.Primitives {
		t.Fatalf("%d primitives in the reference, %d compiled, %d counted", len(places), len(probes), p.Primitives)
	}
	var cy spec.Cycle
	for range 12 {
		cycle(p, &cy)
		ref.step()
		for _, probe := range probes {
			want, got := ref.values[outRef{places[probe.Path], probe.Port}], current(probe.Cell, &cy)
			if !same(want, got) && !unseen(probe, want) {
				t.Fatalf("cycle %d: %s.%s is %v, want %v", cy.N, probe.Path, probe.Port, got, want)
			}
		}
	}
}

func checkCycleFound(t *rapid.T, cyclic bool, err error) {
	var rejection *net.Rejection
	if !cyclic || !errors.As(err, &rejection) {
		t.Fatalf("has a cycle: %t, error: %v", cyclic, err)
	}
	for _, p := range rejection.Problems {
		if p.Minor != net.UnguardedCycle || !strings.Contains(p.Text, "<-") {
			t.Fatalf("unexpected problem %v", p)
		}
	}
}
