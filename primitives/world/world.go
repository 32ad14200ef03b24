package world

import (
	"slices"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// extension is the extension that these primitives belong to.
const extension = "rpiworld"

// Primitives returns the declarations of the package.
func Primitives() []*spec.Primitive {
	return slices.Concat(
		vectors(),
		rotations(),
		frames(),
		twists(),
		wrenches(),
		curves(),
	)
}

// unary is an operation on one value.
type unary[T, R any] struct {
	Value spec.In[T]  `rcc:"inValue" doc:"operand"`
	Out   spec.Out[R] `rcc:"outValue" doc:"result, null when the operand is null"`
}

// binary is an operation on two values.
type binary[T, R any] struct {
	First  spec.In[T]  `rcc:"inFirst" doc:"first operand"`
	Second spec.In[T]  `rcc:"inSecond" doc:"second operand"`
	Out    spec.Out[R] `rcc:"outValue" doc:"result, null when an operand is null"`
}

// operands returns both operands, or nil when one is null (cycle).
func (p *binary[T, R]) operands(cy *spec.Cycle) (first, second *T) {
	first, second = p.First.Ref(cy), p.Second.Ref(cy)
	if first == nil || second == nil {
		return nil, nil
	}
	return first, second
}

// xyz are the parameters that stand in for a vector.
type xyz struct {
	X spec.Param[float64] `rcc:"X" default:"0" doc:"x of the vector while its port is open"`
	Y spec.Param[float64] `rcc:"Y" default:"0" doc:"y of the vector while its port is open"`
	Z spec.Param[float64] `rcc:"Z" default:"0" doc:"z of the vector while its port is open"`
}

func (p *xyz) vector() geom.Vector { return geom.Vector{X: p.X.V, Y: p.Y.V, Z: p.Z.V} }

// abc are the parameters that stand in for a rotation.
type abc struct {
	A spec.Param[float64] `rcc:"A" default:"0" doc:"angle about Z while the port of the rotation is open, rad"`
	B spec.Param[float64] `rcc:"B" default:"0" doc:"angle about Y while the port of the rotation is open, rad"`
	C spec.Param[float64] `rcc:"C" default:"0" doc:"angle about X while the port of the rotation is open, rad"`
}

func (p *abc) rotation() geom.Rotation { return geom.FromABC(p.A.V, p.B.V, p.C.V) }

// params and series keep examples short.
type (
	params = map[string]string
	series = map[string][]string
)

// declare makes a primitive that depends on the values of its cycle only.
func declare[T any](name, doc string, run func([]T, *spec.Cycle), examples ...spec.Example) *spec.Primitive {
	return spec.Declare(spec.Decl{Name: "World::" + name, Extension: extension, Doc: doc, Pure: true, Examples: examples}, spec.Kernels[T]{Run: run})
}
