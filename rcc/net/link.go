package net

import (
	"iter"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/suggest"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// Names with a meaning for the compiler.
const (
	inActive     = "inActive"
	inReset      = "inReset"
	outTerminate = "outTerminate"
	outFail      = "outFail"
)

// link is an out port of an instance.
type link struct{ from, port int32 }

// Links that lead nowhere: of a port that is not connected, and of one that is connected wrongly.
var (
	open   = link{from: -1}
	broken = link{from: -2}
)

func (l link) connected() bool { return l.from >= 0 }

// port is a port of a fragment: virtual, it stands for what it is connected to.
type port struct {
	at    ref
	name  string
	frag  int32 // in which its source is looked up
	from  *grammar.Source
	want  value.Type // of an in port of a net of a type; empty for any
	state uint8
	link  link
}

const (
	unresolved uint8 = iota
	following
	resolved
)

func (c *compiler) addInPort(frag int32, a *grammar.Arg) {
	at := ^ref(frag)
	switch {
	case at == root:
		return
	case !a.Connected():
		c.problem(UnknownParameter, at, a.Name, "a fragment has no parameters")
		return
	case !c.names.define(name{frag, anInPort, a.Name}, int32(len(c.ports))):
		c.problem(UnknownInPort, at, a.Name, "the in port is connected twice")
	case !begins(a.Name, "in"):
		c.problem(UnknownInPort, at, a.Name, "the name of a fragment's in port must begin with in")
	}
	c.record(c.fragments[frag].up, at, a.Name, a.Debug, aFragmentPort, len(c.ports))
	c.ports = append(c.ports, port{at: at, name: a.Name, frag: c.fragments[frag].up, from: &a.From, want: c.fragments[frag].wants(a.Name)})
}

func (c *compiler) addOutPort(frag int32, o *grammar.Out) {
	at := ^ref(frag)
	switch {
	case !c.names.define(name{frag, anOutPort, o.Name}, int32(len(c.ports))):
		c.problem(UnknownOutPort, at, o.Name, "the fragment has this out port twice")
	case !begins(o.Name, "out"):
		c.problem(UnknownOutPort, at, o.Name, "the name of a fragment's out port must begin with out")
	}
	c.record(frag, at, o.Name, o.Debug, aFragmentPort, len(c.ports))
	c.ports = append(c.ports, port{at: at, name: o.Name, frag: frag, from: &o.From})
}

// begins reports whether a port of a fragment has the name of an in or out port, which may have colons of its own (in::1).
// Clients of the older generation put the primitive before it for which they made the port: Core::Clock11:inActive.
func begins(port, direction string) bool {
	return strings.HasPrefix(port, direction) || strings.HasPrefix(port[strings.LastIndexByte(port, ':')+1:], direction)
}

// resolve finds the source of every port and checks parameters' names.
func (c *compiler) resolve() {
	for i := range c.ports {
		c.follow(int32(i))
	}
	var seen seen
	for i := range c.instances {
		c.resolveArgs(ref(i), &seen)
	}
	c.resolveRoot()
}

// seen marks what of one instance was connected.
type seen struct {
	in     []bool
	active bool
}

func (s *seen) reset(p *spec.Primitive) {
	s.in = append(s.in[:0], make([]bool, len(p.In))...)
	s.active = false
}

func mark(seen *bool) (again bool) {
	again, *seen = *seen, true
	return again
}

func (c *compiler) resolveArgs(r ref, seen *seen) {
	inst := &c.instances[r]
	if inst.prim != nil {
		seen.reset(inst.prim)
	}
	for k := range inst.node.Args {
		a := &inst.node.Args[k]
		switch {
		case inst.prim == nil && a.Connected():
			c.source(inst.frag, &a.From, r, a.Name) // for its own mistakes
		case inst.prim == nil:
		case a.Connected():
			c.connect(r, a, seen)
		default:
			c.parameter(r, a)
		}
	}
}

func (c *compiler) connect(r ref, a *grammar.Arg, seen *seen) {
	inst := &c.instances[r]
	from := c.source(inst.frag, &a.From, r, a.Name)
	if a.Name == inActive {
		if mark(&seen.active) {
			c.problem(UnknownInPort, r, a.Name, "the in port is connected twice")
			return
		}
		inst.guard = c.typed(from, value.TypeBool, r, a.Name)
		c.record(inst.frag, r, a.Name, a.Debug, anInstanceGuard, int(r))
		return
	}
	k := inst.prim.InPort(a.Name)
	switch {
	case k < 0 && inst.prim.Param(a.Name) >= 0:
		c.problem(UnknownInPort, r, a.Name, "%s has no such in port, it is a parameter", inst.prim.Name)
	case k < 0:
		c.misnamed(UnknownInPort, r, a.Name, a.Name, "in port", inst.prim.Name, portNames(inst.prim.In, inActive))
	case mark(&seen.in[k]):
		c.problem(UnknownInPort, r, a.Name, "the in port is connected twice")
	default:
		c.links[inst.ports+int32(k)] = c.typed(from, inst.prim.In[k].Type, r, a.Name)
		c.record(inst.frag, r, a.Name, a.Debug, anInstancePort, int(inst.ports)+k)
	}
}

func (c *compiler) parameter(r ref, a *grammar.Arg) {
	inst := &c.instances[r]
	prim := inst.prim
	k := prim.Param(a.Name)
	if k >= 0 {
		given := &c.given[inst.params+int32(k)]
		if *given != nil {
			c.problem(UnknownParameter, r, a.Name, "the parameter is given twice")
			return
		}
		*given = &a.Value
		return
	}
	in := prim.InPort(a.Name)
	if in >= 0 && c.links[inst.ports+int32(in)] == open {
		c.links[inst.ports+int32(in)] = broken // it is meant to be connected
	}
	switch {
	case in >= 0 && prim.In[in].Param != "":
		c.problem(UnknownParameter, r, a.Name, "it is an in port, a constant for it is the parameter %s", prim.In[in].Param)
	case in >= 0 || a.Name == inActive:
		c.problem(UnknownParameter, r, a.Name, "it is an in port, not a parameter")
	default:
		c.misnamed(UnknownParameter, r, a.Name, a.Name, "parameter", prim.Name, paramNames(prim.Params))
	}
}

// typed checks that a link carries values of a type; one that does not is broken.
func (c *compiler) typed(from link, want value.Type, at ref, port string) link {
	if !from.connected() {
		return from
	}
	out := &c.instances[from.from].prim.Out[from.port]
	if out.Type == want {
		return from
	}
	c.problem(TypesDiffer, at, port, "type differs: %s from %s.%s to %s", out.Type, c.path(ref(from.from)), out.Name, want)
	return broken
}

func (c *compiler) resolveRoot() {
	if _, ok := c.names.get(0, anOutPort, outTerminate); !ok && !c.opt.Once {
		c.problem(NoTerminate, root, "", "Missing outTerminate port on root fragment%s", c.misspelt(outTerminate))
	}
	if _, ok := c.names.get(0, anOutPort, outFail); !ok {
		for n := range outNames(c.fragments[0].node.Outs) {
			if strings.EqualFold(n, outFail) {
				c.warn(UnknownOutPort, root, n, "the net does not fail by it; write %s", outFail)
			}
		}
	}
	c.opened(outTerminate, value.TypeBool, "the net does not end by it")
	c.opened(outFail, value.TypeInt, "the net does not fail by it")
}

// misspelt says which out port of the root is probably meant for one that is missing.
func (c *compiler) misspelt(port string) string {
	if near := suggest.Nearest(port, outNames(c.fragments[0].node.Outs)); near != "" {
		return "; " + short(near) + " is another one, write " + port
	}
	return ""
}

// opened warns of an out port of the root with a value of another type. It counts as open, as in the original, on which
// clients rely.
func (c *compiler) opened(port string, want value.Type, so string) {
	k, ok := c.names.get(0, anOutPort, port)
	if !ok || !c.ports[k].link.connected() {
		return
	}
	from := c.ports[k].link
	if out := &c.instances[from.from].prim.Out[from.port]; out.Type != want {
		c.warn(TypesDiffer, root, port,
			"type differs: %s from %s.%s to %s; the port counts as open, %s", out.Type, c.path(ref(from.from)), out.Name, want, so)
		c.unheeded = append(c.unheeded, from)
		c.ports[k].link = open
	}
}

// source returns the out port of a primitive from which a port of at takes its value.
func (c *compiler) source(frag int32, from *grammar.Source, at ref, port string) link {
	l, next := c.lookup(frag, from, at, port)
	if next < 0 {
		return l
	}
	return c.follow(next)
}

// follow resolves a port of a fragment, and all others on the way to its source.
func (c *compiler) follow(next int32) link {
	l := broken
	c.trail = c.trail[:0]
	for next >= 0 {
		p := &c.ports[next]
		if p.state == resolved {
			l = p.link
			break
		}
		if p.state == following {
			c.circle(next)
			l = broken
			break
		}
		p.state = following
		c.trail = append(c.trail, next)
		l, next = c.lookup(p.frag, p.from, p.at, p.name)
	}
	for _, k := range slices.Backward(c.trail) { // from the source on
		p := &c.ports[k]
		if p.want != "" {
			l = c.typed(l, p.want, p.at, p.name)
		}
		p.link, p.state = l, resolved
	}
	return l
}

// circle reports ports of fragments that only lead to each other.
func (c *compiler) circle(start int32) {
	way := c.trail[slices.Index(c.trail, start):]
	first := &c.ports[start]
	c.problem(UnguardedCycle, first.at, first.name, "ports of fragments run in a circle: %s", chain(len(way)+1, " <- ", func(i int) string {
		p := &c.ports[way[i%len(way)]]
		return c.portPath(p.at, p.name)
	}))
}

func (c *compiler) portPath(at ref, port string) string {
	if at == root {
		return port
	}
	return c.path(at) + "." + port
}

// lookup finds what a source names within a fragment: the out port of a primitive, or the port of a fragment (next).
func (c *compiler) lookup(frag int32, from *grammar.Source, at ref, port string) (l link, next int32) {
	switch r, within := c.named(frag, from); {
	case within:
		return c.inPort(frag, from, at, port)
	case r != root:
		return c.outPort(r, from, at, port)
	}
	if digits(from.Name) && digits(from.Port) {
		c.problem(UnknownSource, at, port, "write the value of a parameter in quotes: %s='%s.%s'", port, from.Name, from.Port)
		return broken, -1
	}
	c.misnamed(UnknownSource, at, port, from.Name, "primitive", "the fragment", c.nodeNames(frag))
	return broken, -1
}

// named finds the node that a source names, which is the fragment from within if the source is one of its in ports. It is the root when
// there is none.
func (c *compiler) named(frag int32, from *grammar.Source) (r ref, within bool) {
	if from.Inline != nil {
		return c.inline[from.Inline], false
	}
	if from.Name == grammar.Parent {
		return ^ref(frag), true
	}
	if r, ok := c.names.get(frag, aNode, from.Name); ok {
		return ref(r), false
	}
	if frag > 0 && from.Name == c.fragments[frag].name && begins(from.Port, "in") {
		return ^ref(frag), true // the older way to say parent (§7.4.1)
	}
	return root, false
}

// digits reports whether a name is a number, as in Second=2.5, where the quotes of the value are missing.
func digits(name string) bool { return strings.Trim(name, "0123456789") == "" }

// outPort finds an out port of a node.
func (c *compiler) outPort(r ref, from *grammar.Source, at ref, port string) (l link, next int32) {
	if r < 0 {
		if k, ok := c.names.get(int32(^r), anOutPort, from.Port); ok {
			return broken, k
		}
		c.misnamed(UnknownOutPort, at, port, from.Port, "out port", c.path(r), outNames(c.fragments[^r].node.Outs))
		return broken, -1
	}
	prim := c.instances[r].prim
	if prim == nil {
		return broken, -1
	}
	if k := prim.OutPort(from.Port); k >= 0 {
		return link{int32(r), int32(k)}, -1
	}
	c.misnamed(UnknownOutPort, at, port, from.Port, "out port", prim.Name, portNames(prim.Out))
	return broken, -1
}

// inPort finds an in port of a fragment from within. In ports of fragments are declared by their use, so that one that
// nobody connects is open.
func (c *compiler) inPort(frag int32, from *grammar.Source, at ref, port string) (l link, next int32) {
	if frag == 0 {
		c.problem(UnknownSource, at, port, "%s.%s: the root fragment has no in ports", from.Name, from.Port)
		return broken, -1
	}
	if k, ok := c.names.get(frag, anInPort, from.Port); ok {
		return broken, k
	}
	if !begins(from.Port, "in") {
		c.problem(UnknownInPort, at, port, "%s.%s: the name of a fragment's in port must begin with in", from.Name, from.Port)
		return broken, -1
	}
	return open, -1
}

// misnamed reports a name that is not there, with a hint at what may have been meant, and what there is.
func (c *compiler) misnamed(minor int, at ref, port, name, what, owner string, candidates iter.Seq[string]) {
	if c.full() {
		c.more++
		return
	}
	hint := c.hint(name, candidates)
	switch {
	case hint == "":
		if there := enumerate(candidates); there != "" {
			hint = "; it has " + there
		}
	case minor == UnknownOutPort || minor == UnknownInPort:
		hint += " It has " + enumerate(candidates)
	}
	c.problem(minor, at, port, "%s has no %s %s%s", owner, what, name, hint)
}

// enumerate lists names, as many as somebody may want to read; it is empty when nothing has one.
func enumerate(names iter.Seq[string]) string {
	const most = 12
	var list []string
	for name := range names {
		if len(list) == most {
			return strings.Join(list, ", ") + ", …"
		}
		list = append(list, short(name))
	}
	return strings.Join(list, ", ")
}

func portNames(ports []spec.Port, more ...string) iter.Seq[string] {
	names := more
	for i := range ports {
		names = append(names, ports[i].Name)
	}
	return slices.Values(names)
}

func paramNames(params []spec.Parameter) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range params {
			if !yield(params[i].Name) {
				return
			}
		}
	}
}

func outNames(outs []grammar.Out) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range outs {
			if !yield(outs[i].Name) {
				return
			}
		}
	}
}

func (c *compiler) nodeNames(frag int32) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, n := range c.fragments[frag].node.Nodes {
			if !yield(n.Name) {
				return
			}
		}
	}
}
