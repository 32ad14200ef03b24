package sched

import (
	"context"
	"slices"

	"github.com/softrobot-rcc/rccd/rcc/net"
)

// Switch is a change of what runs, made at one tick boundary. The lists must not overlap.
type Switch struct {
	Stop   []Ref // ended unconditionally; nets that do not run are skipped
	Cancel []Ref // asked to come to an end (§5.3.3); nets that do not run are skipped
	Start  []Ref
}

// command is a request to the turn. A goroutine fills it while it is free, the turn reads it.
type command struct {
	kind                commandKind
	net                 Ref // to be retired
	stop, cancel, start []Ref
	all                 op      // opStop or opCancel of all nets but residents: stop or cancel are filled in when it is queued
	rule                uint32  // place in the table of rules
	probe               Ref     // place in the table of probes, and the how many-th one it is there
	refusal             refusal // written in the turn

	// goroutines only
	answer chan refusal // has room for the one answer
	entry  *ruleEntry
	attach *net.Probe
	id     ProbeID
}

type commandKind uint8

const (
	commandSwitch commandKind = iota
	commandRetire
	commandRule
	commandAttach
	commandDetach
)

// Switch makes all of a change, or none of it and returns an error. Nets start at the first tick that all nets to be
// stopped and started have in common. It returns when the change is committed and OnEvent has been called for the events
// that it caused; only nets of different periods that virtual time has not brought to their common tick yet end later.
// When ctx ends before, the change may still happen.
func (s *Scheduler) Switch(ctx context.Context, sw Switch) error {
	return s.request(ctx, command{kind: commandSwitch, stop: sw.Stop, cancel: sw.Cancel, start: sw.Start})
}

// Abort ends nets unconditionally.
func (s *Scheduler) Abort(ctx context.Context, nets ...Ref) error {
	return s.Switch(ctx, Switch{Stop: nets})
}

// Cancel asks nets to come to an end.
func (s *Scheduler) Cancel(ctx context.Context, nets ...Ref) error {
	return s.Switch(ctx, Switch{Cancel: nets})
}

// Start starts nets at the same tick.
func (s *Scheduler) Start(ctx context.Context, nets ...Ref) error {
	return s.Switch(ctx, Switch{Start: nets})
}

// Retire removes a net: it becomes unknown as soon as it does not run. NetGone follows when the cycle no longer uses it.
func (s *Scheduler) Retire(ctx context.Context, net Ref) error {
	return s.request(ctx, command{kind: commandRetire, net: net})
}

// request posts a command and waits for its answer.
func (s *Scheduler) request(ctx context.Context, c command) error {
	answer, err := s.enqueue(ctx, c)
	if err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case r := <-answer:
		return s.errorOf(r)
	}
}

// carryOut posts a command and waits for its answer, also when ctx ends.
func (s *Scheduler) carryOut(ctx context.Context, c command) error {
	answer, err := s.enqueue(ctx, c)
	if err != nil {
		return err
	}
	return s.errorOf(<-answer)
}

// enqueue posts a command when there is a place for it.
func (s *Scheduler) enqueue(ctx context.Context, c command) (answer <-chan refusal, err error) {
	var index uint32
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case index = <-s.freeCommands:
	}
	c.answer = make(chan refusal, 1)
	if err := s.post(index, c); err != nil {
		s.freeCommands <- index
		return nil, err
	}
	return c.answer, nil
}

// post checks what only goroutines know and queues the command. That both happens under the mutex makes every command
// that names a net precede the one that retires it.
func (s *Scheduler) post(index uint32, c command) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	switch c.all {
	case opStop:
		c.stop = s.guests()
	case opCancel:
		c.cancel = s.guests()
	default:
	}
	if err := s.check(&c); err != nil {
		return err
	}
	s.expectCost(c.start)
	switch c.kind {
	case commandRetire:
		p := s.slots.at(c.net.slot)
		if !s.known(c.net) || p.retiring {
			return ErrUnknown
		}
		p.retiring = true
	case commandRule:
		if err := s.place(&c); err != nil {
			return err
		}
	case commandAttach:
		if err := s.placeProbe(&c); err != nil {
			return err
		}
	case commandDetach:
		if err := s.findProbe(&c); err != nil {
			return err
		}
	}
	*s.command(index) = c
	at := s.queued.Load()
	s.queue[at%maxCommands] = index
	s.queued.Store(at + 1)
	s.requestTurn()
	return nil
}

func (s *Scheduler) check(c *command) error {
	c.stop, c.cancel, c.start = slices.Clone(c.stop), slices.Clone(c.cancel), slices.Clone(c.start)
	named := map[Ref]bool{}
	for _, list := range [][]Ref{c.stop, c.cancel, c.start} {
		for _, r := range list {
			if !s.known(r) {
				return ErrUnknown
			}
			if named[r] {
				return &OverlapError{r}
			}
			named[r] = true
		}
	}
	users := map[uint32]Ref{}
	for _, r := range c.start {
		for _, n := range s.slots.at(r.slot).resources {
			if other, shared := users[n]; shared {
				return &SharedError{s.names[n].Resource, [2]Ref{other, r}}
			}
			users[n] = r
		}
	}
	return nil
}

// command finds the place of a command (cycle).
func (s *Scheduler) command(index uint32) *command { return &s.commands[index%maxCommands] }

// answered hands out the answer to a command and frees its place.
func (s *Scheduler) answered(n note) {
	c := s.command(n.index)
	if n.refusal.reason != fine {
		s.takeBack(c)
	}
	answer := c.answer
	*c = command{}
	answer <- n.refusal
	s.freeCommands <- n.index
}

// takeBack undoes what was done for a command that has been refused.
func (s *Scheduler) takeBack(c *command) {
	switch c.kind {
	case commandRetire:
		s.mu.Lock()
		defer s.mu.Unlock()
		s.slots.at(c.net.slot).retiring = false
	case commandRule:
		s.freeRule(c.rule)
	case commandAttach:
		s.freeProbe(c.probe.slot, false)
	default:
	}
}
