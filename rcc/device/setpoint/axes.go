package setpoint

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/motion/profile"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Options say how values are made of set-points. The zero value of a field stands for what is written there.
type Options struct {
	Cycle  time.Duration // of the process data; it must be given
	Smooth int           // n of equation 9.2; 1: times are exact
	Ahead  time.Duration // by how much later than at the estimated time values take effect
	Lapse  int           // cycles without set-point after which no net commands a joint; 5
	Margin float64       // share by which set-points may be beyond limits, for rounding; 0.01
	Slack  float64       // how many times the limit of acceleration lines through set-points may need; 4
	Steps  bool          // set-points may change their velocity at once, and values do
}

// Axes are the joints of one actuator.
type Axes struct {
	options Options
	smooth  *Smoother
	cycle   atomic.Int64 // Options.Cycle, or what the driver has set since
	ahead   atomic.Int64
	lapse   float64 // Options.Lapse
	begun   bool
	now     int64 // for which the newest values are
	axes    []axis
}

// axis is one joint. Nets and the driver share atomic words.
type axis struct {
	joint  kinematics.Joint
	limits profile.Limits
	slack  float64 // acceleration of values
	share  float64 // 1 + Options.Margin
	steps  bool

	stream stream // of the net that commands
	follow follow // of the driver

	epoch   atomic.Uint64 // rises when the driver ends a stream: set-points of an earlier epoch do not count
	refused atomic.Int32  // the fault that has ended a stream, until no net commands
	lapsed  atomic.Bool   // that was a net that went on after a silence, and no net has moved the joint since
	blocked atomic.Int32  // the fault that the driver reported
	asked   atomic.Int64  // when the joint was commanded last, whether that was refused or not
	patient atomic.Int64  // for how long the net that did may be silent, ns
	jump    jump
	given   *device.Latest // from net to driver: words below
	where   *device.Latest // from driver to nets
	refusal *device.Latest // from net to all threads
}

// Words of given.
const (
	wordEpoch = iota
	wordTime
	wordPosition
	wordBeforeTime // of the set-point before in the stream, 0 for the first
	wordBeforePosition
	wordVel   // of the net
	wordAcc   // of the net
	wordLapse // after which it is not followed any more, ns
	wordLost  // by the stream in ticks that its net has missed, ns
	wordBeforeLost
	wordTaken // nets that were taken up from a set-point that was off, so far
	givenWords
)

// New makes axes that rest at positions (load).
func New(joints []kinematics.Joint, positions []float64, o Options) (*Axes, error) {
	if len(positions) != len(joints) {
		return nil, fmt.Errorf("%d positions of %d joints", len(positions), len(joints))
	}
	if o.Cycle <= 0 {
		return nil, errors.New("there is no cycle time")
	}
	if o.Lapse <= 0 {
		o.Lapse = 5
	}
	if o.Margin <= 0 {
		o.Margin = 0.01
	}
	if o.Slack < 1 {
		o.Slack = 4
	}
	a := &Axes{options: o, smooth: NewSmoother(o.Smooth, o.Cycle), lapse: float64(o.Lapse), axes: make([]axis, len(joints))}
	a.ahead.Store(int64(o.Ahead))
	a.cycle.Store(int64(o.Cycle))
	for i := range a.axes {
		x := &a.axes[i]
		if err := x.open(joints[i], positions[i], o); err != nil {
			return nil, fmt.Errorf("joint %s: %w", joints[i].Name, err)
		}
	}
	return a, nil
}

func (x *axis) open(j kinematics.Joint, position float64, o Options) error {
	x.joint = j
	x.limits = profile.Limits{Vel: j.Velocity, Acc: j.Acceleration, Jerk: j.Jerk}
	if !(x.limits.Jerk > 0) {
		x.limits.Jerk = math.Inf(1)
	}
	var stop profile.Profile
	switch {
	case !(j.Min <= j.Max):
		return fmt.Errorf("no position between %v and %v", j.Min, j.Max)
	case stop.Stop(profile.State{}, x.limits) != profile.Solved:
		return fmt.Errorf("cannot be brought to rest with a velocity of %v and an acceleration of %v", j.Velocity, j.Acceleration)
	case !(position >= j.Min && position <= j.Max):
		return fmt.Errorf("%v is not between %v and %v", position, j.Min, j.Max)
	}
	x.slack, x.share, x.steps = j.Acceleration*o.Slack, 1+o.Margin, o.Steps
	if o.Steps {
		x.slack = max(x.slack, 4*j.Velocity*x.share/o.Cycle.Seconds()) // from full speed to full speed back, and rounding
	}
	x.follow.out = position
	x.given, x.where, x.refusal = device.NewLatest(givenWords), device.NewLatest(whereWords), device.NewLatest(refusalWords)
	x.patient.Store(int64(o.Lapse) * int64(o.Cycle))
	x.publish(0)
	return nil
}

// Len returns the number of joints.
func (a *Axes) Len() int { return len(a.axes) }

// Joint describes a joint, with the limits that set-points are judged by (any).
func (a *Axes) Joint(joint int) kinematics.Joint {
	if x := a.at(joint); x != nil {
		return x.joint
	}
	return kinematics.Joint{}
}

// at returns a joint, or nil (cycle).
func (a *Axes) at(joint int) *axis {
	if axes := a.axes; uint(joint) < uint(len(axes)) {
		return &axes[joint]
	}
	return nil
}

// SetCycle changes the cycle of the process data, for actuators that report theirs. The Smoother keeps to Options.Cycle (any).
func (a *Axes) SetCycle(d time.Duration) {
	if d > 0 {
		a.cycle.Store(int64(d))
	}
}

// Check returns a fault if a joint cannot be at a position (cycle).
func (a *Axes) Check(joint int, position float64) device.PositionFault {
	if x := a.at(joint); x != nil {
		return x.check(position)
	}
	return device.PositionOutOfRange
}

// rounding is what a position may be beyond its limit: poses that were computed of the limit are.
const rounding = 1e-9

func (x *axis) check(position float64) device.PositionFault {
	if position != position || math.IsInf(position, 0) {
		return device.PositionNotANumber
	}
	if position >= x.joint.Min-rounding && position <= x.joint.Max+rounding {
		return device.PositionGood
	}
	var pos [1]uint64
	x.where.Get(wherePos, pos[:])
	if low, high := x.reach(math.Float64frombits(pos[0])); position < low || position > high {
		return device.PositionOutOfRange
	}
	return device.PositionGood
}

// reach returns where a joint that is somewhere may go. One that has got beyond a limit, pushed or without power, may be led back from
// there.
func (x *axis) reach(from float64) (low, high float64) {
	return min(x.joint.Min, from), max(x.joint.Max, from)
}

// Fault returns why a joint cannot be commanded (cycle).
func (a *Axes) Fault(joint int) device.JointFault {
	x := a.at(joint)
	if x == nil {
		return device.JointFailed
	}
	if f := x.blocked.Load(); f != 0 {
		return device.JointFault(f)
	}
	return device.JointFault(x.refused.Load())
}
