package sched

import (
	"context"
	"slices"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/triple"
	"github.com/softrobot-rcc/rccd/rcc/rule"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// RuleID is the number of a rule in events. The caller of AddRule chooses it, so that it knows the rule when its first
// event comes.
type RuleID uint64

// Rule is a synchronization rule σ = (C, ω, ψ, α) (§6.1). As soon as its condition is true it makes its change once,
// as Switch would, or fails when that is refused (RuleFailed).
type Rule struct {
	evidence *Evidence // of Observe

	ID        RuleID
	Condition *rule.Program // nil is true
	After     Ref           // instead of Condition: true when that net has terminated without a failure code
	Variables []Variable    // of the condition, in the order of its variables

	Stop, Cancel, Start []Ref
}

// Variable is the place of a Boolean variable on the board of a net.
type Variable struct {
	Net    Ref
	Offset int
}

// ruleEntry is the place of a rule that has not been decided. A goroutine fills it while it is free.
type ruleEntry struct {
	// turn only
	value rule.Value // of the condition, when it was looked at last

	seen   []run        // of variables
	truths []spec.Truth // of each variable
	future []uint64     // what variables may become, and results of that
	never  bool         // nothing makes the condition true
	Rule
	named  uint64 // nets of the condition, see netBit
	change command
}

// wait is what every tick asks of all rules that have not been decided. It lies together.
type wait struct {
	due       bool   // the condition could not be looked at when it should have been
	looked    bool   // at the condition, in this round
	named     uint64 // nets of the condition, see netBit
	executors uint64 // that run nets of the condition
	missed    uint64 // of these: have completed a tick since the condition was looked at last
	late      uint64 // of these: have done so twice, and are not waited for
}

// judging is what looks at conditions share. They are made in rounds: in each, the turn looks once at every net that conditions
// name, and all of them see the same.
type judging struct {
	waits table[wait] // by rule
	round uint64
	still [maxExecutors]int64 // newest tick of each executor when the round began, -1 of one that is in the next
	ahead uint64              // executors whose nets may have published for a tick that they have not completed
	gone  sight               // of nets that are unknown by now
	unix  int64               // Unix time of instant 0
}

func newJudging(c *Config) judging {
	look := Look{Value: rule.Indeterminate, Lack: Unloaded, State: Retiring}
	return judging{
		waits: newTable[wait](c.Rules), unix: c.Clock.Unix(0),
		gone: sight{tick: notRunning, reached: rt.Never, shut: true, word: look.word()},
	}
}

// nets lists the nets that the condition is about.
func (e *ruleEntry) nets() []Ref {
	if e.After != (Ref{}) {
		return []Ref{e.After}
	}
	nets := make([]Ref, len(e.Variables))
	for i, v := range e.Variables {
		nets[i] = v.Net
	}
	return nets
}

// AddRule adds a rule. It is refused like Switch for nets that are unknown, named twice, share a resource or are not
// ready to be started; whether resources are free is checked when it fires. A rule whose condition is true already
// fires at once: its events come before AddRule returns.
func (s *Scheduler) AddRule(ctx context.Context, r Rule) error {
	if r.Condition != nil && len(r.Variables) != len(r.Condition.Variables()) {
		return ErrMismatch
	}
	r.Variables = slices.Clone(r.Variables)
	if r.evidence == nil {
		r.Observe()
	}
	e := &ruleEntry{Rule: r}
	if c := r.Condition; c != nil {
		e.future, e.never = make([]uint64, rule.Words(c.Cells())), !c.Satisfiable()
	}
	return s.request(ctx, command{kind: commandRule, stop: r.Stop, cancel: r.Cancel, start: r.Start, entry: e})
}

// Check returns why AddRule would refuse a rule that names nets which are unknown, named twice or share a resource.
func (s *Scheduler) Check(r Rule) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.check(&command{stop: r.Stop, cancel: r.Cancel, start: r.Start})
}

// place gives a rule an entry of the table. The mutex is held.
func (s *Scheduler) place(c *command) error {
	for _, n := range c.entry.nets() {
		if !s.known(n) {
			return ErrUnknown
		}
		c.entry.named |= netBit(n.slot)
	}
	if len(s.freeRules) == 0 {
		return ErrTooMany
	}
	s.find(c.entry)
	c.rule = s.freeRules[len(s.freeRules)-1]
	s.freeRules = s.freeRules[:len(s.freeRules)-1]
	c.entry.change = command{stop: c.stop, cancel: c.cancel, start: c.start}
	*s.rules.at(c.rule) = *c.entry
	for _, n := range c.start {
		s.expect(n, 1)
	}
	return nil
}

