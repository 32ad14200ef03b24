package actuator

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// A motion can begin in flight (§6.3, §10.2.5): a rule stops the command before it and starts it in the next cycle. Where the joints
// are commanded to be then, and how fast they move, is what the command before has computed in its last cycle. That is read from
// its net, not foretold by the application, which knows nothing of overrides and sensors, nor from the device, which reports it some
// cycles later.

// moving is how joints move when they are taken over, known in the first cycle only.
type moving struct {
	pos, vel, acc graph.Signal[[]float64]
	first         graph.Signal[bool]
}

// begun returns how fast joints were when they were taken over.
func (m moving) begun(c *mapping.Context, n int) []graph.Signal[float64] {
	was := c.Elements(m.vel, n)
	for i := range was {
		was[i] = graph.Hold(abs(orElse(was[i], c.Real(0))), m.first, 0)
	}
	return was
}

type movingKey struct{ device string }

// taken returns how joints move when the command takes them over, if it is to do so.
func (j *Joints) taken(c *mapping.Context) (moving, bool) {
	from := mapping.Param[robotics.TakeOver](c).Of
	if from == nil {
		return moving{}, false
	}
	if err := robotics.DevicesOf(c.Net).TakeOver(from, j.name); err != nil {
		c.Fail(err)
		return moving{}, false
	}
	return mapping.Once(c.Net, movingKey{j.name}, func() moving {
		m := moving{first: graph.Rising(c.Active)}
		later := graph.Not(m.first)
		read := func(what string) graph.Signal[[]float64] {
			p := c.Add("Core::DoubleArrayInterNetcommIn").Set("RemoteRCC", "").Set("RemoteNet", from.Net().Name).Set("RemoteKey", j.handKey(what))
			once := c.Add("Core::DoubleArraySetNull").Set("Size", j.Len()).Link("inValue", p.Out("outValue")).Link("inNull", later.Port)
			return mapping.Link[[]float64](once, "outValue")
		}
		m.pos, m.vel, m.acc = read("pos"), read("vel"), read("acc")
		j.inUse(c.Net).taken = c.Elements(m.pos, j.Len())
		return m
	}), true
}

// handKey returns the variable under which a net passes something about joints to the one that takes them over.
func (j *Joints) handKey(what string) string { return fmt.Sprintf("h%x%s", j.name, what) }

// handOver publishes where joints are commanded to be, and how fast they are at the end of the cycle: by the parabola through the last
// three positions.
func (u *use) handOver(m *mapping.Net, j *Joints) {
	cycle := m.CycleTime()
	n := j.Len()
	vel, acc := make([]graph.Signal[float64], n), make([]graph.Signal[float64], n)
	for i, now := range u.next {
		before := orElse(graph.Pre(now), u.last[i].Signal)
		earlier := graph.Pre(before)
		begins := graph.IsNull(earlier)
		last, change := steps(m, now, before, earlier)
		change = graph.If(begins, m.Real(0), change)
		vel[i], acc[i] = graph.Add(last, graph.Mul(m.Real(0.5), change)), graph.Div(change, cycle) //nolint:mnd // from the middle of the cycle to its end
	}
	for _, of := range []struct {
		key    string
		values []graph.Signal[float64]
	}{{"pos", u.next}, {"vel", vel}, {"acc", acc}} {
		m.Add("Core::DoubleArrayNetcommOut").Set("Key", j.handKey(of.key)).Set("Value", make([]float64, n)).Set("Report", false).Link("inValue", m.Array(of.values).Port)
	}
}

// steps returns how fast something was in the last of two cycles, and what that was more than in the first one.
func steps(m *mapping.Net, now, before, earlier graph.Signal[float64]) (last, change graph.Signal[float64]) {
	cycle := m.CycleTime()
	last = graph.Div(graph.Sub(now, before), cycle)
	return last, graph.Sub(last, graph.Div(graph.Sub(before, earlier), cycle))
}

// orElse returns a signal, and another one while it is null.
func orElse(s, other graph.Signal[float64]) graph.Signal[float64] {
	return graph.If(graph.IsNull(s), other, s)
}

