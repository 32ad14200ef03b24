package sched

import (
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
)

// executorFor finds the executor of a period and class or makes it, in the place of one without nets when there is no
// other. The mutex is held.
func (s *Scheduler) executorFor(k key) (*executor, error) {
	free, empty := -1, -1
	for i := range s.executors {
		switch x := s.executors[i].Load(); {
		case x == nil && free < 0: // the first one: the cycle looks at all up to the last
			free = i
		case x == nil:
		case x.key == k:
			return x, nil
		case x.nets == 0:
			empty = i
		}
	}
	if free < 0 && empty < 0 {
		return nil, ErrPeriods
	}
	if free < 0 {
		s.dismissExecutor(empty)
		free = empty
	}
	return s.hire(k, free), nil
}

// hire puts a new executor into the table. The mutex is held.
func (s *Scheduler) hire(k key, place int) *executor {
	x := newExecutor(s, k, uint(place), s.clock.Now())
	if s.real != nil {
		x.next.Store(rt.Never)
		s.living++
		s.loops.Go(x.loop)
	}
	s.executors[place].Store(x)
	s.used.Store(max(s.used.Load(), int32(place+1)))
	return x
}

// dismissExecutor takes an executor that has no nets out of the table. The mutex is held.
func (s *Scheduler) dismissExecutor(place int) {
	x := s.executors[place].Swap(nil)
	x.dismiss()
	if s.real != nil {
		s.living--
	}
}

func (x *executor) dismiss() {
	x.dismissed.Store(true)
	x.alarm.Ring()
}

// loop is an executor in an ordinary goroutine on the real clock. It ends after having had no net for a while.
func (x *executor) loop() {
	for {
		if x.pace(x.s.real); x.s.leave(x) {
			return
		}
	}
}

// pace ticks until the executor is dismissed or has rested for long. Missed ticks are counted and skipped.
//
// One that has nothing to do rests instead of ticking: whoever sends it mail rings its alarm, as do commands that nobody
// else would look at soon. It says that it rests before it looks for them a last time.
func (x *executor) pace(clock *rt.Real) {
	for next := x.begun.Load() + x.period; ; {
		x.alarm.Clear()
		until := x.plan(next, clock.Now())
		if x.dismissed.Load() {
			return
		}
		if x.s.hasCommands() {
			x.s.pass()
		}
		rung := !clock.SleepUntil(until, &x.alarm)
		switch rests := x.next.Load() == rt.Never; {
		case rests && !rung:
			return
		case rests:
			next = x.catchUp(clock.Now())
		case !rung:
			woken := clock.Now()
			due := x.newest(woken)
			x.tick(due, woken, x.ticks(due-next))
			next = due + x.period
		}
	}
}

// plan publishes when the executor is going to tick next, if at all, and returns until when it may sleep.
func (x *executor) plan(next, now int64) int64 {
	x.next.Store(next)
	if !x.busy() {
		x.next.Store(rt.Never)
		if !x.busy() { // as it was until everybody could see that it rests
			return now + int64(x.s.config.Linger)
		}
		x.next.Store(next)
	}
	return next
}

// catchUp ends a rest: it goes through the newest tick, in which nothing runs, and returns the instant of the next one.
func (x *executor) catchUp(woken int64) int64 {
	due := x.newest(woken)
	if due > x.begun.Load() {
		x.tick(due, woken, 0)
	}
	return due + x.period
}

// wakeUp is how long before its next tick an executor that rests has to be woken.
const wakeUp = int64(time.Millisecond)

func (x *executor) rests() bool { return x.next.Load() == rt.Never }

// summon sees to it that somebody looks at the commands soon. The mutex is held.
func (s *Scheduler) summon() {
	switch {
	case s.virtual != nil:
		s.wakeDriver()
	case s.living == 0:
		s.pass()
	default:
		if x := s.first(); x != nil && x.next.Load() > s.clock.Now()+patience {
			x.alarm.Ring()
		}
	}
}

// patience is how long commands wait for the next tick before an executor is woken for them.
const patience = int64(2 * time.Millisecond)

// first returns the executor that ticks next, of those that are not in a tick, which may take long.
func (s *Scheduler) first() (first *executor) {
	for i := range s.executorsUsed() {
		x := s.executor(i)
		if x != nil && !x.within(rt.Never) && (first == nil || x.next.Load() < first.next.Load()) {
			first = x
		}
	}
	return first
}

// leave takes an executor out of the table, unless it has got nets meanwhile. Then it looks at the commands once more: it
// may be the one that was woken for them, and when it is the last one goroutines do so from now on.
func (s *Scheduler) leave(x *executor) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !x.dismissed.Load() {
		if x.nets > 0 {
			return false
		}
		s.dismissExecutor(int(x.index))
	}
	s.pass()
	return true
}
