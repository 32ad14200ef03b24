package world

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

func addTwists(run []binary[geom.Twist, geom.Twist], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if t, u := p.operands(cy); t != nil {
			p.Out.V.Vel = t.Vel.Add(u.Vel)
			p.Out.V.Rot = t.Rot.Add(u.Rot)
			p.Out.Touch(cy)
		}
	}
}

type twistChangeCenter struct {
	Value  spec.In[geom.Twist]  `rcc:"inValue" wanted:"true" doc:"motion of a body"`
	Vector spec.In[geom.Vector] `rcc:"inVector" wanted:"true" doc:"from the point of reference to the new one, m"`
	Out    spec.Out[geom.Twist] `rcc:"outValue" doc:"motion of the same body with respect to the new point"`
}

func changeCenters(run []twistChangeCenter, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		t := p.Value.Ref(cy)
		if v, ok := p.Vector.Get(cy); ok && t != nil {
			p.Out.V.Vel = t.Vel.Add(t.Rot.Cross(v))
			p.Out.V.Rot = t.Rot
			p.Out.Touch(cy)
		}
	}
}

type twistRotate struct {
	Value spec.In[geom.Twist]    `rcc:"inValue" wanted:"true" doc:"motion of a body"`
	Rot   spec.In[geom.Rotation] `rcc:"inRot" doc:"rotation"`
	Out   spec.Out[geom.Twist]   `rcc:"outValue" doc:"the motion, both parts rotated"`
}

func rotateTwists(run []twistRotate, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		t := p.Value.Ref(cy)
		if r, ok := p.Rot.Get(cy); ok && t != nil {
			p.Out.V.Vel = r.Rotate(t.Vel)
			p.Out.V.Rot = r.Rotate(t.Rot)
			p.Out.Touch(cy)
		}
	}
}

type twistFromFrames struct {
	From spec.In[geom.Frame]  `rcc:"inPrevFrame" wanted:"true" doc:"frame at the beginning of the cycle"`
	To   spec.In[geom.Frame]  `rcc:"inFrame" wanted:"true" doc:"frame at its end"`
	Out  spec.Out[geom.Twist] `rcc:"outValue" doc:"motion that leads from the one to the other in one cycle, seen from the reference, m/s and rad/s"`
}

func differentiate(run []twistFromFrames, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		from, to := p.From.Ref(cy), p.To.Ref(cy)
		if from != nil && to != nil {
			p.Out.V.Vel = to.Pos.Sub(from.Pos).Scale(1 / cy.Period)
			p.Out.V.Rot = from.Rot.Velocity(to.Rot, cy.Period)
			p.Out.Touch(cy)
		}
	}
}

type twistFromVelocities struct {
	Trans spec.In[geom.Vector] `rcc:"inTransVel" doc:"velocity of the point of reference, m/s; open: X, Y, Z"`
	Rot   spec.In[geom.Vector] `rcc:"inRotVel" doc:"angular velocity, rad/s; open: RX, RY, RZ"`
	xyz
	RX  spec.Param[float64]  `rcc:"RX" default:"0" any:"every number is one to reckon with" doc:"x of the angular velocity while inRotVel is open, rad/s"`
	RY  spec.Param[float64]  `rcc:"RY" default:"0" any:"every number is one to reckon with" doc:"y of the angular velocity while inRotVel is open, rad/s"`
	RZ  spec.Param[float64]  `rcc:"RZ" default:"0" any:"every number is one to reckon with" doc:"z of the angular velocity while inRotVel is open, rad/s"`
	Out spec.Out[geom.Twist] `rcc:"outValue" doc:"the motion, null when a part is null"`
}

func (p *twistFromVelocities) Init(env *spec.Env) error {
	p.Trans.StandIn(env, p.vector())
	p.Rot.StandIn(env, geom.Vector{X: p.RX.V, Y: p.RY.V, Z: p.RZ.V})
	return nil
}

func composeTwists(run []twistFromVelocities, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		vel, ok := p.Trans.Get(cy)
		if rot, there := p.Rot.Get(cy); ok && there {
			p.Out.V.Vel, p.Out.V.Rot = vel, rot
			p.Out.Touch(cy)
		}
	}
}

