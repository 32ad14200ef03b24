package refmodel

import "slices"

// obstacles names what keeps nets from being started: those of them that are not ready, and the owners of resources that are
// not stopped by the same change (§6.1, §6.2).
func (c *Cell) obstacles(stop, start []*Net) (list []string) {
	for _, n := range start {
		if !n.startable() {
			list = append(list, n.Name)
		}
		for _, channel := range n.Channels {
			if owner := c.Owner(channel); owner != nil && !slices.Contains(stop, owner) {
				list = append(list, owner.Name)
			}
		}
	}
	return list
}

// change makes a decision, which holds for all its nets from one tick on.
func (c *Cell) change(stop, cancel, start []*Net) {
	at := c.instant(stop, start)
	for _, n := range cancel {
		if n.State == Running || n.promised {
			n.State, n.promised, n.cancel = Cancelling, false, at
		}
	}
	for _, n := range stop {
		if n.Active() {
			n.until = min(n.until, at)
		}
	}
	c.endStopped()
	for _, n := range start {
		n.promised, n.from = true, at
		for _, channel := range n.Channels {
			if before := c.users[channel]; before != nil {
				before.lost = true
			}
			c.users[channel] = n
		}
	}
	c.announce()
}

// announce lets the nets run that were to replace others, when these have ended.
func (c *Cell) announce() {
	for _, n := range c.Nets {
		leaving := func(other *Net) bool { return other != n && other.Active() && other.until < never && n.Rivals(other) }
		if n.promised && !slices.ContainsFunc(c.Nets, leaving) {
			n.State, n.promised = Running, false
		}
	}
}

// instant returns the tick from which a decision holds: the next one, or with nets to be started the first one that they have in
// common with those that they replace, but none in which such a net was already promised its resource (ADR 0008).
func (c *Cell) instant(stop, start []*Net) int {
	if len(start) == 0 {
		return c.Now + 1
	}
	at := c.Now + 1
	for ; !c.suits(at, stop, start); at++ {
	}
	return at
}

func (c *Cell) suits(at int, stop, start []*Net) bool {
	for _, n := range start {
		if at%n.Period != 0 {
			return false
		}
	}
	for _, n := range c.Nets {
		stopped := slices.Contains(stop, n)
		switch {
		case !n.Active():
		case n.until < never && (stopped || slices.ContainsFunc(start, n.Rivals)):
			if at < n.until {
				return false
			}
		case stopped && at%n.Period != 0:
			return false
		}
	}
	return true
}

// next returns the next tick of a net.
func (c *Cell) next(n *Net) int { return max((c.Now/n.Period+1)*n.Period, n.from) }

// endStopped ends the nets that have been stopped and have had their last tick.
func (c *Cell) endStopped() {
	for _, n := range c.Nets {
		if n.Active() && c.next(n) >= n.until {
			n.end(n.willing)
		}
	}
	c.announce()
}

// endWilling ends the nets that have wanted to in their newest cycle.
func (c *Cell) endWilling() {
	for _, n := range c.Nets {
		if n.Active() && n.willing {
			n.end(true)
		}
	}
}

func (n *Net) end(byItself bool) {
	n.State, n.promised, n.byItself = Terminated, false, byItself && !n.Fail
}
