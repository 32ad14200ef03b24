package net

// fold finds the instances that give the same values in every cycle in which they run: pure ones that are fed by nothing
// but such. They run once, while the net is loaded, unless something could read them in a cycle in which a guard makes
// them null.
func (c *compiler) fold() {
	c.unfold()
	c.graph.reset(int32(len(c.instances)), len(c.links))
	exposed := c.exposed()
	for i := range c.instances {
		inst := &c.instances[i]
		if inst.prim == nil || !inst.prim.Pure || exposed[i] {
			continue
		}
		fed := false
		for _, l := range c.inPorts(inst) {
			if l.connected() {
				fed = true
				c.graph.edges = append(c.graph.edges, edge{l.from, int32(i)})
			}
		}
		if !fed {
			c.constants = append(c.constants, int32(i))
		}
	}
	c.graph.index()
	waiting := c.graph.waits()
	for done := 0; done < len(c.constants); done++ {
		i := c.constants[done]
		c.instances[i].folded = true
		for _, j := range c.graph.successors(i) {
			if waiting[j]--; waiting[j] == 0 {
				c.constants = append(c.constants, j)
			}
		}
	}
}

func (c *compiler) unfold() {
	for _, i := range c.constants {
		c.instances[i].folded = false
	}
	c.constants = c.constants[:0]
}

// exposed returns the instances that are read by something that may run while they do not, and finds null then.
func (c *compiler) exposed() []bool {
	exposed := make([]bool, len(c.instances))
	read := func(l link, condition int32) {
		if l.connected() && !c.includes(condition, c.instances[l.from].runs) {
			exposed[l.from] = true
		}
	}
	for i := range c.instances {
		if inst := &c.instances[i]; inst.prim != nil {
			for _, l := range c.inPorts(inst) {
				read(l, inst.runs)
			}
		}
	}
	for _, guard := range c.conditions[1:] {
		read(guard.from, guard.up)
	}
	for i := range c.recorded {
		read(c.recordedLink(&c.recorded[i]), c.recordedUnder(&c.recorded[i]))
	}
	for _, port := range [...]string{outTerminate, outFail} {
		if k, ok := c.names.get(0, anOutPort, port); ok {
			read(c.ports[k].link, always)
		}
	}
	if c.opt.Once {
		for _, port := range c.rootLinks() {
			read(port.link, always)
		}
	}
	return exposed
}
