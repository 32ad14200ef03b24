package setpoint_test

import (
	"math/rand/v2"
	"testing"

	"github.com/softrobot-rcc/rccd/rcc/device/setpoint"
)

// TestSmoothing: equation 9.2 as it is written, with the original times until there are n cycle times.
func TestSmoothing(t *testing.T) {
	const n, cycle = 50, 4_000_000
	rnd := rand.New(rand.NewPCG(1, 2))
	s := setpoint.NewSmoother(n)
	var measured []int64
	estimate := 0.0 // relative to the first time, which floating point has digits enough for
	for x := range 3000 {
		measured = append(measured, 1_700_000_000_000_000_000+int64(x)*cycle+rnd.Int64N(400_000))
		got := s.Next(measured[x])
		if x < n {
			if got != measured[x] {
				t.Fatalf("cycle %d: %d is no original time", x, got)
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
	s := setpoint.NewSmoother(n)
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
		s := setpoint.NewSmoother(n)
		for _, at := range []int64{5, 7, 6} {
			if got := s.Next(at); got != at {
				t.Errorf("n = %d: %d instead of %d", n, got, at)
			}
		}
	}
}

// TestSmoothingBeginsAnew after a bus has stood still.
func TestSmoothingBeginsAnew(t *testing.T) {
	s := setpoint.NewSmoother(3)
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
