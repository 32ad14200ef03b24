package net

import "slices"

// edge says that one node comes before another.
type edge struct{ before, after int32 }

// graph is a directed graph with its edges grouped by the node they leave.
type graph struct {
	n     int32
	edges []edge
	start []int32 // by node: first of its entries in next; one more at the end
	next  []int32

	waiting []int32
}

func sized(s []int32, n int32) []int32 {
	if int(n) > cap(s) {
		return make([]int32, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// reset begins a graph of n nodes and about as many edges as are said.
func (g *graph) reset(n int32, edges int) {
	g.n = n
	g.edges = slices.Grow(g.edges[:0], edges)
}

// index groups the edges.
func (g *graph) index() {
	g.start = sized(g.start, g.n+1)
	g.next = sized(g.next, int32(len(g.edges)))
	for _, e := range g.edges {
		g.start[e.before]++
	}
	at := int32(0)
	for i := range g.start {
		at, g.start[i] = at+g.start[i], at+g.start[i]
	}
	for i := len(g.edges) - 1; i >= 0; i-- { // backwards, for edges of a node to keep their order
		e := g.edges[i]
		g.start[e.before]--
		g.next[g.start[e.before]] = e.after
	}
}

func (g *graph) successors(i int32) []int32 { return g.next[g.start[i]:g.start[i+1]] }

// waits counts for every node the edges that lead to it.
func (g *graph) waits() []int32 {
	g.waiting = sized(g.waiting, g.n)
	for _, e := range g.edges {
		g.waiting[e.after]++
	}
	return g.waiting
}

// components numbers the strongly connected components: nodes on a common cycle have the same number (Tarjan's
// algorithm, with a stack of its own because nets come from outside).
func (g *graph) components() (of []int32) {
	const unseen = -1
	of = make([]int32, g.n)
	low, number := make([]int32, g.n), make([]int32, g.n)
	for i := range number {
		number[i], of[i] = unseen, unseen
	}
	type frame struct{ node, edge int32 }
	var calls []frame
	var open []int32 // nodes without component yet
	seen, found := int32(0), int32(0)
	visit := func(i int32) {
		number[i], low[i] = seen, seen
		seen++
		open = append(open, i)
		calls = append(calls, frame{i, g.start[i]})
	}
	for root := range g.n {
		if number[root] != unseen {
			continue
		}
		visit(root)
		for len(calls) > 0 {
			top := &calls[len(calls)-1]
			i := top.node
			if top.edge < g.start[i+1] {
				j := g.next[top.edge]
				top.edge++
				if number[j] == unseen {
					visit(j)
				} else if of[j] == unseen {
					low[i] = min(low[i], number[j])
				}
				continue
			}
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				up := calls[len(calls)-1].node
				low[up] = min(low[up], low[i])
			}
			if low[i] == number[i] {
				for of[i] == unseen {
					of[open[len(open)-1]] = found
					open = open[:len(open)-1]
				}
				found++
			}
		}
	}
	return of
}

// cycle returns a shortest way from a node back to itself within its component, without its end; nil when there is none.
func (g *graph) cycle(from int32, component []int32) []int32 {
	came := map[int32]int32{}
	queue := []int32{from}
	for done := 0; done < len(queue); done++ {
		i := queue[done]
		for _, j := range g.successors(i) {
			if j == from {
				return g.way(from, i, came)
			}
			if _, seen := came[j]; !seen && component[j] == component[from] {
				came[j] = i
				queue = append(queue, j)
			}
		}
	}
	return nil
}

func (g *graph) way(from, to int32, came map[int32]int32) []int32 {
	back := []int32{to}
	for to != from {
		to = came[to]
		back = append(back, to)
	}
	return back
}
