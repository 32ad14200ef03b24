package net_test

import (
	"fmt"
	"math"
	"strconv"

	"github.com/softrobot-rcc/rccd/grammar"
)

// reference evaluates nets straight from the syntax tree, by asking each primitive for its value and each in port for
// its source. It knows nothing of orders, runs or stamps: values are nil for null, and every rule of chapter 5 is here
// in its plainest form.
type reference struct {
	root   *place
	cycle  int
	all    []*place // primitives
	values map[outRef]any
	busy   map[outRef]bool
}

// place is a node in its fragment.
type place struct {
	node  *grammar.Node
	up    *place // surrounding fragment
	path  string
	in    map[string]*place // nodes of a fragment by name
	under map[*grammar.Node]*place
	ref   *reference

	state   map[string]any // what a primitive remembers
	release map[string]bool
}

type outRef struct {
	at   *place
	port string
}

func newReference(tree *grammar.Node) *reference {
	r := &reference{}
	r.root = r.place(tree, nil, "")
	return r
}

func (r *reference) place(n *grammar.Node, up *place, path string) *place {
	p := &place{node: n, up: up, path: path, ref: r, in: map[string]*place{}, under: map[*grammar.Node]*place{}, state: map[string]any{}}
	if !n.Fragment {
		r.all = append(r.all, p)
	}
	prefix := path
	if prefix != "" {
		prefix += "."
	}
	for _, child := range n.Nodes {
		c := r.place(child, p, prefix+child.Name)
		p.in[child.Name] = c
		r.inline(child.Args, p, c.path)
	}
	for i := range n.Outs {
		if inline := n.Outs[i].From.Inline; inline != nil {
			p.under[inline] = r.place(inline, p, prefix+n.Outs[i].Name)
			r.inline(inline.Args, p, prefix+n.Outs[i].Name)
		}
	}
	return p
}

func (r *reference) inline(args []grammar.Arg, frag *place, path string) {
	for i := range args {
		if inline := args[i].From.Inline; inline != nil {
			p := path + "." + args[i].Name
			frag.under[inline] = r.place(inline, frag, p)
			r.inline(inline.Args, frag, p)
		}
	}
}

// resolve follows a source to the out port of a primitive; ok is false for an open port.
func resolve(frag *place, s *grammar.Source) (outRef, bool) {
	if s.Name == grammar.Parent {
		if a := arg(frag.node, s.Port); a != nil {
			return resolve(frag.up, &a.From)
		}
		return outRef{}, false
	}
	at := frag.in[s.Name]
	if s.Inline != nil {
		at = frag.under[s.Inline]
	}
	if !at.node.Fragment {
		return outRef{at, s.Port}, true
	}
	for i := range at.node.Outs {
		if o := &at.node.Outs[i]; o.Name == s.Port {
			return resolve(at, &o.From)
		}
	}
	panic("no out port " + s.Port)
}

func arg(n *grammar.Node, name string) *grammar.Arg {
	for i := range n.Args {
		if n.Args[i].Name == name {
			return &n.Args[i]
		}
	}
	return nil
}

// source finds where an in port of a node takes its value from.
func (p *place) source(port string) (outRef, bool) {
	if a := arg(p.node, port); a != nil && a.Connected() {
		return resolve(p.up, &a.From)
	}
	return outRef{}, false
}

func (p *place) param(name, standard string) string {
	if a := arg(p.node, name); a != nil && !a.Connected() {
		return a.Value
	}
	return standard
}

// guards lists the sources of inActive of a node and of the fragments around it.
func (p *place) guards() (all []outRef) {
	for at := p; at.up != nil; at = at.up {
		if s, ok := at.source("inActive"); ok {
			all = append(all, s)
		}
	}
	return all
}

func (p *place) delays() bool {
	switch p.node.Type {
	case "Core::BooleanPre", "Core::IntPre", "Core::DoublePre", "Test::Memory":
		return true
	}
	return false
}

