package setpoint_test

import (
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/rcc/device/setpoint"
)

// TestTowards loses cycles of a bus at all places of a motion: what is commanded afterwards begins where the actuator stood still, is
// within the bounds all the time, and is back at the motion soon.
func TestTowards(t *testing.T) {
	b := setpoint.Bounds{Vel: 2, Acc: 40, Span: 0.004}
	motion := func(s float64) (pos, vel float64) { return 0.5 * (1 - math.Cos(3*s)), 1.5 * math.Sin(3*s) }
	for lost := 1; lost < 30; lost++ {
		pos, vel, back := 0.0, 0.0, 0
		for k := range 600 {
			at, slope := motion(float64(k) * b.Span)
			if in := k % 300; in >= 100 && in < 100+lost {
				vel = 0 // it stands still
				continue
			}
			next, v := b.Towards(pos, vel, at, slope)
			if math.Abs(v) > b.Vel*(1+1e-9) || math.Abs(v-vel) > b.Acc*b.Span*(1+1e-9) || math.Abs(next-pos-v*b.Span) > 1e-12 {
				t.Fatalf("%d lost, cycle %d: from %v with %v to %v with %v", lost, k, pos, vel, next, v)
			}
			if pos, vel = next, v; pos == at {
				back++
			}
		}
		if back < 400-2*lost {
			t.Errorf("%d lost: at the set-points in %d cycles only", lost, back)
		}
	}
}
