package setpoint_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/device/setpoint"
)

// TestSmoothing: equation 9.2 literally, with the original times until there are n cycle times.
func TestSmoothing(t *testing.T) {
	const n, cycle = 50, 4_000_000
	rnd := rand.New(rand.NewPCG(1, 2))
	s := setpoint.NewSmoother(n, cycle)
	var measured []int64
	estimate := 0.0 // relative to the first time, which floating point has digits enough for
	for x := range 3000 {
		measured = append(measured, 1_700_000_000_000_000_000+int64(x)*cycle+rnd.Int64N(400_000))
		got := s.Next(measured[x])
		if x < n {
			if got != measured[x] {
				t.Fatalf("cycle %d: %d is not an original time", x, got)
			}
			estimate = float64(got - measured[0])
			continue
		}
		estimate += float64(measured[x]-measured[x-n]) / n
		if d := float64(got-measured[0]) - estimate; d < -1 || d > 1 {
			t.Fatalf("cycle %d: %v ns away from the equation", x, d)
		}
	}
}

// TestSmoothingIsSmooth: cycle times vary n times less, and nothing is lost over a long time.
func TestSmoothingIsSmooth(t *testing.T) {
	const n, cycle, jitter = 50, 1_000_003, 300_000
	rnd := rand.New(rand.NewPCG(3, 4))
	s := setpoint.NewSmoother(n, cycle)
	last := int64(0)
	for x := range int64(200_000) {
		measured := x*cycle + rnd.Int64N(jitter)
		got := s.Next(measured)
		if step := got - last; x > n && (step < cycle-jitter/n-1 || step > cycle+jitter/n+1) {
			t.Fatalf("cycle %d takes %d ns", x, step)
		}
		if away := got - measured; away < -2*jitter || away > 2*jitter {
			t.Fatalf("cycle %d is estimated %d ns away", x, away)
		}
		last = got
	}
}

func TestWithoutSmoothing(t *testing.T) {
	for _, n := range []int{-1, 0, 1} {
		s := setpoint.NewSmoother(n, time.Millisecond)
		for _, at := range []int64{5, 7, 6} {
			if got := s.Next(at); got != at {
				t.Errorf("n = %d: %d instead of %d", n, got, at)
			}
		}
	}
}

// TestSmoothingBeginsAnew after a bus has stood still.
func TestSmoothingBeginsAnew(t *testing.T) {
	s := setpoint.NewSmoother(3, time.Microsecond)
	for x := range int64(10) {
		s.Next(x * 1000)
	}
	s.Restart()
	for _, at := range []int64{70_000, 71_000, 72_000, 73_000} {
		if got := s.Next(at); got != at {
			t.Errorf("%d instead of %d", got, at)
		}
	}
}

// TestSmoothingForgetsDelays: what happens among the first cycles is forgotten, and a delay that comes later lets the estimate go on
// smoothly, as equation 9.2 has it.
func TestSmoothingForgetsDelays(t *testing.T) {
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
			s := setpoint.NewSmoother(n, time.Duration(cycle))
			measured, due, last, longest := int64(0), int64(0), int64(0), int64(0)
			for k := range 10 * n {
				due += cycle
				switch {
				case k == tt.at:
					measured = due + tt.late*cycle
					if !tt.caught {
						due = measured
					}
				case due > measured:
					measured = due
				}
				now := s.Next(measured)
				if away := now - measured; away > tt.ahead*cycle || away < -tt.ahead*cycle {
					t.Fatalf("cycle %d is estimated %v away from where it is", k, time.Duration(away))
				}
				if k > 0 {
					longest = max(longest, now-last)
				}
				last = now
			}
			if away := last - measured; away > cycle || away < -cycle {
				t.Errorf("in the end cycles are estimated %v away from where they are", time.Duration(away))
			}
			if tt.at > n && longest > 4*cycle {
				t.Errorf("a cycle is estimated to take %v", time.Duration(longest))
			}
		})
	}
}
