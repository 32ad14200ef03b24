package rcc

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/budget"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/sched"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// Problem is a mistake in a net, or a warning.
type Problem = net.Problem

// Nets are the nets of a core.
type Nets struct {
	*ground
	registry[*Net] // those that observers see

	world    *worlds
	memory   *Memory
	sessions *Sessions
	devices  *Devices

	evals, loads gate
	listening    atomic.Pointer[listening]

	// under ground.mu
	bySlot     map[sched.Ref]*Net
	bytes      int            // of the texts of all nets that are not rejected
	rejected   []*Net         // oldest first
	reasons    int            // bytes that they take
	owned      map[string]int // nets by client
	debugBytes int64          // that recorders of nets take
	probes     probes
}

func newNets(g *ground, ws *worlds, m *Memory, s *Sessions, d *Devices) *Nets {
	return &Nets{
		ground: g, world: ws, memory: m, sessions: s, devices: d,
		evals: newGate("eval", evalsAtOnce, evalsWaiting), loads: newGate("net", loadsAtOnce, loadsWaiting),
		bySlot: map[sched.Ref]*Net{}, owned: map[string]int{}, probes: probes{byID: map[sched.ProbeID]*Probe{}},
	}
}

// Net is a primitive net in its life cycle (§5.3.3).
type Net struct {
	nets        *Nets
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

	// under ground.mu
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

// Get returns the net of that name. A net that is being unloaded is hidden (§7.5), but not while it runs, so that it
// can still be aborted.
func (ns *Nets) Get(name string) (*Net, error) {
	ns.mu.Lock()
	defer ns.mu.Unlock()
	return ns.get(name)
}

func (ns *Nets) get(name string) (*Net, error) {
	n, ok := ns.byName[name]
	if !ok || n.hidden() {
		return nil, refuse(ErrNoNet, fmt.Sprintf("net %q", name), "")
	}
	return n, nil
}

func (n *Net) hidden() bool { return n.unloading && !n.active() }

// active reports whether the net runs or is bound to. ground.mu is held.
func (n *Net) active() bool { return n.state.Active() || n.promised }

// Goes reports whether the net runs, or is going to run from a later tick on.
func (n *Net) Goes() bool {
	n.nets.mu.Lock()
	defer n.nets.mu.Unlock()
	return n.active()
}

// All returns all nets that are not unloaded, oldest first.
func (ns *Nets) All() []*Net {
	ns.mu.Lock()
	defer ns.mu.Unlock()
	return slices.DeleteFunc(ns.all(), (*Net).hidden)
}

// Catalogue returns the primitives that nets can use now.
func (ns *Nets) Catalogue() *spec.Catalogue { return ns.world.Load().catalogue }

// Limits returns the limits of texts from outside.
func (ns *Nets) Limits() grammar.Limits { return ns.cfg.Limits }

func (ns *Nets) runsAny() bool {
	ns.mu.Lock()
	defer ns.mu.Unlock()
	return slices.ContainsFunc(ns.all(), (*Net).active)
}

// usingNet is how a net is called that uses a device.
func (n *Net) usingNet() string { return cmp.Or(n.name, "an evaluation") }

// Name returns the net's name. Like Description, Period and Realtime it never changes.
func (n *Net) Name() string { return n.name }

// Description returns the application's description of the net.
func (n *Net) Description() string { return n.description }

// Period returns the cycle time.
func (n *Net) Period() time.Duration { return n.period }

// Realtime returns the class of the net.
func (n *Net) Realtime() bool { return n.realtime }

// Session returns the name of the net's session, or an empty one.
func (n *Net) Session() string {
	if n.session == nil {
		return ""
	}
	return n.session.name
}

// Text returns the net in text form, or only its beginning when the net is rejected.
func (n *Net) Text() string { return n.text }

// Cut reports whether only the beginning of the text is kept.
func (n *Net) Cut() bool { return n.cut }

// Problems returns why a net was rejected.
func (n *Net) Problems() []net.Problem {
	n.nets.mu.Lock()
	defer n.nets.mu.Unlock()
	return slices.Clone(n.problems)
}

// Warnings returns what is doubtful or wrong in a net that can run all the same.
func (n *Net) Warnings() []net.Problem {
	return slices.Clone(n.warnings)
}

// Primitives returns the number of primitives of the compiled net.
func (n *Net) Primitives() int {
	if n.program == nil {
		return 0
	}
	return n.program.Primitives
}

// State returns the present state.
func (n *Net) State() State {
	n.nets.mu.Lock()
	defer n.nets.mu.Unlock()
	return n.state
}

// Ended returns how the net came to its end; ok is false before.
func (n *Net) Ended() (e sched.Event, ok bool) {
	n.nets.mu.Lock()
	defer n.nets.mu.Unlock()
	return n.ended, n.hasEnded
}

// Stats returns the execution figures of table 11.2.
func (n *Net) Stats() (sched.Stats, bool) {
	if n.program == nil {
		return sched.Stats{}, false
	}
	stats, err := n.nets.sched.Stats(n.ref)
	return stats, err == nil
}

// KeepPhases makes the net keep how long each phase of its newest cycles takes (figure 11.1), from now on until it is
// unloaded.
func (n *Net) KeepPhases() error {
	if n.program == nil {
		return refuse(ErrState, n.place(), "it has no cycles while %s", n.State())
	}
	if err := n.keepPhases(); err != nil {
		return err
	}
	return n.nets.explain(n.nets.sched.KeepPhases(n.ref), n.place())
}

// Phases returns the phases that the net keeps, oldest cycle first.
func (n *Net) Phases() []sched.Phases {
	if n.program == nil {
		return nil
	}
	list, _ := n.nets.sched.Phases(n.ref) // of a net that has gone there are none
	return list
}

func (n *Net) place() string { return fmt.Sprintf("net %q", n.name) }

// Of what nets consist.
type (
	Structure = net.Structure
	Node      = net.Node
	Port      = net.Port
	End       = net.End
)

// Structure describes the nodes and links of the net. It is made from the text each time, so that nets need no memory for it.
func (n *Net) Structure() (made *Structure, err error) {
	if n.State() == Rejected {
		return nil, refuse(ErrState, n.place(), "it is rejected, so that it has no order; see its problems")
	}
	err = n.WithTree(func(root *grammar.Node) (err error) {
		made, err = net.Describe(root, net.Options{Name: n.name, Period: n.period, Catalogue: n.nets.Catalogue()})
		return err
	})
	if errors.As(err, new(*net.Rejection)) {
		return nil, refuse(ErrState, n.place(), "primitives have changed since it was loaded: %v", err)
	}
	return made, err
}
