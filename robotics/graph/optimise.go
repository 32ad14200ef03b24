package graph

import (
	"fmt"
	"strconv"
)

// Size is how large a net is.
type Size struct {
	Primitives int
	Links      int
	Bytes      int // of its text
}

// Report is what the optimiser has done to a net.
type Report struct {
	Before, After Size

	Merged      int // primitives that were like others
	Constants   int // links to signals that turned out to be constant
	Identities  int // primitives that handed on what came in, by links to them
	Unreachable int // primitives that nothing outside depended on
	Rounds      int
}

// Plus returns the report of several nets.
func (r Report) Plus(o Report) Report {
	return Report{
		Before: r.Before.plus(o.Before), After: r.After.plus(o.After), Merged: r.Merged + o.Merged, Constants: r.Constants + o.Constants,
		Identities: r.Identities + o.Identities, Unreachable: r.Unreachable + o.Unreachable, Rounds: r.Rounds + o.Rounds,
	}
}

func (s Size) plus(o Size) Size {
	return Size{s.Primitives + o.Primitives, s.Links + o.Links, s.Bytes + o.Bytes}
}

func (r Report) String() string {
	return fmt.Sprintf("%d primitives, %d links, %d bytes become %d primitives, %d links, %d bytes in %d rounds: %d merged, %d constants, %d identities, %d unreachable",
		r.Before.Primitives, r.Before.Links, r.Before.Bytes, r.After.Primitives, r.After.Links, r.After.Bytes, r.Rounds,
		r.Merged, r.Constants, r.Identities, r.Unreachable)
}

// mostRounds bounds the work. Each round takes a time that is nearly proportional to the size of the net.
const mostRounds = 20

// Optimise returns a smaller net that does the same (§10.2.7), or all mistakes of the graph, which is not changed.
//
// In every cycle the result commands and publishes the same values as the original, bit by bit, and ends in the same cycle. (What is
// computed beforehand is computed by the processor of the application: one of another kind than the daemon's may round otherwise.)
//
//   - What is constant is computed beforehand, also where it is constant only because something is never true or never
//     starts, and becomes a parameter where there is one. A value that its text does not give bit by bit is left to the daemon.
//   - Primitives that hand on what comes in are left out: true and x, not not x, x·1, a choice that is none.
//   - Primitives that always say the same become one, also those with a state.
//   - What leads to no Effect and no out port of the net is left out; so are inputs that nothing reads.
//
// All of that relies on one order in which everything comes after what it reads, a Pre after its inReset and inActive. A net
// in which one of them depends on its own Pre is returned unchanged: the daemon has such a Pre not wait for it (ADR 0006), so that a link
// less, or another Pre in its place, would change when it resets.
func (g *Graph) Optimise() (*Graph, Report, error) {
	f, err := g.finish()
	if err != nil {
		return nil, Report{}, err
	}
	r := Report{Before: f.size(f.bytes())}
	ordered := len(f.order(atOnce)) == len(f.primitives)
	for changed := ordered; changed && r.Rounds < mostRounds; r.Rounds++ {
		done := simplify(f)
		done.Unreachable = f.sweep()
		done.Merged = merge(f)
		f.sweep() // those that were merged
		changed = done != Report{}
		r.Constants += done.Constants
		r.Identities += done.Identities
		r.Unreachable += done.Unreachable
		r.Merged += done.Merged
	}
	f.text = string(f.appendText(make([]byte, 0, r.Before.Bytes)))
	r.After = f.size(len(f.text))
	return f, r, nil
}

// bytes returns how long the text of the graph is.
func (g *Graph) bytes() (n int) {
	var memory []byte
	for _, p := range g.primitives {
		memory = strconv.AppendInt(memory[:0], int64(p.number), 10)
		memory = p.appendText(memory)
		n += len(memory) + len("=,")
	}
	for _, o := range g.outs {
		memory = o.from.appendText(memory[:0])
		n += len(o.name) + len(memory) + len("=,")
	}
	return max(n-len(","), 0) + len("{}")
}

func (g *Graph) size(bytes int) Size {
	s := Size{Primitives: len(g.primitives), Links: len(g.outs), Bytes: bytes}
	for _, p := range g.primitives {
		for _, from := range p.in {
			if !from.Open() {
				s.Links++
			}
		}
	}
	return s
}

// sweep leaves out what nothing depends on, and numbers the rest again. Only Effects and the out ports of the net can be seen from
// outside; what does not lead there by links changes nothing.
func (g *Graph) sweep() (swept int) {
	needed := make([]bool, len(g.primitives))
	var queue []*Primitive
	need := func(p *Primitive) {
		if !needed[p.number] {
			needed[p.number] = true
			queue = append(queue, p)
		}
	}
	keys := map[string]*Primitive{}
	for _, p := range g.primitives {
		switch key := p.key(); {
		case p.decl.Kind == Effect:
			need(p)
		case key == "":
		case keys[key] != nil: // they share their value, and the first one says what it is in the beginning
			need(keys[key])
			need(p)
		default:
			keys[key] = p
		}
	}
	for _, o := range g.outs {
		need(o.from.of)
	}
	for len(queue) > 0 {
		p := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, from := range p.in {
			if !from.Open() {
				need(from.of)
			}
		}
	}
	kept := g.primitives[:0]
	for _, p := range g.primitives {
		if needed[p.number] {
			kept = append(kept, p)
		}
	}
	swept = len(g.primitives) - len(kept)
	clear(g.primitives[len(kept):])
	g.primitives = kept
	for i, p := range kept {
		p.number = i
	}
	return swept
}

// key returns the name under which the application writes a value, none of other primitives.
func (p *Primitive) key() string {
	if i := p.decl.param("Key"); i >= 0 && p.decl.Kind == Input {
		return p.param(i)
	}
	return ""
}
