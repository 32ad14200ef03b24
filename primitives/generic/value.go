package generic

import "github.com/softrobot-rcc/rccd/rcc/spec"

// constant is §7.3.2 TValue.
type constant[T any] struct {
	Value spec.Param[T] `rcc:"Value" default:"" any:"every value of the type is one to begin with" doc:"the constant"`
	Out   spec.Out[T]   `rcc:"outValue" doc:"the constant, in every cycle"`
}

func emit[T any](run []constant[T], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, p.Value.V)
	}
}

// literal writes constants in formulas, those that are short.
func literal[T any]() (o spec.Operator) {
	switch any(*new(T)).(type) {
	case bool, int32, float64:
		o.Rank = spec.Literal
	}
	return o
}

func constants[T any](extension, prefix string, s Sample) *spec.Primitive {
	return spec.Declare(spec.Decl{
		Name: prefix + "Value", Extension: extension, Doc: "gives a constant value", Pure: true, Operator: literal[T](),
		Examples: []spec.Example{
			{Doc: "a value", Params: params{"Value": s.A}, Out: series{"outValue": {s.A, s.A}}},
			{Doc: "the default", Out: series{"outValue": {s.Zero}}},
			{Doc: "a text that is not a value", Params: params{"Value": "?"}, Reject: "parameter Value"},
		},
	}, spec.Kernels[constant[T]]{Run: emit[T]})
}
