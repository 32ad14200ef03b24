package cartesianposition_test

import (
	"encoding/xml"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit"
	"github.com/softrobot-rcc/rccd/primitives/cartesianposition"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// record is a device that keeps what it is told.
type record struct {
	device.Device
	state    device.PoseState
	commands int
	newest   geom.Frame
	at       device.Instant
}

func (r *record) PoseChannel() string    { return "tip" }
func (r *record) Pose() device.PoseState { return r.state }

func (r *record) CheckPose(p geom.Frame) device.PositionFault {
	switch {
	case !p.Pos.Finite():
		return device.PositionNotANumber
	case p.Pos.Length() > 1:
		return device.PositionOutOfRange
	}
	return device.PositionGood
}

func (r *record) CommandPose(p geom.Frame, at device.Instant) {
	r.commands++
	r.newest, r.at = p, at
}

func kitOf(d *record) testkit.Kit {
	return testkit.Kit{Primitives: cartesianposition.Primitives(), Devices: func() map[string]device.Device {
		return map[string]device.Device{"base": d}
	}}
}

var kit = testkit.Kit{Primitives: cartesianposition.Primitives(), Devices: func() map[string]device.Device {
	return map[string]device.Device{"base": &record{}}
}}

func TestExamples(t *testing.T)    { kit.Examples(t) }
func TestDocumented(t *testing.T)  { kit.Documented(t) }
func TestAllocations(t *testing.T) { kit.Allocations(t) }
func TestMemory(t *testing.T)      { kit.Memory(t) }
func TestCatalogue(t *testing.T)   { kit.Golden(t, "testdata/catalogue.golden") }
func TestEndure(t *testing.T)      { kit.Stress(t, 50) }

var robot = map[string]string{"Robot": "base"}

// TestSetPoints: each pose is commanded once, at the end of its cycle; null is not; errors are told; the channel is a
// resource.
func TestSetPoints(t *testing.T) {
	d := &record{}
	net := kitOf(d).Single(t, "CartesianPosition::CartesianPosition", 4*time.Millisecond, robot, "inPosition")
	in := testkit.In[geom.Frame](t, net, "inPosition")
	pose := geom.Frame{Pos: geom.Vector{X: 0.25}}
	net.Next()
	in.Set(net.Cy, pose)
	net.Phase(spec.Sense)
	net.Phase(spec.Run)
	if d.commands != 0 {
		t.Error("commanded before everything was computed")
	}
	net.Phase(spec.Act)
	if want := (device.Instant{Time: net.Cy.Time, Period: 0.004, Cycle: 1}); d.commands != 1 || d.newest != pose || d.at != want {
		t.Errorf("%d commands, %v for %v instead of %v", d.commands, d.newest, d.at, want)
	}
	net.Next()
	net.Phases()
	if d.commands != 1 {
		t.Error("no value, but a command")
	}
	for _, tt := range []struct {
		x               float64
		fault           device.BaseFault
		err             int32
		illegal, failed bool
	}{
		{2, device.BaseGood, 1, true, false},
		{0, device.BaseElsewhere, 3, false, true},
		{2, device.BaseDrivesOff, 2, true, true},
		{0, device.BaseGood, 0, false, false},
	} {
		d.state.Fault = tt.fault
		net.Next()
		in.Set(net.Cy, geom.Frame{Pos: geom.Vector{X: tt.x}})
		net.Phases()
		err, illegal := testkit.Out[int32](t, net, "outError").V, testkit.Out[bool](t, net, "outErrorIllegalPosition").V
		failed := testkit.Out[bool](t, net, "outErrorDeviceFailed").V
		if err != tt.err || illegal != tt.illegal || failed != tt.failed {
			t.Errorf("%+v: error %d, illegal %v, failed %v", tt, err, illegal, failed)
		}
	}
	if diff := cmp.Diff([]device.Resource{{Device: "base", Channel: "tip"}}, net.Env.Resources); diff != "" {
		t.Errorf("resources (-want +got):\n%s", diff)
	}
}

// TestMonitor: what is told is what the device did at the beginning of the cycle.
func TestMonitor(t *testing.T) {
	d := &record{}
	net := kitOf(d).Single(t, "CartesianPosition::CartesianMonitor", time.Millisecond, robot)
	state := device.PoseState{
		Commanded: geom.Frame{Pos: geom.Vector{X: 1}}, Measured: geom.Frame{Pos: geom.Vector{X: 2}},
		CommandedVel: geom.Twist{Vel: geom.Vector{Y: 3}}, MeasuredVel: geom.Twist{Rot: geom.Vector{Z: 4}}, Fault: device.BaseFailed,
	}
	d.state = state
	net.Next()
	net.Phase(spec.Sense)
	d.state = device.PoseState{}
	net.Phase(spec.Run)
	got := device.PoseState{
		Commanded:    testkit.Out[geom.Frame](t, net, "outCommandedPosition").V,
		Measured:     testkit.Out[geom.Frame](t, net, "outMeasuredPosition").V,
		CommandedVel: testkit.Out[geom.Twist](t, net, "outCommandedVelocity").V,
		MeasuredVel:  testkit.Out[geom.Twist](t, net, "outMeasuredVelocity").V,
		Fault:        device.BaseFault(testkit.Out[int32](t, net, "outError").V),
	}
	if got != state {
		t.Errorf("%+v, not %+v", got, state)
	}
}

func TestPage(t *testing.T) {
	d := &record{state: device.PoseState{Measured: geom.Frame{Pos: geom.Vector{X: 2, Z: -1}, Rot: geom.FromABC(0.5, 0, 0)}, Fault: device.BaseFailed}}
	shown, err := cartesianposition.Interface().Pages[0].View(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := xml.MarshalIndent(shown, "", " ")
	want := `<cartesianposition fault="the base has failed">
 <frame type="measured" x="2" y="0" z="-1" a="0.5" b="0" c="0"></frame>
 <frame type="commanded" x="0" y="0" z="0" a="0" b="0" c="0"></frame>
</cartesianposition>`
	if diff := cmp.Diff(want, string(got)); diff != "" || err != nil {
		t.Error(diff, err)
	}
}
