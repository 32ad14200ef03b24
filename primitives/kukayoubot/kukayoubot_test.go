package kukayoubot_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit"
	"github.com/softrobot-rcc/rccd/primitives/kukayoubot"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// record is a gripper that moves when the test wants it.
type record struct {
	device.Device
	at, wanted float64
	told       int
}

func (r *record) Interfaces() []device.Interface { return nil }
func (r *record) Distance() float64              { return r.at }
func (r *record) Open(distance float64)          { r.wanted = distance; r.told++ }

// arm is an arm that does what it is told at once.
type arm struct {
	device.MultiJoint
	controller device.Controller
	springs    [5]device.DriveSpring
	flags      uint32
	told       int
}

func newArm() *arm {
	return &arm{flags: 1<<device.SlavePosition | 1<<device.SlaveReached | 1<<device.SlaveInitialised}
}

func (a *arm) Joints() int                          { return len(a.springs) }
func (a *arm) Slaves() int                          { return len(a.springs) }
func (a *arm) SlaveFlags(int) uint32                { return a.flags }
func (a *arm) Controller() device.Controller        { return a.controller }
func (a *arm) DriveSpring(j int) device.DriveSpring { return a.springs[j] }

func (a *arm) SetController(c device.Controller) {
	a.told++
	if c == device.ControlPosition || c == device.ControlImpedance {
		a.controller = c
	}
}

func (a *arm) SetDriveSpring(j int, is device.DriveSpring) {
	a.told++
	if is.Stiffness >= 0 {
		a.springs[j] = is
	}
}

func kitOf(r *record) testkit.Kit {
	return testkit.Kit{Primitives: kukayoubot.Primitives(), Devices: func() map[string]device.Device {
		return map[string]device.Device{"jaws": r, "youbot": newArm()}
	}}
}

var kit = testkit.Kit{Primitives: kukayoubot.Primitives(), Devices: func() map[string]device.Device {
	return map[string]device.Device{"jaws": &record{}, "youbot": newArm()}
}}

func TestExamples(t *testing.T)    { kit.Examples(t) }
func TestDocumented(t *testing.T)  { kit.Documented(t) }
func TestAllocations(t *testing.T) { kit.Allocations(t) }
func TestMemory(t *testing.T)      { kit.Memory(t) }
func TestCatalogue(t *testing.T)   { kit.Golden(t, "testdata/catalogue.golden") }
func TestEndure(t *testing.T)      { kit.Stress(t, 50) }
func FuzzKernels(f *testing.F)     { kit.Fuzz(f) }

// TestGripper: the jaws are told where to be in every cycle, and it is complete when they are there.
func TestGripper(t *testing.T) {
	r := &record{}
	net := kitOf(r).Single(t, "KUKA::youBot::Gripper", time.Millisecond, map[string]string{"Robot": "jaws", "Distance": "0.02"})
	watch := kitOf(r).Single(t, "KUKA::youBot::GripperMonitor", time.Millisecond, map[string]string{"Robot": "jaws"})
	for n, at := range []float64{0, 0.01, 0.0198, 0.0199, 0.02, 0.0201, 0.0203} {
		r.at = at
		net.Next()
		net.Phases()
		watch.Next()
		watch.Phases()
		if done, want := testkit.Out[bool](t, net, "outCompleted").V, math.Abs(at-0.02) < 0.00015; done != want {
			t.Errorf("at %v: completed %v", at, done)
		}
		if got := testkit.Out[float64](t, watch, "outDistance").V; got != at || r.wanted != 0.02 || r.told != n+1 {
			t.Errorf("at %v: told %v, wanted %v in %d of %d cycles", at, got, r.wanted, r.told, n+1)
		}
	}
}

// projection returns what one of them does.
func projection(t *testing.T, name string) func(flange, center geom.Frame) geom.Frame {
	t.Helper()
	net := kit.Single(t, "KUKA::youBot::"+name, time.Millisecond, nil, "inFlange", "inMotionCenter")
	inFlange, inCenter := testkit.In[geom.Frame](t, net, "inFlange"), testkit.In[geom.Frame](t, net, "inMotionCenter")
	out := testkit.Out[geom.Frame](t, net, "outValue")
	return func(flange, center geom.Frame) geom.Frame {
		net.Next()
		inFlange.Set(net.Cy, flange)
		inCenter.Set(net.Cy, center)
		net.Phases()
		return out.V
	}
}

// outOfPlane returns how far the Z axis of a flange is out of the vertical plane through the first axis and the flange.
func outOfPlane(flange geom.Frame) float64 {
	z, x, y := flange.Rot.Rotate(geom.Vector{Z: 1}), flange.Pos.X-0.024, flange.Pos.Y
	return math.Abs(x*z.Y-y*z.X) / math.Hypot(x, y)
}

func anyPose(r *rand.Rand) (flange, center geom.Frame) {
	part := func(least, most float64) float64 { return least + (most-least)*r.Float64() }
	angle := part(-math.Pi, math.Pi)
	away := part(0.2, 0.5)
	flange = geom.Frame{
		Pos: geom.Vector{X: 0.024 + away*math.Cos(angle), Y: away * math.Sin(angle), Z: part(0, 0.5)},
		Rot: geom.FromABC(part(-3, 3), part(-1.5, 1.5), part(-3, 3)),
	}
	return flange, geom.Frame{Pos: geom.Vector{X: part(-0.01, 0.01), Y: part(-0.01, 0.01), Z: part(0, 0.15)}, Rot: geom.FromABC(part(-3, 3), 0, 0)}
}

