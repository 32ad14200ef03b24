package sched

import "github.com/softrobot-rcc/rccd/internal/rt"

// drive runs all executors on the virtual clock, in the order of the instants of their ticks; those of one instant in
// the order of their periods, the real-time class first.
func (s *Scheduler) drive() {
	defer s.virtual.Leave()
	for {
		x, at := s.nextTick()
		reached := s.virtual.Await(at, s.poke)
		if s.isClosed() {
			return
		}
		if !reached {
			s.now.Store(s.virtual.Now())
			s.settleBetweenTicks()
			continue
		}
		s.now.Store(at)
		s.instant(x, at)
	}
}

// instant does all ticks that are due. It holds the turn for that time: their consequences are decided once, after the last one,
// and do not depend on which was the first.
func (s *Scheduler) instant(x *executor, at int64) {
	s.turn.Add(1)
	for due := at; due == at; x, due = s.nextTick() {
		x.tick(at, at, 0)
		x.next.Store(at + x.period)
	}
	s.serve()
}

func (s *Scheduler) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

func (s *Scheduler) wakeDriver() {
	select {
	case s.poke <- struct{}{}:
	default:
	}
}

// nextTick finds the executor whose turn it is. One without anything to do does not tick.
func (s *Scheduler) nextTick() (first *executor, at int64) {
	at = rt.Never
	for i := range s.executorsUsed() {
		x := s.executor(i)
		if x == nil || !x.wakes(s.now.Load()) {
			continue
		}
		if next := x.next.Load(); first == nil || next < at || next == at && x.before(first) {
			first, at = x, next
		}
	}
	return first, at
}

func (x *executor) before(other *executor) bool {
	if x.period != other.period {
		return x.period < other.period
	}
	if x.realtime != other.realtime {
		return x.realtime
	}
	return x.cpu < other.cpu
}

// wakes reports whether the executor has anything to do, and sees to it that its next tick is known.
func (x *executor) wakes(now int64) bool {
	busy := x.busy()
	if busy && !x.active {
		x.next.Store(x.newest(now) + x.period)
	}
	x.active = busy
	return busy
}

// settleBetweenTicks applies commands at the tick boundary where virtual time stands: here every executor may take its
// mail, so that neither stopped nets nor mail wait for time to go on.
func (s *Scheduler) settleBetweenTicks() {
	s.skipIdleTicks()
	s.pass()
	visible := s.word.Load() & decisions
	for i := range s.executorsUsed() {
		if x := s.executor(i); x != nil {
			x.fetch(visible)
			x.choose(s.now.Load() + 1)
		}
	}
	s.pass()
}

// skipIdleTicks makes the ticks count as done in which idle executors had nothing to do.
func (s *Scheduler) skipIdleTicks() {
	now := s.now.Load()
	for i := range s.executorsUsed() {
		if x := s.executor(i); x != nil && x.done.Load() < x.newest(now) {
			x.begun.Store(x.newest(now))
			x.done.Store(x.newest(now))
		}
	}
}
