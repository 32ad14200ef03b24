package world

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

func transformFrames(run []binary[geom.Frame, geom.Frame], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if f, g := p.operands(cy); f != nil {
			p.Out.V.Pos = f.Pos.Add(f.Rot.Rotate(g.Pos))
			p.Out.V.Rot = f.Rot.Mul(g.Rot)
			p.Out.Touch(cy)
		}
	}
}

func invertFrames(run []unary[geom.Frame, geom.Frame], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if f := p.Value.Ref(cy); f != nil {
			back := f.Rot.Invert()
			p.Out.V.Pos = back.Rotate(f.Pos.Neg())
			p.Out.V.Rot = back
			p.Out.Touch(cy)
		}
	}
}

type frameLerp struct {
	From   spec.In[geom.Frame]  `rcc:"inFrom" wanted:"true" doc:"frame at 0"`
	To     spec.In[geom.Frame]  `rcc:"inTo" wanted:"true" doc:"frame at 1"`
	Amount spec.In[float64]     `rcc:"inAmount" wanted:"true" doc:"place between the two, also beyond 0 and 1"`
	Out    spec.Out[geom.Frame] `rcc:"outValue" doc:"frame at that place, null when one of the three is null"`
}

func interpolate(run []frameLerp, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		from, to := p.From.Ref(cy), p.To.Ref(cy)
		if amount, ok := p.Amount.Get(cy); ok && from != nil && to != nil {
			p.Out.V.Pos = from.Pos.Lerp(to.Pos, amount)
			p.Out.V.Rot = from.Rot.Slerp(to.Rot, amount)
			p.Out.Touch(cy)
		}
	}
}

type frameAddTwist struct {
	Frame spec.In[geom.Frame]  `rcc:"inFrame" wanted:"true" doc:"frame at the beginning of the cycle"`
	Twist spec.In[geom.Twist]  `rcc:"inTwist" wanted:"true" doc:"its motion, seen from the reference, m/s and rad/s"`
	Out   spec.Out[geom.Frame] `rcc:"outValue" doc:"frame at the end of the cycle"`
}

func integrate(run []frameAddTwist, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		f, t := p.Frame.Ref(cy), p.Twist.Ref(cy)
		if f != nil && t != nil {
			p.Out.V.Pos = f.Pos.Add(t.Vel.Scale(cy.Period))
			p.Out.V.Rot = f.Rot.Add(t.Rot, cy.Period)
			p.Out.Touch(cy)
		}
	}
}

type frameFromPosRot struct {
	Pos spec.In[geom.Vector]   `rcc:"inPos" doc:"position; open: X, Y, Z"`
	Rot spec.In[geom.Rotation] `rcc:"inRot" doc:"rotation; open: A, B, C"`
	xyz
	abc
	Out spec.Out[geom.Frame] `rcc:"outValue" doc:"the frame, null when a part is null"`
}

func (p *frameFromPosRot) Init(env *spec.Env) error {
	p.Pos.StandIn(env, p.vector())
	p.Rot.StandIn(env, p.rotation())
	return nil
}

func composeFrames(run []frameFromPosRot, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		pos, ok := p.Pos.Get(cy)
		if rot, there := p.Rot.Get(cy); ok && there {
			p.Out.V.Pos, p.Out.V.Rot = pos, rot
			p.Out.Touch(cy)
		}
	}
}

type frameFromXYZ struct {
	X   spec.In[float64]       `rcc:"inX" or:"X=0" any:"every number is one to reckon with" doc:"x of the position"`
	Y   spec.In[float64]       `rcc:"inY" or:"Y=0" any:"every number is one to reckon with" doc:"y of the position"`
	Z   spec.In[float64]       `rcc:"inZ" or:"Z=0" any:"every number is one to reckon with" doc:"z of the position"`
	Rot spec.In[geom.Rotation] `rcc:"inRot" doc:"rotation; open: A, B, C"`
	abc
	Out spec.Out[geom.Frame] `rcc:"outValue" doc:"the frame, null when a part is null"`
}

func (p *frameFromXYZ) Init(env *spec.Env) error {
	p.Rot.StandIn(env, p.rotation())
	return nil
}

func composeFramesOfXYZ(run []frameFromXYZ, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		pos, ok := together(cy, &p.X, &p.Y, &p.Z)
		if rot, there := p.Rot.Get(cy); ok && there {
			p.Out.V.Pos, p.Out.V.Rot = pos, rot
			p.Out.Touch(cy)
		}
	}
}

type frameToPosRot struct {
	Value spec.In[geom.Frame]     `rcc:"inValue" wanted:"true" doc:"frame"`
	Pos   spec.Out[geom.Vector]   `rcc:"outPosition" doc:"its position"`
	Rot   spec.Out[geom.Rotation] `rcc:"outRotation" doc:"its rotation"`
}

func decomposeFrames(run []frameToPosRot, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if f := p.Value.Ref(cy); f != nil {
			p.Pos.Set(cy, f.Pos)
			p.Rot.Set(cy, f.Rot)
		}
	}
}

type frameToXYZ struct {
	Value spec.In[geom.Frame]     `rcc:"inValue" wanted:"true" doc:"frame"`
	X     spec.Out[float64]       `rcc:"outX" doc:"x of its position"`
	Y     spec.Out[float64]       `rcc:"outY" doc:"y of its position"`
	Z     spec.Out[float64]       `rcc:"outZ" doc:"z of its position"`
	Rot   spec.Out[geom.Rotation] `rcc:"outRot" doc:"its rotation"`
}