// find looks up where the variables of a condition are. The mutex is held.
func (s *Scheduler) find(e *ruleEntry) {
	if e.Condition == nil {
		return
	}
	e.seen = runsOf(&e.Rule)
	for _, v := range e.Variables {
		e.truths = append(e.truths, s.program(v.Net.slot).Board.Truth(v.Offset))
	}
}

func (s *Scheduler) freeRule(index uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.rules.at(index).Start {
		s.expect(n, -1)
	}
	*s.rules.at(index) = ruleEntry{}
	s.freeRules = append(s.freeRules, index)
}

// addRule decides a new rule once; if that cannot be done yet, or it is not decided by that, it stays (turn).
func (s *Scheduler) addRule(index uint32) refusal {
	e := s.rules.at(index)
	for _, n := range e.Start {
		if life := s.life(n); life == nil || life.state != Ready {
			return refusal{reason: notStartable, net: n, state: s.stateOf(n)}
		}
	}
	if e.After != (Ref{}) {
		if r := s.followable(e); r.reason != fine {
			return r
		}
		if s.life(e.After) != nil { // otherwise the slot may be that of another net
			s.slots.at(e.After.slot).followed.Store(true)
		}
	}
	*s.waits.at(index) = wait{named: e.named, executors: s.runners(e)}
	s.lookAgain(index)
	if !s.decided(index) {
		s.active.add(index)
	}
	return refusal{}
}

// followable looks for what keeps nets from following another one: a net that does already, or, if it runs, resources that
// neither it has nor nobody.
func (s *Scheduler) followable(e *ruleEntry) refusal {
	for _, i := range s.active.list() {
		if other := s.rules.at(i); other.After == e.After {
			for _, n := range other.Start {
				if life := s.life(n); life != nil && life.state == Ready {
					return refusal{reason: followed, net: e.After, holder: n}
				}
			}
		}
	}
	before := s.life(e.After)
	if before == nil || !before.runs() {
		return refusal{}
	}
	s.visit++
	before.visited = s.visit
	return s.startable(e.Start)
}

func (s *Scheduler) stateOf(n Ref) State {
	if life := s.life(n); life != nil {
		return life.state
	}
	return Retiring
}

// judge decides the rules about nets of executors that have finished a tick, or about nets that were touched (turn). First
// all conditions are looked at, then rules fire, in the order of their creation: what one does is not seen by the conditions
// of the same tick.
func (s *Scheduler) judge(finished, touched uint64) {
	s.beginRound()
	looked, decide := false, false
	for _, i := range s.active.list() {
		w := s.waits.at(i)
		if w.named&touched != 0 {
			w.executors, w.due = s.runners(s.rules.at(i)), true
		}
		if w.looked = w.due || w.executors&finished != 0; w.looked {
			w.note(finished)
			looked, decide = true, s.decidable(i, finished|w.late, touched) || decide
		}
	}
	if looked {
		s.publish()
	}
	if decide {
		s.conclude()
	}
}

// note counts the ticks that executors complete while the condition cannot be looked at. One that is late, and that always comes
// when another one is ahead, is in no round with it that sees a complete tick (cycle).
func (w *wait) note(finished uint64) {
	w.late |= w.missed & finished
	w.missed |= w.executors & finished
}

// beginRound makes conditions see what there is now (cycle).
func (s *Scheduler) beginRound() {
	s.round++
	s.ahead = 0
	for i := range s.executorsUsed() {
		if x := s.executor(i); x != nil {
			at := &s.still[i%maxExecutors]
			if *at = x.done.Load(); x.acted.Load() > *at {
				s.ahead |= x.bit()
			}
			if x.begun.Load() != *at {
				*at = -1
			}
		}
	}
}

// decidable looks at a condition and reports whether there is something to decide.
func (s *Scheduler) decidable(index uint32, finished, touched uint64) bool {
	e, w := s.rules.at(index), s.waits.at(index)
	s.evaluate(e, w, finished)
	return e.value == rule.True || !w.due && (w.executors == 0 || w.named&touched != 0) && s.over(e)
}

