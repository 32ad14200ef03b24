package sched

import "math"

// change makes a decision: everything in it holds from one instant on, which it returns, or nothing is changed.
func (s *Scheduler) change(c *command, cause Cause) (at int64, r refusal) {
	s.visit++
	for _, n := range c.stop {
		if life := s.life(n); life != nil {
			life.visited = s.visit
		}
	}
	if r = s.startable(c.start); r.reason != fine {
		return 0, r
	}
	s.settle(c.start)
	if r = s.fits(c); r.reason != fine {
		s.unsettle(c.start)
		return 0, r
	}
	meet, ok := s.meet(c)
	if !ok {
		s.unsettle(c.start)
		return 0, refusal{reason: noCommonTick}
	}
	executors, after := s.handing(c)
	s.stage(c, executors)
	at = s.commit(c, meet, after)
	s.enact(c, at, cause)
	return at, refusal{}
}

// startable looks for what keeps nets from being started (§6.1). Resources are available when they are free or belong
// to a net that is stopped by the same change (§6.2).
func (s *Scheduler) startable(nets []Ref) refusal {
	if len(nets) > 0 && s.draining.Load() {
		return refusal{reason: drained}
	}
	for _, n := range nets {
		life := s.life(n)
		if life == nil {
			return refusal{reason: unknown, net: n}
		}
		if life.state != Ready {
			return refusal{reason: notStartable, net: n, state: life.state}
		}
		for _, r := range s.slots.at(n.slot).resources {
			user := *s.users.at(r)
			if holder := s.nets.at(user - 1); user != 0 && holder.runs() && holder.visited != s.visit {
				return refusal{reason: taken, net: n, resource: r, holder: Ref{user - 1, holder.generation}}
			}
		}
	}
	return refusal{}
}

// meet returns the period of the ticks at which nets can be started together with those to be stopped, zero when there
// is nothing to start.
func (s *Scheduler) meet(c *command) (meet int64, ok bool) {
	if len(c.start) == 0 {
		return 0, true
	}
	meet, ok = 1, true
	for _, n := range c.start {
		meet, ok = commonPeriod(meet, s.executorOf(n.slot).period, ok)
	}
	for _, n := range c.stop {
		if life := s.life(n); life != nil && life.runs() && !life.stopping {
			meet, ok = commonPeriod(meet, s.executorOf(n.slot).period, ok)
		}
	}
	return meet, ok
}

// commonPeriod is the least common multiple, as long as it makes sense to wait for it.
func commonPeriod(a, b int64, ok bool) (int64, bool) {
	g, rest := a, b
	for rest != 0 {
		g, rest = rest, g%rest
	}
	if g == 0 || b == 0 || a/g > math.MaxInt64/b {
		return 1, false
	}
	common := a / g * b
	return common, ok && (common == a || common == b || common <= longestWait)
}

// stage writes the parts of a change that have an effect to the mailboxes, under a decision that is not made yet.
func (s *Scheduler) stage(c *command, after uint64) {
	decision := s.word.Load()&decisions + 1
	for _, n := range c.stop {
		if life := s.life(n); life != nil && life.runs() && (!life.stopping || s.sooner(c, life)) {
			s.send(life, mail{decision: decision, op: opStop, net: n})
		}
	}
	for _, n := range c.cancel {
		if life := s.life(n); life != nil && life.state == Running {
			s.send(life, mail{decision: decision, op: opCancel, net: n})
		}
	}
	for _, n := range c.start {
		if life := s.life(n); life != nil {
			m := mail{decision: decision, op: opStart, net: n, after: after}
			m.probe = s.watched(life, s.executorOf(n.slot).posted.Load()+1)
			s.send(life, m)
		}
	}
}

// sooner reports whether a net that is to go on until it is replaced can be stopped before: by a change that replaces nothing.
func (s *Scheduler) sooner(c *command, life *life) bool {
	return len(c.start) == 0 && s.floor()+1 < life.until
}

// handing returns what the nets to be started have to wait for: the executors that may be late in a tick of a net which
// they replace, and the last instant at which such a net may still run. Those are the nets that are stopped for them, and
// those that were stopped before and have not come to their end: a net in between, which was to replace these and is
// stopped before it has run, does not make them go.
func (s *Scheduler) handing(c *command) (executors uint64, last int64) {
	if len(c.start) == 0 {
		return 0, 0
	}
	for _, n := range c.stop {
		if life := s.life(n); life != nil && life.runs() {
			executors |= s.executorOf(n.slot).bit()
			if life.stopping {
				last = max(last, life.until-1)
			}
		}
	}
	s.list++
	for _, n := range c.start {
		s.claim(n.slot)
	}
	for _, i := range s.stopping.list() {
		if life := s.nets.at(i); life.runs() && s.contested(i) {
			executors |= s.executorOf(i).bit()
			last = max(last, life.until-1)
		}
	}
	return executors, last
}

