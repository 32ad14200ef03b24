package net

import (
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// condition is a guard within the guards of the fragments around it; the first one is "always".
type condition struct {
	up   int32
	from link
}

const always int32 = 0

// scope is a fragment with a guard, or, as the first one, the net.
type scope struct {
	up        int32
	condition int32
	dissolved bool  // its content stands in pieces in the scope around it
	home      int32 // itself, or the scope around it that is not dissolved
	depth     int32 // among the scopes that are not dissolved
	nested    int32 // among all
}

// guard finds the condition under which everything runs.
func (c *compiler) guard() {
	c.conditions = append(c.conditions, condition{})
	c.conditionOf = map[condition]int32{}
	c.scopes = append(c.scopes, scope{})
	for i := range c.fragments[1:] {
		c.guardFragment(int32(i + 1))
	}
	for i := range c.instances {
		inst := &c.instances[i]
		inst.scope = c.fragments[inst.frag].scope
		inst.runs = c.within(c.scopes[inst.scope].condition, inst.guard)
		inst.keeps = inst.runs
	}
}

func (c *compiler) guardFragment(frag int32) {
	f := &c.fragments[frag]
	f.scope = c.fragments[f.up].scope
	k, ok := c.names.get(frag, anInPort, inActive)
	if !ok {
		return
	}
	outer := c.scopes[f.scope].condition
	own := c.within(outer, c.typed(c.ports[k].link, value.TypeBool, ^ref(frag), inActive))
	if own == outer {
		return
	}
	nested := c.scopes[f.scope].nested + 1
	if int(nested) > c.opt.Limits.Guards {
		c.problem(NotInstantiated, ^ref(frag), inActive, "guards are nested deeper than %d", c.opt.Limits.Guards)
		return
	}
	c.scopes = append(c.scopes, scope{up: f.scope, condition: own, nested: nested})
	f.scope = int32(len(c.scopes) - 1)
}

// within adds a guard to a condition, unless the condition has it.
func (c *compiler) within(up int32, guard link) int32 {
	if !guard.connected() {
		return up
	}
	for k := up; k != always; k = c.conditions[k].up {
		if c.conditions[k].from == guard {
			return up
		}
	}
	key := condition{up, guard}
	k, known := c.conditionOf[key]
	if !known {
		k = int32(len(c.conditions))
		c.conditions = append(c.conditions, key)
		c.conditionOf[key] = k
	}
	return k
}

// order finds the order of execution, or reports the cycles that make it impossible.
func (c *compiler) order() {
	c.fold()
	switch {
	case c.arrange():
	case c.acyclic():
		for !c.arrange() {
			c.dissolve(c.graph.components())
		}
	default:
		c.unordered()
	}
}

// unordered lists the instances of a net that is refused: they are initialized, so that all mistakes are found.
func (c *compiler) unordered() {
	c.sequence = c.sequence[:0]
	for i := range c.instances {
		if c.instances[i].prim != nil {
			c.sequence = append(c.sequence, int32(i))
		}
	}
}

// depend makes the graph of instances and scopes, in which a scope is one node for what surrounds it. Scopes are
// numbered after the instances.
func (c *compiler) depend() {
	for i := range c.scopes {
		scope := &c.scopes[i]
		scope.home = int32(i)
		if scope.dissolved {
			scope.home = c.scopes[scope.up].home
		} else if i > 0 {
			scope.depth = c.scopes[c.scopes[scope.up].home].depth + 1
		}
	}
	c.graph.reset(int32(len(c.instances)+len(c.scopes)), len(c.links))
	for i := range c.instances {
		c.dependencies(int32(i))
	}
	for i := 1; i < len(c.scopes); i++ {
		scope := &c.scopes[i]
		if !scope.dissolved {
			outer := c.scopes[scope.up].home
			c.afterGuards(scope.condition, c.scopes[outer].condition, int32(len(c.instances)+i), outer)
		}
	}
	c.graph.index()
}

// dependencies adds the edges to an instance.
func (c *compiler) dependencies(i int32) {
	inst := &c.instances[i]
	if inst.prim == nil || inst.folded || !inst.prim.Has(spec.Run) {
		return
	}
	home := c.scopes[inst.scope].home
	if inst.prim.Delays() {
		if reset := c.reset(inst); reset.connected() && !inst.unwaiting {
			c.after(reset.from, i, home)
		}
	} else {
		for _, l := range c.inPorts(inst) {
			if l.connected() {
				c.after(l.from, i, home)
			}
		}
	}
	c.afterGuards(inst.runs, c.scopes[home].condition, i, home)
}

func (c *compiler) inPorts(inst *instance) []link { return c.links[inst.ports:][:len(inst.prim.In)] }

func (c *compiler) reset(inst *instance) link {
	if k := inst.prim.InPort(inReset); k >= 0 && inst.prim.In[k].Type == value.TypeBool {
		return c.inPorts(inst)[k]
	}
	return open
}

// afterGuards adds edges from the guards of a condition that are not part of the surrounding one.
func (c *compiler) afterGuards(k, outer, node, home int32) {
	for ; k != outer; k = c.conditions[k].up {
		c.after(c.conditions[k].from.from, node, home)
	}
}

// after adds the edge from an instance to a node of the scope home, between the nodes that stand for the two in the
// innermost scope that has both.
func (c *compiler) after(from, to, home int32) {
	if c.instances[from].folded {
		return
	}
	s, t := c.scopes[c.instances[from].scope].home, home
	for s != t {
		if c.scopes[s].depth >= c.scopes[t].depth {
			from, s = c.nodeOf(s)
		} else {
			to, t = c.nodeOf(t)
		}
	}
	c.graph.edges = append(c.graph.edges, edge{from, to})
}

// nodeOf returns the node that stands for a scope, and the scope in which it stands.
func (c *compiler) nodeOf(scope int32) (node, home int32) {
	return int32(len(c.instances)) + scope, c.scopes[c.scopes[scope].up].home
}

// dissolve takes the scopes apart that are on a cycle.
func (c *compiler) dissolve(component []int32) {
	size := make([]int32, len(component))
	for _, k := range component {
		size[k]++
	}
	for i := 1; i < len(c.scopes); i++ {
		if size[component[len(c.instances)+i]] > 1 {
			c.scopes[i].dissolved = true
		}
	}
}

// acyclic reports whether the primitives themselves, all fragments dissolved, can be ordered, if need be with Pre
// primitives that do not wait for what depends on them. Otherwise it reports the cycles.
func (c *compiler) acyclic() bool {
	c.dissolveAll(true)
	defer c.dissolveAll(false)
	if c.arrange() {
		return true
	}
	c.unfold() // a constant may be one only thanks to a guard that goes away now
	c.depend()
	component := c.graph.components()
	for i := range c.instances {
		if inst := &c.instances[i]; inst.prim != nil && inst.prim.Delays() {
			c.release(int32(i), component)
		}
	}
	c.fold()
	if c.arrange() {
		return true
	}
	c.reportCycles()
	return false
}

func (c *compiler) dissolveAll(dissolved bool) {
	for i := range c.scopes[1:] {
		c.scopes[i+1].dissolved = dissolved
	}
}

// release frees a Pre from waiting for sources that depend on it: those of its component.
func (c *compiler) release(i int32, component []int32) {
	inst := &c.instances[i]
	if reset := c.reset(inst); reset.connected() && component[reset.from] == component[i] {
		inst.unwaiting = true
	}
	inst.runs = c.without(inst.runs, component, component[i])
	for !c.includes(inst.runs, c.scopes[inst.scope].condition) {
		inst.scope = c.scopes[inst.scope].up
	}
}

// without removes the guards of one component from a condition.
func (c *compiler) without(k int32, component []int32, remove int32) int32 {
	if k == always {
		return always
	}
	guard := c.conditions[k]
	up := c.without(guard.up, component, remove)
	if component[guard.from.from] == remove {
		return up
	}
	return c.within(up, guard.from)
}

func (c *compiler) includes(k, outer int32) bool {
	for k != outer && k != always {
		k = c.conditions[k].up
	}
	return k == outer
}

// reportCycles reports one cycle of each component of the flat graph.
func (c *compiler) reportCycles() {
	component := c.graph.components()
	done := make([]bool, len(component))
	for i := range c.instances {
		if done[component[i]] {
			continue
		}
		done[component[i]] = true
		way := c.graph.cycle(int32(i), component)
		if way == nil {
			continue
		}
		c.problem(UnguardedCycle, ref(i), "", "cycle without a Pre: %s", chain(len(way), ", ", func(k int) string {
			return c.edgeText(way[k], way[(k+len(way)-1)%len(way)])
		}))
	}
}

// edgeText says by which ports an instance depends on another.
func (c *compiler) edgeText(from, to int32) string {
	inst := &c.instances[to]
	for k, l := range c.inPorts(inst) {
		if l.from == from {
			return c.portPath(ref(to), inst.prim.In[k].Name) + " <- " + c.outPath(l)
		}
	}
	if inst.guard.from == from {
		return c.portPath(ref(to), inActive) + " <- " + c.outPath(inst.guard)
	}
	for f := inst.frag; f > 0; f = c.fragments[f].up {
		if k, ok := c.names.get(f, anInPort, inActive); ok && c.ports[k].link.from == from {
			return c.portPath(^ref(f), inActive) + " of " + c.path(ref(to)) + " <- " + c.outPath(c.ports[k].link)
		}
	}
	return c.path(ref(to)) + " <- " + c.path(ref(from))
}

func (c *compiler) outPath(l link) string {
	return c.portPath(ref(l.from), c.instances[l.from].prim.Out[l.port].Name)
}
