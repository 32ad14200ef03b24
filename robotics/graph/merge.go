package graph

import (
	"slices"
	"strconv"
)

// merge replaces primitives that always say the same by one of them (§10.2.7): of the same type, with the same parameters,
// fed by the same ports. Where the dissertation begins with what is equal and looks again until nothing changes, primitives count as equal
// here until a difference is found, which is the greatest fixed point in place of the least: also loops through a Pre that are
// there twice become one. The partition is refined as that of a deterministic automaton (Hopcroft's algorithm), in a time
// of n log n.
//
// Why they say the same: by induction over cycles, and within a cycle over the order in which everything comes after what it reads (Optimise),
// primitives of one class read the same and have the same state, since they had the same from the start, and give the same. Not so Inputs, which others
// write one by one, and Effects. Sensors of a cycle are all read before anything acts (§5.3.2). As equals are equally far down the order, merging
// them closes no cycle.
func merge(g *Graph) (merged int) {
	for _, p := range g.primitives {
		p.arrange()
	}
	part := newPartition(g)
	part.refine(g)
	first := make([]int32, part.count()) // of each class, the primitive that was made first
	for i := range first {
		first[i] = -1
	}
	of := make([]*Primitive, len(g.primitives))
	for i, p := range g.primitives {
		c := part.class[i]
		if first[c] < 0 {
			first[c] = int32(i)
		} else {
			merged++
		}
		of[p.number] = g.primitives[first[c]]
	}
	if merged == 0 {
		return 0
	}
	for _, p := range g.primitives {
		for i, from := range p.in {
			if !from.Open() {
				p.in[i].of = of[from.of.number]
			}
		}
	}
	for i, o := range g.outs {
		g.outs[i].from.of = of[o.from.of.number]
	}
	return merged
}

// arrange orders the two operands of a primitive that does not care, so that both orders are seen to be the same.
func (p *Primitive) arrange() {
	r := ruleOf(p.decl)
	if r == nil || !r.commutes {
		return
	}
	a, b := p.in[0], p.in[1]
	if a.Open() && !b.Open() || !a.Open() && !b.Open() && (a.of.number > b.of.number || a.of == b.of && a.out > b.out) {
		p.in[0], p.in[1] = b, a
		p.params[0], p.params[1] = p.params[1], p.params[0]
		p.set[0], p.set[1] = p.set[1], p.set[0]
	}
}

// partition divides primitives into classes. The members of a class stand together in list.
type partition struct {
	class   []int32 // by primitive
	list    []int32 // primitives by class
	place   []int32 // by primitive, where it stands in list
	begin   []int32 // by class
	end     []int32
	marked  []int32 // by class, how many of its members stand at its beginning because they are to leave
	touched []int32 // classes with marked members
}

func (p *partition) count() int { return len(p.begin) }

// newPartition puts those into a class that differ at most in what feeds them.
func newPartition(g *Graph) *partition {
	n := len(g.primitives)
	p := &partition{class: make([]int32, n), list: make([]int32, n), place: make([]int32, n)}
	classes := map[string]int32{}
	var key []byte
	for i, one := range g.primitives {
		key = one.appendKey(key[:0])
		c, have := classes[string(key)]
		if !have {
			c = int32(len(classes))
			classes[string(key)] = c
		}
		p.class[i] = c
	}
	sizes := make([]int32, len(classes))
	for _, c := range p.class {
		sizes[c]++
	}
	p.begin, p.end, p.marked = make([]int32, len(sizes)), make([]int32, len(sizes)), make([]int32, len(sizes))
	at := int32(0)
	for c, size := range sizes {
		p.begin[c], p.end[c] = at, at
		at += size
	}
	for i, c := range p.class {
		p.list[p.end[c]], p.place[i] = int32(i), p.end[c]
		p.end[c]++
	}
	return p
}

