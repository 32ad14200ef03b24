package motions

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/motion/path"
	"github.com/softrobot-rcc/rccd/motion/profile"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// LIN moves the motion centre on a straight line, turning on the shortest way, from where it is to a pose seen from a frame.
// The line is one in that frame, which may move. When it is cancelled the motion centre comes to rest on its way.
type LIN struct {
	To geom.Frame
	In *world.Frame
}

func (l LIN) String() string { return "LIN" }

// MapAction goes to the pose.
func (l LIN) MapAction(c *mapping.Context) mapping.Part {
	limits, center := actuator.Cartesian(c)
	from := begin(c, actuator.Origin(c, l.In, center))
	to := constant(c, l.To)
	actuator.CheckReach(c, center, l.In, l.To)
	return straight(c, limits, mapping.CartesianPosition{Pose: from, Of: center, In: l.In}, to)
}

// straight returns the line from where a motion begins to a pose, seen from the same frame. It is planned in the first cycle in which the
// command is active: how long it is, is only known then.
func straight(c *mapping.Context, limits robotics.CartesianLimits, from mapping.CartesianPosition, to graph.Signal[geom.Frame]) mapping.Part {
	way, turn := c.Between(from.Pose, to)
	way, turn = graph.Max(way, c.Real(shortest)), graph.Max(turn, c.Real(shortest))
	least := func(along, about float64) graph.Signal[float64] {
		return graph.Min(graph.Div(c.Real(along), way), graph.Div(c.Real(about), turn))
	}
	share, g := actuator.Advance(c, from.Of, from.In, c.Real(1), least(limits.Vel, limits.RotVel), least(limits.Acc, limits.RotAcc), least(limits.Jerk, limits.RotJerk))
	on := c.Add("World::FrameLerp").Link("inFrom", from.Pose.Port).Link("inTo", to.Port).Link("inAmount", share.Port)
	return mapping.Part{
		Flow: mapping.CartesianPosition{Pose: mapping.Link[geom.Frame](on, "outValue"), Of: from.Of, In: from.In},
		Done: g.Done, States: states(c, g, gone{share, c.Real(1), way}),
	}
}

// shortest is the least length of a path, m or rad: limits are divided by it.
const shortest = 1e-6

// CIRC moves the motion centre on an arc through a position, to a pose, both seen from a frame. It begins at From, where the
// motion centre must be: if it is not, the command fails and nothing moves. When it is cancelled the motion centre comes to
// rest on its way.
type CIRC struct {
	From        geom.Frame
	Via         geom.Vector
	To          geom.Frame
	In          *world.Frame
	Orientation path.Orientation
}

func (a CIRC) String() string { return "CIRC" }

// orientations are the words that nets have for orientations.
var orientations = map[path.Orientation]string{
	path.Turning: "turning", path.Constant: "constant", path.TurningOnWheel: "turning on wheel", path.FixedOnWheel: "fixed on wheel",
}

// MapAction makes the arc.
func (a CIRC) MapAction(c *mapping.Context) mapping.Part {
	arc, err := path.Arc(a.From, a.Via, a.To, a.Orientation)
	if err != nil {
		return noWay(c, err)
	}
	p := c.Add("Motion::Circle").Set("From", a.From).Set("Via", a.Via).Set("To", a.To).Set("Orientation", orientations[a.Orientation])
	return along(c, p, arc, []geom.Frame{a.From, a.To}, a.In)
}

// Spline moves the motion centre on a smooth curve through frames, seen from a frame. It begins at the first of them, where the
// motion centre must be: if it is not, the command fails and nothing moves. When it is cancelled the motion centre comes to rest
// on its way.
type Spline struct {
	Through []geom.Frame
	In      *world.Frame
}

func (s Spline) String() string { return "spline" }

// MapAction makes the curve.
func (s Spline) MapAction(c *mapping.Context) mapping.Part {
	curve, err := path.Spline(s.Through, path.Ends{})
	if err != nil {
		return noWay(c, err)
	}
	return along(c, c.Add("Motion::Spline").Set("Via", s.Through), curve, s.Through, s.In)
}

func noWay(c *mapping.Context, err error) mapping.Part {
	c.Fail(fmt.Errorf("%w: %w", robotics.ErrPath, err))
	return mapping.Part{Flow: mapping.CartesianPosition{}}
}

// along returns a motion along a path through poses, of which the first is where the motion centre must be.
func along(c *mapping.Context, p *graph.Primitive, way *path.Path, through []geom.Frame, in *world.Frame) mapping.Part {
	limits, center := actuator.Cartesian(c)
	actuator.CheckReach(c, center, in, through...)
	l := way.Limits(
		profile.Limits{Vel: limits.Vel, Acc: limits.Acc, Jerk: limits.Jerk},
		profile.Limits{Vel: limits.RotVel, Acc: limits.RotAcc, Jerk: limits.RotJerk},
	)
	length := c.Real(way.Length())
	place, g := actuator.Advance(c, center, in, length, c.Real(l.Vel), c.Real(l.Acc), c.Real(l.Jerk))
	first, from := graph.Const(c.Graph, through[0]), begin(c, actuator.Origin(c, in, center))
	aside := c.Add("World::FrameLerp").Link("inFrom", c.Mul(c.Invert(first), from).Port).Link("inTo", graph.Const(c.Graph, geom.Frame{}).Port)
	aside.Link("inAmount", graph.Div(place, length).Port)
	pose := c.Mul(byPlace(c, p, way, place), mapping.Link[geom.Frame](aside, "outValue"))

	distance, turn := c.Between(first, from)
	there := c.And(graph.Less(distance, c.Real(nearWay)), graph.Less(turn, c.Real(nearTurn)))
	away := c.And(graph.Rising(c.Active), graph.Not(there))
	begun := c.Add("World::FrameSetNull").Link("inValue", pose.Port).Link("inNull", away.Port)
	return mapping.Part{
		Flow: mapping.CartesianPosition{Pose: mapping.Link[geom.Frame](begun, "outValue"), Of: center, In: in},
		Done: g.Done, States: states(c, g, gone{place, length, length}),
		Faults: []mapping.Fault{{Name: FaultStart, Of: fmt.Sprint(c.Actuator), Is: away}},
	}
}

// byPlace makes a primitive that moves along a path output the pose at a place. The primitive goes at a constant speed, except for an
// instant at both ends, so that place and time are proportional.
func byPlace(c *mapping.Context, p *graph.Primitive, way *path.Path, place graph.Signal[float64]) graph.Signal[geom.Frame] {
	atOnce := profile.Limits{Vel: 1, Acc: 1e9, Jerk: math.Inf(1)}
	for _, of := range []string{"Trans", "Rot"} {
		p.Set("Max"+of+"Vel", atOnce.Vel).Set("Max"+of+"Acc", atOnce.Acc).Set("Max"+of+"Jerk", atOnce.Jerk)
	}
	time := graph.Mul(place, c.Real(1/way.Limits(atOnce, atOnce).Vel))
	p.Link("inActive", c.Active.Port).Link("inTime", time.Port)
	return mapping.Link[geom.Frame](p, "outPos")
}

// nearWay and nearTurn are how far the motion centre may be from where a motion says that it begins: devices go on a little when the motion
// before has ended (equation 9.1), the more the faster that has braked in its last cycle. The motion begins where the motion centre is, and
// comes to its path on the way.
const (
	nearWay  = 5e-4 // m
	nearTurn = 5e-4 // rad
)
