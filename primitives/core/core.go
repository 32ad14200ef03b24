package core

import (
	"math"
	"slices"

	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// extension is the extension that these primitives belong to.
const extension = "rpicore"

// Primitives returns the declarations of the package.
func Primitives() []*spec.Primitive {
	return slices.Concat(
		general[bool]("Core::Boolean", sample{zero: "false", a: "true", b: "false"}),
		general[int32]("Core::Int", sample{zero: "0", a: "3", b: "-7"}),
		general[float64]("Core::Double", sample{zero: "0", a: "0.5", b: "-2"}),
		[]*spec.Primitive{
			pres[value.Time]("Core::Time", instants),
			atTimes[value.Time]("Core::Time", instants),
		},
		requests(),
		boolean(),
		arithmetic(),
		comparisons(),
		conversions(),
		maths(),
		times(),
		triggers(),
		windows(),
		shapes(),
		generators(),
	)
}

// general lists the primitives that are there for every scalar type (§7.3.2, §7.6.1).
func general[T any](prefix string, s sample) []*spec.Primitive {
	return append([]*spec.Primitive{
		values[T](prefix, s),
		conditionals[T](prefix, s),
		setNulls[T](prefix, s),
		isNulls[T](prefix, s),
		atTimes[T](prefix, s),
		snapshots[T](prefix, s),
		pres[T](prefix, s),
		netcommIns[T](prefix, s),
		netcommOuts[T](prefix, s),
	}, interNetcomms[T](prefix, s)...)
}

// sample holds texts of a type for the examples of generic primitives.
type sample struct {
	zero string
	a, b string // two different values
}

var instants = sample{zero: "0", a: "1000", b: "2000"}

// params and series keep examples short.
type (
	params = map[string]string
	series = map[string][]string
)

// nan stands for null in double arithmetic (§7.3.5).
var nan = math.NaN()
