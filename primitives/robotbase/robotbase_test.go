package robotbase_test

import (
	"encoding/xml"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit"
	"github.com/softrobot-rcc/rccd/primitives/robotbase"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// record is a base with four wheels that keeps what it is told.
type record struct {
	device.Device
	state    device.BaseState
	commands int
	newest   geom.Twist
	at       device.Instant
}

func (r *record) BaseState() device.BaseState { return r.state }
func (r *record) Wheels() int                 { return 4 }
func (r *record) Wheel(i int) device.WheelState {
	return device.WheelState{Pos: 10 * float64(i) * r.state.Measured.Vel.X, Vel: float64(i) * r.state.Measured.Vel.X}
}

func (r *record) CheckVelocity(v geom.Twist) device.PositionFault {
	switch {
	case !v.Vel.Finite():
		return device.PositionNotANumber
	case v.Vel.Length() > 1:
		return device.PositionOutOfRange
	}
	return device.PositionGood
}

func (r *record) CommandVelocity(v geom.Twist, at device.Instant) {
	r.commands++
	r.newest, r.at = v, at
}

func kitOf(base *record) testkit.Kit {
	return testkit.Kit{Primitives: robotbase.Primitives(), Devices: func() map[string]device.Device {
		return map[string]device.Device{"base": base}
	}}
}

var kit = testkit.Kit{Primitives: robotbase.Primitives(), Devices: func() map[string]device.Device {
	return map[string]device.Device{"base": &record{}}
}}

func TestExamples(t *testing.T)    { kit.Examples(t) }
func TestDocumented(t *testing.T)  { kit.Documented(t) }
func TestAllocations(t *testing.T) { kit.Allocations(t) }
func TestMemory(t *testing.T)      { kit.Memory(t) }
func TestCatalogue(t *testing.T)   { kit.Golden(t, "testdata/catalogue.golden") }
func TestEndure(t *testing.T)      { kit.Stress(t, 50) }
func FuzzKernels(f *testing.F)     { kit.Fuzz(f) }

var robot = map[string]string{"Robot": "base"}

// TestVelocities: each value is commanded once, at the end of its cycle; null is not; the base is a resource.
func TestVelocities(t *testing.T) {
	base := &record{}
	net := kitOf(base).Single(t, "RobotBase::BaseVelocity", 4*time.Millisecond, robot, "inVel")
	in := testkit.In[geom.Twist](t, net, "inVel")
	v := geom.Twist{Vel: geom.Vector{X: 0.25}}
	net.Next()
	in.Set(net.Cy, v)
	net.Phase(spec.Sense)
	net.Phase(spec.Run)
	if base.commands != 0 {
		t.Error("commanded before everything was computed")
	}
	net.Phase(spec.Act)
	if want := (device.Instant{Time: net.Cy.Time, Period: 0.004, Cycle: 1}); base.commands != 1 || base.newest != v || base.at != want {
		t.Errorf("%d commands, %v for %v instead of %v", base.commands, base.newest, base.at, want)
	}
	net.Next()
	net.Phases()
	if base.commands != 1 {
		t.Error("no value, but a command")
	}
	if diff := cmp.Diff([]device.Resource{{Device: "base", Channel: "base"}}, net.Env.Resources); diff != "" {
		t.Errorf("resources (-want +got):\n%s", diff)
	}
}

// TestMonitors: what is told is what the base did at the beginning of the cycle.
func TestMonitors(t *testing.T) {
	base := &record{}
	of := kitOf(base)
	monitor := of.Single(t, "RobotBase::BaseMonitor", time.Millisecond, robot)
	wheel := of.Single(t, "RobotBase::WheelMonitor", time.Millisecond, map[string]string{"Robot": "base", "Wheel": "2"})
	state := device.BaseState{
		Pos: geom.Frame{Pos: geom.Vector{X: 1}}, Measured: geom.Twist{Vel: geom.Vector{X: 0.5}}, Commanded: geom.Twist{Vel: geom.Vector{X: 0.75}},
		Fault: device.BaseElsewhere,
	}
	base.state = state
	for _, net := range []*testkit.Single{monitor, wheel} {
		net.Next()
		net.Phase(spec.Sense)
	}
	base.state = device.BaseState{}
	monitor.Phase(spec.Run)
	wheel.Phase(spec.Run)
	got := device.BaseState{
		Pos: testkit.Out[geom.Frame](t, monitor, "outPos").V, Measured: testkit.Out[geom.Twist](t, monitor, "outVel").V,
		Commanded: testkit.Out[geom.Twist](t, monitor, "outCmdVel").V, Fault: device.BaseFault(testkit.Out[int32](t, monitor, "outError").V),
	}
	if got != state {
		t.Errorf("%+v, not %+v", got, state)
	}
	if pos, vel := testkit.Out[float64](t, wheel, "outPos").V, testkit.Out[float64](t, wheel, "outVel").V; pos != 10 || vel != 1 {
		t.Errorf("wheel at %v with %v", pos, vel)
	}
}

// TestGoesToAPlace closes the loop over a base that does as it is told: it gets there, within its limits, without jumps.
func TestGoesToAPlace(t *testing.T) {
	const period = 0.005
	dest := geom.Frame{Pos: geom.Vector{X: -1, Y: 2}, Rot: geom.FromABC(2.5, 0, 0)}
	pos := geom.Frame{Pos: geom.Vector{X: 0.5}, Rot: geom.FromABC(-3, 0, 0)}
	first := geom.Twist{Vel: geom.Vector{X: 0.1, Y: -0.05}, Rot: geom.Vector{Z: 0.2}}
	limits := map[string]string{"velX": "0.4", "velY": "0.2", "velYaw": "0.5"}
	net := kit.Single(t, "RobotBase::OmnidirectionalBaseController", 5*time.Millisecond, limits, "inDest", "inPos", "inVel")
	inDest, inPos, inVel := testkit.In[geom.Frame](t, net, "inDest"), testkit.In[geom.Frame](t, net, "inPos"), testkit.In[geom.Twist](t, net, "inVel")
	out, completed := testkit.Out[geom.Twist](t, net, "outVel"), testkit.Out[bool](t, net, "outCompleted")
	v, done := first, 0
	for n := range 6000 {
		net.Next()
		inDest.Set(net.Cy, dest)
		inPos.Set(net.Cy, pos)
		inVel.Set(net.Cy, v)
		net.Phases()
		next := out.V
		for _, c := range []struct{ from, to, limit float64 }{
			{v.Vel.X, next.Vel.X, 0.4}, {v.Vel.Y, next.Vel.Y, 0.2}, {v.Rot.Z, next.Rot.Z, 0.5},
		} {
			if math.Abs(c.to) > c.limit+1e-12 || math.Abs(c.to-c.from) > c.limit/0.5*period+1e-12 {
				t.Fatalf("cycle %d: from %v to %v, %v is allowed", n, c.from, c.to, c.limit)
			}
		}
		v = next
		pos = pos.Mul(v.Scale(period).Exp())
		if completed.V {
			done++
		}
	}
	if away := dest.Pos.Sub(pos.Pos).Length(); away > 1e-6 || pos.Rot.To(dest.Rot).Angle() > 1e-6 || done < 1000 {
		t.Errorf("it is at %v, not %v, and has been there for %d cycles", pos, dest, done)
	}
}

// TestSteersToAPlace closes the loop over a base that cannot go sideways, from many places: it gets there, within its limits,
// without jumps, and says so to the end.
func TestSteersToAPlace(t *testing.T) {
	const period = 0.01
	r := rand.New(rand.NewPCG(7, 7))
	part := func(most float64) float64 { return most * (2*r.Float64() - 1) }
	for range 100 {
		dest := geom.Frame{Pos: geom.Vector{X: part(2), Y: part(2)}, Rot: geom.FromABC(part(math.Pi), 0, 0)}
		pos := geom.Frame{Pos: geom.Vector{X: part(2), Y: part(2)}, Rot: geom.FromABC(part(math.Pi), 0, 0)}
		from := pos
		net := kit.Single(t, "RobotBase::DifferentialDriveController", 10*time.Millisecond, nil, "inDest", "inPos")
		inDest, inPos := testkit.In[geom.Frame](t, net, "inDest"), testkit.In[geom.Frame](t, net, "inPos")
		out, completed := testkit.Out[geom.Twist](t, net, "outVel"), testkit.Out[bool](t, net, "outCompleted")
		var v geom.Twist
		done := 0
		for n := range 20_000 {
			net.Next()
			inDest.Set(net.Cy, dest)
			inPos.Set(net.Cy, pos)
			net.Phases()
			next := out.V
			for _, c := range []struct{ from, to, limit float64 }{{v.Vel.X, next.Vel.X, 0.25}, {v.Rot.Z, next.Rot.Z, 0.3}} {
				if math.Abs(c.to) > c.limit+1e-12 || math.Abs(c.to-c.from) > c.limit/0.5*period+1e-12 {
					t.Fatalf("cycle %d: from %v to %v, %v is allowed", n, c.from, c.to, c.limit)
				}
			}
			v = next
			if v.Vel.Y != 0 {
				t.Fatalf("cycle %d: sideways by %v", n, v.Vel.Y)
			}
			pos = pos.Mul(v.Scale(period).Exp())
			if completed.V {
				done++
			} else {
				done = 0
			}
		}
		if done < 1000 {
			t.Errorf("from %v it is at %v, not %v, after 200 s", from, pos, dest)
		}
	}
}

func TestPage(t *testing.T) {
	base := &record{state: device.BaseState{
		Pos: geom.Frame{Pos: geom.Vector{X: 1, Y: -2}, Rot: geom.FromABC(0.5, 0, 0)}, Measured: geom.Twist{Vel: geom.Vector{X: 0.5}},
		Commanded: geom.Twist{Rot: geom.Vector{Z: 0.25}}, Fault: device.BaseDrivesOff,
	}}
	shown, err := robotbase.Interface().Pages[0].View(base, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := xml.MarshalIndent(shown, "", " ")
	want := `<robotbase x="1" y="-2" a="0.5" fault="drives are off">
 <velocity type="measured" x="0.5" y="0" a="0"></velocity>
 <velocity type="commanded" x="0" y="0" a="0.25"></velocity>
 <wheel nr="0" pos="0" vel="0"></wheel>
 <wheel nr="1" pos="5" vel="0.5"></wheel>
 <wheel nr="2" pos="10" vel="1"></wheel>
 <wheel nr="3" pos="15" vel="1.5"></wheel>
</robotbase>`
	if diff := cmp.Diff(want, string(got)); diff != "" || err != nil {
		t.Error(diff, err)
	}
}
