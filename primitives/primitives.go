// Package primitives lists the primitives that come with the daemon and belong to no device type. A new family is one folder
// and one word here.
package primitives

import (
	"slices"

	"github.com/softrobot-rcc/rccd/primitives/armkinematics"
	"github.com/softrobot-rcc/rccd/primitives/cartesianposition"
	"github.com/softrobot-rcc/rccd/primitives/core"
	"github.com/softrobot-rcc/rccd/primitives/ctrl"
	"github.com/softrobot-rcc/rccd/primitives/io"
	"github.com/softrobot-rcc/rccd/primitives/kuka"
	"github.com/softrobot-rcc/rccd/primitives/kukayoubot"
	"github.com/softrobot-rcc/rccd/primitives/motion"
	"github.com/softrobot-rcc/rccd/primitives/quadcopter"
	"github.com/softrobot-rcc/rccd/primitives/robotarm"
	"github.com/softrobot-rcc/rccd/primitives/robotbase"
	"github.com/softrobot-rcc/rccd/primitives/schunkwsg"
	"github.com/softrobot-rcc/rccd/primitives/world"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// All returns their declarations.
func All() []*spec.Primitive {
	return slices.Concat(
		armkinematics.Primitives(),
		cartesianposition.Primitives(),
		core.Primitives(),
		ctrl.Primitives(),
		io.Primitives(),
		kuka.Primitives(),
		kukayoubot.Primitives(),
		motion.Primitives(),
		quadcopter.Primitives(),
		robotarm.Primitives(),
		robotbase.Primitives(),
		schunkwsg.Primitives(),
		world.Primitives(),
	)
}
