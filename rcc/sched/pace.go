package sched

import (
	"cmp"
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/internal/guard"
	"github.com/softrobot-rcc/rccd/internal/rt"
)

// executorFor finds the executor of a period and class on the CPU that has least to do, or makes it, in the place of one
// without nets when there is no other. Without any place left it is one on another CPU. The mutex is held.
func (s *Scheduler) executorFor(k key) (*executor, error) {
	loads := s.loads()
	cpus := make([]int, len(loads))
	for i := range cpus {
		cpus[i] = i
	}
	slices.SortStableFunc(cpus, func(a, b int) int { return cmp.Compare(loads[a], loads[b]) })
	place := s.freePlace()
	for _, cpu := range cpus {
		if x := s.executorOn(k, cpu); x != nil {
			return x, nil
		}
		if place >= 0 {
			return s.addExecutor(k, cpu, place), nil
		}
	}
	return nil, ErrPeriods
}

func (s *Scheduler) executorOn(k key, cpu int) *executor {
	for i := range s.executors {
		if x := s.executors[i].Load(); x != nil && x.key == k && x.cpu == cpu {
			return x
		}
	}
	return nil
}

// freePlace is where a new executor can be put, -1 for nowhere. It is the first place that is free, as the cycle looks at all
// up to the last one.
func (s *Scheduler) freePlace() int {
	empty := -1
	for i := range s.executors {
		switch x := s.executors[i].Load(); {
		case x == nil:
			return i
		case x.nets.Load() == 0:
			empty = i
		}
	}
	return empty
}

// addExecutor puts a new executor into the table, in the place of another one if that has to be. The mutex is held.
func (s *Scheduler) addExecutor(k key, cpu, place int) *executor {
	if s.executors[place].Load() != nil {
		s.dismissExecutor(place)
	}
	x := newExecutor(s, k, uint(place), s.clock.Now())
	x.cpu = cpu
	x.thread = s.threadOf(k, cpu)
	x.observer.cpu = s.observed(cpu)
	if s.incidents[place] == nil {
		s.incidents[place] = new(incidents)
	}
	x.incidents = s.incidents[place]
	if s.real != nil {
		x.next.Store(rt.Never)
		s.living++
		s.looping[x] = struct{}{}
		guard.In(&s.loops, "executor", x.loop)
	}
	s.executors[place].Store(x)
	s.used.Store(max(s.used.Load(), int32(place+1)))
	return x
}

// dismissExecutor takes an executor that has no nets out of the table. The mutex is held.
func (s *Scheduler) dismissExecutor(place int) {
	x := s.executors[place].Swap(nil)
	s.retireExecutor(x)
	x.dismiss()
	if s.real != nil {
		s.living--
	}
}

// retired is an executor that has gone from the table. Detached threads that are in a step which they began before may
// still look at it, and the collector does not see that they do.
type retired struct {
	executor *executor
	steps    map[*executor]uint64 // of those that were awake then
}

// retireExecutor keeps an executor until all others have slept, or sleep already. The mutex is held.
func (s *Scheduler) retireExecutor(dead *executor) {
	if s.config.Threads == nil {
		return
	}
	s.retired = slices.DeleteFunc(s.retired, s.forgotten)
	g := retired{dead, map[*executor]uint64{}}
	for x := range s.looping {
		if steps := x.steps.Load(); steps%2 == 0 {
			g.steps[x] = steps
		}
	}
	s.retired = append(s.retired, g)
}

func (s *Scheduler) forgotten(g retired) bool {
	for x, steps := range g.steps {
		if _, loops := s.looping[x]; loops && x.steps.Load() == steps {
			return false
		}
	}
	return true
}

func (x *executor) dismiss() {
	x.dismissed.Store(true)
	x.alarm.Ring()
}

// loop is the life of an executor on the real clock. It ends after having had no net for a while.
func (x *executor) loop() {
	for {
		x.coming = x.begun.Load() + x.period
		if x.run(); x.s.leave(x) {
			return
		}
	}
}

// pace ticks in an ordinary goroutine until the executor is dismissed or has rested for long.
func (x *executor) pace() {
	for x.ahead() {
		if !x.awake(x.s.real.SleepUntil(x.until, &x.alarm)) {
			return
		}
	}
}

