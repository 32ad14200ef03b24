package setpoint_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/setpoint"
)

// stepping are axes for nets whose velocities change at once.
func stepping(t *testing.T) *rig {
	t.Helper()
	return newRig(t, 1, setpoint.Options{Cycle: time.Millisecond, Steps: true, Margin: 1})
}

// TestSteps: where velocities may change at once, values are the set-points whatever these do within twice the velocity, and what is
// faster is refused.
func TestSteps(t *testing.T) {
	r := stepping(t)
	rnd, pos := rand.New(rand.NewPCG(1, 1)), 0.0
	at := zero
	for k := range 2000 {
		if k > 0 {
			pos = min(max(pos+4e-3*(rnd.Float64()-0.5), -1.9), 1.9)
		}
		r.command(0, pos, at, time.Millisecond)
		if got := r.bus(at); math.Abs(got-pos) > 1e-12 || r.axes.Fault(0) != device.JointGood {
			t.Fatalf("cycle %d: %v instead of %v: %s", k, got, pos, r.axes.Trouble())
		}
		at += ms
	}
	r.command(0, pos-math.Copysign(0.0021, pos), at, time.Millisecond)
	if f := r.axes.Fault(0); f != device.JointLimitVelocity {
		t.Errorf("2.1 rad/s: %v", f)
	}
}

// TestLateSwitch: a net that begins where the one before was planned to be some cycles ago is taken up if velocities may change at once, and
// refused otherwise. A larger step is always refused.
func TestLateSwitch(t *testing.T) {
	for _, tt := range []struct {
		name   string
		steps  bool
		cycles float64
		fault  device.JointFault
	}{
		{"strict, in time", false, 0, device.JointGood},
		{"strict, two cycles late", false, 2, device.JointElsewhere},
		{"two cycles late", true, 2, device.JointGood},
		{"two cycles early", true, -2, device.JointGood},
		{"five cycles late", true, 5, device.JointElsewhere},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, most := newRig(t, 1, setpoint.Options{Cycle: time.Millisecond}), 1.0101
			if tt.steps {
				r, most = stepping(t), 2.0001
			}
			p := profileTo(t, 1.5, math.Inf(1))
			k, last := int64(0), 0.0
			for ; k < 500; k++ { // at 1 rad/s by now
				r.command(0, p.At(float64(k)*1e-3).Pos, zero+k*ms, time.Millisecond)
				last = r.bus(zero + k*ms)
			}
			for n := range int64(100) {
				pos := p.At((float64(k) - tt.cycles) * 1e-3).Pos
				r.axes.Command(0, pos, device.Instant{Time: zero + k*ms, Period: 1e-3, Cycle: uint64(n + 1)})
				got := r.bus(zero + k*ms)
				if f := r.axes.Fault(0); f != tt.fault {
					t.Fatalf("cycle %d: %v: %s", n+1, f, r.axes.Trouble())
				}
				if math.Abs(got-last) > most*1e-3 {
					t.Fatalf("cycle %d: from %v to %v", n+1, last, got)
				}
				if tt.fault == device.JointGood && n > 10 && math.Abs(got-pos) > 1e-12 {
					t.Fatalf("cycle %d: %v instead of %v", n+1, got, pos)
				}
				last = got
				k++
			}
		})
	}
}

// TestPlace: a joint of a simulation that jumps is there in the next cycle, at rest, the actuator is informed once, and nets go
// on from there.
func TestPlace(t *testing.T) {
	r := stepping(t)
	at, cycle := zero, uint64(0)
	step := func(place bool, pos float64) float64 {
		cycle++
		i := device.Instant{Time: at, Period: 1e-3, Cycle: cycle}
		if place {
			r.axes.Place(0, pos, i)
		}
		r.axes.Command(0, pos, i)
		got := r.bus(at)
		at += ms
		return got
	}
	for k := range 20 {
		if got := step(true, 1.25); got != 1.25 || r.axes.Fault(0) != device.JointGood {
			t.Fatalf("cycle %d: %v: %s", k+1, got, r.axes.Trouble())
		}
		if to, jumped := r.axes.Placed(0); jumped != (k == 0) || jumped && to != 1.25 {
			t.Errorf("cycle %d: placed at %v, %t", k+1, to, jumped)
		}
	}
	if c := r.axes.Commanded(0); c != (device.JointMotion{Pos: 1.25}) {
		t.Errorf("it does not rest: %+v", c)
	}
	cycle = 0 // another net, near there: no jump
	if got := step(true, 1.25001); math.Abs(got-1.25001) > 1e-5 {
		t.Errorf("near there: %v", got)
	}
	if _, jumped := r.axes.Placed(0); jumped {
		t.Error("it has jumped to where it could go")
	}
	step(true, 2.5)
	if f := r.axes.Fault(0); f != device.JointLimitPosition {
		t.Errorf("out of range: %v", f)
	}
	for range 30 {
		r.bus(at)
		at += ms
	}
	cycle = 0
	step(false, 0) // who does not ask for it is refused
	if trouble := r.axes.Trouble(); !strings.Contains(trouble, "a net began where the joint was not") {
		t.Errorf("without Place: %q", trouble)
	}
	r.axes.Block(0, device.JointDrivesOff, 0.3)
	r.bus(at)
	step(true, -1)
	if c := r.axes.Commanded(0); c.Pos != 0.3 {
		t.Errorf("without power it is at %v", c.Pos)
	}
}
