package sched

import (
	"context"
	"slices"

	"github.com/softrobot-rcc/rccd/rcc/rule"
)

// RuleID is the number of a rule in events. The caller of AddRule chooses it, so that it knows the rule when its first
// event comes.
type RuleID uint64

// Rule is a synchronization rule σ = (C, ω, ψ, α) (§6.1). As soon as its condition is true it does once what Switch
// would do, or, when that is refused, nothing (RuleFailed).
type Rule struct {
	ID        RuleID
	Condition *rule.Program // not used by another rule; nil is true
	Variables []Variable    // of the condition, in the order of its variables
	After     Ref           // instead of Condition: true when that net has terminated without naming a failure

	Stop, Cancel, Start []Ref

	evidence *Evidence // of Observe
}

// Variable is the place of a Boolean variable on the board of a net.
type Variable struct {
	Net    Ref
	Offset int
}

// ruleEntry is the place of a rule that has not been decided. A goroutine fills it while it is free.
type ruleEntry struct {
	Rule
	change command
	named  uint64 // nets of the condition, see netBit

	// turn only
	executors uint64 // that run nets of the condition
	values    []rule.Value
	looks     []Look
	value     rule.Value // of the condition, when it was looked at last
	due       bool       // it could not be looked at when it should have been
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
// ready to be started; whether resources are free is looked at when it fires. A rule whose condition is true already
// fires at once: its events come before AddRule returns.
func (s *Scheduler) AddRule(ctx context.Context, r Rule) error {
	if r.Condition != nil && len(r.Variables) != len(r.Condition.Variables()) {
		return ErrMismatch
	}
	r.Variables = slices.Clone(r.Variables)
	if r.evidence == nil {
		r.Observe()
	}
	e := &ruleEntry{
		Rule: r, values: make([]rule.Value, len(r.Variables)), looks: make([]Look, len(r.evidence.looks)),
	}
	return s.request(ctx, command{kind: commandRule, stop: r.Stop, cancel: r.Cancel, start: r.Start, entry: e})
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
	c.rule = s.freeRules[len(s.freeRules)-1]
	s.freeRules = s.freeRules[:len(s.freeRules)-1]
	c.entry.change = command{stop: c.stop, cancel: c.cancel, start: c.start}
	*s.rules.at(c.rule) = *c.entry
	return nil
}

func (s *Scheduler) freeRule(index uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*s.rules.at(index) = ruleEntry{}
	s.freeRules = append(s.freeRules, index)
}

// addRule decides a new rule once; if that cannot be done yet, or it is not decided by that, it stays (turn).
func (s *Scheduler) addRule(index uint32) refusal {
	e := s.rules.at(index)
	for _, n := range e.Start {
		if l := s.life(n); l == nil || l.state != Ready {
			return refusal{reason: notStartable, net: n, state: s.stateOf(n)}
		}
	}
	e.executors = s.runners(e)
	s.evaluate(e, 0)
	if !s.decided(index) {
		s.active.add(index)
	}
	return refusal{}
}

func (s *Scheduler) stateOf(n Ref) State {
	if l := s.life(n); l != nil {
		return l.state
	}
	return Retiring
}

// judge decides the rules about nets of executors that have finished a tick, or about nets that were touched (turn). First
// all conditions are looked at, then rules fire, in the order of their creation: what one does is not seen by the conditions
// of the same tick.
func (s *Scheduler) judge(finished, touched uint64) {
	for _, i := range s.active.list() {
		e := s.rules.at(i)
		if e.named&touched != 0 {
			e.executors = s.runners(e)
		}
		if e.due || e.named&touched != 0 || e.executors&finished != 0 {
			s.evaluate(e, finished)
		}
	}
	for _, i := range s.active.take() {
		if !s.decided(i) {
			s.active.add(i)
		}
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
	if l := s.life(e.After); l != nil && l.runs() {
		mask = s.executorOf(e.After.slot).bit()
	}
	for _, v := range e.Variables {
		if l := s.life(v.Net); l != nil && l.runs() {
			mask |= s.executorOf(v.Net.slot).bit()
		}
	}
	return mask
}

// evaluate looks at the condition, or marks the rule as due when that is not possible now.
func (s *Scheduler) evaluate(e *ruleEntry, finished uint64) {
	newest := s.newestOf(e)
	if e.due = !s.complete(e, newest, finished) || !s.read(e); e.due {
		e.value = rule.Indeterminate
		return
	}
	switch {
	case e.After != (Ref{}):
		e.value = s.terminated(e)
	case e.Condition != nil:
		e.value = e.Condition.Eval(e.values)
	default:
		e.value = rule.True
	}
	if newest == 0 {
		newest = s.floor()
	}
	s.keep(e, newest)
}

// terminated tells whether the net that is followed has come to the end that it wanted.
func (s *Scheduler) terminated(e *ruleEntry) rule.Value {
	look := Look{Value: rule.False, Lack: Unloaded, State: Retiring}
	if l := s.life(e.After); l != nil {
		look = Look{Lack: Present, State: l.state, Cycle: s.stats(e.After.slot).cycles.Load()}
		look.Value = rule.Of(l.state == Ended && l.cause == Terminated)
		if l.state == Ready || l.runs() {
			look.Value, look.Lack = rule.Indeterminate, NotFollowed
		}
	}
	if looks := e.looks; len(looks) > 0 {
		looks[0] = look
	}
	return look.Value
}

// decided tells whether the rule is done with: it has fired or failed, or it never will because all nets of its
// condition have ended and it is not true.
func (s *Scheduler) decided(index uint32) bool {
	e := s.rules.at(index)
	switch {
	case e.value == rule.True:
		s.fire(index)
		return true
	case !e.due && s.over(e):
		if e.After != (Ref{}) {
			s.bar(e.Start)
		}
		s.evaluate(e, 0) // for the record: its nets may have ended just now
		s.note(note{kind: noteEvent, event: RuleInactive, rule: e.ID, index: index, time: s.clock.Unix(s.floor())})
		return true
	}
	return false
}

// bar keeps nets from ever being started, by whatever rule, and decides rules that wait for them: what they were to follow
// has not come to the end that they need.
func (s *Scheduler) bar(nets []Ref) {
	for _, n := range nets {
		if l := s.life(n); l != nil && l.state == Ready {
			l.state = Barred
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

// newestOf is the newest tick of the nets of the condition, 0 when none of them runs. Those that have ended in it count: the
// others have still to do it.
func (s *Scheduler) newestOf(e *ruleEntry) (newest int64) {
	if l := s.life(e.After); l != nil && l.runs() {
		return s.executorOf(e.After.slot).done.Load()
	}
	run := false
	for _, v := range e.Variables {
		if l := s.life(v.Net); l != nil && l.state != Ready {
			newest = max(newest, s.executorOf(v.Net.slot).done.Load())
			run = run || l.runs()
		}
	}
	if !run {
		return 0
	}
	return newest
}

// complete tells whether all nets of the condition have done their newest tick. One that is late is waited for until the
// next tick boundary that it reaches: it is in finished then (architecture: between ticks).
func (s *Scheduler) complete(e *ruleEntry, newest int64, finished uint64) bool {
	for _, v := range e.Variables {
		l := s.life(v.Net)
		if l == nil || !l.runs() || l.from > newest {
			continue
		}
		x := s.executorOf(v.Net.slot)
		if x.done.Load() < x.newest(newest) && finished&x.bit() == 0 {
			return false
		}
	}
	return true
}

// read takes the values of the variables. It gives up when a net writes just then.
func (s *Scheduler) read(e *ruleEntry) bool {
	for i, v := range e.Variables {
		look, ok := s.variable(v)
		if !ok || i >= len(e.values) || i >= len(e.looks) {
			return false
		}
		e.values[i], e.looks[i] = look.Value, look
	}
	return true
}

// variable returns a value, which is indeterminate for nets that have not run, that did not write the variable in their
// newest cycle, or that have ended and lost a resource to another net since (§6.1, §6.2).
func (s *Scheduler) variable(v Variable) (look Look, ok bool) {
	l := s.life(v.Net)
	if l == nil || l.state == Retiring {
		return Look{Value: rule.Indeterminate, Lack: Unloaded, State: Retiring}, true
	}
	look = Look{Value: rule.Indeterminate, State: l.state, Cycle: s.stats(v.Net.slot).cycles.Load()}
	switch {
	case l.state == Ready:
		look.Lack = NotStarted
	case l.lost && !l.runs():
		look.Lack = Lost
	default:
		return s.valueOf(v, look)
	}
	return look, true
}

// valueOf completes a look with what is on the board.
func (s *Scheduler) valueOf(v Variable, look Look) (_ Look, ok bool) {
	var word [1]uint64
	written, published, ok := s.program(v.Net.slot).Board.Read(v.Offset, word[:])
	look.Cycle = published
	switch {
	case published == 0:
		look.Lack = NotStarted
	case written == 0 || written != published:
		look.Lack = NotWritten
	default:
		look.Lack, look.Value = Present, rule.Of(word[0] != 0)
	}
	return look, ok
}

// over tells whether all nets of the condition have ended. A net that has not been started has not.
func (s *Scheduler) over(e *ruleEntry) bool {
	if e.After != (Ref{}) {
		return e.value == rule.False
	}
	for _, v := range e.Variables {
		if l := s.life(v.Net); l != nil && (l.state == Ready || l.runs()) {
			return false
		}
	}
	return true
}