type twistToVelocities struct {
	Value spec.In[geom.Twist]   `rcc:"inValue" wanted:"true" doc:"motion of a body"`
	Trans spec.Out[geom.Vector] `rcc:"outTransVel" doc:"velocity of its point of reference, m/s"`
	Rot   spec.Out[geom.Vector] `rcc:"outRotVel" doc:"its angular velocity, rad/s"`
}

func decomposeTwists(run []twistToVelocities, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if t := p.Value.Ref(cy); t != nil {
			p.Trans.Set(cy, t.Vel)
			p.Rot.Set(cy, t.Rot)
		}
	}
}

// sixFrom are the ports of what is made of six numbers. The last three are in the order of the angles A, B and C: about
// Z, Y and X.
type sixFrom struct {
	X spec.In[float64] `rcc:"inX" or:"X=0" any:"every number is one to reckon with" doc:"along X"`
	Y spec.In[float64] `rcc:"inY" or:"Y=0" any:"every number is one to reckon with" doc:"along Y"`
	Z spec.In[float64] `rcc:"inZ" or:"Z=0" any:"every number is one to reckon with" doc:"along Z"`
	A spec.In[float64] `rcc:"inA" or:"A=0" any:"every number is one to reckon with" doc:"about Z"`
	B spec.In[float64] `rcc:"inB" or:"B=0" any:"every number is one to reckon with" doc:"about Y"`
	C spec.In[float64] `rcc:"inC" or:"C=0" any:"every number is one to reckon with" doc:"about X"`
}

// vectors returns the two halves, unless a number is null (cycle).
func (p *sixFrom) vectors(cy *spec.Cycle) (along, about geom.Vector, ok bool) {
	along, okAlong := together(cy, &p.X, &p.Y, &p.Z)
	about, okAbout := together(cy, &p.C, &p.B, &p.A)
	return along, about, okAlong && okAbout
}

// sixTo are the ports of what is taken apart into six numbers.
type sixTo struct {
	X spec.Out[float64] `rcc:"outX" doc:"along X"`
	Y spec.Out[float64] `rcc:"outY" doc:"along Y"`
	Z spec.Out[float64] `rcc:"outZ" doc:"along Z"`
	A spec.Out[float64] `rcc:"outA" doc:"about Z"`
	B spec.Out[float64] `rcc:"outB" doc:"about Y"`
	C spec.Out[float64] `rcc:"outC" doc:"about X"`
}

// set gives the halves to the ports (cycle).
func (p *sixTo) set(cy *spec.Cycle, along, about geom.Vector) {
	apart(cy, along, &p.X, &p.Y, &p.Z)
	apart(cy, about, &p.C, &p.B, &p.A)
}

type twistFromXYZ struct {
	sixFrom
	Out spec.Out[geom.Twist] `rcc:"outValue" doc:"the motion, m/s and rad/s; null when a number is null"`
}

func composeTwistsOfXYZ(run []twistFromXYZ, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if vel, rot, ok := p.vectors(cy); ok {
			p.Out.V.Vel, p.Out.V.Rot = vel, rot
			p.Out.Touch(cy)
		}
	}
}

type twistToXYZ struct {
	Value spec.In[geom.Twist] `rcc:"inValue" wanted:"true" doc:"motion of a body, m/s and rad/s"`
	sixTo
}

func decomposeTwistsToXYZ(run []twistToXYZ, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if t := p.Value.Ref(cy); t != nil {
			p.set(cy, t.Vel, t.Rot)
		}
	}
}

// numbers are the parts of the examples that are made of six of them.
var (
	sixNumbers = series{"inX": {"1"}, "inY": {"2"}, "inZ": {"3"}, "inA": {"6"}, "inB": {"5"}, "inC": {"4", "null"}}
	sixParts   = series{
		"outX": {"1", "null"}, "outY": {"2", "null"}, "outZ": {"3", "null"}, "outA": {"6", "null"}, "outB": {"5", "null"}, "outC": {"4", "null"},
	}
	sixParams = params{"X": "1", "Y": "2", "Z": "3", "A": "6", "B": "5", "C": "4"}
)

