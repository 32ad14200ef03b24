package rcc

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/rcc/number"
	"github.com/softrobot-rcc/rccd/rcc/sched"
)

// State is the state of a net in its life cycle (§5.3.3).
type State uint8

// The states in the order of a net's life.
const (
	Loading State = iota
	Rejected
	Ready
	Scheduled
	Running
	Cancelling
	Terminated
	Unloaded
)

var stateWords = [...]string{"LOADING", "REJECTED", "READY", "SCHEDULED", "RUNNING", "CANCELLING", "TERMINATED", "UNLOADED"}

// String returns the word of the wire.
func (s State) String() string {
	if int(s) < len(stateWords) {
		return stateWords[s]
	}
	return "INVALID"
}

// Active reports whether a net in this state is executed.
func (s State) Active() bool { return s == Running || s == Cancelling }

// Transition is a step in the life of a net. Values are those that the net had published by then, nil before its start.
// ByItself is set for an end that no command has caused. Time is that of the tick with which a net that runs has the state, and of
// other states when they were entered, in Unix nanoseconds.
type Transition struct {
	State    State
	Time     int64
	Values   *Values
	ByItself bool
}

// enterAt goes over to a state in a tick. ground.mu is held.
func (n *Net) enterAt(s State, at int64) {
	n.enter(s)
	n.history[len(n.history)-1].Time = at
}

// kept is how many transitions an observer may be behind: more than a net goes through in any sensible life.
const kept = 64

// enter goes over to a state. ground.mu is held.
func (n *Net) enter(s State) {
	n.state = s
	t := Transition{State: s, Time: n.nets.unixNow()}
	if n.program != nil && s >= Running {
		t.Values = takeValues(n.program.Board)
	}
	if len(n.history) == kept {
		n.history = slices.Delete(n.history, 0, 1)
		n.dropped++
	}
	n.history = append(n.history, t)
	n.nets.bells.note(n)
}

func (n *Net) onEvent(e sched.Event) {
	switch e.Kind {
	case sched.NetStarted:
		n.promised = false
		n.enterAt(Running, e.Time)
	case sched.NetCancelling:
		n.noteBlame(e)
		n.enterAt(Cancelling, e.Time)
	case sched.NetEnded:
		n.promised = false
		n.ended = e
		n.noteBlame(e)
		n.endProbes(refuse(ErrState, n.place(), "it has ended: %v after %d cycles", e.Cause, e.Cycle))
		for _, b := range n.program.Buttons {
			b.Release()
		}
		n.enterAt(Terminated, e.Time)
		n.history[len(n.history)-1].ByItself = e.Cause == sched.Terminated || e.Cause == sched.Failed
		n.nets.log.Debug("net ended", zap.String("net", n.name), zap.Stringer("cause", e.Cause), zap.Uint64("cycle", e.Cycle))
		n.hasEnded = true
		n.logRefusals()
		if n.unloading {
			n.sayFarewell()
		}
	case sched.NetGone:
		n.gone()
	}
}

// noteBlame keeps that the net is to make room for others, or has taken too long, and says so once. ground.mu is held.
func (n *Net) noteBlame(e sched.Event) {
	var overload *sched.OverloadError
	var overrun *sched.OverrunError
	switch {
	case n.blame != "":
	case errors.As(e.Err, &overload):
		n.blame = overload.Told(n.name)
		n.nets.log.Warn("too much to do for all nets", zap.String("net", n.name), zap.String("place", overload.Place()),
			zap.Stringer("limit", overload.Limit), zap.Stringer("others", overload.Taken), zap.Stringer("share", overload.Share))
	case errors.As(e.Err, &overrun):
		n.blame = overrun.Told(n.name)
		n.nets.log.Warn("net took longer than its cycle", zap.String("net", n.name), zap.Duration("cycle", overrun.Period),
			zap.Int("cycles", overrun.Cycles), zap.Duration("longer", overrun.Excess), zap.Duration("outside", overrun.Outside))
	}
}

// Blame says why the net had to make room for others, or was ended for what it took, with figures; it is empty otherwise.
func (n *Net) Blame() string {
	n.nets.mu.Lock()
	defer n.nets.mu.Unlock()
	return n.blame
}

// Since returns the transitions after the first seen ones, and the number to call it with next time. An observer starts
// with Seen to get only the present state.
func (n *Net) Since(seen int) ([]Transition, int) {
	n.nets.mu.Lock()
	defer n.nets.mu.Unlock()
	from := max(seen-n.dropped, 0)
	return slices.Clone(n.history[min(from, len(n.history)):]), n.dropped + len(n.history)
}

// Seen returns the number to start Since with: the transition into the present state is the next one.
func (n *Net) Seen() int {
	n.nets.mu.Lock()
	defer n.nets.mu.Unlock()
	return n.dropped + len(n.history) - 1
}

// Start starts the net. It returns when the start is committed; the first cycle is the next one of the net's grid.
// It uses up the number of a rule, as clients know it: starting is a rule whose condition is true.
func (n *Net) Start(ctx context.Context) error {
	n.nets.cfg.Numbers.Skip(number.Rule)
	n.nets.mu.Lock()
	closing := n.nets.closing
	n.nets.mu.Unlock()
	if closing {
		return refuse(ErrClosed, n.place(), "nothing starts any more, the daemon is ending")
	}
	if err := n.must("start", Ready, Scheduled); err != nil {
		return err
	}
	if err := n.nets.sched.Start(ctx, n.ref); err != nil {
		return n.nets.explain(err, n.place())
	}
	n.nets.mu.Lock()
	defer n.nets.mu.Unlock()
	n.promise()
	return nil
}