// claim is the net on a list that needs a resource. Resources that two lists have in common are found by going through each of
// them once, however many nets are exchanged in one decision.
type claim struct {
	list uint64
	slot uint32
}

const several = ^uint32(0) // nets on the list need it

// claim puts a net on the newest list.
func (s *Scheduler) claim(slot uint32) {
	for _, r := range s.slots.at(slot).resources {
		c := s.claims.at(r)
		switch {
		case c.list != s.list:
			c.list, c.slot = s.list, slot
		case c.slot != slot:
			c.slot = several
		}
	}
}

// contested reports whether another net on the newest list needs a resource of a net.
func (s *Scheduler) contested(slot uint32) bool {
	for _, r := range s.slots.at(slot).resources {
		if c := s.claims.at(r); c.list == s.list && c.slot != slot {
			return true
		}
	}
	return false
}

func (s *Scheduler) send(life *life, m mail) {
	x := s.executorOf(m.net.slot)
	at := x.posted.Load()
	*x.mail.at(at) = m
	x.posted.Store(at + 1)
	life.mail, life.staged = at+1, m.op
}

// commit gives the staged decision the first instant that no executor has reached and makes it visible, unless a tick has begun
// in between: then it looks again.
func (s *Scheduler) commit(c *command, meet, after int64) int64 {
	for staged := int64(0); ; {
		word := s.word.Load()
		at := max(s.floor(), s.awakeAt(c.start), after)
		if meet == 0 {
			at++
		} else {
			at = (at/meet + 1) * meet
		}
		if at != staged { // otherwise all is written: with many nets ticks begin faster than that
			s.date(c, at)
			staged = at
		}
		if s.word.CompareAndSwap(word, word+1) {
			return at
		}
	}
}

// date writes an instant into the mail of a change.
func (s *Scheduler) date(c *command, at int64) {
	for _, list := range [...][]Ref{c.stop, c.cancel, c.start} {
		for _, n := range list {
			if life := s.life(n); life != nil && life.staged != nothing {
				s.executorOf(n.slot).mail.at(life.mail - 1).at = life.holds(at)
			}
		}
	}
}

// holds is the instant from which a decision holds for the net: one that has been stopped before does not go on for longer.
func (l *life) holds(at int64) int64 {
	if l.staged == opStop && l.stopping {
		return min(at, l.until)
	}
	return at
}

// awakeAt is an instant after which executors that rest can tick again, if any of the nets is on such a one.
func (s *Scheduler) awakeAt(nets []Ref) (at int64) {
	for _, n := range nets {
		x := s.executorOf(n.slot)
		switch {
		case s.real == nil || !x.rests():
		case x.steps.Load() == 0:
			at = max(at, s.real.Now()+settleIn)
		default:
			at = max(at, s.real.Now()+wakeUp)
		}
	}
	return at
}

// enact notes what has been committed: cancellations, ends and starts, in this order.
func (s *Scheduler) enact(c *command, at int64, cause Cause) {
	for _, n := range c.cancel {
		if life := s.life(n); life != nil && life.staged == opCancel {
			if !life.announced {
				s.tellStart(n.slot)
			}
			life.staged, life.state = nothing, Cancelling
			s.note(note{kind: noteEvent, event: NetCancelling, net: n, cycle: s.stats(n.slot).cycles.Load(), time: s.clock.Unix(at), refusal: life.relief})
		}
	}
	for _, n := range c.stop {
		if life := s.life(n); life != nil && life.staged == opStop {
			if !life.stopping {
				s.stopping.add(n.slot)
			}
			life.until = life.holds(at)
			life.staged, life.stopping, life.cause = nothing, true, cause
			s.refund(n.slot)
		}
	}
	s.endStopped()
	for _, n := range c.start {
		if life := s.life(n); life != nil && life.staged == opStart {
			life.staged, life.state, life.from = nothing, Running, at
			s.touched |= netBit(n.slot)
			s.acquire(n.slot)
			s.charge(n.slot)
			s.wake(n.slot)
			s.starting.add(n.slot)
		}
	}
	s.announce()
}

// wake ends the rest of the executor of a net that has been sent mail.
func (s *Scheduler) wake(slot uint32) {
	if x := s.executorOf(slot); x.rests() {
		x.alarm.Ring()
	}
}

// acquire gives a net its resources. Nets that have ended lose theirs for good.
func (s *Scheduler) acquire(slot uint32) {
	for _, r := range s.slots.at(slot).resources {
		user := s.users.at(r)
		if *user != 0 && *user != slot+1 {
			s.nets.at(*user - 1).lost = true
			s.touched |= netBit(*user - 1) // rules that named it know less now
		}
		*user = slot + 1
	}
}
