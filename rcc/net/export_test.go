package net

import (
	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// Probed is an out port of a primitive.
type Probed struct {
	Path, Port string
	Cell       spec.Cell
	Constant   bool // it was written once, while the net was loaded
}

// CompileProbed is Compile, and gives access to every out port in the order of the net's text.
func CompileProbed(tree *grammar.Node, opt Options) (*Program, []Probed, error) {
	c := newCompiler(opt)
	p, err := c.compile(tree)
	if err != nil {
		return nil, nil, err
	}
	var probes []Probed
	for i := range c.instances {
		inst := &c.instances[i]
		for k := range inst.prim.Out {
			cell := c.cell(link{int32(i), int32(k)}).(spec.Cell)
			probes = append(probes, Probed{c.path(ref(i)), inst.prim.Out[k].Name, cell, inst.folded})
		}
	}
	return p, probes, nil
}

// Steps counts the runs and the guards of phase 2.
func (p *Program) Steps() (runs, guards int) {
	for _, b := range p.run {
		runs += len(b.runs)
		if b.guard != nil {
			guards++
		}
	}
	return runs, guards
}

// Order is the order of execution of primitives, by their numbers, and what has to come before what.
type Order struct {
	Sequence []int32
	Edges    [][2]int32
}

// OrderOf compiles a net for its order.
func OrderOf(tree *grammar.Node, opt Options) (*Order, error) {
	c := newCompiler(opt)
	if _, err := c.compile(tree); err != nil {
		return nil, err
	}
	o := &Order{Sequence: c.sequence}
	for _, e := range c.graph.edges {
		if n := int32(len(c.instances)); e.before < n && e.after < n {
			o.Edges = append(o.Edges, [2]int32{e.before, e.after})
		}
	}
	return o, nil
}
