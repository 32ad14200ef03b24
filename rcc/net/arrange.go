package net

import (
	"cmp"
	"slices"

	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// arrangement puts instances into an order with few runs and few guards. Instances of a scope that are ready wait in queues: by
// condition, then by kind. A batch is taken with everything that becomes ready in it on the way, for a kernel goes through its
// run in order; then the largest batch under the same condition; then the next condition.
type arrangement struct {
	*compiler
	waiting  []int32 // by node: nodes that come before it
	batchOf  []int32 // by node
	next     []int32 // by node: the one behind it in the queue of its batch
	batches  []batch
	sections []section
	open     []queue // by scope: sections that have something ready
	count    int
}

// batch is what is ready of one kind under one condition in one scope.
type batch struct {
	nodes   queue
	n       int32
	section int32
}

// section is what is ready under one condition in one scope.
type section struct {
	scope   int32
	batches []int32 // at most one for each kind
	next    int32   // the one behind it in the queue of its scope
	queued  bool
}

// queue of things that are numbered from 0: numbers from 1, linked by a next of each thing.
type queue struct{ first, last int32 }

// arrange lists the instances in the order of execution. It is false when there is none.
func (c *compiler) arrange() bool {
	c.depend()
	n := len(c.instances) + len(c.scopes)
	a := arrangement{compiler: c, waiting: c.graph.waits(), batchOf: make([]int32, n), next: make([]int32, n), open: make([]queue, len(c.scopes))}
	c.sequence = append(c.sequence[:0], c.constants...)
	nodes := a.sort()
	for _, node := range nodes {
		if a.waiting[node] == 0 {
			a.ready(node)
		}
	}
	a.arrangeScope(0)
	c.arrangeIdle()
	return a.count == len(nodes)
}

// arrangeIdle lists what has nothing to do in phase 2, so that nobody waits for it.
func (c *compiler) arrangeIdle() {
	first := len(c.sequence)
	for i := range c.instances {
		if inst := &c.instances[i]; inst.prim != nil && !inst.prim.Has(spec.Run) {
			c.sequence = append(c.sequence, int32(i))
		}
	}
	slices.SortStableFunc(c.sequence[first:], func(i, j int32) int {
		inst, b := &c.instances[i], &c.instances[j]
		return cmp.Or(cmp.Compare(inst.runs, b.runs), cmp.Compare(inst.kind, b.kind))
	})
}

// sort makes the sections and batches and returns the nodes.
func (a *arrangement) sort() []int32 {
	const noKind, aScope = -2, -1
	type place struct{ scope, condition, kind int32 }
	known := map[place]int32{}
	n := int32(len(a.instances))
	nodes := make([]int32, 0, len(a.next))
	newest := make([]struct {
		place
		batch int32
	}, len(a.kinds)) // by kind: what was added last, which is mostly what is added next
	for i := range newest {
		newest[i].kind = noKind
	}
	add := func(node int32, at place) {
		if at.kind >= 0 && newest[at.kind].place == at {
			a.batchOf[node] = newest[at.kind].batch
			nodes = append(nodes, node)
			return
		}
		b, ok := known[at]
		if !ok {
			s, ok := known[place{at.scope, at.condition, noKind}]
			if !ok {
				s = int32(len(a.sections))
				known[place{at.scope, at.condition, noKind}] = s
				a.sections = append(a.sections, section{scope: at.scope})
			}
			b = int32(len(a.batches))
			known[at] = b
			a.batches = append(a.batches, batch{section: s})
			a.sections[s].batches = append(a.sections[s].batches, b)
		}
		if at.kind >= 0 {
			newest[at.kind].place, newest[at.kind].batch = at, b
		}
		a.batchOf[node] = b
		nodes = append(nodes, node)
	}
	for i := range a.instances {
		if inst := &a.instances[i]; inst.prim != nil && !inst.folded && inst.prim.Has(spec.Run) {
			add(int32(i), place{a.scopes[inst.scope].home, inst.runs, inst.kind})
		}
	}
	for i := 1; i < len(a.scopes); i++ {
		if scope := &a.scopes[i]; !scope.dissolved {
			add(n+int32(i), place{a.scopes[scope.up].home, scope.condition, aScope})
		}
	}
	return nodes
}

// ready puts a node that waits for nothing any more into its batch.
func (a *arrangement) ready(node int32) {
	b := &a.batches[a.batchOf[node]]
	b.nodes.push(node, func(k int32) *int32 { return &a.next[k] })
	b.n++
	section := &a.sections[b.section]
	if !section.queued {
		section.queued = true
		a.open[section.scope].push(b.section, func(k int32) *int32 { return &a.sections[k].next })
	}
}

func (a *arrangement) arrangeScope(scope int32) {
	for {
		k, ok := a.open[scope].pop(func(k int32) *int32 { return &a.sections[k].next })
		if !ok {
			return
		}
		section := &a.sections[k]
		for b := a.largest(section); b != nil; b = a.largest(section) {
			a.arrangeBatch(b)
		}
		section.queued = false
	}
}

// largest returns the batch of a section with the most that is ready, nil when nothing is.
func (a *arrangement) largest(section *section) *batch {
	var most *batch
	for _, k := range section.batches {
		if b := &a.batches[k]; b.n > 0 && (most == nil || b.n > most.n) {
			most = b
		}
	}
	return most
}

func (a *arrangement) arrangeBatch(b *batch) {
	for ; b.n > 0; b.n-- {
		node, _ := b.nodes.pop(func(k int32) *int32 { return &a.next[k] })
		if n := int32(len(a.instances)); node >= n {
			a.arrangeScope(node - n)
		} else {
			a.sequence = append(a.sequence, node)
		}
		a.count++
		for _, after := range a.graph.successors(node) {
			if a.waiting[after]--; a.waiting[after] == 0 {
				a.ready(after)
			}
		}
	}
}

// push puts k at the end.
func (q *queue) push(k int32, next func(k int32) *int32) {
	*next(k) = 0
	if q.first == 0 {
		q.first = k + 1
	} else {
		*next(q.last - 1) = k + 1
	}
	q.last = k + 1
}

// pop takes the first one away.
func (q *queue) pop(next func(k int32) *int32) (k int32, ok bool) {
	if q.first == 0 {
		return 0, false
	}
	k = q.first - 1
	q.first = *next(k)
	return k, true
}
