package rcc_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/devices"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/leak"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// furnished is a core with devices, in real time.
func furnished(t *testing.T, change ...func(*rcc.Config)) *cell {
	t.Helper()
	return newCell(t, append([]func(*rcc.Config){func(cfg *rcc.Config) {
		cfg.DeviceTypes = devices.Types()
		cfg.Clock = rt.NewReal()
	}}, change...)...)
}

func twinOf(t *testing.T, c *cell, o rcc.TwinOptions) *rcc.Twin {
	t.Helper()
	twin, err := c.Twin(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.must(twin.Close(t.Context())) })
	return twin
}

// spy is a device type that hands out the devices that it lends.
type spyConfig struct {
	On string `rcc:"on"`
}

type spy struct {
	device.Device
	on device.Device
}

func (spy) Status() device.Status          { return device.Status{} }
func (spy) Interfaces() []device.Interface { return nil }
func (spy) Close() error                   { return nil }

// TestTwinsOfTypes: of each type of device that there is, there can be a twin.
func TestTwinsOfTypes(t *testing.T) {
	for _, kind := range devices.Types() {
		env := &device.Env{Name: "twin", Clock: rt.NewReal(), Original: &device.Original{}, Device: func(string) (device.Device, error) { return nil, rcc.ErrNoDevice }}
		if d, err := kind.OpenTwin(env, nil); errors.Is(err, device.ErrNoTwin) {
			t.Errorf("%s: %v", kind.Name, err)
		} else if err == nil {
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestTwinsOfRealDevices: robots behind wires have simulated twins, which begin where the robots are said to be.
func TestTwinsOfRealDevices(t *testing.T) {
	c := furnished(t)
	const home = "[0.1,0.2,0.3,0.4,0.5,0.6,0.7]"
	c.must(c.Devices.Create("lwr", "kuka_lwr_fri", map[string]string{"port": "0", "home_joint": home, "max_vel": "[1,1,1,1,1,1,1]"}))
	c.must(c.Devices.Create("udp", "ethernet_udp_standard", map[string]string{"port": "0", "address": "127.0.0.1"}))
	c.must(c.Devices.Create("kr", "kuka_kr_arm_rsi", map[string]string{"ethernet": "udp"}))
	c.must(c.Devices.Create("rail", "kuka_kr_extaxis", map[string]string{"kr_arm": "kr"}))
	twin := twinOf(t, c, rcc.TwinOptions{From: map[string][]float64{"rail": {1.5}}})
	if len(twin.LeftOut) > 0 || len(twin.Joints) != 3 {
		t.Fatalf("%+v, left out: %v", twin.Joints, twin.LeftOut)
	}
	lwr, kr, rail := twin.Joints[0].Device, twin.Joints[1].Device, twin.Joints[2].Device
	for i := range 7 {
		if s := lwr.Joint(i); s.Fault != device.JointGood || s.Commanded.Pos != 0.1*float64(i+1) && math.Abs(s.Commanded.Pos-0.1*float64(i+1)) > 1e-12 {
			t.Errorf("joint %d: %+v", i, s)
		}
	}
	if is, _ := device.ModelOf(lwr, 0); is.Velocity != 1 {
		t.Errorf("the twin has another limit: %+v", is)
	}
	if a := twin.Joints; a[0].By != rcc.ByParameters || a[2].By != rcc.ByPlan || len(twin.Unlike) != 3 || twin.Unlike[0].Device != "lwr" || twin.Unlike[0].Cause == "" {
		t.Errorf("%+v; unlike: %+v", a, twin.Unlike)
	}
	if kr.Joint(1).Commanded.Pos != -math.Pi/2 || rail.Joint(0).Commanded.Pos != 1.5 {
		t.Errorf("%+v, %+v", kr.Joint(1), rail.Joint(0))
	}
	for _, d := range twin.Devices.All() {
		if d.State != device.Operational {
			t.Errorf("%s is %v: %s", d.Name, d.State, d.Cause)
		}
	}
}

// TestTwinsOnBuses: what is on a bus has twins on one that is not there.
func TestTwinsOnBuses(t *testing.T) {
	c := furnished(t)
	c.must(c.Devices.Create("bus", "ethercat", map[string]string{"ethernetdevice": "sim", "rack": "EK1100,EL1008,EL2008"}))
	c.must(c.Devices.Create("coupler", "ec_dummy", map[string]string{"ethercatdevice": "bus", "slave": "1"}))
	c.must(c.Devices.Create("lamps", "el2008", map[string]string{"ethercatdevice": "bus", "slave": "3"}))
	c.must(c.Devices.Create("robot", "staubli_tx90_ec", map[string]string{"ethercatdevice": "bus", "slave": "4", "counts_per_rad": "[1000,1000,1000,1000,1000,1000]"}))
	twin := twinOf(t, c, rcc.TwinOptions{From: map[string][]float64{"robot": {0.1, 0, 1, 0, 0, 0}}})
	if len(twin.LeftOut) > 0 || len(twin.Joints) != 1 || twin.Joints[0].Device.Joint(0).Commanded.Pos != 0.1 {
		t.Errorf("%+v, left out: %v", twin.Joints, twin.LeftOut)
	}
	for _, d := range twin.Devices.All() {
		if d.State != device.Operational {
			t.Errorf("%s is %v: %s", d.Name, d.State, d.Cause)
		}
	}
}

// TestTwinBegins as its original is: under power and without its script, where joints are, with ports, bases, grippers, loads.
func TestTwinBegins(t *testing.T) {
	found := map[string]device.Device{}
	kind := device.Declare(device.Kind{Name: "spy", Simulated: true}, func(env *device.Env, cfg *spyConfig) (device.Device, error) {
		on, err := env.Device(cfg.On)
		if env.Original != nil {
			cfg.On += " twin"
		}
		found[cfg.On] = on
		return spy{on: on}, err
	})
	c := furnished(t, func(cfg *rcc.Config) {
		cfg.DeviceTypes = append(cfg.DeviceTypes, kind)
		cfg.Clock = rt.NewVirtual(time.Unix(1_000_000, 0))
	})
	for _, d := range []struct{ name, kind, param, value string }{
		{"lwr", "kuka_lwr_sim", "faults", "0s fail 1; 1h off"},
		{"off", "staubli_tx90_sim", "power", "false"},
		{"io", "io_sim", "digin", "3"},
		{"base", "robotbase_sim", "home", "{pos:{x:1,y:2,z:0},rot:{a:0.5,b:0,c:0}}"},
		{"jaws", "kuka_youbot_gripper_sim", "max_vel", "0.02"},
		{"wsg", "schunk_wsg_sim", "width", "0.04"},
	} {
		c.must(c.Devices.Create(d.name, d.kind, map[string]string{d.param: d.value}))
		c.must(c.Devices.Create("spy of "+d.name, "spy", map[string]string{"on": d.name}))
	}
	place := geom.Frame{Pos: geom.Vector{X: 3}}
	c.Cell.SetPlace("lwr", place)
	io, lwr := found["io"].(device.FedIO), found["lwr"].(device.Compliant)
	io.SetDigitalOut(2, true, 0)
	io.SetDigitalIn(1, true)
	io.SetAnalogOut(3, 1.25, 0)
	lwr.SetPayload(device.Payload{Mass: 2, TCP: geom.Frame{Pos: geom.Vector{Z: 0.2}, Rot: geom.FromABC(0, 0, 0)}, COM: geom.Frame{Rot: geom.FromABC(0, 0, 0)}})
	lwr.SetJointImpedance(3, device.JointImpedance{Stiffness: 123, Damping: 0.5})
	found["jaws"].(device.Jaws).Open(0.01)
	c.advance(1e9)

	twin := twinOf(t, c, rcc.TwinOptions{})
	if len(twin.LeftOut) > 0 {
		t.Errorf("left out: %v", twin.LeftOut)
	}
	if arms := twin.Cell.Arms(); arms[0].Place != place {
		t.Errorf("it stands at %v", arms[0].Place)
	}
	c.must(twin.Clock.Advance(t.Context(), 2e9))
	for _, a := range twin.Joints {
		for i := range a.Device.Joints() {
			if s := a.Device.Joint(i); s.Fault != device.JointGood {
				t.Errorf("%s, joint %d: %+v", a.Name, i, s)
			}
		}
	}
	ioTwin, lwrTwin := found["io twin"].(device.IO), found["lwr twin"].(device.Compliant)
	if !ioTwin.DigitalOut(2) || !ioTwin.DigitalIn(1) || ioTwin.DigitalOut(1) || ioTwin.AnalogOut(3) != 1.25 {
		t.Error("ports are not as they were")
	}
	if p := lwrTwin.(device.Loaded).Payload(); p.Mass != 2 || p.TCP.Pos.Z != 0.2 || lwrTwin.JointImpedance(3).Stiffness != 123 {
		t.Errorf("%+v, %+v", p, lwrTwin.JointImpedance(3))
	}
	if pos := found["base twin"].(device.Base).BaseState().Pos.Pos; pos.X != 1 || pos.Y != 2 {
		t.Errorf("the base is at %v", pos)
	}
	if w, d := found["wsg twin"].(device.WSG).Gripper().Width, found["jaws twin"].(device.Jaws).Distance(); math.Abs(w-0.04) > 1e-9 || math.Abs(d-0.01) > 1e-9 {
		t.Errorf("the grippers are at %v and %v", w, d)
	}
	ioTwin.SetDigitalOut(0, true, 0)
	if io.DigitalOut(0) {
		t.Error("the twin has set an output of its original")
	}
}

// TestTwinNeedsNoStop: a twin is not stopped although its original is, as no net has connected the emergency stop.
func TestTwinNeedsNoStop(t *testing.T) {
	c := furnished(t, func(cfg *rcc.Config) { cfg.NeedStop = true })
	if twin := twinOf(t, c, rcc.TwinOptions{}); !c.Devices.EmergencyStop() || twin.Devices.EmergencyStop() {
		t.Errorf("stopped: %v, its twin: %v", c.Devices.EmergencyStop(), twin.Devices.EmergencyStop())
	}
}

// TestLeftOut: devices without a twin are missing in a twin, and what depends on them is too, with the reason.
func TestLeftOut(t *testing.T) {
	machine := device.Declare(device.Kind{Name: "machine"}, func(*device.Env, *device.Nothing) (device.Device, error) { return spy{}, nil })
	part := device.Declare(device.Kind{Name: "part", Simulated: true}, func(env *device.Env, cfg *spyConfig) (device.Device, error) {
		on, err := env.Device(cfg.On)
		return spy{on: on}, err
	})
	c := furnished(t, func(cfg *rcc.Config) { cfg.DeviceTypes = append(cfg.DeviceTypes, machine, part) })
	c.must(c.Devices.Create("press", "machine", nil))
	c.must(c.Devices.Create("arm", "kuka_kr_arm_sim", nil))
	c.must(c.Devices.Create("table", "part", map[string]string{"on": "press"}))
	c.must(c.Devices.Create("hand", "part", map[string]string{"on": "arm"}))
	twin := twinOf(t, c, rcc.TwinOptions{})
	var names []string
	for _, l := range twin.LeftOut {
		names = append(names, l.Device)
	}
	if !slices.Equal(names, []string{"press", "table"}) || !strings.Contains(twin.LeftOut[1].Why, `it needs device "press", which has no twin`) {
		t.Errorf("%+v", twin.LeftOut)
	}
	for name, at := range map[string][]float64{"press": {1}, "nobody": {1}, "arm": {1}, "hand": {}} {
		if twin, err := c.Twin(rcc.TwinOptions{From: map[string][]float64{name: at}}); err == nil {
			t.Errorf("%s begins at %v", name, at)
			c.must(twin.Close(t.Context()))
		}
	}
}

// TestTwinsLeaveNothing: no goroutine outlives its twin, whether that has been made or not.
func TestTwinsLeaveNothing(t *testing.T) {
	t.Run("cell", func(t *testing.T) {
		c := furnished(t)
		c.must(c.Devices.Create("arm", "kuka_kr_arm_sim", nil))
		for range 3 {
			twin, err := c.Twin(rcc.TwinOptions{})
			if err != nil {
				t.Fatal(err)
			}
			c.must(twin.Clock.Advance(t.Context(), 1e7))
			c.must(twin.Close(t.Context()))
			if _, err := c.Twin(rcc.TwinOptions{From: map[string][]float64{"arm": nil}}); err == nil {
				t.Error("there is a twin whose arm is nowhere")
			}
		}
	})
	leak.None(t)
}
