package world

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

type wrenchFromXYZ struct {
	sixFrom
	Out spec.Out[geom.Wrench] `rcc:"outValue" doc:"force and torque, N and Nm; null when a number is null"`
}

func composeWrenches(run []wrenchFromXYZ, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if force, torque, ok := p.vectors(cy); ok {
			p.Out.V.Force, p.Out.V.Torque = force, torque
			p.Out.Touch(cy)
		}
	}
}

type wrenchToXYZ struct {
	Value spec.In[geom.Wrench] `rcc:"inValue" wanted:"true" doc:"force and torque, N and Nm"`
	sixTo
}

func decomposeWrenches(run []wrenchToXYZ, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if w := p.Value.Ref(cy); w != nil {
			p.set(cy, w.Force, w.Torque)
		}
	}
}

func wrenches() []*spec.Primitive {
	const some = "{force:{x:1,y:2,z:3},torque:{x:4,y:5,z:6}}"
	return []*spec.Primitive{
		declare("WrenchFromXYZ", "makes force and torque of six numbers", composeWrenches,
			spec.Example{Doc: "ports, and null", In: sixNumbers, Out: series{"outValue": {some, "null"}}},
			spec.Example{Doc: "parameters", Params: sixParams, Out: series{"outValue": {some}}},
			spec.Example{Doc: "no double", Params: params{"C": "x"}, Reject: "parameter C"},
		),
		declare("WrenchToXYZ", "gives the six numbers of force and torque", decomposeWrenches,
			spec.Example{Doc: "force and torque, and null", In: series{"inValue": {some, "null"}}, Out: sixParts},
		),
	}
}
