package sched

import (
	"runtime"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/rcc/rule"
)

// Evidence is what a rule has gone by. The turn writes it whenever it has looked at the condition, and no more when the
// rule is decided, which is before the event of that: whoever has heard the event reads what has decided the rule. All of
// it has room from the beginning.
type Evidence struct {
	writes atomic.Uint64 // odd while the turn writes
	tick   atomic.Int64
	value  atomic.Uint32   // of the condition
	looks  []atomic.Uint64 // at the variables, or at the net that is followed
	nets   []atomic.Uint32 // to be stopped, cancelled and started, as they were before that
}

// Look is what was found of a variable, or of the net that is followed.
type Look struct {
	Value rule.Value
	Lack  Lack   // of a value
	State State  // of its net
	Cycle uint64 // newest one of its net
}

// Lack tells why a variable has no value (§6.1, §6.2).
type Lack uint8

// The reasons.
const (
	NotLooked   Lack = iota // the rule has not been able to look yet
	Present                 // it has one
	NotStarted              // the net has not run
	NotWritten              // it has no value in the newest cycle of its net
	Lost                    // the net has ended and lost a resource to another one since
	Unloaded                // the net is unloaded
	NotFollowed             // the net that is followed has not ended
)

// Part is what a rule has found of a net that it was to stop, cancel or start, when its condition had become true.
type Part struct {
	State    State
	Affected bool // when it has fired: it was not over or cancelled already
}

// Findings are evidence at one moment.
type Findings struct {
	Tick  int64 // logical Unix time of the newest tick that was looked at; 0 before
	Value rule.Value
	Looks []Look // in the order of the variables
	Parts []Part // stop, cancel and start, none before the condition was true
}

// Observe gives a rule evidence that can be read from now on.
func (r *Rule) Observe() *Evidence {
	looks := len(r.Variables)
	if r.After != (Ref{}) {
		looks = 1
	}
	r.evidence = &Evidence{
		looks: make([]atomic.Uint64, looks),
		nets:  make([]atomic.Uint32, len(r.Stop)+len(r.Cancel)+len(r.Start)),
	}
	r.evidence.value.Store(uint32(rule.Indeterminate))
	return r.evidence
}

// A look is written as one word: value, lack, state, and the cycle above them.
const (
	lackShift  = 2
	stateShift = 5
	cycleShift = 8
)

func (l Look) word() uint64 {
	return uint64(l.Value) | uint64(l.Lack)<<lackShift | uint64(l.State)<<stateShift | l.Cycle<<cycleShift
}

func lookOf(word uint64) Look {
	return Look{
		Value: rule.Value(word & 3), Lack: Lack(word >> lackShift & 7), State: State(word >> stateShift & 7), Cycle: word >> cycleShift,
	}
}

// Of a part: that there is one, whether it is affected, and its state above.
const (
	partKnown    = 1
	partAffected = 2
	partState    = 2 // bits below the state
)

// Read returns what was found last (any).
func (e *Evidence) Read() Findings {
	for {
		before := e.writes.Load()
		f := e.copy()
		if before&1 == 0 && e.writes.Load() == before {
			return f
		}
		runtime.Gosched()
	}
}

func (e *Evidence) copy() Findings {
	f := Findings{Tick: e.tick.Load(), Value: rule.Value(e.value.Load()), Looks: make([]Look, len(e.looks))}
	for i := range e.looks {
		f.Looks[i] = lookOf(e.looks[i].Load())
		if f.Looks[i].Lack == NotLooked {
			f.Looks[i].Value = rule.Indeterminate
		}
	}
	for i := range e.nets {
		if w := e.nets[i].Load(); w&partKnown != 0 {
			f.Parts = append(f.Parts, Part{State: State(w >> partState), Affected: w&partAffected != 0})
		}
	}
	return f
}

// keep notes a complete look at a condition (turn).
func (s *Scheduler) keep(e *ruleEntry, tick int64) {
	v := e.evidence
	v.writes.Add(1)
	v.tick.Store(s.clock.Unix(tick))
	v.value.Store(uint32(e.value))
	seen := e.looks
	for i, looks := 0, v.looks; i < len(looks) && i < len(seen); i++ {
		looks[i].Store(seen[i].word())
	}
	v.writes.Add(1)
}

// keepParts notes what a rule is about to change (turn).
func (s *Scheduler) keepParts(e *ruleEntry) {
	v := e.evidence
	v.writes.Add(1)
	at := 0
	for _, n := range e.Stop {
		l := s.life(n)
		v.part(at, s.stateOf(n), l != nil && l.runs() && (!l.stopping || s.sooner(&e.change, l)))
		at++
	}
	for _, n := range e.Cancel {
		l := s.life(n)
		v.part(at, s.stateOf(n), l != nil && l.state == Running)
		at++
	}
	for _, n := range e.Start {
		v.part(at, s.stateOf(n), true)
		at++
	}
	v.writes.Add(1)
}

func (e *Evidence) part(i int, state State, affected bool) {
	nets := e.nets
	if uint(i) >= uint(len(nets)) {
		return
	}
	word := partKnown | uint32(state)<<partState
	if affected {
		word |= partAffected
	}
	nets[i].Store(word)
}
