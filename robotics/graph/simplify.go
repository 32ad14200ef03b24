package graph

import "strings"

// simplifier replaces what is known by what is known of it: links to signals that are constant, or the same as others.
//
// The invariant: in every cycle in which a primitive runs it reads the same at each in port as before. Links only move up, to what the
// primitive depended on before, or to constants, so that no order in a cycle is lost.
type simplifier struct {
	*facts
	same      []Port // by primitive, what it hands on; open if it does not
	constants map[constant]Port
	done      Report
}

// constant is a value of a type; without text the null of every cycle.
type constant struct {
	t    Type
	text string
	null bool
}

// simplify changes the links of a graph and reports what it has done.
func simplify(g *Graph) Report {
	s := &simplifier{facts: study(g), constants: map[constant]Port{}}
	s.same = make([]Port, len(g.primitives))
	for _, p := range g.primitives {
		s.note(p)
	}
	all := g.primitives // what is added from here on is simple
	for _, p := range all {
		s.sources(p)
	}
	for i, o := range g.outs {
		g.outs[i].from = s.seen(o.from, Port{}, s.of(o.from))
	}
	return s.done
}

// note finds out what the primitive hands on. A closer look may also find that it is constant.
func (s *simplifier) note(p *Primitive) {
	if from, ok := s.constantPrimitive(p); ok {
		if _, have := s.constants[from]; !have {
			s.constants[from] = Port{p, 0}
		}
		return
	}
	r := s.rules[p.number]
	switch {
	case r == nil:
	case r.choice != nil:
		t := &s.trials[0]
		t.begin(s.facts, p)
		_, same := t.try()
		if same.Open() {
			if deeper := t.deepen(); deeper != nil {
				s.ports[s.first[p.number]], same = deeper.try()
			}
		}
		s.same[p.number] = same
	default:
		s.same[p.number] = s.neutral(p, r)
	}
}

// constantPrimitive reports whether a primitive is just a constant.
func (s *simplifier) constantPrimitive(p *Primitive) (constant, bool) {
	if len(p.decl.Out) != 1 || !p.guard().Open() || !p.decl.standard() {
		return constant{}, false
	}
	t := p.decl.Out[0].Type
	switch family, isValue := strings.CutSuffix(p.decl.Name, "Value"); {
	case isValue && len(p.params) == 1 && family == t.family():
		return constant{t: t, text: p.param(0)}, true
	case !isValue && p.decl.Delays && p.in[0].Open():
		return constant{t: t, null: true}, true
	}
	return constant{}, false
}

// neutral finds the port that the primitive hands on because the other one is neutral, in every cycle in which it runs.
func (s *simplifier) neutral(p *Primitive, r *rule) Port {
	for _, n := range r.neutral {
		other := p.in[n.other]
		if f := s.at(p, n.in); f.constant() && f.value == n.value && !other.Open() && !s.at(p, n.other).null {
			return other
		}
	}
	return Port{}
}

// sources looks at all links of a primitive.
func (s *simplifier) sources(p *Primitive) {
	for i, from := range p.in {
		if from.Open() {
			continue
		}
		f := s.at(p, i)
		if s.intoParameter(p, i, f) {
			s.done.Constants++
			p.in[i] = Port{}
			continue
		}
		p.in[i] = s.seen(from, p.guard(), f)
	}
	p.dropParams(s)
}

// intoParameter opens an in port whose parameter, or whose default, can say the same: an open port reads its parameter as it would a
// constant that is linked, open inActive is true, and open inReset false. An array stays, as it says how long others are.
func (s *simplifier) intoParameter(p *Primitive, i int, f fact) bool {
	port := p.decl.inPort(i)
	_, isArray := port.Type.Element()
	switch {
	case port.Required || isArray:
		return false
	case port.Name == inActive:
		return f.constant() && f.value == yes
	case port.Name == inReset:
		return !f.mayBe(yes) // null is none
	case port.Param == "" || !f.constant():
		return false
	}
	k := p.decl.param(port.Param)
	p.params[k], p.set[k] = f.value, true
	return true
}

const inReset = "inReset"

// seen returns the port that says the same as another one to a reader with a guard: a constant, or one farther up. A primitive
// that hands on does so while it runs; a reader must run in no other cycles.
func (s *simplifier) seen(from, guard Port, f fact) Port {
	for {
		same := s.same[from.of.number]
		if own := from.of.guard(); same.Open() || !own.Open() && own != guard {
			break
		}
		from = same
		s.done.Identities++
	}
	c := constant{t: from.Type(), text: f.value, null: f.onlyNull()}
	if !f.constant() && !c.null {
		return from
	}
	made, ok := s.constant(c)
	if !ok {
		return from
	}
	if k, plain := s.constantPrimitive(from.of); !plain || k != c { // otherwise it is only duplicated
		s.done.Constants++
	}
	return made
}

// constant returns the port of a constant, if there are primitives for it.
func (s *simplifier) constant(c constant) (Port, bool) {
	if have, ok := s.constants[c]; ok {
		return have, true
	}
	name := c.t.family() + "Value"
	if c.null {
		name = c.t.family() + "Pre" // of nothing
	}
	d := s.graph.catalogue.Lookup(name)
	if d == nil || !d.standard() {
		return Port{}, false
	}
	p := s.graph.add(d)
	if !c.null {
		p.params[0], p.set[0] = c.text, true
	}
	s.constants[c] = Port{p, 0}
	return s.constants[c], true
}

// dropParams forgets parameters that say what their default says, or that no value is ever taken from, because they stand in for
// a port that is linked and never null. Parameters that stand in for a port that may be null stay as they were given.
func (p *Primitive) dropParams(s *simplifier) {
	for k := range p.params {
		param := &p.decl.Params[k]
		port := p.decl.standsFor(param.Name)
		switch linked := port >= 0 && !p.in[port].Open(); {
		case !p.set[k] || param.Required:
		case linked && s.mayBeNull(p, port):
		case linked || p.params[k] == param.Default:
			p.set[k], p.params[k] = false, ""
		}
	}
}

// mayBeNull reports whether a linked port of a primitive may be null, or is an array, whose parameter may say how long it is.
func (s *simplifier) mayBeNull(p *Primitive, port int) bool {
	_, isArray := p.decl.In[port].Type.Element()
	isNew := p.in[port].of.number >= len(s.idles) // a constant of this round
	return isArray || isNew || s.at(p, port).null
}
