package rcc

import (
	"context"
	"sync"
)

// Changes informs observers of changes.
type Changes struct{ *ground }

// Observer learns of changes of the states of nets, rules, sessions and devices. It is never called back: its bell rings, and it reads
// what it is interested in.
type Observer struct {
	bells *bells
	bell  chan struct{}
	lists bool

	changed []any // since it was asked last; guarded by the mutex of bells
	all     bool
	begins  bool // it hears of first cycles
}

// keptChanges is how many nets and rules an observer may be behind before it has to look at all of them.
const keptChanges = 1024

// Observe returns an observer. The caller closes it.
func (ch *Changes) Observe() *Observer { return ch.bells.add(true) }

// Watch returns a bell that rings after every change of a state: of nets, rules, sessions or devices. Rings that were
// not received merge into one. stop ends it.
func (ch *Changes) Watch() (bell <-chan struct{}, stop func()) {
	o := ch.bells.add(false)
	return o.Bell(), o.Close
}

// Settle returns when everything that the cycle has decided so far can be observed.
func (ch *Changes) Settle(ctx context.Context) error { return ch.sched.Settle(ctx) }

// Bell returns a channel that receives after every change. Rings that were not received merge into one.
func (o *Observer) Bell() <-chan struct{} { return o.bell }

// Changed returns the nets and rules (*Net, *Rule) whose states have changed since the last call, some more than once, or reports that
// there were too many. The changes in the list are already visible.
func (o *Observer) Changed() (list []any, all bool) {
	o.bells.mu.Lock()
	defer o.bells.mu.Unlock()
	list, all = o.changed, o.all
	o.changed, o.all = nil, false
	return list, all
}

// HearBeginnings makes the bell ring when a net has completed its first cycle, too, from now on; Changed returns such a net. Other
// observers are not woken by it.
func (o *Observer) HearBeginnings() {
	o.bells.mu.Lock()
	defer o.bells.mu.Unlock()
	o.begins = true
}

// Close ends the observation.
func (o *Observer) Close() {
	o.bells.mu.Lock()
	defer o.bells.mu.Unlock()
	delete(o.bells.each, o)
}

// bells are those of all observers. They may be rung whatever else is locked.
type bells struct {
	mu   sync.Mutex
	each map[*Observer]struct{}
}

func (b *bells) add(lists bool) *Observer {
	o := &Observer{bells: b, bell: make(chan struct{}, 1), lists: lists}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.each == nil {
		b.each = map[*Observer]struct{}{}
	}
	b.each[o] = struct{}{}
	return o
}

// note records a change for observers. The caller rings later.
func (b *bells) note(subject any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for o := range b.each {
		o.note(subject)
	}
}

// begun has those know who want to that a net is through with its first cycle.
func (b *bells) begun(n *Net) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for o := range b.each {
		if o.begins {
			o.note(n)
			o.ring()
		}
	}
}

func (b *bells) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for o := range b.each {
		o.ring()
	}
}

// note keeps what has changed. The mutex of bells is held.
func (o *Observer) note(subject any) {
	switch {
	case !o.lists || o.all:
	case len(o.changed) == keptChanges:
		o.changed, o.all = nil, true
	default:
		o.changed = append(o.changed, subject)
	}
}

func (o *Observer) ring() {
	select {
	case o.bell <- struct{}{}:
	default:
	}
}
