package core

import (
	"math"

	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// Functions that existing clients build of others, as they never had them. Like all of their kind they take null as
// what the net gives for it, otherwise as NaN; those of ints give null.

// simple is a function of one variable, which is 0 while its port is open.
type simple[T any] struct {
	Value spec.Operand[T] `rcc:"inValue" or:"Value=" any:"every number is one to reckon with" doc:"argument"`
	Out   spec.Out[T]     `rcc:"outValue" doc:"value of the function"`
}

func absolute(run []simple[float64], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, math.Abs(p.Value.Or(cy)))
	}
}

func sign(run []simple[float64], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		v := p.Value.Or(cy)
		switch {
		case v > 0:
			v = 1
		case v < 0:
			v = -1
		}
		p.Out.Set(cy, v)
	}
}

func floor(run []simple[float64], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, math.Floor(p.Value.Or(cy)))
	}
}

func ceil(run []simple[float64], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, math.Ceil(p.Value.Or(cy)))
	}
}

func round(run []simple[float64], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, math.Round(p.Value.Or(cy)))
	}
}

func exp(run []simple[float64], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, math.Exp(p.Value.Or(cy)))
	}
}

func absoluteInts(run []simple[int32], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		v, ok := p.Value.Get(cy)
		setInt(&p.Out, cy, max(int64(v), -int64(v)), ok)
	}
}

func signInts(run []simple[int32], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if v, ok := p.Value.Get(cy); ok {
			p.Out.Set(cy, max(-1, min(v, 1)))
		}
	}
}

func least(run []operator[float64], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, min(p.First.Or(cy), p.Second.Or(cy)))
	}
}

func greatest(run []operator[float64], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, max(p.First.Or(cy), p.Second.Or(cy)))
	}
}

func leastInts(run []operator[int32], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		a, b, ok := both(&p.operands, cy)
		setInt(&p.Out, cy, min(a, b), ok)
	}
}

func greatestInts(run []operator[int32], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		a, b, ok := both(&p.operands, cy)
		setInt(&p.Out, cy, max(a, b), ok)
	}
}

// intModulus has ones while its ports are open, as that of doubles.
type intModulus struct {
	First  spec.Operand[int32] `rcc:"inFirst" or:"First=1" any:"every number is one to reckon with" doc:"dividend"`
	Second spec.Operand[int32] `rcc:"inSecond" or:"Second=1" should:"!= 0 -- a division by 0 has no remainder" doc:"divisor"`
	Out    spec.Out[int32]     `rcc:"outValue" doc:"remainder, with the sign of the dividend"`
}

func moduloInts(run []intModulus, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		a, okFirst := p.First.Get(cy)
		b, okSecond := p.Second.Get(cy)
		if okFirst && okSecond && b != 0 {
			p.Out.Set(cy, int32(int64(a)%int64(b)))
		}
	}
}

func usual() []*spec.Primitive {
	return []*spec.Primitive{
		simpleDouble("Abs", "absolute value", absolute, "0", point{"-2", "2"}, point{"0.5", "0.5"}, point{"-inf", "+inf"}),
		simpleDouble("Sign", "-1 for negative values, 1 for positive ones, 0 for zero", sign, "0", point{"-2", "-1"}, point{"0", "0"}, point{"+inf", "1"}, point{"nan", "nan"}),
		simpleDouble("Floor", "greatest whole number that is not greater", floor, "0", point{"1.9", "1"}, point{"-1.1", "-2"}, point{"+inf", "+inf"}),
		simpleDouble("Ceil", "smallest whole number that is not smaller", ceil, "0", point{"1.1", "2"}, point{"-1.9", "-1"}, point{"-inf", "-inf"}),
		simpleDouble("Round", "nearest whole number, of two the one that is farther from zero", round, "0", point{"1.5", "2"}, point{"-1.5", "-2"}, point{"1.4", "1"}, point{"2.5", "3"}),
		simpleDouble("Exp", "exponential function", exp, "1", point{"1", "2.718281828459045"}, point{"-inf", "0"}, point{"1000", "+inf"}),
		simpleInt("Abs", "absolute value; null when it is not an int", absoluteInts, point{"-3", "3"}, point{"7", "7"}, point{"-2147483648", "null"}),
		simpleInt("Sign", "-1 for negative values, 1 for positive ones, 0 for zero", signInts, point{"-3", "-1"}, point{"0", "0"}, point{"2147483647", "1"}),
		double("Min", "the smaller one of two values", kernels{Run: least}, row{"1", "-2", "-2"}, row{"-inf", "nan", "nan"}, row{"1", "null", "nan"}),
		double("Max", "the greater one of two values", kernels{Run: greatest}, row{"1", "-2", "1"}, row{"+inf", "nan", "nan"}, row{"null", "1", "nan"}),
		integer("Min", "the smaller one of two values", leastInts, row{"1", "-2", "-2"}, row{"-2147483648", "2147483647", "-2147483648"}, row{"1", "null", "null"}),
		integer("Max", "the greater one of two values", greatestInts, row{"1", "-2", "1"}, row{"-2147483648", "2147483647", "2147483647"}, row{"null", "1", "null"}),
		spec.Declare(spec.Decl{
			Name: "Core::IntModulo", Extension: extension, Doc: "remainder of a division towards zero; null when there is none", Pure: true, Operator: written("Modulo"),
			Examples: operations(row{"7", "3", "1"}, row{"-7", "3", "-1"}, row{"-2147483648", "-1", "0"}, row{"1", "0", "null"}, row{"1", "null", "null"}),
		}, spec.Kernels[intModulus]{Run: moduloInts}),
	}
}

func simpleDouble(name, doc string, run func([]simple[float64], *spec.Cycle), open string, points ...point) *spec.Primitive {
	return spec.Declare(spec.Decl{Name: "Core::Double" + name, Extension: extension, Doc: doc, Pure: true, Operator: written(name), Examples: functionExamples(open, points...)},
		spec.Kernels[simple[float64]]{Run: run})
}

func simpleInt(name, doc string, run func([]simple[int32], *spec.Cycle), points ...point) *spec.Primitive {
	arguments, results := []string{"null"}, []string{"null"}
	for _, p := range points {
		arguments, results = append(arguments, p[0]), append(results, p[1])
	}
	return spec.Declare(spec.Decl{
		Name: "Core::Int" + name, Extension: extension, Doc: doc, Pure: true, Operator: written(name),
		Examples: []spec.Example{
			{Doc: "some values", In: series{"inValue": arguments}, Out: series{"outValue": results}},
			{
				Doc: "the parameter that the net gives stands in for null", Params: params{"Value": points[0][0]}, In: series{"inValue": {"null"}},
				Out: series{"outValue": {points[0][1]}},
			},
			{Doc: "the parameter", Params: params{"Value": points[0][0]}, Out: series{"outValue": {points[0][1]}}},
			{Doc: "no int", Params: params{"Value": "x"}, Reject: "parameter Value"},
		},
	}, spec.Kernels[simple[int32]]{Run: run})
}
