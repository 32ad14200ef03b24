package graph

// The optimiser first finds out what an out port can be, in whatever cycle and whatever happens outside of the net: a fact.
// It begins with nothing, takes up what each primitive can make of what its in ports can be, and goes on until nothing is
// added, so that loops through a Pre are known as well: what was never started stays false.
//
// The invariant: in no cycle, the first included, does a port have a value, or null, that its fact lacks. It holds by induction over
// cycles and, within a cycle, over the order in which everything comes after what it reads (Optimise). That takes rules whose
// facts grow with those of their in ports, and that cover what a state can hold from earlier cycles. A net begins only once, with the states that
// its primitives are declared with.

// fact is what an out port can be.
type fact struct {
	null  bool
	many  amount
	value string // the only one, as nets write it
}

// amount is how many values there can be.
type amount uint8

const (
	none amount = iota
	one
	several // of bool both
)

// add takes up what else there can be. Nothing is ever taken back.
func (f *fact) add(g fact) {
	f.null = f.null || g.null
	switch {
	case g.many == none || f.many == several:
	case f.many == none:
		f.many, f.value = g.many, g.value
	case g.many == several || g.value != f.value:
		f.many, f.value = several, ""
	}
}

// constant reports whether the port has the same value in every cycle.
func (f fact) constant() bool { return f.many == one && !f.null }

// onlyNull reports whether it has none in any cycle.
func (f fact) onlyNull() bool { return f.many == none && f.null }

// mayBe reports whether a signal is true, or false, in some cycle.
func (f fact) mayBe(v string) bool { return f.many == several || f.many == one && f.value == v }

const (
	yes = "true"
	no  = "false"
)

// facts are those of a graph.
type facts struct {
	graph *Graph
	rules []*rule // by primitive; nil of those of which nothing is known
	first []int32 // by primitive where its out ports begin
	ports []fact  // as long as the primitive runs
	idles []bool  // by primitive: there may be cycles in which it does not run

	trials [2]trial // memory of those that are going on
}

// study finds the facts of a graph that has been checked.
func study(g *Graph) *facts {
	s := &facts{graph: g, rules: make([]*rule, len(g.primitives)), first: make([]int32, len(g.primitives)+1), idles: make([]bool, len(g.primitives))}
	known := map[*Declaration]*rule{}
	for i, p := range g.primitives {
		r, seen := known[p.decl]
		if !seen {
			r = ruleOf(p.decl)
			known[p.decl] = r
		}
		s.rules[i] = r
		s.first[i+1] = s.first[i] + int32(len(p.decl.Out))
	}
	s.ports = make([]fact, s.first[len(g.primitives)])
	s.settle()
	return s
}

// settle looks at primitives until nothing is added. A fact grows three times at most, and so the work is bounded by the
// number of links.
func (s *facts) settle() {
	readers := s.graph.readers(anyPort)
	queue := s.graph.order(inCycle)
	waits := make([]bool, len(s.graph.primitives))
	for _, p := range queue {
		waits[p.number] = true
	}
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		waits[p.number] = false
		if !s.look(p) {
			continue
		}
		for _, r := range readers.of(p.number) {
			if !waits[r] {
				waits[r] = true
				queue = append(queue, s.graph.primitives[r])
			}
		}
	}
}

// look takes up what a primitive can make of what its in ports can be, and reports whether that is more than was known.
func (s *facts) look(p *Primitive) (more bool) {
	runs := true
	if guard := p.guard(); !guard.Open() {
		f := s.of(guard)
		runs = f.mayBe(yes)
		if idles := f.null || f.mayBe(no); idles && !s.idles[p.number] {
			s.idles[p.number], more = true, true
		}
	}
	if !runs {
		return more
	}
	for i := range p.decl.Out {
		at := &s.ports[int(s.first[p.number])+i]
		before := *at
		at.add(s.make(p, i))
		more = more || *at != before
	}
	return more
}

// make returns what an out port of a primitive can be while it runs.
func (s *facts) make(p *Primitive, out int) fact {
	r := s.rules[p.number]
	if r == nil || r.make == nil {
		return fact{null: r == nil || !r.total, many: several}
	}
	return r.make(s, p, out)
}

// guard returns what switches a primitive on and off, open when nothing does.
func (p *Primitive) guard() Port { return p.in[p.switcher] }

// of returns what a port can be for a reader in every cycle.
func (s *facts) of(p Port) fact {
	f := s.ports[int(s.first[p.of.number])+p.out]
	f.null = f.null || s.idles[p.of.number]
	return f
}

// at returns what an in port of a primitive can be while the primitive runs. Others that have the same guard run in the same cycles: a
// guard is one signal, and a cycle has one value of it.
func (s *facts) at(p *Primitive, in int) fact {
	from := p.in[in]
	if from.Open() {
		return p.standIn(in)
	}
	if runsWith(p, from.of) {
		return s.ports[int(s.first[from.of.number])+from.out]
	}
	return s.of(from)
}

// runsWith reports whether whenever p runs, q does, as far as guards show without their values.
func runsWith(p, q *Primitive) bool { return q.guard().Open() || q.guard() == p.guard() }

// standIn returns what an open in port is.
func (p *Primitive) standIn(in int) fact {
	if port := p.decl.inPort(in); port.Param != "" {
		return fact{many: one, value: p.param(p.decl.param(port.Param))}
	}
	return fact{null: true}
}

// param returns the text of a parameter.
func (p *Primitive) param(i int) string {
	if p.set[i] {
		return p.params[i]
	}
	return p.decl.Params[i].Default
}
