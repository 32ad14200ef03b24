package client

import (
	"strconv"
	"time"
)

// WithTicks is the last parameter of a gne that asks for the tick of values.
const WithTicks = "tick"

// Tick is the cycle of a net that produced its newest values, and its time: all known values are those of this tick.
type Tick struct {
	Cycle uint64    // 0: not known
	Time  time.Time // of the tick, on the clock of the daemon
}

// Tick returns the tick behind the values of a message, {cycle:"17",time:"1795432502000000000"}, if its subscription has asked for it.
func (m *Message) Tick() Tick {
	if len(m.Params) < 2 {
		return Tick{}
	}
	told, _ := m.Params[1].(map[string]any)
	cycle, _ := told["cycle"].(string)
	ns, _ := told["time"].(string)
	n, err := strconv.ParseUint(cycle, 10, 64)
	at, malformed := strconv.ParseInt(ns, 10, 64)
	if err != nil || malformed != nil {
		return Tick{}
	}
	return Tick{Cycle: n, Time: time.Unix(0, at)}
}
