package motions

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// LINBy moves the motion centre on a straight line by an offset from where it is: along, and about, the axes of a frame. The frame may
// be the motion centre itself, or another one that the robot carries: then the axes are those that it has at the beginning, and the line
// is one in the base of the robot. Otherwise the line is one in the frame, which may move, as that of LIN. When it is cancelled the
// motion centre comes to rest on its way.
type LINBy struct {
	By geom.Frame
	In *world.Frame
}

func (l LINBy) String() string { return "LIN by" }

// MapAction adds the offset to where the motion centre is in the first cycle.
func (l LINBy) MapAction(c *mapping.Context) mapping.Part {
	if !l.By.Finite() {
		c.Fail(fmt.Errorf("offset %v: %w", l.By, robotics.ErrNumber))
	}
	limits, center := actuator.Cartesian(c)
	in := l.In
	if base, own := actuator.OwnFrame(c, l.In); own {
		in = base
	}
	from := begin(c, actuator.Origin(c, in, center))

	// A frame at the motion centre, with the axes of the other one, is moved by the offset, with all that stands in it.
	pos := c.Add("World::FrameToPosRot").Link("inValue", from.Port).Out("outPosition")
	axes := c.Add("World::FrameFromPosRot").Link("inPos", pos)
	if in != l.In {
		turned := begin(c, actuator.Origin(c, in, l.In))
		axes.Link("inRot", c.Add("World::FrameToPosRot").Link("inValue", turned.Port).Out("outRotation"))
	}
	at := mapping.Link[geom.Frame](axes, "outValue")
	to := c.Mul(at, graph.Const(c.Graph, l.By), c.Invert(at), from)
	return straight(c, limits, mapping.CartesianPosition{Pose: from, Of: center, In: in}, to)
}
