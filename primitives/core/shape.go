package core

import (
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// clock adds time up, faster or slower: with an override as increment it is the time of a motion.
type clock struct {
	Increment spec.In[float64]  `rcc:"inIncrement" or:"Increment=1" should:"!= 0 -- the clock stands" doc:"speed of the clock; null and NaN stop it"`
	Reset     spec.InOr[bool]   `rcc:"inReset" or:"=false" doc:"starts again from 0"`
	Out       spec.Out[float64] `rcc:"outValue" doc:"sum of increment times cycle time, s; this cycle included"`

	now float64
}

func tick(run []clock, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if p.Reset.Get(cy) {
			p.now = 0
		}
		if next := p.now + p.Increment.Or(cy, nan)*cy.Period; next == next {
			p.now = next
		}
		p.Out.Set(cy, p.now)
	}
}

type lerp struct {
	From   spec.In[float64]  `rcc:"inFrom" or:"From=0" any:"every number is one to reckon with" doc:"value at 0"`
	To     spec.In[float64]  `rcc:"inTo" or:"To=0" any:"every number is one to reckon with" doc:"value at 1"`
	Amount spec.In[float64]  `rcc:"inAmount" wanted:"true" doc:"place between the two, also beyond 0 and 1"`
	Out    spec.Out[float64] `rcc:"outValue" doc:"value at that place"`
}

func interpolate(run []lerp, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		from, to := p.From.Or(cy, nan), p.To.Or(cy, nan)
		p.Out.Set(cy, from+p.Amount.Or(cy, nan)*(to-from))
	}
}

type cubicBezier struct {
	Value    spec.In[float64]  `rcc:"inValue" wanted:"true" doc:"place on the curve, 0 to 1, also beyond"`
	From     spec.In[float64]  `rcc:"inFrom" or:"From=0" any:"every number is one to reckon with" doc:"value at 0"`
	Control1 spec.In[float64]  `rcc:"inControl1" or:"Control1=0" any:"every number is one to reckon with" doc:"first control value"`
	Control2 spec.In[float64]  `rcc:"inControl2" or:"Control2=0" any:"every number is one to reckon with" doc:"second control value"`
	To       spec.In[float64]  `rcc:"inTo" or:"To=0" any:"every number is one to reckon with" doc:"value at 1"`
	Out      spec.Out[float64] `rcc:"outValue" doc:"value of the curve at that place"`
}

func followControls(run []cubicBezier, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, bezier(p.Value.Or(cy, nan), p.From.Or(cy, nan), p.Control1.Or(cy, nan), p.Control2.Or(cy, nan), p.To.Or(cy, nan)))
	}
}

type hermite struct {
	Value   spec.In[float64]  `rcc:"inValue" wanted:"true" doc:"place on the curve, 0 to 1, also beyond"`
	From    spec.In[float64]  `rcc:"inFrom" or:"From=0" any:"every number is one to reckon with" doc:"value at 0"`
	FromVel spec.In[float64]  `rcc:"inFromVel" or:"FromVel=0" any:"every number is one to reckon with" doc:"slope at 0"`
	ToVel   spec.In[float64]  `rcc:"inToVel" or:"ToVel=0" any:"every number is one to reckon with" doc:"slope at 1"`
	To      spec.In[float64]  `rcc:"inTo" or:"To=0" any:"every number is one to reckon with" doc:"value at 1"`
	Out     spec.Out[float64] `rcc:"outValue" doc:"value of the curve at that place"`
}

func followSlopes(run []hermite, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		from, to := p.From.Or(cy, nan), p.To.Or(cy, nan)
		p.Out.Set(cy, bezier(p.Value.Or(cy, nan), from, from+p.FromVel.Or(cy, nan)/3, to-p.ToVel.Or(cy, nan)/3, to))
	}
}

// bezier returns the cubic of Bernstein's polynomials.
func bezier(t, from, control1, control2, to float64) float64 {
	s := 1 - t
	return s*s*s*from + 3*s*s*t*control1 + 3*s*t*t*control2 + t*t*t*to
}

