package kuka

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

type payload struct {
	Robot spec.Param[string]   `rcc:"robot" any:"loading looks for a device of this name" doc:"name of the device"`
	COM   spec.In[geom.Frame]  `rcc:"inCOM" required:"true" doc:"centre of mass and axes of the moments of inertia, seen from the flange, m"`
	MOI   spec.In[geom.Vector] `rcc:"inMOI" required:"true" doc:"moments of inertia, kg·m²"`
	Mass  spec.In[float64]     `rcc:"inMass" required:"true" doc:"mass, kg"`
	TCP   spec.In[geom.Frame]  `rcc:"inTCP" required:"true" doc:"tip of the tool, seen from the flange"`

	Completed spec.Out[bool]  `rcc:"outCompleted" doc:"the payload is in use"`
	Error     spec.Out[int32] `rcc:"outError" doc:"0; 1: not alone; 2: there is no such payload; 3: the robot did not take it"`

	arm      device.Compliant
	actuator generic.Actuator
	request  generic.Request
	wanted   device.Payload
}

func (p *payload) Init(env *spec.Env) (err error) {
	if p.arm, err = find(env, p.Robot.V); err != nil {
		return err
	}
	claimAll(env, &p.actuator, p.Robot.V, "payload")
	p.actuator.Explain(env, p.Robot.V, "payload", func(fault int32, _ spec.RefusedAs) string { return device.PayloadFault(fault).String() })
	return nil
}

func sensePayload(run []payload, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if ticket, ok := p.request.Ticket(); ok {
			done, fault := p.arm.PayloadDone(ticket)
			p.request.Heard(done, int32(fault))
		}
	}
}

// weigh checks whether there is a new payload. One of which something is null is none.
func weigh(run []payload, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		mass, ok := p.Mass.Get(cy)
		com, moi, tcp := p.COM.Ref(cy), p.MOI.Ref(cy), p.TCP.Ref(cy)
		p.request.Refuse(&p.actuator, cy)
		concurrent := false
		if ok && com != nil && moi != nil && tcp != nil {
			concurrent = p.actuator.Enter(cy)
			p.actuator.Refuse(cy, concurrent, 0, device.PositionGood)
			if next := (device.Payload{Mass: mass, COM: *com, Inertia: *moi, TCP: *tcp}); !p.request.Wanted() || next != p.wanted {
				p.wanted = next
				p.request.Want()
			}
		}
		p.Completed.Set(cy, p.request.Done())
		if concurrent {
			p.Error.Set(cy, usedTwice)
		} else {
			p.Error.Set(cy, p.request.Fault())
		}
	}
}

func attach(run []payload, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if p.request.Due() && p.actuator.Alone(cy) {
			p.request.Asked(p.arm.SetPayload(p.wanted))
		}
	}
}

// toolParameters has two names: some clients write the first colon once.
func toolParameters(name string) *spec.Primitive {
	return spec.Declare(spec.Decl{
		Name: name, Extension: extension, Doc: "says what load the flange carries and where its tip is, whenever that changes",
		Examples: []spec.Example{
			{
				Doc: "a tool, another one, and one that cannot be", Params: params{"robot": "lwr"},
				In: series{
					"inMass": {"2", "2", "2", "3", "3", "null", "-1", "-1"}, "inCOM": {"{pos:{x:0,y:0,z:0.1},rot:{a:0,b:0,c:0}}"},
					"inMOI": {"{x:0,y:0,z:0}"}, "inTCP": {"{pos:{x:0,y:0,z:0.2},rot:{a:0,b:0,c:0}}"},
				},
				Out: series{
					"outCompleted": {"false", "true", "true", "false", "true", "true", "false", "false"},
					"outError":     {"0", "0", "0", "0", "0", "0", "0", "2"},
				},
			},
			{Doc: "no values", Params: params{"robot": "lwr"}, Reject: "inCOM must be connected"},
		},
	}, spec.Kernels[payload]{Sense: sensePayload, Run: weigh, Act: attach})
}
