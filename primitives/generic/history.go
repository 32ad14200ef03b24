package generic

import (
	"math"

	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// atTime is §7.3.2 TAtTime.
type atTime[T any] struct {
	Value  spec.In[T]          `rcc:"inValue" wanted:"true" doc:"value to remember"`
	Age    spec.In[float64]    `rcc:"inAge" or:"Age=0" should:">= 0 -- what is to come is not known, outValue is that of this cycle; <= MaxAge -- nothing as old is remembered and outValue stays null, raise MaxAge" doc:"how far to look back, s; negative is now"`
	MaxAge spec.Param[float64] `rcc:"MaxAge" default:"1" must:">= 0" doc:"how far back is remembered, s"`
	Out    spec.Out[T]         `rcc:"outValue" doc:"the value at that time, null when it was null or is not remembered"`

	history []remembered[T] // by cycle number
}

// remembered is a value and the cycle that had it. A cycle in which the primitive did not run, or had no value, leaves
// an older one standing, which tells.
type remembered[T any] struct {
	value T
	cycle uint64
}

func (p *atTime[T]) Init(env *spec.Env) error {
	n, err := CyclesUntil(env, "MaxAge", p.MaxAge.V, MostCycles)
	if err != nil {
		return err
	}
	p.history, err = spec.Make[remembered[T]](env, n+1)
	return err
}

func lookBack[T any](run []atTime[T], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if v := p.Value.Ref(cy); v != nil {
			if slot := slotOf(p.history, cy.N); slot != nil {
				slot.value, slot.cycle = *v, cy.N
			}
		}
		back := math.Ceil(max(p.Age.Or(cy, nan), 0) / cy.Period * (1 - hair))
		if !(back < float64(len(p.history)) && back < float64(cy.N)) {
			continue
		}
		then := cy.N - uint64(back)
		if slot := slotOf(p.history, then); slot != nil && slot.cycle == then {
			p.Out.V = slot.value
			p.Out.Touch(cy)
		}
	}
}

func slotOf[T any](history []remembered[T], n uint64) *remembered[T] {
	size := uint64(len(history))
	if size == 0 {
		return nil
	}
	if i := n % size; i < size {
		return &history[i]
	}
	return nil
}

// AtTime declares the look back.
func AtTime[T any](extension, prefix string, s Sample) *spec.Primitive {
	return spec.Declare(spec.Decl{
		Name: prefix + "AtTime", Extension: extension, Doc: "gives the value of an earlier time",
		Examples: []spec.Example{
			{
				Doc: "two cycles ago, null before the start", Params: params{"Age": "0.02"}, In: series{"inValue": {s.A, s.B, s.A, s.A}},
				Out: series{"outValue": {"null", "null", s.A, s.B}},
			},
			{
				Doc: "a time within a cycle belongs to the cycle", In: series{"inValue": {s.A, s.B}, "inAge": {"-1", "0.001", "0", "null"}},
				Out: series{"outValue": {s.A, s.A, s.B, "null"}},
			},
			{
				Doc: "null is remembered", Params: params{"Age": "0.01"}, In: series{"inValue": {s.A, "null", s.B}},
				Out: series{"outValue": {"null", s.A, "null", s.B}},
			},
			{
				Doc: "older than what is remembered", Params: params{"MaxAge": "0.01"}, In: series{"inValue": {s.A}, "inAge": {"0.02", "0.02", "0.02", "0.01", "nan"}},
				Out: series{"outValue": {"null", "null", "null", s.A, "null"}},
			},
			{Doc: "no length of time", Params: params{"MaxAge": "-1"}, Reject: "parameter MaxAge: it is -1, but must be at least 0"},
			{Doc: "too long", Params: params{"MaxAge": "1e9"}, Reject: "more than 1000000 cycles"},
		},
	}, spec.Kernels[atTime[T]]{Run: lookBack[T]})
}

// snapshot is §7.3.2 TSnapshot.
type snapshot[T any] struct {
	Value    spec.In[T]      `rcc:"inValue" required:"true" doc:"value to take"`
	Snapshot spec.InOr[bool] `rcc:"inSnapshot" or:"=false" required:"true" doc:"takes the value while true"`
	Reset    spec.InOr[bool] `rcc:"inReset" or:"=false" doc:"forgets what was taken"`
	Initial  spec.Param[T]   `rcc:"Value" default:"" any:"every value of the type is one to begin with" doc:"value before the first snapshot"`
	Out      spec.Out[T]     `rcc:"outValue" doc:"value taken last, null when that was null"`

	held  T
	taken bool // held stands in place of Initial
	null  bool // what was taken is null
}

func take[T any](run []snapshot[T], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if p.Reset.Get(cy) {
			p.taken, p.null = false, false
		}
		if p.Snapshot.Get(cy) {
			v := p.Value.Ref(cy)
			p.taken, p.null = true, v == nil
			if v != nil {
				p.held = *v
			}
		}
		switch {
		case !p.taken:
			p.Out.V = p.Initial.V
			p.Out.Touch(cy)
		case !p.null:
			p.Out.V = p.held
			p.Out.Touch(cy)
		}
	}
}

func snapshots[T any](extension, prefix string, s Sample) *spec.Primitive {
	return spec.Declare(spec.Decl{
		Name: prefix + "Snapshot", Extension: extension, Doc: "follows a value while a signal is true and holds it afterwards",
		Examples: []spec.Example{
			{
				Doc: "follow and hold", In: series{"inValue": {s.B, s.A, s.B, s.A}, "inSnapshot": {"false", "true", "true", "false"}},
				Params: params{"Value": s.A}, Out: series{"outValue": {s.A, s.A, s.B, s.B}},
			},
			{
				Doc: "null is held too", In: series{"inValue": {"null", s.A}, "inSnapshot": {"true", "null", "true"}},
				Out: series{"outValue": {"null", "null", s.A}},
			},
			{
				Doc: "reset", In: series{"inValue": {s.A}, "inSnapshot": {"true", "false"}, "inReset": {"false", "true", "null"}},
				Out: series{"outValue": {s.A, s.Zero, s.Zero}},
			},
			{Doc: "no signal", In: series{"inValue": {s.A}}, Reject: "inSnapshot must be connected"},
		},
	}, spec.Kernels[snapshot[T]]{Run: take[T]})
}
