package robotarm

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

type tool struct {
	joint
	Mass spec.In[float64]     `rcc:"inMass" or:"Mass=0" doc:"mass, kg"`
	COM  spec.In[geom.Vector] `rcc:"inCOM" or:"COM={x:0,y:0,z:0}" doc:"centre of mass, m"`
	MOI  spec.In[geom.Vector] `rcc:"inMOI" or:"MOI={x:0,y:0,z:0}" doc:"moments of inertia, kg·m²"`

	Completed spec.Out[bool]  `rcc:"outCompleted" doc:"the tool is in use"`
	Error     spec.Out[int32] `rcc:"outError" doc:"0; -1: not alone; else what is wrong by numbers of the device"`

	users  *generic.Users
	wanted device.Tool
	ticket uint64
	asked  bool // wanted has been set
	fresh  bool // wanted has not been set yet
	done   bool
	fault  int32
}

func (p *tool) Init(env *spec.Env) error {
	if err := p.open(env); err != nil {
		return err
	}
	p.users = p.claim(env, "tool")
	return nil
}

func senseTool(run []tool, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if p.asked {
			p.done, p.fault = p.arm.ToolDone(p.axis, p.ticket)
		}
	}
}

// choose looks whether there is a new tool. One of which something is null is none.
func choose(run []tool, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		mass, ok := p.Mass.Get(cy)
		com, moi := p.COM.Ref(cy), p.MOI.Ref(cy)
		concurrent := false
		if ok && com != nil && moi != nil {
			concurrent = p.users.Enter(cy.N)
			if next := (device.Tool{Mass: mass, COM: *com, Inertia: *moi}); !p.asked || next != p.wanted {
				p.wanted, p.fresh, p.done, p.fault = next, true, false, 0
			}
		}
		p.Completed.Set(cy, p.done && !p.fresh)
		if concurrent {
			p.Error.Set(cy, generic.ConcurrentAccess)
		} else {
			p.Error.Set(cy, p.fault)
		}
	}
}

func attach(run []tool, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if p.fresh && p.users.Alone(cy.N) {
			p.ticket = p.arm.SetTool(p.axis, p.wanted)
			p.asked, p.fresh = true, false
		}
	}
}

var toolParameters = spec.Declare(spec.Decl{
	Name: "RobotArm::ToolParameters", Extension: extension, Doc: "says what load a joint carries, whenever that changes",
	Examples: []spec.Example{
		{
			Doc: "a tool, and another one", Params: params{"Robot": "arm", "COM": "{x:0,y:0,z:0.1}"},
			In:  series{"inMass": {"2", "2", "2", "3", "3", "null"}},
			Out: series{"outCompleted": {"false", "true", "true", "false", "true", "true"}, "outError": {"0"}},
		},
		{Doc: "no such joint", Params: params{"Robot": "arm", "Axis": "7"}, Reject: "parameter Axis"},
	},
}, spec.Kernels[tool]{Sense: senseTool, Run: choose, Act: attach})
