package setpoint

import (
	"math"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// jump is a joint of a simulation that is to be somewhere at once.
type jump struct {
	to    atomic.Uint64
	asked atomic.Uint64 // jumps so far, by nets
	done  atomic.Uint64 // of them, by the driver
	fresh bool          // the driver does not know the newest one yet; it belongs to its thread
}

func (j *jump) waits() bool { return j.asked.Load() != j.done.Load() }

// Place puts a joint at a position in the next process data cycle, unless it is near there: then nets may command it to go there. Only
// the net that owns the joint may do so, and only that of a simulation can (cycle).
func (a *Axes) Place(joint int, position float64, at device.Instant) {
	x := a.at(joint)
	if x == nil || x.blocked.Load() != 0 || x.refused.Load() != 0 || x.jump.waits() || x.check(position) != device.PositionGood {
		return
	}
	var pos [1]uint64
	soon := shortly(max(at.Period, float64(a.cycle.Load())*1e-9))
	if x.where.Get(wherePos, pos[:]) && math.Abs(position-math.Float64frombits(pos[0])) <= x.distance(soon) {
		return
	}
	x.stream.n = 0
	x.jump.to.Store(math.Float64bits(position))
	x.jump.asked.Add(1)
}

// Placed returns where a joint has jumped to since it was asked last, if it has (driver, cycle).
func (a *Axes) Placed(joint int) (position float64, jumped bool) {
	x := a.at(joint)
	if x == nil || !x.jump.fresh {
		return 0, false
	}
	x.jump.fresh = false
	return x.follow.out, true
}

// leap does what Place has asked for (driver, cycle).
func (x *axis) leap(now int64) {
	if !x.jump.waits() {
		return
	}
	f := &x.follow
	x.epoch.Add(1)
	f.mode, f.out, f.vel, f.acc, f.rests = resting, math.Float64frombits(x.jump.to.Load()), 0, 0, false
	f.fresh, x.jump.fresh = false, true
	x.publish(now)
	x.jump.done.Store(x.jump.asked.Load())
}
