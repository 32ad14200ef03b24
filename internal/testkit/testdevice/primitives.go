package testdevice

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// channel is what sensor and actuator have in common: a channel of a device.
type channel struct {
	Device  spec.Param[string] `rcc:"Device" doc:"name of the test device"`
	Channel spec.Param[int32]  `rcc:"Channel" default:"0" doc:"number of the channel, from 0"`

	device *Device
	number int
}

func (c *channel) open(env *spec.Env) error {
	dev, err := spec.Device[*Device](env, c.Device.V)
	if err != nil {
		return err
	}
	c.device, c.number = dev, int(c.Channel.V)
	if c.number < 0 || c.number >= dev.Channels() {
		return fmt.Errorf("parameter Channel: device %q has no channel %d, only 0 to %d", c.Device.V, c.number, dev.Channels()-1)
	}
	return nil
}

type sensor struct {
	channel
	Out spec.Out[float64] `rcc:"outValue" doc:"value that was set last before the cycle"`

	sampled float64
}

func (p *sensor) Init(env *spec.Env) error { return p.open(env) }

func sample(run []sensor, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.sampled = p.device.value(p.number)
	}
}

func tell(run []sensor, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, p.sampled)
	}
}

type actuator struct {
	channel
	Value spec.In[float64] `rcc:"inValue" required:"true" doc:"value to command; null commands nothing, and is recorded"`
	Error spec.Out[int32]  `rcc:"outError" doc:"0, or -1 when another actuator of the net commands the channel as well"`

	actuator generic.Actuator
}

func (p *actuator) Init(env *spec.Env) error {
	if err := p.open(env); err != nil {
		return err
	}
	p.actuator.Claim(env, p.Device.V, fmt.Sprintf("channel %d", p.number))
	return nil
}

func check(run []actuator, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		fault := int32(0)
		if p.actuator.Enter(cy) {
			fault = generic.ConcurrentAccess
		}
		p.Error.Set(cy, fault)
	}
}

func command(run []actuator, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		v, ok := p.Value.Get(cy)
		p.device.log.add(&Record{Channel: p.number, Time: cy.Time, Cycle: cy.N, Value: v, Null: !ok})
	}
}

// Primitives returns the primitives of the device. Their examples use a device named test.
func Primitives() []*spec.Primitive {
	return []*spec.Primitive{
		spec.Declare(spec.Decl{
			Name: "Test::Sensor", Extension: extension, Doc: "reads a sensor of a test device",
			Examples: []spec.Example{
				{Doc: "a value that nobody has set", Params: map[string]string{"Device": "test"}, Out: map[string][]string{"outValue": {"0"}}},
				{Doc: "no such channel", Params: map[string]string{"Device": "test", "Channel": "8"}, Reject: `device "test" has no channel 8, only 0 to 7`},
				{Doc: "no such device", Params: map[string]string{"Device": "tset"}, Reject: `"tset"`},
			},
		}, spec.Kernels[sensor]{Sense: sample, Run: tell}),
		spec.Declare(spec.Decl{
			Name: "Test::Actuator", Extension: extension, Doc: "commands an actuator of a test device",
			Examples: []spec.Example{
				{
					Doc: "alone", Params: map[string]string{"Device": "test", "Channel": "1"}, In: map[string][]string{"inValue": {"1", "null"}},
					Out: map[string][]string{"outError": {"0"}},
				},
				{Doc: "nothing to command", Params: map[string]string{"Device": "test"}, Reject: "inValue must be connected"},
				{Doc: "no device", In: map[string][]string{"inValue": {"1"}}, Reject: "parameter Device is missing"},
			},
		}, spec.Kernels[actuator]{Run: check, Act: command}),
	}
}