// appendKey describes a primitive completely, except for the primitives that feed it. One that counts by itself is like no other.
func (p *Primitive) appendKey(dst []byte) []byte {
	dst = append(dst, p.decl.Name...)
	if p.decl.Kind == Effect || p.decl.Kind == Input {
		return strconv.AppendInt(append(dst, '#'), int64(p.number), 10)
	}
	for i := range p.params {
		if p.set[i] {
			dst = strconv.AppendInt(append(dst, ';'), int64(i), 10)
			dst = strconv.AppendQuote(append(dst, '='), p.params[i])
		}
	}
	for i, from := range p.in {
		if !from.Open() {
			dst = strconv.AppendInt(append(dst, '<'), int64(i), 10)
			dst = strconv.AppendInt(append(dst, '.'), int64(from.out), 10)
		}
	}
	return dst
}

// feeding lists who reads a primitive, by which in port.
type feeding struct {
	first  []int32
	reader []int32
	port   []int32
	ports  int // the greatest number of in ports
}

func newFeeding(g *Graph) *feeding {
	r := g.readers(anyPort)
	f := &feeding{first: r.first, reader: r.list, port: make([]int32, len(r.list))}
	next := slices.Clone(r.first)
	for _, p := range g.primitives {
		f.ports = max(f.ports, len(p.in))
		for i, from := range p.in {
			if !from.Open() {
				k := next[from.of.number]
				next[from.of.number]++
				f.reader[k], f.port[k] = int32(p.number), int32(i)
			}
		}
	}
	return f
}

// refine splits classes until all members of a class are fed by members of the same classes.
func (p *partition) refine(g *Graph) {
	f := newFeeding(g)
	waits := make([]bool, p.count())
	var queue []int32
	enqueue := func(c int32) {
		for int(c) >= len(waits) {
			waits = append(waits, false)
		}
		if !waits[c] {
			waits[c] = true
			queue = append(queue, c)
		}
	}
	for c := range p.begin {
		enqueue(int32(c))
	}
	byPort := make([][]int32, f.ports)
	for len(queue) > 0 {
		splitter := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		waits[splitter] = false
		for _, member := range p.list[p.begin[splitter]:p.end[splitter]] {
			for k := f.first[member]; k < f.first[member+1]; k++ {
				byPort[f.port[k]] = append(byPort[f.port[k]], f.reader[k])
			}
		}
		for port, readers := range byPort {
			for _, r := range readers {
				p.mark(r)
			}
			p.split(func(kept, made int32) {
				// A class that still waits is split for its parts as well. Otherwise the smaller part is as good as both.
				if int(kept) < len(waits) && waits[kept] || p.end[made]-p.begin[made] <= p.end[kept]-p.begin[kept] {
					enqueue(made)
				} else {
					enqueue(kept)
				}
			})
			byPort[port] = readers[:0]
		}
	}
}

// mark moves a member to the beginning of its class.
func (p *partition) mark(member int32) {
	c := p.class[member]
	to := p.begin[c] + p.marked[c]
	if p.place[member] < to {
		return
	}
	if p.marked[c] == 0 {
		p.touched = append(p.touched, c)
	}
	p.marked[c]++
	other, from := p.list[to], p.place[member]
	p.list[to], p.list[from] = member, other
	p.place[member], p.place[other] = to, from
}

// split makes classes of their own of the marked members, where others are not marked.
func (p *partition) split(done func(kept, made int32)) {
	for _, c := range p.touched {
		marked := p.marked[c]
		p.marked[c] = 0
		if marked == p.end[c]-p.begin[c] {
			continue
		}
		made := int32(len(p.begin))
		p.begin, p.end, p.marked = append(p.begin, p.begin[c]), append(p.end, p.begin[c]+marked), append(p.marked, 0)
		p.begin[c] += marked
		for _, member := range p.list[p.begin[made]:p.end[made]] {
			p.class[member] = made
		}
		done(c, made)
	}
	p.touched = p.touched[:0]
}
