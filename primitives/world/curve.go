package world

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

type rotationBezier struct {
	Value   spec.In[float64]        `rcc:"inValue" wanted:"true" doc:"place on the curve, 0 to 1, also beyond"`
	From    spec.In[geom.Rotation]  `rcc:"inFrom" wanted:"true" doc:"rotation at 0"`
	FromVel spec.In[geom.Vector]    `rcc:"inFromVel" or:"=" doc:"angular velocity at 0, seen from the reference, rad per unit of inValue; open: at rest"`
	ToVel   spec.In[geom.Vector]    `rcc:"inToVel" or:"=" doc:"angular velocity at 1; open: at rest"`
	To      spec.In[geom.Rotation]  `rcc:"inTo" wanted:"true" doc:"rotation at 1"`
	Out     spec.Out[geom.Rotation] `rcc:"outValue" doc:"rotation at that place, null when one of the five is null"`
}

func followRotations(run []rotationBezier, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		from, to := p.From.Ref(cy), p.To.Ref(cy)
		fromVel, toVel := p.FromVel.Ref(cy), p.ToVel.Ref(cy)
		if at, ok := p.Value.Get(cy); ok && from != nil && fromVel != nil && toVel != nil && to != nil {
			p.Out.Set(cy, from.Bezier(*fromVel, *toVel, *to, at))
		}
	}
}

func curves() []*spec.Primitive {
	const none = "{a:0,b:0,c:0}"
	return []*spec.Primitive{
		declare("RotationBezier", "cubic curve through two rotations with given angular velocities, on quaternions", followRotations,
			spec.Example{
				Doc: "at rest at both ends, and null",
				In:  series{"inFrom": {none}, "inTo": {"{a:1,b:0,c:0}"}, "inValue": {"0", "0.5", "1", "null"}},
				Out: series{"outValue": {none, "{a:0.5,b:0,c:0}", "{a:1,b:0,c:0}", "null"}},
			},
			spec.Example{
				Doc: "passing through", In: series{"inFrom": {none}, "inTo": {"{a:0.2,b:0,c:0}"}, "inFromVel": {"{x:0,y:0,z:0.2}", "null"}, "inToVel": {"{x:0,y:0,z:0.2}"}, "inValue": {"0.5"}},
				Out: series{"outValue": {"{a:0.1,b:0,c:0}", "null"}},
			},
		),
	}
}
