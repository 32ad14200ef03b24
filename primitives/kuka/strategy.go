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

	actuator generic.Actuator
	request  generic.Request
	wanted   device.Strategy
}

func (p *strategy) Init(env *spec.Env) error {
	if err := p.open(env); err != nil {
		return err
	}
	claimAll(env, &p.actuator, p.Robot.V, "strategy")
	p.actuator.Explain(env, p.Robot.V, "strategy", func(fault int32, _ spec.RefusedAs) string { return device.StrategyFault(fault).String() })
	return nil
}

func senseStrategy(run []strategy, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if ticket, ok := p.request.Ticket(); ok {
			done, fault := p.arm.StrategyDone(ticket)
			p.request.Heard(done, int32(fault))
		}
	}
}

// choose checks whether another strategy is wanted than the one that was asked for. After null the same one is asked for again.
func choose(run []strategy, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.request.Refuse(&p.actuator, cy)
		concurrent := false
		if v, ok := p.Strategy.Get(cy); !ok {
			p.request.Forget()
		} else {
			concurrent = p.actuator.Enter(cy)
			p.actuator.Refuse(cy, concurrent, 0, device.PositionGood)
			if next := device.Strategy(v); !p.request.Wanted() || next != p.wanted {
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

func change(run []strategy, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if p.request.Due() && p.actuator.Alone(cy) {
			p.request.Asked(p.arm.SetStrategy(p.wanted))
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
