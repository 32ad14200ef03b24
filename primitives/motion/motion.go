package motion

import (
	"maps"
	"math"
	"slices"

	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// extension is the extension that these primitives belong to.
const extension = "rpimotion"

// Primitives returns the declarations of the package.
func Primitives() []*spec.Primitive {
	return slices.Concat(
		profiles(),
		joints(),
		generators(),
		paths(),
		paces(),
		monitors(),
	)
}

// params and series keep examples short.
type (
	params = map[string]string
	series = map[string][]string
)

// with returns parameters with others of several examples.
func with(own, common params) params {
	all := maps.Clone(common)
	maps.Copy(all, own)
	return all
}

var nan = math.NaN()

func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }
