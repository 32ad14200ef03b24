package io

import (
	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// output puts values that do not get to an output into the record of a net.
type output struct {
	actuator generic.Actuator // claims nothing: outputs are not resources
	distant  device.Distant   // nil where outputs are always reached
}

// unreached is the fault of a device that is not reached.
const unreached = 1

// explain says in words why a channel of a device does not have the value of the net (load).
func (o *output) explain(env *spec.Env, of device.Device, name, channel string) {
	o.distant, _ = of.(device.Distant)
	o.actuator.Explain(env, name, channel, func(int32, spec.RefusedAs) string {
		return "the device is not reached, so that its outputs are not written"
	})
}

// judge notes a value that is not a number, or that does not get to the output (cycle).
func (o *output) judge(cy *spec.Cycle, number bool) {
	fault, illegal := int32(0), device.PositionGood
	if o.distant != nil && !o.distant.Reached() {
		fault = unreached
	}
	if !number {
		illegal = device.PositionNotANumber
	}
	o.actuator.Refuse(cy, false, fault, illegal)
}
