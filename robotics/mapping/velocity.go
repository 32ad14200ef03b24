package mapping

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// MovingCoupling is a coupling that knows how fast it moves. For others, differences from cycle to cycle are used.
type MovingCoupling interface {
	Coupling
	// MapVelocity returns the velocity of the origin of the coupled frame and its rotation, along the axes of the other one.
	MapVelocity(m *Net) graph.Signal[geom.Twist]
}

// motion is where a frame is, seen from another one, and how it moves there: the velocity of its origin and its rotation, along the axes
// of the other one. Signals are open for frames that are the same, and for what does not move.
type motion struct {
	at  graph.Signal[geom.Frame]
	vel graph.Signal[geom.Twist]
}

type velocityWay struct{ from, to *world.Frame }

// Velocity returns how a frame moves, seen from another one, in each cycle: the velocity of its origin and its rotation, along the axes of
// the other one. It is open if nothing between them can move.
func (m *Net) Velocity(of, in *world.Frame) graph.Signal[geom.Twist] {
	return Once(m, velocityWay{in, of}, func() graph.Signal[geom.Twist] {
		steps, err := world.Path(in, of)
		if err != nil {
			m.Fail(err)
		}
		var all motion
		for _, s := range steps {
			all = m.after(all, m.motion(s))
		}
		return all.vel
	})
}

// motion returns the motion of a step.
func (m *Net) motion(s world.Step) motion {
	by, moves := s.By.(Coupling)
	if !moves {
		return motion{at: m.step(s)}
	}
	there := motion{at: by.MapCoupling(m)}
	if fast, knows := s.By.(MovingCoupling); knows {
		there.vel = fast.MapVelocity(m)
	} else {
		p := m.Add("World::TwistFromFrames").Link("inPrevFrame", graph.Pre(there.at).Port).Link("inFrame", there.at.Port)
		there.vel = Link[geom.Twist](p, "outValue")
	}
	if s.Invert {
		return m.back(there)
	}
	return there
}

// after returns how a frame moves that moves relative to one that moves, too.
func (m *Net) after(a, b motion) motion {
	all := motion{at: m.Mul(a.at, b.at)}
	if carried := a.vel; !carried.Open() { // its lever is where b is
		lever := b.at
		if !a.at.Open() && !lever.Open() {
			v := m.Add("World::VectorRotate").Link("inValue", m.position(b.at)).Link("inRot", m.rotation(a.at))
			carried = m.changeCenter(carried, v.Out("outValue"))
		} else if !lever.Open() {
			carried = m.changeCenter(carried, m.position(lever))
		}
		all.vel = carried
	}
	own := m.rotate(b.vel, a.at)
	switch {
	case all.vel.Open():
		all.vel = own
	case !own.Open():
		all.vel = Link[geom.Twist](m.Add("World::TwistAdd").Link("inFirst", all.vel.Port).Link("inSecond", own.Port), "outValue")
	}
	return all
}

// back returns how the other frame moves, seen from the one.
func (m *Net) back(a motion) motion {
	at := m.Invert(a.at)
	turned := m.changeCenter(m.rotate(a.vel, at), m.position(at))
	parts := m.Add("World::TwistToVelocities").Link("inValue", turned.Port)
	against := m.Add("World::TwistFromVelocities")
	for _, part := range []string{"TransVel", "RotVel"} {
		against.Link("in"+part, m.Add("World::VectorScale").Set("Factor", -1).Link("inValue", parts.Out("out"+part)).Out("outValue"))
	}
	return motion{at, Link[geom.Twist](against, "outValue")}
}

// rotate returns a twist along the axes of the frame that one is seen from along whose axes it was.
func (m *Net) rotate(t graph.Signal[geom.Twist], by graph.Signal[geom.Frame]) graph.Signal[geom.Twist] {
	if t.Open() || by.Open() {
		return t
	}
	return Link[geom.Twist](m.Add("World::TwistRotate").Link("inValue", t.Port).Link("inRot", m.rotation(by)), "outValue")
}

func (m *Net) changeCenter(t graph.Signal[geom.Twist], by graph.Port) graph.Signal[geom.Twist] {
	return Link[geom.Twist](m.Add("World::TwistChangeCenter").Link("inValue", t.Port).Link("inVector", by), "outValue")
}

func (m *Net) position(f graph.Signal[geom.Frame]) graph.Port {
	return m.Add("World::FrameToPosRot").Link("inValue", f.Port).Out("outPosition")
}

func (m *Net) rotation(f graph.Signal[geom.Frame]) graph.Port {
	return m.Add("World::FrameToPosRot").Link("inValue", f.Port).Out("outRotation")
}

// Turn returns a twist that was along the axes of one frame, along those of another one.
func (m *Net) Turn(t graph.Signal[geom.Twist], from, to *world.Frame) graph.Signal[geom.Twist] {
	return m.rotate(t, m.Transform(to, from))
}

// ExpressVelocity returns how a frame has to move, seen from another one, for one frame to move, seen from a third one, as a velocity
// says: the converter of velocities between coordinate systems, and between what tools of an actuator are moved. All frames may move.
func (c *Context) ExpressVelocity(v CartesianVelocity, of, in *world.Frame) graph.Signal[geom.Twist] {
	from := motion{c.Transform(in, v.In), c.Velocity(v.In, in)}
	says := motion{c.Transform(v.In, v.Of), v.Twist}
	to := motion{c.Transform(v.Of, of), c.Velocity(of, v.Of)}
	return c.after(c.after(from, says), to).vel
}
