package device

import (
	"strconv"

	"github.com/softrobot-rcc/rccd/geom"
)

// Compliant is the interface of KUKA's lightweight robots beside that of all arms (§9.4.4): they feel torques, and give way to
// them as springs would. Where a joint is measured then differs from where it is commanded.
//
// Methods of the cycle may be called by any number of nets. Those that change something are called only by the net that
// owns it.
type Compliant interface {
	MultiJoint
	ArmKinematics

	// SetStrategy asks for a control strategy. Switching takes time, up to 10 s with a real robot, and may fail; the ticket
	// identifies the request. While joints are measured away from where they are commanded, the robot would jump there:
	// it then keeps its strategy, and the fault is StrategyApart (cycle).
	SetStrategy(s Strategy) (ticket uint64)
	// StrategyDone reports whether the strategy of the ticket, or a later one, is in force, and why it cannot be (cycle).
	StrategyDone(ticket uint64) (done bool, fault StrategyFault)
	// Strategy returns the one in force (cycle).
	Strategy() Strategy

	// JointImpedance returns the impedance of a joint, SetJointImpedance changes it at once, in whatever strategy. Values that the robot
	// cannot have become the nearest ones that it can; what is not a number changes nothing (cycle).
	JointImpedance(joint int) JointImpedance
	SetJointImpedance(joint int, is JointImpedance)
	// CartesianImpedance and SetCartesianImpedance are the same for the tip of the tool (cycle).
	CartesianImpedance() CartesianImpedance
	SetCartesianImpedance(is CartesianImpedance)

	// SetPayload sets what the flange carries, which takes time as well (cycle).
	SetPayload(is Payload) (ticket uint64)
	// PayloadDone reports whether the payload of the ticket, or a later one, is in use, and what is wrong if it cannot be (cycle).
	PayloadDone(ticket uint64) (done bool, fault PayloadFault)

	// Torque returns what sensors of a joint report, as one cycle of the device left it (cycle).
	Torque(joint int) Torque
	// TipWrench is what is estimated to act on the tip of the tool from outside: the force there and the torque about it, both
	// along the axes of the tool. Drivers bring the components into this order, whatever it is on the wire (cycle).
	TipWrench() geom.Wrench
}

// Loaded is a robot that remembers what its flange was said to carry.
type Loaded interface {
	// Payload is what was set last, whether it is in use yet or not (any).
	Payload() Payload
}

// Rated is a robot whose controller rates how answers come.
type Rated interface {
	// Quality is 0, unacceptable, to 3, perfect (cycle).
	Quality() int32
}

// Yielding is a simulated robot that tests and people may push.
type Yielding interface {
	Compliant
	// Push sets the torque, in Nm, that acts on a joint from outside (any).
	Push(joint int, torque float64)
	// PushTip sets force and torque that act on the tip of the tool from outside, along the axes of the base (any).
	PushTip(w geom.Wrench)
	// Pushed returns the force and torque that were set (any).
	Pushed() (torques []float64, tip geom.Wrench)
}

// Strategy is how a robot gives way. The numbers are those of the robot's own language.
type Strategy int32

// Strategies.
const (
	PositionControl     Strategy = 10 // not at all
	CartesianCompliance Strategy = 20 // the tip of the tool is held by springs
	JointCompliance     Strategy = 30 // each joint is held by a spring; by a very soft one it can be led by hand
)

// Known reports whether the strategy exists.
func (s Strategy) Known() bool {
	return s == PositionControl || s == CartesianCompliance || s == JointCompliance
}

func (s Strategy) String() string {
	switch s {
	case PositionControl:
		return "position"
	case CartesianCompliance:
		return "Cartesian impedance"
	case JointCompliance:
		return "joint impedance"
	}
	return "strategy " + strconv.Itoa(int(s))
}

// StrategyFault is why a strategy is not in force. 1 is left out: primitives use it.
type StrategyFault int32

// Reasons why a strategy is not in force.
const (
	StrategyGood    StrategyFault = 0
	StrategyUnknown StrategyFault = iota + 1
	StrategyApart                 // joints are not where they are commanded
	StrategyFailed                // the robot did not switch, and needs an operator
	StrategyNoPower
)

func (f StrategyFault) String() string {
	switch f {
	case StrategyGood:
		return "good"
	case StrategyUnknown:
		return "there is no such strategy"
	case StrategyApart:
		return "joints are not where they are commanded"
	case StrategyFailed:
		return "the robot did not switch"
	case StrategyNoPower:
		return "drives are off"
	}
	return "strategy fault " + strconv.Itoa(int(f))
}

// JointImpedance is the spring of a joint.
type JointImpedance struct {
	Stiffness float64 // Nm/rad
	Damping   float64 // 0 to 1, where 1 does not overshoot
	Add       float64 // torque that the joint exerts beside, Nm
}

// CartesianImpedance are the springs of the tip, along and about the axes of the tool.
type CartesianImpedance struct {
	Stiffness geom.Wrench // N/m, Nm/rad
	Damping   geom.Wrench // 0 to 1
	Add       geom.Wrench // that the tip exerts beside, N, Nm
}

// Payload is what the flange carries.
type Payload struct {
	Mass    float64     // kg
	COM     geom.Frame  // centre of mass with the axes of its moments of inertia, seen from the flange
	Inertia geom.Vector // kg·m²
	TCP     geom.Frame  // tip of the tool, seen from the flange
}

// PayloadFault is what is wrong with a payload. 1 is left out: primitives use it.
type PayloadFault int32

// Errors of payloads.
const (
	PayloadGood   PayloadFault = 0
	PayloadWrong  PayloadFault = 2 // it has a negative mass or moment, or something is not a number
	PayloadFailed PayloadFault = 3 // the robot cannot take payloads, or did not take this one
)

func (f PayloadFault) String() string {
	switch f {
	case PayloadGood:
		return "good"
	case PayloadWrong:
		return "there is no such payload: a mass or moment is negative, or something is not a number"
	case PayloadFailed:
		return "the robot cannot take payloads, or did not take this one"
	}
	return "payload fault " + strconv.Itoa(int(f))
}

// Torque is what is known about a joint that feels.
type Torque struct {
	Measured float64 // what the drive exerts on the arm, the weight that it carries included
	External float64 // what is estimated to act on the joint from outside
}
