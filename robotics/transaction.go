package robotics

import (
	"slices"

	"github.com/softrobot-rcc/rccd/robotics/graph"
)

// transaction ends when none of its commands is active.
func (b *builder) transaction(l *mapped, t *TransactionCommand) {
	m := b.m
	if len(t.starts) == 0 {
		m.Part(t.name).Fail(ErrNothingStarts)
	}
	var busy, wrong []graph.Signal[bool]
	var failing []*mapped
	for _, c := range t.children {
		child := b.life(c, l)
		if child == nil {
			continue
		}
		l.children = append(l.children, child)
		busy = append(busy, child.active)
		if !child.failed.Open() && !expects(t, c) {
			wrong = append(wrong, child.failed)
			failing = append(failing, child)
		}
	}
	l.ending = l.active
	if len(busy) > 0 {
		l.ending = m.And(l.active, graph.Not(graph.Or(busy...)))
	}
	if slices.ContainsFunc(t.starts, func(s start) bool { return s.when != nil }) {
		l.ending = m.And(l.ending, graph.Not(graph.Rising(l.active))) // they start one cycle later
	}
	if len(wrong) > 0 {
		l.failed = m.And(l.started, graph.Or(wrong...))
		for _, child := range l.children {
			for _, other := range failing {
				if other != child {
					child.bringDown(other.failed)
				}
			}
		}
	}
}

// bringDown cancels a command that goes on beside one that has failed, and what it consists of unless its author has said how it is
// to end.
func (l *mapped) bringDown(when graph.Signal[bool]) {
	l.cancels = append(l.cancels, when)
	if t, is := l.of.(*TransactionCommand); is && hasOwnWay(t) {
		return
	}
	for _, child := range l.children {
		child.bringDown(when)
	}
}

// hasOwnWay reports whether a transaction does something itself when it is cancelled.
func hasOwnWay(t *TransactionCommand) bool {
	return slices.ContainsFunc(t.handlers, func(h handler) bool {
		return mentions(h.state, func(s State) bool { return s == State(commandState{t, cancelled}) })
	})
}

// expects reports whether a transaction reacts to the failure of a command of it.
func expects(t *TransactionCommand, c Command) bool {
	return slices.ContainsFunc(t.handlers, func(h handler) bool {
		return mentions(h.state, func(s State) bool { return s == State(commandState{c, failed}) })
	})
}

// begins is true when a command is started with its transaction. A state that decides about it does so like an event.
func (b *builder) begins(l, p *mapped) (when []graph.Signal[bool]) {
	for _, s := range p.of.(*TransactionCommand).starts { //nolint:forcetypeassert // only transactions are parents
		switch {
		case s.command != l.of:
		case s.when == nil:
			when = append(when, p.active)
		default:
			l.starts = append(l.starts, b.m.And(graph.Rising(p.active), b.state(s.when)))
		}
	}
	return when
}
