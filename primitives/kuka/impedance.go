package kuka

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

type jointImpedance struct {
	axis
	Add       spec.In[float64] `rcc:"inAddTorque" doc:"torque that the joint exerts beside, Nm; open or null leaves it as it is"`
	Damping   spec.In[float64] `rcc:"inDamping" doc:"damping, 0 to 1; open or null leaves it as it is"`
	Stiffness spec.In[float64] `rcc:"inStiffness" doc:"stiffness, Nm/rad; open or null leaves it as it is"`

	actuator generic.Actuator
	given    bool
	next     device.JointImpedance
}

func (p *jointImpedance) Init(env *spec.Env) error {
	if err := p.open(env); err != nil {
		return err
	}
	channel := fmt.Sprintf("joint impedance %d", p.joint)
	p.actuator.Claim(env, p.Robot.V, channel)
	p.actuator.Explain(env, p.Robot.V, channel, nil)
	return nil
}

func chooseSpring(run []jointImpedance, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.next = p.arm.JointImpedance(p.joint)
		add, a := p.Add.Get(cy)
		damping, d := p.Damping.Get(cy)
		stiffness, s := p.Stiffness.Get(cy)
		if a {
			p.next.Add = add
		}
		if d {
			p.next.Damping = damping
		}
		if s {
			p.next.Stiffness = stiffness
		}
		if p.given = a || d || s; p.given {
			p.actuator.Refuse(cy, p.actuator.Enter(cy), 0, judgeJoint(&p.next))
		}
	}
}

func setSpring(run []jointImpedance, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if p.given && p.actuator.Alone(cy) {
			p.arm.SetJointImpedance(p.joint, p.next)
		}
	}
}

var jointImpParameters = spec.Declare(spec.Decl{
	Commands: []string{"Robot", "Axis"},
	Name:     "KUKA::LWR::JointImpParameters", Extension: extension, Doc: "sets how a joint gives way under joint impedance",
	Examples: []spec.Example{
		{Doc: "a soft joint", Params: params{"Robot": "lwr", "Axis": "3"}, In: series{"inStiffness": {"20"}, "inDamping": {"0.7"}}},
		{Doc: "no such joint", Params: params{"Robot": "lwr", "Axis": "7"}, Reject: `device "lwr" has no joint 7, only 0 to 6`},
	},
}, spec.Kernels[jointImpedance]{Run: chooseSpring, Act: setSpring})

type cartesianImpedance struct {
	robot
	Add       spec.In[geom.Wrench] `rcc:"inAddTorque" doc:"force and torque that the tip exerts beside, N and Nm; open or null leaves it as it is"`
	Damping   spec.In[geom.Wrench] `rcc:"inDamping" doc:"damping along and about the axes of the tool, 0 to 1; open or null leaves it as it is"`
	Stiffness spec.In[geom.Wrench] `rcc:"inStiffness" doc:"stiffness along and about the axes of the tool, N/m and Nm/rad; open or null leaves it as it is"`

	actuator generic.Actuator
	given    bool
	next     device.CartesianImpedance
}

func (p *cartesianImpedance) Init(env *spec.Env) error {
	if err := p.open(env); err != nil {
		return err
	}
	p.actuator.Claim(env, p.Robot.V, "cartesian impedance")
	p.actuator.Explain(env, p.Robot.V, "cartesian impedance", nil)
	return nil
}

func chooseSprings(run []cartesianImpedance, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.next = p.arm.CartesianImpedance()
		add, damping, stiffness := p.Add.Ref(cy), p.Damping.Ref(cy), p.Stiffness.Ref(cy)
		if add != nil {
			p.next.Add = *add
		}
		if damping != nil {
			p.next.Damping = *damping
		}
		if stiffness != nil {
			p.next.Stiffness = *stiffness
		}
		if p.given = add != nil || damping != nil || stiffness != nil; p.given {
			p.actuator.Refuse(cy, p.actuator.Enter(cy), 0, judgeTip(&p.next))
		}
	}
}

func setSprings(run []cartesianImpedance, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if p.given && p.actuator.Alone(cy) {
			p.arm.SetCartesianImpedance(p.next)
		}
	}
}

var cartImpParameters = spec.Declare(spec.Decl{
	Commands: []string{"Robot"},
	Name:     "KUKA::LWR::CartImpParameters", Extension: extension, Doc: "sets how the tip of the tool gives way under Cartesian impedance",
	Examples: []spec.Example{
		{
			Doc: "soft along z", Params: params{"Robot": "lwr"},
			In: series{"inStiffness": {"{force:{x:2000,y:2000,z:100},torque:{x:200,y:200,z:200}}"}},
		},
		{Doc: "no such device", Params: params{"Robot": "amr"}, Reject: `"amr"`},
	},
}, spec.Kernels[cartesianImpedance]{Run: chooseSprings, Act: setSprings})

// judgeJoint returns what is wrong with a spring: one that is not a number changes nothing, of one that no spring can be robots take the nearest
// (cycle).
func judgeJoint(is *device.JointImpedance) device.PositionFault {
	switch {
	case is.Add != is.Add || is.Damping != is.Damping || is.Stiffness != is.Stiffness:
		return device.PositionNotANumber
	case is.Stiffness < 0 || is.Damping < 0 || is.Damping > 1:
		return device.PositionOutOfRange
	}
	return device.PositionGood
}

// judgeTip is the same for the springs of the tip (cycle).
func judgeTip(is *device.CartesianImpedance) device.PositionFault {
	switch {
	case !numbers(&is.Add) || !numbers(&is.Damping) || !numbers(&is.Stiffness):
		return device.PositionNotANumber
	case !within(&is.Stiffness, math.MaxFloat64) || !within(&is.Damping, 1):
		return device.PositionOutOfRange
	}
	return device.PositionGood
}

// within reports whether all components are between 0 and most (cycle).
func within(w *geom.Wrench, most float64) bool {
	f, t := &w.Force, &w.Torque
	return min(f.X, f.Y, f.Z, t.X, t.Y, t.Z) >= 0 && max(f.X, f.Y, f.Z, t.X, t.Y, t.Z) <= most
}

// legal returns what robots say about values that are all numbers, or are not: those that are not change nothing (cycle).
func legal(numbers bool) device.PositionFault {
	if numbers {
		return device.PositionGood
	}
	return device.PositionNotANumber
}

// numbers reports whether all components are numbers (cycle).
func numbers(w *geom.Wrench) bool {
	f, t := &w.Force, &w.Torque
	return f.X == f.X && f.Y == f.Y && f.Z == f.Z && t.X == t.X && t.Y == t.Y && t.Z == t.Z
}
