package actuator

import (
	"fmt"
	"slices"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// Arm is a device with joints that carry a flange through space.
type Arm struct {
	*Joints
	model        *kinematics.Arm
	base, flange *world.Frame
}

// NewArm returns the proxy of an arm with a model of its joints. It stands at its base, which may be related to other frames,
// and carries its flange, which may carry tools.
func NewArm(device string, model *kinematics.Arm, defaults ...robotics.Param) *Arm {
	a := &Arm{model: model, base: world.NewFrame(device + " base"), flange: world.NewFrame(device + " flange")}
	var joints []kinematics.Joint
	if model != nil {
		for i := range model.Len() {
			joints = append(joints, model.Joint(i))
		}
	}
	a.Joints = NewJoints(device, joints)
	a.defaults = robotics.DefaultsOf(defaults, append(a.defaults, robotics.MotionCenter{Frame: a.flange}, robotics.CartesianLimits{
		Vel: 1, Acc: 2, Jerk: 20, RotVel: 2, RotAcc: 6, RotJerk: 60,
	}, slowest)...)
	if model != nil {
		a.chain = model.Chain
	}
	if _, err := world.Couple(a.base, a.flange, carries{a}); err != nil {
		panic(err) // both are new
	}
	return a
}

// Base returns the frame in which the arm stands.
func (a *Arm) Base() *world.Frame { return a.base }

// Flange returns the frame that the arm carries.
func (a *Arm) Flange() *world.Frame { return a.flange }

// carries couples base and flange: as the joints are commanded.
type carries struct{ arm *Arm }

// MapCoupling returns the forward kinematics.
func (c carries) MapCoupling(m *mapping.Net) graph.Signal[geom.Frame] {
	return mapping.Once(m, c, func() graph.Signal[geom.Frame] {
		p := m.Add("ArmKinematics::Kin").Set("Robot", c.arm.name).Link("inJoints", m.Array(c.arm.Last(m)).Port)
		return mapping.Link[geom.Frame](p, "outFrame")
	})
}

// FaultReach means that an arm cannot be where it is to be in space.
const FaultReach = "out of reach"

// FaultSingular means that joints of an arm would have to be too fast: near poses in which axes are aligned, or the arm is stretched.
const FaultSingular = "path exceeds a joint's limits (near a singularity, or too fast)"

// Converters make positions of joints of poses, and velocities of joints of velocities in space, and the other way round.
func (a *Arm) Converters() []mapping.Converter {
	return append([]mapping.Converter{
		mapping.Convert(func(c *mapping.Context, p mapping.CartesianPosition) (mapping.JointPositions, mapping.Part) {
			joined, done, flies := a.fly(c, p)
			pos, part := a.inverse(c, joined)
			part.Done = done
			carried := a.carried(p.Of, p.In)
			if carried { // where the frame goes when all has been said does not matter
				part.Faults[0].Is = c.And(part.Faults[0].Is, graph.Not(graph.Pre(c.Said())))
			}
			if _, takesOver := a.taken(c); !carried && (flies || !takesOver) {
				pos, part = a.guard(c, pos, part)
			}
			return mapping.JointPositions{Pos: pos, Carried: carried, InFlight: flies}, part
		}),
		mapping.Convert(func(c *mapping.Context, p mapping.CartesianGoal) (mapping.JointGoal, mapping.Part) {
			pos, part := a.inverse(c, p.CartesianPosition)
			return mapping.JointGoal{Pos: pos, Moving: p.Moving}, part
		}),
		mapping.Convert(a.toJoints), mapping.Convert(a.toSpace), mapping.Convert(integrate),
	}, a.Joints.Converters()...)
}

// guard has joints come to rest that cannot follow a path in space: where it leads too near to a singular place, however slow it is, or to
// where the arm cannot be.
func (a *Arm) guard(c *mapping.Context, pos []graph.Signal[float64], found mapping.Part) ([]graph.Signal[float64], mapping.Part) {
	n, l := a.Len(), a.allowed(c)
	p := c.Add("Motion::Guard").Set("Size", n).Set("MaxVel", l.vel).Set("MaxAcc", l.acc).Link("inActive", c.Active.Port)
	p.Link("inCurPos", c.Array(a.Last(c.Net)).Port).Link("inDestPos", c.Array(pos).Port)
	if t, takesOver := a.taken(c); takesOver {
		p.Link("inCurVel", t.vel.Port).Link("inCurAcc", t.acc.Port)
	}
	reach := &found.Faults[0]
	reach.Rest = true
	lost := mapping.Link[bool](p, "outLost")
	tooFast := c.And(lost, graph.Not(c.Definite(graph.Pre(lost))), graph.Not(reach.Is))
	found.Faults = append(found.Faults, mapping.Fault{Name: FaultSingular, Of: a.name, Is: tooFast, Rest: true})
	rests := graph.Or(graph.Not(lost), mapping.Link[bool](p, "outRests"))
	if found.Done.Open() {
		found.Done = rests
	} else {
		found.Done = c.And(found.Done, rests)
	}
	return c.Elements(mapping.Link[[]float64](p, "outPos"), n), found
}

// inverse finds the joints for a pose of whatever the arm carries, next to where they are.
func (a *Arm) inverse(c *mapping.Context, p mapping.CartesianPosition) ([]graph.Signal[float64], mapping.Part) {
	if dependent(a.flange, p.Of, carries{a}) {
		c.Fail(fmt.Errorf("frame %v: %w", p.Of, robotics.ErrNotCarried))
	}
	for _, own := range movedWith(c, a) {
		if dependent(a.base, p.In, carries{own}) {
			c.Fail(fmt.Errorf("frame %v: %w", p.In, robotics.ErrOwnFrame))
		}
	}
	flange := c.Express(p, a.flange, a.base)
	ik := c.Add("ArmKinematics::InvKin").Set("Robot", a.name).Link("inFrame", flange.Port)
	ik.Link("inHintJoints", c.Array(a.Last(c.Net)).Port).Link("inActive", c.Active.Port)
	all := mapping.Link[[]float64](ik, "outJoints")
	pos := c.Elements(all, a.Len())
	wanted, number := graph.Not(graph.IsNull(flange)), mapping.Near(pos[0], pos[0], 0)
	return pos, mapping.Part{Faults: []mapping.Fault{{Name: FaultReach, Of: a.name, Is: c.And(wanted, graph.Not(number))}}}
}

// carried reports whether joints move while a frame stays where it is, seen from another one.
func (a *Arm) carried(of, in *world.Frame) bool {
	_, stands := fixed(a.base, in)
	_, held := fixed(of, a.flange)
	return !stands || !held
}

// CheckReach reports poses of a frame that an arm cannot reach with any joints, where that is known beforehand: seen from
// frames that do not move. Solvers that search may miss solutions, so their arms are not asked.
func CheckReach(c *mapping.Context, of, in *world.Frame, poses ...geom.Frame) {
	by, is := c.Actuator.(carrying)
	if !is || by.asArm().model == nil {
		return
	}
	a := by.asArm()
	if _, searches := a.model.Solver.(*kinematics.Numeric); searches {
		return
	}
	ground, stands := fixed(a.base, in)
	tool, held := fixed(of, a.flange)
	if !stands || !held {
		return
	}
	for _, pose := range poses {
		flange := ground.Mul(pose).Mul(tool)
		if a.model.Branches(&flange, make([]float64, a.Len()), new(kinematics.Branches)) == kinematics.Unreachable {
			c.Fail(fmt.Errorf("pose %v: %w", pose, robotics.ErrReach))
		}
	}
}

// fixed returns where a frame is, seen from another one, if that does not change while a command is executed.
func fixed(from, to *world.Frame) (at geom.Frame, is bool) {
	steps, err := world.Path(from, to)
	if err != nil {
		return at, false
	}
	for _, s := range steps {
		if s.By != nil {
			return at, false
		}
		at = at.Mul(s.At)
	}
	return at, true
}

// dependent reports whether a relation lies between two frames, so that the pose of one in the other depends on it.
func dependent(from, to *world.Frame, on any) bool {
	steps, err := world.Path(from, to)
	return err == nil && slices.ContainsFunc(steps, func(s world.Step) bool { return s.By == on }) // Transform reports the error
}

// Seen returns where a frame that the arm carries is at the end of a motion, seen from another one, as far as that is known beforehand: if what lies
// between does not move.
func (a *Arm) Seen(e robotics.End, of, in *world.Frame) (at geom.Frame, known bool) {
	if e.Joints != nil {
		if a.model == nil || len(e.Joints) != a.Len() {
			return at, false
		}
		e = robotics.End{Pose: a.model.Forward(e.Joints), Of: a.flange, In: a.base}
	}
	before, stands := fixed(in, e.In)
	behind, held := fixed(e.Of, of)
	return before.Mul(e.Pose).Mul(behind), stands && held
}