// join leads joints that are in flight to where the action says, which begins at rest at the end of the command that is taken over.
// The limits of the joints are kept by construction, and no joint gets much faster than it was, or than the action wants.
// As soon as all joints are where the action says, and stay there for a cycle, it is obeyed exactly.
func (j *Joints) join(c *mapping.Context, t moving, pos []graph.Signal[float64]) (joined []graph.Signal[float64], done graph.Signal[bool]) {
	// A joint catches up with what runs away from it a bit faster, and with what rests by a share of its limit.
	const faster, least = 1.5, 0.05
	n, limits := j.Len(), j.limits(c)
	begun := t.begun(c, n)
	want, fastest := velocities(c.Net, pos), make([]graph.Signal[float64], n)
	for i := range want {
		want[i] = graph.If(t.first, c.Real(0), want[i])
		limit := c.Real(limits.vel[i])
		fastest[i] = graph.Min(limit, graph.Max(graph.Max(begun[i], graph.Mul(abs(want[i]), c.Real(faster))), graph.Mul(limit, c.Real(least))))
	}
	begin := c.Add("Core::DoubleArraySetNull").Set("Size", n).Link("inValue", c.Array(j.Last(c.Net)).Port).Link("inNull", graph.Not(t.first).Port)
	p := c.Add("Motion::SyncOTG").Set("Size", n).Set("Sync", string(robotics.Asynchronous)).Set("Moving", true).Set("MaxAcc", limits.acc).Set("MaxJerk", limits.jerk)
	p.Link("inCurPos", begin.Out("outValue")).Link("inCurVel", t.vel.Port).Link("inCurAcc", t.acc.Port)
	p.Link("inDestPos", c.Array(pos).Port).Link("inDestVel", c.Array(want).Port).Link("inMaxVel", c.Array(fastest).Port).Link("inActive", c.Active.Port)
	led := c.Elements(mapping.Link[[]float64](p, "outPos"), n)

	// The change of velocity when the action is obeyed is twice what a joint may be off, in a cycle: an eighth of what its acceleration is.
	const off = 1.0 / 16
	square := graph.Mul(c.CycleTime(), c.CycleTime())
	there := make([]graph.Signal[bool], n)
	for i := range there {
		there[i] = graph.Less(abs(graph.Sub(led[i], pos[i])), graph.Mul(square, c.Real(off*limits.acc[i])))
	}
	all := c.Definite(c.And(there...))
	met := c.Latch(c.And(all, graph.Pre(all)))
	joined = make([]graph.Signal[float64], n)
	for i := range joined {
		joined[i] = graph.If(met, pos[i], led[i])
	}
	return joined, c.Definite(graph.Pre(met)) // in its last cycle a joint does not move on its way to where the action says
}

func abs(s graph.Signal[float64]) graph.Signal[float64] {
	return mapping.Link[float64](s.Graph().Add("Core::DoubleAbs").Link("inValue", s.Port), "outValue")
}

// Origin returns where the motion centre of a command begins, seen from a frame: where it is, or where the motion that is taken over
// would have come to rest.
func Origin(c *mapping.Context, in, center *world.Frame) graph.Signal[geom.Frame] {
	arm, carries := c.Actuator.(carrying)
	if !carries || mapping.Param[robotics.TakeOver](c).Of == nil {
		return c.Identity(c.Transform(in, center))
	}
	a, end := arm.asArm(), mapping.Param[robotics.TakeOver](c).End
	var flange graph.Signal[geom.Frame]
	if end.Joints == nil {
		flange = c.Express(mapping.CartesianPosition{Pose: graph.Const(c.Graph, end.Pose), Of: end.Of, In: end.In}, a.flange, a.base)
	} else {
		p := c.Add("ArmKinematics::Kin").Set("Robot", a.name).Link("inJoints", c.Array(c.Reals(end.Joints)).Port)
		flange = mapping.Link[geom.Frame](p, "outFrame")
	}
	return c.Mul(c.Transform(in, a.base), flange, c.Transform(a.flange, center))
}

// carrying is an actuator that carries a flange.
type carrying interface {
	robotics.Actuator
	asArm() *Arm
}

func (a *Arm) asArm() *Arm { return a }
