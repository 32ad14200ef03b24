package net

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/graph/path"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"
)

// TestGraphByGonum compares components and shortest cycles of random graphs with those of a library.
func TestGraphByGonum(t *testing.T) {
	m := rand.New(rand.NewPCG(24, 19))
	cycles := 0
	for range 3000 {
		n := 1 + m.Int32N(14)
		var own graph
		other := simple.NewDirectedGraph()
		own.reset(n, 0)
		for i := range n {
			other.AddNode(simple.Node(i))
		}
		for range m.IntN(int(2*n) + 1) {
			e := edge{m.Int32N(n), m.Int32N(n)}
			if e.before == e.after {
				continue // the library has no such edges
			}
			own.edges = append(own.edges, e)
			other.SetEdge(other.NewEdge(simple.Node(e.before), simple.Node(e.after)))
		}
		own.index()
		component := own.components()
		number := map[int32]int{}
		for _, nodes := range topo.TarjanSCC(other) {
			first := int32(nodes[0].ID())
			for _, node := range nodes {
				if component[node.ID()] != component[first] {
					t.Fatalf("%v: %d and %d are on a cycle, and in components %v", own.edges, node.ID(), first, component)
				}
			}
			if with, taken := number[component[first]]; taken {
				t.Fatalf("%v: %d and %d have one component, and are on no cycle", own.edges, with, first)
			}
			number[component[first]] = int(first)
		}
		shortest := path.DijkstraAllPaths(other)
		for i := range n {
			least := 0
			for _, next := range own.successors(i) {
				if back, _, _ := shortest.Between(int64(next), int64(i)); back != nil && (least == 0 || len(back) < least) {
					least = len(back)
				}
			}
			if got := own.cycle(i, component); len(got) != least {
				t.Fatalf("%v: the cycle of %d is %v, a shortest one has %d nodes", own.edges, i, got, least)
			}
			cycles += min(least, 1)
		}
	}
	if cycles < 1000 {
		t.Errorf("only %d cycles", cycles)
	}
}