// ahead says until when to sleep; it returns false when the executor is dismissed (cycle).
//
// One that has nothing to do rests instead of ticking: whoever sends it mail rings its alarm, as do commands that nobody
// else would look at soon. It says that it rests before it looks for them a last time.
func (x *executor) ahead() bool {
	x.alarm.Clear()
	x.idle = x.s.real.Now()
	x.until = x.plan(x.breathe(x.coming, x.idle), x.idle)
	if x.dismissed.Load() {
		return false
	}
	if x.s.pending() {
		x.s.pass()
	}
	if x.rests() && x.s.overdue.Load() {
		x.alarm.Ring() // it is not the one to rest now
	}
	x.steps.Add(1)
	return true
}

// An executor that never finishes before its next tick has its CPU for itself: executors of lower priority would stand
// still forever, perhaps in the middle of a turn, and on a machine with one CPU so would everything else.
const (
	tireless = 8  // periods without sleep after which an executor leaves ticks out
	share    = 16 // part of the time that others get then
)

// breathe returns when the next tick is going to be, which is later for one that has not slept for long (cycle).
func (x *executor) breathe(next, now int64) int64 {
	if next-x.spin <= now && x.unbroken > tireless*x.period {
		x.pause = x.newest(now+x.unbroken/share) + x.period
	}
	next = max(next, x.pause)
	if next-x.spin > now {
		x.unbroken = 0
	}
	return next
}

// awake does what there is to do after a sleep that came to its end, or that the alarm has interrupted. Missed ticks are
// counted and skipped. It returns false when the executor has rested for long (cycle).
func (x *executor) awake(slept bool) bool {
	x.steps.Add(1)
	switch rests := x.rests(); {
	case rests && slept:
		return x.nets.Load() > 0 // then it keeps its thread
	case rests:
		x.longest = longest{} // what it did before the rest delays nothing
		x.coming = x.catchUp(x.s.real.Now())
	case slept:
		woken := x.s.real.Now()
		due := x.newest(woken)
		x.tick(due, woken, x.ticks(due-x.coming))
		x.coming = due + x.period
	}
	return true
}

// plan publishes when the executor is going to tick next, if at all, and returns until when it may sleep.
func (x *executor) plan(next, now int64) int64 {
	x.next.Store(next)
	if x.idles() {
		x.next.Store(rt.Never)
		if x.idles() { // as it was until everybody could see that it rests
			return now + int64(x.s.config.Linger)
		}
		x.next.Store(next)
	}
	return next
}

// idles reports whether there is nothing to do, and no rule that may give it something to do at any time.
func (x *executor) idles() bool { return !x.busy() && x.expected.Load() <= 0 }

// await keeps the executor awake as long as rules wait to start nets of it.
func (x *executor) await(rules int32) {
	if x.expected.Add(rules) > 0 && x.rests() {
		x.alarm.Ring()
	}
}

// catchUp ends a rest: it goes through the newest tick, in which nothing runs, and returns the instant of the next one.
func (x *executor) catchUp(woken int64) int64 {
	due := x.newest(woken)
	if due > x.begun.Load() {
		x.tick(due, woken, 0)
	}
	return due + x.period
}

// wakeUp is how long before its next tick an executor that rests has to be woken: as long as 999 of 1,000 wake-ups take beside
// collections and clients. Every start on such an executor waits for that long.
const wakeUp = int64(250 * time.Microsecond)

// settleIn is how long an executor takes that has no thread yet.
const settleIn = int64(3 * time.Millisecond)

func (x *executor) rests() bool { return x.next.Load() == rt.Never }

// requestTurn sees to it that somebody looks at the commands soon. The mutex is held.
func (s *Scheduler) requestTurn() {
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

// patience is how long commands wait for the next tick before an executor is woken for them, which costs it some microseconds: at the start
// of a cell each device waits for its command.
const patience = int64(500 * time.Microsecond)

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

// leave takes an executor out of the table, unless it has got nets in the meantime. Then it sees to the commands once more: it
// may be the one that was woken for them, and when it is the last one goroutines look at them from now on. Before, they do
// not: a goroutine can be stopped in the midst of a turn, by a collection for instance, and all decisions would wait for it.
func (s *Scheduler) leave(x *executor) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !x.dismissed.Load() {
		if x.nets.Load() > 0 {
			return false
		}
		s.dismissExecutor(int(x.index))
	}
	delete(s.looping, x)
	if s.living == 0 || s.pending() {
		s.requestTurn()
	}
	return true
}
