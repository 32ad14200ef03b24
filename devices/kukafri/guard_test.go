package kukafri

import (
	"math"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/link"
)

// TestGuard: whatever set-points come to, what is sent is never farther from what was sent before than the robot can go; what was
// sent before stays, and somebody has to look.
func TestGuard(t *testing.T) {
	network := link.NewVirtual(time.Unix(1_700_000_000, 0))
	d, err := Over(network.Open).Open(&device.Env{Name: "lwr"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	r := d.(*Robot)
	s := &r.session
	for _, tt := range []struct {
		step float64 // as a share of what is possible in a cycle
		lost int
		want bool
	}{{0, 0, true}, {1, 0, true}, {-1, 0, true}, {1.1, 0, false}, {-1.1, 0, false}, {3, 2, true}, {3.3, 2, false}, {math.NaN(), 0, false}, {math.Inf(1), 0, false}} {
		s.lost = tt.lost
		s.values = s.sent
		s.values[3] += tt.step * r.limits[3] * s.period
		if got := r.sound(); got != tt.want {
			t.Errorf("a step of %v cycles after %d lost telegrams: %v", tt.step, tt.lost, got)
		}
	}

	s.lost, s.now.State, s.time = 0, wire.Command, network.Now()
	s.mirror = [seven]float64{1, 1, 1, 1, 1, 1, 1} // set-points are at 0
	r.lead()
	if s.sent != s.mirror || s.engaged || s.armed || r.axes.Fault(0) == device.JointGood || loss(r.shown.loss.Load()) != beyondLimits {
		t.Errorf("it sends %v, armed: %v", s.sent, s.armed)
	}
}
