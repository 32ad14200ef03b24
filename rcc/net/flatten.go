package net

import (
	"fmt"
	"iter"
	"strings"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// instance is a primitive of the net.
type instance struct {
	node *grammar.Node
	prim *spec.Primitive // nil when its type is unknown
	label
	frag int32
	seq  int32

	kind   int32
	index  int32 // in the block of its kind
	ports  int32 // first of its links
	params int32 // first of what is given for its parameters
	guard  link  // inActive

	scope     int32 // innermost fragment with a guard, in which it runs
	runs      int32 // condition under which it runs
	keeps     int32 // condition under which it keeps values for the next cycle
	unwaiting bool  // a Pre that cannot wait for its inReset
	folded    bool  // a constant, or what depends on nothing else
}

// kind is a type of primitive with all its instances.
type kind struct {
	prim  *spec.Primitive
	n     int32
	block *spec.Block
}

// fragment is a fragment of the net; the first one is the root.
type fragment struct {
	node *grammar.Node
	prim *spec.Primitive // whose net it is, nil for one that stands in the text
	label
	up    int32
	seq   int32
	scope int32 // innermost fragment with a guard, itself included
}

// ref names an instance, or, complemented, a fragment.
type ref int32

// label is what a node is called: by its name in its fragment, or, anonymous, by the in port of its host that it is
// connected to. Nothing longer is kept, for a hostile net can nest long names deeply.
type label struct {
	name string
	host ref // root for a node with a name
}

const root ref = ^0

func (c *compiler) path(r ref) string {
	if r < 0 {
		f := &c.fragments[^r]
		return c.below(f.up, f.label)
	}
	inst := &c.instances[r]
	return c.below(inst.frag, inst.label)
}

func (c *compiler) below(frag int32, l label) string {
	switch {
	case l.host != root:
		return c.path(l.host) + "." + l.name
	case frag > 0:
		return c.path(^ref(frag)) + "." + l.name
	default:
		return l.name
	}
}

// problem reports what is wrong at a node. Its text is made only if it will be read.
func (c *compiler) problem(minor int, at ref, port, format string, args ...any) {
	if c.full() {
		c.more++
		return
	}
	c.add(c.seqOf(at), c.describe(minor, at, port, format, args...))
}

// warn reports what is doubtful at a node.
func (c *compiler) warn(minor int, at ref, port, format string, args ...any) {
	if c.warnings.full() {
		c.warnings.more++
		return
	}
	c.warnings.add(c.seqOf(at), c.describe(minor, at, port, format, args...))
}

func (c *compiler) describe(minor int, at ref, port, format string, args ...any) Problem {
	return Problem{
		Pos: c.posOf(at, port), Minor: minor, Path: short(c.path(at)), Port: short(port), Text: short(fmt.Sprintf(format, args...)),
	}
}

// posOf returns where a port or parameter of a node is in the text, or else the node. Nodes within a type that is written as a
// net are where the type is used.
func (c *compiler) posOf(at ref, port string) grammar.Pos {
	node, up := c.placeOf(at)
	for frag := up; frag > 0; frag = c.fragments[frag].up {
		if f := &c.fragments[frag]; f.prim != nil {
			node, port = f.node, ""
		}
	}
	for i := range node.Args {
		if node.Args[i].Name == port {
			return node.Args[i].Pos
		}
	}
	for i := range node.Outs {
		if node.Outs[i].Name == port {
			return node.Outs[i].Pos
		}
	}
	return node.Pos
}

func (c *compiler) placeOf(r ref) (node *grammar.Node, frag int32) {
	if r < 0 {
		return c.fragments[^r].node, c.fragments[^r].up
	}
	return c.instances[r].node, c.instances[r].frag
}

func (c *compiler) seqOf(r ref) int32 {
	if r < 0 {
		return c.fragments[^r].seq
	}
	return c.instances[r].seq
}

// short bounds what a problem repeats of a net.
func short(text string) string {
	const most = 1000
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most/2]+"…"+text[len(text)-most/2:], "")
}

// size is what a tree will need when all nets of types are written out.
type size struct{ instances, fragments, ports, depth int }

func (c *compiler) measure(s *size, n *grammar.Node, depth int) {
	limit := &c.opt.Limits
	s.depth = max(s.depth, depth)
	body := n
	switch p := c.netType(n); {
	case p != nil:
		body = p.Net
		fallthrough
	case n.Fragment:
		s.fragments++
		s.ports += len(n.Args) + len(body.Outs)
	default:
		s.instances++
	}
	if s.depth > limit.Depth || s.instances+s.fragments > limit.Primitives {
		return
	}
	for i := range n.Args {
		if inline := n.Args[i].From.Inline; inline != nil {
			c.measure(s, inline, depth+1)
		}
	}
	for _, child := range body.Nodes {
		c.measure(s, child, depth+1)
	}
	for i := range body.Outs {
		if inline := body.Outs[i].From.Inline; inline != nil {
			c.measure(s, inline, depth+1)
		}
	}
}

