package world

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

func transformRotations(run []binary[geom.Rotation, geom.Rotation], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if r, s := p.operands(cy); r != nil {
			p.Out.Set(cy, r.Mul(*s))
		}
	}
}

func invertRotations(run []unary[geom.Rotation, geom.Rotation], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if r, ok := p.Value.Get(cy); ok {
			p.Out.Set(cy, r.Invert())
		}
	}
}

type rotationFromABC struct {
	A   spec.In[float64]        `rcc:"inA" or:"A=0" should:"an angle" doc:"angle about Z, rad"`
	B   spec.In[float64]        `rcc:"inB" or:"B=0" should:"an angle" doc:"angle about the Y axis that results, rad"`
	C   spec.In[float64]        `rcc:"inC" or:"C=0" should:"an angle" doc:"angle about the X axis that results, rad"`
	Out spec.Out[geom.Rotation] `rcc:"outValue" doc:"Rz(A)·Ry(B)·Rx(C), null when an angle is null"`
}

func turnByABC(run []rotationFromABC, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if angles, ok := together(cy, &p.A, &p.B, &p.C); ok {
			p.Out.Set(cy, geom.FromABC(angles.X, angles.Y, angles.Z))
		}
	}
}

type rotationToABC struct {
	Value spec.In[geom.Rotation] `rcc:"inValue" wanted:"true" doc:"rotation"`
	A     spec.Out[float64]      `rcc:"outA" doc:"angle about Z, -π to π rad"`
	B     spec.Out[float64]      `rcc:"outB" doc:"angle about the Y axis that results, -π/2 to π/2 rad"`
	C     spec.Out[float64]      `rcc:"outC" doc:"angle about the X axis that results, -π to π rad; 0 where B is ±π/2"`
}

func tellABC(run []rotationToABC, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if r, ok := p.Value.Get(cy); ok {
			a, b, c := r.ABC()
			apart(cy, geom.Vector{X: a, Y: b, Z: c}, &p.A, &p.B, &p.C)
		}
	}
}

type rotationFromAxisAngle struct {
	Axis  spec.In[geom.Vector]    `rcc:"inAxis" doc:"axis, of any length; about none there is no rotation"`
	X     spec.Param[float64]     `rcc:"X" default:"1" any:"every number is one to reckon with" doc:"x of the axis while inAxis is open"`
	Y     spec.Param[float64]     `rcc:"Y" default:"0" any:"every number is one to reckon with" doc:"y of the axis while inAxis is open"`
	Z     spec.Param[float64]     `rcc:"Z" default:"0" any:"every number is one to reckon with" doc:"z of the axis while inAxis is open"`
	Angle spec.In[float64]        `rcc:"inAngle" or:"Angle=0" should:"an angle" doc:"angle, rad"`
	Out   spec.Out[geom.Rotation] `rcc:"outValue" doc:"rotation by the angle about the axis"`
}

func (p *rotationFromAxisAngle) Init(env *spec.Env) error {
	p.Axis.StandIn(env, geom.Vector{X: p.X.V, Y: p.Y.V, Z: p.Z.V})
	return nil
}

func turnAboutAxis(run []rotationFromAxisAngle, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		axis, ok := p.Axis.Get(cy)
		if angle, there := p.Angle.Get(cy); ok && there {
			p.Out.Set(cy, geom.FromAxisAngle(axis, angle))
		}
	}
}

type rotationToAxisAngle struct {
	Value spec.In[geom.Rotation] `rcc:"inValue" wanted:"true" doc:"rotation"`
	Axis  spec.Out[geom.Vector]  `rcc:"outAxis" doc:"axis, of length 1; X when there is no rotation"`
	Angle spec.Out[float64]      `rcc:"outAngle" doc:"angle about it, 0 to π rad"`
}

func tellAxisAngle(run []rotationToAxisAngle, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if r, ok := p.Value.Get(cy); ok {
			axis, angle := r.AxisAngle()
			p.Axis.Set(cy, axis)
			p.Angle.Set(cy, angle)
		}
	}
}

type rotationFromQuaternion struct {
	X   spec.In[float64]        `rcc:"inX" or:"X=1" any:"every number is one to reckon with" doc:"x of the quaternion"`
	Y   spec.In[float64]        `rcc:"inY" or:"Y=0" any:"every number is one to reckon with" doc:"y of the quaternion"`
	Z   spec.In[float64]        `rcc:"inZ" or:"Z=0" any:"every number is one to reckon with" doc:"z of the quaternion"`
	W   spec.In[float64]        `rcc:"inW" or:"W=0" any:"every number is one to reckon with" doc:"real part of the quaternion"`
	Out spec.Out[geom.Rotation] `rcc:"outValue" doc:"rotation of the quaternion, whatever its length; none without length"`
}

func turnByQuaternion(run []rotationFromQuaternion, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		v, ok := together(cy, &p.X, &p.Y, &p.Z)
		if w, there := p.W.Get(cy); ok && there {
			p.Out.Set(cy, geom.FromQuaternion(v.X, v.Y, v.Z, w))
		}
	}
}

