package refmodel

import (
	"cmp"
	"slices"
)

// Tick does the next tick. Nets of equal period and class have their cycles together, those with shorter periods first, the
// real-time class first; after each of these groups is decided what can be (ADR 0008).
func (c *Cell) Tick() {
	c.Now++
	for _, x := range c.executors() {
		if c.Now%x.period != 0 {
			continue
		}
		for _, n := range c.Nets {
			if n.executor() == x && n.Active() && n.from <= c.Now && c.Now < n.until {
				c.run(n)
			}
		}
		c.done[x] = c.Now
		c.decide()
	}
}

func (c *Cell) executors() (list []executor) {
	for _, n := range c.Nets {
		if x := n.executor(); !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	slices.SortFunc(list, func(a, b executor) int {
		if a.period != b.period {
			return cmp.Compare(a.period, b.period)
		}
		if a.realtime {
			return -1
		}
		return 1
	})
	return list
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

// decide is the end of a tick: rules come before the ends of the nets that they read (§8.2).
func (c *Cell) decide() {
	c.judge()
	c.endWilling()
	c.endStopped()
	c.settle()
}

// settle decides until nothing more follows from what was decided: nets that have ended may decide rules once more (§6.1),
// and are unloaded after that.
func (c *Cell) settle() {
	for c.judge() || c.bury() {
	}
}
