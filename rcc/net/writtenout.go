package net

import (
	"encoding/binary"
	"hash/fnv"
	"io"
	"strings"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// A primitive whose type is written as a net is the fragment that stands for it, under the name of the primitive: what
// holds for fragments holds for it, and paths lead through it.

// netType returns the type of a node if that is written as a net.
func (c *compiler) netType(n *grammar.Node) *spec.Primitive {
	if n.Fragment {
		return nil
	}
	if p := c.types.lookup(c.opt.Catalogue, n.Type); p != nil && p.Net != nil {
		return p
	}
	return nil
}

// addWrittenOut adds the fragment of a primitive.
func (c *compiler) addWrittenOut(n *grammar.Node, p *spec.Primitive, frag int32, l label) ref {
	if _, known := c.kindOf[p]; !known {
		c.kindOf[p] = -1 // it has no instances
		c.written = append(c.written, p)
	}
	r := ^ref(c.addFragment(writtenOut(n, p), p, frag, l))
	c.checkArgs(n, p, r)
	return r
}

// usedTypes are the types of all primitives of the net, also of those that are written as nets.
func (c *compiler) usedTypes() []*spec.Primitive {
	list := c.written
	for _, k := range c.kinds {
		list = append(list, k.prim)
	}
	return list
}

// shape is a number for the primitives of the net in their order. It does not depend on their parameters and connections.
func (c *compiler) shape() uint64 {
	h := fnv.New64a()
	var kind [4]byte
	for _, k := range c.kinds {
		_, _ = io.WriteString(h, k.prim.Extension+"."+k.prim.Name+";") // a hash takes everything
	}
	for i := range c.instances {
		binary.LittleEndian.PutUint32(kind[:], uint32(c.instances[i].kind))
		_, _ = h.Write(kind[:])
	}
	return h.Sum64()
}

// checkArgs reports what the type does not know, and values of parameters that do not fit. Consequences within the net are not
// reported again.
func (c *compiler) checkArgs(n *grammar.Node, p *spec.Primitive, at ref) {
	given := map[string]bool{}
	for i := range n.Args {
		a := &n.Args[i]
		k := p.Param(a.Name)
		switch {
		case a.Connected() && knowsIn(p, a.Name):
		case a.Connected() && k >= 0:
			c.problem(UnknownInPort, at, a.Name, "%s has no such in port, it is a parameter", p.Name)
		case a.Connected():
			c.misnamed(UnknownInPort, at, a.Name, a.Name, "in port", p.Name, portNames(p.In, inActive))
		case knowsIn(p, a.Name):
			c.problem(UnknownParameter, at, a.Name, "it is an in port, not a parameter")
		case k < 0:
			c.misnamed(UnknownParameter, at, a.Name, a.Name, "parameter", p.Name, paramNames(p.Params))
		case given[a.Name]:
			c.problem(UnknownParameter, at, a.Name, "the parameter is given twice")
		default:
			given[a.Name] = true
			if err := p.Params[k].Check(a.Value); err != nil {
				c.problem(NotConfigured, at, a.Name, "%v", err)
			}
		}
	}
	for i := range p.Params {
		if param := &p.Params[i]; param.Required && !given[param.Name] {
			c.problem(NotConfigured, at, param.Name, "the parameter is missing")
		}
	}
}

func knowsIn(p *spec.Primitive, port string) bool { return port == inActive || p.InPort(port) >= 0 }

// wants is the type of an in port, if the fragment knows one.
func (f *fragment) wants(port string) value.Type {
	if f.prim == nil {
		return ""
	}
	if k := f.prim.InPort(port); k >= 0 {
		return f.prim.In[k].Type
	}
	return ""
}

// writtenOut is the fragment of a primitive, with values in place of the parameters of its type. A parameter without
// value that fits leaves open what it would have set.
func writtenOut(n *grammar.Node, p *spec.Primitive) *grammar.Node {
	values := map[string]string{}
	for i := range p.Params {
		if param := &p.Params[i]; !param.Required {
			values[param.Name] = param.Default
		}
	}
	var ins []grammar.Arg
	for i := len(n.Args) - 1; i >= 0; i-- { // the first of several counts
		a := &n.Args[i]
		if k := p.Param(a.Name); k >= 0 && !a.Connected() && p.Params[k].Check(a.Value) == nil {
			values[a.Name] = a.Value
		}
	}
	for _, a := range n.Args {
		if a.Connected() && knowsIn(p, a.Name) {
			ins = append(ins, a)
		}
	}
	body := withValues(p.Net, values)
	body.Name, body.Pos, body.Args = n.Name, n.Pos, ins
	return body
}

// withValues copies a node: each place where a type is used needs nodes of its own.
func withValues(n *grammar.Node, values map[string]string) *grammar.Node {
	made := *n
	made.Args, made.Nodes, made.Outs = nil, nil, nil
	for _, a := range n.Args {
		switch name, isParameter := Placeholder(a.Value); {
		case a.Connected():
			a.From = sourceWith(a.From, values)
		case isParameter:
			value, given := values[name]
			if !given {
				continue
			}
			a.Value = value
		default:
			a.Value = Literal(a.Value)
		}
		made.Args = append(made.Args, a)
	}
	for _, child := range n.Nodes {
		made.Nodes = append(made.Nodes, withValues(child, values))
	}
	for _, o := range n.Outs {
		o.From = sourceWith(o.From, values)
		made.Outs = append(made.Outs, o)
	}
	return &made
}

func sourceWith(s grammar.Source, values map[string]string) grammar.Source {
	if s.Inline != nil {
		s.Inline = withValues(s.Inline, values)
	}
	return s
}

// Placeholder returns the name of the parameter of a type that a value within the net of the type stands for.
func Placeholder(text string) (name string, ok bool) {
	name, ok = strings.CutPrefix(text, "$")
	return name, ok && !strings.HasPrefix(name, "$")
}

// Literal returns the value of a text that is not a Placeholder: $$ at its beginning stands for $.
func Literal(text string) string {
	if strings.HasPrefix(text, "$$") {
		return text[1:]
	}
	return text
}
