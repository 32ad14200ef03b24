package sched

// turnState belongs to the holder of the turn.
type turnState struct {
	nets  table[life]   // by slot
	users table[uint32] // by resource: slot+1 of the net that has acquired it last, whether it still runs or not

	claims table[claim] // by resource
	list   uint64       // newest one of claims

	stopping indexes // slots of nets that have been stopped but may still be in a tick
	leaving  indexes // slots that have been retired
	ending   indexes // slots of nets that have reported their end in this turn
	deferred indexes // commands that are answered when what follows from them has been told
	active   indexes // rules that have not been decided, in the order of their creation
	begun    indexes // slots of nets whose start has been told, and their first cycle not yet
	starting indexes // slots of nets that are to start when others, which have what they need, have ended
	going    indexes // slots of nets that have ended and are to be retired then
	touched  uint64  // nets of which conditions may see something else since rules were judged, see netBit
	visit    uint64  // changes so far

	watchers table[watcher] // by place of a probe
	fading   indexes        // places of probes that have been taken away

	charged  indexes // slots of nets that run, and of some that did
	starts   uint64  // of nets so far
	released indexes // slots of nets that have been asked to make room
	farewell command // cancels one of them
	eviction command // stops one of them
	observer observer

	rings bool // the bell is to be rung

	judging
}

// life is what the turn knows of the net in a slot.
type life struct {
	generation uint32
	state      State
	cause      Cause // why it was stopped, or has ended
	stopping   bool
	retires    bool   // when it has ended
	announced  bool   // its start has been told
	lost       bool   // after its end another net has acquired one of its resources (§6.2)
	staged     op     // part of the decision that is being made
	visited    uint64 // visit in which it was named
	from       int64  // instant of its first tick
	until      int64  // instant from which it does not run
	retired    int64  // instant of all executors then
	mail       uint64 // position behind its newest record in the mailbox
	probes     uint32 // place+1 of the first one
	report     report // how it has ended by itself, while in ending

	share    Share   // that its accounts are charged
	charged  bool    // its slot is in the list of these, perhaps for another net before
	order    uint64  // of starts
	relief   refusal // why it is to make room, or has taken too long
	deadline int64   // instant at which it is stopped then, 0 while it is not to

	sight sight
}

func newTurnState(c *Config) turnState {
	t := turnState{
		nets: newTable[life](c.Slots), users: newTable[uint32](c.Resources), claims: newTable[claim](c.Resources),
		stopping: newIndexes(c.Slots), leaving: newIndexes(c.Slots), ending: newIndexes(c.Slots), going: newIndexes(c.Slots),
		starting: newIndexes(c.Slots), begun: newIndexes(c.Slots),
		charged: newIndexes(c.Slots), released: newIndexes(c.Slots),
		farewell: command{cancel: make([]Ref, 1)}, eviction: command{stop: make([]Ref, 1)},
		watchers: newTable[watcher](c.Probes), fading: newIndexes(c.Probes),
		deferred: newIndexes(maxCommands), active: newIndexes(c.Rules),
		judging: newJudging(c),
	}
	for i := range t.nets.of {
		t.nets.of[i].generation = 1
	}
	return t
}

// The word has decisions in the low bits, and begun ticks above them. Neither can wrap around between two reads.
const (
	decisionBits = 40
	decisions    = 1<<decisionBits - 1
)

// beginTick counts a tick, after its begun instant was published, and returns the newest decision that it has to obey
// (cycle).
func (s *Scheduler) beginTick() uint64 { return s.word.Add(1<<decisionBits) & decisions }

// pass takes the turn, or leaves it to the one who has it to decide once more (cycle).
func (s *Scheduler) pass() {
	if s.turn.Add(1) == 1 {
		s.serve()
	}
}

// mostRounds is how often an executor decides before it gives the turn away although others have come.
const mostRounds = 8

// serve decides until nobody else has come, and gives the turn away. When others come faster than it can decide, it leaves the
// turn to them: otherwise it would never get back to its nets.
func (s *Scheduler) serve() {
	came := int32(1)
	for range mostRounds {
		s.overdue.Store(false)
		s.decide()
		if came = s.turn.Add(-came); came == 0 {
			return
		}
	}
	s.overdue.Store(true)
	s.turn.Store(0)
}

// pending reports whether something waits to be decided that nobody may be going to come for (cycle).
func (s *Scheduler) pending() bool { return s.hasCommands() || s.overdue.Load() }

// hasCommands reports whether a command waits (cycle).
func (s *Scheduler) hasCommands() bool { return s.queued.Load() != s.taken.Load() }

// decide brings everything up to date: rules are decided before the nets that have reported their end are taken for
// ended (§8.2), and commands come after what the ticks have brought about.
func (s *Scheduler) decide() {
	finished := s.finished()
	s.hear()
	s.judge(finished, 0)
	s.endReported()
	s.endStopped()
	s.weigh()
	s.endReleased()
	s.judgeTouched()
	s.obeyCommands()
	s.judgeTouched()
	s.answerDeferred()
	s.releaseProbes()
	s.dismiss()
	s.tellBegun()
	if s.rings {
		s.rings = false
		s.bell.Ring()
	}
}

