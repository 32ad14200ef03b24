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
		guards(),
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

// instead returns a number, or another one where it is none.
func instead(v, other float64) float64 {
	if finite(v) {
		return v
	}
	return other
}

// array returns what stands on a port, nothing when that is null (cycle).
func array(in *spec.In[[]float64], cy *spec.Cycle) []float64 {
	if v := in.Ref(cy); v != nil {
		return *v
	}
	return nil
}

// element returns an element, or what stands for one that is not there (cycle).
func element(v []float64, i int, missing float64) float64 {
	if uint(i) < uint(len(v)) {
		return v[i]
	}
	return missing
}