type rotationToQuaternion struct {
	Value spec.In[geom.Rotation] `rcc:"inValue" wanted:"true" doc:"rotation"`
	X     spec.Out[float64]      `rcc:"outX" doc:"x of its unit quaternion"`
	Y     spec.Out[float64]      `rcc:"outY" doc:"y of its unit quaternion"`
	Z     spec.Out[float64]      `rcc:"outZ" doc:"z of its unit quaternion"`
	W     spec.Out[float64]      `rcc:"outW" doc:"real part of its unit quaternion"`
}

func tellQuaternion(run []rotationToQuaternion, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if r, ok := p.Value.Get(cy); ok {
			x, y, z, w := r.Quaternion()
			apart(cy, geom.Vector{X: x, Y: y, Z: z}, &p.X, &p.Y, &p.Z)
			p.W.Set(cy, w)
		}
	}
}

func rotations() []*spec.Primitive {
	return []*spec.Primitive{
		declare("RotationTransform", "product of two rotations: the second one as seen from the reference of the first", transformRotations,
			spec.Example{
				Doc: "about the same axis, and null", In: series{"inFirst": {"{a:1,b:0,c:0}"}, "inSecond": {"{a:0.5,b:0,c:0}", "null"}},
				Out: series{"outValue": {"{a:1.5,b:0,c:0}", "null"}},
			},
			spec.Example{
				Doc: "the order matters", In: series{"inFirst": {"{a:0.5,b:0,c:0}", "{a:0,b:0,c:0.1}"}, "inSecond": {"{a:0,b:0,c:0.1}", "{a:0.5,b:0,c:0}"}},
				Out: series{"outValue": {"{a:0.5,b:0,c:0.1}", "{a:0.49789566173693395,b:-0.04788098268127675,c:0.0878254513932012}"}},
			},
		),
		declare("RotationInvert", "the rotation back", invertRotations,
			spec.Example{Doc: "about Z, and null", In: series{"inValue": {"{a:0.5,b:0,c:0}", "null"}}, Out: series{"outValue": {"{a:-0.5,b:-0,c:-0}", "null"}}},
		),
		declare("RotationFromABC", "makes a rotation of angles about Z, then the Y and then the X axis that result", turnByABC,
			spec.Example{
				Doc: "ports and parameters", Params: params{"B": "0.25", "C": "0.125"}, In: series{"inA": {"0.5", "null"}},
				Out: series{"outValue": {"{a:0.5,b:0.25,c:0.125}", "null"}},
			},
			spec.Example{Doc: "no double", Params: params{"A": "x"}, Reject: "parameter A"},
		),
		declare("RotationToABC", "gives the angles of a rotation about Z, then the Y and then the X axis that result", tellABC,
			spec.Example{
				Doc: "angles, and null", In: series{"inValue": {"{a:0.5,b:0.25,c:0.125}", "null"}},
				Out: series{"outA": {"0.5", "null"}, "outB": {"0.25", "null"}, "outC": {"0.125", "null"}},
			},
		),
		declare("RotationFromAxisAngle", "makes a rotation by an angle about an axis", turnAboutAxis,
			spec.Example{
				Doc: "about Z, about nothing, and null", In: series{"inAxis": {"{x:0,y:0,z:3}", "{x:0,y:0,z:0}", "null"}, "inAngle": {"0.5"}},
				Out: series{"outValue": {"{a:0.5,b:0,c:0}", "{a:0,b:0,c:0}", "null"}},
			},
			spec.Example{Doc: "parameters: about X", Params: params{"Angle": "0.25"}, Out: series{"outValue": {"{a:0,b:0,c:0.25}"}}},
			spec.Example{Doc: "parameters of the axis", Params: params{"X": "0", "Y": "2", "Angle": "0.25"}, Out: series{"outValue": {"{a:0,b:0.25,c:0}"}}},
			spec.Example{Doc: "no double", Params: params{"Angle": "x"}, Reject: "parameter Angle"},
		),
		declare("RotationToAxisAngle", "gives axis and angle of a rotation", tellAxisAngle,
			spec.Example{
				Doc: "about -Z, none, and null", In: series{"inValue": {"{a:-0.5,b:0,c:0}", "{a:0,b:0,c:0}", "null"}},
				Out: series{"outAxis": {"{x:0,y:0,z:-1}", "{x:1,y:0,z:0}", "null"}, "outAngle": {"0.5", "0", "null"}},
			},
		),
		declare("RotationFromQuaternion", "makes a rotation of a quaternion", turnByQuaternion,
			spec.Example{
				Doc: "a quarter turn about Z, no length, and null", In: series{"inX": {"0"}, "inZ": {"3", "0", "null"}, "inW": {"3", "0"}},
				Out: series{"outValue": {"{a:1.5707963267948966,b:0,c:0}", "{a:0,b:0,c:0}", "null"}},
			},
			spec.Example{Doc: "parameters: half a turn about X", Out: series{"outValue": {"{a:0,b:0,c:3.141592653589793}"}}},
			spec.Example{Doc: "no double", Params: params{"W": "x"}, Reject: "parameter W"},
		),
		declare("RotationToQuaternion", "gives the quaternion of a rotation", tellQuaternion,
			spec.Example{
				Doc: "a quarter turn about Z, and null", In: series{"inValue": {"{a:1.5707963267948966,b:0,c:0}", "null"}},
				Out: series{"outX": {"0", "null"}, "outY": {"0", "null"}, "outZ": {"0.7071067811865475", "null"}, "outW": {"0.7071067811865476", "null"}},
			},
		),
	}
}
