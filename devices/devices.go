// Package devices lists the types of devices that come with the daemon. A new one is one folder and one word here.
package devices

import (
	"fmt"
	"slices"

	"github.com/softrobot-rcc/rccd/devices/beckhoff"
	"github.com/softrobot-rcc/rccd/devices/ecaxis"
	"github.com/softrobot-rcc/rccd/devices/ecslave"
	"github.com/softrobot-rcc/rccd/devices/ethercat"
	"github.com/softrobot-rcc/rccd/devices/kukafri"
	"github.com/softrobot-rcc/rccd/devices/kukarsi"
	"github.com/softrobot-rcc/rccd/devices/simarm"
	"github.com/softrobot-rcc/rccd/devices/simbase"
	"github.com/softrobot-rcc/rccd/devices/simgripper"
	"github.com/softrobot-rcc/rccd/devices/simio"
	"github.com/softrobot-rcc/rccd/devices/simquad"
	"github.com/softrobot-rcc/rccd/devices/univaldrive"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Types returns the device types.
func Types() []device.Type {
	arms := simarm.Types()
	rsi := kukarsi.Types(named(arms, "kuka_kr_arm_sim"), named(arms, "kuka_kr_extaxis"))
	return slices.Concat(
		without(arms, "kuka_kr_extaxis"), // beside whatever arm, they are a type of kukarsi
		[]device.Type{device.WithTwin(kukafri.Type, named(arms, "kuka_lwr_sim"))},
		rsi,
		[]device.Type{univaldrive.Type(named(arms, "staubli_tx90_sim"))},
		simbase.Types(),
		simgripper.Types(),
		simquad.Types(),
		ethercat.Types(),
		beckhoff.Types(simio.Type),
		ecslave.Types(),
		[]device.Type{ecaxis.Type(simarm.Joints)},
		[]device.Type{simio.Type},
	)
}

func without(types []device.Type, name string) []device.Type {
	return slices.DeleteFunc(slices.Clone(types), func(t device.Type) bool { return t.Name == name })
}

// named finds a type that stands in for another one.
func named(types []device.Type, name string) device.Type {
	i := slices.IndexFunc(types, func(t device.Type) bool { return t.Name == name })
	if i < 0 {
		panic(fmt.Sprintf("devices: there is no %s", name))
	}
	return types[i]
}
