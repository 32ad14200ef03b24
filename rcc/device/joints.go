package device

import (
	"strconv"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
)

// RobotArm is the name under which devices announce MultiJoint, with the parameter jointcount. MultiJointAlias is the name
// that §9.2 has for it; both addresses answer.
const (
	RobotArm        = "robotarm"
	MultiJointAlias = "multijoint"
)

// MultiJoint is the interface of everything with joints (§9.2): arms, linear units, turning tables. Joints count from 0;
// units are rad or m, and s.
//
// Methods of the cycle may be called by any number of nets. A joint is commanded, and its tool is set, only by the
// net that owns the joint.
type MultiJoint interface {
	Device
	// Joints returns the number of joints, which does not change (any).
	Joints() int
	// Joint returns what is known of a joint, as one cycle of the device left it. Pages call it as well: it consists of
	// atomic reads (any).
	Joint(joint int) JointState
	// CheckPosition reports whether the joint could be at a position at all (cycle).
	CheckPosition(joint int, position float64) PositionFault
	// CommandPosition gives a joint the set-point for an instant, which must be reachable within one cycle. Otherwise it is refused:
	// it is not commanded, and the joint comes to rest. The fault of the joint then says why, until no net has commanded the joint
	// for some cycles (cycle).
	CommandPosition(joint int, position float64, at Instant)
	// SetTool sets what is attached to a joint. That may take some time; the ticket is for ToolDone (cycle).
	SetTool(joint int, tool Tool) (ticket uint64)
	// ToolDone reports whether the tool of the ticket, or a later one, is in use, and what is wrong if it cannot be, or 0 (cycle).
	ToolDone(joint int, ticket uint64) (done bool, fault int32)
}

// Placer is a simulated MultiJoint whose joints may jump. It is for nets that command a joint to a constant position: not a motion, but
// what older clients do when they reset the joints of a simulation.
type Placer interface {
	MultiJoint
	// PlaceJoint puts a joint at a position at once, if it is not near there and may jump; otherwise it does nothing. Only the net that
	// owns the joint calls it, before it commands the same position (cycle).
	PlaceJoint(joint int, position float64, at Instant)
}

// Described is a MultiJoint that knows what its joints are: how they are called, whether they turn or slide, and how far they go.
type Described interface {
	MultiJoint
	// JointModel describes a joint, with the limits that its set-points are judged by. It does not change (any).
	JointModel(joint int) kinematics.Joint
}

// ModelOf describes a joint by its device, or by the kinematics of its device (any).
func ModelOf(d MultiJoint, joint int) (is kinematics.Joint, known bool) {
	if of, described := d.(Described); described {
		return of.JointModel(joint), true
	}
	if of, arm := d.(ArmKinematics); arm && of.Arm().Chain.Len() == d.Joints() {
		return of.Arm().Chain.Joint(joint), true
	}
	return is, false
}

// JointState is what is known of a joint. Where there is no sensor, the driver derives measured values from others.
type JointState struct {
	Commanded, Measured JointMotion
	Fault               JointFault
}

// JointMotion is a position with its derivatives.
type JointMotion struct{ Pos, Vel, Acc float64 }

// Instant is the time of a cycle of a net.
type Instant struct {
	Time   int64   // Unix time of the tick, ns
	Missed int64   // of that, ns in ticks that the net has missed since it began: for the net they have not been
	Period float64 // of the net, s
	Cycle  uint64  // of the net, for people who look for it in its log
}

// Lapse returns how long the net may be silent before a device that it commands in every cycle goes on without it, ns: five of its cycles,
// but no longer than clients know it, 0.1 s, unless that is less than two cycles (cycle).
func (i Instant) Lapse() int64 { return int64(max(min(5*i.Period, 0.1), 2*i.Period) * 1e9) }

// Tool is a load at a joint.
type Tool struct {
	Mass    float64     // kg
	COM     geom.Vector // centre of mass, m
	Inertia geom.Vector // about its axes, kg·m²
}

// PositionFault is what is wrong with a commanded position.
type PositionFault int32

// Faults of positions.
const (
	PositionGood PositionFault = iota
	PositionOutOfRange
	PositionNotANumber
)

func (f PositionFault) String() string {
	switch f {
	case PositionGood:
		return "good"
	case PositionOutOfRange:
		return "out of range"
	case PositionNotANumber:
		return "not a number"
	}
	return "position fault " + strconv.Itoa(int(f))
}

// JointFault is why a joint cannot be commanded. Drivers have numbers of their own from JointOwnFaults on.
type JointFault int32

// Faults of joints that are the same for all devices. That 2 stands for drives without power is what clients know.
const (
	JointGood JointFault = iota
	JointFailed
	JointDrivesOff
	JointElsewhere                    // a net has begun where the joint was not
	JointLimitPosition                // the rest: a set-point beyond a limit
	JointLimitVelocity                //
	JointLimitAcceleration            //
	JointLimitJerk                    //
	JointOwnFaults         JointFault = 100
)

func (f JointFault) String() string {
	switch f {
	case JointGood:
		return "good"
	case JointFailed:
		return "the joint has failed"
	case JointDrivesOff:
		return "drives are off"
	case JointElsewhere:
		return "a net began where the joint was not"
	case JointLimitPosition:
		return "limit of position"
	case JointLimitVelocity:
		return "limit of velocity"
	case JointLimitAcceleration:
		return "limit of acceleration"
	case JointLimitJerk:
		return "limit of jerk"
	}
	return "fault " + strconv.Itoa(int(f))
}

// FaultReporter is a device with faults of joints of its own.
type FaultReporter interface {
	// FaultText is one of them, or one that all devices have, in words (any).
	FaultText(f JointFault) string
}

// FaultText returns a fault of a joint of a device in words.
func FaultText(of any, f JointFault) string {
	if t, ok := of.(FaultReporter); ok {
		return t.FaultText(f)
	}
	return f.String()
}

// AnnounceJoints returns what a MultiJoint announces to applications. Clients refuse to work without jointcount.
func AnnounceJoints(n int) []Interface {
	count := strconv.Itoa(n)
	return []Interface{
		{Name: RobotArm, Params: map[string]string{"jointcount": count}},
		{Name: MultiJointAlias, Params: map[string]string{"jointcount": count}},
	}
}
