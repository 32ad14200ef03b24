package world

import (
	"slices"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// extension is the extension that these primitives belong to.
const extension = "rpiworld"

// Primitives returns the declarations of the package.
func Primitives() []*spec.Primitive {
	return slices.Concat(
		general[geom.Vector]("Vector", "{x:0,y:0,z:0}", "{x:1,y:2,z:3}", "{x:-0.5,y:0,z:1e-09}"),
		general[geom.Rotation]("Rotation", "{a:0,b:0,c:0}", "{a:0.5,b:0.25,c:0.125}", "{a:-1,b:0,c:3}"),
		general[geom.Frame]("Frame", "{pos:{x:0,y:0,z:0},rot:{a:0,b:0,c:0}}", "{pos:{x:1,y:2,z:3},rot:{a:0.5,b:0.25,c:0.125}}", "{pos:{x:-4,y:0,z:0},rot:{a:0,b:0,c:1}}"),
		general[geom.Twist]("Twist", "{vel:{x:0,y:0,z:0},rot:{x:0,y:0,z:0}}", "{vel:{x:1,y:2,z:3},rot:{x:4,y:5,z:6}}", "{vel:{x:0,y:0,z:0.5},rot:{x:0,y:-1,z:0}}"),
		general[geom.Wrench]("Wrench", "{force:{x:0,y:0,z:0},torque:{x:0,y:0,z:0}}", "{force:{x:1,y:2,z:3},torque:{x:4,y:5,z:6}}", "{force:{x:0,y:0,z:-9.8},torque:{x:0,y:1,z:0}}"),
		vectors(),
		rotations(),
		frames(),
		twists(),
		wrenches(),
		curves(),
		averages(),
		generators(),
	)
}

// general lists what there is for every type and its arrays. zero, a and b are values for the examples.
func general[T any](name, zero, a, b string) []*spec.Primitive {
	sample := generic.Sample{Zero: zero, A: a, B: b}
	return append(generic.Values[T](extension, "World::"+name, sample), generic.Arrays[T](extension, "World::"+name, sample)...)
}

// unary is an operation on one value.
type unary[T, R any] struct {
	Value spec.In[T]  `rcc:"inValue" wanted:"true" doc:"operand"`
	Out   spec.Out[R] `rcc:"outValue" doc:"result, null when the operand is null"`
}

// binary is an operation on two values.
type binary[T, R any] struct {
	First  spec.In[T]  `rcc:"inFirst" wanted:"true" doc:"first operand"`
	Second spec.In[T]  `rcc:"inSecond" wanted:"true" doc:"second operand"`
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
	X spec.Param[float64] `rcc:"X" default:"0" any:"every number is one to reckon with" doc:"x of the vector while its port is open"`
	Y spec.Param[float64] `rcc:"Y" default:"0" any:"every number is one to reckon with" doc:"y of the vector while its port is open"`
	Z spec.Param[float64] `rcc:"Z" default:"0" any:"every number is one to reckon with" doc:"z of the vector while its port is open"`
}

func (p *xyz) vector() geom.Vector { return geom.Vector{X: p.X.V, Y: p.Y.V, Z: p.Z.V} }

// abc are the parameters that stand in for a rotation.
type abc struct {
	A spec.Param[float64] `rcc:"A" default:"0" should:"an angle" doc:"angle about Z while the port of the rotation is open, rad"`
	B spec.Param[float64] `rcc:"B" default:"0" should:"an angle" doc:"angle about Y while the port of the rotation is open, rad"`
	C spec.Param[float64] `rcc:"C" default:"0" should:"an angle" doc:"angle about X while the port of the rotation is open, rad"`
}

func (p *abc) rotation() geom.Rotation { return geom.FromABC(p.A.V, p.B.V, p.C.V) }

// params and series keep examples short.
type (
	params = map[string]string
	series = map[string][]string
)

// declare makes a primitive that depends on the values of its cycle only.
func declare[T any](name, doc string, run func([]T, *spec.Cycle), examples ...spec.Example) *spec.Primitive {
	return spec.Declare(spec.Decl{
		Name: "World::" + name, Extension: extension, Doc: doc, Pure: true, Examples: examples, Unrelated: unrelated[name],
	}, spec.Kernels[T]{Run: run})
}

// unrelated are primitives of which several parameters have constraints, and none depends on another one.
var unrelated = map[string]string{
	"RotationFromABC": anyABC, "FrameFromPosRot": anyABC, "FrameFromXYZ": anyABC,
}

const anyABC = "each angle is one of its own"
