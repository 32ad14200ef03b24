package quadcopter_test

import (
	"encoding/xml"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit"
	"github.com/softrobot-rcc/rccd/primitives/quadcopter"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// record is a quadcopter that keeps what it is told.
type record struct {
	device.Device
	state    device.QuadcopterState
	commands []device.Attitude
}

func (r *record) QuadcopterState() device.QuadcopterState { return r.state }

func (r *record) CheckAttitude(a device.Attitude) device.PositionFault {
	switch sum := a.Roll + a.Pitch + a.Yaw + a.Thrust; {
	case math.IsNaN(sum) || math.IsInf(sum, 0):
		return device.PositionNotANumber
	case max(math.Abs(a.Roll), math.Abs(a.Pitch)) > 1:
		return device.PositionOutOfRange
	}
	return device.PositionGood
}

func (r *record) CommandAttitude(a device.Attitude, _ device.Instant) {
	if len(r.commands) < cap(r.commands) {
		r.commands = append(r.commands, a)
	}
}

func kitOf(r *record) testkit.Kit {
	return testkit.Kit{Primitives: quadcopter.Primitives(), Devices: func() map[string]device.Device {
		return map[string]device.Device{"crazyflie": r}
	}}
}

func seen() *record { return &record{state: device.QuadcopterState{Seen: true}} }

var kit = kitOf(seen())

func TestExamples(t *testing.T)    { kit.Examples(t) }
func TestDocumented(t *testing.T)  { kit.Documented(t) }
func TestAllocations(t *testing.T) { kit.Allocations(t) }
func TestMemory(t *testing.T)      { kit.Memory(t) }
func TestCatalogue(t *testing.T)   { kit.Golden(t, "testdata/catalogue.golden") }
func TestEndure(t *testing.T)      { kit.Stress(t, 50) }
func FuzzKernels(f *testing.F)     { kit.Fuzz(f) }

// TestControl: an attitude is commanded when all of it is known, and the quadcopter is a resource.
func TestControl(t *testing.T) {
	r := seen()
	r.commands = make([]device.Attitude, 0, 8)
	ports := []string{"inRoll", "inPitch", "inYaw", "inThrust"}
	net := kitOf(r).Single(t, "QC::Control", 2*time.Millisecond, map[string]string{"Device": "crazyflie"}, ports...)
	for _, known := range []int{4, 3, 0, 4} {
		net.Next()
		for i, port := range ports[:known] {
			testkit.In[float64](t, net, port).Set(net.Cy, float64(i+1)/4)
		}
		net.Phases()
	}
	want := device.Attitude{Roll: 0.25, Pitch: 0.5, Yaw: 0.75, Thrust: 1}
	if diff := cmp.Diff([]device.Attitude{want, want}, r.commands); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]device.Resource{{Device: "crazyflie", Channel: "attitude"}}, net.Env.Resources); diff != "" {
		t.Errorf("resources (-want +got):\n%s", diff)
	}
}

// TestLost: what is not seen has no position, but a compass.
func TestLost(t *testing.T) {
	r := &record{state: device.QuadcopterState{Pos: geom.Vector{X: 1}, Yaw: 0.5}}
	net := kitOf(r).Single(t, "QC::Monitor", 2*time.Millisecond, map[string]string{"Device": "crazyflie"})
	net.Next()
	net.Phases()
	if testkit.Out[geom.Vector](t, net, "outPosition").Current(net.Cy) {
		t.Error("it has a position")
	}
	if yaw := testkit.Out[float64](t, net, "outYaw").V; yaw != 0.5 {
		t.Error(yaw)
	}
}

// TestRollPitchT: tilted and pushing like that, the quadcopter is accelerated as it was asked for.
func TestRollPitchT(t *testing.T) {
	net := kit.Single(t, "QC::RollPitchT", 2*time.Millisecond, nil, "inX", "inY", "inZ")
	rapid.Check(t, func(rt *rapid.T) {
		want := geom.Vector{
			X: rapid.Float64Range(-3, 3).Draw(rt, "x"), Y: rapid.Float64Range(-3, 3).Draw(rt, "y"), Z: rapid.Float64Range(8, 15).Draw(rt, "z"),
		}
		net.Next()
		testkit.In[float64](t, net, "inX").Set(net.Cy, want.X)
		testkit.In[float64](t, net, "inY").Set(net.Cy, want.Y)
		testkit.In[float64](t, net, "inZ").Set(net.Cy, want.Z)
		net.Phases()
		of := func(port string) float64 { return testkit.Out[float64](t, net, port).V }
		got := geom.FromABC(0, of("outPitch"), of("outRoll")).Rotate(geom.Vector{Z: of("outThrust")})
		if got.Sub(want).Length() > 1e-9 {
			rt.Fatalf("%v, not %v", got, want)
		}
	})
}

// TestPage: it shows what is known.
func TestPage(t *testing.T) {
	r := &record{state: device.QuadcopterState{Pos: geom.Vector{X: 1, Y: -2, Z: 0.5}, Yaw: 3, Fault: device.BaseDrivesOff}}
	shown, err := quadcopter.Interface().Pages[0].View(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := xml.Marshal(shown)
	const want = `<quadcopter x="1" y="-2" z="0.5" yaw="3" seen="false" fault="drives are off"><commanded roll="0" pitch="0" yaw="0" thrust="0"></commanded></quadcopter>`
	if err != nil || string(text) != want {
		t.Errorf("%s, %v", text, err)
	}
}
