package core

import (
	"math"

	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// equality is §7.3.4 TEquals.
type equality[T any] struct {
	operands[T]
	Epsilon spec.Param[T]  `rcc:"Epsilon" default:"" should:">= 0 -- nothing differs by less than 0, so that nothing is ever equal" doc:"largest difference that still counts as equal"`
	Out     spec.Out[bool] `rcc:"outValue" doc:"true when the operands are equal; never with null or NaN"`
}

// equateDoubles finds infinities equal to themselves, whose difference is NaN.
func equateDoubles(run []equality[float64], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		a, b, eps := p.First.Or(cy), p.Second.Or(cy), p.Epsilon.V
		p.Out.Set(cy, math.Abs(a-b) <= eps || a == b && eps >= 0)
	}
}

func equateInts(run []equality[int32], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		a, b, ok := both(&p.operands, cy)
		p.Out.Set(cy, ok && max(a-b, b-a) <= int64(p.Epsilon.V))
	}
}

// comparison is §7.3.4 TGreater.
type comparison[T any] struct {
	operands[T]
	Out spec.Out[bool] `rcc:"outValue" doc:"true when the first operand is the greater one; never with null or NaN"`
}

func compare[T int32 | float64](run []comparison[T], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		a, okA := p.First.Get(cy)
		b, okB := p.Second.Get(cy)
		p.Out.Set(cy, okA && okB && a > b)
	}
}

var (
	equals  = spec.Operator{Symbol: "==", Rank: spec.Comparison, Margin: "Epsilon"}
	greater = spec.Operator{Symbol: ">", Rank: spec.Comparison}
)

func comparisons() []*spec.Primitive {
	return []*spec.Primitive{
		spec.Declare(spec.Decl{
			Name: "Core::DoubleEquals", Extension: extension, Doc: "reports whether two values differ by Epsilon at most", Pure: true, Operator: equals,
			Examples: append(operations(
				row{"1", "1", "true"}, row{"0.30000000000000004", "0.3", "false"}, row{"+inf", "+inf", "true"},
				row{"nan", "nan", "false"}, row{"null", "0", "false"}, row{"null", "null", "false"},
			), spec.Example{
				Doc: "nearly equal", Params: params{"Epsilon": "0.5"}, In: series{"inFirst": {"1", "1", "1"}, "inSecond": {"1.5", "1.75", "0.5"}},
				Out: series{"outValue": {"true", "false", "true"}},
			}),
		}, spec.Kernels[equality[float64]]{Run: equateDoubles}),
		spec.Declare(spec.Decl{
			Name: "Core::IntEquals", Extension: extension, Doc: "reports whether two values differ by Epsilon at most", Pure: true, Operator: equals,
			Examples: append(operations(
				row{"1", "1", "true"}, row{"1", "2", "false"}, row{"2147483647", "-1", "false"}, row{"null", "0", "false"}, row{"null", "null", "false"},
			), spec.Example{
				Doc: "nearly equal", Params: params{"Epsilon": "1"}, In: series{"inFirst": {"1", "1", "1"}, "inSecond": {"2", "3", "0"}},
				Out: series{"outValue": {"true", "false", "true"}},
			}),
		}, spec.Kernels[equality[int32]]{Run: equateInts}),
		spec.Declare(spec.Decl{
			Name: "Core::DoubleGreater", Extension: extension, Doc: "reports whether the first value is greater than the second", Pure: true, Operator: greater,
			Examples: operations(row{"2", "1", "true"}, row{"1", "1", "false"}, row{"+inf", "1", "true"}, row{"1", "nan", "false"}, row{"1", "null", "false"}),
		}, spec.Kernels[comparison[float64]]{Run: compare[float64]}),
		spec.Declare(spec.Decl{
			Name: "Core::IntGreater", Extension: extension, Doc: "reports whether the first value is greater than the second", Pure: true, Operator: greater,
			Examples: operations(row{"2", "1", "true"}, row{"1", "1", "false"}, row{"-1", "-2147483648", "true"}, row{"null", "-1", "false"}),
		}, spec.Kernels[comparison[int32]]{Run: compare[int32]}),
	}
}
