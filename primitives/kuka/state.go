package kuka

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

type state struct {
	robot
	Strategy spec.Out[int32] `rcc:"outStrategy" doc:"control strategy in force: 10 position, 20 Cartesian impedance, 30 joint impedance"`
	Quality  spec.Out[int32] `rcc:"outQuality" doc:"how the controller rates the connection, 0 unacceptable to 3 perfect; null where there is none"`

	rated   device.Rated // or nil
	now     device.Strategy
	quality int32
}

func (p *state) Init(env *spec.Env) error {
	if err := p.open(env); err != nil {
		return err
	}
	p.rated, _ = p.arm.(device.Rated)
	return nil
}

func senseState(run []state, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.now = p.arm.Strategy()
		if p.rated != nil {
			p.quality = p.rated.Quality()
		}
	}
}

func tellState(run []state, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Strategy.Set(cy, int32(p.now))
		if p.rated != nil {
			p.Quality.Set(cy, p.quality)
		}
	}
}

var stateMonitor = spec.Declare(spec.Decl{
	Name: "KUKA::LWR::StateMonitor", Extension: extension, Doc: "how the robot is controlled, and how good its connection is",
	Examples: []spec.Example{
		{Doc: "a robot in the same machine", Params: params{"Robot": "lwr"}, Out: series{"outStrategy": {"10"}, "outQuality": {"null"}}},
		{Doc: "a robot at the end of a wire", Params: params{"Robot": "iiwa"}, Out: series{"outStrategy": {"10"}, "outQuality": {"3"}}},
		{Doc: "a robot without strategies", Params: params{"Robot": "stiff"}, Reject: `"stiff"`},
	},
}, spec.Kernels[state]{Sense: senseState, Run: tellState})

type jointSpring struct {
	axis
	Add       spec.Out[float64] `rcc:"outAddTorque" doc:"torque that the joint exerts beside, Nm"`
	Damping   spec.Out[float64] `rcc:"outDamping" doc:"damping, 0 to 1"`
	Stiffness spec.Out[float64] `rcc:"outStiffness" doc:"stiffness, Nm/rad"`

	now device.JointImpedance
}

func (p *jointSpring) Init(env *spec.Env) error { return p.open(env) }

func senseSpring(run []jointSpring, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.now = p.arm.JointImpedance(p.joint)
	}
}

func tellSpring(run []jointSpring, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Add.Set(cy, p.now.Add)
		p.Damping.Set(cy, p.now.Damping)
		p.Stiffness.Set(cy, p.now.Stiffness)
	}
}

var jointImpMonitor = spec.Declare(spec.Decl{
	Name: "KUKA::LWR::JointImpMonitor", Extension: extension, Doc: "how a joint gives way, or would under joint impedance",
	Examples: []spec.Example{
		{Doc: "as it was set", Params: params{"Robot": "lwr", "Axis": "3"}, Out: series{"outStiffness": {"1000"}, "outDamping": {"0.7"}, "outAddTorque": {"0"}}},
		{Doc: "no such joint", Params: params{"Robot": "lwr", "Axis": "7"}, Reject: `device "lwr" has no joint 7, only 0 to 6`},
	},
}, spec.Kernels[jointSpring]{Sense: senseSpring, Run: tellSpring})

type tipSprings struct {
	robot
	Add       spec.Out[geom.Wrench] `rcc:"outAddTorque" doc:"force and torque that the tip exerts beside, N and Nm"`
	Damping   spec.Out[geom.Wrench] `rcc:"outDamping" doc:"damping along and about the axes of the tool, 0 to 1"`
	Stiffness spec.Out[geom.Wrench] `rcc:"outStiffness" doc:"stiffness along and about the axes of the tool, N/m and Nm/rad"`

	now device.CartesianImpedance
}

func (p *tipSprings) Init(env *spec.Env) error { return p.open(env) }

func senseSprings(run []tipSprings, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.now = p.arm.CartesianImpedance()
	}
}

func tellSprings(run []tipSprings, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Add.Set(cy, p.now.Add)
		p.Damping.Set(cy, p.now.Damping)
		p.Stiffness.Set(cy, p.now.Stiffness)
	}
}

var cartImpMonitor = spec.Declare(spec.Decl{
	Name: "KUKA::LWR::CartImpMonitor", Extension: extension, Doc: "how the tip of the tool gives way, or would under Cartesian impedance",
	Examples: []spec.Example{
		{Doc: "as it was set", Params: params{"Robot": "lwr"}, Out: series{
			"outStiffness": {"{force:{x:2000,y:2000,z:100},torque:{x:200,y:200,z:200}}"}, "outDamping": {"{force:{x:0.7,y:0.7,z:0.7},torque:{x:0.7,y:0.7,z:0.7}}"},
			"outAddTorque": {"{force:{x:0,y:0,z:0},torque:{x:0,y:0,z:0}}"},
		}},
		{Doc: "no such device", Params: params{"Robot": "amr"}, Reject: `"amr"`},
	},
}, spec.Kernels[tipSprings]{Sense: senseSprings, Run: tellSprings})
