package sched

import (
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// key identifies an executor.
type key struct {
	period   int64
	realtime bool
}

// executor runs the nets of one period and class that are on one CPU.
type executor struct {
	s *Scheduler
	key
	index uint // in the table of executors
	cpu   int  // place in Config.CPUs

	begun, done atomic.Int64 // instants of the tick that was begun, or completed, last
	acted       atomic.Int64 // instant of the tick in which nets have published last

	mail            ring[mail] // written in the turn, read at tick boundaries
	posted, fetched atomic.Uint64
	reports         ring[report] // the other way round
	reported        atomic.Uint64

	// on the real clock
	thread        rt.Thread
	ordinary      atomic.Pointer[error] // why it is not a detached thread
	next          atomic.Int64          // instant of its next tick, Never while it rests
	alarm         rt.Alarm              // ends its sleep
	dismissed     atomic.Bool           // it is to leave its loop
	measurements  atomic.Uint64         // of its nets
	perNanosecond float64               // Share of a nanosecond in each period

	steps atomic.Uint64 // times that it has fallen asleep or woken up: odd while it sleeps

	figures   executorStats
	incidents *incidents

	// cycle only
	timed      bool // its thread tells how long it has been executed
	observer   observer
	coming     int64   // instant of the tick that comes next
	until      int64   // when it is going to wake up
	idle       int64   // when the step before was through
	spin       int64   // how long before a tick it stops sleeping and watches the clock
	unbroken   int64   // how long it has been executing nets, and deciding, since it slept
	pause      int64   // instant before which it does not tick, so that others come to their turn
	awaited    int64   // instant of the tick without which nets that it has dropped do not count as ended
	executed   float64 // part of the newest tick in which the thread was on its CPU
	beats      uint    // ticks since its nets were measured
	remeasured bool    // since then
	sample     int     // first one of the nets that are measured in this tick
	closely    int     // ticks in which all are, because one took long
	stalled    int64   // how long the thread was kept off its CPU in the newest tick
	longest    longest // net of the newest tick
	probed     bool    // one of its nets may have a probe
	entries    []entry // the first n, in the order of their slots
	n          int

	// turn only
	seen    int64  // done at the last turn
	heard   uint64 // reports read
	weighed uint64 // measurements

	// written by goroutines, under the mutex
	nets     atomic.Int32
	expected atomic.Int32 // rules that wait to start nets of it, each net counts

	// driver of virtual time only
	active bool
}

// longest is the net that took longest in a tick.
type longest struct {
	ran        bool   // there was a net
	net, cycle uint64 // label of the one that took longest of those that were measured, 0 for none
	blamed     bool
}

// mail is part of a decision.
type mail struct {
	decision uint64
	op       op
	net      Ref
	probe    uint32 // place+1 of the one to attach or detach; start: of the first one
	at       int64  // instant from which it holds
	after    uint64 // start: executors of the nets that are stopped for it
}

type op uint8

const (
	nothing op = iota
	opStop
	opCancel
	opStart
	opAttach
	opDetach
)

// report says that a net has ended by itself.
type report struct {
	net   Ref
	cause Cause
	code  int32
	cycle uint64
	time  int64
	overrun
}

// entry is a net in an executor: numbers only, the program is found through the slot.
type entry struct {
	net                 Ref
	label               uint64
	from, until, cancel int64
	after               uint64 // executors that may still be in a tick before from
	probes              uint32 // place+1 of the first one
	due                 bool   // runs in this tick
	measured            bool   // in this tick
	long                bool   // the cycle before was too long
	next                int64  // instant of the first tick that is neither done nor counted as missed
	woken               int64  // beginning of its last cycle
	took                int64  // from the one before
	missed              int64  // ticks in between
	late                bool
	spent               int64 // by the current cycle
	phases              [phaseCount]int64
	first               int64 // logical Unix time of its first cycle
	cycle               spec.Cycle
}

func newExecutor(s *Scheduler, k key, index uint, at int64) *executor {
	slots := len(s.slots.of)
	x := &executor{
		s: s, key: k, index: index,
		mail: newRing[mail](mailsPerSlot*slots + mailsPerProbe*len(s.probes.of)), reports: newRing[report](slots), entries: make([]entry, slots),
	}
	x.perNanosecond = perNanosecond(k.period)
	x.observer.of = s.outside
	clear(x.observer.room[:])
	clear(x.mail.of) // so that the system has given the memory before a tick asks for it
	clear(x.reports.of)
	clear(x.entries)
	x.seen = x.newest(at)
	x.begun.Store(x.seen)
	x.done.Store(x.seen)
	return x
}

// Neither a slot nor the place of a probe is used again before its mail has been fetched.
const (
	mailsPerSlot  = 4 // start, cancel, stop, stop sooner
	mailsPerProbe = 2 // attach, detach
)

// tick is the body of every executor: one tick of the grid, due at one instant and begun at another, after some missed
// ones (cycle).
func (x *executor) tick(due, woken, missed int64) {
	s := x.s
	if s.hasCommands() {
		s.pass()
	}
	x.begun.Store(due)
	x.fetch(s.beginTick())
	missed = x.owed(due, missed)
	x.noteLate(due, woken, missed, x.choose(due))
	x.prepare(due, woken)
	x.chooseMeasured()
	w := x.watch()
	x.phase(phaseSense, (*net.Program).Sense)
	x.phase(phaseRun, (*net.Program).Run)
	x.acted.Store(due)
	x.phase(phaseAct, (*net.Program).Act)
	x.keepProbed()
	x.stalled = x.stall(w)
	elapsed := w.elapsed()
	busy := elapsed - x.stalled
	x.executed = 1
	if x.stalled > 0 {
		x.executed = float64(max(0, busy)) / float64(elapsed)
	}
	x.figures.record(x, woken-due, missed, busy)
	x.unbroken += busy
	x.lookCloser(busy)
	x.finish()
	x.tellMeasured()
	x.done.Store(due)
	x.decide()
}

// decide comes to the turn. Decisions keep others from the CPU as nets do (cycle).
func (x *executor) decide() {
	came := rt.Stopwatch()
	x.s.pass()
	x.unbroken += rt.Stopwatch() - came
}

// owed is how many of the missed ticks there was something to do in: none of those before its first net began, or after
// its last one was stopped (cycle).
func (x *executor) owed(due, missed int64) int64 {
	if missed <= 0 {
		return 0
	}
	first, end, list := due, int64(0), x.running()
	for i := range list {
		first, end = min(first, list[i].from), max(end, list[i].until)
	}
	return max(0, x.ticks(min(due, end)-max(first, due-missed*x.period)))
}

// ticks is how many ticks a duration has (cycle).
func (x *executor) ticks(d int64) int64 {
	if x.period <= 0 {
		return 0
	}
	return d / x.period
}

// newest is the instant of the newest tick at another instant (cycle).
func (x *executor) newest(at int64) int64 { return x.ticks(at) * x.period }

// busy reports whether there are nets to run or mail to fetch, or a tick to come to that the end of a net waits for: a late
// executor has dropped the net already when others have reached the end, and is not there itself.
func (x *executor) busy() bool {
	return x.n > 0 || x.fetched.Load() != x.posted.Load() || x.done.Load() < x.awaited
}

// fetch takes the visible decisions out of the mailbox.
func (x *executor) fetch(visible uint64) {
	at, posted := x.fetched.Load(), x.posted.Load()
	if at == posted {
		return
	}
	for ; at != posted; at++ {
		m := x.mail.at(at)
		if m.decision > visible {
			break
		}
		x.obey(m)
	}
	x.fetched.Store(at)
}

func (x *executor) obey(m *mail) {
	if m.op == opStart {
		x.insert(entry{
			net: m.net, label: x.s.slots.at(m.net.slot).label, from: m.at, next: m.at, until: rt.Never, cancel: rt.Never, after: m.after, probes: m.probe,
		})
		x.probed = x.probed || m.probe != 0
		return
	}
	list := x.running()
	for i := range list {
		e := &list[i]
		switch {
		case e.net != m.net: // or it has ended by itself
		case m.op == opCancel:
			e.cancel = m.at
		case m.op == opStop:
			e.until = m.at
		case m.op == opAttach:
			x.linkProbe(e, m.probe)
		case m.op == opDetach:
			x.unlinkProbe(e, m.probe)
		}
	}
}

// running returns the entries in use.
func (x *executor) running() []entry {
	if uint(x.n) <= uint(len(x.entries)) {
		return x.entries[:x.n]
	}
	return nil
}

// insert adds an entry in the order of slots. It takes the place of the former net of its slot, which has been stopped.
func (x *executor) insert(e entry) {
	i := 0
	for _, other := range x.running() {
		if other.net.slot >= e.net.slot {
			break
		}
		i++
	}
	list := x.running()
	if k := uint(i); k < uint(len(list)) && list[k].net.slot == e.net.slot {
		list[k] = e
		return
	}
	x.n = min(x.n+1, len(x.entries))
	list = x.running()
	if k := uint(i); k < uint(len(list)) {
		copy(list[k+1:], list[k:])
		list[k] = e
	}
}

// keep takes an entry over when entries are filtered in place.
func (x *executor) keep(from int, e *entry) {
	if uint(x.n) < uint(len(x.entries)) {
		if x.n != from {
			x.entries[x.n] = *e
		}
		x.n++
	}
}

// choose drops the nets that have been stopped and marks those that are to run. It returns how many ticks were lost to one
// of them at its beginning or end, which is more than its executor has missed when others have gone on.
//
// An executor that is late must not run a net when the one that replaces it may have begun on another executor, nor that
// one before the late one is through: of the two, each publishes the tick that it begins before it looks at the other.
func (x *executor) choose(now int64) (lost int64) {
	reached := max(now, x.s.floor())
	list := x.running()
	x.n = 0
	for i := range list {
		e := &list[i]
		e.due = e.from <= now && x.handedOver(e)
		switch {
		case e.until <= reached:
			lost = max(lost, x.lose(e, e.until))
			x.awaited = max(x.awaited, e.until-x.period)
			continue
		case e.due && e.cycle.N == 0:
			lost = max(lost, x.ticks(now-e.next))
		case !e.due:
			lost = max(lost, x.lose(e, now+1))
		}
		x.keep(i, e)
	}
	return lost
}

// lose counts the ticks before an instant that a net has not had, and returns how many (cycle).
func (x *executor) lose(e *entry, before int64) int64 {
	n := x.ticks(before - e.next + x.period - 1)
	if n <= 0 {
		return 0 // the net may be forgotten already
	}
	x.s.stats(e.net.slot).missed.Add(uint64(n))
	e.next += n * x.period
	return n
}

// handedOver reports whether the nets that were stopped for this one are through with their last tick.
func (x *executor) handedOver(e *entry) bool {
	if e.after == 0 {
		return true
	}
	for i := range x.s.executorsUsed() {
		if y := x.s.executor(i); y != nil && e.after&y.bit() != 0 && y.within(e.from-1) {
			return false
		}
	}
	e.after = 0
	return true
}

// within reports whether the executor is in a tick that it began at an instant or before.
func (x *executor) within(at int64) bool {
	begun := x.begun.Load()
	return begun <= at && x.done.Load() < begun
}

func (x *executor) prepare(due, woken int64) {
	wall, unix := x.s.clock.Unix(woken), x.s.clock.Unix(due)
	list := x.running()
	for i := range list {
		if e := &list[i]; e.due {
			x.prepareOne(e, due, woken)
			e.cycle.Due, e.cycle.Wall = unix, wall
		}
	}
}

func (x *executor) prepareOne(e *entry, due, woken int64) {
	cy := &e.cycle
	if cy.N == 0 {
		e.first = x.s.clock.Unix(e.from)
		cy.Period = float64(x.period) / 1e9
	} else {
		e.took = woken - e.woken
	}
	e.missed = 0
	if due > e.next {
		e.missed = x.ticks(due - e.next)
	}
	e.late = x.isLate(due, woken)
	e.woken, e.next, e.spent = woken, due+x.period, 0
	cy.N++
	cy.Time = e.first + int64(cy.N-1)*x.period
	cy.Cancel, cy.Takeover = e.cancel <= due, x.s.slots.at(e.net.slot).followed.Load()
}

// isLate reports whether a tick has begun so late that it counts (cycle).
func (x *executor) isLate(due, woken int64) bool { return woken-due > x.period/2 }

// watch is when the phases of a tick began, and how long the thread had been executed then.
type watch struct {
	at, executed int64
}

func (x *executor) watch() watch {
	w := watch{at: rt.Stopwatch()}
	if x.timed {
		w.executed = rt.ThreadTime()
	}
	return w
}

func (w watch) elapsed() int64 { return rt.Stopwatch() - w.at }

// stall is how long the thread was kept off its CPU since: time that no net has used. Only ticks that took long are
// looked at (cycle).
func (x *executor) stall(w watch) int64 {
	elapsed := w.elapsed()
	if !x.timed || elapsed < x.period/8 {
		return 0
	}
	return max(0, elapsed-(rt.ThreadTime()-w.executed))
}

// phase runs one phase of all nets and measures it of some.
func (x *executor) phase(which uint, f func(*net.Program, *spec.Cycle)) {
	before, watched := int64(0), false // by the stopwatch
	list := x.running()
	for i := range list {
		e := &list[i]
		switch {
		case !e.due:
			continue
		case !e.measured:
			f(x.s.program(e.net.slot), &e.cycle)
			watched = false
			continue
		case !watched:
			before, watched = rt.Stopwatch(), true
		}
		f(x.s.program(e.net.slot), &e.cycle)
		after := rt.Stopwatch()
		e.phases[which%phaseCount] = after - before
		e.spent += after - before
		before = after
	}
}

// measuredNets is the number of nets that an executor measures in a tick. Of more nets it measures the next ones in each tick, because
// reading the clock after each phase takes as long as a small net. After a long tick all are measured for a while.
const (
	measuredNets = 32
	closelyFor   = 2 * measureEvery
)

// chooseMeasured marks the nets that are measured in this tick (cycle).
func (x *executor) chooseMeasured() {
	list := x.running()
	if x.sample >= len(list) {
		x.sample = 0
	}
	all := len(list) <= measuredNets || x.closely > 0
	from, to := x.sample, x.sample+measuredNets
	for i := range list {
		list[i].measured = all || from <= i && i < to
	}
	x.sample = to
}

// lookCloser has all nets measured from the next tick on when one took long (cycle).
func (x *executor) lookCloser(busy int64) {
	x.closely = max(0, x.closely-1)
	if busy > x.period/2 {
		x.closely = closelyFor
	}
}

// finish records the cycle and lets those nets go that want to end, or have to.
func (x *executor) finish() {
	list := x.running()
	x.n = 0
	x.longest = longest{}
	most := int64(-1)
	for i := range list {
		e := &list[i]
		if !e.due {
			x.keep(i, e)
			continue
		}
		t := x.s.stats(e.net.slot)
		x.longest.ran = true
		x.judgeLength(t, e)
		if e.measured && e.spent > most {
			most, x.longest.net, x.longest.cycle, x.longest.blamed = e.spent, e.label, e.cycle.N, e.long && t.row.proven
		}
		if !x.ends(e, t) {
			x.keep(i, e)
		}
	}
}

// judgeLength records a cycle, and checks whether it was too long (cycle).
func (x *executor) judgeLength(t *stats, e *entry) {
	if x.s.pretends {
		e.spent = t.pretended.Load()
	}
	over := x.over(e.spent - x.stalled)
	t.record(x, e, over > 0 && !x.s.resident(e.net.slot))
	if (over > 0 || e.long) && (x.timed || x.s.pretends) {
		t.row.add(x, over)
		e.long = over > 0
	}
	if x.over(e.spent) > 0 {
		x.noteLong(e, over, e.long && t.row.proven)
	}
}

// over is by how much longer than the period something took: at most zero in virtual time, where nothing takes time, and where nobody
// wants to know. Time in which the thread was kept off its CPU does not count for a net: from the cycle of each all of it is taken (cycle).
func (x *executor) over(spent int64) int64 {
	if x.s.virtual != nil && !x.s.pretends || x.s.config.Overrun == IgnoreOverruns {
		return 0
	}
	return spent - x.period
}

// ends reports a net that does not go on.
func (x *executor) ends(e *entry, t *stats) bool {
	end, code := x.s.program(e.net.slot).Terminates(&e.cycle)
	r := report{net: e.net, cycle: e.cycle.N, time: e.cycle.Time}
	switch {
	case end && code != 0:
		r.cause, r.code = Failed, code
	case end:
		r.cause = Terminated
	case e.long && t.row.proven && x.s.config.Overrun == AbortOverruns && !x.s.resident(e.net.slot):
		r.cause, r.overrun = Overrun, t.row.overrun()
	default:
		return false
	}
	at := x.reported.Load()
	*x.reports.at(at) = r
	x.reported.Store(at + 1)
	return true
}
