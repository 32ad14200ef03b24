package device

import (
	"strconv"

	"github.com/softrobot-rcc/rccd/geom"
)

// RobotBaseName is the name under which devices announce Base.
const RobotBaseName = "robotbase"

// BaseChannel is the resource of a base: who owns it commands velocities, or poses where the base takes them.
const BaseChannel = "base"

// Base is the interface of all mobile bases (§9.2). Twists are those of the base seen from itself: X ahead, Y to the
// left, turning about Z; units are m, rad and s.
//
// Methods of the cycle may be called by any number of nets. Only the net that owns the base commands it.
type Base interface {
	Device
	// BaseState returns what is known of the base, all of one cycle of the device (cycle).
	BaseState() BaseState
	// Wheels returns the number of wheels, which does not change (any).
	Wheels() int
	// Wheel returns what is known of a wheel; it is zero for a wheel that does not exist (cycle).
	Wheel(wheel int) WheelState
	// CheckVelocity reports whether the base could reach a twist at all (cycle).
	CheckVelocity(v geom.Twist) PositionFault
	// CommandVelocity commands a twist for some cycles. The base reaches it within its limits of acceleration. A twist beyond its
	// limits is not commanded (cycle).
	CommandVelocity(v geom.Twist, at Instant)
}

// BaseState is what is known of a base.
type BaseState struct {
	Pos                 geom.Frame // since the start, as far as the base knows
	Measured, Commanded geom.Twist // commanded is zero without a command
	Fault               BaseFault
}

// WheelState is what is known of a wheel: an angle that goes on counting, and its velocity.
type WheelState struct{ Pos, Vel float64 }

// BaseFault is why a base cannot be commanded. Drivers have numbers of their own from BaseOwnFaults on.
type BaseFault int32

// Faults of bases that are common to all devices, with the numbers of those of joints.
const (
	BaseGood      BaseFault = BaseFault(JointGood)
	BaseFailed    BaseFault = BaseFault(JointFailed)
	BaseDrivesOff BaseFault = BaseFault(JointDrivesOff)
	BaseElsewhere BaseFault = BaseFault(JointElsewhere) // a set-point that was too far away for one cycle
	BaseOwnFaults BaseFault = BaseFault(JointOwnFaults)
)

func (f BaseFault) String() string {
	switch f {
	case BaseGood:
		return "good"
	case BaseFailed:
		return "the base has failed"
	case BaseDrivesOff:
		return "drives are off"
	case BaseElsewhere:
		return "a set-point was too far away for one cycle"
	}
	return "fault " + strconv.Itoa(int(f))
}

// CartesianName is the name under which devices announce Cartesian.
const CartesianName = "cartesianposition"

// Cartesian is the interface of everything that takes poses as set-points (§9.2). Poses are seen from where the device has
// its origin, twists from the same place.
//
// Methods of the cycle may be called by any number of nets. Only the net that owns the channel commands.
type Cartesian interface {
	Device
	// PoseChannel is the resource for commanding poses. It does not change (any).
	PoseChannel() string
	// Pose returns what is known, all of one cycle of the device (cycle).
	Pose() PoseState
	// CheckPose reports whether the device could reach a pose at all (cycle).
	CheckPose(p geom.Frame) PositionFault
	// CommandPose gives the set-point for an instant, which must be reachable within one cycle. Otherwise it is refused, and the
	// fault says so until no net has commanded for some cycles (cycle).
	CommandPose(p geom.Frame, at Instant)
}

// PoseState is what is known of a device that takes poses.
type PoseState struct {
	Commanded, Measured       geom.Frame
	CommandedVel, MeasuredVel geom.Twist
	Fault                     BaseFault
}
