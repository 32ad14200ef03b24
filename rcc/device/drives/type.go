package drives

import (
	"maps"

	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// Type returns a device type of axes on a bus, and of a twin without one. The twin stands in for the axes when they are simulated, or their
// bus is.
func Type(real, twin device.Type) device.Type {
	both := device.WithTwin(real, twin)
	open := both.Open
	both.Open = func(env *device.Env, params map[string]string) (device.Device, error) {
		if params[device.Simulated] == "" && params["ethercatdevice"] != "" {
			if bus, err := Lend(env, params["ethercatdevice"]); err == nil && bus.Simulated() {
				params = maps.Clone(params)
				params[device.Simulated] = "true"
			}
		}
		return open(env, params)
	}
	return both
}

// Lend returns the bus with a name.
func Lend(env *device.Env, name string) (ecat.Master, error) {
	return device.Lend[ecat.Master](env, name, "an EtherCAT bus")
}
