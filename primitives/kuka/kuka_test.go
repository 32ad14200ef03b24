package kuka_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/testkit"
	"github.com/softrobot-rcc/rccd/primitives/kuka"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// stiff is an arm that does nothing but to know where it is.
type stiff struct{ arm *kinematics.Arm }

func (s stiff) Status() device.Status { return device.Status{State: device.Operational} }
func (s stiff) Interfaces() []device.Interface {
	return []device.Interface{device.AnnounceKinematics()}
}
func (s stiff) Close() error         { return nil }
func (s stiff) Arm() *kinematics.Arm { return s.arm }

// record is an LWR that keeps what it is told. Strategies and payloads are in force at once.
type record struct {
	stiff
	device.MultiJoint

	strategy    device.Strategy
	fault       device.StrategyFault
	tickets     uint64
	busy        bool
	joint       [7]device.JointImpedance
	cartesian   device.CartesianImpedance
	springs     int
	payload     device.Payload
	wrongWeight bool
}

func (r *record) Status() device.Status          { return r.stiff.Status() }
func (r *record) Interfaces() []device.Interface { return device.AnnounceJoints(7) }
func (r *record) Close() error                   { return nil }
func (r *record) Joints() int                    { return 7 }

func (r *record) SetStrategy(s device.Strategy) uint64 {
	r.tickets++
	r.fault = device.StrategyGood
	if r.strategy = s; !s.Known() {
		r.fault = device.StrategyUnknown
	}
	return r.tickets
}

func (r *record) StrategyDone(ticket uint64) (bool, device.StrategyFault) {
	return ticket <= r.tickets && r.fault == 0 && !r.busy, r.fault
}
func (r *record) Strategy() device.Strategy { return r.strategy }

func (r *record) JointImpedance(joint int) device.JointImpedance { return r.joint[joint] }
func (r *record) SetJointImpedance(joint int, is device.JointImpedance) {
	r.joint[joint] = is
	r.springs++
}
func (r *record) CartesianImpedance() device.CartesianImpedance { return r.cartesian }
func (r *record) SetCartesianImpedance(is device.CartesianImpedance) {
	r.cartesian = is
	r.springs++
}

func (r *record) SetPayload(is device.Payload) uint64 {
	r.tickets++
	r.payload, r.wrongWeight = is, is.Mass < 0
	return r.tickets
}

func (r *record) PayloadDone(uint64) (bool, device.PayloadFault) {
	if r.wrongWeight {
		return false, device.PayloadWrong
	}
	return !r.busy, device.PayloadGood
}

func (r *record) Torque(joint int) device.Torque {
	return device.Torque{Measured: -float64(joint), External: float64(joint) + 0.5}
}

func (r *record) TipWrench() geom.Wrench {
	return geom.Wrench{Force: geom.Vector{X: 1, Y: 2, Z: 3}, Torque: geom.Vector{X: 4, Y: 5, Z: 6}}
}

// iiwa is a record whose tip can swing.
type iiwa struct {
	*record
	swing device.CartesianSwing
}

func (r *iiwa) Swing() device.CartesianSwing      { return r.swing }
func (r *iiwa) SetSwing(is device.CartesianSwing) { r.swing = is; r.springs++ }

func (r *iiwa) Quality() int32 { return 3 }

func newRecord() *record {
	r := &record{stiff: stiff{robots.LWR4()}, strategy: device.PositionControl}
	for i := range r.joint {
		r.joint[i] = device.JointImpedance{Stiffness: 1000, Damping: 0.7}
	}
	all := geom.Vector{X: 0.7, Y: 0.7, Z: 0.7}
	r.cartesian.Damping = geom.Wrench{Force: all, Torque: all}
	r.cartesian.Stiffness = geom.Wrench{Force: geom.Vector{X: 2000, Y: 2000, Z: 100}, Torque: geom.Vector{X: 200, Y: 200, Z: 200}}
	return r
}

func kitOf(arm *record) testkit.Kit {
	return testkit.Kit{Primitives: kuka.Primitives(), Devices: func() map[string]device.Device {
		return map[string]device.Device{"lwr": arm, "iiwa": &iiwa{record: newRecord()}, "stiff": stiff{robots.KR16()}}
	}}
}

var kit = testkit.Kit{Primitives: kuka.Primitives(), Devices: func() map[string]device.Device {
	return map[string]device.Device{"lwr": newRecord(), "iiwa": &iiwa{record: newRecord()}, "stiff": stiff{robots.KR16()}}
}}

