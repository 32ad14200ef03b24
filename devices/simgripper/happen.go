package simgripper

import (
	"math"

	"github.com/softrobot-rcc/rccd/rcc/device/script"
)

// Events of a gripper, by number.
const (
	powerOff = iota
	powerOn
	fails
	repaired
	part // comes between the fingers, or goes
)

func events(stroke float64) []script.Word {
	return []script.Word{
		powerOff: {Name: "off"}, powerOn: {Name: "on"}, fails: {Name: "fail"}, repaired: {Name: "repair"},
		part: {Name: "part", Numbers: []script.Number{script.Between(0, stroke)}},
	}
}

// Script returns what happens to the gripper (any).
func (w *WSG) Script() *script.Script { return w.script }

// happen lets everything happen that is due. By an emergency stop the gripper holds what it has, and goes off (cycle).
func (w *WSG) happen(now int64) {
	if pressed := w.halt.Pressed(); pressed != w.halted {
		w.halted = pressed
		w.powered.Store(w.powered.Load() && !pressed)
	}
	for e, due := w.script.Next(now); due; e, due = w.script.Next(now) {
		switch e.What {
		case powerOff:
			w.powered.Store(false)
		case powerOn:
			w.powered.Store(!w.halted)
		case fails:
			w.failed.Store(true)
		case repaired:
			w.failed.Store(false)
		case part:
			w.object.Store(math.Float64bits(e.Numbers[0]))
		}
	}
}