// publish hands out what was found of the rules that were looked at. To do so at once for each would keep the processor from
// looking at the next one: an atomic exchange waits for all that was written before.
func (s *Scheduler) publish() {
	moved := s.moved()
	for _, i := range s.active.list() {
		if w := s.waits.at(i); w.looked && !w.due {
			s.publishOne(i, moved)
		}
	}
}

// publishOne publishes the evidence of a rule, unless its nets have written in between.
func (s *Scheduler) publishOne(index uint32, moved uint64) {
	e, w := s.rules.at(index), s.waits.at(index)
	if w.executors&moved != 0 && !s.unwritten(e) {
		w.due, e.value = true, rule.Indeterminate
		return
	}
	w.missed, w.late = 0, 0
	e.evidence.publish()
}

// conclude lets go of the rules that are decided: those that were looked at, or know more by what others have done.
func (s *Scheduler) conclude() {
	for _, i := range s.active.take() {
		w := s.waits.at(i)
		if (w.looked || w.named&s.touched != 0) && s.decided(i) {
			continue
		}
		s.active.add(i)
	}
}

// judgeTouched decides once more the rules about nets that have begun, ended or gone, until nothing follows from that any
// more. Nets are retired after the rules have seen their end (§6.1, §8.2).
func (s *Scheduler) judgeTouched() {
	for s.touched != 0 {
		touched := s.touched
		s.touched = 0
		s.judge(0, touched)
		s.endStopped()
		if s.touched == 0 {
			s.withdrawEnded()
		}
	}
}

// runners are the executors of nets of the condition, whose ticks can change what it sees.
func (s *Scheduler) runners(e *ruleEntry) (mask uint64) {
	if life := s.life(e.After); life != nil && life.runs() {
		mask = s.executorOf(e.After.slot).bit()
	}
	for _, v := range e.Variables {
		if life := s.life(v.Net); life != nil && life.runs() {
			mask |= s.executorOf(v.Net.slot).bit()
		}
	}
	return mask
}

// evaluate looks at the condition, or marks the rule as due when that is not possible now: one that is ahead comes to the turn
// when it has completed its tick.
func (s *Scheduler) evaluate(e *ruleEntry, w *wait, finished uint64) {
	switch {
	case e.After != (Ref{}):
		w.due = false
		s.lookAfter(e)
		return
	case w.executors&s.ahead != 0:
		w.due, e.value = true, rule.Indeterminate
		return
	}
	p, cells, nets := e.evidence.open()
	newest, ok := s.look(e, cells, nets, finished)
	if w.due = !ok || w.executors&s.ahead != 0; w.due { // one may have got ahead since the round began
		e.value = rule.Indeterminate
		return
	}
	if e.value = rule.True; e.Condition != nil {
		e.value = e.Condition.Eval(cells)
	}
	s.keep(p, newest, e.value)
}

// lookAgain looks at one rule for itself.
func (s *Scheduler) lookAgain(index uint32) {
	s.beginRound()
	w := s.waits.at(index)
	if s.evaluate(s.rules.at(index), w, 0); !w.due {
		s.publishOne(index, s.moved())
	}
}

// lookAfter checks whether the net that is followed has come to the end that it wanted.
func (s *Scheduler) lookAfter(e *ruleEntry) {
	look, newest := Look{Value: rule.False, Lack: Unloaded, State: Retiring}, int64(0)
	if life := s.life(e.After); life != nil {
		look = Look{Lack: Present, State: life.state, Cycle: s.stats(e.After.slot).cycles.Load()}
		look.Value = rule.Of(life.state == Ended && life.cause == Terminated)
		if life.state == Ready || life.runs() {
			look.Value, look.Lack = rule.Indeterminate, NotFollowed
		}
		if life.runs() {
			newest = s.executorOf(e.After.slot).done.Load()
		}
	}
	p, _, nets := e.evidence.open()
	if len(nets) > 0 {
		nets[0] = look.word()
	}
	e.value = look.Value
	s.keep(p, newest, e.value)
}

