// Package generic declares the primitives that are there for every data type (§7.3.2, §7.6.1). A family of primitives
// calls it once for each of its types, with the beginning of their names:
//
//	generic.Values[geom.Frame]("rpiworld", "World::Frame", frames)
//	generic.Arrays[geom.Frame]("rpiworld", "World::Frame", frames)
//
// It also holds what primitives of several families have in common: how long they may remember, windows over the last
// samples, braking in time, and commanding devices.
//
// Kernels move a value from Ref to Out.V, once: Get and Set make copies on the way, which for a frame cost three times as much.
package generic

import (
	"math"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// Sample holds texts of a type, as they are printed, for the examples.
type Sample struct {
	Zero string
	A, B string // two different values
}

// Values lists what there is for every type: constants, choice, null, history, delay, and messages.
func Values[T any](extension, prefix string, s Sample) []*spec.Primitive {
	return slices.Concat([]*spec.Primitive{
		constants[T](extension, prefix, s),
		conditionals[T](extension, prefix, s),
		setNulls[T](extension, prefix, s),
		isNulls[T](extension, prefix, s),
		AtTime[T](extension, prefix, s),
		snapshots[T](extension, prefix, s),
		Pre[T](extension, prefix, s),
	}, messages[T](extension, prefix, s, s.Zero))
}

// messages returns those of applications and of other nets; zeros is what the other net of the examples publishes.
func messages[T any](extension, prefix string, s Sample, zeros string) []*spec.Primitive {
	return append(interNetcomms[T](extension, prefix, s, zeros), netcommIns[T](extension, prefix, s), netcommOuts[T](extension, prefix, s))
}

// params and series keep examples short.
type (
	params = map[string]string
	series = map[string][]string
)

// list returns the text of an array.
func list(elements ...string) string { return "[" + strings.Join(elements, ",") + "]" }

// nan stands for null in double arithmetic (§7.3.5).
var nan = math.NaN()
