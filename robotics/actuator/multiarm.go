package actuator

import (
	"fmt"
	"slices"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// MultiArm is several arms that carry something together (§11.2.1). The first one leads: it does what an action says, and in the same cycle the
// others go to where they hold what it carries, so that it is the same for all in every cycle, however the first one moves: in flight,
// slowed down, cancelled. All arms are commanded by one net. They must be in their relation when a command begins, otherwise it fails
// and nothing moves.
//
// When one of the others cannot go on, that one is left to its device, all others come to rest on their way, and the command fails.
// When the first one has no solution, none has, and all devices come to rest by themselves.
type MultiArm struct {
	*Arm
	name     string
	carriers []Carrier
	defaults []robotics.Param
}

// Carrier is an arm that holds something by a frame that it carries.
type Carrier struct {
	Arm *Arm
	By  *world.Frame
}

// NewMultiArm returns arms that carry something together, the one that leads first. All carriers hold it by the same place of it, each
// by its own frame: where these frames are the same place, the arms are in their relation. The bases of the arms must be related.
// Motions move that place, with the smallest of the limits in space.
func NewMultiArm(name string, carriers []Carrier, defaults ...robotics.Param) *MultiArm {
	m := &MultiArm{name: name, carriers: slices.Clone(carriers)}
	if len(carriers) == 0 || carriers[0].Arm == nil {
		m.Arm = NewArm(name, nil) // mapping reports it
		return m
	}
	m.Arm = carriers[0].Arm
	m.defaults = robotics.DefaultsOf(defaults, append([]robotics.Param{robotics.MotionCenter{Frame: carriers[0].By}, m.slowest()}, m.Arm.Defaults()...)...)
	return m
}

func (m *MultiArm) String() string { return m.name }

// Arms returns the arms, the one that leads first.
func (m *MultiArm) Arms() []*Arm {
	all := make([]*Arm, len(m.carriers))
	for i, c := range m.carriers {
		all[i] = c.Arm
	}
	return all
}

// Defaults returns the parameters for commands that have no others.
func (m *MultiArm) Defaults() []robotics.Param {
	if m.defaults == nil {
		return m.Arm.Defaults()
	}
	return m.defaults
}

// slowest are limits in space that all arms have.
func (m *MultiArm) slowest() (l robotics.CartesianLimits) {
	for i, c := range m.carriers {
		if c.Arm == nil {
			continue
		}
		for _, p := range c.Arm.Defaults() {
			of, is := p.(robotics.CartesianLimits)
			if !is {
				continue
			}
			if i == 0 {
				l = of
			}
			l = robotics.CartesianLimits{
				Vel: min(l.Vel, of.Vel), Acc: min(l.Acc, of.Acc), Jerk: min(l.Jerk, of.Jerk),
				RotVel: min(l.RotVel, of.RotVel), RotAcc: min(l.RotAcc, of.RotAcc), RotJerk: min(l.RotJerk, of.RotJerk),
			}
			break
		}
	}
	return l
}

// Understands are positions of the joints of the arm that leads.
func (m *MultiArm) Understands() []mapping.Flow { return []mapping.Flow{mapping.JointPositions{}} }

// FaultRelation means that arms are not in the relation that they are to keep.
const FaultRelation = "lost its relation to the others"

// MapActuator commands all arms.
func (m *MultiArm) MapActuator(c *mapping.Context, flow mapping.Flow) mapping.Part {
	said, is := flow.(mapping.JointPositions)
	if !is || !m.check(c) {
		return mapping.Part{}
	}
	lead := m.carriers[0]
	pos, done := lead.Arm.flight(c, said)
	if c.Failed() {
		return mapping.Part{}
	}
	whole := mapping.Part{Done: done}
	var apart []graph.Signal[bool]
	for _, o := range m.carriers[1:] {
		o.Arm.taken(c) // in flight no arm is where its device says, which is what was commanded some cycles ago
		away := lead.awayFrom(c, o)
		apart = append(apart, away)
		whole.Faults = append(whole.Faults, mapping.Fault{Name: FaultRelation, Of: o.Arm.name, Is: away})
	}
	pos = c.NullWhile(c.Latch(graph.Or(apart...)), pos)
	p := c.Add("ArmKinematics::Kin").Set("Robot", lead.Arm.name).Link("inJoints", c.Array(pos).Port)
	carried := mapping.CartesianPosition{
		Pose: c.Mul(mapping.Link[geom.Frame](p, "outFrame"), c.Transform(lead.Arm.flange, lead.By)), In: lead.Arm.base,
	}
	for i, by := range m.carriers {
		whole.Faults = append(whole.Faults, member(c, func(c *mapping.Context) mapping.Part {
			if i == 0 {
				return lead.Arm.drive(c, pos)
			}
			at := carried
			at.Of = by.By
			own, found := by.Arm.inverse(c, at)
			part := by.Arm.drive(c, own)
			part.Faults = append(part.Faults, found.Faults...)
			return part
		})...)
	}
	return whole
}

// member maps an arm that is not commanded any more as soon as it has a fault, whereas the command comes to rest first.
func member(c *mapping.Context, arm func(*mapping.Context) mapping.Part) []mapping.Fault {
	broken := graph.NewWire[bool](c.Graph)
	own := *c
	own.Active = c.And(c.Active, graph.Not(broken.Signal))
	faults := arm(&own).Faults
	var any []graph.Signal[bool]
	for i := range faults {
		faults[i].Rest = true
		any = append(any, faults[i].Is)
	}
	if len(any) == 0 { // something is wrong with the arm, which is reported
		any = append(any, c.False())
	}
	broken.Connect(c.Definite(graph.Pre(c.Latch(graph.Or(any...)))))
	return faults
}

// awayFrom is true in the first cycle of a command if another arm does not hold what this one holds. It may be off by what it can catch up
// within a cycle: devices do not rest exactly where they were commanded to be last (equation 9.1).
func (by Carrier) awayFrom(c *mapping.Context, other Carrier) graph.Signal[bool] {
	limits, _ := Cartesian(c)
	square := graph.Mul(c.CycleTime(), c.CycleTime())
	distance, turn := c.Between(graph.Const(c.Graph, geom.Frame{}), c.Identity(c.Transform(by.By, other.By)))
	there := c.And(graph.Less(distance, graph.Mul(square, c.Real(limits.Acc))), graph.Less(turn, graph.Mul(square, c.Real(limits.RotAcc))))
	return c.And(graph.Rising(c.Active), graph.Not(there))
}

// check returns an error for arms that cannot carry anything together.
func (m *MultiArm) check(c *mapping.Context) bool {
	if len(m.carriers) < 2 { //nolint:mnd // several
		c.Fail(fmt.Errorf("%d: %w", len(m.carriers), robotics.ErrArms))
	}
	for i, by := range m.carriers {
		twice := slices.ContainsFunc(m.carriers[:i], func(o Carrier) bool { return o.Arm != nil && by.Arm != nil && o.Arm.name == by.Arm.name })
		if by.Arm == nil || twice {
			c.Fail(fmt.Errorf("arm %d: %w", i, robotics.ErrArms))
			continue
		}
		if dependent(by.Arm.flange, by.By, carries{by.Arm}) {
			c.Fail(fmt.Errorf("frame %v: %w", by.By, robotics.ErrNotCarried))
		}
		for _, o := range m.carriers {
			if o.Arm != nil && dependent(m.carriers[0].Arm.base, by.Arm.base, carries{o.Arm}) {
				c.Fail(fmt.Errorf("frame %v: %w", by.Arm.base, robotics.ErrOwnFrame))
			}
		}
	}
	return !c.Failed()
}

// movedWith returns the arms that a command for an arm moves.
func movedWith(c *mapping.Context, a *Arm) []*Arm {
	if m, several := c.Actuator.(*MultiArm); several {
		return m.Arms()
	}
	return []*Arm{a}
}
