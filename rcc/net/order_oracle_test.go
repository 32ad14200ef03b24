package net_test

import (
	"errors"
	"testing"

	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"
	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/rcc/net"
)

// TestOrderByGonum asks a library which random nets can be ordered, from what their primitives need, and checks whether the order of
// execution is such an order.
func TestOrderByGonum(t *testing.T) {
	opt := options(t)
	edges, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text := makeNet(t).String()
		t.Log(text)
		tree := parse(t, text)
		order, err := net.OrderOf(tree, opt)
		cyclic := !sortable(newReference(tree))
		if cyclic || err != nil {
			checkCycleFound(t, cyclic, err)
			refused++
			return
		}
		position := map[int32]int{}
		for at, i := range order.Sequence {
			if _, twice := position[i]; twice {
				t.Fatalf("primitive %d is executed twice", i)
			}
			position[i] = at
		}
		for _, e := range order.Edges {
			before, is := position[e[0]]
			after, also := position[e[1]]
			if is && also && before >= after {
				t.Fatalf("primitive %d needs %d, which is executed after it: %v", e[1], e[0], order.Sequence)
			}
			edges++
		}
	})
	if edges == 0 || refused == 0 {
		t.Errorf("%d dependencies and %d cycles were looked at", edges, refused)
	}
}

// sortable reports whether there is an order in which no primitive comes before one that it waits for.
func sortable(r *reference) bool {
	number := map[*place]int64{}
	for i, p := range r.all {
		number[p] = int64(i)
	}
	g := simple.NewDirectedGraph()
	for _, p := range r.all {
		for _, need := range p.needs() {
			from, to := number[need.at], number[p]
			switch {
			case !p.waits(need):
			case from == to:
				return false // the library has no such edges
			default:
				g.SetEdge(g.NewEdge(simple.Node(from), simple.Node(to)))
			}
		}
	}
	_, err := topo.Sort(g)
	var cycles topo.Unorderable
	return !errors.As(err, &cycles)
}
