package generic

import "github.com/softrobot-rcc/rccd/rcc/spec"

// conditional is §7.3.2 TConditional.
type conditional[T any] struct {
	Condition spec.In[bool] `rcc:"inCondition" or:"=false" required:"true" doc:"chooses between the two; null chooses inFalse"`
	True      spec.In[T]    `rcc:"inTrue" or:"True=" any:"every value of the type can be chosen" doc:"value while the condition is true"`
	False     spec.In[T]    `rcc:"inFalse" or:"False=" any:"every value of the type can be chosen" doc:"value while the condition is false"`
	Out       spec.Out[T]   `rcc:"outValue" doc:"the chosen value, null when that is null"`
}

func choose[T any](run []conditional[T], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		from := &p.False
		if p.Condition.Or(cy, false) {
			from = &p.True
		}
		if v := from.Ref(cy); v != nil {
			p.Out.V = *v
			p.Out.Touch(cy)
		}
	}
}

func conditionals[T any](extension, prefix string, s Sample) *spec.Primitive {
	return spec.Declare(spec.Decl{
		Name: prefix + "Conditional", Extension: extension, Doc: "chooses one of two values", Pure: true, Operator: spec.Operator{Rank: spec.Choice},
		Examples: []spec.Example{
			{
				Doc: "both ways", In: series{"inCondition": {"true", "false"}, "inTrue": {s.A}, "inFalse": {s.B}},
				Out: series{"outValue": {s.A, s.B}},
			},
			{
				Doc: "parameters stand in for open ports", Params: params{"True": s.A, "False": s.B},
				In: series{"inCondition": {"false", "true"}}, Out: series{"outValue": {s.B, s.A}},
			},
			{
				Doc: "null of the chosen side only", In: series{"inCondition": {"true", "false", "null"}, "inTrue": {"null"}, "inFalse": {s.B}},
				Out: series{"outValue": {"null", s.B, s.B}},
			},
			{Doc: "no condition", In: series{"inTrue": {s.A}}, Reject: "inCondition must be connected"},
		},
	}, spec.Kernels[conditional[T]]{Run: choose[T]})
}

// setNull is §7.3.2 TSetNull.
type setNull[T any] struct {
	Value spec.In[T]    `rcc:"inValue" required:"true" doc:"value to hand on"`
	Null  spec.In[bool] `rcc:"inNull" or:"=false" required:"true" doc:"takes the value away; null does not"`
	Out   spec.Out[T]   `rcc:"outValue" doc:"the value, or null"`
}

func takeAway[T any](run []setNull[T], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if v := p.Value.Ref(cy); v != nil && !p.Null.Or(cy, false) {
			p.Out.V = *v
			p.Out.Touch(cy)
		}
	}
}

func setNulls[T any](extension, prefix string, s Sample) *spec.Primitive {
	return spec.Declare(spec.Decl{
		Name: prefix + "SetNull", Extension: extension, Doc: "takes a value away while a signal is true", Pure: true,
		Examples: []spec.Example{
			{
				Doc: "while inNull is true", In: series{"inValue": {s.A, s.A, s.B}, "inNull": {"false", "true", "null"}},
				Out: series{"outValue": {s.A, "null", s.B}},
			},
			{Doc: "null is handed on", In: series{"inValue": {"null"}, "inNull": {"false"}}, Out: series{"outValue": {"null"}}},
			{Doc: "no signal", In: series{"inValue": {s.A}}, Reject: "inNull must be connected"},
		},
	}, spec.Kernels[setNull[T]]{Run: takeAway[T]})
}

// isNull is §7.3.2 TIsNull.
type isNull[T any] struct {
	Value spec.In[T]     `rcc:"inValue" required:"true" doc:"value to look at"`
	Out   spec.Out[bool] `rcc:"outValue" doc:"true when there is no value in this cycle"`
}

func lookForNull[T any](run []isNull[T], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, p.Value.Null(cy))
	}
}

func isNulls[T any](extension, prefix string, s Sample) *spec.Primitive {
	return spec.Declare(spec.Decl{
		Name: prefix + "IsNull", Extension: extension, Doc: "reports whether a value is null", Pure: true, Operator: spec.Operator{Symbol: "isNull", Rank: spec.Call},
		Examples: []spec.Example{
			{Doc: "a value that goes away", In: series{"inValue": {s.A, "null", s.B}}, Out: series{"outValue": {"false", "true", "false"}}},
			{Doc: "nothing to look at", Reject: "inValue must be connected"},
		},
	}, spec.Kernels[isNull[T]]{Run: lookForNull[T]})
}
