package simbase

import (
	"fmt"
	"math"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/script"
)

// Events of a base, by number.
const (
	powerOff = iota
	powerOn
	stopPressed
	stopReleased
	fails
	repaired
)

var events = []script.Word{
	powerOff: {Name: "off"}, powerOn: {Name: "on"}, stopPressed: {Name: "estop"}, stopReleased: {Name: "release"},
	fails: {Name: "fail"}, repaired: {Name: "repair"},
}

// Script returns what happens to the base (any).
func (b *Base) Script() *script.Script { return b.script }

// happen lets everything happen that is due. An emergency stop that is released leaves the drives without power (cycle).
func (b *Base) happen(now int64) {
	if pressed := b.stop.Pressed(); pressed != b.halted {
		b.halted = pressed
		b.press(pressed)
	}
	for e, due := b.script.Next(now); due; e, due = b.script.Next(now) {
		switch e.What {
		case powerOff:
			b.powered.Store(false)
		case powerOn:
			b.powered.Store(!b.stopped.Load())
		case stopPressed:
			b.press(true)
		case stopReleased:
			b.press(false)
		case fails:
			b.failed.Store(true)
		case repaired:
			b.failed.Store(false)
		}
	}
}

// press presses the emergency stop, or releases it (cycle).
func (b *Base) press(down bool) {
	if down {
		b.powered.Store(false)
	}
	b.stopped.Store(down)
}

// Words of a pose that was refused.
const (
	refusedVel   = 0 // 3: velocities that it needs, seen from the base
	refusedTime  = refusedVel + 3
	refusedCycle = refusedTime + 1
	refusalWords = refusedCycle + 1
)

// refuse stops the base because of a pose that needs velocities it cannot have (cycle).
func (b *Base) refuse(needs plane, at device.Instant) {
	words := [refusalWords]uint64{
		math.Float64bits(needs.x), math.Float64bits(needs.y), math.Float64bits(needs.a), refusedTime: uint64(at.Time), refusedCycle: at.Cycle,
	}
	b.refusal.Put(words[:])
	b.refused.Store(true)
	b.stream.poses = false
	b.give(nothing, at, plane{}, plane{}, plane{})
}

// trouble returns a line that says which pose was refused, and why (any).
func (b *Base) trouble() string {
	var words [refusalWords]uint64
	b.refusal.Get(0, words[:])
	needs := planeIn(words[refusedVel:refusedTime])
	when := time.Unix(0, int64(words[refusedTime])).UTC().Format(time.RFC3339Nano)
	for _, of := range []struct {
		direction, unit string
		needs, limit    float64
	}{{"ahead", "m/s", needs.x, b.limits.x}, {"to the left", "m/s", needs.y, b.limits.y}, {"turning", "rad/s", needs.a, b.limits.a}} {
		if math.Abs(of.needs) > of.limit*(1+margin) {
			return fmt.Sprintf("%v: %.6g %s %s, %.6g is allowed, in cycle %d at %s",
				device.BaseElsewhere, of.needs, of.unit, of.direction, of.limit, words[refusedCycle], when)
		}
	}
	return device.BaseElsewhere.String()
}
