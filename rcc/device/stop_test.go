package device_test

import (
	"testing"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// TestStop: one button is enough, one that is released does not count any more, and where a stop is needed, no client at it is
// as bad as one that presses it.
func TestStop(t *testing.T) {
	var none *device.Stop
	none.Button().Press(true)
	if none.Pressed() {
		t.Error("no stop is pressed")
	}
	for name, needed := range map[string]bool{"needed": true, "not needed": false} {
		s := device.NewStop(needed)
		a, b := s.Button(), s.Button()
		for i, step := range []struct {
			do   func()
			want bool
		}{
			{func() {}, needed},
			{a.Release, needed},
			{func() { a.Press(false) }, false},
			{func() { b.Press(true) }, true},
			{func() { a.Press(true); b.Press(false) }, true},
			{func() { b.Press(false) }, true},
			{func() { a.Press(false) }, false},
			{func() { b.Press(true); b.Release() }, false},
			{a.Release, needed},
		} {
			step.do()
			if got := s.Pressed(); got != step.want {
				t.Errorf("%s, step %d: %t", name, i, got)
			}
		}
	}
}
