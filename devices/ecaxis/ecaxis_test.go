package ecaxis_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/devices/ecaxis"
	"github.com/softrobot-rcc/rccd/devices/simarm"
	"github.com/softrobot-rcc/rccd/ethercat"
	"github.com/softrobot-rcc/rccd/ethercat/cia402"
	"github.com/softrobot-rcc/rccd/ethercat/sim"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/bus"
	"github.com/softrobot-rcc/rccd/internal/testkit/conform"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/drives"
)

type params = map[string]string

const cycle = 4 * time.Millisecond

func kind() device.Type { return ecaxis.Type(simarm.Joints) }

// cell is axes whose drives are simulated ones on a bus in memory.
type cell struct {
	t      testing.TB
	bus    *bus.Bus
	axes   device.MultiJoint
	stop   *device.Stop
	cycles uint64
	check  func()
}

// one is a drive with a single axis, several of which are behind one another.
func rack(list ...sim.DriveYAML) *sim.Rack {
	r := &sim.Rack{Slaves: []sim.SlaveGiven{{Type: "EK1100"}}}
	for i, d := range list {
		d.Modes = []cia402.Mode{cia402.Homing, cia402.CyclicPosition, cia402.CyclicVelocity, cia402.CyclicTorque}
		d.Window, d.Brake, d.MissedLimit, d.Strict, d.Acceleration = 50_000, 20*time.Millisecond, 20, true, 8e6
		r.Slaves = append(r.Slaves, sim.SlaveGiven{Type: "drive", Name: fmt.Sprintf("drive%d", i+1), Drive: d})
	}
	return r
}

// common are parameters of n joints with 10000/2π·10 counts for a rad.
func common(axes string, n int) params {
	all := func(v string) string { return "[" + strings.TrimSuffix(strings.Repeat(v+",", n), ",") + "]" }
	return params{
		"ethercatdevice": "bus", "axes": axes, "increments": "[10000]", "gear": "[10]", "min_joint": all("-3"), "max_joint": all("3"),
		"max_vel": all("2"), "max_acc": all("20"),
	}
}

func started(t testing.TB, r *sim.Rack, p params) *cell {
	t.Helper()
	c := &cell{t: t, stop: device.NewStop(false)}
	c.bus = bus.New(t, r, ethercat.Options{Cycle: cycle, Sync: &ethercat.Sync{}})
	k := kind()
	if wrong := k.Check(p); len(wrong) > 0 {
		t.Fatal(wrong)
	}
	env := c.bus.Env("axes")
	env.Stop = c.stop
	d, err := k.Open(env, p)
	if err != nil {
		t.Fatal(err)
	}
	c.axes = d.(device.MultiJoint)
	c.bus.Start()
	return c
}

func ready(t testing.TB, r *sim.Rack, p params) *cell {
	t.Helper()
	c := started(t, r, p)
	c.until(device.Operational, "")
	return c
}

func (c *cell) run(n int) {
	for range n {
		c.cycles++
		c.bus.Cycle()
		if c.check != nil {
			c.check()
		}
	}
}

func (c *cell) until(s device.State, cause string) {
	c.t.Helper()
	for range 5000 {
		if is := c.axes.Status(); is.State == s && strings.Contains(is.Cause, cause) {
			return
		}
		c.run(1)
	}
	c.t.Fatalf("it is %v", c.axes.Status())
}

func (c *cell) now() device.Instant {
	clock := c.bus.Clock()
	at := clock.Unix(clock.Now()) - int64(cycle/4)
	return device.Instant{Time: at - at%int64(cycle), Period: cycle.Seconds(), Cycle: c.cycles + 1}
}

func (c *cell) mechanism() *conform.Mechanism {
	return &conform.Mechanism{MultiJoint: c.axes, Follows: 500, Now: c.now, Cycle: func() { c.run(1) }}
}