// decided reports whether the rule is done with: it has fired or failed, or it never will because its condition cannot become
// true any more.
func (s *Scheduler) decided(index uint32) bool {
	e := s.rules.at(index)
	switch {
	case e.value == rule.True:
		s.fire(index)
		return true
	case !s.waits.at(index).due && s.over(e):
		if e.After != (Ref{}) {
			s.bar(e.Start)
		}
		s.lookAgain(index) // for the record: its nets may have ended just now
		s.note(note{kind: noteEvent, event: RuleInactive, rule: e.ID, index: index, time: s.clock.Unix(s.floor())})
		return true
	}
	return false
}

// bar keeps nets from ever being started, by whatever rule, and decides rules that wait for them: what they were to follow
// has not come to the end that they need.
func (s *Scheduler) bar(nets []Ref) {
	for _, n := range nets {
		if life := s.life(n); life != nil && life.state == Ready {
			life.state = Barred
			s.touched |= netBit(n.slot)
		}
	}
}

func (s *Scheduler) fire(index uint32) {
	e := s.rules.at(index)
	s.keepParts(e)
	at, r := s.change(&e.change, Replaced)
	n := note{kind: noteEvent, event: RuleFired, rule: e.ID, index: index, time: s.clock.Unix(at)}
	if r.reason != fine {
		n.event, n.refusal, n.time = RuleFailed, r, s.clock.Unix(s.floor())
	}
	s.note(n)
}

// sight is what conditions see of a net in one round, in which many may ask. The zero value is that of no round.
type sight struct {
	round   uint64
	tick    int64          // done, of a net that runs and has values, else notRunning
	word    uint64         // look at it, NotWritten when it depends on the variable
	done    int64          // newest tick of its executor, 0 for a net that has not been started
	reached int64          // the same for a net that runs, Never for all others: nobody has to wait for them
	edition triple.Edition // of its board
	shut    bool           // the values of its board do not count
}

const notRunning = -1

// sight returns what is seen of the net in this round (cycle).
func (s *Scheduler) sight(n Ref) *sight {
	life := s.life(n)
	if life == nil {
		return &s.gone
	}
	if life.sight.round != s.round {
		s.see(n.slot, life)
	}
	return &life.sight
}

// see looks at a net. Values of nets are indeterminate that have not run, or that have ended and lost a resource to another
// net since (§6.1, §6.2). Nets that have never been started may be moved just now: nobody knows their executor.
func (s *Scheduler) see(slot uint32, life *life) {
	v := &life.sight
	*v = sight{round: s.round, tick: notRunning, reached: rt.Never, shut: true}
	if life.state != Ready && life.state != Barred {
		v.done = s.executorOf(slot).done.Load()
	}
	if life.runs() {
		v.reached = v.done
	}
	look := Look{Value: rule.Indeterminate, Lack: NotStarted, State: life.state, Cycle: s.stats(slot).cycles.Load()}
	switch {
	case life.state == Ready:
	case life.state == Retiring:
		look.Lack, look.Cycle = Unloaded, 0
	case life.lost && !life.runs():
		look.Lack = Lost
	default:
		v.edition = s.program(slot).Board.Edition()
		if look.Cycle = v.edition.Number(); look.Cycle > 0 {
			look.Lack, v.shut = NotWritten, false
		}
	}
	if v.word = look.word(); life.runs() && !v.shut {
		v.tick = v.done
		s.recheck(slot, v)
	}
}

// recheck checks whether the executor of a net has begun to publish another tick since the round began: then its other nets may
// still show the one before.
func (s *Scheduler) recheck(slot uint32, v *sight) {
	if x := s.executorOf(slot); x.acted.Load() > v.done {
		s.ahead |= x.bit()
	}
}

// look takes the values of the variables, and returns the newest tick of their nets, 0 when none of them runs. It gives up when
// a net has that tick still to do.
func (s *Scheduler) look(e *ruleEntry, cells, nets []uint64, finished uint64) (newest int64, ok bool) {
	newest, alike := s.lookAtNets(e.seen, nets)
	read(e.truths, cells)
	if alike {
		return newest, true
	}
	return s.discern(e, cells, finished)
}