// needs lists what must be known in a cycle before the out ports of a primitive are.
func (p *place) needs() (all []outRef) {
	all = p.guards()
	for i := range p.node.Args {
		name := p.node.Args[i].Name
		if p.delays() && name != "inReset" {
			continue
		}
		if s, ok := p.source(name); ok && name != "inActive" {
			all = append(all, s)
		}
	}
	return all
}

// dependsOn reports whether a source needs the value of a primitive in the same cycle.
func (s outRef) dependsOn(p *place) bool {
	seen := map[*place]bool{}
	var search func(at *place) bool
	search = func(at *place) bool {
		if at == p {
			return true
		}
		if seen[at] {
			return false
		}
		seen[at] = true
		for _, need := range at.needs() {
			if search(need.at) {
				return true
			}
		}
		return false
	}
	return search(s.at)
}

// waits reports whether a primitive looks at a source before it gives its value: only a Pre may not, where that source
// depends on the very value.
func (p *place) waits(s outRef) bool {
	if !p.delays() {
		return true
	}
	key := fmt.Sprint(s.at.path, s.port)
	if p.release == nil {
		p.release = map[string]bool{}
	}
	if _, known := p.release[key]; !known {
		p.release[key] = s.dependsOn(p)
	}
	return !p.release[key]
}

// step does a cycle and returns the values of all primitives.
func (r *reference) step() {
	r.cycle++
	r.values, r.busy = map[outRef]any{}, map[outRef]bool{}
	for _, p := range r.all {
		r.value(outRef{p, "outValue"})
	}
	for _, p := range r.all {
		if p.delays() && r.active(p, false) {
			p.keep()
		}
	}
}

// active reports whether all guards are true; before its value is known, a Pre does not wait for all of them.
func (r *reference) active(p *place, early bool) bool {
	for _, g := range p.guards() {
		if early && !p.waits(g) {
			continue
		}
		if r.value(g) != true {
			return false
		}
	}
	return true
}

func (r *reference) value(o outRef) any {
	if v, known := r.values[o]; known {
		return v
	}
	if r.busy[o] {
		panic("circle at " + o.at.path)
	}
	r.busy[o] = true
	var v any
	if r.active(o.at, true) {
		v = o.at.compute()
	}
	r.values[o] = v
	return v
}

// read returns the value at an in port and whether the port is open.
func (p *place) read(port string) (v any, open bool) {
	s, connected := p.source(port)
	if !connected {
		return nil, true
	}
	return p.ref.value(s), false
}

func (p *place) bool(port, param, standard string) bool {
	if v, _ := p.read(port); v != nil {
		return v.(bool)
	}
	return p.param(param, standard) == "true"
}

// number is the operand of arithmetic, or of a comparison: for null the parameter, if the net gives it.
func (p *place) number(port, param, standard string, parse func(string) any) any {
	v := p.operand(port, param, standard, parse)
	if a := arg(p.node, param); v == nil && a != nil {
		return parse(a.Value)
	}
	return v
}

// operand is a value at an in port, the parameter's while it is open.
func (p *place) operand(port, param, standard string, parse func(string) any) any {
	v, open := p.read(port)
	if open {
		return parse(p.param(param, standard))
	}
	return v
}

func parseDouble(text string) any {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	return v
}

func parseInt(text string) any {
	v, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		panic(err)
	}
	return int32(v)
}

func parseBool(text string) any { return text == "true" }

// double reads null as NaN (§7.3.5), unless the net gives the parameter.
func (p *place) double(port, param, standard string) float64 {
	if v := p.number(port, param, standard, parseDouble); v != nil {
		return v.(float64)
	}
	return math.NaN()
}

// ints calls f with two int operands, if both are there.
func (p *place) ints(f func(a, b int64) any) any {
	a, b := p.number("inFirst", "First", "0", parseInt), p.number("inSecond", "Second", "0", parseInt)
	if a == nil || b == nil {
		return nil
	}
	return f(int64(a.(int32)), int64(b.(int32)))
}

func int32OrNull(v int64) any {
	if v < math.MinInt32 || v > math.MaxInt32 {
		return nil
	}
	return int32(v)
}

