package core

import "github.com/softrobot-rcc/rccd/rcc/spec"

type conjunction struct {
	First  spec.InOr[bool] `rcc:"inFirst" or:"First=true" doc:"first operand"`
	Second spec.InOr[bool] `rcc:"inSecond" or:"Second=true" doc:"second operand"`
	Out    spec.Out[bool]  `rcc:"outValue" doc:"true when both are true"`
}

func and(run []conjunction, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, p.First.Get(cy) && p.Second.Get(cy))
	}
}

type disjunction struct {
	First  spec.InOr[bool] `rcc:"inFirst" or:"First=false" doc:"first operand"`
	Second spec.InOr[bool] `rcc:"inSecond" or:"Second=false" doc:"second operand"`
	Out    spec.Out[bool]  `rcc:"outValue" doc:"true when one is true"`
}

func or(run []disjunction, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, p.First.Get(cy) || p.Second.Get(cy))
	}
}

type negation struct {
	Value spec.InOr[bool] `rcc:"inValue" or:"Value=false" doc:"operand"`
	Out   spec.Out[bool]  `rcc:"outValue" doc:"true when the operand is false"`
}

func not(run []negation, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, !p.Value.Get(cy))
	}
}

func boolean() []*spec.Primitive {
	return []*spec.Primitive{
		spec.Declare(spec.Decl{
			Name: "Core::BooleanAnd", Extension: extension, Doc: "reports whether both operands are true", Pure: true, Operator: spec.Operator{Symbol: "&&", Rank: spec.Conjunction},
			Examples: []spec.Example{
				{
					Doc: "all four", In: series{"inFirst": {"false", "false", "true", "true"}, "inSecond": {"false", "true", "false", "true"}},
					Out: series{"outValue": {"false", "false", "false", "true"}},
				},
				{Doc: "null and open ports read their parameter", In: series{"inFirst": {"null"}}, Out: series{"outValue": {"true"}}},
				{
					Doc: "a parameter against null", Params: params{"First": "false"}, In: series{"inFirst": {"null", "true"}},
					Out: series{"outValue": {"false", "true"}},
				},
				{Doc: "no bool", Params: params{"First": "1"}, Reject: "parameter First"},
			},
		}, spec.Kernels[conjunction]{Run: and}),
		spec.Declare(spec.Decl{
			Name: "Core::BooleanOr", Extension: extension, Doc: "reports whether one of the operands is true", Pure: true, Operator: spec.Operator{Symbol: "||", Rank: spec.Disjunction},
			Examples: []spec.Example{
				{
					Doc: "all four", In: series{"inFirst": {"false", "false", "true", "true"}, "inSecond": {"false", "true", "false", "true"}},
					Out: series{"outValue": {"false", "true", "true", "true"}},
				},
				{Doc: "null and open ports read their parameter", In: series{"inSecond": {"null"}}, Out: series{"outValue": {"false"}}},
				{Doc: "no bool", Params: params{"Second": "yes"}, Reject: "parameter Second"},
			},
		}, spec.Kernels[disjunction]{Run: or}),
		spec.Declare(spec.Decl{
			Name: "Core::BooleanNot", Extension: extension, Doc: "negates a value", Pure: true, Operator: spec.Operator{Symbol: "!", Rank: spec.Prefix},
			Examples: []spec.Example{
				{Doc: "both ways", In: series{"inValue": {"true", "false"}}, Out: series{"outValue": {"false", "true"}}},
				{Doc: "null reads the parameter", Params: params{"Value": "true"}, In: series{"inValue": {"null"}}, Out: series{"outValue": {"false"}}},
				{Doc: "no bool", Params: params{"Value": ""}, Reject: "parameter Value"},
			},
		}, spec.Kernels[negation]{Run: not}),
	}
}