// axis returns one of a drive.
func (c *cell) axis(drive string, n int) sim.Axis {
	c.t.Helper()
	s, err := c.bus.Chain.Slave(drive)
	if err != nil {
		c.t.Fatal(err)
	}
	a, err := s.Axis(n)
	if err != nil {
		c.t.Fatal(err)
	}
	return a
}

// move moves a joint smoothly by some rad within a second.
func (c *cell) move(joint int, by float64) {
	from, n := c.axes.Joint(joint).Commanded.Pos, int(time.Second/cycle)
	for k := range n {
		s := float64(k+1) / float64(n)
		c.axes.CommandPosition(joint, from+by*(s-math.Sin(2*math.Pi*s)/(2*math.Pi)), c.now())
		c.run(1)
	}
}

var (
	velocity = sim.DriveYAML{Axes: 1, Outputs: []string{"0x6040", "0x6060", "pad8", "0x60FF"}}
	torque   = sim.DriveYAML{Axes: 1, Outputs: []string{"0x6040", "0x6060", "pad8", "0x6071"}}
	position = sim.DriveYAML{Axes: 1}
	twice    = sim.DriveYAML{Axes: 2}
)

// with adds parameters.
func with(p params, more params) params {
	all := maps.Clone(p)
	maps.Copy(all, more)
	return all
}

// kinds are mechanisms that axes can be.
var kinds = []struct {
	name string
	rack *sim.Rack
	p    params
}{
	{"position", rack(position), common("2", 1)},
	{"velocity", rack(velocity), with(common("2", 1), params{"target": "velocity"})},
	{"torque", rack(torque), with(common("2", 1), params{"target": "torque", "stiffness": "[300]", "damping": "[30]", "rated": "[500]"})},
	{"several slaves, in another order", rack(position, twice, position), with(common("4 3:2 3:1 2", 4), params{"direction": "[1,-1,1,-1]", "offset": "[0.1,0,-0.1,0]"})},
	{"velocity offset", rack(sim.DriveYAML{Axes: 1, Outputs: []string{"0x6040", "0x6060", "pad8", "0x607A", "0x60B1"}}), common("2", 1)},
	{"torque, backwards", rack(torque), with(common("2", 1), params{
		"target": "torque", "stiffness": "[300]", "damping": "[30]", "rated": "[500]", "direction": "[-1]",
	})},
}

func TestConform(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			conform.Joints(t, func(t *testing.T) *conform.Mechanism { return ready(t, k.rack, k.p).mechanism() })
		})
	}
}

// TestEnable: whatever targets drives get, nothing moves when they are enabled, and joints are where the drives are.
func TestEnable(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			r := *k.rack
			r.Slaves = append([]sim.SlaveGiven{}, r.Slaves...)
			for i := range r.Slaves {
				r.Slaves[i].Drive.Positions = []int64{1000, -2000}
			}
			c := started(t, &r, k.p)
			c.check = func() {
				for i := range r.Slaves[1:] {
					if a := c.axis(fmt.Sprintf("drive%d", i+1), 1); a.Position != 1000 || a.Velocity != 0 {
						t.Fatalf("it moves: %+v", a)
					}
				}
			}
			c.until(device.Operational, "")
			c.run(50)
			for j := range c.axes.Joints() {
				if is := c.axes.Joint(j); math.Abs(is.Measured.Pos-is.Commanded.Pos) > 1e-9 || is.Fault != device.JointGood {
					t.Errorf("joint %d: %+v", j, is)
				}
			}
		})
	}
}

// TestMotion: a joint goes where it is commanded, in the units of people, in each mode.
func TestMotion(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			c := ready(t, k.rack, k.p)
			before := c.axes.Joint(0).Measured.Pos
			c.move(0, 0.5)
			for range 400 {
				c.run(1)
			}
			is := c.axes.Joint(0)
			if math.Abs(is.Measured.Pos-before-0.5) > 0.01 || math.Abs(is.Commanded.Pos-before-0.5) > 1e-3 || c.axes.Status().State != device.Operational {
				t.Errorf("from %v to %+v: %v", before, is, c.axes.Status())
			}
			drive := c.axis("drive1", 1)
			if k.name == "several slaves, in another order" {
				drive = c.axis("drive3", 1)
			}
			want := 0.5 * 10_000 * 10 / (2 * math.Pi)
			if k.p["direction"] == "[-1]" {
				want = -want
			}
			if math.Abs(drive.Position-want) > 0.02*math.Abs(want) {
				t.Errorf("the drive is at %v, not at %v", drive.Position, want)
			}
			for j := 1; j < c.axes.Joints(); j++ {
				if is := c.axes.Joint(j); math.Abs(is.Measured.Vel) > 1e-6 {
					t.Errorf("joint %d moves: %+v", j, is)
				}
			}
		})
	}
}

