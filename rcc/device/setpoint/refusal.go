package setpoint

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

const refusalWords = 6

// refuse ends the stream of a net (cycle).
func (x *axis) refuse(r *device.Refusal, at device.Instant) {
	x.stream.n = 0
	words := [refusalWords]uint64{
		uint64(uint32(r.Fault)), math.Float64bits(r.Value), math.Float64bits(r.Limit), uint64(at.Time), at.Cycle, uint64(r.Silence),
	}
	x.refusal.Put(words[:])
	x.lapsed.Store(r.Silence > 0)
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
		Time: int64(words[3]), Cycle: words[4], Silence: int64(words[5]),
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

// Trouble returns a line that names joints that were brought to rest because of their set-points, and why; it is empty when
// all may be commanded. A net that was refused as it had not been followed for a while may not even know: that is shown until a net
// moves the joint (any).
func (a *Axes) Trouble() string {
	lines := a.lapses(func(x *axis) bool { return x.lapsed.Load() })
	for i := range a.axes {
		x := &a.axes[i]
		r, ok := a.Refusal(i)
		if ok && x.refused.Load() != 0 && r.Silence == 0 {
			lines = append(lines, "joint "+x.joint.Name+": "+r.Text(x.joint.Kind))
		}
	}
	return strings.Join(lines, "; ")
}

// Diary returns entries for nets that were refused when they went on after a silence (any).
func (a *Axes) Diary() []string { return a.lapses(func(*axis) bool { return true }) }

// lapses returns those of some joints, a line for each net.
func (a *Axes) lapses(which func(*axis) bool) (lines []string) {
	var at []device.Refusal
	names := map[int64][]string{}
	for i := range a.axes {
		x := &a.axes[i]
		r, ok := a.Refusal(i)
		if !ok || r.Silence == 0 || !which(x) {
			continue
		}
		if names[r.Time] == nil {
			at = append(at, r)
		}
		names[r.Time] = append(names[r.Time], x.joint.Name)
	}
	for _, r := range at {
		lines = append(lines, fmt.Sprintf("the net of %s was refused at %s: its set-points had not been followed for %v, so that joints came to rest; start it again from where they are",
			strings.Join(names[r.Time], ", "), time.Unix(0, r.Time).UTC().Format("15:04:05.000"), time.Duration(r.Silence).Round(time.Millisecond/10)))
	}
	return lines
}
