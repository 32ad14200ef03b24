package quadcopter

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

const extension = "quadcopter"

// params and series keep examples short.
type (
	params = map[string]string
	series = map[string][]string
)

// Primitives returns the declarations of the package. Their examples use a quadcopter named crazyflie that is seen at 0 and takes
// tilts up to 1 rad.
func Primitives() []*spec.Primitive {
	return []*spec.Primitive{monitorOf, controlOf, rollPitchThrust}
}

// vehicle is what all primitives of a quadcopter have.
type vehicle struct {
	Device spec.Param[string] `rcc:"Device" any:"loading looks for a device of this name" doc:"name of the quadcopter"`

	of device.Quadcopter
}

func (v *vehicle) open(env *spec.Env) (err error) {
	v.of, err = spec.Device[device.Quadcopter](env, v.Device.V)
	return err
}

type monitor struct {
	vehicle
	Pos   spec.Out[geom.Vector] `rcc:"outPosition" doc:"where the tracking system sees it; null while it does not"`
	Yaw   spec.Out[float64]     `rcc:"outYaw" doc:"where it points to, as its compass says, rad"`
	Error spec.Out[int32]       `rcc:"outError" doc:"0, or why it cannot be commanded: 1 failed, 2 without power"`

	state device.QuadcopterState
}

func (p *monitor) Init(env *spec.Env) error { return p.open(env) }

func sense(run []monitor, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.state = p.of.QuadcopterState()
	}
}

func tell(run []monitor, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if p.state.Seen {
			p.Pos.Set(cy, p.state.Pos)
		}
		p.Yaw.Set(cy, p.state.Yaw)
		p.Error.Set(cy, int32(p.state.Fault))
	}
}

var monitorOf = spec.Declare(spec.Decl{
	Name: "QC::Monitor", Extension: extension, Doc: "where a quadcopter is, and where it points to",
	Examples: []spec.Example{
		{
			Doc: "on the ground", Params: params{"Device": "crazyflie"},
			Out: series{"outPosition": {"{x:0,y:0,z:0}"}, "outYaw": {"0"}, "outError": {"0"}},
		},
		{Doc: "no such device", Params: params{"Device": "dragonfly"}, Reject: `"dragonfly"`},
	},
}, spec.Kernels[monitor]{Sense: sense, Run: tell})

type control struct {
	vehicle
	Roll   spec.In[float64] `rcc:"inRoll" required:"true" doc:"to the right, rad"`
	Pitch  spec.In[float64] `rcc:"inPitch" required:"true" doc:"ahead, rad"`
	Yaw    spec.In[float64] `rcc:"inYaw" required:"true" doc:"where to point to, rad"`
	Thrust spec.In[float64] `rcc:"inThrust" required:"true" doc:"of the propellers by the mass, m/s²"`

	Error      spec.Out[int32] `rcc:"outError" doc:"0; -1: not alone; why the quadcopter cannot be commanded; 1: out of range; 2: not a number"`
	Concurrent spec.Out[bool]  `rcc:"outErrorConcurrentAccess" doc:"another primitive of the net commands it too"`
	Failed     spec.Out[bool]  `rcc:"outErrorFailed" doc:"it cannot be commanded: it has no power, or has failed"`
	Illegal    spec.Out[bool]  `rcc:"outErrorIllegalAttitude" doc:"it cannot fly like that"`

	actuator generic.Actuator
	fault    device.BaseFault
}

func (p *control) Init(env *spec.Env) error {
	if err := p.open(env); err != nil {
		return err
	}
	p.actuator.Claim(env, p.Device.V, device.QuadcopterChannel)
	p.actuator.Explain(env, p.Device.V, device.QuadcopterChannel, func(fault int32, _ spec.RefusedAs) string {
		return device.BaseFault(fault).String()
	})
	return nil
}

// attitude returns what comes in. Nothing is commanded as long as a part of it is null.
func (p *control) attitude(cy *spec.Cycle) (a device.Attitude, there bool) {
	var parts [4]bool
	a.Roll, parts[0] = p.Roll.Get(cy)
	a.Pitch, parts[1] = p.Pitch.Get(cy)
	a.Yaw, parts[2] = p.Yaw.Get(cy)
	a.Thrust, parts[3] = p.Thrust.Get(cy)
	return a, parts[0] && parts[1] && parts[2] && parts[3]
}

func senseFault(run []control, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.fault = p.of.QuadcopterState().Fault
	}
}

func check(run []control, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		a, there := p.attitude(cy)
		illegal := device.PositionGood
		if there {
			illegal = p.of.CheckAttitude(a)
		}
		p.actuator.Judge(cy, there, int32(p.fault), illegal).Tell(cy, &p.Error, &p.Concurrent, &p.Failed, &p.Illegal)
	}
}

func command(run []control, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if a, there := p.attitude(cy); there && p.actuator.Alone(cy) {
			p.of.CommandAttitude(a, cy.Instant())
		}
	}
}

var controlOf = spec.Declare(spec.Decl{
	Commands: []string{"Device"},
	Name:     "QC::Control", Extension: extension, Doc: "commands how a quadcopter flies; it lands when no net does",
	Examples: []spec.Example{
		{
			Doc: "up", Params: params{"Device": "crazyflie"},
			In:  series{"inRoll": {"0", "null", "0"}, "inPitch": {"0"}, "inYaw": {"0"}, "inThrust": {"11"}},
			Out: series{"outError": {"0"}, "outErrorConcurrentAccess": {"false"}, "outErrorFailed": {"false"}, "outErrorIllegalAttitude": {"false"}},
		},
		{
			Doc: "upside down", Params: params{"Device": "crazyflie"},
			In:  series{"inRoll": {"3"}, "inPitch": {"0"}, "inYaw": {"0"}, "inThrust": {"11"}},
			Out: series{"outError": {"1"}, "outErrorIllegalAttitude": {"true"}},
		},
		{
			Doc: "not a number", Params: params{"Device": "crazyflie"},
			In:  series{"inRoll": {"0"}, "inPitch": {"nan"}, "inYaw": {"0"}, "inThrust": {"11"}},
			Out: series{"outError": {"2"}, "outErrorIllegalAttitude": {"true"}},
		},
		{
			Doc: "nothing to command", Params: params{"Device": "crazyflie"}, In: series{"inRoll": {"0"}, "inPitch": {"0"}, "inYaw": {"0"}},
			Reject: "inThrust must be connected",
		},
	},
}, spec.Kernels[control]{Sense: senseFault, Run: check, Act: command})