type interval struct {
	Value  spec.In[float64]  `rcc:"inValue" wanted:"true" doc:"value to place"`
	Min    spec.In[float64]  `rcc:"inMin" or:"Min=0" should:"<= Max -- no value lies in the interval" doc:"begin of the interval"`
	Max    spec.In[float64]  `rcc:"inMax" or:"Max=1000" should:">= Min -- no value lies in the interval" doc:"end of the interval"`
	Active spec.Out[bool]    `rcc:"outActive" doc:"true when the value lies in the interval, ends included"`
	Out    spec.Out[float64] `rcc:"outValue" doc:"place in the interval: 0 at its begin and below, 1 at its end and above"`
}

func place(run []interval, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		v, low, high := p.Value.Or(cy, nan), p.Min.Or(cy, nan), p.Max.Or(cy, nan)
		p.Active.Set(cy, low <= v && v <= high)
		p.Out.Set(cy, share(v, low, high))
	}
}

func share(v, low, high float64) float64 {
	switch {
	case v < low:
		return 0
	case v > high:
		return 1
	case v == low && low == high:
		return 0
	default:
		return (v - low) / (high - low)
	}
}

// rampify turns uniform progress into progress that starts and stops gently.
type rampify struct {
	Value    spec.In[float64]    `rcc:"inValue" wanted:"true" doc:"share of the time, 0 to 1"`
	Constant spec.Param[float64] `rcc:"Constant" default:"0.5" must:">= 0; <= 1" doc:"share of the time at constant velocity, 0 to 1"`
	Out      spec.Out[float64]   `rcc:"outValue" doc:"share of the way, 0 to 1"`
}

func ramp(run []rampify, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, trapezoid(p.Value.Or(cy, nan), p.Constant.V))
	}
}

// trapezoid returns the way up to time t of a velocity that rises, is constant for a while, and falls.
func trapezoid(t, constant float64) float64 {
	rise, top := (1-constant)/2, 2/(1+constant)
	switch {
	case t <= 0:
		return 0
	case t >= 1:
		return 1
	case t < rise:
		return top * t * t / (2 * rise)
	case 1-t < rise:
		return 1 - top*(1-t)*(1-t)/(2*rise)
	default:
		return top * (t - rise/2)
	}
}

