package core

import (
	"math"
	"slices"

	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// extension is the extension that these primitives belong to.
const extension = "rpicore"

// Primitives returns the declarations of the package.
func Primitives() []*spec.Primitive {
	return slices.Concat(
		generic.Values[bool](extension, "Core::Boolean", bools),
		generic.Arrays[bool](extension, "Core::Boolean", bools),
		generic.Values[int32](extension, "Core::Int", ints),
		generic.Arrays[int32](extension, "Core::Int", ints),
		generic.Values[float64](extension, "Core::Double", doubles),
		generic.Arrays[float64](extension, "Core::Double", doubles),
		[]*spec.Primitive{
			generic.Pre[value.Time](extension, "Core::Time", instants),
			generic.AtTime[value.Time](extension, "Core::Time", instants),
		},
		requests(),
		boolean(),
		arithmetic(),
		comparisons(),
		conversions(),
		bits(),
		matrices(),
		maths(),
		usual(),
		times(),
		triggers(),
		windows(),
		shapes(),
		generators(),
	)
}

// Samples of the types of this family.
var (
	bools    = generic.Sample{Zero: "false", A: "true", B: "false"}
	ints     = generic.Sample{Zero: "0", A: "3", B: "-7"}
	doubles  = generic.Sample{Zero: "0", A: "0.5", B: "-2"}
	instants = generic.Sample{Zero: "0", A: "1000", B: "2000"}
)

// params and series keep examples short.
type (
	params = map[string]string
	series = map[string][]string
)

// nan stands for null in double arithmetic (§7.3.5).
var nan = math.NaN()