// finished returns the executors that have completed a tick since the last turn.
func (s *Scheduler) finished() (mask uint64) {
	for i := range s.executorsUsed() {
		if x := s.executor(i); x != nil {
			if done := x.done.Load(); done != x.seen {
				x.seen = done
				mask |= x.bit()
			}
		}
	}
	return mask
}

func (s *Scheduler) executorsUsed() int { return int(s.used.Load()) }

func (s *Scheduler) executor(i int) *executor { return s.executors[uint(i)%maxExecutors].Load() }

func (x *executor) bit() uint64 { return 1 << (x.index & 63) }

// floor is an instant that no executor has gone beyond. While all rest it is the current one.
func (s *Scheduler) floor() int64 {
	at, all := s.now.Load(), true
	for i := range s.executorsUsed() {
		if x := s.executor(i); x != nil {
			at = max(at, x.begun.Load())
			all = all && x.rests()
		}
	}
	if all && s.real != nil {
		at = max(at, s.real.Now())
	}
	return at
}

// life returns what is known of a net, or nil when it is unknown by now.
func (s *Scheduler) life(r Ref) *life {
	if life := s.nets.at(r.slot); life.generation == r.generation {
		return life
	}
	return nil
}

// netBit stands for a net in masks that say which nets something is about. Nets may share one.
func netBit(slot uint32) uint64 { return 1 << (slot & 63) }

func (l *life) runs() bool { return l.state == Running || l.state == Cancelling }

// hear notes which nets have ended by themselves.
func (s *Scheduler) hear() {
	for i := range s.executorsUsed() {
		x := s.executor(i)
		if x == nil {
			continue
		}
		for ; x.heard != x.reported.Load(); x.heard++ {
			r := *x.reports.at(x.heard)
			if life := s.life(r.net); life != nil && life.runs() {
				life.report = r
				s.ending.add(r.net.slot)
			}
		}
	}
}

func (s *Scheduler) endReported() {
	for _, i := range s.ending.take() {
		if life := s.nets.at(i); life.runs() {
			s.endReport(i)
		}
	}
}

// endStopped ends the nets whose executors have completed the last tick before the stop.
func (s *Scheduler) endStopped() {
	for _, i := range s.stopping.take() {
		life, x := s.nets.at(i), s.executorOf(i)
		switch {
		case !life.runs():
		case life.until <= life.from || x.done.Load()+x.period >= life.until:
			s.endAborted(i)
		default:
			s.stopping.add(i)
		}
	}
	s.announce()
}

// endReport ends a net that has reported it.
func (s *Scheduler) endReport(slot uint32) {
	life := s.nets.at(slot)
	r := &life.report
	if r.cause == Overrun {
		life.relief = refusal{reason: overran, net: r.net, period: s.executorOf(slot).period, overrun: r.overrun}
	}
	s.end(slot, r.cause, r.code, r.cycle, r.time)
}

// announce announces the nets that have been started: those that have begun, or before which the others have ended. Until then these
// have the resources, and with a long way to the common tick that can take a while.
func (s *Scheduler) announce() {
	if s.starting.n == 0 {
		return
	}
	s.list++
	for _, i := range s.stopping.list() {
		if s.nets.at(i).runs() {
			s.claim(i)
		}
	}
	for _, i := range s.starting.take() {
		switch life := s.nets.at(i); {
		case life.announced || !life.runs():
		case s.executorOf(i).begun.Load() < life.from && s.contested(i):
			s.starting.add(i)
		default:
			s.tellStart(i)
		}
	}
}

func (s *Scheduler) tellStart(slot uint32) {
	life := s.nets.at(slot)
	life.announced = true
	s.begun.add(slot)
	s.note(note{kind: noteEvent, event: NetStarted, net: Ref{slot, life.generation}, time: s.clock.Unix(life.from)})
}

// tellBegun announces nets that have ended their first cycle.
func (s *Scheduler) tellBegun() {
	for _, i := range s.begun.take() {
		switch life := s.nets.at(i); {
		case !life.runs():
		case s.stats(i).cycles.Load() == 0:
			s.begun.add(i)
		default:
			s.note(note{kind: noteBegun, net: Ref{i, life.generation}})
		}
	}
}

// endAborted ends a net that was stopped, unless it has ended by itself in the same tick.
func (s *Scheduler) endAborted(slot uint32) {
	life, t := s.nets.at(slot), s.stats(slot)
	if life.report.net == (Ref{slot, life.generation}) {
		s.endReport(slot)
		return
	}
	n := t.cycles.Load()
	at := s.clock.Unix(min(life.from, life.until))
	if n > 0 {
		at = t.first.Load() + int64(n-1)*s.executorOf(slot).period
	}
	s.end(slot, life.cause, 0, n, at)
}

