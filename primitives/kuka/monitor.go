package kuka

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

type torques struct {
	axis
	Estimated spec.Out[float64] `rcc:"outEst" doc:"torque that is estimated to act on the joint from outside, Nm"`
	Measured  spec.Out[float64] `rcc:"outMsr" doc:"torque that the joint exerts, weight included, Nm"`

	now device.Torque
}

func (p *torques) Init(env *spec.Env) error { return p.open(env) }

func senseTorque(run []torques, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.now = p.arm.Torque(p.joint)
	}
}

func tellTorque(run []torques, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Estimated.Set(cy, p.now.External)
		p.Measured.Set(cy, p.now.Measured)
	}
}

var torqueMonitor = spec.Declare(spec.Decl{
	Name: "KUKA::LWR::TMonitor", Extension: extension, Doc: "torques of a joint",
	Examples: []spec.Example{
		{Doc: "somebody pushes", Params: params{"Robot": "lwr", "Axis": "2"}, Out: series{"outEst": {"2.5"}, "outMsr": {"-2"}}},
		{Doc: "no such joint", Params: params{"Robot": "lwr", "Axis": "-1"}, Reject: "parameter Axis"},
	},
}, spec.Kernels[torques]{Sense: senseTorque, Run: tellTorque})

// tip are the ports of what acts on the tip.
type tip struct {
	ForceX  spec.Out[float64] `rcc:"outTcpFx" doc:"force on the tip along x of the tool, N"`
	ForceY  spec.Out[float64] `rcc:"outTcpFy" doc:"force on the tip along y of the tool, N"`
	ForceZ  spec.Out[float64] `rcc:"outTcpFz" doc:"force on the tip along z of the tool, N"`
	TorqueX spec.Out[float64] `rcc:"outTcpTx" doc:"torque on the tip about x of the tool, Nm"`
	TorqueY spec.Out[float64] `rcc:"outTcpTy" doc:"torque on the tip about y of the tool, Nm"`
	TorqueZ spec.Out[float64] `rcc:"outTcpTz" doc:"torque on the tip about z of the tool, Nm"`
}

func (t *tip) tell(cy *spec.Cycle, w *geom.Wrench) {
	t.ForceX.Set(cy, w.Force.X)
	t.ForceY.Set(cy, w.Force.Y)
	t.ForceZ.Set(cy, w.Force.Z)
	t.TorqueX.Set(cy, w.Torque.X)
	t.TorqueY.Set(cy, w.Torque.Y)
	t.TorqueZ.Set(cy, w.Torque.Z)
}

type forces struct {
	robot
	tip

	now geom.Wrench
}

func (p *forces) Init(env *spec.Env) error { return p.open(env) }

func senseForce(run []forces, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.now = p.arm.TipWrench()
	}
}

func tellForce(run []forces, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.tell(cy, &p.now)
	}
}

var forceMonitor = spec.Declare(spec.Decl{
	Name: "KUKA::LWR::FMonitor", Extension: extension, Doc: "what is estimated to act on the tip of the tool from outside",
	Examples: []spec.Example{
		{
			Doc: "somebody pushes", Params: params{"Robot": "lwr"},
			Out: series{"outTcpFx": {"1"}, "outTcpFy": {"2"}, "outTcpFz": {"3"}, "outTcpTx": {"4"}, "outTcpTy": {"5"}, "outTcpTz": {"6"}},
		},
		{Doc: "a robot that cannot feel", Params: params{"Robot": "stiff"}, Reject: `"stiff"`},
	},
}, spec.Kernels[forces]{Sense: senseForce, Run: tellForce})

type everything struct {
	robot
	Est1 spec.Out[float64] `rcc:"outEstJ1" doc:"torque that is estimated to act on joint 1 from outside, Nm"`
	Est2 spec.Out[float64] `rcc:"outEstJ2" doc:"on joint 2"`
	Est3 spec.Out[float64] `rcc:"outEstJ3" doc:"on joint 3"`
	Est4 spec.Out[float64] `rcc:"outEstJ4" doc:"on joint 4"`
	Est5 spec.Out[float64] `rcc:"outEstJ5" doc:"on joint 5"`
	Est6 spec.Out[float64] `rcc:"outEstJ6" doc:"on joint 6"`
	Est7 spec.Out[float64] `rcc:"outEstJ7" doc:"on joint 7"`
	Msr1 spec.Out[float64] `rcc:"outMsrJ1" doc:"torque that joint 1 exerts, weight included, Nm"`
	Msr2 spec.Out[float64] `rcc:"outMsrJ2" doc:"that joint 2 exerts"`
	Msr3 spec.Out[float64] `rcc:"outMsrJ3" doc:"that joint 3 exerts"`
	Msr4 spec.Out[float64] `rcc:"outMsrJ4" doc:"that joint 4 exerts"`
	Msr5 spec.Out[float64] `rcc:"outMsrJ5" doc:"that joint 5 exerts"`
	Msr6 spec.Out[float64] `rcc:"outMsrJ6" doc:"that joint 6 exerts"`
	Msr7 spec.Out[float64] `rcc:"outMsrJ7" doc:"that joint 7 exerts"`
	tip

	joints [joints]device.Torque
	now    geom.Wrench
}

func (p *everything) Init(env *spec.Env) error { return p.open(env) }

func senseAll(run []everything, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		for k := range p.joints {
			p.joints[k] = p.arm.Torque(k)
		}
		p.now = p.arm.TipWrench()
	}
}

func tellAll(run []everything, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		t := &p.joints
		p.Est1.Set(cy, t[0].External)
		p.Est2.Set(cy, t[1].External)
		p.Est3.Set(cy, t[2].External)
		p.Est4.Set(cy, t[3].External)
		p.Est5.Set(cy, t[4].External)
		p.Est6.Set(cy, t[5].External)
		p.Est7.Set(cy, t[6].External)
		p.Msr1.Set(cy, t[0].Measured)
		p.Msr2.Set(cy, t[1].Measured)
		p.Msr3.Set(cy, t[2].Measured)
		p.Msr4.Set(cy, t[3].Measured)
		p.Msr5.Set(cy, t[4].Measured)
		p.Msr6.Set(cy, t[5].Measured)
		p.Msr7.Set(cy, t[6].Measured)
		p.tell(cy, &p.now)
	}
}

var forceTorqueMonitor = spec.Declare(spec.Decl{
	Name: "KUKA::LWR::FTMonitor", Extension: extension, Doc: "torques of all joints, and what is estimated to act on the tip of the tool from outside",
	Examples: []spec.Example{
		{
			Doc: "somebody pushes", Params: params{"Robot": "lwr"},
			Out: series{
				"outEstJ1": {"0.5"}, "outEstJ2": {"1.5"}, "outEstJ3": {"2.5"}, "outEstJ4": {"3.5"}, "outEstJ5": {"4.5"}, "outEstJ6": {"5.5"}, "outEstJ7": {"6.5"},
				"outMsrJ1": {"0"}, "outMsrJ2": {"-1"}, "outMsrJ3": {"-2"}, "outMsrJ4": {"-3"}, "outMsrJ5": {"-4"}, "outMsrJ6": {"-5"}, "outMsrJ7": {"-6"},
				"outTcpFx": {"1"}, "outTcpFy": {"2"}, "outTcpFz": {"3"}, "outTcpTx": {"4"}, "outTcpTy": {"5"}, "outTcpTz": {"6"},
			},
		},
		{Doc: "no such device", Params: params{"Robot": "amr"}, Reject: `"amr"`},
	},
}, spec.Kernels[everything]{Sense: senseAll, Run: tellAll})
