package robotbase

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

const extension = "robotbase"

// params and series keep examples short.
type (
	params = map[string]string
	series = map[string][]string
)

// Primitives returns the declarations of the package. Their examples use a base named base that rests, with four wheels.
func Primitives() []*spec.Primitive {
	return []*spec.Primitive{baseMonitor, baseVelocity, wheelMonitor, controller, differentialController}
}

// robot is what all primitives of a base have.
type robot struct {
	Robot spec.Param[string] `rcc:"Robot" any:"loading looks for a device of this name" doc:"name of the device"`

	base device.Base
}

func (r *robot) open(env *spec.Env) (err error) {
	r.base, err = spec.Device[device.Base](env, r.Robot.V)
	return err
}

type monitor struct {
	robot
	Pos       spec.Out[geom.Frame] `rcc:"outPos" doc:"where the base is, as far as it knows"`
	Measured  spec.Out[geom.Twist] `rcc:"outVel" doc:"how it drives, seen from itself"`
	Commanded spec.Out[geom.Twist] `rcc:"outCmdVel" doc:"how it should drive; zero when nobody commands"`
	Error     spec.Out[int32]      `rcc:"outError" doc:"0, or why the base cannot be commanded: 1 failed, 2 without power, 3 after a set-point that was refused"`

	state device.BaseState
}

func (p *monitor) Init(env *spec.Env) error { return p.open(env) }

func senseBase(run []monitor, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.state = p.base.BaseState()
	}
}

func tellBase(run []monitor, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Pos.Set(cy, p.state.Pos)
		p.Measured.Set(cy, p.state.Measured)
		p.Commanded.Set(cy, p.state.Commanded)
		p.Error.Set(cy, int32(p.state.Fault))
	}
}

const (
	origin = "{pos:{x:0,y:0,z:0},rot:{a:0,b:0,c:0}}"
	still  = "{vel:{x:0,y:0,z:0},rot:{x:0,y:0,z:0}}"
	ahead  = "{vel:{x:0.1,y:0,z:0},rot:{x:0,y:0,z:0}}"
)

var baseMonitor = spec.Declare(spec.Decl{
	Name: "RobotBase::BaseMonitor", Extension: extension, Doc: "where a base is and how it drives",
	Examples: []spec.Example{
		{
			Doc: "it rests", Params: params{"Robot": "base"},
			Out: series{"outPos": {origin}, "outVel": {still}, "outCmdVel": {still}, "outError": {"0"}},
		},
		{Doc: "no such device", Params: params{"Robot": "bass"}, Reject: `"bass"`},
	},
}, spec.Kernels[monitor]{Sense: senseBase, Run: tellBase})

type wheel struct {
	robot
	Wheel spec.Param[int32] `rcc:"Wheel" default:"0" any:"loading asks the device whether it has one" doc:"number of the wheel, from 0"`
	Pos   spec.Out[float64] `rcc:"outPos" doc:"angle, which goes on counting, rad"`
	Vel   spec.Out[float64] `rcc:"outVel" doc:"velocity, rad/s"`
	state device.WheelState
}

func (p *wheel) Init(env *spec.Env) error {
	if err := p.open(env); err != nil {
		return err
	}
	if n := p.base.Wheels(); p.Wheel.V < 0 || int(p.Wheel.V) >= n {
		return fmt.Errorf("parameter Wheel: device %q has no wheel %d; it has %d, counted from 0", p.Robot.V, p.Wheel.V, n)
	}
	return nil
}

func senseWheel(run []wheel, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.state = p.base.Wheel(int(p.Wheel.V))
	}
}

func tellWheel(run []wheel, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Pos.Set(cy, p.state.Pos)
		p.Vel.Set(cy, p.state.Vel)
	}
}

var wheelMonitor = spec.Declare(spec.Decl{
	Name: "RobotBase::WheelMonitor", Extension: extension, Doc: "what a wheel does",
	Examples: []spec.Example{
		{Doc: "it rests", Params: params{"Robot": "base", "Wheel": "3"}, Out: series{"outPos": {"0"}, "outVel": {"0"}}},
		{Doc: "no such wheel", Params: params{"Robot": "base", "Wheel": "4"}, Reject: `device "base" has no wheel 4; it has 4, counted from 0`},
	},
}, spec.Kernels[wheel]{Sense: senseWheel, Run: tellWheel})

type velocity struct {
	robot
	Vel spec.In[geom.Twist] `rcc:"inVel" required:"true" doc:"how the base should drive, seen from itself; null commands nothing"`

	Error      spec.Out[int32] `rcc:"outError" doc:"0; -1: not alone; why the base cannot be commanded; 1: out of range; 2: not a number"`
	Concurrent spec.Out[bool]  `rcc:"outErrorConcurrentAccess" doc:"another primitive of the net commands the base too"`
	Failed     spec.Out[bool]  `rcc:"outErrorBaseFailed" doc:"the base cannot be commanded: it has no power, it has failed, or a set-point was refused"`
	Illegal    spec.Out[bool]  `rcc:"outErrorIllegalVelocity" doc:"the base cannot drive like that"`

	actuator generic.Actuator
	fault    device.BaseFault
}

func (p *velocity) Init(env *spec.Env) error {
	if err := p.open(env); err != nil {
		return err
	}
	p.actuator.Claim(env, p.Robot.V, device.BaseChannel)
	p.actuator.Explain(env, p.Robot.V, device.BaseChannel, func(fault int32, _ spec.RefusedAs) string {
		return device.BaseFault(fault).String()
	})
	return nil
}

func senseFault(run []velocity, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.fault = p.base.BaseState().Fault
	}
}

func check(run []velocity, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		v, there := p.Vel.Get(cy)
		illegal := device.PositionGood
		if there {
			illegal = p.base.CheckVelocity(v)
		}
		p.actuator.Judge(cy, there, int32(p.fault), illegal).Tell(cy, &p.Error, &p.Concurrent, &p.Failed, &p.Illegal)
	}
}

func command(run []velocity, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if v, ok := p.Vel.Get(cy); ok && p.actuator.Alone(cy) {
			p.base.CommandVelocity(v, cy.Instant())
		}
	}
}

var baseVelocity = spec.Declare(spec.Decl{
	Commands: []string{"Robot"},
	Name:     "RobotBase::BaseVelocity", Extension: extension, Doc: "commands how a base drives; it stops when no net does",
	Examples: []spec.Example{
		{
			Doc: "ahead", Params: params{"Robot": "base"}, In: series{"inVel": {ahead, "null", ahead}},
			Out: series{"outError": {"0"}, "outErrorConcurrentAccess": {"false"}, "outErrorBaseFailed": {"false"}, "outErrorIllegalVelocity": {"false"}},
		},
		{
			Doc: "too fast", Params: params{"Robot": "base"}, In: series{"inVel": {"{vel:{x:100,y:0,z:0},rot:{x:0,y:0,z:0}}"}},
			Out: series{"outError": {"1"}, "outErrorIllegalVelocity": {"true"}},
		},
		{
			Doc: "not a number", Params: params{"Robot": "base"}, In: series{"inVel": {"{vel:{x:0,y:nan,z:0},rot:{x:0,y:0,z:0}}"}},
			Out: series{"outError": {"2"}, "outErrorIllegalVelocity": {"true"}},
		},
		{Doc: "nothing to command", Params: params{"Robot": "base"}, Reject: "inVel must be connected"},
	},
}, spec.Kernels[velocity]{Sense: senseFault, Run: check, Act: command})
