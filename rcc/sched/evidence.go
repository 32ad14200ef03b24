package sched

import (
	"sync"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/internal/triple"
	"github.com/softrobot-rcc/rccd/rcc/rule"
)

// Evidence is what a rule has read. The turn writes it whenever it evaluates the condition, for the last time when the
// rule is decided, before the event of that: after the event, readers get the values that decided the rule. Its memory is
// allocated at the beginning.
//
// It is a triple buffer: the turn writes a page that no other thread has and exchanges it for another one. That takes one
// atomic operation, however many variables there are. The pages lie together, so that writing touches few lines of a cache.
type Evidence struct {
	words []uint64     // of three pages
	size  uint32       // of a page
	cells uint32       // words of the cells
	index triple.Index // the turn writes
	parts atomic.Bool  // all of them are known

	nets []atomic.Uint32 // to be stopped, cancelled and started, as they were before that
	runs []run
	mu   sync.Mutex // orders readers
}

// page is what was found at one moment: tick and value of the condition, then the cells of the condition, first of which are the
// variables, then a look at the net of each run of variables. Its lack is NotWritten when theirs are in the
// cells.
type page []uint64

const (
	pageTick = iota
	pageValue
	pageCells
)

// page returns one of the pages (cycle).
func (v *Evidence) page(i uint32) page {
	from := uint(i) * uint(v.size)
	to := from + uint(v.size)
	if from <= to && to <= uint(len(v.words)) {
		return v.words[from:to]
	}
	return nil
}

// open returns the page that the turn writes, and in it cells of the condition and looks at nets (cycle).
func (v *Evidence) open() (p page, cells, nets []uint64) {
	p = v.page(v.index.Writer())
	if n := uint(v.cells) + pageCells; n <= uint(len(p)) {
		return p, p[pageCells:n], p[n:]
	}
	return nil, nil, nil
}

// run is a number of variables of one net that follow each other in a condition.
type run struct {
	net Ref
	end uint32 // variable behind it
}

// runsOf divides the variables of a rule. A net that is followed is one.
func runsOf(r *Rule) (runs []run) {
	switch {
	case r.After != (Ref{}):
		return []run{{r.After, 1}}
	case r.Condition == nil:
		return nil
	}
	for i, v := range r.Variables {
		if n := len(runs); n > 0 && runs[n-1].net == v.Net {
			runs[n-1].end++
		} else {
			runs = append(runs, run{v.Net, uint32(i) + 1})
		}
	}
	return runs
}

// Look is what a rule has read of a variable, or of the net that it follows.
type Look struct {
	Value rule.Value
	Lack  Lack   // why there is no value
	State State  // of its net
	Cycle uint64 // newest one of its net
}

// Lack is the reason why a variable has no value (§6.1, §6.2).
type Lack uint8

// The reasons.
const (
	NotLooked   Lack = iota // the rule has not been evaluated yet
	Present                 // it has a value
	NotStarted              // the net has not run
	NotWritten              // it has no value in the newest cycle of its net
	Lost                    // the net has ended, and another net has owned one of its resources since
	Unloaded                // the net is unloaded
	NotFollowed             // the net that is followed has not ended
)

// Part is the state of a net that a rule was to stop, cancel or start, when its condition had become true.
type Part struct {
	State    State
	Affected bool // the rule has fired and changed the net, which had not already ended or been cancelled
}

// Findings are a copy of evidence at one moment.
type Findings struct {
	Tick  int64 // logical Unix time of the newest tick that was evaluated; 0 before
	Value rule.Value
	Looks []Look // in the order of the variables
	Parts []Part // stop, cancel and start, none before the condition was true
}

// Observe returns evidence of a rule that can be read from now on.
func (r *Rule) Observe() *Evidence {
	v := &Evidence{
		runs: runsOf(r), nets: make([]atomic.Uint32, len(r.Stop)+len(r.Cancel)+len(r.Start)),
	}
	if r.Condition != nil {
		v.cells = uint32(rule.Words(r.Condition.Cells()))
	}
	v.size = pageCells + v.cells + uint32(len(v.runs))
	v.words = make([]uint64, triple.Buffers*v.size)
	for i := range v.words {
		v.words[i] = Look{Value: rule.Indeterminate}.word()
	}
	for i := range uint32(triple.Buffers) {
		v.page(i)[pageTick] = 0
	}
	r.evidence = v
	return v
}

// A look is written as one word: value, lack, state, and the cycle above them.
const (
	lackShift  = 2
	stateShift = 5
	cycleShift = 8
)

func (look Look) word() uint64 {
	return uint64(look.Value) | uint64(look.Lack)<<lackShift | uint64(look.State)<<stateShift | look.Cycle<<cycleShift
}

func lookOf(word uint64) Look {
	return Look{
		Value: rule.Value(word & 3), Lack: Lack(word >> lackShift & 7), State: State(word >> stateShift & 7), Cycle: word >> cycleShift,
	}
}

// of completes a look at a net with the value of a variable.
func (look *Look) of(v rule.Value) {
	if look.Value = v; v != rule.Indeterminate {
		look.Lack = Present
	}
}

// A part is written as whether it is affected, and its state above.
const (
	partAffected = 1
	partState    = 1 // bits below the state
)

// Read returns the newest findings (any).
func (v *Evidence) Read() Findings {
	v.mu.Lock()
	defer v.mu.Unlock()
	parts := v.parts.Load() // before the page, which is older
	v.index.Take()
	p := v.page(v.index.Reader())
	f := Findings{Tick: int64(p[pageTick]), Value: rule.Value(p[pageValue])}
	cells, nets := p[pageCells:pageCells+v.cells], p[pageCells+v.cells:]
	for k, r := range v.runs {
		for i := len(f.Looks); i < int(r.end); i++ {
			look := lookOf(nets[k])
			if look.Lack == NotWritten {
				look.of(rule.Get(cells, i))
			}
			f.Looks = append(f.Looks, look)
		}
	}
	if parts {
		for i := range v.nets {
			w := v.nets[i].Load()
			f.Parts = append(f.Parts, Part{State: State(w >> partState), Affected: w&partAffected != 0})
		}
	}
	return f
}

// keep completes a page (turn).
func (s *Scheduler) keep(p page, tick int64, v rule.Value) {
	if tick == 0 { // none of its nets runs
		tick = s.floor()
	}
	if len(p) >= pageCells {
		p[pageTick], p[pageValue] = uint64(s.unix+tick), uint64(v)
	}
}

// publish hands out the page of the turn (turn).
func (v *Evidence) publish() { v.index.Publish() }

// keepParts notes what a rule is about to change (turn).
func (s *Scheduler) keepParts(e *ruleEntry) {
	v := e.evidence
	at := 0
	for _, n := range e.Stop {
		life := s.life(n)
		v.part(at, s.stateOf(n), life != nil && life.runs() && (!life.stopping || s.sooner(&e.change, life)))
		at++
	}
	for _, n := range e.Cancel {
		life := s.life(n)
		v.part(at, s.stateOf(n), life != nil && life.state == Running)
		at++
	}
	for _, n := range e.Start {
		v.part(at, s.stateOf(n), true)
		at++
	}
	v.parts.Store(true)
}

func (v *Evidence) part(i int, state State, affected bool) {
	nets := v.nets
	if uint(i) >= uint(len(nets)) {
		return
	}
	word := uint32(state) << partState
	if affected {
		word |= partAffected
	}
	nets[i].Store(word)
}
