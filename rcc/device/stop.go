package device

import (
	"errors"
	"sync/atomic"
)

// Stop is the emergency stop of a cell: nets press it (primitive EStop), and devices obey it in their next cycle. A device that
// has been stopped stays without power when the stop is released, until it is switched on.
type Stop struct {
	needed             bool
	pressed, connected atomic.Int32 // buttons
}

// NewStop makes a stop that is pressed as long as a button is pressed and, where it is needed, as long as no client is connected
// to it (load).
func NewStop(needed bool) *Stop { return &Stop{needed: needed} }

// ErrStopped is why nothing is switched on.
var ErrStopped = errors.New("emergency stop is active")

// Pressed reports whether devices are to be at rest. Without a Stop they need not (cycle).
func (s *Stop) Pressed() bool {
	return s != nil && (s.pressed.Load() > 0 || s.needed && s.connected.Load() == 0)
}

// Button is what one primitive of a net presses. The zero value is connected to nothing.
type Button struct {
	stop            *Stop
	connected, down bool // of the thread of the net, and when that has ended of the goroutine that releases it
}

// Button makes one more (load).
func (s *Stop) Button() *Button { return &Button{stop: s} }

// Press says whether the button is pressed. With the first time it is connected (cycle).
func (b *Button) Press(down bool) {
	s := b.stop
	if s == nil {
		return
	}
	if down != b.down {
		b.down = down
		s.pressed.Add(sign(down))
	}
	if !b.connected {
		b.connected = true
		s.connected.Add(1)
	}
}

func sign(down bool) int32 {
	if down {
		return 1
	}
	return -1
}

// Release takes the button away when the net has ended: one that has ended asks for nothing.
func (b *Button) Release() {
	if !b.connected {
		return
	}
	b.Press(false)
	b.connected = false
	b.stop.connected.Add(-1)
}
