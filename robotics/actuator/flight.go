package actuator

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// fly leads a frame that is in flight on to where an action says, which begins at rest where the motion that is taken over would have
// ended. It comes to rest there as that motion could have done, within its limits in space, while the action goes on from there: what
// comes out is the sum of both, in position and rotation. After motions of joints, and between frames that move, there is no such end in
// space; then joints are led (Joints.flight). Several arms that keep a relation have no other choice.
func (a *Arm) fly(c *mapping.Context, p mapping.CartesianPosition) (joined mapping.CartesianPosition, done graph.Signal[bool], flies bool) {
	t, takesOver := a.taken(c)
	ground, stands := fixed(p.In, a.base)
	tool, held := fixed(a.flange, p.Of)
	_, several := c.Actuator.(*MultiArm)
	end := mapping.Param[robotics.TakeOver](c).End
	if !takesOver || !stands || !held || end.Joints != nil && !several {
		return p, done, false
	}
	limits, _ := Cartesian(c)
	if end.Limits != (robotics.CartesianLimits{}) {
		limits = end.Limits
	}
	seen := func(joints []graph.Signal[float64]) graph.Signal[geom.Frame] {
		k := c.Add("ArmKinematics::Kin").Set("Robot", a.name).Link("inJoints", c.Array(joints).Port)
		return c.Mul(graph.Const(c.Graph, ground), mapping.Link[geom.Frame](k, "outFrame"), graph.Const(c.Graph, tool))
	}
	e := a.away(c, t, Origin(c, p.In, p.Of), seen)
	rest := e.rest(c, t.first, pairs(limits))
	off := c.Elements(mapping.Link[[]float64](rest, "outPos"), axes)
	perCycle := graph.Div(c.Real(1), c.CycleTime())
	twist := c.Add("World::TwistFromXYZ")
	for i, port := range twistPorts {
		twist.Link("in"+port, graph.Mul(off[i], perCycle).Port)
	}
	on := c.Add("World::FrameAddTwist").Link("inFrame", p.Pose.Port).Link("inTwist", twist.Out("outValue"))
	p.Pose = mapping.Link[geom.Frame](on, "outValue")
	return p, c.Definite(mapping.Link[bool](rest, "outReached")), true
}

// axes are those of a pose, position before rotation, by their names in twists.
const axes = 6

var twistPorts = [axes]string{"X", "Y", "Z", "C", "B", "A"}

// away is how far something is from where it will rest, and how that changes, in each axis, known in the first cycle only.
type away struct{ pos, vel, acc [axes]graph.Signal[float64] }

// away determines it by the parabola through the last three poses.
func (a *Arm) away(c *mapping.Context, t moving, from graph.Signal[geom.Frame], seen func([]graph.Signal[float64]) graph.Signal[geom.Frame]) (e away) {
	n, cycle := a.Len(), c.CycleTime()
	pos, vel, acc := c.Elements(t.pos, n), c.Elements(t.vel, n), c.Elements(t.acc, n)
	var ago [3][axes]graph.Signal[float64]
	for k := range ago {
		time := graph.Mul(c.Real(float64(k)), cycle)
		at := make([]graph.Signal[float64], n)
		for i := range at {
			gone := graph.Sub(vel[i], graph.Mul(graph.Mul(c.Real(0.5), time), acc[i])) //nolint:mnd // in the mean
			at[i] = graph.Sub(pos[i], graph.Mul(time, gone))
		}
		between := c.Add("World::TwistFromFrames").Link("inPrevFrame", from.Port).Link("inFrame", seen(at).Port)
		parts := c.Add("World::TwistToXYZ").Link("inValue", between.Out("outValue"))
		for i, port := range twistPorts {
			ago[k][i] = graph.Mul(cycle, mapping.Link[float64](parts, "out"+port))
		}
	}
	for i := range axes {
		last := graph.Div(graph.Sub(ago[0][i], ago[1][i]), cycle)
		first := graph.Div(graph.Sub(ago[1][i], ago[2][i]), cycle)
		change := graph.Sub(last, first)
		e.pos[i] = ago[0][i]
		e.vel[i] = graph.Add(last, graph.Mul(c.Real(0.5), change)) //nolint:mnd // from the middle of the cycle to its end
		e.acc[i] = graph.Div(change, cycle)
	}
	return e
}

// rest brings all axes to 0. Each gets as much of the limits of acceleration as it has of the velocity, so that a line stays one, and as much
// of those of velocity as it has of the path: what has not sped up yet does, as it would have. Joints that were led may have left behind
// more acceleration than motions in space have. That is gone as soon as one within the limits would be, or what moves would get faster for all
// the time that it takes.
func (e *away) rest(c *mapping.Context, first graph.Signal[bool], l limits) *graph.Primitive {
	// A slow motion gets a share of the limits, too.
	const least, slowest = 0.3, 0.05
	vel, acc, jerk := make([]graph.Signal[float64], axes), make([]graph.Signal[float64], axes), make([]graph.Signal[float64], axes)
	hold := func(s graph.Signal[float64]) graph.Signal[float64] { return graph.Hold(s, first, 1) }
	share := overrideOf(c)
	pace := graph.Min(graph.Div(c.Real(l.vel[0]), norm(c, e.pos[:3])), graph.Div(c.Real(l.vel[1]), norm(c, e.pos[3:])))
	for k := range 2 {
		speed := norm(c, e.vel[3*k:3*k+3])
		for i := 3 * k; i < 3*k+3; i++ {
			inStep := graph.Mul(share, hold(graph.Mul(abs(e.pos[i]), pace)))
			vel[i] = graph.Max(hold(graph.Max(c.Real(slowest*l.vel[k]), abs(e.vel[i]))), inStep)
			part := graph.Max(c.Real(least), graph.Div(abs(e.vel[i]), speed))
			acc[i] = hold(graph.Mul(part, c.Real(l.acc[k])))
			jerk[i] = hold(graph.Max(graph.Mul(part, c.Real(l.jerk[k])), graph.Mul(abs(e.acc[i]), c.Real(l.jerk[k]/l.acc[k]))))
		}
	}
	begin := func(of [axes]graph.Signal[float64]) graph.Port {
		p := c.Add("Core::DoubleArraySetNull").Set("Size", axes).Link("inValue", c.Array(of[:]).Port).Link("inNull", graph.Not(first).Port)
		return p.Out("outValue")
	}
	p := c.Add("Motion::SyncOTG").Set("Size", axes).Set("Sync", string(robotics.Asynchronous)).Set("Moving", false).Link("inActive", c.Active.Port)
	p.Link("inCurPos", begin(e.pos)).Link("inCurVel", begin(e.vel)).Link("inCurAcc", begin(e.acc))
	p.Link("inDestPos", c.Array(c.Reals(make([]float64, axes))).Port)
	return p.Link("inMaxVel", c.Array(vel).Port).Link("inMaxAcc", c.Array(acc).Port).Link("inMaxJerk", c.Array(jerk).Port)
}

// norm returns how long a vector is; not quite 0 if it is.
func norm(c *mapping.Context, v []graph.Signal[float64]) graph.Signal[float64] {
	const some = 1e-9
	square := graph.Add(graph.Add(graph.Mul(v[0], v[0]), graph.Mul(v[1], v[1])), graph.Mul(v[2], v[2]))
	root := c.Add("Core::DoubleSquareRoot").Link("inValue", square.Port)
	return graph.Max(c.Real(some), mapping.Link[float64](root, "outValue"))
}