// lookAtNets notes what is seen of nets, and returns the tick that all of them have reached when they run and are alike in that:
// mostly they are.
func (s *Scheduler) lookAtNets(seen []run, nets []uint64) (tick int64, alike bool) {
	if len(seen) == 0 {
		return 0, true
	}
	tick = s.sight(seen[0].net).tick
	round, differ := s.round, int64(0)
	for k := range seen {
		n := seen[k].net
		life := s.nets.at(n.slot)
		v := &life.sight
		if v.round != round || life.generation != n.generation {
			v = s.sight(n)
		}
		differ |= v.tick ^ tick
		if k < len(nets) {
			nets[k] = v.word
		}
	}
	return tick, differ == 0 && tick != notRunning
}

// discern is the rest of a look at nets that are not alike: values become indeterminate of nets whose boards do not count. Nets
// that have ended in the newest tick count for it: the others have still to do it.
func (s *Scheduler) discern(e *ruleEntry, cells []uint64, finished uint64) (newest int64, ok bool) {
	reached, seen, i := int64(rt.Never), e.seen, uint32(0)
	for k := range seen {
		v := s.sight(seen[k].net)
		newest, reached = max(newest, v.done), min(reached, v.reached)
		for ; i < seen[k].end; i++ {
			if v.shut {
				hide(cells, i)
			}
		}
	}
	if reached == rt.Never {
		return 0, true
	}
	return newest, reached >= newest || s.complete(e, newest, finished)
}

// read takes the values of variables from the boards of their nets (cycle).
func read(truths []spec.Truth, cells []uint64) {
	for len(cells) > 1 && len(truths) > 0 {
		n := min(len(truths), 64)
		var is, may uint64
		for k := range truths[:n] {
			i, m := truths[k].Read()
			is, may = is>>1|i, may>>1|m
		}
		unused := (64 - n) & 63
		cells[0], cells[1] = is>>unused, may>>unused
		cells, truths = cells[2:], truths[n:]
	}
}

// hide makes a value indeterminate (cycle).
func hide(cells []uint64, i uint32) {
	if k := uint(i) / 64 * 2; k+1 < uint(len(cells)) {
		cells[k] &^= 1 << (i & 63)
		cells[k+1] |= 1 << (i & 63)
	}
}

// moved returns the executors that are in a tick now or were in one when the round began: of all others no net has written.
func (s *Scheduler) moved() (mask uint64) {
	for i := range s.executorsUsed() {
		if x := s.executor(i); x != nil && x.begun.Load() != s.still[i%maxExecutors] {
			mask |= x.bit()
		}
	}
	return mask
}

// unwritten reports whether no net has written since it was looked at.
func (s *Scheduler) unwritten(e *ruleEntry) bool {
	seen := e.seen
	for k := range seen {
		n := seen[k].net
		if v := s.sight(n); !v.shut && !s.program(n.slot).Board.Unchanged(v.edition) {
			return false
		}
	}
	return true
}

// complete reports whether all nets of the condition have done their newest tick. One that is late is waited for until the
// next tick boundary that it reaches: it is in finished then (architecture: between ticks).
func (s *Scheduler) complete(e *ruleEntry, newest int64, finished uint64) bool {
	for _, v := range e.Variables {
		life := s.life(v.Net)
		if life == nil || !life.runs() || life.from > newest {
			continue
		}
		x := s.executorOf(v.Net.slot)
		if life.sight.done < x.newest(newest) && finished&x.bit() == 0 {
			return false
		}
	}
	return true
}

// over reports whether the condition can never become true any more, whatever nets do that run or may still be started. Values of
// all others can only become indeterminate (§8.2).
func (s *Scheduler) over(e *ruleEntry) bool {
	switch {
	case e.After != (Ref{}):
		return e.value == rule.False
	case e.Condition == nil || e.never:
		return e.never
	}
	cells, seen, i := e.future, e.seen, uint32(0)
	read(e.truths, cells)
	for k := range seen {
		life := s.life(seen[k].net)
		open := life != nil && (life.state == Ready || life.runs())
		shut := s.sight(seen[k].net).shut
		for ; i < seen[k].end; i++ {
			if open {
				leave(cells, i)
			} else if shut {
				hide(cells, i)
			}
		}
	}
	return !e.Condition.Eval(cells).MayBeTrue()
}

// leave makes a value Any (cycle).
func leave(cells []uint64, i uint32) {
	if k := uint(i) / 64 * 2; k+1 < uint(len(cells)) {
		cells[k] |= 1 << (i & 63)
		cells[k+1] &^= 1 << (i & 63)
	}
}
