package primitives

import (
	"slices"

	"github.com/softrobot-rcc/rccd/primitives/armkinematics"
	"github.com/softrobot-rcc/rccd/primitives/cartesianposition"
	"github.com/softrobot-rcc/rccd/primitives/io"
	"github.com/softrobot-rcc/rccd/primitives/quadcopter"
	"github.com/softrobot-rcc/rccd/primitives/robotarm"
	"github.com/softrobot-rcc/rccd/primitives/robotbase"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Interfaces returns what devices get by announcing an interface (§9.2). A new one is one word here.
func Interfaces() []device.InterfaceType {
	return slices.Concat(
		[]device.InterfaceType{armkinematics.Interface(), cartesianposition.Interface(), io.Interface(), io.EntriesInterface(), quadcopter.Interface(), robotbase.Interface()},
		robotarm.Interfaces(),
	)
}
