package conform

import (
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Compliance checks a robot that gives way, whose joints rest under power and have room of a tenth on both sides. Checks that
// need a push are left out when nobody can push it.
func Compliance(t *testing.T, open func(t *testing.T) *Mechanism) {
	t.Helper()
	t.Run("strategies", func(t *testing.T) { strategies(t, compliant(t, open)) })
	t.Run("impedance", func(t *testing.T) { impedance(t, compliant(t, open)) })
	t.Run("payloads", func(t *testing.T) { payloads(t, compliant(t, open)) })
	t.Run("beyond", func(t *testing.T) { compliantBeyond(t, compliant(t, open)) })
	t.Run("allocations", func(t *testing.T) { compliantAllocations(t, compliant(t, open)) })
	t.Run("pushed", func(t *testing.T) { pushed(t, compliant(t, open)) })
	t.Run("felt", func(t *testing.T) { felt(t, compliant(t, open)) })
}

// robot is a mechanism that gives way.
type robot struct {
	*Mechanism
	device.Compliant
}

func (r *robot) Joint(joint int) device.JointState { return r.Compliant.Joint(joint) }

func compliant(t *testing.T, open func(t *testing.T) *Mechanism) *robot {
	t.Helper()
	m := open(t)
	c, ok := m.MultiJoint.(device.Compliant)
	if !ok {
		t.Fatalf("%T does not give way", m.MultiJoint)
	}
	return &robot{m, c}
}

// patience is how many cycles a robot may need for what takes time.
const patience = 20_000

// become waits for a strategy, and returns why it has not come.
func (r *robot) become(s device.Strategy) device.StrategyFault {
	ticket := r.SetStrategy(s)
	for range patience {
		r.Cycle()
		if done, fault := r.StrategyDone(ticket); done || fault != device.StrategyGood {
			return fault
		}
	}
	return device.StrategyFailed
}

// rest lets everything come to rest.
func (r *robot) rest() {
	for range patience / 4 {
		r.Cycle()
	}
}

func strategies(t *testing.T, r *robot) {
	t.Helper()
	for _, want := range []device.Strategy{
		device.JointCompliance, device.CartesianCompliance, device.PositionControl, device.CartesianCompliance, device.CartesianCompliance,
		device.JointCompliance, device.PositionControl,
	} {
		var before []float64
		for j := range r.Compliant.Joints() {
			before = append(before, r.Joint(j).Measured.Pos)
		}
		if fault := r.become(want); fault != device.StrategyGood || r.Strategy() != want {
			t.Fatalf("%v instead of %v: %v", r.Strategy(), want, fault)
		}
		r.rest()
		for j, was := range before {
			if is := r.Joint(j); math.Abs(is.Measured.Pos-was) > 1e-3 || is.Fault != device.JointGood {
				t.Errorf("by %v joint %d goes from %v to %+v", want, j, was, is)
			}
		}
		if fault := r.become(7); fault != device.StrategyUnknown || r.Strategy() != want {
			t.Errorf("strategy 7: %v, and %v is in force", fault, r.Strategy())
		}
	}
}

func impedance(t *testing.T, r *robot) {
	t.Helper()
	for j := range r.Compliant.Joints() {
		want := device.JointImpedance{Stiffness: 100 + float64(j), Damping: 0.5, Add: 0.25}
		r.SetJointImpedance(j, want)
		if got := r.JointImpedance(j); got != want {
			t.Errorf("joint %d: %v instead of %v", j, got, want)
		}
		r.SetJointImpedance(j, device.JointImpedance{Stiffness: math.NaN(), Damping: 0.75, Add: math.NaN()})
		want.Damping = 0.75
		if got := r.JointImpedance(j); got != want {
			t.Errorf("joint %d: %v instead of %v", j, got, want)
		}
		r.SetJointImpedance(j, device.JointImpedance{Stiffness: -1, Damping: 2, Add: 0})
		if got := r.JointImpedance(j); got.Stiffness < 0 || got.Damping > 1 {
			t.Errorf("joint %d: %v", j, got)
		}
	}
	three := func(v float64) geom.Vector { return geom.Vector{X: v, Y: v + 1, Z: v + 2} }
	want := device.CartesianImpedance{
		Stiffness: geom.Wrench{Force: three(100), Torque: three(10)}, Damping: geom.Wrench{Force: geom.Vector{X: 0.5}, Torque: geom.Vector{Y: 0.25}},
		Add: geom.Wrench{Force: three(1)},
	}
	r.SetCartesianImpedance(want)
	if got := r.CartesianImpedance(); got != want {
		t.Errorf("%v instead of %v", got, want)
	}
	wrong := want
	wrong.Stiffness.Force.Y, wrong.Damping.Torque.X = math.NaN(), -1
	r.SetCartesianImpedance(wrong)
	if got := r.CartesianImpedance(); got != want {
		t.Errorf("%v instead of %v", got, want)
	}
}

func payloads(t *testing.T, r *robot) {
	t.Helper()
	set := func(p device.Payload) (bool, device.PayloadFault) {
		ticket := r.SetPayload(p)
		if done, _ := r.PayloadDone(ticket); done {
			t.Error("a payload is in use before the robot knows of it")
		}
		for range patience {
			r.Cycle()
			if done, fault := r.PayloadDone(ticket); done || fault != device.PayloadGood {
				return done, fault
			}
		}
		return false, device.PayloadGood
	}
	good := device.Payload{Mass: 2, COM: geom.Frame{Pos: geom.Vector{Z: 0.1}}, TCP: geom.Frame{Pos: geom.Vector{Z: 0.2}}}
	for _, mass := range []float64{2, 0, 3} {
		good.Mass = mass
		if done, fault := set(good); !done || fault != device.PayloadGood {
			t.Errorf("%v kg: %v, fault %d", mass, done, fault)
		}
	}
	for _, mass := range []float64{-1, math.NaN(), math.Inf(1)} {
		good.Mass = mass
		if done, fault := set(good); done || fault != device.PayloadWrong {
			t.Errorf("%v kg: %v, fault %d", mass, done, fault)
		}
	}
}

// compliantBeyond uses joints that are not there.
func compliantBeyond(t *testing.T, r *robot) {
	t.Helper()
	for _, j := range []int{-1, r.Compliant.Joints(), 1 << 40} {
		r.SetJointImpedance(j, device.JointImpedance{Stiffness: 1})
		if r.JointImpedance(j) != (device.JointImpedance{}) || r.Torque(j) != (device.Torque{}) {
			t.Errorf("joint %d is there", j)
		}
	}
}

func compliantAllocations(t *testing.T, r *robot) {
	t.Helper()
	strategies := []device.Strategy{device.JointCompliance, device.CartesianCompliance, device.PositionControl}
	k := 0
	n := alloc.Least(func() {
		k++
		ticket := r.SetStrategy(strategies[k%len(strategies)])
		r.SetJointImpedance(1, r.JointImpedance(0))
		r.SetCartesianImpedance(r.CartesianImpedance())
		load := r.SetPayload(device.Payload{Mass: float64(k % 5)})
		for range 5 {
			r.Cycle()
		}
		_, _ = r.StrategyDone(ticket)
		_, _ = r.PayloadDone(load)
		_, _, _ = r.Strategy(), r.Torque(0), r.TipWrench()
	})
	if n != 0 {
		t.Errorf("%d allocations in a cycle", n)
	}
}

// pushed pushes joints. At rest each is away by its torque over its stiffness; the strategy is kept while they are away.
func pushed(t *testing.T, r *robot) {
	t.Helper()
	yielding, ok := r.Compliant.(device.Yielding)
	if !ok {
		return
	}
	if fault := r.become(device.JointCompliance); fault != device.StrategyGood {
		t.Fatal(fault)
	}
	for j := range r.Compliant.Joints() {
		r.SetJointImpedance(j, device.JointImpedance{Stiffness: 50, Damping: 0.7})
		for _, torque := range []float64{-4, 0} {
			yielding.Push(j, torque)
			r.rest()
			s := r.Joint(j)
			if away, want := s.Measured.Pos-s.Commanded.Pos, torque/50; !(math.Abs(away-want) < 1e-6) {
				t.Errorf("joint %d is away by %v instead of %v", j, away, want)
			}
			if got := r.Torque(j).External; !(math.Abs(got-torque) < 1e-6) {
				t.Errorf("joint %d feels %v instead of %v", j, got, torque)
			}
			want := device.StrategyGood
			if torque != 0 {
				want = device.StrategyApart
			}
			if fault := r.become(device.PositionControl); fault != want || r.Strategy() == device.PositionControl != (torque == 0) {
				t.Errorf("pushed by %v: %v, and %v is in force", torque, fault, r.Strategy())
			}
			if fault := r.become(device.JointCompliance); fault != device.StrategyGood {
				t.Fatal(fault)
			}
		}
	}
}

// felt pushes the tip: what joints feel and what is felt at the tip is one wrench, in whatever strategy.
func felt(t *testing.T, r *robot) {
	t.Helper()
	yielding, ok := r.Compliant.(device.Yielding)
	if !ok {
		return
	}
	chain := r.Arm().Chain
	for _, s := range []device.Strategy{device.PositionControl, device.JointCompliance, device.CartesianCompliance} {
		if fault := r.become(s); fault != device.StrategyGood {
			t.Fatal(fault)
		}
		push := geom.Wrench{Force: geom.Vector{X: 3, Y: -2, Z: 5}, Torque: geom.Vector{X: 0.1, Y: 0.2, Z: -0.3}}
		yielding.PushTip(push)
		r.rest()
		q := make([]float64, r.Compliant.Joints())
		for j := range q {
			q[j] = r.Joint(j).Measured.Pos
		}
		var jacobian geom.Jacobian
		flange := chain.Jacobian(q, &jacobian)
		want := make([]float64, len(q))
		jacobian.Torques(push, want) // the tip is the flange as long as there is no payload
		for j := range want {
			if got := r.Torque(j).External; !(math.Abs(got-want[j]) < 1e-3) {
				t.Errorf("%v: joint %d feels %v instead of %v", s, j, got, want[j])
			}
		}
		got := r.TipWrench().Rotate(flange.Rot).Sub(push)
		if !(got.Force.Length() < 1e-2) || !(got.Torque.Length() < 1e-2) {
			t.Errorf("%v: what is felt at the tip is wrong by %v", s, got)
		}
		yielding.PushTip(geom.Wrench{})
		r.rest()
	}
}