func (s *Scheduler) end(slot uint32, cause Cause, code int32, cycle uint64, at int64) {
	life := s.nets.at(slot)
	if cycle > 0 && !life.announced {
		s.tellStart(slot)
	}
	life.state, life.stopping, life.cause = Ended, false, cause
	s.refund(slot)
	s.unwatch(life)
	s.touched |= netBit(slot)
	if life.retires {
		s.going.add(slot)
	}
	s.note(note{kind: noteEvent, event: NetEnded, net: Ref{slot, life.generation}, cause: cause, code: code, cycle: cycle, time: at, refusal: life.relief})
}

func (s *Scheduler) obeyCommands() {
	for at := s.taken.Load(); at != s.queued.Load(); at++ {
		s.obey(s.queue[at%maxCommands])
		s.taken.Store(at + 1)
	}
}

func (s *Scheduler) obey(index uint32) {
	c := s.command(index)
	switch c.kind {
	case commandRetire:
		c.refusal = s.retire(c.net)
	case commandRule:
		c.refusal = s.addRule(c.rule)
	case commandAttach:
		c.refusal = s.attach(c.probe)
	case commandDetach:
		c.refusal = s.detach(c.probe)
	case commandSwitch:
		_, c.refusal = s.change(c, Aborted)
	}
	if c.refusal.reason == fine {
		s.deferred.add(index)
		return
	}
	s.note(note{kind: noteAnswer, index: index, refusal: c.refusal})
}

// answerDeferred answers the commands that have been obeyed, when all that follows from them has been told: what rules make of
// it, and the ends of nets that a switch stops. Only some can wait for these: an executor that does not come to the end of its
// tick must not keep others from their commands.
func (s *Scheduler) answerDeferred() {
	for _, index := range s.deferred.take() {
		if c := s.command(index); c.kind == commandSwitch && s.deferred.n < maxCommands/2 && s.awaited(c.stop) {
			s.deferred.add(index)
			continue
		}
		s.note(note{kind: noteAnswer, index: index})
	}
}

// awaited reports whether one of the nets is going to end without virtual time having to go on.
func (s *Scheduler) awaited(nets []Ref) bool {
	for _, n := range nets {
		if life := s.life(n); life != nil && life.stopping && (s.virtual == nil || life.until <= s.now.Load()+1) {
			return true
		}
	}
	return false
}

func (s *Scheduler) retire(n Ref) refusal {
	life := s.life(n)
	if life == nil {
		return refusal{reason: unknown, net: n}
	}
	if life.retires = life.runs(); !life.retires {
		s.withdraw(n.slot)
	}
	return refusal{}
}

// withdraw takes a net that does not run out of what can be decided.
func (s *Scheduler) withdraw(slot uint32) {
	life := s.nets.at(slot)
	life.state, life.retired = Retiring, s.floor()
	s.slots.at(slot).home.Or(settled | withdrawn)
	s.leaving.add(slot)
	s.unwatch(life)
	s.touched |= netBit(slot)
	for _, r := range s.slots.at(slot).resources {
		if user := s.users.at(r); *user == slot+1 {
			*user = 0
		}
	}
}

// withdrawEnded retires the nets that were to go when they have ended.
func (s *Scheduler) withdrawEnded() {
	for _, i := range s.going.take() {
		s.withdraw(i)
	}
}

// dismiss forgets retired nets once every executor has passed a tick boundary and their own one has read its mail.
func (s *Scheduler) dismiss() {
	for _, i := range s.leaving.take() {
		if life := s.nets.at(i); s.executorOf(i).fetched.Load() >= life.mail && s.passedSince(life.retired) {
			s.forget(i)
			continue
		}
		s.leaving.add(i)
	}
}

// passedSince reports whether every executor is between two ticks, or in one that it began after an instant.
func (s *Scheduler) passedSince(at int64) bool {
	for i := range s.executorsUsed() {
		if x := s.executor(i); x != nil && x.within(at) {
			return false
		}
	}
	return true
}

func (s *Scheduler) forget(slot uint32) {
	l := s.nets.at(slot)
	s.note(note{kind: noteEvent, event: NetGone, net: Ref{slot, l.generation}})
	*l = life{generation: l.generation + 1, charged: l.charged}
}

// halt ends everything when no executor is left (turn).
func (s *Scheduler) halt() {
	for i := range s.nets.of {
		if s.nets.of[i].runs() {
			s.endAborted(uint32(i))
		}
	}
	s.stopping.take()
	s.withdrawEnded()
	s.answerDeferred()
	for _, i := range s.fading.take() {
		s.releaseProbe(i)
	}
	for _, i := range s.leaving.take() {
		s.forget(i)
	}
	s.note(note{kind: noteClosed})
	s.bell.Ring()
}
