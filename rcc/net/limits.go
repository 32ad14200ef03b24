package net

import (
	"slices"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// checkLimits reports which constraints of its primitive an instance breaks, and whether one of them keeps it from working.
func (c *compiler) checkLimits(r ref) (broken bool) {
	inst := &c.instances[r]
	for _, found := range inst.prim.Findings(func(param int) (string, bool) { return c.known(inst, param) }) {
		param := inst.prim.Params[found.Param].Name
		if found.Doubtful {
			c.warn(NotConfigured, r, param, "%s", found.Text)
			continue
		}
		broken = true
		c.problem(NotConfigured, r, param, "%s", found.Text)
	}
	return broken
}

// known is what stands for a parameter in every cycle. While an in port is connected to which the parameter belongs, it is what comes
// in, if that never changes.
func (c *compiler) known(inst *instance, param int) (text string, ok bool) {
	of := &inst.prim.Params[param]
	if in := slices.IndexFunc(inst.prim.In, func(port spec.Port) bool { return port.Param == of.Name }); in >= 0 {
		if l := c.inPorts(inst)[in]; l != open {
			return c.constant(l)
		}
	}
	switch given := c.texts(inst)[param]; {
	case given != nil:
		return *given, true
	case of.Required:
		return "", false
	}
	return of.Default, true
}

// constant is what an out port gives in every cycle, if its primitive does nothing else than to give the value of its only parameter.
func (c *compiler) constant(l link) (text string, ok bool) {
	if !l.connected() {
		return "", false
	}
	from := &c.instances[l.from]
	prim := from.prim
	if !prim.Pure || len(prim.In) > 0 || len(prim.Params) != 1 || len(prim.Out) != 1 || prim.Params[0].Type != prim.Out[0].Type {
		return "", false
	}
	if given := c.texts(from)[0]; given != nil {
		return *given, true
	}
	return prim.Params[0].Default, !prim.Params[0].Required
}

// checkUnique reports parameters that no two primitives of a net may have the same value for. Where both run in the same cycles, one is
// always in vain; where guards decide which one runs, they may take turns.
func (c *compiler) checkUnique() {
	type key struct{ of, value string }
	first := map[key]ref{}
	for i := range c.instances {
		inst := &c.instances[i]
		if inst.prim == nil {
			continue
		}
		for k := range inst.prim.Params {
			param := &inst.prim.Params[k]
			if param.Unique == "" {
				continue
			}
			text, ok := c.known(inst, k)
			if !ok {
				continue
			}
			of := key{param.Unique, text}
			other, taken := first[of]
			if !taken {
				first[of] = ref(i)
				continue
			}
			if c.instances[other].prim != inst.prim {
				continue // the types differ, which has been said
			}
			if c.instances[other].runs == inst.runs {
				c.problem(NotConfigured, ref(i), param.Name, "%s has the same %s %q, so that only one of the two values is ever seen; give each its own", c.path(other), param.Name, text)
			} else {
				c.warn(NotConfigured, ref(i), param.Name, "%s has the same %s %q; while both are active only one of the two values is seen", c.path(other), param.Name, text)
			}
		}
	}
}

// checkOnce warns of primitives that command the same thing in the same cycles: while both have a value, neither is followed.
func (c *compiler) checkOnce() {
	type key struct {
		prim *spec.Primitive
		what string
		runs int32
	}
	first := map[key]ref{}
	for i := range c.instances {
		inst := &c.instances[i]
		if inst.prim == nil || len(inst.prim.Commands) == 0 || generated(inst.node.Name) {
			continue
		}
		what, ok := c.commanded(inst)
		if !ok {
			continue
		}
		at := key{inst.prim, what, inst.runs}
		if other, taken := first[at]; taken {
			c.warn(NotConfigured, ref(i), "", "%s commands %s as well; in cycles in which both have a value, neither is followed", c.path(other), what)
			continue
		}
		first[at] = ref(i)
	}
}

// commanded returns what a primitive commands, in words.
func (c *compiler) commanded(inst *instance) (what string, ok bool) {
	var words []string
	for _, name := range inst.prim.Commands {
		text, known := c.known(inst, inst.prim.Param(name))
		if !known {
			return "", false
		}
		words = append(words, name+" "+strconv.Quote(text))
	}
	return strings.Join(words, ", "), true
}

// checkAgree warns of primitives that stand for one thing and say different things of it: only what the first one says counts.
func (c *compiler) checkAgree() {
	type key struct {
		prim        *spec.Primitive
		param       int
		name, value string
	}
	first := map[key]ref{}
	said := map[ref]string{}
	for i := range c.instances {
		inst := &c.instances[i]
		if inst.prim == nil || generated(inst.node.Name) {
			continue
		}
		for k := range inst.prim.Params {
			param := &inst.prim.Params[k]
			if param.Agree == "" {
				continue
			}
			text, ok := c.known(inst, k)
			of, okOf := c.known(inst, inst.prim.Param(param.Agree))
			if !ok || !okOf {
				continue
			}
			at := key{inst.prim, k, param.Agree, of}
			other, taken := first[at]
			if !taken {
				first[at], said[ref(i)] = ref(i), text
				continue
			}
			if said[other] != text {
				c.warn(NotConfigured, ref(i), param.Name, "it is %q, but %s has the same %s and %q; of the two only one counts, give both the same", text, c.path(other), param.Agree, said[other])
			}
		}
	}
}

// checkUnfed warns of primitives that are there for what comes in, where nothing does. Those that programs have named are left out, as
// checkUnread does.
func (c *compiler) checkUnfed() {
	for i := range c.instances {
		inst := &c.instances[i]
		if inst.prim == nil || generated(inst.node.Name) || c.withinType(inst.frag) {
			continue
		}
		for k, l := range c.inPorts(inst) {
			if port := &inst.prim.In[k]; port.Wanted && l == open {
				c.warn(NotConfigured, ref(i), port.Name, "nothing is connected to it, so that it has no value in any cycle; connect an out port")
			}
		}
	}
}

// checkUnread warns of primitives that are there for nothing: their values go nowhere, and they have no effect on anything else.
// Users of a type that is written as a net are not warned of primitives within it.
func (c *compiler) checkUnread() {
	if len(c.list) > 0 {
		return // what reads it may be what is wrong
	}
	read := make([]bool, len(c.instances))
	mark := func(l link) {
		if l.connected() {
			read[l.from] = true
		}
	}
	for _, l := range c.links {
		mark(l)
	}
	for i := range c.ports {
		mark(c.ports[i].link)
	}
	for _, l := range c.unheeded {
		mark(l)
	}
	for i := range c.instances {
		mark(c.instances[i].guard)
	}
	for i := range c.instances {
		inst := &c.instances[i]
		if inst.prim == nil || read[i] || len(inst.prim.Out) == 0 || inst.prim.Has(spec.Act) || watched(inst.node) || generated(inst.node.Name) || c.withinType(inst.frag) {
			continue
		}
		if c.warnings.full() {
			c.warnings.more++ // without a list of its ports
			continue
		}
		c.warn(NotConfigured, ref(i), "", "no port of the net reads a value of it, and it has no other effect: connect %s, or leave it out", outsOf(inst.prim))
	}
}

func (c *compiler) withinType(frag int32) bool {
	for ; frag > 0; frag = c.fragments[frag].up {
		if c.fragments[frag].prim != nil {
			return true
		}
	}
	return false
}

// generated reports whether a program has named a primitive: with a number, or, as clients of the older generation, with its type and
// one. Programs put things into nets that only some of them need, and nobody reads what they are warned of.
func generated(name string) bool { return digits(name) || strings.Contains(name, "::") }

// watched reports whether somebody wants to see what comes into a primitive, which may be what it is there for.
func watched(n *grammar.Node) bool {
	return slices.ContainsFunc(n.Args, func(a grammar.Arg) bool { return a.Debug != "" })
}

// outsOf names out ports, for people who have forgotten them.
func outsOf(p *spec.Primitive) string {
	return enumerate(portNames(p.Out))
}