func TestExamples(t *testing.T)    { kit.Examples(t) }
func TestDocumented(t *testing.T)  { kit.Documented(t) }
func TestAllocations(t *testing.T) { kit.Allocations(t) }
func TestMemory(t *testing.T)      { kit.Memory(t) }
func TestCatalogue(t *testing.T)   { kit.Golden(t, "testdata/catalogue.golden") }
func TestEndure(t *testing.T)      { kit.Stress(t, 50) }
func FuzzKernels(f *testing.F)     { kit.Fuzz(f) }

// TestStrategyTakesTime: it is complete when the robot says so, and what fails can be asked for again.
func TestStrategyTakesTime(t *testing.T) {
	arm := newRecord()
	net := kitOf(arm).Single(t, "KUKA::LWR::ControlStrategy", time.Millisecond, map[string]string{"Robot": "lwr"}, "inStrategy")
	strategy := testkit.In[int32](t, net, "inStrategy")
	done, fault := testkit.Out[bool](t, net, "outCompleted"), testkit.Out[int32](t, net, "outError")
	for n, step := range []struct {
		want    int32 // 0: null
		busy    bool
		done    bool
		fault   int32
		tickets uint64
	}{
		{30, true, false, 0, 1},
		{30, true, false, 0, 1},
		{30, false, true, 0, 1},
		{7, false, false, 0, 2},
		{7, false, false, 2, 2},
		{0, false, false, 0, 2},
		{7, false, false, 0, 3},
		{7, false, false, 2, 3},
		{10, false, false, 0, 4},
		{10, false, true, 0, 4},
	} {
		arm.busy = step.busy
		net.Next()
		if step.want != 0 {
			strategy.Set(net.Cy, step.want)
		}
		net.Phases()
		if done.V != step.done || fault.V != step.fault || arm.tickets != step.tickets {
			t.Errorf("cycle %d: completed %v, error %d and %d tickets, not %v, %d and %d", n+1, done.V, fault.V, arm.tickets, step.done, step.fault, step.tickets)
		}
	}
	if n := len(net.Env.Resources); n != 7 {
		t.Errorf("it owns %d resources: %v", n, net.Env.Resources)
	}
}

// TestImpedance: what is null stays as it is, and nothing is set when everything is.
func TestImpedance(t *testing.T) {
	arm := newRecord()
	net := kitOf(arm).Single(t, "KUKA::LWR::JointImpParameters", time.Millisecond, map[string]string{"Robot": "lwr", "Axis": "6"}, "inStiffness", "inDamping", "inAddTorque")
	stiffness, damping := testkit.In[float64](t, net, "inStiffness"), testkit.In[float64](t, net, "inDamping")
	net.Next()
	net.Phases()
	if arm.springs != 0 {
		t.Error("something is set by nulls")
	}
	net.Next()
	stiffness.Set(net.Cy, 100)
	net.Phases()
	net.Next()
	damping.Set(net.Cy, 0.5)
	net.Phases()
	if want := (device.JointImpedance{Stiffness: 100, Damping: 0.5}); arm.joint[6] != want || arm.springs != 2 {
		t.Errorf("%d times set, at last %v instead of %v", arm.springs, arm.joint[6], want)
	}
	if diff := cmp.Diff([]device.Resource{{Device: "lwr", Channel: "joint impedance 6"}}, net.Env.Resources); diff != "" {
		t.Errorf("resources (-want +got):\n%s", diff)
	}
}

// TestCartesianImpedance sets all springs of the tip at once.
func TestCartesianImpedance(t *testing.T) {
	arm := newRecord()
	net := kitOf(arm).Single(t, "KUKA::LWR::CartImpParameters", time.Millisecond, map[string]string{"Robot": "lwr"}, "inStiffness", "inDamping", "inAddTorque")
	want := device.CartesianImpedance{
		Stiffness: geom.Wrench{Force: geom.Vector{X: 100}}, Damping: geom.Wrench{Torque: geom.Vector{Y: 0.5}}, Add: geom.Wrench{Force: geom.Vector{Z: -3}},
	}
	net.Next()
	testkit.In[geom.Wrench](t, net, "inStiffness").Set(net.Cy, want.Stiffness)
	testkit.In[geom.Wrench](t, net, "inDamping").Set(net.Cy, want.Damping)
	testkit.In[geom.Wrench](t, net, "inAddTorque").Set(net.Cy, want.Add)
	net.Phases()
	if arm.cartesian != want {
		t.Errorf("%v is set instead of %v", arm.cartesian, want)
	}
}

