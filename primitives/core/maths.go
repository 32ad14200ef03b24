package core

import (
	"math"

	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// function is a function of one variable. A result that does not exist is NaN.
type function struct {
	Value spec.Operand[float64] `rcc:"inValue" or:"Value=1" any:"every number is one to reckon with" doc:"argument, angles in rad"`
	Out   spec.Out[float64]     `rcc:"outValue" doc:"value of the function, angles in rad"`
}

func sin(run []function, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, math.Sin(p.Value.Or(cy)))
	}
}

func cos(run []function, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, math.Cos(p.Value.Or(cy)))
	}
}

func tan(run []function, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, math.Tan(p.Value.Or(cy)))
	}
}

func asin(run []function, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, math.Asin(p.Value.Or(cy)))
	}
}

func acos(run []function, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, math.Acos(p.Value.Or(cy)))
	}
}

func squareRoot(run []function, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, math.Sqrt(p.Value.Or(cy)))
	}
}

type logarithm struct {
	Value spec.Operand[float64] `rcc:"inValue" or:"Value=0" should:"> 0 -- nothing else has a logarithm that is a finite number" doc:"argument"`
	Out   spec.Out[float64]     `rcc:"outValue" doc:"natural logarithm"`
}

func ln(run []logarithm, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, math.Log(p.Value.Or(cy)))
	}
}

type direction struct {
	Y   spec.Operand[float64] `rcc:"inY" or:"Y=1" any:"every number is one to reckon with" doc:"ordinate"`
	X   spec.Operand[float64] `rcc:"inX" or:"X=1" any:"every number is one to reckon with" doc:"abscissa"`
	Out spec.Out[float64]     `rcc:"outValue" doc:"angle of the point, rad, -π to π"`
}

func atan2(run []direction, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, math.Atan2(p.Y.Or(cy), p.X.Or(cy)))
	}
}

func maths() []*spec.Primitive {
	return []*spec.Primitive{
		functionOf("Sin", "sine", sin, "0.8414709848078965", point{"0", "0"}, point{"1e300", "-0.8178819121159085"}, point{"+inf", "nan"}),
		functionOf("Cos", "cosine", cos, "0.5403023058681398", point{"0", "1"}, point{"-1", "0.5403023058681398"}, point{"-inf", "nan"}),
		functionOf("Tan", "tangent", tan, "1.557407724654902", point{"0", "0"}, point{"0.7853981633974483", "1"}, point{"nan", "nan"}),
		functionOf("Asin", "arc sine", asin, "1.5707963267948966", point{"-1", "-1.5707963267948966"}, point{"1.1", "nan"}),
		functionOf("Acos", "arc cosine", acos, "0", point{"-1", "3.141592653589793"}, point{"-1.1", "nan"}),
		functionOf("SquareRoot", "square root", squareRoot, "1", point{"2", "1.4142135623730951"}, point{"-1", "nan"}, point{"+inf", "+inf"}),
		spec.Declare(spec.Decl{
			Name: "Core::DoubleLog", Extension: extension, Doc: "natural logarithm", Pure: true, Operator: written("Log"),
			Examples: functionExamples("-inf", point{"1", "0"}, point{"2.718281828459045", "1"}, point{"-1", "nan"}),
		}, spec.Kernels[logarithm]{Run: ln}),
		spec.Declare(spec.Decl{
			Name: "Core::DoubleAtan2", Extension: extension, Doc: "angle of a point in the plane", Pure: true, Operator: written("Atan2"),
			Examples: []spec.Example{
				{
					Doc: "all around", In: series{"inY": {"0", "1", "0", "-1", "0"}, "inX": {"1", "0", "-1", "0", "0"}},
					Out: series{"outValue": {"0", "1.5707963267948966", "3.141592653589793", "-1.5707963267948966", "0"}},
				},
				{Doc: "the parameters", Out: series{"outValue": {"0.7853981633974483"}}},
				{Doc: "null is NaN", In: series{"inY": {"null"}}, Out: series{"outValue": {"nan"}}},
				{Doc: "or the parameter that the net gives", Params: params{"Y": "0"}, In: series{"inY": {"null"}}, Out: series{"outValue": {"0"}}},
				{Doc: "no double", Params: params{"X": "x"}, Reject: "parameter X"},
			},
		}, spec.Kernels[direction]{Run: atan2}),
	}
}

// point is an argument and the value of the function there.
type point [2]string

func functionOf(name, doc string, run func([]function, *spec.Cycle), open string, points ...point) *spec.Primitive {
	return spec.Declare(spec.Decl{Name: "Core::Double" + name, Extension: extension, Doc: doc, Pure: true, Operator: written(name), Should: domains["Double"+name], Examples: functionExamples(open, points...)},
		spec.Kernels[function]{Run: run})
}

func functionExamples(open string, points ...point) []spec.Example {
	arguments, results := []string{}, []string{}
	for _, p := range points {
		arguments, results = append(arguments, p[0]), append(results, p[1])
	}
	return []spec.Example{
		{Doc: "some points", In: series{"inValue": arguments}, Out: series{"outValue": results}},
		{Doc: "the parameter", Out: series{"outValue": {open}}},
		{Doc: "null is NaN", In: series{"inValue": {"null"}}, Out: series{"outValue": {"nan"}}},
		{
			Doc: "or the parameter that the net gives", Params: params{"Value": arguments[0]}, In: series{"inValue": {"null"}},
			Out: series{"outValue": {results[0]}},
		},
		{Doc: "no double", Params: params{"Value": "x"}, Reject: "parameter Value"},
	}
}
