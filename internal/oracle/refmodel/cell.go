package refmodel

import (
	"fmt"
	"slices"
)

// The states of nets (§5.3.3) in the words of the wire.
const (
	Rejected   = "REJECTED"
	Ready      = "READY"
	Scheduled  = "SCHEDULED"
	Running    = "RUNNING"
	Cancelling = "CANCELLING"
	Terminated = "TERMINATED"
	Unloaded   = "UNLOADED"
)

// Cell is all there is.
type Cell struct {
	Now      int // all ticks up to here have been done
	Nets     []*Net
	Rules    []*Rule
	Commands []Command // what the device was told, oldest first

	users map[int]*Net // by channel: who has acquired it last
}

// Command is a set-point that the device has got.
type Command struct {
	Tick, Channel, Net, Cycle int
}

// Net is a net.
type Net struct {
	Plan
	Number    int
	Name      string // what applications call it
	State     string
	Unloading bool // it is to be unloaded when it has ended

	cycle     int  // newest one
	cancelled int  // first cycle that knows of a cancellation
	willing   bool // it has wanted to end in its newest cycle
	from      int  // its first tick
	until     int  // it has no tick from here on
	cancel    int  // ticks from here on know of a cancellation
	byItself  bool // it has come to the end that it wanted, and named no failure
	promised  bool // it has been started, and nets that have its channels have not ended
	lost      bool // another net has acquired a resource of it since it did
}

const never = 1 << 60

// New returns a cell without anything.
func New() *Cell { return &Cell{users: map[int]*Net{}} }

// Active reports whether the net is executed (§5.3.3), or is bound to be.
func (n *Net) Active() bool { return n.State == Running || n.State == Cancelling || n.promised }

// startable is the first precondition of rules, and of every start (§6.1).
func (n *Net) startable() bool { return (n.State == Ready || n.State == Scheduled) && !n.promised }

// Load adds a net.
func (c *Cell) Load(p Plan) *Net {
	number := len(c.Nets)
	n := &Net{Plan: p, Number: number, Name: fmt.Sprint("rpinet", number), State: Ready, until: never, cancel: never}
	if p.Broken {
		n.State = Rejected
	}
	c.Nets = append(c.Nets, n)
	return n
}

// Find returns the net of a name. One that is unloaded is not there, but as long as it runs it is (§7.5, ADR 0009).
func (c *Cell) Find(name string) *Net {
	i := slices.IndexFunc(c.Nets, func(n *Net) bool { return n.Name == name })
	if i < 0 || c.Nets[i].State == Unloaded || c.Nets[i].Unloading && !c.Nets[i].Active() {
		return nil
	}
	return c.Nets[i]
}

// Owner returns the net that a channel belongs to, or nil.
func (c *Cell) Owner(channel int) *Net {
	if n := c.users[channel]; n != nil && n.Active() {
		return n
	}
	return nil
}

// Start starts a net. Without that being possible nothing is changed.
func (c *Cell) Start(n *Net) bool {
	if len(c.obstacles(nil, []*Net{n})) > 0 {
		return false
	}
	c.change(nil, nil, []*Net{n})
	c.settle()
	return true
}

// Cancel asks a net to end.
func (c *Cell) Cancel(n *Net) bool {
	if n.State != Running && !n.promised {
		return false
	}
	c.change(nil, []*Net{n}, nil)
	c.settle()
	return true
}

// Abort ends a net.
func (c *Cell) Abort(n *Net) bool {
	if !n.Active() {
		return false
	}
	c.change([]*Net{n}, nil, nil)
	c.settle()
	return true
}

// Unload removes a net, as soon as it has ended.
func (c *Cell) Unload(n *Net) {
	n.Unloading = true
	c.settle()
}

// unloadEnded removes the nets that are to be unloaded and do not run, and reports whether there were any.
func (c *Cell) unloadEnded() (changed bool) {
	for _, n := range c.Nets {
		if n.Unloading && !n.Active() && n.State != Unloaded {
			n.State, changed = Unloaded, true
		}
	}
	return changed
}
