package simarm_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/softrobot-rcc/rccd/devices/simarm"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/conform"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// bent is a posture that is not singular.
const bent = "[0.3,0.6,-0.2,1.2,0.1,0.8,0.4]"

func TestCompliance(t *testing.T) {
	for _, kind := range []string{"kuka_lwr_sim", "kuka_iiwa_sim"} {
		t.Run(kind, func(t *testing.T) {
			conform.Compliance(t, func(t *testing.T) *conform.Mechanism {
				return conform.Ticking(open(t, kind, params{"home_joint": bent, "tool_time": "10ms"}))
			})
		})
	}
}

// led is a lightweight arm and its cycle.
type led struct {
	*simarm.Lightweight
	cycle func()
}

func openLed(t *testing.T, p params) led {
	t.Helper()
	all := params{"home_joint": bent, "switch_time": "0s"}
	for name, v := range p {
		all[name] = v
	}
	d := open(t, "kuka_lwr_sim", all)
	return led{d.(*simarm.Lightweight), conform.Ticking(d).Cycle}
}

func (l led) cycles(n int) {
	for range n {
		l.cycle()
	}
}

func (l led) become(t *testing.T, s device.Strategy) {
	t.Helper()
	ticket := l.SetStrategy(s)
	l.cycles(1)
	if done, fault := l.StrategyDone(ticket); !done {
		t.Fatalf("%v: %v", s, fault)
	}
}

func (l led) positions() []float64 {
	q := make([]float64, l.Joints())
	for i := range q {
		q[i] = l.Joint(i).Measured.Pos
	}
	return q
}

// masses are those of the simulation, which follow from its torques: the drive exerts the inertia of the joint times its
// acceleration, less what pushes it.
func (l led) energy(mass []float64) float64 {
	sum := 0.0
	for i, m := range mass {
		s, k := l.Joint(i), l.JointImpedance(i).Stiffness
		away := s.Measured.Pos - s.Commanded.Pos
		sum += m*s.Measured.Vel*s.Measured.Vel/2 + k*away*away/2
	}
	return sum
}

func (l led) masses(t *testing.T) []float64 {
	t.Helper()
	mass := make([]float64, l.Joints())
	for i := range mass {
		l.Push(i, 1)
		l.cycles(1)
		mass[i] = (l.Torque(i).Measured + l.Torque(i).External) / l.Joint(i).Measured.Acc
		l.Push(i, 0)
		l.cycles(2000)
		if !(mass[i] > 0) {
			t.Fatalf("joint %d has a mass of %v", i, mass[i])
		}
	}
	return mass
}

// TestEnergy lets joints go that were pushed, with springs of all kinds, changes nothing more, and sees no energy come.
func TestEnergy(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	l := openLed(t, nil)
	l.become(t, device.JointCompliance)
	mass := l.masses(t)
	for range 40 {
		for i := range mass {
			l.SetJointImpedance(i, device.JointImpedance{Stiffness: math.Pow(10, 1+2.3*random.Float64()), Damping: random.Float64()})
			l.Push(i, 20*(random.Float64()-0.5))
		}
		l.cycles(1 + random.IntN(200))
		for i := range mass {
			l.Push(i, 0)
		}
		before := l.energy(mass)
		for n := range 500 {
			l.cycles(1)
			now := l.energy(mass)
			if now > before*(1+1e-9)+1e-15 {
				t.Fatalf("after %d cycles the energy goes from %v to %v", n, before, now)
			}
			before = now
		}
	}
}

