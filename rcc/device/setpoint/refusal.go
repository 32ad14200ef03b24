package setpoint

import (
	"fmt"
	"math"
	"time"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Refusal is a set-point that was not commanded.
type Refusal struct {
	Fault        device.JointFault
	Value, Limit float64 // of a net that began elsewhere: its set-point, and where the joint was
	Time         int64   // Unix time of the cycle, ns
	Cycle        uint64  // of the net
}

const refusalWords = 5

// refuse ends the stream of a net (cycle).
func (x *axis) refuse(r *Refusal, at device.Instant) {
	x.stream.n = 0
	words := [refusalWords]uint64{
		uint64(uint32(r.Fault)), math.Float64bits(r.Value), math.Float64bits(r.Limit), uint64(at.Time), at.Cycle,
	}
	x.refusal.Put(words[:])
	x.refused.Store(int32(r.Fault))
}

// Refusal returns the set-point of a joint that was refused last, and false if there has been none (any).
func (a *Axes) Refusal(joint int) (Refusal, bool) {
	x := a.at(joint)
	if x == nil || x.refusal.Turn() == 0 {
		return Refusal{}, false
	}
	var words [refusalWords]uint64
	if !x.refusal.Get(0, words[:]) {
		return Refusal{}, false
	}
	return Refusal{
		Fault: device.JointFault(uint32(words[0])), Value: math.Float64frombits(words[1]), Limit: math.Float64frombits(words[2]),
		Time: int64(words[3]), Cycle: words[4],
	}, true
}

// Trouble tells in a line which joints have been brought to rest because of their set-points, and why; it is empty when
// all may be commanded (any).
func (a *Axes) Trouble() string {
	text := ""
	for i := range a.axes {
		x := &a.axes[i]
		r, ok := a.Refusal(i)
		if !ok || x.refused.Load() == 0 {
			continue
		}
		if text != "" {
			text += "; "
		}
		text += "joint " + x.joint.Name + ": " + r.text(x.joint.Kind)
	}
	return text
}

func (r *Refusal) text(k kinematics.Kind) string {
	unit := "rad"
	if k == kinematics.Prismatic {
		unit = "m"
	}
	unit += map[device.JointFault]string{
		device.JointLimitVelocity: "/s", device.JointLimitAcceleration: "/s²", device.JointLimitJerk: "/s³",
	}[r.Fault]
	when := fmt.Sprintf("in cycle %d at %s", r.Cycle, time.Unix(0, r.Time).UTC().Format(time.RFC3339Nano))
	if r.Fault == device.JointElsewhere {
		return fmt.Sprintf("%v: %.6g %s instead of %.6g, %s", r.Fault, r.Value, unit, r.Limit, when)
	}
	return fmt.Sprintf("%v: %.6g %s, %.6g is allowed, %s", r.Fault, r.Value, unit, r.Limit, when)
}