// TestElbow goes along a line past the shoulder with both strategies: the flange is where it is wanted, and no joint and no
// elbow jumps from cycle to cycle, however far the posture is whose elbow is wanted.
func TestElbow(t *testing.T) {
	const cycles = 2000
	arm := robots.LWR4()
	from := []float64{0.3, 0.6, -0.2, 1.2, 0.1, 0.8, 0.4}
	posture := []float64{0.2, 0.6, -0.05, 1.2, 0.1, 0.8, 0.4}
	start := arm.Chain.Forward(from)
	for _, strategy := range []string{"0", "1"} {
		in := []string{"inFrame"}
		for i := range 7 {
			in = append(in, fmt.Sprintf("inHintJ%d", i+1), fmt.Sprintf("inNullspaceJ%d", i+1))
		}
		net := kit.Single(t, "KUKA::LWR::InvKin", 2*time.Millisecond, map[string]string{"Robot": "lwr", "Strategy": strategy}, in...)
		before := from
		for n := range cycles {
			net.Next()
			to := start
			to.Pos.Y -= 0.2 * float64(n) / cycles
			testkit.In[geom.Frame](t, net, "inFrame").Set(net.Cy, to)
			for i := range 7 {
				testkit.In[float64](t, net, fmt.Sprintf("inHintJ%d", i+1)).Set(net.Cy, from[i])
				testkit.In[float64](t, net, fmt.Sprintf("inNullspaceJ%d", i+1)).Set(net.Cy, posture[i]*float64(n)/cycles+from[i]*(1-float64(n)/cycles))
			}
			net.Phases()
			q := make([]float64, 7)
			for i := range q {
				q[i] = testkit.Out[float64](t, net, fmt.Sprintf("outJ%d", i+1)).V
				if !(math.Abs(q[i]-before[i]) < 0.02) {
					t.Fatalf("strategy %s, cycle %d: joint %d goes from %v to %v", strategy, n, i, before[i], q[i])
				}
			}
			if there := arm.Chain.Forward(q); !there.Near(to, 1e-9, 1e-9) {
				t.Fatalf("strategy %s, cycle %d: the flange is at %v instead of %v", strategy, n, there, to)
			}
			before = q
		}
		srs := arm.Solver.(*kinematics.SRS)
		if alpha, want := srs.Alpha(before, 0), srs.Alpha(posture, 0); strategy == "0" && !(math.Abs(alpha-want) < 0.01) {
			t.Errorf("the elbow ends at %v instead of %v", alpha, want)
		}
	}
}

// TestSwing: what is null or open stays as it is, and the swing is a resource.
func TestSwing(t *testing.T) {
	r := &iiwa{record: newRecord()}
	of := testkit.Kit{Primitives: kuka.Primitives(), Devices: func() map[string]device.Device { return map[string]device.Device{"iiwa": r} }}
	net := of.Single(t, "KUKA::IIWA::CartSinImpParameters", time.Millisecond, map[string]string{"Robot": "iiwa"}, "inAmplitude", "inFrequency")
	inAmplitude, inFrequency := testkit.In[geom.Wrench](t, net, "inAmplitude"), testkit.In[geom.Wrench](t, net, "inFrequency")
	amplitude, frequency := geom.Wrench{Force: geom.Vector{X: 5}}, geom.Wrench{Force: geom.Vector{X: 2}}
	for n, want := range []device.CartesianSwing{{}, {Amplitude: amplitude}, {Amplitude: amplitude, Frequency: frequency}, {Amplitude: amplitude, Frequency: frequency}} {
		net.Next()
		switch n {
		case 1:
			inAmplitude.Set(net.Cy, amplitude)
		case 2:
			inFrequency.Set(net.Cy, frequency)
		}
		net.Phases()
		if r.swing != want {
			t.Errorf("cycle %d: %+v", n, r.swing)
		}
	}
	if r.springs != 2 {
		t.Errorf("told %d times", r.springs)
	}
	if diff := cmp.Diff([]device.Resource{{Device: "iiwa", Channel: "swing"}}, net.Env.Resources); diff != "" {
		t.Errorf("resources (-want +got):\n%s", diff)
	}
}
