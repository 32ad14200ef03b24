package core

import (
	"math"
	"strings"

	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// operands are the in ports of an operator, with zero while they are open.
type operands[T any] struct {
	First  spec.Operand[T] `rcc:"inFirst" or:"First=" any:"every number is one to reckon with" doc:"first operand"`
	Second spec.Operand[T] `rcc:"inSecond" or:"Second=" any:"every number is one to reckon with" doc:"second operand"`
}

// operator is a primitive of §7.3.5.
type operator[T any] struct {
	operands[T]
	Out spec.Out[T] `rcc:"outValue" doc:"result"`
}

// kernels are those of double arithmetic.
type kernels = spec.Kernels[operator[float64]]

// modulus has ones while its ports are open.
type modulus struct {
	First  spec.Operand[float64] `rcc:"inFirst" or:"First=1" any:"every number is one to reckon with" doc:"dividend"`
	Second spec.Operand[float64] `rcc:"inSecond" or:"Second=1" should:"!= 0 -- a division by 0 has no remainder" doc:"divisor"`
	Out    spec.Out[float64]     `rcc:"outValue" doc:"remainder, with the sign of the dividend"`
}

func addDoubles(run []operator[float64], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, p.First.Or(cy)+p.Second.Or(cy))
	}
}

func multiplyDoubles(run []operator[float64], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, p.First.Or(cy)*p.Second.Or(cy))
	}
}

// Formulas are mostly sums and products, in fragments in short runs.

func bindSum(run []operator[float64]) func(*spec.Cycle) {
	return func(cy *spec.Cycle) { addDoubles(run, cy) }
}

func bindProduct(run []operator[float64]) func(*spec.Cycle) {
	return func(cy *spec.Cycle) { multiplyDoubles(run, cy) }
}

// divideDoubles follows IEEE 754, as §7.3.5 says in its first sentence and existing clients expect: only 0/0 is NaN.
func divideDoubles(run []operator[float64], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, p.First.Or(cy)/p.Second.Or(cy))
	}
}

func moduloDoubles(run []modulus, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, math.Mod(p.First.Or(cy), p.Second.Or(cy)))
	}
}

// powerDoubles asks for null itself: IEEE 754 has powers of NaN that are numbers.
func powerDoubles(run []operator[float64], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		base, okBase := p.First.Get(cy)
		exponent, okExponent := p.Second.Get(cy)
		result := nan
		if okBase && okExponent {
			result = math.Pow(base, exponent)
		}
		p.Out.Set(cy, result)
	}
}

func addInts(run []operator[int32], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		a, b, ok := both(&p.operands, cy)
		setInt(&p.Out, cy, a+b, ok)
	}
}

func multiplyInts(run []operator[int32], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		a, b, ok := both(&p.operands, cy)
		setInt(&p.Out, cy, a*b, ok)
	}
}

func divideInts(run []operator[int32], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if a, b, ok := both(&p.operands, cy); b != 0 {
			setInt(&p.Out, cy, a/b, ok)
		}
	}
}

// both returns the operands of int arithmetic in a width in which no operation overflows.
func both(o *operands[int32], cy *spec.Cycle) (a, b int64, ok bool) {
	first, okFirst := o.First.Get(cy)
	second, okSecond := o.Second.Get(cy)
	return int64(first), int64(second), okFirst && okSecond
}

// setInt gives an int its value, or none when it does not fit.
func setInt(out *spec.Out[int32], cy *spec.Cycle, v int64, ok bool) {
	if ok && v >= math.MinInt32 && v <= math.MaxInt32 {
		out.Set(cy, int32(v))
	}
}