// TestTipGivesWay: at rest the tip is away from where it is commanded by what pushes it over the stiffness, in the directions
// of the tool, and comes back when nothing pushes.
func TestTipGivesWay(t *testing.T) {
	l := openLed(t, params{"tcp": "{pos:{x:0,y:0.05,z:0.1},rot:{a:0.3,b:0,c:0}}"})
	tcp := geom.Frame{Pos: geom.Vector{Y: 0.05, Z: 0.1}, Rot: geom.FromABC(0.3, 0, 0)}
	l.become(t, device.CartesianCompliance)
	stiffness := geom.Wrench{Force: geom.Vector{X: 1000, Y: 500, Z: 2000}, Torque: geom.Vector{X: 100, Y: 50, Z: 80}}
	damping := geom.Vector{X: 0.7, Y: 0.7, Z: 0.7}
	l.SetCartesianImpedance(device.CartesianImpedance{Stiffness: stiffness, Damping: geom.Wrench{Force: damping, Torque: damping}})
	home := l.positions()
	at := l.Arm().Chain.Forward(home).Mul(tcp)
	for _, along := range []geom.Wrench{
		{Force: geom.Vector{X: 5}},
		{Force: geom.Vector{Y: -5}},
		{Force: geom.Vector{Z: 10}},
		{Torque: geom.Vector{X: 0.5}},
		{Torque: geom.Vector{Z: -0.4}},
	} {
		l.PushTip(along.Rotate(at.Rot))
		l.cycles(10_000)
		now := l.Arm().Chain.Forward(l.positions()).Mul(tcp)
		moved, turned := at.To(now).Pos, at.To(now).Rot.Log()
		want := geom.Vector{X: along.Force.X / stiffness.Force.X, Y: along.Force.Y / stiffness.Force.Y, Z: along.Force.Z / stiffness.Force.Z}
		wantTurn := geom.Vector{X: along.Torque.X / stiffness.Torque.X, Y: along.Torque.Y / stiffness.Torque.Y, Z: along.Torque.Z / stiffness.Torque.Z}
		if !moved.Near(want, 3e-4) || !turned.Near(wantTurn, 3e-4) {
			t.Errorf("%v moves the tip by %v and %v instead of %v and %v", along, moved, turned, want, wantTurn)
		}
		l.PushTip(geom.Wrench{})
		l.cycles(10_000)
		for i, q := range l.positions() {
			if !(math.Abs(q-home[i]) < 1e-6) {
				t.Errorf("after %v joint %d stays at %v instead of %v", along, i, q, home[i])
			}
		}
	}
}

// TestWeight: a payload is felt by the drives, but moves nothing.
func TestWeight(t *testing.T) {
	const mass, arm = 3.0, 0.2
	l := openLed(t, params{"home_joint": "[0,1.5707963267948966,0,0,0,0,0]"}) // stretched out
	l.become(t, device.JointCompliance)
	ticket := l.SetPayload(device.Payload{Mass: mass, COM: geom.Frame{Pos: geom.Vector{Z: arm}}})
	l.cycles(100)
	if done, fault := l.PayloadDone(ticket); !done {
		t.Fatal(fault)
	}
	reach := math.Abs(l.Arm().Chain.Forward(l.positions()).Pos.X) + arm
	if got, want := math.Abs(l.Torque(1).Measured), mass*9.80665*reach; !(math.Abs(got-want) < 0.01*want) {
		t.Errorf("joint 2 bears %v instead of %v", got, want)
	}
	if got := l.Joint(1).Measured.Pos; !(math.Abs(got-math.Pi/2) < 1e-6) {
		t.Errorf("the arm sinks to %v", got)
	}
	if got := l.Torque(1).External; got != 0 {
		t.Errorf("the weight is felt as a push by %v", got)
	}
}