var (
	parsers = map[string]func(string) any{"Boolean": parseBool, "Int": parseInt, "Double": parseDouble}
	zeros   = map[string]string{"Boolean": "false", "Int": "0", "Double": "0"}
)

// compute says what an active primitive gives in this cycle.
func (p *place) compute() any {
	switch p.node.Type {
	case "Core::DoubleAdd":
		return p.double("inFirst", "First", "0") + p.double("inSecond", "Second", "0")
	case "Core::DoubleMultiply":
		return p.double("inFirst", "First", "0") * p.double("inSecond", "Second", "0")
	case "Core::DoubleDivide":
		return p.double("inFirst", "First", "0") / p.double("inSecond", "Second", "0")
	case "Core::DoubleGreater":
		return p.double("inFirst", "First", "0") > p.double("inSecond", "Second", "0")
	case "Core::IntAdd":
		return p.ints(func(a, b int64) any { return int32OrNull(a + b) })
	case "Core::IntMultiply":
		return p.ints(func(a, b int64) any { return int32OrNull(a * b) })
	case "Core::IntGreater":
		return p.ints(func(a, b int64) any { return a > b }) == true
	case "Core::IntEquals":
		return p.ints(func(a, b int64) any { return a == b }) == true
	case "Core::BooleanAnd":
		return p.bool("inFirst", "First", "true") && p.bool("inSecond", "Second", "true")
	case "Core::BooleanOr":
		return p.bool("inFirst", "First", "false") || p.bool("inSecond", "Second", "false")
	case "Core::BooleanNot":
		return !p.bool("inValue", "Value", "false")
	case "Test::Clock":
		return p.clock()
	case "Test::Snapshot":
		if v, _ := p.read("inValue"); v != nil && p.bool("inSnapshot", "", "false") {
			p.state["held"] = v
		}
		if p.state["held"] == nil {
			return parseDouble(p.param("Value", "0"))
		}
		return p.state["held"]
	case "Test::Memory":
		return p.recall()
	}
	for kind, parse := range parsers {
		switch p.node.Type {
		case "Core::" + kind + "Value":
			return parse(p.param("Value", zeros[kind]))
		case "Core::" + kind + "IsNull":
			v, _ := p.read("inValue")
			return v == nil
		case "Core::" + kind + "SetNull":
			if p.bool("inNull", "", "false") {
				return nil
			}
			v, _ := p.read("inValue")
			return v
		case "Core::" + kind + "Conditional":
			if p.bool("inCondition", "", "false") {
				return p.operand("inTrue", "True", zeros[kind], parse)
			}
			return p.operand("inFalse", "False", zeros[kind], parse)
		case "Core::" + kind + "Pre":
			v := p.recall()
			if p.state["kept in"] != p.ref.cycle-1 {
				return nil
			}
			return v
		}
	}
	panic("no rule for " + p.node.Type)
}

func (p *place) clock() any {
	t, _ := p.state["t"].(float64)
	if p.bool("inReset", "", "false") {
		t = 0
	}
	if v := p.operand("inIncrement", "Increment", "1", parseDouble); v != nil {
		t += v.(float64) * period.Seconds()
	}
	p.state["t"] = t
	return t
}

// recall is the first part of a Pre.
func (p *place) recall() any {
	s, connected := p.source("inReset")
	p.state["seen reset"] = connected && p.waits(s) && p.ref.value(s) == true
	if p.state["seen reset"] == true {
		return nil
	}
	return p.state["kept"]
}

// keep is its second part. A core Pre that is reset keeps what comes with the reset, except when it could not see the
// reset in time: then the reset takes effect in the next cycle.
func (p *place) keep() {
	v, _ := p.read("inValue")
	reset := p.bool("inReset", "", "false")
	if reset && (p.node.Type == "Test::Memory" || p.state["seen reset"] != true) {
		v = nil
	}
	p.state["kept"], p.state["kept in"] = v, p.ref.cycle
}