func twists() []*spec.Primitive {
	const some = "{vel:{x:1,y:2,z:3},rot:{x:4,y:5,z:6}}"
	return []*spec.Primitive{
		declare("TwistAdd", "adds two motions", addTwists,
			spec.Example{
				Doc: "a sum, and null", In: series{"inFirst": {some}, "inSecond": {"{vel:{x:1,y:0,z:-3},rot:{x:0.5,y:0,z:0}}", "null"}},
				Out: series{"outValue": {"{vel:{x:2,y:2,z:0},rot:{x:4.5,y:5,z:6}}", "null"}},
			},
		),
		declare("TwistChangeCenter", "moves the point of reference of a motion", changeCenters,
			spec.Example{
				Doc: "a body that turns about Z, and null", In: series{"inValue": {"{vel:{x:0,y:0,z:1},rot:{x:0,y:0,z:2}}"}, "inVector": {"{x:3,y:0,z:0}", "null"}},
				Out: series{"outValue": {"{vel:{x:0,y:6,z:1},rot:{x:0,y:0,z:2}}", "null"}},
			},
		),
		declare("TwistRotate", "rotates a motion", rotateTwists,
			spec.Example{
				Doc: "half a turn about Z, and null", In: series{"inValue": {"{vel:{x:0,y:0,z:3},rot:{x:0,y:0,z:6}}", some, "null"}, "inRot": {"{a:3,b:0,c:0}", "{a:0,b:0,c:0}"}},
				Out: series{"outValue": {"{vel:{x:0,y:0,z:3},rot:{x:0,y:0,z:6}}", some, "null"}},
			},
		),
		declare("TwistFromFrames", "motion between two frames in one cycle", differentiate,
			spec.Example{
				Doc: "cycles of 100 ms, and null", Cycle: "100ms",
				In:  series{"inPrevFrame": {"{pos:{x:1,y:2,z:3},rot:{a:0.5,b:0,c:0}}"}, "inFrame": {"{pos:{x:2,y:2,z:3},rot:{a:0.75,b:0,c:0}}", "null"}},
				Out: series{"outValue": {"{vel:{x:10,y:0,z:0},rot:{x:0,y:0,z:2.5}}", "null"}},
			},
		),
		declare("TwistFromVelocities", "makes a motion of two velocities", composeTwists,
			spec.Example{
				Doc: "ports, and null", In: series{"inTransVel": {"{x:1,y:2,z:3}"}, "inRotVel": {"{x:4,y:5,z:6}", "null"}},
				Out: series{"outValue": {some, "null"}},
			},
			spec.Example{Doc: "a parameter for each number", Params: params{"X": "1", "Y": "2", "Z": "3", "RX": "4", "RY": "5", "RZ": "6"}, Out: series{"outValue": {some}}},
			spec.Example{Doc: "no double", Params: params{"RZ": "x"}, Reject: "parameter RZ"},
		),
		declare("TwistFromXYZ", "makes a motion of six numbers; TwistFromVelocities is newer", composeTwistsOfXYZ,
			spec.Example{Doc: "ports, and null", In: sixNumbers, Out: series{"outValue": {some, "null"}}},
			spec.Example{Doc: "parameters", Params: sixParams, Out: series{"outValue": {some}}},
			spec.Example{Doc: "no double", Params: params{"A": "x"}, Reject: "parameter A"},
		),
		declare("TwistToVelocities", "gives the two velocities of a motion", decomposeTwists,
			spec.Example{
				Doc: "a motion, and null", In: series{"inValue": {some, "null"}},
				Out: series{"outTransVel": {"{x:1,y:2,z:3}", "null"}, "outRotVel": {"{x:4,y:5,z:6}", "null"}},
			},
		),
		declare("TwistToXYZ", "gives the six numbers of a motion; TwistToVelocities is newer", decomposeTwistsToXYZ,
			spec.Example{Doc: "a motion, and null", In: series{"inValue": {some, "null"}}, Out: sixParts},
		),
	}
}
