package plant_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/plant"
	"github.com/softrobot-rcc/rccd/rcc/device/script"
)

// usual are drives of which nothing is special.
var usual = plant.Options{Bandwidth: 25, Damping: 1, Stiffness: 1e4, Seed: 1}

func newJoints(t testing.TB, o plant.Options, period time.Duration, at ...float64) *plant.Joints {
	t.Helper()
	brakes := make([]float64, len(at))
	for i := range brakes {
		brakes[i] = 20
	}
	j, err := plant.New(o, period, at, brakes)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// TestDynamics: a step of any length is what the differential equation makes of a command that goes on steadily, as solved by
// the method of Runge and Kutta in many small steps.
func TestDynamics(t *testing.T) {
	for _, damping := range []float64{0.05, 0.7, 1, 1 + 1e-9, 3} {
		for _, period := range []time.Duration{125 * time.Microsecond, 2 * time.Millisecond, 100 * time.Millisecond} {
			o := usual
			o.Damping = damping
			j := newJoints(t, o, period, 0)
			omega, h := 2*math.Pi*o.Bandwidth, period.Seconds()
			pos, vel, from := 0.0, 0.0, 0.0
			for k := range 40 {
				to := 0.3 * math.Sin(float64(k)*0.7)
				j.Step([]float64{to})
				pos, vel = integrate(pos, vel, from, to, omega, damping, h)
				from = to
				if m := j.Measured(0); math.Abs(m.Pos-pos) > 1e-9 || math.Abs(m.Vel-vel) > 1e-6 {
					t.Fatalf("damping %v, every %v, step %d: %v %v, not %v %v", damping, period, k, m.Pos, m.Vel, pos, vel)
				}
				if want := omega*omega*(to-pos) - 2*damping*omega*vel; math.Abs(j.Measured(0).Acc-want) > 1e-3 {
					t.Fatalf("acceleration %v, not %v", j.Measured(0).Acc, want)
				}
			}
		}
	}
}

func integrate(pos, vel, from, to, omega, damping, h float64) (newPos, newVel float64) {
	const steps = 4000
	d := h / steps
	acc := func(p, v, at float64) float64 { return omega*omega*(from+(to-from)*at/h-p) - 2*damping*omega*v }
	for k := range steps {
		at := float64(k) * d
		v1, a1 := vel, acc(pos, vel, at)
		v2, a2 := vel+d/2*a1, acc(pos+d/2*v1, vel+d/2*a1, at+d/2)
		v3, a3 := vel+d/2*a2, acc(pos+d/2*v2, vel+d/2*a2, at+d/2)
		v4, a4 := vel+d*a3, acc(pos+d*v3, vel+d*a3, at+d)
		pos += d / 6 * (v1 + 2*v2 + 2*v3 + v4)
		vel += d / 6 * (a1 + 2*a2 + 2*a3 + a4)
	}
	return pos, vel
}

// TestStable with any bandwidth and period: what is commanded is reached, and nothing grows.
func TestStable(t *testing.T) {
	for _, bandwidth := range []float64{0.1, 10, 1e5} {
		for _, damping := range []float64{0.01, 1, 100} {
			for _, period := range []time.Duration{100 * time.Microsecond, time.Second} {
				o := usual
				o.Bandwidth, o.Damping = bandwidth, damping
				j := newJoints(t, o, period, 0)
				for k := range 20_000 {
					j.Step([]float64{1})
					if p := j.Position(0); !(math.Abs(p) <= 3) {
						t.Fatalf("%v Hz, damping %v, every %v: %v after %d steps", bandwidth, damping, period, p, k)
					}
				}
			}
		}
	}
}

// TestMeasured: sensors are as late as configured, and noise is that of the seed.
func TestMeasured(t *testing.T) {
	o := usual
	o.Lag = 5 * time.Millisecond / 2
	late, now := newJoints(t, o, time.Millisecond, 0), newJoints(t, usual, time.Millisecond, 0)
	var was []float64
	for k := range 200 {
		command := []float64{0.001 * float64(k)}
		late.Step(command)
		now.Step(command)
		was = append(was, now.Measured(0).Pos)
		if k < 4 {
			continue
		}
		if want, got := (was[k-2]+was[k-3])/2, late.Measured(0).Pos; math.Abs(got-want) > 1e-12 || late.Position(0) != was[k] {
			t.Fatalf("step %d: %v, not %v", k, got, want)
		}
	}

	o = usual
	o.Noise = 1e-3
	same, other := newJoints(t, o, time.Millisecond, 0), newJoints(t, o, time.Millisecond, 0)
	o.Seed = 2
	different := newJoints(t, o, time.Millisecond, 0)
	sum, squares, n := 0.0, 0.0, 20_000
	for range n {
		same.Step([]float64{0})
		other.Step([]float64{0})
		different.Step([]float64{0})
		v := same.Measured(0).Pos
		if v != other.Measured(0).Pos || v == different.Measured(0).Pos {
			t.Fatal("noise is not that of its seed")
		}
		sum, squares = sum+v, squares+v*v
	}
	if mean, deviation := sum/float64(n), math.Sqrt(squares/float64(n)); math.Abs(mean) > 4e-5 || math.Abs(deviation-1e-3) > 4e-5 {
		t.Errorf("mean %v, deviation %v", mean, deviation)
	}
}

// TestPower: without power the brakes bring joints to rest, where they stay; with it they follow from there.
func TestPower(t *testing.T) {
	j := newJoints(t, usual, time.Millisecond, 0)
	command := 0.0
	for range 500 {
		command += 1e-3
		j.Step([]float64{command})
	}
	before, vel := j.Position(0), j.Measured(0).Vel
	j.Power(false)
	if j.Fault(0) != device.JointDrivesOff {
		t.Error(j.Fault(0))
	}
	for range 500 {
		command += 1e-3
		j.Step([]float64{command})
	}
	way := vel * vel / 2 / 20
	at := j.Measured(0)
	if math.Abs(at.Pos-before-way) > 1e-9 || at.Vel != 0 || at.Acc != 0 {
		t.Errorf("%+v after %v", at, before+way)
	}
	j.Power(true)
	for range 100 {
		j.Step([]float64{at.Pos})
		if j.Measured(0) != at {
			t.Fatalf("it moves to %+v", j.Measured(0))
		}
	}
	if j.Fault(0) != device.JointGood {
		t.Error(j.Fault(0))
	}
}

// TestEmergencyStop: it holds drives off, and leaves them off.
func TestEmergencyStop(t *testing.T) {
	j := newJoints(t, usual, time.Millisecond, 0)
	j.EmergencyStop(true)
	j.Power(true)
	if !j.Stopped() || j.Powered() || j.Fault(0) != device.JointDrivesOff {
		t.Error("pressed")
	}
	j.EmergencyStop(true)
	j.EmergencyStop(false)
	if j.Stopped() || j.Powered() {
		t.Error("released, but power is back")
	}
	j.Power(true)
	if !j.Powered() || j.Fault(0) != device.JointGood {
		t.Error("power is not back")
	}
}

// TestTorque: a joint gives way as its stiffness lets it, and comes back.
func TestTorque(t *testing.T) {
	j := newJoints(t, usual, time.Millisecond, 0.5)
	settle := func() float64 {
		for range 1000 {
			j.Step([]float64{0.5})
		}
		return j.Position(0)
	}
	j.Push(0, 100)
	if got := settle(); math.Abs(got-0.51) > 1e-9 || j.Torque(0) != 100 {
		t.Errorf("%v", got)
	}
	j.Push(0, math.NaN())
	j.Push(0, 0)
	if got := settle(); math.Abs(got-0.5) > 1e-9 {
		t.Errorf("%v", got)
	}
}

// TestScript: what scripts let happen to joints.
func TestScript(t *testing.T) {
	j := newJoints(t, usual, time.Millisecond, 0, 0)
	s, err := script.Parse(" 40ms repair 1; 10ms off; 20ms on ;30ms fail 1;; 45ms limit 0;50ms estop; 60ms release; 60ms on; 70ms torque 1 -2.5;", plant.Words(2))
	if err != nil {
		t.Fatal(err)
	}
	off, bad, limit := device.JointDrivesOff, device.JointFailed, device.JointLimitPosition
	want := map[int64][2]device.JointFault{
		0: {}, 9: {}, 10: {off, off}, 19: {off, off}, 20: {}, 30: {0, bad}, 40: {}, 45: {limit, 0}, 50: {off, off}, 59: {off, off}, 60: {limit, 0},
	}
	for at := range int64(80) {
		for e, due := s.Next(at * int64(time.Millisecond)); due; e, due = s.Next(at * int64(time.Millisecond)) {
			j.Happen(&e)
		}
		if w, ok := want[at]; ok && w != [2]device.JointFault{j.Fault(0), j.Fault(1)} {
			t.Errorf("at %d ms: %v %v, not %v", at, j.Fault(0), j.Fault(1), w)
		}
	}
	if j.Torque(1) != -2.5 || j.Torque(0) != 0 {
		t.Error(j.Torque(1))
	}
}

func TestNewRefuses(t *testing.T) {
	for want, f := range map[string]func() (*plant.Joints, error){
		"no cycle time":         func() (*plant.Joints, error) { return plant.New(usual, 0, nil, nil) },
		"1 positions, 0 brakes": func() (*plant.Joints, error) { return plant.New(usual, 1, []float64{1}, nil) },
		"joint 0 has no brake":  func() (*plant.Joints, error) { return plant.New(usual, 1, []float64{1}, []float64{0}) },
	} {
		if _, err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, not %q", err, want)
		}
	}
}

// TestHostile: joints that are not there, and commands that are not numbers, move nothing.
func TestHostile(t *testing.T) {
	j := newJoints(t, usual, time.Millisecond, 0.25)
	for _, i := range []int{-1, 1} {
		j.Fail(i, device.JointFailed)
		j.Push(i, 1)
		if j.Fault(i) == device.JointGood || j.Position(i) != 0 || j.Torque(i) != 0 || j.Measured(i) != (device.JointMotion{}) {
			t.Error(i)
		}
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), -1e300} {
		j.Step([]float64{v})
		j.Step(nil)
	}
	if p := j.Position(0); p != 0.25 {
		t.Error(p)
	}
}

func TestAllocations(t *testing.T) {
	o := usual
	o.Noise, o.Lag = 1e-3, 3*time.Millisecond
	j := newJoints(t, o, time.Millisecond, 0, 0, 0)
	commands := []float64{1, 2, 3}
	off := script.Event{What: 0}
	if w := plant.Words(3); w[0].Name != "off" {
		t.Fatal(w[0].Name)
	}
	if n := alloc.Least(func() { j.Happen(&off); j.Step(commands) }); n != 0 {
		t.Errorf("%d allocations", n)
	}
}
