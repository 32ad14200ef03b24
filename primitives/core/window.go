package core

import (
	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// trues counts how often a value was true in the last cycles. Cycles before the first count as false.
type trues struct {
	ring  []bool
	at    int // next place
	known int // cycles since the beginning, at most all
	count int
}

func (w *trues) reset() { w.known, w.count = 0, 0 }

func (w *trues) add(v bool) {
	ring, at := w.ring, w.at
	if at >= len(ring) {
		at = 0
	}
	if at < 0 || at >= len(ring) {
		return
	}
	if w.known < len(ring) {
		w.known++
	} else if ring[at] {
		w.count--
	}
	ring[at] = v
	w.at = at + 1
	if v {
		w.count++
	}
}

func (w *trues) all() bool  { return w.count == len(w.ring) }
func (w *trues) none() bool { return w.count == 0 }

// watch takes the value of a cycle into the window and reports whether it was true never or always.
func (w *trues) watch(cy *spec.Cycle, value, reset *spec.InOr[bool], none, all *spec.Out[bool]) {
	if reset.Get(cy) {
		w.reset()
	}
	w.add(value.Get(cy))
	none.Set(cy, w.none())
	all.Set(cy, w.all())
}

type lastN struct {
	Value spec.InOr[bool]   `rcc:"inValue" or:"=false" doc:"value to watch; null counts as false"`
	Reset spec.InOr[bool]   `rcc:"inReset" or:"=false" doc:"forgets the cycles before this one"`
	Count spec.Param[int32] `rcc:"Count" default:"1" must:">= 1; <= 1000000" doc:"number of cycles to look at"`
	None  spec.Out[bool]    `rcc:"outNone" doc:"true when the value was true in none of the cycles"`
	All   spec.Out[bool]    `rcc:"outAll" doc:"true when the value was true in all of the cycles"`
	Out   spec.Out[int32]   `rcc:"outCount" doc:"number of the cycles in which the value was true"`

	window trues
}

func (p *lastN) Init(env *spec.Env) (err error) {
	p.window.ring, err = spec.Make[bool](env, int(p.Count.V))
	return err
}

func countTrues(run []lastN, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.window.watch(cy, &p.Value, &p.Reset, &p.None, &p.All)
		p.Out.Set(cy, int32(p.window.count))
	}
}

type booleanHistory struct {
	Value    spec.InOr[bool]     `rcc:"inValue" or:"=false" doc:"value to watch; null counts as false"`
	Reset    spec.InOr[bool]     `rcc:"inReset" or:"=false" doc:"forgets the time before this cycle"`
	Duration spec.Param[float64] `rcc:"Duration" default:"1" must:"> 0" doc:"time to look at, s"`
	None     spec.Out[bool]      `rcc:"outNone" doc:"true when the value was true at no time"`
	All      spec.Out[bool]      `rcc:"outAll" doc:"true when the value was true all the time"`
	Amount   spec.Out[float64]   `rcc:"outAmount" doc:"share of the time in which the value was true, 0 to 1"`

	window trues
}

func (p *booleanHistory) Init(env *spec.Env) error {
	n, err := generic.CyclesWithin(env, "Duration", p.Duration.V)
	if err == nil {
		p.window.ring, err = spec.Make[bool](env, n)
	}
	return err
}

func shareTrues(run []booleanHistory, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.window.watch(cy, &p.Value, &p.Reset, &p.None, &p.All)
		p.Amount.Set(cy, float64(p.window.count)/float64(max(len(p.window.ring), 1)))
	}
}

type average struct {
	Value    spec.In[float64]    `rcc:"inValue" wanted:"true" doc:"value to average; null is not a sample"`
	Reset    spec.InOr[bool]     `rcc:"inReset" or:"=false" doc:"forgets the samples before this cycle"`
	Duration spec.Param[float64] `rcc:"Duration" default:"1" must:"> 0" doc:"time to average over, s"`
	Out      spec.Out[float64]   `rcc:"outValue" doc:"mean of the samples that there are, null without any"`

	window generic.Window[float64]
}