func arithmetic() []*spec.Primitive {
	return []*spec.Primitive{
		double("Add", "adds two values", kernels{Run: addDoubles, Bind: bindSum},
			row{"1", "10", "11"}, row{"0.1", "0.2", "0.30000000000000004"}, row{"+inf", "-inf", "nan"}, row{"1", "null", "nan"}),
		double("Multiply", "multiplies two values", kernels{Run: multiplyDoubles, Bind: bindProduct},
			row{"2", "-3", "-6"}, row{"0", "+inf", "nan"}, row{"null", "2", "nan"}),
		double("Divide", "divides the first value by the second, as IEEE 754 does: x/0 is infinite, 0/0 is NaN", kernels{Run: divideDoubles},
			row{"1", "4", "0.25"}, row{"1", "0", "+inf"}, row{"-1", "0", "-inf"}, row{"1", "-0", "-inf"}, row{"0", "0", "nan"}, row{"-1", "+inf", "-0"}, row{"1", "null", "nan"}),
		double("Power", "raises the first value to the power of the second", kernels{Run: powerDoubles},
			row{"2", "10", "1024"}, row{"-8", "0.5", "nan"}, row{"0", "-1", "+inf"}, row{"null", "0", "nan"}, row{"nan", "0", "1"}),
		integer("Add", "adds two values; null on overflow", addInts,
			row{"1", "10", "11"}, row{"2147483647", "1", "null"}, row{"-2147483648", "-1", "null"}, row{"1", "null", "null"}),
		integer("Multiply", "multiplies two values; null on overflow", multiplyInts,
			row{"2", "-3", "-6"}, row{"65536", "32768", "null"}, row{"65536", "-32768", "-2147483648"}, row{"null", "0", "null"}),
		integer("Divide", "divides the first value by the second, towards zero; null when there is no result", divideInts,
			row{"7", "-2", "-3"}, row{"1", "0", "null"}, row{"-2147483648", "-1", "null"}, row{"0", "null", "null"}),
		spec.Declare(spec.Decl{
			Name: "Core::DoubleModulo", Extension: extension, Doc: "remainder of a division towards zero", Pure: true, Operator: written("Modulo"),
			Examples: operations(row{"7", "3", "1"}, row{"-7", "3", "-1"}, row{"1", "0", "nan"}, row{"1", "null", "nan"}),
		}, spec.Kernels[modulus]{Run: moduloDoubles}),
	}
}

// symbols are those of operators; everything else of its kind is a function of its own name.
var symbols = map[string]spec.Operator{
	"Add":        {Symbol: "+", Rank: spec.Sum},
	"Multiply":   {Symbol: "*", Rank: spec.Product},
	"Divide":     {Symbol: "/", Rank: spec.Product},
	"Modulo":     {Symbol: "%", Rank: spec.Product},
	"Power":      {Symbol: "^", Rank: spec.Power},
	"SquareRoot": {Symbol: "sqrt", Rank: spec.Call},
}

// written says how a primitive is written in formulas.
func written(name string) spec.Operator {
	if o, ok := symbols[name]; ok {
		return o
	}
	return spec.Operator{Symbol: strings.ToLower(name), Rank: spec.Call}
}

// domains are the constants for which operators and functions have a result. A net may compute others.
var domains = map[string]map[string]string{
	"DoubleDivide":     {"Second": "!= 0 -- the result is not a finite number"},
	"IntDivide":        {"Second": "!= 0 -- there is no result"},
	"DoubleSin":        {"Value": "an angle"},
	"DoubleCos":        {"Value": "an angle"},
	"DoubleTan":        {"Value": "an angle"},
	"DoubleAsin":       {"Value": ">= -1; <= 1 -- nothing else has an arc sine"},
	"DoubleAcos":       {"Value": ">= -1; <= 1 -- nothing else has an arc cosine"},
	"DoubleSquareRoot": {"Value": ">= 0 -- the result is not a number"},
}

func double(name, doc string, kernels kernels, rows ...row) *spec.Primitive {
	return spec.Declare(spec.Decl{Name: "Core::Double" + name, Extension: extension, Doc: doc, Pure: true, Operator: written(name), Should: domains["Double"+name], Examples: operations(rows...)}, kernels)
}

func integer(name, doc string, run func([]operator[int32], *spec.Cycle), rows ...row) *spec.Primitive {
	return spec.Declare(spec.Decl{Name: "Core::Int" + name, Extension: extension, Doc: doc, Pure: true, Operator: written(name), Should: domains["Int"+name], Examples: operations(rows...)},
		spec.Kernels[operator[int32]]{Run: run})
}

// row is two operands and their result.
type row [3]string

// operations makes examples of rows: one cycle each, the first one also with parameters in place of ports.
func operations(rows ...row) []spec.Example {
	first, second, result := []string{}, []string{}, []string{}
	for _, r := range rows {
		first, second, result = append(first, r[0]), append(second, r[1]), append(result, r[2])
	}
	return []spec.Example{
		{Doc: "cycle by cycle", In: series{"inFirst": first, "inSecond": second}, Out: series{"outValue": result}},
		{
			Doc: "parameters that the net gives stand in for null", Params: params{"First": rows[0][0], "Second": rows[0][1]},
			In: series{"inFirst": {"null"}, "inSecond": {"null"}}, Out: series{"outValue": {rows[0][2]}},
		},
		{
			Doc: "parameters stand in for open ports", Params: params{"First": rows[0][0], "Second": rows[0][1]},
			Out: series{"outValue": {rows[0][2]}},
		},
		{Doc: "no number", Params: params{"First": "one"}, Reject: "parameter First"},
	}
}