// TestStopTogether: a fault of one drive stops those of all slaves, and nothing moves until they are armed.
func TestStopTogether(t *testing.T) {
	for _, tt := range []struct{ do, undo, cause string }{
		{"slave drive2 fault 1 0x7305", "", "axis 3 had a fault: 0x7305, first encoder"},
		{"slave drive1 safety open", "slave drive1 safety closed", "axis 4 went by itself"},
		{"slave drive3 vanish", "slave drive3 return", "did not answer for too long"},
	} {
		k := kinds[3]
		c := ready(t, k.rack, k.p)
		c.move(1, 0.1)
		c.bus.Do(tt.do)
		c.run(100)
		for drive, axes := range map[string]int{"drive1": 1, "drive2": 2, "drive3": 1} {
			for n := range axes {
				if a := c.axis(drive, n+1); a.Velocity != 0 || cia402.StateOf(a.Status) == cia402.OperationEnabled && drive != "drive3" {
					t.Errorf("%s: %s axis %d: %v %+v", tt.do, drive, n+1, cia402.StateOf(a.Status), a)
				}
			}
		}
		if is := c.axes.Status(); is.State == device.Operational || !strings.Contains(is.Cause, tt.cause) || !strings.Contains(is.Cause, "arm=true") {
			t.Errorf("%s: %+v", tt.do, is)
		}
		if tt.undo != "" {
			c.bus.Do(tt.undo)
		}
		c.bus.Tend(30 * time.Second)
		c.run(200)
		if is := c.axes.Status(); is.State == device.Operational {
			t.Errorf("%s: it goes on by itself", tt.do)
		}
		if err := drives.Page.Tell(c.axes, params{"arm": "true"}); err != nil {
			t.Error(err)
		}
		c.until(device.Operational, "")
	}
}

// stops returns how often axes have stopped following, as metrics say it.
func stops(m device.Meter) float64 {
	for _, is := range m.Metrics() {
		if is.Name == "drive_stops_total" {
			return is.Value
		}
	}
	return math.NaN()
}

// TestHome: joints look for their home while the others stay, and go on from there without a jump; nets have to let go.
func TestHome(t *testing.T) {
	for _, k := range kinds[:4] {
		t.Run(k.name, func(t *testing.T) {
			c := ready(t, k.rack, with(k.p, params{"startup": "axes:0x6098=37/SINT axes:0x607C=5000/DINT"}))
			c.move(0, 0.3)
			c.run(100)
			others := make([]float64, c.axes.Joints())
			for j := range others {
				others[j] = c.axes.Joint(j).Measured.Pos
			}
			if err := drives.Page.Tell(c.axes, params{"home": "1"}); err != nil {
				t.Fatal(err)
			}
			c.until(device.SafeOperational, "looking for their home")
			if err := drives.Page.Tell(c.axes, params{"home": "1"}); err == nil {
				t.Error("twice")
			}
			c.until(device.Operational, "")
			c.run(50)
			is := c.axes.Joint(0)
			want := 5000 / (10_000 * 10 / (2 * math.Pi))
			if k.p["offset"] != "" {
				want += 0.1
			}
			if math.Abs(is.Measured.Pos-want) > 0.003 || math.Abs(is.Commanded.Pos-want) > 0.003 {
				t.Errorf("%+v, home is %v", is, want)
			}
			for j := 1; j < len(others); j++ {
				if is := c.axes.Joint(j); math.Abs(is.Measured.Pos-others[j]) > 0.002 {
					t.Errorf("joint %d has moved from %v to %v", j, others[j], is.Measured.Pos)
				}
			}
			if n := stops(c.axes.(device.Meter)); n != 0 {
				t.Errorf("looking for home has been %v stops", n)
			}
			if is := c.axes.Status(); strings.Contains(is.Cause, "slave") {
				t.Errorf("drives whose places are given have a remark: %s", is.Cause)
			}
			c.move(0, -0.1)
			c.run(200)
			if got := c.axes.Joint(0).Measured.Pos; math.Abs(got-want+0.1) > 0.01 {
				t.Errorf("%v", got)
			}
		})
	}
	c := ready(t, kinds[0].rack, kinds[0].p)
	for _, which := range []string{"0", "2", "some"} {
		if err := drives.Page.Tell(c.axes, params{"home": which}); err == nil {
			t.Error(which)
		}
	}
}