func shapes() []*spec.Primitive {
	return []*spec.Primitive{
		spec.Declare(spec.Decl{
			Name: "Core::Clock", Extension: extension, Doc: "adds up time at a given speed",
			Examples: []spec.Example{
				{Doc: "real time", Out: series{"outValue": {"0.01", "0.02", "0.03"}}},
				{
					Doc: "half speed, null and NaN stop the clock", Params: params{"Increment": "3"}, In: series{"inIncrement": {"0.5", "null", "nan", "-1"}},
					Out: series{"outValue": {"0.005", "0.005", "0.005", "-0.005"}},
				},
				{Doc: "reset", In: series{"inReset": {"false", "false", "true", "null"}}, Out: series{"outValue": {"0.01", "0.02", "0.01", "0.02"}}},
				{Doc: "no double", Params: params{"Increment": "fast"}, Reject: "parameter Increment"},
			},
		}, spec.Kernels[clock]{Run: tick}),
		spec.Declare(spec.Decl{
			Name: "Core::Lerp", Extension: extension, Doc: "interpolates between two values", Pure: true,
			Examples: []spec.Example{
				{Doc: "on the line", Params: params{"From": "10", "To": "20"}, In: series{"inAmount": {"0", "0.25", "1", "1.5", "null"}}, Out: series{"outValue": {"10", "12.5", "20", "25", "nan"}}},
				{Doc: "ends that move", In: series{"inFrom": {"0", "1", "null"}, "inTo": {"1", "3"}, "inAmount": {"0.5"}}, Out: series{"outValue": {"0.5", "2", "nan"}}},
				{Doc: "no double", Params: params{"To": "x"}, Reject: "parameter To"},
			},
		}, spec.Kernels[lerp]{Run: interpolate}),
		spec.Declare(spec.Decl{
			Name: "Core::CubicBezier", Extension: extension, Doc: "cubic Bézier curve through two values", Pure: true,
			Examples: []spec.Example{
				{
					Doc: "on the curve", Params: params{"From": "0", "Control1": "0", "Control2": "1", "To": "1"}, In: series{"inValue": {"0", "0.25", "0.5", "1", "null"}},
					Out: series{"outValue": {"0", "0.15625", "0.5", "1", "nan"}},
				},
				{Doc: "beyond its end", Params: params{"To": "1"}, In: series{"inValue": {"2"}}, Out: series{"outValue": {"8"}}},
				{Doc: "no double", Params: params{"Control1": "x"}, Reject: "parameter Control1"},
			},
		}, spec.Kernels[cubicBezier]{Run: followControls}),
		spec.Declare(spec.Decl{
			Name: "Core::DoubleBezier", Extension: extension, Doc: "cubic curve through two values with given slopes", Pure: true,
			Examples: []spec.Example{
				{
					Doc: "a straight line", Params: params{"From": "1", "FromVel": "2", "ToVel": "2", "To": "3"}, In: series{"inValue": {"0", "0.25", "0.5", "1", "null"}},
					Out: series{"outValue": {"1", "1.5", "2", "3", "nan"}},
				},
				{Doc: "at rest at both ends", Params: params{"To": "1"}, In: series{"inValue": {"0.25", "0.5"}}, Out: series{"outValue": {"0.15625", "0.5"}}},
				{Doc: "no double", Params: params{"ToVel": "x"}, Reject: "parameter ToVel"},
			},
		}, spec.Kernels[hermite]{Run: followSlopes}),
		spec.Declare(spec.Decl{
			Name: "Core::Interval", Extension: extension, Doc: "tells where in an interval a value lies", Pure: true,
			Examples: []spec.Example{
				{
					Doc: "below, inside, above", Params: params{"Min": "2", "Max": "4"}, In: series{"inValue": {"1", "2", "3", "4", "5", "null"}},
					Out: series{"outValue": {"0", "0", "0.5", "1", "1", "nan"}, "outActive": {"false", "true", "true", "true", "false", "false"}},
				},
				{
					Doc: "an interval of one value", Params: params{"Min": "2", "Max": "2"}, In: series{"inValue": {"1.9", "2", "2.1"}},
					Out: series{"outValue": {"0", "0", "1"}, "outActive": {"false", "true", "false"}},
				},
				{
					Doc: "an end that is null", In: series{"inValue": {"5", "0", "-1"}, "inMax": {"null"}},
					Out: series{"outValue": {"nan", "nan", "0"}, "outActive": {"false"}},
				},
				{Doc: "no double", Params: params{"Min": "x"}, Reject: "parameter Min"},
			},
		}, spec.Kernels[interval]{Run: place}),
		spec.Declare(spec.Decl{
			Name: "Core::Rampify", Extension: extension, Doc: "makes uniform progress start and stop gently", Pure: true,
			Examples: []spec.Example{
				{Doc: "half of the time constant", In: series{"inValue": {"-1", "0", "0.125", "0.25", "0.5", "0.75", "1", "2", "null"}}, Out: series{"outValue": {"0", "0", "0.041666666666666664", "0.16666666666666666", "0.5", "0.8333333333333334", "1", "1", "nan"}}},
				{Doc: "never constant", Params: params{"Constant": "0"}, In: series{"inValue": {"0.25", "0.5", "0.75"}}, Out: series{"outValue": {"0.125", "0.5", "0.875"}}},
				{Doc: "always constant", Params: params{"Constant": "1"}, In: series{"inValue": {"0.25", "0.5", "0.75"}}, Out: series{"outValue": {"0.25", "0.5", "0.75"}}},
				{Doc: "no share", Params: params{"Constant": "1.5"}, Reject: "it is 1.5, but must be at most 1"},
			},
		}, spec.Kernels[rampify]{Run: ramp}),
	}
}
