package world

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

func addVectors(run []binary[geom.Vector, geom.Vector], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if v, w := p.operands(cy); v != nil {
			p.Out.Set(cy, v.Add(*w))
		}
	}
}

func crossVectors(run []binary[geom.Vector, geom.Vector], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if v, w := p.operands(cy); v != nil {
			p.Out.Set(cy, v.Cross(*w))
		}
	}
}

func dotVectors(run []binary[geom.Vector, float64], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if v, w := p.operands(cy); v != nil {
			p.Out.Set(cy, v.Dot(*w))
		}
	}
}

type vectorScale struct {
	Value  spec.In[geom.Vector]  `rcc:"inValue" wanted:"true" doc:"vector"`
	Factor spec.In[float64]      `rcc:"inFactor" or:"Factor=1" any:"every number is one to reckon with" doc:"factor"`
	Out    spec.Out[geom.Vector] `rcc:"outValue" doc:"the vector times the factor"`
}

func scaleVectors(run []vectorScale, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		v, ok := p.Value.Get(cy)
		if factor, there := p.Factor.Get(cy); ok && there {
			p.Out.Set(cy, v.Scale(factor))
		}
	}
}

type vectorRotate struct {
	Value spec.In[geom.Vector]   `rcc:"inValue" wanted:"true" doc:"vector"`
	Rot   spec.In[geom.Rotation] `rcc:"inRot" doc:"rotation"`
	Out   spec.Out[geom.Vector]  `rcc:"outValue" doc:"the vector, rotated"`
}

func rotateVectors(run []vectorRotate, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		v, ok := p.Value.Get(cy)
		if r, there := p.Rot.Get(cy); ok && there {
			p.Out.Set(cy, r.Rotate(v))
		}
	}
}

type vectorFromXYZ struct {
	X   spec.In[float64]      `rcc:"inX" or:"X=0" any:"every number is one to reckon with" doc:"x of the vector"`
	Y   spec.In[float64]      `rcc:"inY" or:"Y=0" any:"every number is one to reckon with" doc:"y of the vector"`
	Z   spec.In[float64]      `rcc:"inZ" or:"Z=0" any:"every number is one to reckon with" doc:"z of the vector"`
	Out spec.Out[geom.Vector] `rcc:"outValue" doc:"the vector, null when a coordinate is null"`
}

func composeVectors(run []vectorFromXYZ, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if v, ok := together(cy, &p.X, &p.Y, &p.Z); ok {
			p.Out.Set(cy, v)
		}
	}
}

// together makes a vector of three ports, unless one is null.
func together(cy *spec.Cycle, x, y, z *spec.In[float64]) (geom.Vector, bool) {
	vx, okX := x.Get(cy)
	vy, okY := y.Get(cy)
	vz, okZ := z.Get(cy)
	return geom.Vector{X: vx, Y: vy, Z: vz}, okX && okY && okZ
}

type vectorToXYZ struct {
	Value spec.In[geom.Vector] `rcc:"inValue" wanted:"true" doc:"vector"`
	X     spec.Out[float64]    `rcc:"outX" doc:"its x"`
	Y     spec.Out[float64]    `rcc:"outY" doc:"its y"`
	Z     spec.Out[float64]    `rcc:"outZ" doc:"its z"`
}

func decomposeVectors(run []vectorToXYZ, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if v, ok := p.Value.Get(cy); ok {
			apart(cy, v, &p.X, &p.Y, &p.Z)
		}
	}
}

// apart gives the coordinates of a vector to three ports.
func apart(cy *spec.Cycle, v geom.Vector, x, y, z *spec.Out[float64]) {
	x.Set(cy, v.X)
	y.Set(cy, v.Y)
	z.Set(cy, v.Z)
}

func vectors() []*spec.Primitive {
	return []*spec.Primitive{
		declare("VectorAdd", "adds two vectors", addVectors,
			spec.Example{
				Doc: "a sum, and null", In: series{"inFirst": {"{x:1,y:2,z:3}"}, "inSecond": {"{x:10,y:-20,z:0.5}", "null"}},
				Out: series{"outValue": {"{x:11,y:-18,z:3.5}", "null"}},
			},
			spec.Example{Doc: "an operand that is open is null", In: series{"inFirst": {"{x:1,y:2,z:3}"}}, Out: series{"outValue": {"null"}}},
		),
		declare("VectorCross", "cross product of the first and the second vector", crossVectors,
			spec.Example{
				Doc: "x × y = z, and null", In: series{"inFirst": {"{x:2,y:0,z:0}", "{x:0,y:3,z:0}", "null"}, "inSecond": {"{x:0,y:3,z:0}", "{x:2,y:0,z:0}"}},
				Out: series{"outValue": {"{x:0,y:0,z:6}", "{x:0,y:0,z:-6}", "null"}},
			},
		),
		declare("VectorDot", "dot product of two vectors", dotVectors,
			spec.Example{
				Doc: "a product, and null", In: series{"inFirst": {"{x:1,y:2,z:3}", "null"}, "inSecond": {"{x:4,y:-5,z:6}"}},
				Out: series{"outValue": {"12", "null"}},
			},
		),
		declare("VectorScale", "multiplies a vector by a factor", scaleVectors,
			spec.Example{
				Doc: "factors, and null", In: series{"inValue": {"{x:1,y:-2,z:3}"}, "inFactor": {"2", "nan", "null"}},
				Out: series{"outValue": {"{x:2,y:-4,z:6}", "{x:nan,y:nan,z:nan}", "null"}},
			},
			spec.Example{Doc: "the parameter", Params: params{"Factor": "-1"}, In: series{"inValue": {"{x:1,y:-2,z:3}", "null"}}, Out: series{"outValue": {"{x:-1,y:2,z:-3}", "null"}}},
			spec.Example{Doc: "no double", Params: params{"Factor": "x"}, Reject: "parameter Factor"},
		),
		declare("VectorRotate", "rotates a vector", rotateVectors,
			spec.Example{
				Doc: "a quarter turn about Z, and null", In: series{"inValue": {"{x:1,y:0,z:5}", "null"}, "inRot": {"{a:1.5707963267948966,b:0,c:0}"}},
				Out: series{"outValue": {"{x:2.220446049250313e-16,y:1,z:5}", "null"}},
			},
		),
		declare("VectorFromXYZ", "makes a vector of its coordinates", composeVectors,
			spec.Example{
				Doc: "ports and parameters", Params: params{"X": "7", "Z": "3"}, In: series{"inX": {"1", "null"}, "inY": {"2"}},
				Out: series{"outValue": {"{x:1,y:2,z:3}", "null"}},
			},
			spec.Example{Doc: "no double", Params: params{"Z": "x"}, Reject: "parameter Z"},
		),
		declare("VectorToXYZ", "gives the coordinates of a vector", decomposeVectors,
			spec.Example{
				Doc: "a vector, and null", In: series{"inValue": {"{x:1,y:2,z:3}", "null"}},
				Out: series{"outX": {"1", "null"}, "outY": {"2", "null"}, "outZ": {"3", "null"}},
			},
		),
	}
}
