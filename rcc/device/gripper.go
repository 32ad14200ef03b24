package device

import "strconv"

// WSG is the interface of grippers of Schunk's series WSG: they do one action at a time, which takes time and ends with a code. Lengths
// are those between the fingers; units are m, N and s.
//
// Methods of the cycle may be called by any number of nets. A gripper is not a resource: a net that calls while it is busy gets
// a code for that.
type WSG interface {
	Device
	// Gripper returns what is known of the gripper, all of one cycle of the device (cycle).
	Gripper() GripperState
	// Begin begins an action. The ticket is for Ended (cycle).
	Begin(a GripperAction) (ticket uint64)
	// Ended reports whether an action has ended, and how (cycle).
	Ended(ticket uint64) (ended bool, code GripperCode)
}

// GripperState is what is known of a gripper.
type GripperState struct {
	Width, Speed, Force float64
	Grasping            GraspingState
}

// GripperAction is something that a gripper can do. Fields that a kind does not need are ignored.
type GripperAction struct {
	Kind         GripperKind
	Width, Speed float64
	Value        float64 // acceleration, force or inner limit
	Outer        float64 // limit
	Outwards     bool    // of homing
	Relative     bool    // Width is added to where the fingers are
	StopOnBlock  bool    // do not press against what is in the way
}

// GripperKind is a kind of action.
type GripperKind uint8

// The kinds of actions. Stopping is possible while another one takes place, which then has been aborted.
const (
	GripperStop GripperKind = iota
	GripperHome
	GripperMove
	GripperGrasp
	GripperRelease
	GripperAcceleration
	GripperForceLimit
	GripperSoftLimits
	GripperClearSoftLimits
)

// GraspingState is the state of a gripper, in the numbers of its maker.
type GraspingState uint8

// The states of grasping.
const (
	GraspIdle GraspingState = iota
	Grasping
	GraspNoPart
	GraspPartLost
	GraspHolding
	GraspReleasing
	GraspPositioning
	GraspError
)

// GripperCode is the result of an action: numbers of the maker up to 30, then our own.
type GripperCode int32

// Codes that are used here.
const (
	GripperGood           GripperCode = 0
	GripperNotReferenced  GripperCode = 3
	GripperFailed         GripperCode = 18
	GripperAborted        GripperCode = 19
	GripperRange          GripperCode = 28
	GripperBlocked        GripperCode = 29
	GripperNotOperational GripperCode = 31
	GripperBusy           GripperCode = 32
)

// Refused reports whether the gripper has not begun the action; other codes are how one has ended that it had begun.
func (c GripperCode) Refused() bool {
	return c == GripperNotReferenced || c == GripperRange || c == GripperNotOperational || c == GripperBusy
}

func (c GripperCode) String() string {
	switch c {
	case GripperGood:
		return "good"
	case GripperNotReferenced:
		return "not referenced"
	case GripperFailed:
		return "failed"
	case GripperAborted:
		return "aborted"
	case GripperRange:
		return "out of range"
	case GripperBlocked:
		return "blocked"
	case GripperNotOperational:
		return "not operational"
	case GripperBusy:
		return "busy with another action"
	}
	return "code " + strconv.Itoa(int(c))
}

// MostDistance is how far the jaws of a youBot open, m.
const MostDistance = 0.023

// Jaws is the interface of the gripper of a youBot.
type Jaws interface {
	Device
	// Distance returns the distance between the jaws, measured, or estimated where there is no sensor, m (cycle).
	Distance() float64
	// Open moves the jaws to a distance; the last call counts (cycle).
	Open(distance float64)
}
