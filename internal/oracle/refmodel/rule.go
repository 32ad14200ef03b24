package refmodel

import "slices"

// The states of rules in the words of the wire.
const (
	Active   = "ACTIVE"
	Fired    = "FIRED"
	Failed   = "FIREFAILED"
	Inactive = "INACTIVE"
)

// Request asks for a rule (C, ω, ψ, α) (§6.1).
type Request struct {
	Cond                Cond
	After               string // instead of Cond: the net whose own end is waited for (nesc of the older generation)
	Stop, Cancel, Start []string
}

// Rule is a synchronization rule.
type Rule struct {
	State     string
	Request   Request
	Obstacles []string // of one that has failed: nets that cannot be started, or have a resource which was to be had

	after               *Net
	stop, cancel, start []*Net
}

// Add puts a rule into force, or returns nil when it is refused: for names that are not there, nets in two of its sets,
// nets in a state that has no future, and nets to be started that exclude each other.
func (c *Cell) Add(q Request) *Rule {
	named := map[*Net]bool{}
	ok := true
	find := func(names []string, states ...string) (list []*Net) {
		for _, name := range names {
			n := c.Find(name)
			ok = ok && n != nil && slices.Contains(states, n.State) && !named[n]
			named[n] = true
			list = append(list, n)
		}
		return list
	}
	r := &Rule{State: Active, Request: q}
	r.stop = find(q.Stop, Ready, Scheduled, Running, Terminated)
	r.cancel = find(q.Cancel, Ready, Scheduled, Running, Terminated)
	r.start = find(q.Start, Ready, Scheduled)
	q.Cond.variables(func(net, key string) {
		n := c.Find(net)
		ok = ok && n != nil && slices.Contains([]string{Ready, Scheduled, Running, Terminated}, n.State) && n.signal(key) != nil
	})
	if !ok || share(r.start) || slices.ContainsFunc(r.start, func(n *Net) bool { return !n.startable() }) {
		return nil
	}
	return c.accept(r)
}

// Follow lets a net start when another one has come to its own end. Both are of one period and class.
func (c *Cell) Follow(follower, before *Net) *Rule {
	if follower == before || follower.Period != before.Period || follower.Realtime != before.Realtime || !follower.startable() || before.State == Rejected {
		return nil
	}
	for _, r := range c.Rules {
		if r.State == Active && r.after == before && r.start[0].startable() {
			return nil
		}
	}
	if before.Active() && len(c.obstacles([]*Net{before}, []*Net{follower})) > 0 {
		return nil
	}
	return c.accept(&Rule{State: Active, after: before, start: []*Net{follower}})
}

func (c *Cell) accept(r *Rule) *Rule {
	c.Rules = append(c.Rules, r)
	for _, n := range r.start {
		if n.State == Ready {
			n.State = Scheduled
		}
	}
	c.settle()
	return r
}

func (n *Net) signal(key string) *Signal {
	i := slices.IndexFunc(n.Signals, func(s Signal) bool { return s.Key == key })
	if i < 0 {
		return nil
	}
	return &n.Signals[i]
}

// share reports whether some of the nets cannot run together.
func share(nets []*Net) bool {
	for i, a := range nets {
		if slices.ContainsFunc(nets[i+1:], a.Rivals) {
			return true
		}
	}
	return false
}

// Rivals reports whether two nets need the same resource.
func (n *Net) Rivals(other *Net) bool {
	return slices.ContainsFunc(n.Channels, func(c int) bool { return slices.Contains(other.Channels, c) })
}

// byName finds nets that have been unloaded as well.
func (c *Cell) byName(name string) *Net {
	return c.Nets[slices.IndexFunc(c.Nets, func(n *Net) bool { return n.Name == name })]
}

// truth returns the value of the condition now.
func (r *Rule) truth(c *Cell) Truth {
	switch {
	case r.after == nil:
		return r.Request.Cond.eval(func(net, key string) Truth { return c.byName(net).value(key) })
	case r.after.hasFuture():
		return Unknown
	default:
		return truth(r.after.State == Terminated && r.after.byItself)
	}
}

// value returns the value of a variable: the one written in the newest cycle. It is unknown before the first cycle, when the newest
// cycle has not written it, when the net has ended and lost a resource, and when it is unloaded (§6.1, §6.2).
func (n *Net) value(key string) Truth {
	s := n.signal(key)
	switch {
	case n.cycle == 0, !s.written(n.cycle), n.State == Unloaded, n.lost && !n.Active():
		return Unknown
	default:
		return truth(s.value(n.cycle))
	}
}

// hasFuture reports whether the net runs, or may still be started.
func (n *Net) hasFuture() bool { return n.Active() || n.startable() }

// judge decides all rules once: first all conditions are looked at, then rules fire or are discarded in the order of their
// creation. It reports whether anything has changed.
func (c *Cell) judge() (changed bool) {
	var looked []*Rule
	var truths []Truth
	for _, r := range c.Rules {
		if r.State == Active {
			looked, truths = append(looked, r), append(truths, r.truth(c))
		}
	}
	for i, r := range looked {
		switch {
		case truths[i] == Yes:
			c.fire(r)
		case r.isOver(c, truths[i]):
			c.discard(r)
		default:
			continue
		}
		changed = true
	}
	return changed
}

// isOver reports whether a rule whose condition is not true can no longer fire (§6.1): nothing has ever made it true, or no future of
// the nets that have one does.
func (r *Rule) isOver(c *Cell, t Truth) bool {
	if r.after != nil {
		return t == No
	}
	may, _ := r.Request.Cond.future(func(net, key string) (yes, no bool) {
		n := c.byName(net)
		v := n.value(key)
		return n.hasFuture() || v == Yes, n.hasFuture() || v == No
	})
	return !may || !r.Request.Cond.satisfiable()
}

// fire does what the rule is for, once: all of it or nothing.
func (c *Cell) fire(r *Rule) {
	if r.Obstacles = c.obstacles(r.stop, r.start); len(r.Obstacles) > 0 {
		r.State = Failed
		return
	}
	r.State = Fired
	c.change(r.stop, r.cancel, r.start)
}

// discard gives up a rule that can no longer fire. Nets that only it wanted to start are ready again; those that were to
// follow a net which has ended otherwise than by itself are rejected.
func (c *Cell) discard(r *Rule) {
	r.State = Inactive
	for _, n := range r.start {
		switch {
		case n.State != Scheduled || n.promised:
		case r.after != nil:
			n.State = Rejected
		case !c.awaited(n):
			n.State = Ready
		}
	}
}

// awaited reports whether a rule in force wants to start the net, or one that has failed left it scheduled.
func (c *Cell) awaited(n *Net) bool {
	return slices.ContainsFunc(c.Rules, func(r *Rule) bool {
		return (r.State == Active || r.State == Failed) && slices.Contains(r.start, n)
	})
}
