package refmodel

// Tick does the next tick: all nets that are due have a cycle, and then what follows from that is decided: rules come before the ends of the
// nets that they read (§8.2, ADR 0008).
func (c *Cell) Tick() {
	c.Now++
	for _, n := range c.Nets {
		if n.Active() && c.Now%n.Period == 0 && n.from <= c.Now && c.Now < n.until {
			c.run(n)
		}
	}
	c.judge()
	c.endWilling()
	c.endStopped()
	c.settle()
}

// run is a cycle of a net.
func (c *Cell) run(n *Net) {
	n.cycle++
	if n.cancelled == 0 && n.cancel <= c.Now {
		n.cancelled = n.cycle
	}
	for _, channel := range n.Channels {
		c.Commands = append(c.Commands, Command{Tick: c.Now, Channel: channel, Net: n.Number, Cycle: n.cycle})
	}
	n.willing = n.wants(n.cycle, n.cancelled)
}

// settle decides until nothing more follows from what was decided: nets that have ended may decide rules again (§6.1),
// and are unloaded after that.
func (c *Cell) settle() {
	for c.judge() || c.unloadEnded() {
	}
}
