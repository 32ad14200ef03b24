package net

import (
	"cmp"
	"slices"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// Structure describes a net: nodes and links as they are written, with what the compiler knows about them.
type Structure struct {
	Nodes []Node // in the order of the text; the first one is the net
	Links []Link
}

// Node is a primitive or a fragment. A primitive whose type is written as a net is a fragment that has a type.
type Node struct {
	Path     string // unique; empty for the net
	Name     string // in its fragment; of an anonymous node the port that it is connected to
	Host     int    // the node to whose port an anonymous node is connected, else -1
	Parent   int    // the fragment in which it stands; -1 for the net
	Type     string
	Fragment bool
	Pos      grammar.Pos
	Params   []Param
	In, Out  []Port

	Order    int   // place in the order of execution of phase 2, from 0; -1 for a node that does nothing in it
	Constant bool  // the same in every cycle: executed once, when the net was loaded
	Guards   []End // out ports that must be true for it to be executed, outer ones first
	Formula  *Formula

	Device    string // that it reads or commands
	Publishes string // name of the value that it publishes to rules, applications and other nets
}

// Param is the value of a parameter.
type Param struct {
	Name, Value string
	Given       bool // in the text; otherwise it is the default
}

// Port is a port of a node. The type of a port of a fragment is that of the port it is connected to, empty if it is not
// connected.
type Port struct {
	Name string
	Type value.Type
}

// End is one end of a link.
type End struct {
	Node int
	Port string
}

// Link connects ports as the text does. A link to or from a port of a fragment may be one of several between an out port and an in port of
// primitives. Links between a fragment and what stands in it lead from its in ports and to its out ports.
type Link struct {
	From, To End
	Source   End        // out port of a primitive that the value comes from; Node is -1 if it comes from nowhere
	Type     value.Type // empty if it comes from nowhere
	Debug    string     // seconds of recording that the text asks for
}

// Describe returns the structure of a net. Devices are not needed: a net that could not be loaded now can be described.
func Describe(tree *grammar.Node, opt Options) (*Structure, error) {
	c := newCompiler(opt)
	if !c.flatten(tree) {
		return nil, c.rejection(opt.Name)
	}
	c.resolve()
	c.guard()
	c.order()
	if err := c.rejection(opt.Name); err != nil {
		return nil, err
	}
	d := describer{compiler: c, ids: map[ref]int{}}
	return d.describe(), nil
}

type describer struct {
	*compiler
	ids   map[ref]int
	refs  []ref // by node
	order []int // by instance
	made  Structure
}

func (d *describer) describe() *Structure {
	list := make([]ref, 0, len(d.instances)+len(d.fragments))
	for i := range d.fragments {
		list = append(list, ^ref(i))
	}
	for i := range d.instances {
		list = append(list, ref(i))
	}
	slices.SortFunc(list, func(a, b ref) int { return cmp.Compare(d.seqOf(a), d.seqOf(b)) })
	for id, r := range list {
		d.ids[r] = id
	}
	d.refs = list
	d.number()
	for _, r := range list {
		d.made.Nodes = append(d.made.Nodes, d.node(r))
	}
	for _, r := range list {
		d.link(r)
	}
	d.formulas()
	return &d.made
}

// number finds the place of each instance in the order of execution.
func (d *describer) number() {
	d.order = make([]int, len(d.instances))
	next := 0
	for _, i := range d.sequence {
		inst := &d.instances[i]
		if inst.folded || !inst.prim.Has(spec.Run) {
			d.order[i] = -1
			continue
		}
		d.order[i] = next
		next++
	}
}

func (d *describer) node(r ref) Node {
	label, up := d.labelOf(r)
	n := Node{Name: label.name, Host: -1, Parent: -1, Order: -1}
	if r != root {
		n.Path, n.Parent = d.path(r), d.ids[up]
	}
	if label.host != root {
		n.Host = d.ids[label.host]
	}
	if r < 0 {
		d.describeFragment(&n, int32(^r))
	} else {
		d.describeInstance(&n, r)
	}
	return n
}

func (d *describer) describeFragment(n *Node, frag int32) {
	f := &d.fragments[frag]
	n.Fragment, n.Pos = true, f.node.Pos
	if f.prim != nil {
		n.Type = f.prim.Name
	}
	n.Guards = d.guards(d.scopes[f.scope].condition)
	for i := range d.ports {
		p := &d.ports[i]
		if p.at != ^ref(frag) {
			continue
		}
		port := Port{p.name, d.typeOf(p.link)}
		if _, in := d.names.get(frag, anInPort, p.name); in {
			n.In = append(n.In, port)
		} else {
			n.Out = append(n.Out, port)
		}
	}
}

func (d *describer) describeInstance(n *Node, r ref) {
	inst := &d.instances[r]
	n.Type, n.Pos = inst.prim.Name, inst.node.Pos
	n.Order, n.Constant = d.order[r], inst.folded
	n.Guards = d.guards(inst.runs)
	texts := d.texts(inst)
	for k := range inst.prim.Params {
		param := &inst.prim.Params[k]
		value := Param{param.Name, param.Default, false}
		if text := texts[k]; text != nil {
			value.Value, value.Given = *text, true
		}
		n.Params = append(n.Params, value)
		switch {
		case param.NamesDevice():
			n.Device = value.Value
		case param.NamesPublished():
			n.Publishes = "out" + value.Value // §7.6.1
		}
	}
	for k := range inst.prim.In {
		n.In = append(n.In, Port{inst.prim.In[k].Name, inst.prim.In[k].Type})
	}
	for k := range inst.prim.Out {
		n.Out = append(n.Out, Port{inst.prim.Out[k].Name, inst.prim.Out[k].Type})
	}
}

// guards are the out ports that a condition asks for.
func (d *describer) guards(condition int32) (list []End) {
	for k := condition; k != always; k = d.conditions[k].up {
		list = append(list, d.end(d.conditions[k].from))
	}
	slices.Reverse(list)
	return list
}

// end is the out port that a link leads from.
func (d *describer) end(l link) End {
	if !l.connected() {
		return End{Node: -1}
	}
	return End{d.ids[ref(l.from)], d.instances[l.from].prim.Out[l.port].Name}
}

func (d *describer) typeOf(l link) value.Type {
	if !l.connected() {
		return ""
	}
	return d.instances[l.from].prim.Out[l.port].Type
}

// link adds the links to the in ports of a node, and those to the out ports of a fragment from within.
func (d *describer) link(r ref) {
	node, frag := d.placeOf(r)
	for i := range node.Args {
		if a := &node.Args[i]; a.Connected() {
			d.connection(frag, &a.From, r, a.Name, a.Debug, d.argument(r, a.Name))
		}
	}
	if r >= 0 {
		return
	}
	for i := range node.Outs {
		o := &node.Outs[i]
		d.connection(int32(^r), &o.From, r, o.Name, o.Debug, d.portOf(r, anOutPort, o.Name).link)
	}
}

// portOf returns a port of a fragment.
func (d *describer) portOf(r ref, what what, name string) *port {
	k, _ := d.names.get(int32(^r), what, name)
	return &d.ports[k]
}

// argument returns the source of an in port.
func (d *describer) argument(r ref, port string) link {
	if r < 0 {
		return d.portOf(r, anInPort, port).link
	}
	inst := &d.instances[r]
	if port == inActive {
		return inst.guard
	}
	return d.inPorts(inst)[inst.prim.InPort(port)]
}

func (d *describer) connection(frag int32, from *grammar.Source, to ref, port, debug string, source link) {
	at, _ := d.named(frag, from)
	d.made.Links = append(d.made.Links, Link{
		From: End{d.ids[at], from.Port}, To: End{d.ids[to], port}, Source: d.end(source), Type: d.typeOf(source), Debug: debug,
	})
}
