package rcc

import (
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/internal/budget"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/sched"
)

// Problem is something that is wrong with a net.
type Problem = net.Problem

// Net is a primitive net on its way through its life (§5.3.3).
type Net struct {
	core        *Core
	number      int
	name        string
	description string
	session     *Session
	period      time.Duration
	realtime    bool
	endRefused  bool
	text        string // in text form; of a rejected net its beginning
	cut         bool
	account     *budget.Account // of its memory
	program     *net.Program    // nil when rejected
	ref         sched.Ref
	problems    []net.Problem
	warnings    []net.Problem
	latest      atomic.Pointer[Values] // that somebody has looked at

	// under core.mu
	state       State
	history     []Transition
	dropped     int // transitions that are no longer kept
	unloading   bool
	farewell    bool
	promised    bool   // it has been started, at a tick before which others have its resources
	left        bool   // scheduled by a rule that has failed, for good
	owner       string // client whose net it counts as
	phases      bool   // memory for them has been taken
	bytes       int    // of the text, and of a rejected net with the reasons
	debugBytes  int64  // that its recorder takes
	ended       sched.Event
	hasEnded    bool
	blame       string   // why it had to make room for others, or took too long
	toldRefused bool     // in the log
	lent        []string // devices in use
}

// Net returns the net of that name. A net that is being unloaded is hidden (§7.5), but not as long as it runs: whoever
// has to abort it must find it.
func (c *Core) Net(name string) (*Net, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.net(name)
}

func (c *Core) net(name string) (*Net, error) {
	n, ok := c.nets.byName[name]
	if !ok || n.hidden() {
		return nil, refuse(ErrNoNet, fmt.Sprintf("net %q", name), "")
	}
	return n, nil
}

func (n *Net) hidden() bool { return n.unloading && !n.active() }

// active reports whether the net runs or is bound to. core.mu is held.
func (n *Net) active() bool { return n.state.Active() || n.promised }

// Goes reports whether the net runs, or is bound to from a tick that is to come.
func (n *Net) Goes() bool {
	n.core.mu.Lock()
	defer n.core.mu.Unlock()
	return n.active()
}

// Nets returns all nets that are not unloaded, oldest first.
func (c *Core) Nets() []*Net {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.DeleteFunc(c.nets.all(), (*Net).hidden)
}

// Name is the net's name. Like Description, Period and Realtime it never changes.
func (n *Net) Name() string { return n.name }

// Description is what the application said about the net.
func (n *Net) Description() string { return n.description }

// Period is the cycle time.
func (n *Net) Period() time.Duration { return n.period }

// Realtime tells the class of the net.
func (n *Net) Realtime() bool { return n.realtime }

// Session is the name of the net's session, or empty.
func (n *Net) Session() string {
	if n.session == nil {
		return ""
	}
	return n.session.name
}

// Text is the net in text form, or the beginning of it when the net is rejected.
func (n *Net) Text() string { return n.text }

// Cut reports whether only the beginning of the text is kept.
func (n *Net) Cut() bool { return n.cut }

// Problems tells why a net was rejected.
func (n *Net) Problems() []net.Problem {
	n.core.mu.Lock()
	defer n.core.mu.Unlock()
	return slices.Clone(n.problems)
}

// Warnings tells what is doubtful, or wrong with a net that can run all the same.
func (n *Net) Warnings() []net.Problem {
	return slices.Clone(n.warnings)
}

// Primitives is the number of primitives of the compiled net.
func (n *Net) Primitives() int {
	if n.program == nil {
		return 0
	}
	return n.program.Primitives
}

// State is the present state.
func (n *Net) State() State {
	n.core.mu.Lock()
	defer n.core.mu.Unlock()
	return n.state
}

// Ended tells how the net came to its end; ok is false before.
func (n *Net) Ended() (e sched.Event, ok bool) {
	n.core.mu.Lock()
	defer n.core.mu.Unlock()
	return n.ended, n.hasEnded
}

// Stats are the execution figures of table 11.2.
func (n *Net) Stats() (sched.Stats, bool) {
	if n.program == nil {
		return sched.Stats{}, false
	}
	stats, err := n.core.sched.Stats(n.ref)
	return stats, err == nil
}

// KeepPhases has the net keep how long each phase of its newest cycles takes (figure 11.1), from now on until it has gone.
func (n *Net) KeepPhases() error {
	if n.program == nil {
		return refuse(ErrState, n.place(), "it has no cycles while %s", n.State())
	}
	if err := n.keepPhases(); err != nil {
		return err
	}
	return n.core.explain(n.core.sched.KeepPhases(n.ref), n.place())
}

// Phases are those that the net keeps, of the oldest cycle first.
func (n *Net) Phases() []sched.Phases {
	if n.program == nil {
		return nil
	}
	list, _ := n.core.sched.Phases(n.ref) // of a net that has gone there are none
	return list
}

func (n *Net) place() string { return fmt.Sprintf("net %q", n.name) }
