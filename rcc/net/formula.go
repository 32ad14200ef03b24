package net

import (
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// Formula is the usual notation of what a primitive computes, together with the primitives whose results only it reads (§7.7.2). Nulls count
// as in the primitives: as true beside &&, as false beside || and !, as NaN in arithmetic of doubles.
type Formula struct {
	Text  string
	Terms []End // inputs, as the text of the net names them, each once, in the order of Text
	Parts []int // other nodes whose operators or values are in Text; of them, only constants have other readers, too
}

// mostOperators bounds a formula to what can be read at a glance.
const mostOperators = 12

// formulas gives formulas to the operators that no other one takes in.
func (d *describer) formulas() {
	w := formulaWriter{describer: d, sources: map[End]End{}, readers: map[End]int{}, done: map[int]*term{}}
	for i := range d.made.Links {
		l := &d.made.Links[i]
		w.sources[l.To] = l.From
		w.readers[l.From]++
	}
	for id := range d.made.Nodes {
		w.visit(id)
	}
	for id, t := range w.done {
		if t != nil && !t.taken && t.operators > 0 {
			d.made.Nodes[id].Formula = &Formula{Text: t.text, Terms: t.terms, Parts: t.parts}
		}
	}
}

type formulaWriter struct {
	*describer
	sources map[End]End
	readers map[End]int
	done    map[int]*term // nil for what is not written in formulas
}

// term is a part of a formula, or a whole one.
type term struct {
	text      string
	rank      spec.Rank
	operators int
	terms     []End
	parts     []int
	taken     bool // it stands in the formula of its only reader
}

// visit writes what a node computes, nil if it has no operator.
func (w *formulaWriter) visit(id int) *term {
	if t, visited := w.done[id]; visited {
		return t
	}
	w.done[id] = nil // nothing can feed itself but through a Pre, which is no operator
	r := w.refs[id]
	if r < 0 {
		return nil
	}
	inst := &w.instances[r]
	var t *term
	switch inst.prim.Operator.Rank {
	case spec.NoOperator:
	case spec.Literal:
		t = literal(inst.prim.Params[0].Type, w.made.Nodes[id].Params[0].Value)
	default:
		t = w.operation(id, inst)
	}
	w.done[id] = t
	return t
}

// operation writes an operator and its operands, nil if a parameter is not a value.
func (w *formulaWriter) operation(id int, inst *instance) *term {
	o := inst.prim.Operator
	t := &term{rank: o.Rank, operators: 1}
	texts := w.texts(inst)
	operands := make([]*term, 0, len(inst.prim.In))
	for k := range inst.prim.In {
		port := &inst.prim.In[k]
		var given *string
		if of := inst.prim.Param(port.Param); of >= 0 {
			given = texts[of]
		}
		operand := w.operand(t, id, port, w.inPorts(inst)[k], given)
		if operand == nil {
			return nil
		}
		operands = append(operands, operand)
	}
	t.text = written(o, operands)
	if k := inst.prim.Param(o.Margin); k >= 0 && texts[k] != nil {
		margin := literal(inst.prim.Params[k].Type, *texts[k])
		if margin == nil {
			return nil
		}
		if margin.text != inst.prim.Params[k].Default {
			t.text += " ± " + margin.text
		}
	}
	return t
}

// operand writes what an in port of a node reads, and adds it to the term of the node.
func (w *formulaWriter) operand(t *term, id int, port *spec.Port, from link, given *string) *term {
	if !from.connected() {
		if text, ok := port.WhileOpen(given); ok {
			return literal(port.Type, text)
		}
		return &term{text: "null", rank: spec.Literal}
	}
	source := w.sources[End{id, port.Name}]
	instead, stands := port.ForNull(given)
	if !stands && !w.guarded(source.Node) {
		if part := w.visit(source.Node); part != nil && w.fits(t, part, source) {
			part.taken = part.operators > 0
			t.operators += part.operators
			for _, end := range part.terms {
				t.enter(end)
			}
			t.parts = append(append(t.parts, part.parts...), source.Node)
			return part
		}
	}
	t.enter(source)
	name := &term{text: w.nameIn(w.made.Nodes[id].Parent, source), rank: spec.Literal}
	if stands {
		other := literal(port.Type, instead)
		if other == nil {
			return nil
		}
		name.text, name.rank = name.text+" ?? "+other.text, spec.Otherwise
	}
	return name
}

// fits reports whether a part can stand in the formula of its reader.
func (w *formulaWriter) fits(t, part *term, source End) bool {
	return part.operators == 0 || w.readers[source] == 1 && t.operators+part.operators <= mostOperators
}

// guarded reports whether a node has an inActive of its own: it does not always give what it stands for.
func (w *formulaWriter) guarded(id int) bool {
	_, guarded := w.sources[End{id, inActive}]
	return guarded
}

func (t *term) enter(end End) {
	if !slices.Contains(t.terms, end) {
		t.terms = append(t.terms, end)
	}
}

// nameIn is how an end of a link is called within a fragment; ports of the fragment itself need no name before theirs.
func (w *formulaWriter) nameIn(fragment int, end End) string {
	if end.Node == fragment {
		return end.Port
	}
	path := w.made.Nodes[end.Node].Path
	if around := w.made.Nodes[fragment].Path; around != "" {
		path = strings.TrimPrefix(path, around+".")
	}
	return path + "." + end.Port
}

// literal writes a value in its usual form; it returns nil if the text is not a value.
func literal(of value.Type, text string) *term {
	var made []byte
	var err error
	switch of {
	case value.Of[bool]().Type:
		made, err = again[bool](text)
	case value.Of[int32]().Type:
		made, err = again[int32](text)
	case value.Of[float64]().Type:
		made, err = again[float64](text)
	default:
		return nil
	}
	if err != nil {
		return nil
	}
	t := &term{text: strings.TrimPrefix(string(made), "+"), rank: spec.Literal}
	if strings.HasPrefix(t.text, "-") {
		t.rank = spec.Product // -2 ^ 2 would be read as -(2 ^ 2)
	}
	return t
}

// again writes a text as the daemon writes the value.
func again[T any](text string) ([]byte, error) {
	v, err := value.Of[T]().Parse(text)
	return value.Of[T]().Append(nil, v), err
}

// written writes an operator with its operands, in as few parentheses as keep the order of evaluation.
func written(o spec.Operator, operands []*term) string {
	firmer := func(t *term, least spec.Rank) string {
		if t.rank < least {
			return "(" + t.text + ")"
		}
		return t.text
	}
	switch o.Rank {
	case spec.Call:
		texts := make([]string, len(operands))
		for i, t := range operands {
			texts[i] = t.text
		}
		return o.Symbol + "(" + strings.Join(texts, ", ") + ")"
	case spec.Prefix:
		return o.Symbol + firmer(operands[0], spec.Prefix)
	case spec.Choice:
		least := spec.Choice + 1
		return firmer(operands[0], least) + " ? " + firmer(operands[1], least) + " : " + firmer(operands[2], least)
	default:
		left := o.Rank
		if o.Rank == spec.Power || o.Rank == spec.Comparison {
			left++ // read differently by different people
		}
		return firmer(operands[0], left) + " " + o.Symbol + " " + firmer(operands[1], o.Rank+1)
	}
}
