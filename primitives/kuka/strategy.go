package kuka

import (
	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

type strategy struct {
	robot
	Strategy spec.In[int32] `rcc:"inStrategy" required:"true" doc:"10 position, 20 Cartesian impedance, 30 joint impedance; null leaves it as it is"`

	Completed spec.Out[bool]  `rcc:"outCompleted" doc:"the strategy is in force"`
	Error     spec.Out[int32] `rcc:"outError" doc:"0; 1: not alone; 2: no such strategy; 3: joints are not where they are commanded; 4: the robot did not switch; 5: drives are off"`

	users  *generic.Users
	wanted device.Strategy
	ticket uint64
	asked  bool // for wanted
	fresh  bool // wanted has not been asked for yet
	done   bool
	fault  device.StrategyFault
}

func (p *strategy) Init(env *spec.Env) error {
	if err := p.open(env); err != nil {
		return err
	}
	p.users = claimAll(env, p.Robot.V, "strategy")
	return nil
}

func senseStrategy(run []strategy, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if p.asked {
			p.done, p.fault = p.arm.StrategyDone(p.ticket)
		}
	}
}

// choose looks whether another strategy is wanted than the one that was asked for. After null the same one is asked for anew.
func choose(run []strategy, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		concurrent := false
		if v, ok := p.Strategy.Get(cy); !ok {
			p.asked, p.fresh, p.done, p.fault = false, false, false, device.StrategyGood
		} else {
			concurrent = p.users.Enter(cy.N)
			if next := device.Strategy(v); !p.asked || next != p.wanted {
				p.wanted, p.fresh, p.done, p.fault = next, true, false, device.StrategyGood
			}
		}
		p.Completed.Set(cy, p.done && !p.fresh)
		if concurrent {
			p.Error.Set(cy, usedTwice)
		} else {
			p.Error.Set(cy, int32(p.fault))
		}
	}
}

func change(run []strategy, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if p.fresh && p.users.Alone(cy.N) {
			p.ticket = p.arm.SetStrategy(p.wanted)
			p.asked, p.fresh = true, false
		}
	}
}

var controlStrategy = spec.Declare(spec.Decl{
	Name: "KUKA::LWR::ControlStrategy", Extension: extension,
	Doc: "switches the control strategy of the robot, while its joints are where they are commanded",
	Examples: []spec.Example{
		{
			Doc: "one, another one, and none that there is", Params: params{"Robot": "lwr"},
			In: series{"inStrategy": {"30", "30", "30", "20", "20", "null", "5", "5"}},
			Out: series{
				"outCompleted": {"false", "true", "true", "false", "true", "false", "false", "false"},
				"outError":     {"0", "0", "0", "0", "0", "0", "0", "2"},
			},
		},
		{Doc: "no strategy", Params: params{"Robot": "lwr"}, Reject: "inStrategy must be connected"},
		{Doc: "a robot without strategies", Params: params{"Robot": "stiff"}, In: series{"inStrategy": {"10"}}, Reject: `"stiff"`},
	},
}, spec.Kernels[strategy]{Sense: senseStrategy, Run: choose, Act: change})
