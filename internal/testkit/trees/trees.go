// Package trees makes up trees of nets, for tests of what reads and writes them.
package trees

import (
	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/grammar"
)

// Of says what stands in a tree. Its nodes need not fit each other.
type Of struct {
	Names, Texts *rapid.Generator[string] // of everything that has a name; of parameters
}

var debugs = rapid.SampledFrom([]string{"", "", "", "2", "2.0", ".5", "010.250"})

// Fragment draws a fragment, at most so many levels deep.
func (o Of) Fragment(t *rapid.T, depth int) *grammar.Node {
	n := &grammar.Node{Fragment: true}
	for range rapid.IntRange(0, 3).Draw(t, "nodes") {
		inner := o.node(t, depth)
		inner.Name = o.Names.Draw(t, "name")
		n.Nodes = append(n.Nodes, inner)
	}
	for range rapid.IntRange(0, 2).Draw(t, "outs") {
		n.Outs = append(n.Outs, grammar.Out{
			Name: o.Names.Draw(t, "out"), Debug: debugs.Draw(t, "debug"), From: o.source(t, depth),
		})
	}
	return n
}

func (o Of) node(t *rapid.T, depth int) *grammar.Node {
	n := &grammar.Node{Type: "Core::Leaf"}
	if depth == 0 {
		return n
	}
	if rapid.Bool().Draw(t, "fragment") {
		n = o.Fragment(t, depth-1)
	} else {
		n.Type = o.Names.Draw(t, "type")
	}
	for range rapid.IntRange(0, 3).Draw(t, "args") {
		arg := grammar.Arg{Name: o.Names.Draw(t, "arg")}
		if rapid.Bool().Draw(t, "connected") {
			arg.Debug, arg.From = debugs.Draw(t, "debug"), o.source(t, depth-1)
		} else {
			arg.Value = o.Texts.Draw(t, "value")
		}
		n.Args = append(n.Args, arg)
	}
	return n
}

func (o Of) source(t *rapid.T, depth int) grammar.Source {
	s := grammar.Source{Port: o.Names.Draw(t, "port")}
	if depth > 0 && rapid.Bool().Draw(t, "anonymous") {
		s.Inline = o.node(t, depth-1)
	} else {
		s.Name = o.Names.Draw(t, "source")
	}
	return s
}
