package kuka

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

type swing struct {
	Robot     spec.Param[string]   `rcc:"Robot" default:"" any:"loading looks for a device of this name" doc:"name of the device"`
	Amplitude spec.In[geom.Wrench] `rcc:"inAmplitude" doc:"greatest force and torque along and about the axes of the tool, N and Nm; open or null leaves it as it is"`
	Frequency spec.In[geom.Wrench] `rcc:"inFrequency" doc:"how often they swing, Hz; open or null leaves it as it is"`

	arm      device.Swinging
	actuator generic.Actuator
	given    bool
	next     device.CartesianSwing
}

func (p *swing) Init(env *spec.Env) (err error) {
	if p.arm, err = spec.Device[device.Swinging](env, p.Robot.V); err != nil {
		return err
	}
	p.actuator.Claim(env, p.Robot.V, "swing")
	p.actuator.Explain(env, p.Robot.V, "swing", nil)
	return nil
}

func chooseSwing(run []swing, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.next = p.arm.Swing()
		amplitude, frequency := p.Amplitude.Ref(cy), p.Frequency.Ref(cy)
		if amplitude != nil {
			p.next.Amplitude = *amplitude
		}
		if frequency != nil {
			p.next.Frequency = *frequency
		}
		if p.given = amplitude != nil || frequency != nil; p.given {
			p.actuator.Refuse(cy, p.actuator.Enter(cy), 0, legal(finite(&p.next.Amplitude) && finite(&p.next.Frequency)))
		}
	}
}

func setSwing(run []swing, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if p.given && p.actuator.Alone(cy) {
			p.arm.SetSwing(p.next)
		}
	}
}

var cartSinImpParameters = spec.Declare(spec.Decl{
	Name: "KUKA::IIWA::CartSinImpParameters", Extension: extension,
	Doc: "sets forces that swing beside the springs of the tip under Cartesian impedance, for parts that are to find their place",
	Examples: []spec.Example{
		{
			Doc: "along x, twice in a second", Params: params{"Robot": "iiwa"},
			In: series{
				"inAmplitude": {"{force:{x:5,y:0,z:0},torque:{x:0,y:0,z:0}}", "null"},
				"inFrequency": {"{force:{x:2,y:0,z:0},torque:{x:0,y:0,z:0}}"},
			},
		},
		{Doc: "a robot that does not swing", Params: params{"Robot": "lwr"}, Reject: `"lwr"`},
	},
}, spec.Kernels[swing]{Run: chooseSwing, Act: setSwing})

// finite reports whether all components are; a force without bound is refused like one that is not a number (cycle).
func finite(w *geom.Wrench) bool { return w.Force.Finite() && w.Torque.Finite() }
