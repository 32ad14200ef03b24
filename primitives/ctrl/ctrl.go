package ctrl

import "github.com/softrobot-rcc/rccd/rcc/spec"

// params and series keep examples short.
type (
	params = map[string]string
	series = map[string][]string
)

// Primitives returns the declarations of the package.
func Primitives() []*spec.Primitive {
	return []*spec.Primitive{
		spec.Declare(spec.Decl{
			Name: "Ctrl::PID", Extension: "ctrl", Unrelated: "each part of a controller may be left out", Doc: "controller with a proportional, an integral and a derivative part",
			Examples: []spec.Example{
				{
					Doc: "proportional", Params: params{"P": "2"}, In: series{"inDesired": {"1", "1", "null"}, "inMeasured": {"0.5", "1.5", "1"}},
					Out: series{"outValue": {"1", "-1", "nan"}},
				},
				{
					Doc: "integral, cycles of 10 ms", Params: params{"P": "0", "I": "100"},
					In:  series{"inDesired": {"1", "1", "null", "1", "1"}, "inMeasured": {"0", "0", "0", "0", "0"}, "inReset": {"false", "false", "false", "false", "true"}},
					Out: series{"outValue": {"1", "2", "nan", "3", "1"}},
				},
				{
					Doc: "derivative, from the second cycle on", Params: params{"P": "0", "D": "0.01"},
					In: series{"inDesired": {"1", "3", "2", "nan", "7", "8"}, "inMeasured": {"0"}}, Out: series{"outValue": {"0", "2", "-1", "nan", "0", "1"}},
				},
				{
					Doc: "the integral does not wind up at a limit", Params: params{"P": "0", "I": "100", "Max": "1.5"},
					In: series{"inDesired": {"1", "1", "1", "-1"}, "inMeasured": {"0"}}, Out: series{"outValue": {"1", "1", "1", "0"}},
				},
				{
					Doc: "limits", Params: params{"P": "10", "Min": "-1", "Max": "2"}, In: series{"inDesired": {"1", "-1", "0.1"}, "inMeasured": {"0"}},
					Out: series{"outValue": {"2", "-1", "1"}},
				},
				{
					Doc: "gains that come in", In: series{"inDesired": {"1"}, "inMeasured": {"0"}, "inP": {"1", "3", "null"}},
					Out: series{"outValue": {"1", "3", "nan"}},
				},
				{Doc: "nothing measured", In: series{"inDesired": {"1"}}, Out: series{"outValue": {"nan"}}},
				{Doc: "no gain", Params: params{"P": "high"}, Reject: "parameter P"},
			},
		}, spec.Kernels[pid]{Run: control}),
	}
}
