package core

import (
	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// timeHistory looks a point in time up in the history of another one.
type timeHistory struct {
	Value  spec.In[value.Time] `rcc:"inValue" wanted:"true" doc:"time to remember in every cycle"`
	Time   spec.In[value.Time] `rcc:"inTime" wanted:"true" doc:"time to look up"`
	Reset  spec.InOr[bool]     `rcc:"inReset" or:"=false" doc:"forgets what is remembered"`
	MaxAge spec.Param[float64] `rcc:"MaxAge" default:"1" must:">= 0" doc:"how far back is remembered, s"`
	Out    spec.Out[float64]   `rcc:"outAge" doc:"how long ago inValue was not later than inTime, s; null when never"`

	times  earliest
	cycles []uint64 // cycle of each time
	at     int      // next place
	since  uint64   // cycle of the last reset
	reach  uint64   // cycles that are remembered
}

func (p *timeHistory) Init(env *spec.Env) error {
	n, err := generic.CyclesUntil(env, "MaxAge", p.MaxAge.V, generic.MostCycles)
	if err != nil {
		return err
	}
	p.reach = uint64(n)
	if p.times, err = newEarliest(env, n+1); err == nil {
		p.cycles, err = spec.Make[uint64](env, p.times.places())
	}
	return err
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
			{Doc: "no length of time", Params: params{"MaxAge": "nan"}, Reject: "parameter MaxAge: it is NaN, but must be at least 0"},
		},
	}, spec.Kernels[timeHistory]{Run: lookUp})
}