// TestPositionPreserving: the motion center stays, the arm can take the pose, and what is projected is not changed any more.
func TestPositionPreserving(t *testing.T) {
	project := projection(t, "PositionPreservingProject")
	r, checked := rand.New(rand.NewPCG(1, 2)), 0
	for range 2000 {
		flange, center := anyPose(r)
		got := project(flange, center)
		if fromAxis(flange.Point(center.Pos)) < 0.05 || fromAxis(got.Pos) < 0.05 {
			continue // too near to the axis for the vertical plane to be known well
		}
		checked++
		if away := got.Point(center.Pos).Sub(flange.Point(center.Pos)).Length(); away > 1e-12 {
			t.Fatalf("%v %v: the motion center has moved by %v", flange, center, away)
		}
		if out := outOfPlane(got); out > 1e-3 {
			t.Fatalf("%v %v: the flange points out of the plane by %v", flange, center, out)
		}
		if again := project(got, center); !again.Near(got, 1e-3, 1e-2) {
			t.Fatalf("%v is projected to %v", got, again)
		}
		center.Pos.X, center.Pos.Y = 0, 0
		if got = project(flange, center); fromAxis(got.Pos) > 0.01 && outOfPlane(got) > 1e-9 {
			t.Fatalf("%v: a motion center on the axis of the flange, and it points out of the plane by %v", flange, outOfPlane(got))
		}
	}
	if checked < 1000 {
		t.Errorf("only %d poses were of use", checked)
	}
}

func fromAxis(v geom.Vector) float64 { return math.Hypot(v.X-0.024, v.Y) }

func TestOrientationPreserving(t *testing.T) {
	project := projection(t, "OrientationPreservingProject")
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		flange, center := anyPose(r)
		got := project(flange, center)
		if got.Rot != flange.Rot || got.Pos.Z != flange.Pos.Z {
			t.Fatalf("%v is projected to %v", flange, got)
		}
		z := flange.Rot.Rotate(geom.Vector{Z: 1})
		if out := (got.Pos.X-0.024)*z.Y - got.Pos.Y*z.X; math.Abs(out) > 1e-12 {
			t.Fatalf("%v is projected to %v, %v out of the plane", flange, got, out)
		}
	}
}

func TestPalletizing(t *testing.T) {
	project := projection(t, "PalletizingProject")
	r := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		flange, center := anyPose(r)
		got := project(flange, center)
		z, was := got.Rot.Rotate(geom.Vector{Z: 1}), flange.Rot.Rotate(geom.Vector{Z: 1})
		if math.Abs(math.Abs(z.Z)-1) > 1e-12 || z.Z*was.Z < 0 {
			t.Fatalf("%v is projected to %v", flange, got)
		}
		if away := got.Point(center.Pos).Sub(flange.Point(center.Pos)).Length(); away > 1e-12 {
			t.Fatalf("%v: the motion center has moved by %v", flange, away)
		}
		if angle := flange.Rot.To(got.Rot).Angle(); math.Abs(angle-math.Acos(math.Min(1, math.Abs(was.Z)))) > 1e-6 {
			t.Fatalf("%v is turned by %v", flange, angle)
		}
	}
}

// TestDrivesAreToldOnce: what is in force is not asked for again, and of several that want something nobody gets it.
func TestDrivesAreToldOnce(t *testing.T) {
	a := newArm()
	of := testkit.Kit{Primitives: kukayoubot.Primitives(), Devices: func() map[string]device.Device { return map[string]device.Device{"youbot": a} }}
	for name, params := range map[string]map[string]string{
		"ArmControlStrategy": {"Robot": "youbot", "Controller": "1"},
		"JointImpParameters": {"Robot": "youbot", "JointIndex": "3", "Stiffness": "30", "Damping": "1", "AddTorque": "0.5", "MaxTorque": "4"},
	} {
		a.told = 0
		net := of.Single(t, "KUKA::youBot::"+name, time.Millisecond, params)
		for range 5 {
			net.Next()
			net.Phases()
		}
		if success := testkit.Out[bool](t, net, "outSuccess"); a.told != 1 || !success.V {
			t.Errorf("%s: told %d times, success %v", name, a.told, success.V)
		}
		if len(net.Env.Resources) != 1 {
			t.Errorf("%s: resources %v", name, net.Env.Resources)
		}
	}
	if want := (device.DriveSpring{Stiffness: 30, Damping: 1, Add: 0.5, Max: 4}); a.springs[3] != want || a.controller != device.ControlImpedance {
		t.Errorf("%+v, %v", a.springs[3], a.controller)
	}
}

// TestSlaveBits: each port is the bit of its number.
func TestSlaveBits(t *testing.T) {
	a := newArm()
	of := testkit.Kit{Primitives: kukayoubot.Primitives(), Devices: func() map[string]device.Device { return map[string]device.Device{"youbot": a} }}
	net := of.Single(t, "KUKA::youBot::SlaveError", time.Millisecond, map[string]string{"Robot": "youbot"})
	bits := []int{0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 14, 15, 16, 17}
	for _, on := range bits {
		a.flags = 1 << on
		net.Next()
		net.Phases()
		for _, bit := range bits {
			if got := testkit.Out[bool](t, net, "bit"+strconv.Itoa(bit)).V; got != (bit == on) {
				t.Errorf("flag %d: bit%d is %v", on, bit, got)
			}
		}
	}
}
