package core

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// mostCycles bounds the memory of a primitive: 16 min at 1 ms.
const mostCycles = 1_000_000

// hair makes up for binary fractions: 0.3 s are three cycles of 0.1 s, neither two nor four.
const hair = 1e-9

// cyclesUntil returns how many cycles begin within a time, so that a history of that length reaches as far back.
func cyclesUntil(env *spec.Env, param string, seconds float64, most int) (int, error) {
	return bounded(param, seconds, math.Ceil(seconds/env.Period.Seconds()*(1-hair)), 0, most)
}

// cyclesWithin returns how many whole cycles fit into a time, at least one.
func cyclesWithin(env *spec.Env, param string, seconds float64) (int, error) {
	return bounded(param, seconds, math.Floor(seconds/env.Period.Seconds()*(1+hair)), 1, mostCycles)
}

func bounded(param string, seconds, cycles float64, least, most int) (int, error) {
	switch {
	case !(seconds >= 0):
		return 0, fmt.Errorf("parameter %s: %g s is no length of time", param, seconds)
	case cycles < float64(least):
		return 0, fmt.Errorf("parameter %s: %g s is shorter than a cycle", param, seconds)
	case cycles > float64(most):
		return 0, fmt.Errorf("parameter %s: %g s are more than %d cycles", param, seconds, most)
	}
	return int(cycles), nil
}

// atTime is §7.3.2 TAtTime.
type atTime[T any] struct {
	Value  spec.In[T]          `rcc:"inValue" doc:"value to remember"`
	Age    spec.In[float64]    `rcc:"inAge" or:"Age=0" doc:"how far to look back, s; negative is now"`
	MaxAge spec.Param[float64] `rcc:"MaxAge" default:"1" doc:"how far back is remembered, s"`
	Out    spec.Out[T]         `rcc:"outValue" doc:"the value at that time, null when it was null or is not remembered"`

	history []remembered[T] // by cycle number
}

// remembered is a value and the cycle that had it. A cycle in which the primitive did not run, or had no value, leaves
// an older one standing, which tells.
type remembered[T any] struct {
	value T
	cycle uint64
}

func (p *atTime[T]) Init(env *spec.Env) error {
	n, err := cyclesUntil(env, "MaxAge", p.MaxAge.V, mostCycles)
	if err != nil {
		return err
	}
	p.history = make([]remembered[T], n+1)
	return nil
}

func lookBack[T any](run []atTime[T], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if v, ok := p.Value.Get(cy); ok {
			if slot := slotOf(p.history, cy.N); slot != nil {
				slot.value, slot.cycle = v, cy.N
			}
		}
		back := math.Ceil(max(p.Age.Or(cy, nan), 0) / cy.Period * (1 - hair))
		if !(back < float64(len(p.history)) && back < float64(cy.N)) {
			continue
		}
		then := cy.N - uint64(back)
		if slot := slotOf(p.history, then); slot != nil && slot.cycle == then {
			p.Out.Set(cy, slot.value)
		}
	}
}

func slotOf[T any](history []remembered[T], n uint64) *remembered[T] {
	size := uint64(len(history))
	if size == 0 {
		return nil
	}
	if i := n % size; i < size {
		return &history[i]
	}
	return nil
}

func atTimes[T any](prefix string, s sample) *spec.Primitive {
	return spec.Declare(spec.Decl{
		Name: prefix + "AtTime", Extension: extension, Doc: "gives the value of an earlier time",
		Examples: []spec.Example{
			{
				Doc: "two cycles ago, null before the start", Params: params{"Age": "0.02"}, In: series{"inValue": {s.a, s.b, s.a, s.a}},
				Out: series{"outValue": {"null", "null", s.a, s.b}},
			},
			{
				Doc: "a time within a cycle belongs to the cycle", In: series{"inValue": {s.a, s.b}, "inAge": {"-1", "0.001", "0", "null"}},
				Out: series{"outValue": {s.a, s.a, s.b, "null"}},
			},
			{
				Doc: "null is remembered", Params: params{"Age": "0.01"}, In: series{"inValue": {s.a, "null", s.b}},
				Out: series{"outValue": {"null", s.a, "null", s.b}},
			},
			{
				Doc: "older than what is remembered", Params: params{"MaxAge": "0.01"}, In: series{"inValue": {s.a}, "inAge": {"0.02", "0.02", "0.02", "0.01", "nan"}},
				Out: series{"outValue": {"null", "null", "null", s.a, "null"}},
			},
			{Doc: "no length of time", Params: params{"MaxAge": "-1"}, Reject: "parameter MaxAge: -1 s is no length of time"},
			{Doc: "too long", Params: params{"MaxAge": "1e9"}, Reject: "more than 1000000 cycles"},
		},
	}, spec.Kernels[atTime[T]]{Run: lookBack[T]})
}

// snapshot is §7.3.2 TSnapshot.
type snapshot[T any] struct {
	Value    spec.In[T]      `rcc:"inValue" required:"true" doc:"value to take"`
	Snapshot spec.InOr[bool] `rcc:"inSnapshot" or:"=false" required:"true" doc:"takes the value while true"`
	Reset    spec.InOr[bool] `rcc:"inReset" or:"=false" doc:"forgets what was taken"`
	Initial  spec.Param[T]   `rcc:"Value" default:"" doc:"value before the first snapshot"`
	Out      spec.Out[T]     `rcc:"outValue" doc:"value taken last, null when that was null"`

	held  T
	taken bool // held stands in place of Initial
	null  bool // what was taken is null
}

