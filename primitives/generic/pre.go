package generic

import "github.com/softrobot-rcc/rccd/rcc/spec"

// pre is §7.3.2 TPre, the only legal way to close a loop. It works in two parts: before all that read it, it gives what
// it kept in the previous cycle, and after all that feed it, it keeps.
type pre[T any] struct {
	Value spec.In[T]    `rcc:"inValue" wanted:"true" doc:"value to delay by one cycle"`
	Reset spec.In[bool] `rcc:"inReset" or:"=false" doc:"makes this the first cycle"`
	Out   spec.Out[T]   `rcc:"outValue" doc:"the value of the previous cycle; null in the first one"`

	kept T
	due  uint64 // cycle in which kept is to be given
	seen bool   // the first part of this cycle has seen a reset
}

func recall[T any](run []pre[T], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.seen = p.Reset.Or(cy, false)
		if p.due == cy.N && !p.seen {
			p.Out.V = p.kept
			p.Out.Touch(cy)
		}
	}
}

// keep is the second part. A reset that depends on this very Pre was not there yet when the first part looked: it takes
// effect in the next cycle.
func keep[T any](run []pre[T], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if v := p.Value.Ref(cy); v != nil && (p.seen || !p.Reset.Or(cy, false)) {
			p.kept = *v
			p.due = cy.N + 1
		}
	}
}

// Pre declares the delay by one cycle.
func Pre[T any](extension, prefix string, s Sample) *spec.Primitive {
	return spec.Declare(spec.Decl{
		Name: prefix + "Pre", Extension: extension, Doc: "delays a value by one cycle",
		Examples: []spec.Example{
			{Doc: "one cycle late", In: series{"inValue": {s.A, s.B, s.B}}, Out: series{"outValue": {"null", s.A, s.B}}},
			{Doc: "null is delayed too", In: series{"inValue": {s.A, "null", s.B, s.B}}, Out: series{"outValue": {"null", s.A, "null", s.B}}},
			{
				Doc: "a reset makes a first cycle", In: series{"inValue": {s.A, s.B, s.A, s.A}, "inReset": {"false", "false", "true", "null"}},
				Out: series{"outValue": {"null", s.A, "null", s.A}},
			},
			{Doc: "nothing to delay", Out: series{"outValue": {"null", "null"}}},
		},
	}, spec.Kernels[pre[T]]{Run: recall[T], Keep: keep[T]})
}
