package robotarm

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

type tool struct {
	joint
	Mass spec.In[float64]     `rcc:"inMass" or:"Mass=0" must:">= 0; finite" doc:"mass, kg"`
	COM  spec.In[geom.Vector] `rcc:"inCOM" or:"COM={x:0,y:0,z:0}" must:"finite" doc:"centre of mass, m"`
	MOI  spec.In[geom.Vector] `rcc:"inMOI" or:"MOI={x:0,y:0,z:0}" must:">= 0; finite" doc:"moments of inertia, kg·m²"`

	Completed spec.Out[bool]  `rcc:"outCompleted" doc:"the tool is in use"`
	Error     spec.Out[int32] `rcc:"outError" doc:"0; -1: not alone; else what is wrong by numbers of the device"`

	actuator generic.Actuator
	request  generic.Request
	wanted   device.Tool
}

func (p *tool) Init(env *spec.Env) error {
	if err := p.open(env); err != nil {
		return err
	}
	p.claim(env, &p.actuator, "tool")
	p.actuator.Explain(env, p.Robot.V, p.channel("tool"), func(fault int32, _ spec.RefusedAs) string {
		return fmt.Sprintf("the device does not take the tool, for reason %d of its own: a mass or moment that is negative or no number, or it cannot be told", fault)
	})
	return nil
}

func senseTool(run []tool, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if ticket, ok := p.request.Ticket(); ok {
			p.request.Heard(p.arm.ToolDone(p.axis, ticket))
		}
	}
}

// choose checks whether there is a new tool. One of which something is null is none.
func choose(run []tool, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		mass, ok := p.Mass.Get(cy)
		com, moi := p.COM.Ref(cy), p.MOI.Ref(cy)
		p.request.Refuse(&p.actuator, cy)
		concurrent := false
		if ok && com != nil && moi != nil {
			concurrent = p.actuator.Enter(cy)
			p.actuator.Refuse(cy, concurrent, 0, device.PositionGood)
			if next := (device.Tool{Mass: mass, COM: *com, Inertia: *moi}); !p.request.Wanted() || next != p.wanted {
				p.wanted = next
				p.request.Want()
			}
		}
		p.Completed.Set(cy, p.request.Done())
		if concurrent {
			p.Error.Set(cy, generic.ConcurrentAccess)
		} else {
			p.Error.Set(cy, p.request.Fault())
		}
	}
}

func attach(run []tool, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if p.request.Due() && p.actuator.Alone(cy) {
			p.request.Asked(p.arm.SetTool(p.axis, p.wanted))
		}
	}
}

var toolParameters = spec.Declare(spec.Decl{
	Name: "RobotArm::ToolParameters", Extension: extension, Doc: "says what load a joint carries, whenever that changes",
	Unrelated: "that mass, centre and moments belong to one body cannot be seen from the numbers",
	Examples: []spec.Example{
		{
			Doc: "a tool, and another one", Params: params{"Robot": "arm", "COM": "{x:0,y:0,z:0.1}"},
			In:  series{"inMass": {"2", "2", "2", "3", "3", "null"}},
			Out: series{"outCompleted": {"false", "true", "true", "false", "true", "true"}, "outError": {"0"}},
		},
		{Doc: "no such joint", Params: params{"Robot": "arm", "Axis": "7"}, Reject: "parameter Axis"},
	},
}, spec.Kernels[tool]{Sense: senseTool, Run: choose, Act: attach})
