package kukafri_test

import (
	"maps"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/devices"
	"github.com/softrobot-rcc/rccd/devices/kukafri"
	"github.com/softrobot-rcc/rccd/devices/kukafri/frisim"
	"github.com/softrobot-rcc/rccd/devices/kukafri/krl"
	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
	"github.com/softrobot-rcc/rccd/devices/simarm"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/internal/testkit/conform"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/link"
)

type params = map[string]string

var (
	here    = netip.MustParseAddrPort("127.0.0.1:49938")
	robotAt = netip.MustParseAddrPort("127.0.0.1:7000")
)

// cell is a robot at the end of a wire, and the controller that it is part of. It can be pushed.
type cell struct {
	*kukafri.Robot
	*frisim.Wire
	t      testing.TB
	net    *link.Virtual
	events []frisim.Event
	cycles uint64
	button *device.Button // of the emergency stop of the cell
}

// open connects a driver with a simulated controller in virtual time.
func open(t testing.TB, change func(c *frisim.Config), p params) *cell {
	t.Helper()
	c := &cell{t: t, net: link.NewVirtual(time.Unix(1_700_000_000, 0))}
	config := frisim.Usual()
	config.Tell = func(e frisim.Event) { c.events = append(c.events, e) }
	if change != nil {
		change(&config)
	}
	sim, err := frisim.New(config)
	if err != nil {
		t.Fatal(err)
	}
	all := params{"program": config.Program.String()}
	maps.Copy(all, p)
	kind := kukafri.Over(c.net.Open)
	if wrong := kind.Check(all); len(wrong) > 0 {
		t.Fatal(wrong)
	}
	stop := device.NewStop(false)
	c.button = stop.Button()
	d, err := kind.Open(&device.Env{Name: "lwr", Stop: stop}, all)
	if err != nil {
		t.Fatal(err)
	}
	c.Robot = d.(*kukafri.Robot)
	c.Wire = frisim.Connect(sim, c.net, robotAt, here)
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// Joint, Strategy and others are those of the driver.
func (c *cell) Joint(i int) device.JointState    { return c.Robot.Joint(i) }
func (c *cell) Strategy() device.Strategy        { return c.Robot.Strategy() }
func (c *cell) Status() device.Status            { return c.Robot.Status() }
func (c *cell) Push(joint int, torque float64)   { c.Wire.Push(joint, torque) }
func (c *cell) PushTip(w geom.Wrench)            { c.Wire.PushTip(w) }
func (c *cell) Pushed() ([]float64, geom.Wrench) { return c.Wire.Pushed() }

// do lets something happen at the controller.
func (c *cell) do(line string) {
	c.t.Helper()
	if err := c.Do(line); err != nil {
		c.t.Fatal(err)
	}
}

// now returns the instant of a net.
func (c *cell) now() device.Instant {
	c.cycles++
	return device.Instant{Time: c.net.Now(), Period: c.Cycle().Seconds(), Cycle: c.cycles}
}

// await lets time go on until something is so.
func (c *cell) await(what string, is func() bool) {
	c.t.Helper()
	for range 20_000 {
		if is() {
			return
		}
		c.Run(c.Cycle())
	}
	c.t.Fatalf("never %s: %+v; %+v", what, c.Status(), c.Wire.KRC.Status())
}

func (c *cell) operational() *cell {
	c.t.Helper()
	c.await("operational", func() bool { return c.Status().State == device.Operational })
	return c
}

// mechanism returns the cell for suites.
func (c *cell) mechanism() *conform.Mechanism {
	return &conform.Mechanism{
		MultiJoint: c, Follows: 500,
		Now: func() device.Instant {
			return device.Instant{Time: c.net.Now(), Period: c.Cycle().Seconds(), Cycle: c.cycles + 1}
		},
		Cycle: func() { c.cycles++; c.Run(c.Cycle()) },
	}
}

// sound checks whether the controller has ever been commanded what it refuses.
func (c *cell) sound() {
	c.t.Helper()
	if f := c.Figures(); f.Violations != 0 || f.Jumps != 0 || f.Fastest > 1 || f.Steepest > 1 {
		c.t.Errorf("%d commands were refused, %d are jumps; the fastest had a share of %v, the steepest of %v: %v", f.Violations, f.Jumps, f.Fastest, f.Steepest, c.events)
	}
}

func TestConformance(t *testing.T) {
	var cells []*cell
	begin := func(t *testing.T) *cell {
		t.Helper()
		c := open(t, nil, nil).operational()
		cells = append(cells, c)
		return c
	}
	t.Run("joints", func(t *testing.T) {
		conform.Joints(t, func(t *testing.T) *conform.Mechanism { return begin(t).mechanism() })
	})
	t.Run("kinematics", func(t *testing.T) {
		conform.Kinematics(t, func(t *testing.T) device.ArmKinematics { return begin(t).Robot })
	})
	t.Run("io", func(t *testing.T) { conform.IO(t, func(t *testing.T) device.IO { return begin(t).Robot }) })
	t.Run("compliance", func(t *testing.T) {
		conform.Compliance(t, func(t *testing.T) *conform.Mechanism { return begin(t).mechanism() })
	})
	for _, c := range cells {
		c.t = t
		c.sound()
	}
}

// TestPrograms goes to command mode, and switches the strategy where the hand-shake can.
func TestPrograms(t *testing.T) {
	for kind, name := range krl.Names {
		t.Run(name, func(t *testing.T) {
			c := open(t, func(c *frisim.Config) { c.Program = krl.Kind(kind) }, nil).operational()
			for _, want := range []device.Strategy{device.JointCompliance, device.CartesianCompliance, device.PositionControl} {
				ticket := c.SetStrategy(want)
				var done bool
				var fault device.StrategyFault
				c.await("answered", func() bool {
					done, fault = c.StrategyDone(ticket)
					return done || fault != device.StrategyGood
				})
				switch {
				case krl.Kind(kind).TellsStrategy() && (!done || c.Strategy() != want || c.Wire.Strategy() != want):
					t.Errorf("%v: %v, the driver has %v and the controller %v", want, fault, c.Strategy(), c.Wire.Strategy())
				case !krl.Kind(kind).TellsStrategy() && want != device.PositionControl && fault != device.StrategyFailed:
					t.Errorf("%v: %v %v", want, done, fault)
				}
				c.operational()
			}
			c.sound()
		})
	}
}

// TestCartesianMotion moves under Cartesian impedance with a tool: joints and frame of every answer say the same, and nothing is
// allocated.
func TestCartesianMotion(t *testing.T) {
	c := open(t, nil, params{"mass": "1", "tcp": "{pos:{x:0.02,y:0.03,z:0.2},rot:{a:0.3,b:0.2,c:0.1}}"}).operational()
	ticket := c.SetStrategy(device.CartesianCompliance)
	c.await("done", func() bool { done, _ := c.StrategyDone(ticket); return done })
	n := &net{c: c}
	n.run(5 * time.Second)
	if s := c.Joint(0); s.Fault != device.JointGood || s.Measured.Vel == 0 {
		t.Errorf("%+v", s)
	}
	if allocations := alloc.Least(n.cycle); allocations != 0 {
		t.Errorf("%d allocations in a cycle", allocations)
	}
	c.sound()
	if c.State() != wire.Command {
		t.Error(c.events)
	}
}

// TestTwin exchanges the robot for its simulation by one line.
func TestTwin(t *testing.T) {
	types := devices.Types()
	i := slices.IndexFunc(types, func(t device.Type) bool { return t.Name == "kuka_lwr_fri" })
	kind := types[i]
	all := params{"port": "0", "ip": "127.0.0.1", "handshake": "15", "program": "values", "mass": "2", "switch_time": "10ms"}
	if wrong := kind.Check(all); len(wrong) == 0 {
		t.Error("what only the simulation has is taken")
	}
	all["simulated"] = "true"
	if wrong := kind.Check(all); len(wrong) > 0 {
		t.Fatal(wrong)
	}
	d, err := kind.Open(&device.Env{Name: "lwr"}, all)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if _, is := d.(*simarm.Lightweight); !is {
		t.Errorf("%T stands in for it", d)
	}
	if _, is := d.(device.Compliant); !is || d.Status().State != device.Operational {
		t.Errorf("%v", d.Status())
	}
}
