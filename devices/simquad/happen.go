package simquad

import "github.com/softrobot-rcc/rccd/rcc/device/script"

// Events of a quadcopter, by number.
const (
	powerOff = iota
	powerOn
	stopPressed
	stopReleased
	isLost
	isSeen
)

var events = []script.Word{
	powerOff: {Name: "off"}, powerOn: {Name: "on"}, stopPressed: {Name: "estop"}, stopReleased: {Name: "release"},
	isLost: {Name: "lost"}, isSeen: {Name: "seen"},
}

// Script returns what happens to the quadcopter (any).
func (q *Quadcopter) Script() *script.Script { return q.script }

// happen lets everything happen that is due. An emergency stop that is released leaves the propellers without power (cycle).
func (q *Quadcopter) happen(now int64) {
	if pressed := q.stop.Pressed(); pressed != q.halted {
		q.halted = pressed
		q.press(pressed)
	}
	for e, due := q.script.Next(now); due; e, due = q.script.Next(now) {
		switch e.What {
		case powerOff:
			q.powered.Store(false)
		case powerOn:
			q.powered.Store(!q.stopped.Load())
		case stopPressed:
			q.press(true)
		case stopReleased:
			q.press(false)
		case isLost:
			q.lost.Store(true)
		case isSeen:
			q.lost.Store(false)
		}
	}
}

// press presses the emergency stop, or releases it (cycle).
func (q *Quadcopter) press(down bool) {
	if down {
		q.powered.Store(false)
	}
	q.stopped.Store(down)
}
