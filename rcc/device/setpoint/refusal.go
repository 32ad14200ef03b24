package setpoint

import (
	"math"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

const refusalWords = 5

// refuse ends the stream of a net (cycle).
func (x *axis) refuse(r *device.Refusal, at device.Instant) {
	x.stream.n = 0
	words := [refusalWords]uint64{
		uint64(uint32(r.Fault)), math.Float64bits(r.Value), math.Float64bits(r.Limit), uint64(at.Time), at.Cycle,
	}
	x.refusal.Put(words[:])
	x.refused.Store(int32(r.Fault))
}

// Refusal returns the set-point of a joint that was refused last, and false if there has been none (any).
func (a *Axes) Refusal(joint int) (device.Refusal, bool) {
	x := a.at(joint)
	if x == nil || x.refusal.Turn() == 0 {
		return device.Refusal{}, false
	}
	var words [refusalWords]uint64
	if !x.refusal.Get(0, words[:]) {
		return device.Refusal{}, false
	}
	return device.Refusal{
		Fault: device.JointFault(uint32(words[0])), Value: math.Float64frombits(words[1]), Limit: math.Float64frombits(words[2]),
		Time: int64(words[3]), Cycle: words[4],
	}, true
}

// SetPoint returns the newest set-point of a joint that was taken, and false if there has been none (any).
func (a *Axes) SetPoint(joint int) (device.SetPoint, bool) {
	x := a.at(joint)
	if x == nil || x.given.Turn() == 0 {
		return device.SetPoint{}, false
	}
	var words [givenWords]uint64
	if !x.given.Get(0, words[:]) {
		return device.SetPoint{}, false
	}
	return device.SetPoint{JointMotion: device.JointMotion{
		Pos: math.Float64frombits(words[wordPosition]), Vel: math.Float64frombits(words[wordVel]), Acc: math.Float64frombits(words[wordAcc]),
	}, Time: int64(words[wordTime])}, true
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
		text += "joint " + x.joint.Name + ": " + r.Text(x.joint.Kind)
	}
	return text
}