// flatten lists instances and fragments with their ports. It is false when the net is beyond the limits.
func (c *compiler) flatten(tree *grammar.Node) bool {
	var s size
	limit := c.opt.Limits
	c.measure(&s, tree, 0)
	switch {
	case s.depth > limit.Depth:
		c.add(0, Problem{Minor: NotInstantiated, Text: fmt.Sprintf("nested deeper than %d", limit.Depth)})
		return false
	case s.instances+s.fragments > limit.Primitives:
		c.add(0, Problem{Minor: NotInstantiated, Text: fmt.Sprintf("more than %d primitives and fragments", limit.Primitives)})
		return false
	}
	c.instances = make([]instance, 0, s.instances)
	c.fragments = make([]fragment, 0, s.fragments)
	c.ports = make([]port, 0, s.ports)
	c.names = newNames(s.instances + s.fragments + s.ports)
	c.kindOf = make(map[*spec.Primitive]int32)
	c.links = make([]link, 0, 3*s.instances)
	c.given = make([]*string, 0, 2*s.instances)
	c.inline = make(map[*grammar.Node]ref)
	c.addFragment(tree, nil, 0, label{host: root})
	if len(tree.Args) > 0 {
		c.problem(UnknownInPort, root, tree.Args[0].Name, "the root fragment must not have in ports")
	}
	return true
}

// addNode adds a node and the anonymous nodes it is connected to.
func (c *compiler) addNode(frag int32, n *grammar.Node, l label) ref {
	var r ref
	switch p := c.netType(n); {
	case p != nil:
		r = c.addWrittenOut(n, p, frag, l)
	case n.Fragment:
		r = ^ref(c.addFragment(n, nil, frag, l))
	default:
		r = c.addInstance(n, frag, l)
	}
	for i := range n.Args {
		if inline := n.Args[i].From.Inline; inline != nil {
			c.inline[inline] = c.addNode(frag, inline, label{n.Args[i].Name, r})
		}
	}
	return r
}

func (c *compiler) addFragment(n *grammar.Node, prim *spec.Primitive, up int32, l label) int32 {
	id := int32(len(c.fragments))
	c.seq++
	c.fragments = append(c.fragments, fragment{node: n, prim: prim, label: l, up: up, seq: c.seq})
	for i := range n.Args {
		c.addInPort(id, &n.Args[i])
	}
	for i := range n.Outs {
		c.addOutPort(id, &n.Outs[i])
	}
	for _, child := range n.Nodes {
		r := c.addNode(id, child, label{child.Name, root})
		switch key := (name{id, aNode, child.Name}); {
		case child.Name == grammar.Parent:
			c.problem(NotInstantiated, r, "", "the name %s stands for the surrounding fragment", grammar.Parent)
		case !c.names.define(key, int32(r)):
			c.problem(NotInstantiated, r, "", "the name is used twice in this fragment")
		}
	}
	for i := range n.Outs {
		if inline := n.Outs[i].From.Inline; inline != nil {
			c.inline[inline] = c.addNode(id, inline, label{n.Outs[i].Name, root})
		}
	}
	return id
}

func (c *compiler) addInstance(n *grammar.Node, frag int32, l label) ref {
	id := ref(len(c.instances))
	c.seq++
	c.instances = append(c.instances, instance{node: n, label: l, frag: frag, seq: c.seq, ports: int32(len(c.links)), params: int32(len(c.given)), guard: open})
	p := c.types.lookup(c.opt.Catalogue, n.Type)
	if p == nil {
		c.problem(UnknownType, id, "", "unknown type %s%s", n.Type, c.hint(n.Type, c.typeNames()))
		return id
	}
	k, known := c.kindOf[p]
	if !known {
		k = int32(len(c.kinds))
		c.kindOf[p] = k
		c.kinds = append(c.kinds, kind{prim: p})
	}
	c.kinds[k].n++
	c.instances[id].prim, c.instances[id].kind = p, k
	for range p.In {
		c.links = append(c.links, open)
	}
	c.given = append(c.given, make([]*string, len(p.Params))...)
	return id
}

func (c *compiler) typeNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, p := range c.opt.Catalogue.All() {
			if !yield(p.Name) {
				return
			}
		}
	}
}
