// Package devices lists the types of devices that come with the daemon. A new one is one folder and one word here.
package devices

import (
	"slices"

	"github.com/softrobot-rcc/rccd/devices/simarm"
	"github.com/softrobot-rcc/rccd/devices/simbase"
	"github.com/softrobot-rcc/rccd/devices/simgripper"
	"github.com/softrobot-rcc/rccd/devices/simio"
	"github.com/softrobot-rcc/rccd/devices/testdevice"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Types returns their declarations.
func Types() []device.Type {
	return slices.Concat(
		simarm.Types(),
		simbase.Types(),
		simgripper.Types(),
		[]device.Type{simio.Type, testdevice.Type},
	)
}