// promise notes that the net is going to run, even if it cannot be seen yet. ground.mu is held.
func (n *Net) promise() { n.promised = !n.state.Active() && !n.hasEnded }

// Cancel asks the net to end (§5.3.3). The net decides whether and when it does.
func (n *Net) Cancel(ctx context.Context) error {
	if err := n.must("cancel", Running); err != nil {
		return err
	}
	return n.nets.explain(n.nets.sched.Cancel(ctx, n.ref), n.place())
}

// Abort ends the net at the next tick, whatever it is doing.
func (n *Net) Abort(ctx context.Context) error {
	if err := n.must("abort", Running, Cancelling); err != nil {
		return err
	}
	return n.nets.explain(n.nets.sched.Abort(ctx, n.ref), n.place())
}

func (n *Net) must(verb string, states ...State) error {
	n.nets.mu.Lock()
	defer n.nets.mu.Unlock()
	if n.hidden() {
		return refuse(ErrNoNet, n.place(), "it is being unloaded")
	}
	if !slices.Contains(states, n.state) && !(n.promised && slices.Contains(states, Running)) {
		return refuse(ErrState, n.place(), "cannot %s while %s", verb, n.state)
	}
	return nil
}

// Unload removes the net, or, if it still runs, as soon as it has ended. Observers see Terminated (again) and, when
// everything is given back, Unloaded.
func (n *Net) Unload(context.Context) error {
	n.nets.mu.Lock()
	if n.hidden() {
		n.nets.mu.Unlock()
		return refuse(ErrNoNet, n.place(), "it is being unloaded")
	}
	again := n.unloading
	n.unloading = true
	n.nets.ring()
	n.nets.mu.Unlock()
	if !again {
		n.retire()
	}
	return nil
}

// retire gives the slot back, when the net has ended. It waits for the scheduler, which therefore must not wait for ground.mu.
func (n *Net) retire() {
	if n.program == nil {
		n.nets.mu.Lock()
		defer n.nets.mu.Unlock()
		n.gone()
		return
	}
	err := n.nets.sched.Retire(context.Background(), n.ref)
	n.nets.mu.Lock()
	defer n.nets.mu.Unlock()
	switch {
	case err == nil:
		if !n.active() {
			n.sayFarewell()
			n.nets.ring()
		}
	case errors.Is(err, sched.ErrClosed):
	default:
		n.nets.log.Error("net keeps its slot", zap.String("net", n.name), zap.Error(err))
	}
}

// sayFarewell informs observers again that the net has ended, before it is gone. ground.mu is held.
func (n *Net) sayFarewell() {
	if !n.farewell {
		n.farewell = true
		n.enter(Terminated)
	}
}

// gone is the end of a net's life. ground.mu is held.
func (n *Net) gone() {
	ns := n.nets
	n.sayFarewell()
	n.endProbes(refuse(ErrNoNet, n.place(), "it is unloaded"))
	delete(ns.bySlot, n.ref)
	ns.remove(n.name)
	if n.session != nil {
		n.session.leaves(n)
	}
	ns.uncount(n)
	if n.program != nil {
		n.giveBack() // a rejected net has given it back at once
	}
	n.enter(Unloaded)
	ns.ring()
}

// explain turns a refusal of the scheduler into one with names.
func (ns *Nets) explain(err error, place string) error {
	ns.mu.Lock()
	defer ns.mu.Unlock()
	return ns.explainLocked(err, place)
}

func (ns *Nets) explainLocked(err error, place string) error {
	var taken *sched.TakenError
	var shared *sched.SharedError
	var state *sched.NotStartableError
	var followed *sched.FollowedError
	var load *sched.LoadError
	var over *sched.OverError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, sched.ErrUnknown): // between the look at its state and the command
		return refuse(ErrNoNet, place, "unloaded in the meantime")
	case errors.Is(err, sched.ErrClosed):
		return refuse(ErrClosed, place, "")
	case errors.As(err, new(sched.NoCommonTickError)):
		return refuse(ErrState, place, "%v", err)
	case errors.As(err, &followed):
		return refuse(ErrState, place, "%s is to follow %s already", ns.nameOf(followed.Follower), ns.nameOf(followed.Net))
	case errors.Is(err, sched.ErrTooMany), errors.Is(err, sched.ErrProbes), errors.Is(err, sched.ErrFull):
		return refuse(ErrTooMany, place, "%v", err)
	case errors.As(err, &taken):
		return refuse(ErrResource, place, "resource %s is held by %s", taken.Resource, ns.nameOf(taken.Holder))
	case errors.As(err, &shared):
		return refuse(ErrResource, place, "%s and %s both need %s", ns.nameOf(shared.Nets[0]), ns.nameOf(shared.Nets[1]), shared.Resource)
	case errors.As(err, &over):
		return refuse(ErrState, place, "it has ended")
	case errors.As(err, &load):
		return refuse(ErrLoad, place, "%s", load.Told(ns.nameOf(load.Net)))
	case errors.As(err, &state):
		return refuse(ErrState, place, "%s cannot be started, it is %v", ns.nameOf(state.Net), state.State)
	default:
		return fmt.Errorf("%s: %w", place, err)
	}
}

func (ns *Nets) nameOf(ref sched.Ref) string {
	if n := ns.bySlot[ref]; n != nil {
		return n.name
	}
	return "a net that is gone"
}
