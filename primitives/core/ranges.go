package core

import (
	"math"

	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// mostRanges bounds the search of a cycle, which looks at every remembered range when none fits.
const mostRanges = 10_000

// consistentRange finds measurements of two sensors that belong together. A sensor tells for each measurement from when
// to when it was taken; two measurements belong together when one short range of time covers both.
type consistentRange struct {
	FirstStart  spec.In[value.Time]  `rcc:"inFirstStart" wanted:"true" doc:"begin of the first range"`
	FirstEnd    spec.In[value.Time]  `rcc:"inFirstEnd" wanted:"true" doc:"end of the first range"`
	SecondStart spec.In[value.Time]  `rcc:"inSecondStart" wanted:"true" doc:"begin of the second range"`
	SecondEnd   spec.In[value.Time]  `rcc:"inSecondEnd" wanted:"true" doc:"end of the second range"`
	Reset       spec.InOr[bool]      `rcc:"inReset" or:"=false" doc:"forgets what is remembered"`
	MaxSize     spec.Param[float64]  `rcc:"MaxSize" default:"1" must:">= 0" doc:"greatest length of the joint range, s"`
	MaxAge      spec.Param[float64]  `rcc:"MaxAge" default:"1" must:">= 0" doc:"how far back ranges are remembered, s"`
	Start       spec.Out[value.Time] `rcc:"outStart" doc:"begin of the newest range that covers a first and a second one, null without"`
	End         spec.Out[value.Time] `rcc:"outEnd" doc:"end of that range"`

	first, second ranges
	size          uint64 // ns
}

// timeRange is a range of time and the cycle in which it arrived, 0 for none.
type timeRange struct {
	start, end value.Time
	cycle      uint64
}

// ranges remembers ranges of time.
type ranges struct {
	ring   []timeRange
	newest int
	since  uint64 // cycle of the last reset
}

func (p *consistentRange) Init(env *spec.Env) error {
	n, err := generic.CyclesUntil(env, "MaxAge", p.MaxAge.V, mostRanges)
	if err != nil {
		return err
	}
	p.size = math.MaxUint64
	if ns := p.MaxSize.V * nsPerSecond; ns < math.MaxInt64 {
		p.size = uint64(math.RoundToEven(ns))
	}
	if p.first.ring, err = spec.Make[timeRange](env, n+1); err == nil {
		p.second.ring, err = spec.Make[timeRange](env, n+1)
	}
	return err
}

func joinRanges(run []consistentRange, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if p.Reset.Get(cy) {
			p.first.since, p.second.since = cy.N, cy.N
		}
		p.first.remember(&p.FirstStart, &p.FirstEnd, cy)
		p.second.remember(&p.SecondStart, &p.SecondEnd, cy)
		a, okA := p.second.fit(p.first.last(cy), p.size, cy)
		b, okB := p.first.fit(p.second.last(cy), p.size, cy)
		if okB && (!okA || b.end > a.end) {
			a, okA = b, true
		}
		if okA {
			p.Start.Set(cy, a.start)
			p.End.Set(cy, a.end)
		}
	}
}

// remember takes a range. One that ends before it begins is none.
func (r *ranges) remember(start, end *spec.In[value.Time], cy *spec.Cycle) {
	from, okFrom := start.Get(cy)
	to, okTo := end.Get(cy)
	if !okFrom || !okTo || from > to {
		return
	}
	ring, at := r.ring, r.newest+1
	if at >= len(ring) {
		at = 0
	}
	if at >= 0 && at < len(ring) {
		ring[at] = timeRange{start: from, end: to, cycle: cy.N}
	}
	r.newest = at
}

// last returns the range that came last.
func (r *ranges) last(cy *spec.Cycle) timeRange {
	if ring, at := r.ring, r.newest; at >= 0 && at < len(ring) && r.holds(ring[at].cycle, cy) {
		return ring[at]
	}
	return timeRange{}
}

// holds reports whether the value of a cycle is still remembered.
func (r *ranges) holds(cycle uint64, cy *spec.Cycle) bool {
	return cycle != 0 && cycle >= r.since && cy.N-cycle < uint64(len(r.ring))
}

// fit joins a range with the newest of the remembered ones that leaves the joint range short enough.
func (r *ranges) fit(with timeRange, size uint64, cy *spec.Cycle) (timeRange, bool) {
	if with.cycle == 0 {
		return timeRange{}, false
	}
	ring, at := r.ring, r.newest
	for range ring {
		if at < 0 {
			at = len(ring) - 1
		}
		if at < 0 || at >= len(ring) {
			break
		}
		have := ring[at]
		if !r.holds(have.cycle, cy) {
			break // and so are all that are older
		}
		start, end := min(have.start, with.start), max(have.end, with.end)
		if uint64(end)-uint64(start) <= size {
			return timeRange{start: start, end: end, cycle: cy.N}, true
		}
		at--
	}
	return timeRange{}, false
}

func timeRanges() *spec.Primitive {
	return spec.Declare(spec.Decl{
		Name: "Core::TimeConsistentRange", Extension: extension, Doc: "finds the newest short range of time that covers measurements of two sensors",
		Unrelated: "a range may be longer than what is remembered is old",
		Examples: []spec.Example{
			{
				Doc: "the second sensor is a cycle late", Params: params{"MaxSize": "1e-8"},
				In: series{
					"inFirstStart": {"100", "120", "140"}, "inFirstEnd": {"104", "124", "144"},
					"inSecondStart": {"82", "102", "122"}, "inSecondEnd": {"86", "106", "126"},
				},
				Out: series{"outStart": {"null", "100", "120"}, "outEnd": {"null", "106", "126"}},
			},
			{
				Doc: "null and a range that ends before it begins are none", Params: params{"MaxSize": "1e-8"},
				In: series{
					"inFirstStart": {"100", "null", "9"}, "inFirstEnd": {"104", "null", "8"},
					"inSecondStart": {"null", "98"}, "inSecondEnd": {"null", "102"},
				},
				Out: series{"outStart": {"null", "98", "98"}, "outEnd": {"null", "104", "104"}},
			},
			{
				Doc: "what is too old and what a reset forgets", Params: params{"MaxAge": "0.01"},
				In: series{
					"inFirstStart": {"100", "null", "null", "100", "null"}, "inFirstEnd": {"104"},
					"inSecondStart": {"null", "101", "101"}, "inSecondEnd": {"105"}, "inReset": {"false", "false", "false", "false", "true"},
				},
				Out: series{"outStart": {"null", "100", "null", "100", "null"}, "outEnd": {"null", "105", "null", "105", "null"}},
			},
			{Doc: "no length", Params: params{"MaxSize": "-1"}, Reject: "parameter MaxSize: it is -1, but must be at least 0"},
			{Doc: "too long", Params: params{"MaxAge": "101"}, Reject: "more than 10000 cycles"},
		},
	}, spec.Kernels[consistentRange]{Run: joinRanges})
}
