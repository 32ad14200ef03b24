package actuator

import (
	"fmt"
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// Strategy is how a lightweight robot keeps to where it is commanded. The numbers are those of the robot's own language.
type Strategy int32

// The strategies.
const (
	ByPosition         Strategy = 10 // exactly
	ByCartesianSprings Strategy = 20
	ByJointSprings     Strategy = 30
)

// Control is how a lightweight robot keeps to where it is commanded: PositionControl, JointImpedance or CartesianImpedance.
type Control interface {
	strategy() Strategy
	// springs leads springs to their new values: share is how far they are on their way there, 0 to 1.
	springs(c *mapping.Context, l *Lightweight, share graph.Signal[float64])
}

// PositionControl does not give way.
type PositionControl struct{}

func (PositionControl) strategy() Strategy { return ByPosition }

func (PositionControl) springs(*mapping.Context, *Lightweight, graph.Signal[float64]) {}

// JointImpedance holds each joint by a spring. There is one value for each joint; what is left out is as usual.
type JointImpedance struct {
	Stiffness []float64 // 0.01 to 2000 Nm/rad, usually 1000
	Damping   []float64 // 0 to 1, where 1 does not overshoot, usually 0.7
	Torque    []float64 // that joints exert beside, Nm, usually none
}

// CartesianImpedance holds the tip of the tool by springs, along and about its axes. Vectors that are left out are as usual.
type CartesianImpedance struct {
	Stiffness geom.Wrench // 0.01 to 5000 N/m and 300 Nm/rad, usually 2000 and 200
	Damping   geom.Wrench // 0 to 1, where 1 does not overshoot, usually 0.7
	Force     geom.Wrench // that the tip exerts beside, N and Nm, usually none
}

// Limits of springs of lightweight robots: robots take the nearest value that they can have, which is not what was asked for.
const (
	softest     = 0.01
	stiffJoint  = 2000
	stiffAlong  = 5000
	stiffAbout  = 300
	usualJoint  = 1000
	usualAlong  = 2000
	usualAbout  = 200
	usualDamp   = 0.7
	greatestAdd = 1000
)

// scale is a value of springs: what it can be, and what it is usually.
type scale struct {
	name               string
	least, most, usual float64
	unit               string
}

const stiffness = "stiffness"

func (s *scale) check(c *mapping.Context, v float64) {
	if !(v >= s.least && v <= s.most) {
		c.Fail(fmt.Errorf("%s %v: %w, it can be %v to %v%s", s.name, v, robotics.ErrSpring, s.least, s.most, s.unit))
	}
}

func (JointImpedance) strategy() Strategy { return ByJointSprings }

func (is JointImpedance) springs(c *mapping.Context, l *Lightweight, share graph.Signal[float64]) {
	l.setJoints(c, share,
		ofJoints{scale{stiffness, softest, stiffJoint, usualJoint, " Nm/rad"}, "Stiffness", is.Stiffness},
		ofJoints{scale{"damping", 0, 1, usualDamp, ""}, "Damping", is.Damping}, is.torque(),
	)
}

func (is JointImpedance) torque() ofJoints {
	return ofJoints{scale{"torque", -greatestAdd, greatestAdd, 0, " Nm"}, "AddTorque", is.Torque}
}

// ofJoints has the wanted values of one kind of all joints.
type ofJoints struct {
	scale
	port string
	to   []float64 // nil: as usual
}

func (l *Lightweight) setJoints(c *mapping.Context, share graph.Signal[float64], values ...ofJoints) {
	for i := range l.Len() {
		was := c.Add("KUKA::LWR::JointImpMonitor").Set("Robot", l.name).Set("Axis", i)
		set := c.Add("KUKA::LWR::JointImpParameters").Set("Robot", l.name).Set("Axis", i).Link("inActive", c.Active.Port)
		for _, of := range values {
			if of.to != nil && len(of.to) != l.Len() {
				c.Fail(fmt.Errorf("%s of %d joints: %w", of.name, len(of.to), robotics.ErrJoints))
				return
			}
			to := of.usual
			if of.to != nil {
				to = of.to[i]
			}
			set.Link("in"+of.port, of.onTheWay(c, mapping.Link[float64](was, "out"+of.port), to, share).Port)
		}
	}
}

func (CartesianImpedance) strategy() Strategy { return ByCartesianSprings }

func (is CartesianImpedance) springs(c *mapping.Context, l *Lightweight, share graph.Signal[float64]) {
	along, about := scale{stiffness, softest, stiffAlong, usualAlong, " N/m"}, scale{stiffness, softest, stiffAbout, usualAbout, " Nm/rad"}
	damping := scale{"damping", 0, 1, usualDamp, ""}
	l.setTip(c, share, ofTip{along, about, "Stiffness", is.Stiffness}, ofTip{damping, damping, "Damping", is.Damping}, is.force())
}

func (is CartesianImpedance) force() ofTip {
	return ofTip{
		scale{"force", -greatestAdd, greatestAdd, 0, " N"}, scale{"moment", -greatestAdd, greatestAdd, 0, " Nm"}, "AddTorque", is.Force,
	}
}

// ofTip has the wanted values of one kind along and about all axes of the tool.
type ofTip struct {
	along, about scale
	port         string
	to           geom.Wrench // vectors of zeros: as usual
}

func (l *Lightweight) setTip(c *mapping.Context, share graph.Signal[float64], values ...ofTip) {
	was := c.Add("KUKA::LWR::CartImpMonitor").Set("Robot", l.name)
	set := c.Add("KUKA::LWR::CartImpParameters").Set("Robot", l.name).Link("inActive", c.Active.Port)
	for _, of := range values {
		parts := c.Add("World::WrenchToXYZ").Link("inValue", was.Out("out"+of.port))
		whole := c.Add("World::WrenchFromXYZ")
		for _, half := range []struct {
			scale
			to   geom.Vector
			axes string
		}{{of.along, of.to.Force, "XYZ"}, {of.about, of.to.Torque, "CBA"}} {
			if half.to == (geom.Vector{}) {
				half.to = geom.Vector{X: half.usual, Y: half.usual, Z: half.usual}
			}
			for i, to := range []float64{half.to.X, half.to.Y, half.to.Z} {
				axis := half.axes[i : i+1]
				whole.Link("in"+axis, half.onTheWay(c, mapping.Link[float64](parts, "out"+axis), to, share).Port)
			}
		}
		set.Link("in"+of.port, whole.Out("outValue"))
	}
}

// release lets what the robot exerts beside its springs become nothing.
func (l *Lightweight) release(c *mapping.Context, but Strategy, share graph.Signal[float64]) {
	if but != ByJointSprings {
		l.setJoints(c, share, JointImpedance{}.torque())
	}
	if but != ByCartesianSprings {
		l.setTip(c, share, CartesianImpedance{}.force())
	}
}

// onTheWay returns a value on its way from that in the first cycle of a command to the wanted one. Of a stiffness it is the
// inverse that changes evenly: so what leans against a spring moves evenly, too.
func (s *scale) onTheWay(c *mapping.Context, was graph.Signal[float64], to float64, share graph.Signal[float64]) graph.Signal[float64] {
	s.check(c, to)
	if s.name == stiffness {
		was, to = graph.Div(c.Real(1), was), 1/to
	}
	p := c.Add("Core::Lerp").Link("inFrom", graph.Hold(was, graph.Rising(c.Active), 0).Port).Set("To", to).Link("inAmount", share.Port)
	now := mapping.Link[float64](p, "outValue")
	if s.name == stiffness {
		now = graph.Div(c.Real(1), now)
	}
	return now
}

// Transition is how long springs in force take to reach their new values. An arm that leans against something would jump if
// springs became stiff at once.
type Transition time.Duration

// transition returns how far springs are on their way since a command has begun, 0 to 1.
func transition(c *mapping.Context) graph.Signal[float64] {
	takes := time.Duration(mapping.Param[Transition](c))
	if takes <= 0 {
		c.Fail(fmt.Errorf("a transition of %v: %w", takes, robotics.ErrDuration))
		takes = 1
	}
	since := mapping.Link[float64](c.Add("Core::Clock").Link("inActive", c.Active.Port).Set("Increment", 1/takes.Seconds()), "outValue")
	return graph.Min(since, c.Real(1))
}

// Under is a parameter of motions of a lightweight robot: springs become like that while the arm moves (Transition), and stay so. If
// the robot is not controlled in that way the command fails, and nothing moves (SwitchControl, Yield).
type Under struct{ Control }

// FaultControl says that the robot is not controlled as the motion needs it.
const FaultControl = "wrong control mode"

// under sets springs for a motion, and takes its set-points away if the robot does not have them.
func (l *Lightweight) under(c *mapping.Context, said mapping.JointPositions) (mapping.JointPositions, []mapping.Fault) {
	by := mapping.Param[Under](c).Control
	if by == nil {
		return said, nil
	}
	by.springs(c, l, transition(c))
	wrong := graph.Not(l.controlled(c.Net, by.strategy()))
	pos := make([]graph.Signal[float64], len(said.Pos))
	for i := range pos {
		pos[i] = mapping.Link[float64](c.Add("Core::DoubleSetNull").Link("inValue", said.Pos[i].Port).Link("inNull", wrong.Port), "outValue")
	}
	said.Pos = pos
	return said, []mapping.Fault{{Name: FaultControl, Of: l.name, Is: wrong}}
}
