package robotarm

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

type position struct {
	joint
	Position spec.In[float64] `rcc:"inPosition" required:"true" doc:"set-point, rad or m; null commands nothing"`

	Error      spec.Out[int32] `rcc:"outError" doc:"0; -1: not alone; why the joint cannot be commanded; 1: out of range; 2: not a number"`
	Concurrent spec.Out[bool]  `rcc:"outErrorConcurrentAccess" doc:"another primitive of the net commands the joint too"`
	Illegal    spec.Out[bool]  `rcc:"outErrorIllegalPosition" doc:"the joint cannot be there"`
	Failed     spec.Out[bool]  `rcc:"outErrorJointFailed" doc:"the joint cannot be commanded: it has no power, it has failed, or a set-point was refused"`

	actuator, load generic.Actuator
	fault          device.JointFault
	places         device.Placer // whose joints may jump, or nil
}

func (p *position) Init(env *spec.Env) error {
	if err := p.open(env); err != nil {
		return err
	}
	p.places, _ = p.arm.(device.Placer)
	p.claim(env, &p.actuator, "joint")
	p.actuator.ExplainWithin(env, p.Robot.V, p.channel("joint"), p.explain, p.bounds)
	p.claim(env, &p.load, "tool") // a load does not change under somebody else's motion
	return nil
}

// explain returns why the joint cannot be commanded, in the words of the device if it remembers the set-point.
func (p *position) explain(fault int32, at spec.RefusedAs) string {
	f := device.JointFault(fault)
	if of, remembers := p.arm.(device.Refuser); remembers {
		if r, some := of.JointRefusal(p.axis); some && r.Fault == f && r.Time <= at.Time && at.Time-r.Time < lately {
			model, _ := device.ModelOf(p.arm, p.axis)
			return r.Reason(model.Kind)
		}
	}
	return f.String()
}

// bounds are how far the joint goes, if the device knows.
func (p *position) bounds() string {
	model, known := device.ModelOf(p.arm, p.axis)
	if !known || math.IsInf(model.Min, 0) || math.IsInf(model.Max, 0) {
		return ""
	}
	unit := "rad"
	if model.Kind == kinematics.Prismatic {
		unit = "m"
	}
	return fmt.Sprintf(", which is %.6g to %.6g %s", model.Min, model.Max, unit)
}

// lately is for how long before a net sees the fault of a joint its set-point may have been refused: what a driver takes to tell, ns.
const lately = 1e9

func senseFault(run []position, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.fault = p.arm.Joint(p.axis).Fault
	}
}

func check(run []position, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		v, there := p.Position.Get(cy)
		illegal := device.PositionGood
		if there {
			illegal = p.arm.CheckPosition(p.axis, v)
		}
		p.actuator.Judge(cy, there, int32(p.fault), illegal).Tell(cy, &p.Error, &p.Concurrent, &p.Failed, &p.Illegal)
	}
}

// command hands over what is wrong too: the device refuses it, and brings the joint to rest at once. A constant is not a motion: where a
// joint may jump, it is there at once.
func command(run []position, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if v, ok := p.Position.Get(cy); ok && p.actuator.Alone(cy) {
			if p.places != nil && p.Position.Constant() {
				p.places.PlaceJoint(p.axis, v, cy.Instant())
			}
			p.arm.CommandPosition(p.axis, v, cy.Instant())
		}
	}
}

var jointPosition = spec.Declare(spec.Decl{
	Commands: []string{"Robot", "Axis"},
	Name:     "RobotArm::JointPosition", Extension: extension, Doc: "commands a joint, which must be able to be there one cycle later",
	Examples: []spec.Example{
		{
			Doc: "alone", Params: params{"Robot": "arm"}, In: series{"inPosition": {"0.5", "null", "0.5"}},
			Out: series{"outError": {"0"}, "outErrorConcurrentAccess": {"false"}, "outErrorIllegalPosition": {"false"}, "outErrorJointFailed": {"false"}},
		},
		{
			Doc: "out of range", Params: params{"Robot": "arm"}, In: series{"inPosition": {"1.5"}},
			Out: series{"outError": {"1"}, "outErrorIllegalPosition": {"true"}},
		},
		{
			Doc: "not a number", Params: params{"Robot": "arm"}, In: series{"inPosition": {"nan"}},
			Out: series{"outError": {"2"}, "outErrorIllegalPosition": {"true"}, "outErrorJointFailed": {"false"}},
		},
		{
			Doc: "drives are off", Params: params{"Robot": "arm", "Axis": "1"}, In: series{"inPosition": {"0"}},
			Out: series{"outError": {"2"}, "outErrorIllegalPosition": {"false"}, "outErrorJointFailed": {"true"}},
		},
		{Doc: "nothing to command", Params: params{"Robot": "arm"}, Reject: "inPosition must be connected"},
		{Doc: "no such joint", Params: params{"Robot": "arm", "Axis": "-1"}, In: series{"inPosition": {"0"}}, Reject: "parameter Axis"},
	},
}, spec.Kernels[position]{Sense: senseFault, Run: check, Act: command})
