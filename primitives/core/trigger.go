package core

import "github.com/softrobot-rcc/rccd/rcc/spec"

// trigger is a latch with one shot.
type trigger struct {
	On     spec.InOr[bool] `rcc:"inOn" or:"On=false" doc:"switches on"`
	Off    spec.InOr[bool] `rcc:"inOff" or:"Off=false" doc:"switches off for good; wins against inOn"`
	Reset  spec.InOr[bool] `rcc:"inReset" or:"=false" doc:"off, and ready to be switched on again"`
	Active spec.Out[bool]  `rcc:"outActive" doc:"true from inOn until inOff"`

	on, spent bool
}

func latch(run []trigger, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if p.Reset.Get(cy) {
			p.on, p.spent = false, false
		}
		p.spent = p.spent || p.Off.Get(cy)
		p.on = (p.on || p.On.Get(cy)) && !p.spent
		p.Active.Set(cy, p.on)
	}
}

// edge waits for a change of a value. Before the first cycle the value counts as false.
type edge struct {
	Value     spec.In[bool]    `rcc:"inValue" wanted:"true" doc:"value to watch; null is not a change"`
	Reset     spec.InOr[bool]  `rcc:"inReset" or:"=false" doc:"forgets the value before this cycle"`
	Direction spec.Param[bool] `rcc:"Direction" default:"true" any:"both edges can be looked for" doc:"true: changes from false to true; false: from true to false"`
	Out       spec.Out[bool]   `rcc:"outValue" doc:"true in the cycle of such a change"`

	last bool
}

func detect(run []edge, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if p.Reset.Get(cy) {
			p.last = false
		}
		v := p.Value.Or(cy, p.last)
		p.Out.Set(cy, v != p.last && v == p.Direction.V)
		p.last = v
	}
}

func triggers() []*spec.Primitive {
	return []*spec.Primitive{
		spec.Declare(spec.Decl{
			Name: "Core::Trigger", Extension: extension, Doc: "is on from one signal until another",
			Examples: []spec.Example{
				{
					Doc: "on, and off for good", In: series{"inOn": {"false", "true", "false", "false", "true"}, "inOff": {"false", "false", "null", "true", "false"}},
					Out: series{"outActive": {"false", "true", "true", "false", "false"}},
				},
				{
					Doc: "off wins, reset re-arms", In: series{"inOn": {"true"}, "inOff": {"true", "false", "false"}, "inReset": {"false", "false", "true"}},
					Out: series{"outActive": {"false", "false", "true"}},
				},
				{Doc: "null reads the parameter", Params: params{"On": "true"}, In: series{"inOn": {"null"}}, Out: series{"outActive": {"true"}}},
				{Doc: "no bool", Params: params{"On": "on"}, Reject: "parameter On"},
			},
		}, spec.Kernels[trigger]{Run: latch}),
		spec.Declare(spec.Decl{
			Name: "Core::EdgeDetection", Extension: extension, Doc: "is true for one cycle when a value changes",
			Examples: []spec.Example{
				{
					Doc: "rising, the first cycle included", In: series{"inValue": {"true", "true", "false", "true"}},
					Out: series{"outValue": {"true", "false", "false", "true"}},
				},
				{
					Doc: "falling", Params: params{"Direction": "false"}, In: series{"inValue": {"false", "true", "null", "false", "false"}},
					Out: series{"outValue": {"false", "false", "false", "true", "false"}},
				},
				{
					Doc: "reset", In: series{"inValue": {"true"}, "inReset": {"false", "false", "true"}},
					Out: series{"outValue": {"true", "false", "true"}},
				},
				{Doc: "no bool", Params: params{"Direction": "up"}, Reject: "parameter Direction"},
			},
		}, spec.Kernels[edge]{Run: detect}),
	}
}
