package kukarsi

import (
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/device/link"
	"github.com/softrobot-rcc/rccd/rcc/device/setpoint"
)

// TestEstimate: what happens among the first cycles after telegrams were lost is forgotten, and a delay that comes later lets the
// estimate go on smoothly, as equation 9.2 has it.
func TestEstimate(t *testing.T) {
	const n, cycle = 20, int64(4 * time.Millisecond)
	for _, tt := range []struct {
		name   string
		at     int   // cycle that comes late
		late   int64 // cycles
		caught bool  // those after it come all at once, until time is made up for
		ahead  int64 // most that cycles may be estimated before or after they are measured
	}{
		{"among the first", 10, 50, false, 1},
		{"among the first and caught up", 5, 12, true, 12},
		{"later", 3 * n, 50, false, 50},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := controller{cfg: &wireConfig{Cycle: time.Duration(cycle), Smooth: n}, smooth: setpoint.NewSmoother(n)}
			at, last, longest, due := link.Stamp{}, int64(0), int64(0), int64(0)
			for k := range 10 * n {
				due += cycle
				before := at.Time
				switch {
				case k == tt.at:
					at.Time = due + tt.late*cycle
					if !tt.caught {
						due = at.Time
					}
				case due > at.Time:
					at.Time = due
				}
				if at.N++; at.N > 1 {
					at.Span = at.Time - before
				}
				now := c.estimate(at)
				if away := now - at.Time; away > tt.ahead*cycle || away < -tt.ahead*cycle {
					t.Fatalf("cycle %d is estimated %v away from where it is", k, time.Duration(away))
				}
				if k > 0 {
					longest = max(longest, now-last)
				}
				last = now
			}
			if away := last - at.Time; away > cycle || away < -cycle {
				t.Errorf("in the end cycles are estimated %v away from where they are", time.Duration(away))
			}
			if tt.at > n && longest > 4*cycle {
				t.Errorf("a cycle is estimated to take %v", time.Duration(longest))
			}
		})
	}
}