func take[T any](run []snapshot[T], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if p.Reset.Get(cy) {
			p.taken, p.null = false, false
		}
		if p.Snapshot.Get(cy) {
			v, ok := p.Value.Get(cy)
			p.held, p.taken, p.null = v, true, !ok
		}
		switch {
		case !p.taken:
			p.Out.Set(cy, p.Initial.V)
		case !p.null:
			p.Out.Set(cy, p.held)
		}
	}
}

func snapshots[T any](prefix string, s sample) *spec.Primitive {
	return spec.Declare(spec.Decl{
		Name: prefix + "Snapshot", Extension: extension, Doc: "follows a value while a signal is true and holds it afterwards",
		Examples: []spec.Example{
			{
				Doc: "follow and hold", In: series{"inValue": {s.b, s.a, s.b, s.a}, "inSnapshot": {"false", "true", "true", "false"}},
				Params: params{"Value": s.a}, Out: series{"outValue": {s.a, s.a, s.b, s.b}},
			},
			{
				Doc: "null is held too", In: series{"inValue": {"null", s.a}, "inSnapshot": {"true", "null", "true"}},
				Out: series{"outValue": {"null", "null", s.a}},
			},
			{
				Doc: "reset", In: series{"inValue": {s.a}, "inSnapshot": {"true", "false"}, "inReset": {"false", "true", "null"}},
				Out: series{"outValue": {s.a, s.zero, s.zero}},
			},
			{Doc: "no signal", In: series{"inValue": {s.a}}, Reject: "inSnapshot must be connected"},
		},
	}, spec.Kernels[snapshot[T]]{Run: take[T]})
}

// timeHistory looks a point in time up in the history of another one.
type timeHistory struct {
	Value  spec.In[value.Time] `rcc:"inValue" doc:"time to remember in every cycle"`
	Time   spec.In[value.Time] `rcc:"inTime" doc:"time to look up"`
	Reset  spec.InOr[bool]     `rcc:"inReset" or:"=false" doc:"forgets what is remembered"`
	MaxAge spec.Param[float64] `rcc:"MaxAge" default:"1" doc:"how far back is remembered, s"`
	Out    spec.Out[float64]   `rcc:"outAge" doc:"how long ago inValue was not later than inTime, s; null when never"`

	times  earliest
	cycles []uint64 // cycle of each time
	at     int      // next place
	since  uint64   // cycle of the last reset
	reach  uint64   // cycles that are remembered
}

func (p *timeHistory) Init(env *spec.Env) error {
	n, err := cyclesUntil(env, "MaxAge", p.MaxAge.V, mostCycles)
	if err != nil {
		return err
	}
	p.reach = uint64(n)
	p.times = newEarliest(n + 1)
	p.cycles = make([]uint64, p.times.places())
	return nil
}

func lookUp(run []timeHistory, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if p.Reset.Get(cy) {
			p.since = cy.N
		}
		if v, ok := p.Value.Get(cy); ok {
			p.remember(v, cy.N)
		}
		wanted, ok := p.Time.Get(cy)
		if !ok {
			continue
		}
		if then := p.newest(wanted); then != 0 && then >= p.since && cy.N-then <= p.reach {
			p.Out.Set(cy, float64(cy.N-then)*cy.Period)
		}
	}
}

func (p *timeHistory) remember(v value.Time, n uint64) {
	cycles, at := p.cycles, p.at
	if at >= len(cycles) {
		at = 0
	}
	if at >= 0 && at < len(cycles) {
		cycles[at] = n
	}
	p.times.put(at, v)
	p.at = at + 1
}

// newest returns the last cycle with a time that is not later than wanted, or 0. The ring is searched from its newest
// place down; below that everything is older, so the search over all places finds the newest of the rest.
func (p *timeHistory) newest(wanted value.Time) uint64 {
	i := p.times.last(p.at, wanted)
	if i < 0 {
		i = p.times.last(len(p.cycles), wanted)
	}
	if cycles := p.cycles; i >= 0 && i < len(cycles) {
		return cycles[i]
	}
	return 0
}

func timeHistories() *spec.Primitive {
	return spec.Declare(spec.Decl{
		Name: "Core::TimeHistory", Extension: extension, Doc: "tells how long ago a time was not later than another",
		Examples: []spec.Example{
			{
				Doc: "a time stamp that arrives three cycles late", In: series{"inValue": {"100", "110", "120", "130"}, "inTime": {"99", "105", "119", "100"}},
				Out: series{"outAge": {"null", "0.01", "0.01", "0.03"}},
			},
			{
				Doc: "null is not remembered", In: series{"inValue": {"100", "null", "120"}, "inTime": {"100", "110", "null"}},
				Out: series{"outAge": {"0", "0.01", "null"}},
			},
			{
				Doc: "reset and the end of the history", Params: params{"MaxAge": "0.01"},
				In:  series{"inValue": {"100", "200", "300", "400", "500"}, "inTime": {"100", "100", "100", "300"}, "inReset": {"false", "false", "false", "false", "true"}},
				Out: series{"outAge": {"0", "0.01", "null", "0.01", "null"}},
			},
			{Doc: "no length of time", Params: params{"MaxAge": "nan"}, Reject: "parameter MaxAge: NaN s is no length of time"},
		},
	}, spec.Kernels[timeHistory]{Run: lookUp})
}