// TestTouchProbe: a probe is armed by an output; inputs show that it was touched, and where.
func TestTouchProbe(t *testing.T) {
	probing := sim.DriveYAML{
		Axes: 1, Outputs: []string{"0x6040", "0x6060", "pad8", "0x607A", "0x60B8"}, Inputs: []string{"0x6041", "0x6061", "pad8", "0x6064", "0x60B9", "0x60BA"},
	}
	c := ready(t, rack(probing), with(common("2", 1), params{
		"digin": "0x60B9.0-1", "digout": "0x60B8.0-7", "anin": "0x60BA", "analog_unit": fmt.Sprint(2 * math.Pi / 1e5),
	}))
	io := c.axes.(device.IO)
	for _, bit := range []int{0, 4} { // on, rising edge
		io.SetDigitalOut(bit, true, 0)
	}
	c.move(0, 0.2)
	c.run(100)
	if !io.DigitalIn(0) || io.DigitalIn(1) {
		t.Errorf("armed %v, touched %v", io.DigitalIn(0), io.DigitalIn(1))
	}
	c.bus.Do("slave drive1 probe 1 1 on")
	c.run(5)
	c.move(0, 0.2)
	if at := io.AnalogIn(0); !io.DigitalIn(1) || math.Abs(at-0.2) > 0.01 {
		t.Errorf("touched %v at %v", io.DigitalIn(1), at)
	}
}

// TestFollowingError: a drive that does not go where it should stops by the distance, whichever targets it has.
func TestFollowingError(t *testing.T) {
	k := kinds[1]
	c := ready(t, k.rack, with(k.p, params{"following_error": "0.05", "gain": "0"}))
	c.bus.Do("slave drive1 ignore 1 on")
	c.move(0, 0.5)
	c.run(20)
	if is := c.axes.Status(); is.State == device.Operational {
		t.Errorf("%+v", is)
	}
}

// TestArm: with a table the axes are an arm, whose joints may slide.
func TestArm(t *testing.T) {
	p := with(common("2 3:1 3:2", 3), params{
		"kinds": "revolute revolute prismatic", "feed": "[0,0,0.01]", "dh_d": "[0.3,0,0]", "dh_a": "[0.2,0.2,0]", "dh_t": "[0,0,0]", "dh_al": "[0,0,0]",
		"min_joint": "[-3,-3,0]", "max_joint": "[3,3,0.2]",
	})
	conform.Kinematics(t, func(t *testing.T) device.ArmKinematics {
		return ready(t, rack(position, twice), p).axes.(device.ArmKinematics)
	})
	simulated := with(p, params{"simulated": "true", "faults": "1s off"})
	k := kind()
	if wrong := k.Check(simulated); len(wrong) > 0 {
		t.Fatal(wrong)
	}
	conform.Joints(t, func(t *testing.T) *conform.Mechanism {
		d, err := k.Open(&device.Env{Name: "axes"}, with(simulated, params{"faults": ""}))
		if err != nil {
			t.Fatal(err)
		}
		if _, is := d.(device.ArmKinematics); !is {
			t.Error("the twin is not an arm")
		}
		return conform.Ticking(d.(conform.Simulated))
	})
}