func (p *average) Init(env *spec.Env) error {
	n, err := generic.CyclesWithin(env, "Duration", p.Duration.V)
	if err == nil {
		p.window, err = generic.NewWindow(env, n, sum)
	}
	return err
}

func averageSamples(run []average, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if p.Reset.Get(cy) {
			p.window.Reset()
		}
		if v, ok := p.Value.Get(cy); ok {
			p.window.Add(v)
		} else {
			p.window.Skip()
		}
		if all := p.window.All(); all != nil {
			p.Out.Set(cy, all.V/float64(all.Count))
		}
	}
}

func sum(a, b *generic.Part[float64]) float64 { return a.V + b.V }

func windows() []*spec.Primitive {
	return []*spec.Primitive{
		spec.Declare(spec.Decl{
			Name: "Core::BooleanLastN", Extension: extension, Doc: "tells how often a value was true in the last cycles; cycles before the first count as false",
			Examples: []spec.Example{
				{
					Doc: "two cycles", Params: params{"Count": "2"}, In: series{"inValue": {"false", "true", "true", "null", "false"}},
					Out: series{
						"outNone": {"true", "false", "false", "false", "true"}, "outAll": {"false", "false", "true", "false", "false"},
						"outCount": {"0", "1", "2", "1", "0"},
					},
				},
				{
					Doc: "reset", Params: params{"Count": "3"}, In: series{"inValue": {"true"}, "inReset": {"false", "false", "false", "true", "false"}},
					Out: series{"outCount": {"1", "2", "3", "1", "2"}},
				},
				{Doc: "no cycles", Params: params{"Count": "0"}, Reject: "parameter Count: it is 0, but must be at least 1"},
			},
		}, spec.Kernels[lastN]{Run: countTrues}),
		spec.Declare(spec.Decl{
			Name: "Core::BooleanHistory", Extension: extension, Doc: "tells how much of the last time a value was true; the time before the first cycle counts as false",
			Examples: []spec.Example{
				{
					Doc: "four cycles", Params: params{"Duration": "0.04"}, In: series{"inValue": {"true", "true", "true", "true", "null"}},
					Out: series{
						"outAmount": {"0.25", "0.5", "0.75", "1", "0.75"}, "outAll": {"false", "false", "false", "true", "false"},
						"outNone": {"false"},
					},
				},
				{
					Doc: "reset", Params: params{"Duration": "0.02"}, In: series{"inValue": {"true", "true", "false"}, "inReset": {"false", "false", "true"}},
					Out: series{"outAmount": {"0.5", "1", "0"}, "outNone": {"false", "false", "true"}},
				},
				{Doc: "less than a cycle", Params: params{"Duration": "0.009"}, Reject: "0.009 s is shorter than a cycle"},
			},
		}, spec.Kernels[booleanHistory]{Run: shareTrues}),
		spec.Declare(spec.Decl{
			Name: "Core::DoubleAverage", Extension: extension, Doc: "mean of a value over the last time",
			Examples: []spec.Example{
				{
					Doc: "three cycles", Params: params{"Duration": "0.03"}, In: series{"inValue": {"1", "2", "6", "1"}},
					Out: series{"outValue": {"1", "1.5", "3", "3"}},
				},
				{
					Doc: "null is not a sample", Params: params{"Duration": "0.02"}, In: series{"inValue": {"null", "4", "null", "null", "5"}},
					Out: series{"outValue": {"null", "4", "4", "null", "5"}},
				},
				{
					Doc: "NaN leaves with the window", Params: params{"Duration": "0.02"}, In: series{"inValue": {"1", "nan", "3", "5"}, "inReset": {"false", "false", "null"}},
					Out: series{"outValue": {"1", "nan", "nan", "4"}},
				},
				{
					Doc: "reset", Params: params{"Duration": "0.03"}, In: series{"inValue": {"1", "2", "6", "8"}, "inReset": {"false", "false", "true", "false"}},
					Out: series{"outValue": {"1", "1.5", "6", "7"}},
				},
				{Doc: "less than a cycle", Params: params{"Duration": "0"}, Reject: "parameter Duration: it is 0, but must be above 0"},
			},
		}, spec.Kernels[average]{Run: averageSamples}),
	}
}
