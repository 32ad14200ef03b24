package setpoint_test

import (
	"math"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/setpoint"
)

// TestEndsWithinPositions ends a net at all places of a motion to a limit of position, also while it is braking in front of it:
// the joint comes to rest, and never beyond the limit.
func TestEndsWithinPositions(t *testing.T) {
	const slack = 4 * 10 * 1e-3
	for name, jerk := range map[string]float64{"acceleration": math.Inf(1), "jerk": 100} {
		for _, to := range []float64{2, -2, 1.99} {
			p := profileTo(t, to, jerk)
			for ends := int64(5); float64(ends)*1e-3 < p.Duration()+0.01; ends += 11 {
				r := newRig(t, 1, setpoint.Options{Cycle: time.Millisecond}, func(j *kinematics.Joint) { j.Jerk = jerk })
				last, vel := 0.0, 0.0
				for k := range ends + 500 {
					at := zero + k*ms
					if k < ends {
						r.command(0, p.At(float64(k)*1e-3).Pos, at, time.Millisecond)
					}
					got := r.bus(at)
					v := (got - last) * 1000
					if math.Abs(got) > 2+1e-9 || math.Abs(v) > 1.0101 || k > 0 && math.Abs(v-vel) > slack*1.0001+1e-9 {
						t.Fatalf("%s, to %v, ended in cycle %d, in cycle %d: %v, velocity from %v to %v", name, to, ends, k, got, vel, v)
					}
					last, vel = got, v
				}
				if vel != 0 || r.axes.Fault(0) != device.JointGood {
					t.Errorf("%s, to %v, ended in cycle %d: %v with %v, %s", name, to, ends, last, vel, r.axes.Trouble())
				}
			}
		}
	}
}

// TestLedBack: a joint that was pushed beyond a limit of position can be led back, but not farther out.
func TestLedBack(t *testing.T) {
	for name, direction := range map[string]float64{"back": -1, "out": 1} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, 1, setpoint.Options{Cycle: time.Millisecond})
			r.axes.Block(0, device.JointFailed, 2.1)
			r.bus(zero)
			r.axes.Unblock(0)
			p := profileTo(t, direction*0.5, math.Inf(1))
			last := 2.1
			for k := range int64(1000) {
				at := zero + (k+1)*ms
				r.command(0, 2.1+p.At(float64(k)*1e-3).Pos, at, time.Millisecond)
				got := r.bus(at)
				if math.Abs(got-last) > 0.0010101 || got > 2.1 {
					t.Fatalf("cycle %d: from %v to %v", k, last, got)
				}
				last = got
			}
			want, position, fault := 1.6, device.PositionGood, device.JointGood
			if direction > 0 {
				want, position, fault = 2.1, device.PositionOutOfRange, device.JointLimitPosition
			}
			if math.Abs(last-want) > 1e-9 || r.axes.Check(0, 2.1+direction*0.01) != position && direction > 0 || r.axes.Fault(0) != fault {
				t.Errorf("at %v, %v, %s", last, r.axes.Fault(0), r.axes.Trouble())
			}
			if direction < 0 && r.axes.Check(0, 2.05) != device.PositionOutOfRange {
				t.Error("once it is back, it may go out again")
			}
		})
	}
}

// TestDriverAway loses cycles of a bus while the net goes on: in the next one, the actuator is not commanded more than it can do in one
// cycle. The joint catches up, and when the net has ended, it comes to rest without a jump either.
func TestDriverAway(t *testing.T) {
	const change = 4 * 10 * 1e-3
	for _, away := range []int64{1, 3, 8, 40, 300} {
		for _, ends := range []int64{600, 5000} {
			r := newRig(t, 1, setpoint.Options{Cycle: time.Millisecond}, func(j *kinematics.Joint) { j.Jerk = 100 })
			p := profileTo(t, 1.5, 100)
			last, vel := 0.0, 0.0
			for k := range int64(4000) {
				at := zero + k*ms
				if k < ends {
					r.command(0, p.At(float64(k)*1e-3).Pos, at, time.Millisecond)
				}
				if k > 200 && k%700 >= 50 && k%700 < 50+away || k > 600 && k < 600+away {
					continue
				}
				got := r.bus(at)
				if v := (got - last) * 1000; math.Abs(v) > 1.0101 || math.Abs(v-vel) > change*1.0001+1e-9 {
					t.Fatalf("%d cycles away, cycle %d: velocity from %v to %v", away, k, vel, v)
				} else {
					last, vel = got, v
				}
			}
			if f := r.axes.Fault(0); f != device.JointGood || vel != 0 || ends == 5000 && math.Abs(last-1.5) > 1e-9 {
				t.Errorf("%d cycles away: at %v with %v, %s", away, last, vel, r.axes.Trouble())
			}
		}
	}
}