// TestToolOfTheFlange: the load of the last joint, which all arms take, is the payload of this one, without the tip.
func TestToolOfTheFlange(t *testing.T) {
	const mass, arm = 3.0, 0.2
	l := openLed(t, params{"home_joint": "[0,1.5707963267948966,0,0,0,0,0]", "tcp": "{pos:{x:0,y:0,z:0.3},rot:{a:0,b:0,c:0}}"})
	l.PushTip(geom.Wrench{Force: geom.Vector{Z: -10}})
	l.cycles(500)
	before := l.Torque(1)
	ticket := l.SetTool(6, device.Tool{Mass: mass, COM: geom.Vector{Z: arm}})
	l.cycles(500)
	if done, fault := l.ToolDone(6, ticket); !done {
		t.Fatal(fault)
	}
	reach := math.Abs(l.Arm().Chain.Forward(l.positions()).Pos.X) + arm
	after := l.Torque(1)
	if got, want := math.Abs(after.Measured-before.Measured), mass*9.80665*reach; !(math.Abs(got-want) < 0.01*want) {
		t.Errorf("joint 2 bears %v more instead of %v", got, want)
	}
	if after.External == 0 || math.Abs(after.External-before.External) > 0.01*math.Abs(before.External) {
		t.Errorf("the push at the tip is felt as %v, before it was %v", after.External, before.External)
	}
	if got := l.Tool(6); got.Mass != mass || got.COM.Z != arm {
		t.Errorf("%+v", got)
	}
	ticket = l.SetTool(6, device.Tool{Mass: -1})
	l.cycles(1)
	if done, fault := l.ToolDone(6, ticket); done || fault == 0 {
		t.Errorf("a negative mass: %v %v", done, fault)
	}
	ticket = l.SetTool(2, device.Tool{Mass: 1})
	l.cycles(1)
	if done, fault := l.ToolDone(2, ticket); !done || fault != 0 || l.Tool(6).Mass == 1 {
		t.Errorf("another joint: %v %v", done, fault)
	}
}

// TestStruckTip: a script acts on the tip, beside people who push.
func TestStruckTip(t *testing.T) {
	l := openLed(t, params{"faults": "4ms tip 1 2 3 0.1 0.2 0.3; 8ms tip 0 0 0 0 0 0"})
	l.PushTip(geom.Wrench{Force: geom.Vector{X: 10}})
	for _, want := range []geom.Wrench{
		{Force: geom.Vector{X: 10}},
		{Force: geom.Vector{X: 10}},
		{Force: geom.Vector{X: 11, Y: 2, Z: 3}, Torque: geom.Vector{X: 0.1, Y: 0.2, Z: 0.3}},
		{Force: geom.Vector{X: 11, Y: 2, Z: 3}, Torque: geom.Vector{X: 0.1, Y: 0.2, Z: 0.3}},
		{Force: geom.Vector{X: 10}},
	} {
		l.cycles(1)
		_, got := l.Pushed()
		if got != want {
			t.Errorf("%v, not %v", got, want)
		}
		if felt := l.TipWrench(); math.Abs(felt.Force.Length()-want.Force.Length()) > 1e-6 {
			t.Errorf("felt %v of %v", felt, want)
		}
	}
}

// TestSwing: the tip of an iiwa goes to and fro as often as configured.
func TestSwing(t *testing.T) {
	d := open(t, "kuka_iiwa_sim", params{"home_joint": bent, "switch_time": "0s"})
	r, cycle := d.(*simarm.IIWA), conform.Ticking(d).Cycle
	cycle()
	r.SetStrategy(device.CartesianCompliance)
	cycle()
	swing := device.CartesianSwing{Amplitude: geom.Wrench{Force: geom.Vector{Z: 20}}, Frequency: geom.Wrench{Force: geom.Vector{Z: 2}}}
	r.SetSwing(swing)
	r.SetSwing(device.CartesianSwing{
		Amplitude: geom.Wrench{Force: geom.Vector{X: math.NaN(), Z: 20}}, Frequency: geom.Wrench{Force: geom.Vector{Y: -1, Z: math.Inf(1)}},
	})
	if got := r.Swing(); got != swing {
		t.Fatalf("%+v", got)
	}
	tip := func() geom.Frame {
		q := make([]float64, r.Joints())
		for i := range q {
			q[i] = r.Joint(i).Measured.Pos
		}
		return r.Arm().Chain.Forward(q)
	}
	home := tip()
	least, most, crossed, last := 0.0, 0.0, 0, 0.0
	for range 2500 { // 5 s
		cycle()
		z := home.To(tip()).Pos.Z
		least, most = min(least, z), max(most, z)
		if last < 0 && z >= 0 {
			crossed++
		}
		last = z
	}
	if least > -1e-3 || most < 1e-3 || crossed < 9 || crossed > 11 {
		t.Errorf("from %v to %v, %d times in 5 s", least, most, crossed)
	}
}