// TestTable: counts, gears, feeds, directions, offsets and a table of Denavit and Hartenberg, the usual one, in which d and theta come before a and
// alpha, make the frame that they make on paper.
func TestTable(t *testing.T) {
	left, right := twice, position
	left.Positions, right.Positions = []int64{2000, -3000}, []int64{5000}
	c := ready(t, rack(left, right), with(common("2:1 2:2 3", 3), params{
		"kinds": "revolute revolute prismatic", "gear": "[10,5,2]", "feed": "[0,0,0.02]", "direction": "[1,-1,1]", "offset": "[0.1,-0.2,0.01]",
		"dh_d": "[0.31,0.02,0.1]", "dh_a": "[0.25,0.18,0.03]", "dh_t": "[0.4,-0.3,0.2]", "dh_al": "[0.5,3,-0.7]",
		"min_joint": "[-3,-3,0]", "max_joint": "[3,3,0.2]",
	}))
	var q []float64
	for j := range c.axes.Joints() {
		q = append(q, c.axes.Joint(j).Measured.Pos)
	}
	want := geom.Frame{Pos: geom.Vector{X: 0.367274613, Y: 0.26876968, Z: 0.205530531}, Rot: geom.FromABC(0.328689001, 0.126970669, 2.779227036)}
	if is := c.axes.(device.ArmKinematics).Arm().Forward(q); !is.Near(want, 1e-8, 1e-8) {
		t.Errorf("joints %v are at %v, not at %v", q, is, want)
	}
}

// TestParameters: the error says what is wrong without a bus.
func TestParameters(t *testing.T) {
	k := kind()
	for _, tt := range []struct{ name, value, wrong string }{
		{"axes", "2 2", `"2" is given twice`},
		{"axes", "2:1 3 2:2", `"2:2": write the axes of a slave side by side`},
		{"axes", "0", `"0" is not a slave`},
		{"axes", "2:9", "axes of a slave are 1 to 8"},
		{"axes", "2 3", "4 values of 2 joints"},
		{"axes", "", ""},
		{"increments", "[0]", "0 is not above 0"},
		{"increments", "[1,2]", "2 numbers for 4 joints"},
		{"gear", "[0]", "must not be 0"},
		{"direction", "[2]", "2 is neither 1 nor -1"},
		{"kinds", "prismatic", "is missing for joint J1, which slides"},
		{"kinds", "linear", `"linear" is neither revolute nor prismatic`},
		{"max_vel", "", "is missing"},
		{"min_joint", "[4,4,4,4]", "joint J1: from 4 to 3"},
		{"target", "torque", "is missing; target: torque needs it"},
		{"coupling", "[1]", "1 values of 16"},
	} {
		p := common("2 3 4 5", 4)
		if p[tt.name] = tt.value; tt.value == "" {
			delete(p, tt.name)
		}
		wrong := k.Check(p)
		if len(wrong) != 1 || !strings.Contains(wrong[0].Error(), tt.wrong) {
			t.Errorf("%s=%s: %v", tt.name, tt.value, wrong)
		}
	}
}

// TestAllMistakes: one error names all mistakes, each once, also where several slaves share it.
func TestAllMistakes(t *testing.T) {
	k := kind()
	wrong := k.Check(with(common("2 3", 2), params{
		"activate": "on", "rx_pdos": "none", "tx_mapping": "0x6041 pad", "startup": "0x605A", "digin": "0x60FD", "gear": "[0]", "target": "torque", "cycle": "1234567ns",
	}))
	var names []string
	for _, w := range wrong {
		names = append(names, w.Name)
	}
	slices.Sort(names)
	want := []string{"activate", "cycle", "digin", "gear", "rx_pdos", "startup", "stiffness", "tx_mapping"}
	if !slices.Equal(names, want) {
		t.Errorf("%v: %v", names, wrong)
	}
}
