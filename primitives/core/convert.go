package core

import (
	"math"

	"github.com/softrobot-rcc/rccd/rcc/spec"
)

type toDouble struct {
	Value spec.In[int32]    `rcc:"inValue" or:"Value=1" any:"every number is one to reckon with" doc:"int to convert"`
	Out   spec.Out[float64] `rcc:"outValue" doc:"the same number"`
}

func convertInts(run []toDouble, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if v, ok := p.Value.Get(cy); ok {
			p.Out.Set(cy, float64(v))
		}
	}
}

type toInt struct {
	Value spec.In[float64] `rcc:"inValue" or:"Value=1" any:"every number is one to reckon with" doc:"double to convert"`
	Out   spec.Out[int32]  `rcc:"outValue" doc:"the number without its fraction, null when it is not an int"`
}

// convertDoubles compares before it converts: Go leaves open what becomes of a number that does not fit.
func convertDoubles(run []toInt, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if v := p.Value.Or(cy, nan); v > math.MinInt32-1 && v < math.MaxInt32+1 {
			p.Out.Set(cy, int32(v))
		}
	}
}

func conversions() []*spec.Primitive {
	return []*spec.Primitive{
		spec.Declare(spec.Decl{
			Name: "Core::DoubleFromInt", Extension: extension, Doc: "turns an int into a double", Pure: true, Operator: spec.Operator{Symbol: "double", Rank: spec.Call},
			Examples: []spec.Example{
				{Doc: "exact", In: series{"inValue": {"3", "-2147483648", "null"}}, Out: series{"outValue": {"3", "-2147483648", "null"}}},
				{Doc: "the parameter", Params: params{"Value": "7"}, Out: series{"outValue": {"7"}}},
				{Doc: "no int", Params: params{"Value": "1.5"}, Reject: "parameter Value"},
			},
		}, spec.Kernels[toDouble]{Run: convertInts}),
		spec.Declare(spec.Decl{
			Name: "Core::IntFromDouble", Extension: extension, Doc: "turns a double into an int, towards zero", Pure: true, Operator: spec.Operator{Symbol: "int", Rank: spec.Call},
			Examples: []spec.Example{
				{Doc: "towards zero", In: series{"inValue": {"1.9", "-1.9", "-0.5"}}, Out: series{"outValue": {"1", "-1", "0"}}},
				{
					Doc: "what is no int", In: series{"inValue": {"2147483647.5", "2147483648", "-2147483648.9", "-2147483649", "nan", "+inf", "null"}},
					Out: series{"outValue": {"2147483647", "null", "-2147483648", "null", "null", "null", "null"}},
				},
				{Doc: "the parameter", Params: params{"Value": "2.5"}, Out: series{"outValue": {"2"}}},
				{Doc: "no double", Params: params{"Value": "x"}, Reject: "parameter Value"},
			},
		}, spec.Kernels[toInt]{Run: convertDoubles}),
	}
}