func decomposeFramesToXYZ(run []frameToXYZ, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if f := p.Value.Ref(cy); f != nil {
			apart(cy, f.Pos, &p.X, &p.Y, &p.Z)
			p.Rot.Set(cy, f.Rot)
		}
	}
}

func frames() []*spec.Primitive {
	const some, quarter = "{pos:{x:1,y:2,z:3},rot:{a:0.5,b:0,c:0}}", "{pos:{x:1,y:2,z:3},rot:{a:1.5707963267948966,b:0,c:0}}"
	return []*spec.Primitive{
		declare("FrameTransform", "product of two frames: the second one as seen from the reference of the first", transformFrames,
			spec.Example{
				Doc: "further along the axes of the first, and null",
				In:  series{"inFirst": {quarter}, "inSecond": {"{pos:{x:10,y:0,z:1},rot:{a:0.25,b:0,c:0}}", "null"}},
				Out: series{"outValue": {"{pos:{x:1.0000000000000022,y:12,z:4},rot:{a:1.8207963267948966,b:0,c:0}}", "null"}},
			},
		),
		declare("FrameInvert", "the reference as seen from a frame", invertFrames,
			spec.Example{
				Doc: "a frame that is turned, and null", In: series{"inValue": {quarter, "null"}},
				Out: series{"outValue": {"{pos:{x:-2,y:1,z:-3},rot:{a:-1.5707963267948966,b:-0,c:-0}}", "null"}},
			},
		),
		declare("FrameLerp", "interpolates between two frames: on a straight line, and on the shortest way about one axis", interpolate,
			spec.Example{
				Doc: "on the way, beyond, and null",
				In:  series{"inFrom": {"{pos:{x:0,y:0,z:0},rot:{a:0,b:0,c:0}}"}, "inTo": {some}, "inAmount": {"0", "0.5", "2", "null"}},
				Out: series{"outValue": {
					"{pos:{x:0,y:0,z:0},rot:{a:0,b:0,c:0}}", "{pos:{x:0.5,y:1,z:1.5},rot:{a:0.25,b:0,c:0}}", "{pos:{x:2,y:4,z:6},rot:{a:1,b:0,c:0}}", "null",
				}},
			},
		),
		declare("FrameAddTwist", "moves a frame for one cycle", integrate,
			spec.Example{
				Doc: "cycles of 100 ms, and null", Cycle: "100ms",
				In:  series{"inFrame": {some}, "inTwist": {"{vel:{x:10,y:0,z:0},rot:{x:0,y:0,z:2.5}}", "null"}},
				Out: series{"outValue": {"{pos:{x:2,y:2,z:3},rot:{a:0.75,b:0,c:0}}", "null"}},
			},
		),
		declare("FrameFromPosRot", "makes a frame of position and rotation", composeFrames,
			spec.Example{
				Doc: "ports, and null", In: series{"inPos": {"{x:1,y:2,z:3}"}, "inRot": {"{a:0.5,b:0,c:0}", "null"}},
				Out: series{"outValue": {some, "null"}},
			},
			spec.Example{
				Doc: "a parameter for each number", Params: params{"X": "1", "Y": "2", "Z": "3", "A": "0.5", "B": "0.25", "C": "0.125"},
				Out: series{"outValue": {"{pos:{x:1,y:2,z:3},rot:{a:0.5,b:0.25,c:0.125}}"}},
			},
			spec.Example{Doc: "position only", Params: params{"A": "0.5"}, In: series{"inPos": {"{x:1,y:2,z:3}", "null"}}, Out: series{"outValue": {some, "null"}}},
			spec.Example{Doc: "no double", Params: params{"C": "x"}, Reject: "parameter C"},
		),
		declare("FrameFromXYZ", "makes a frame of coordinates and rotation; FrameFromPosRot is newer", composeFramesOfXYZ,
			spec.Example{
				Doc: "ports and parameters", Params: params{"Z": "3"}, In: series{"inX": {"1"}, "inY": {"2", "2", "null"}, "inRot": {"{a:0.5,b:0,c:0}", "null", "{a:0.5,b:0,c:0}"}},
				Out: series{"outValue": {some, "null", "null"}},
			},
			spec.Example{Doc: "parameters of the rotation", Params: params{"A": "0.5", "X": "1", "Y": "2", "Z": "3"}, Out: series{"outValue": {some}}},
			spec.Example{Doc: "no double", Params: params{"X": "x"}, Reject: "parameter X"},
		),
		declare("FrameToPosRot", "gives position and rotation of a frame", decomposeFrames,
			spec.Example{
				Doc: "a frame, and null", In: series{"inValue": {some, "null"}},
				Out: series{"outPosition": {"{x:1,y:2,z:3}", "null"}, "outRotation": {"{a:0.5,b:0,c:0}", "null"}},
			},
		),
		declare("FrameToXYZ", "gives coordinates and rotation of a frame; FrameToPosRot is newer", decomposeFramesToXYZ,
			spec.Example{
				Doc: "a frame, and null", In: series{"inValue": {some, "null"}},
				Out: series{"outX": {"1", "null"}, "outY": {"2", "null"}, "outZ": {"3", "null"}, "outRot": {"{a:0.5,b:0,c:0}", "null"}},
			},
		),
	}
}
