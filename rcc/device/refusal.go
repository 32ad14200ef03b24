package device

import (
	"fmt"
	"time"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
)

// Refuser is a MultiJoint that remembers which set-points it has refused.
type Refuser interface {
	MultiJoint
	// JointRefusal returns the one of a joint that was refused last, and false if there has been none (any).
	JointRefusal(joint int) (Refusal, bool)
}

// SetPoints is a MultiJoint that remembers which set-points it has taken.
type SetPoints interface {
	MultiJoint
	// SetPoint returns the newest one of a joint, and false if there has been none (any).
	SetPoint(joint int) (SetPoint, bool)
}

// SetPoint is what a net has commanded, with the derivatives by which it was judged.
type SetPoint struct {
	JointMotion
	Time int64 // Unix time of the cycle, ns
}

// Refusal is a set-point that was not commanded.
type Refusal struct {
	Fault        JointFault
	Value, Limit float64 // of a net that began elsewhere: its set-point, and where the joint was
	Time         int64   // Unix time of the cycle, ns
	Cycle        uint64  // of the net
	Silence      int64   // of a net that went on when its joint had come to rest: how long its set-points had not been followed, ns
}

// Text describes the refusal by a joint of a kind.
func (r *Refusal) Text(k kinematics.Kind) string {
	return fmt.Sprintf("%s, in cycle %d at %s", r.Reason(k), r.Cycle, time.Unix(0, r.Time).UTC().Format(time.RFC3339Nano))
}

// Reason returns the text without the time.
func (r *Refusal) Reason(k kinematics.Kind) string {
	unit := "rad"
	if k == kinematics.Prismatic {
		unit = "m"
	}
	unit += map[JointFault]string{JointLimitVelocity: "/s", JointLimitAcceleration: "/s²", JointLimitJerk: "/s³"}[r.Fault]
	if r.Fault == JointElsewhere && r.Silence > 0 {
		return fmt.Sprintf("%v: %.9g %s instead of %.9g, as its set-points had not been followed for %v, in which the joint came to rest; start it again from there", r.Fault, r.Value, unit, r.Limit, time.Duration(r.Silence))
	}
	if r.Fault == JointElsewhere {
		return fmt.Sprintf("%v: %.9g %s instead of %.9g, and its limits do not let it make up for that in a few cycles; if it still moves or brakes, wait until it rests", r.Fault, r.Value, unit, r.Limit)
	}
	return fmt.Sprintf("%v: %.6g %s, %.6g is allowed", r.Fault, r.Value, unit, r.Limit)
}
