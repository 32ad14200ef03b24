package robotics

import (
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// event is what happens to a state.
type event uint8

const (
	entered event = iota
	left
	firstEntered
	firstLeft
)

// handler has effects when something happens to a state while its command is active.
type handler struct {
	state   State
	event   event
	effects []Effect
}

// Effect is what an event causes, from the cycle after it on.
type Effect interface {
	// apply takes the signal of the event, and the command to which the handler belongs.
	apply(b *builder, context Command, when graph.Signal[bool])
}

// noEffect is what is not there, or has nothing to be about.
type noEffect struct{}

func (noEffect) apply(b *builder, _ Command, _ graph.Signal[bool]) {
	b.m.Fail(ErrNoEffect)
}

// Start starts a command of the transaction that the handler belongs to. A command is started once: later events do nothing.
func Start(c Command) Effect { return startEffect{c} }

type startEffect struct{ command Command }

func (e startEffect) apply(b *builder, context Command, when graph.Signal[bool]) {
	t, ok := context.(*TransactionCommand)
	if !ok || !t.has(e.command) {
		b.m.Fail(&EffectError{"start", e.command, context})
		return
	}
	if l := b.find(e.command); l != nil {
		l.starts = append(l.starts, when)
	}
}

// Stop ends a command at once, without giving it time to bring anything to rest: Cancel is nearly always better. The command is
// that of the handler, or one of its transaction. A command that is stopped before it has started is not started any more.
func Stop(c Command) Effect { return stopEffect{c} }

type stopEffect struct{ command Command }

func (e stopEffect) apply(b *builder, context Command, when graph.Signal[bool]) {
	if l := b.reach("stop", e.command, context); l != nil {
		l.stops = append(l.stops, when)
	}
}

// Cancel asks a command to end: that of the handler, or one of its transaction. One that is not active yet is asked
// when it begins.
func Cancel(c Command) Effect { return cancelEffect{c} }

type cancelEffect struct{ command Command }

func (e cancelEffect) apply(b *builder, context Command, when graph.Signal[bool]) {
	if l := b.reach("cancel", e.command, context); l != nil {
		l.cancels = append(l.cancels, when)
	}
}

// Raise makes a state active for a cycle, for other handlers.
func Raise(r *Raised) Effect { return raiseEffect{r} }

type raiseEffect struct{ state *Raised }

func (e raiseEffect) apply(b *builder, context Command, when graph.Signal[bool]) {
	if e.state == nil {
		noEffect{}.apply(b, context, when)
		return
	}
	r := b.raised(e.state)
	r.reasons = append(r.reasons, when)
}

// External calls a function of the application for each event, soon, but without any guarantee of when (WorkflowEffect of
// §10.1.1). Functions of a command are called one after the other, and none is called after Wait has returned. They are called in the
// order of the cycles of their events, those of one cycle in the order in which they were added, of a transaction before those of what
// it consists of. Only if an event has happened several times before it is heard of, all its calls come where the last one belongs.
func External(do func()) Effect { return externalEffect{do} }

type externalEffect struct{ do func() }

func (e externalEffect) apply(b *builder, context Command, when graph.Signal[bool]) {
	if e.do == nil {
		noEffect{}.apply(b, context, when)
		return
	}
	times, cycle := b.m.Key(), b.m.Key()
	graph.Publish(b.m.Graph, times, b.count(when))
	graph.Publish(b.m.Graph, cycle, graph.Hold(b.cycle(), when, 0))
	b.externals = append(b.externals, external{"out" + times, "out" + cycle, e.do})
}

// external is a function that is called when a count rises: the variables are how often its event has happened, and in which cycle last.
type external struct {
	times, cycle string
	do           func()
}

// cycle counts the cycles of the net.
func (b *builder) cycle() graph.Signal[float64] {
	type key struct{}
	return mapping.Once(b.m, key{}, func() graph.Signal[float64] { return b.count(b.m.True()) })
}

// count returns the number of cycles with an event, however short they are and however late they are heard of: a clock that runs in
// them only.
func (b *builder) count(when graph.Signal[bool]) graph.Signal[float64] {
	perCycle := graph.Div(b.m.Real(1), b.m.CycleTime())
	p := b.m.Add("Core::Clock").Link("inActive", when.Port).Link("inIncrement", perCycle.Port)
	return mapping.Link[float64](p, "outValue")
}
