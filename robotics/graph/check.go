package graph

import (
	"strings"
)

// check says what is wrong with a graph as a whole.
func (g *Graph) check() {
	for _, p := range g.primitives {
		p.checkComplete()
	}
	if cycle := g.cycle(); cycle != nil {
		g.fail("", "links form a cycle without a Pre: %s", strings.Join(names(cycle, (*Primitive).String), " -> "))
	}
}

func (p *Primitive) checkComplete() {
	for i := range p.decl.In {
		if in := &p.decl.In[i]; in.Required && p.in[i].Open() {
			p.fail("%s must be linked", in.Name)
		}
	}
	for i := range p.decl.Params {
		if param := &p.decl.Params[i]; param.Required && !p.set[i] {
			p.fail("parameter %s must be set", param.Name)
		}
	}
}

// cycle returns the primitives of a cycle of links that no Pre guards, in the order of the links, or nil.
func (g *Graph) cycle() []*Primitive {
	order := g.order(inCycle)
	if len(order) == len(g.primitives) {
		return nil
	}
	stuck := make([]bool, len(g.primitives))
	for i := range stuck {
		stuck[i] = true
	}
	for _, p := range order {
		stuck[p.number] = false
	}
	// Each that is left reads one that is left: going back comes round.
	var at *Primitive
	for _, p := range g.primitives {
		if stuck[p.number] {
			at = p
			break
		}
	}
	seen := map[*Primitive]int{}
	var way []*Primitive
	for {
		if begin, again := seen[at]; again {
			return forwards(way[begin:])
		}
		seen[at] = len(way)
		way = append(way, at)
		for _, from := range at.in {
			if !from.Open() && stuck[from.of.number] {
				at = from.of
				break
			}
		}
	}
}

// forwards turns a way against the links into one along them, back to where it begins.
func forwards(way []*Primitive) []*Primitive {
	turned := make([]*Primitive, 0, len(way)+1)
	for i := len(way) - 1; i >= 0; i-- {
		turned = append(turned, way[i])
	}
	return append(turned, turned[0])
}

// inCycle reports whether a primitive reads an in port before it gives its values. A Pre reads all of them after that.
func inCycle(p *Primitive, _ int) bool { return !p.decl.Delays }

// atOnce is inCycle, except that a Pre waits for its inReset and inActive, as it does unless they depend on it (ADR 0006).
func atOnce(p *Primitive, in int) bool {
	return !p.decl.Delays || in == p.switcher || p.decl.inPort(in).Name == inReset
}

// order returns the primitives so that each comes after those that it reads by in ports that it waits for; those on cycles of
// such links, and what follows from them, are missing.
func (g *Graph) order(waitsFor func(p *Primitive, in int) bool) []*Primitive {
	waits := make([]int, len(g.primitives))
	readers := g.readers(waitsFor)
	ready := make([]*Primitive, 0, len(g.primitives))
	for _, p := range g.primitives {
		for i, from := range p.in {
			if !from.Open() && waitsFor(p, i) {
				waits[p.number]++
			}
		}
		if waits[p.number] == 0 {
			ready = append(ready, p)
		}
	}
	for next := 0; next < len(ready); next++ {
		for _, r := range readers.of(ready[next].number) {
			if waits[r]--; waits[r] == 0 {
				ready = append(ready, g.primitives[r])
			}
		}
	}
	return ready
}

// readers lists by primitive which primitives read its out ports, one for every link.
type readers struct {
	first []int32 // by primitive where its readers begin
	list  []int32
}

// anyPort is for those who are interested in all.
func anyPort(*Primitive, int) bool { return true }

func (r *readers) of(number int) []int32 { return r.list[r.first[number]:r.first[number+1]] }

// readers lists the readers by the in ports that are of interest.
func (g *Graph) readers(interest func(p *Primitive, in int) bool) readers {
	r := readers{first: make([]int32, len(g.primitives)+2)}
	each := func(do func(from, to int)) {
		for _, p := range g.primitives {
			for i, from := range p.in {
				if !from.Open() && interest(p, i) {
					do(from.of.number, p.number)
				}
			}
		}
	}
	each(func(from, _ int) { r.first[from+2]++ })
	for i := 2; i < len(r.first); i++ {
		r.first[i] += r.first[i-1]
	}
	r.list = make([]int32, r.first[len(r.first)-1])
	each(func(from, to int) {
		r.list[r.first[from+1]] = int32(to)
		r.first[from+1]++
	})
	return r
}
