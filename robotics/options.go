package robotics

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// Param is a parameter of a command. It overrides the default that its actuator has for the type. Actions and actuators of
// applications may ask for types of their own.
type Param interface{ Parameter() }

// JointParam is a parameter of motions of joints: Speed, Acceleration, JointLimits, Slowest, and those of lightweight robots.
type JointParam interface {
	Param
	OfJoints()
}

// SpaceParam is a parameter of motions in space: those of joints, MotionCenter and CartesianLimits.
type SpaceParam interface {
	Param
	InSpace()
}

// ArcParam is a parameter of arcs: those of motions in space, and the orientation.
type ArcParam interface {
	Param
	OnArc()
}

// Speed is the share of the limits of velocity that motions are planned with, above 0 and up to 1.
type Speed float64

// Acceleration is the share of the limits of acceleration and jerk that motions are planned with, above 0 and up to 1.
type Acceleration float64

// JointLimits is a parameter of motions: limits of joints that are lower than their own, in rad or m per s, s², s³. Of each kind there is one
// for each joint, 0 for one that has its own only, or none at all.
type JointLimits struct{ Vel, Acc, Jerk []float64 }

// Slower returns limits with which joints take the same path at a share of the speed.
func (l JointLimits) Slower(share float64) JointLimits {
	return l.times(share, share*share, share*share*share)
}

// Shares returns what motions with a share of the limits may use of them.
func (l JointLimits) Shares(speed Speed, rise Acceleration) JointLimits {
	return l.times(float64(speed), float64(rise), float64(rise))
}

func (l JointLimits) times(vel, acc, jerk float64) JointLimits {
	times := func(of []float64, by float64) []float64 {
		all := make([]float64, len(of))
		for i := range of {
			all[i] = of[i] * by
		}
		return all
	}
	return JointLimits{times(l.Vel, vel), times(l.Acc, acc), times(l.Jerk, jerk)}
}

// MotionCenter is the frame that Cartesian motions move, which the robot must carry: its flange, a tool.
type MotionCenter struct{ Frame *world.Frame }

// CartesianLimits are those of motions in space, in m and rad per s, s², s³.
type CartesianLimits struct{ Vel, Acc, Jerk, RotVel, RotAcc, RotJerk float64 }

// Shares returns what motions with a share of the limits may use of them.
func (l CartesianLimits) Shares(speed Speed, rise Acceleration) CartesianLimits {
	return l.times(float64(speed), float64(rise), float64(rise))
}

// Slower returns limits with which paths are followed in the same way, at a share of the speed.
func (l CartesianLimits) Slower(share float64) CartesianLimits {
	return l.times(share, share*share, share*share*share)
}

func (l CartesianLimits) times(vel, acc, jerk float64) CartesianLimits {
	return CartesianLimits{l.Vel * vel, l.Acc * acc, l.Jerk * jerk, l.RotVel * vel, l.RotAcc * acc, l.RotJerk * jerk}
}

// HandOver is a parameter of a motion: whether it can be taken over by another one (TakeOver).
type HandOver bool

// TakeOver is a parameter of a motion: it begins as fast as the joints move when it relieves a command, which has HandOver. If that
// has come to rest the motion begins at rest.
type TakeOver struct {
	Of  *Handle // nil: it takes over nothing
	End End     // of that command
}

// End is where a motion comes to rest if it is not taken over. Paths in space that take it over begin there, and are joined in flight.
type End struct {
	Joints []float64 // if it is one of joints, otherwise

	Pose   geom.Frame // where a frame that the arm carries is, seen from another one
	Of, In *world.Frame
	Limits CartesianLimits // with which it comes to rest; those of the command that takes it over if left out
}

// Slowest is a parameter of activities: the share of its speed to which a path may be slowed down before it begins, so that all
// joints can follow it, above 0 and up to 1. A path that would have to be slower is refused; with 1 it has its full speed or is
// refused.
type Slowest float64

// Sync is how joints are synchronised on their way from point to point (§2.3).
type Sync string

// The synchronisations.
const (
	Asynchronous     Sync = "asynchronous"      // each joint as fast as it can
	Synchronous      Sync = "synchronous"       // all end together
	FullySynchronous Sync = "fully synchronous" // on a straight line of joints
)