// TestHandGuiding: with very soft springs the arm goes where it is pushed and stays there as long as it takes.
func TestHandGuiding(t *testing.T) {
	l := openLed(t, nil)
	l.become(t, device.JointCompliance)
	for i := range l.Joints() {
		l.SetJointImpedance(i, device.JointImpedance{Stiffness: 0.01, Damping: 0})
	}
	from := l.Joint(3).Measured.Pos
	l.Push(3, 0.5)
	l.cycles(500)
	l.Push(3, 0)
	l.cycles(2500)
	there := l.Joint(3).Measured.Pos
	if !(there > from+0.05) {
		t.Fatalf("pushed from %v the joint is at %v", from, there)
	}
	l.cycles(1000)
	if now := l.Joint(3).Measured.Pos; !(math.Abs(now-there) < 0.02) {
		t.Errorf("the joint creeps from %v to %v", there, now)
	}
}

// TestSwitchFails: drives lose power, and the strategy is the one before.
func TestSwitchFails(t *testing.T) {
	l := openLed(t, params{"switch_fails": "2", "switch_time": "100ms"})
	for n, want := range []device.StrategyFault{device.StrategyGood, device.StrategyFailed} {
		next := device.Strategy(30 - 10*n)
		ticket := l.SetStrategy(next)
		l.cycles(20)
		if done, fault := l.StrategyDone(ticket); done || fault != device.StrategyGood || l.Strategy() == next {
			t.Fatalf("switched at once: %v %v", done, fault)
		}
		l.cycles(40)
		if done, fault := l.StrategyDone(ticket); done != (want == device.StrategyGood) || fault != want {
			t.Fatalf("switch %d: %v %v", n+1, done, fault)
		}
	}
	want := device.Status{State: device.SafeOperational, Cause: "the robot did not switch to another strategy; drives are off"}
	if s := l.Status(); s != want || l.Strategy() != device.JointCompliance {
		t.Errorf("%v, strategy %v", s, l.Strategy())
	}
	ticket := l.SetStrategy(device.PositionControl)
	l.cycles(1)
	if done, fault := l.StrategyDone(ticket); done || fault != device.StrategyNoPower {
		t.Errorf("without power: %v %v", done, fault)
	}
	l.Plant().Power(true)
	ticket = l.SetStrategy(device.PositionControl)
	l.cycles(100)
	if done, fault := l.StrategyDone(ticket); !done || l.Status().State != device.Operational {
		t.Errorf("with power again: %v %v", fault, l.Status())
	}
}

// TestTip is where the payload says: a force there is felt about the flange with its lever.
func TestTip(t *testing.T) {
	l := openLed(t, nil)
	ticket := l.SetPayload(device.Payload{TCP: geom.Frame{Pos: geom.Vector{X: 0.1, Z: 0.3}}})
	push := geom.Wrench{Force: geom.Vector{X: 2, Y: 7, Z: -3}, Torque: geom.Vector{Y: 0.2}}
	l.PushTip(push)
	l.cycles(1000)
	if done, fault := l.PayloadDone(ticket); !done {
		t.Fatal(fault)
	}
	var jacobian geom.Jacobian
	flange := l.Arm().Chain.Jacobian(l.positions(), &jacobian)
	want := make([]float64, l.Joints())
	jacobian.Torques(push.At(flange.Rot.Rotate(geom.Vector{X: 0.1, Z: 0.3}).Neg()), want)
	for i := range want {
		if got := l.Torque(i).External; !(math.Abs(got-want[i]) < 1e-3) {
			t.Errorf("joint %d feels %v instead of %v", i, got, want[i])
		}
	}
	felt := l.TipWrench().Rotate(flange.Rot).Sub(push)
	if !(felt.Force.Length() < 1e-3) || !(felt.Torque.Length() < 1e-3) {
		t.Errorf("what is felt at the tip is wrong by %v", felt)
	}
}
