package univaldrive_test

import (
	"errors"
	"maps"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/devices/simarm"
	"github.com/softrobot-rcc/rccd/devices/univaldrive"
	"github.com/softrobot-rcc/rccd/ethercat"
	"github.com/softrobot-rcc/rccd/ethercat/cia402"
	"github.com/softrobot-rcc/rccd/ethercat/sim"
	"github.com/softrobot-rcc/rccd/internal/testkit/bus"
	"github.com/softrobot-rcc/rccd/internal/testkit/conform"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

type params = map[string]string

const (
	cycle = 4 * time.Millisecond
	scale = 1e5 // counts per rad
)

// options are what a test has otherwise.
type options struct {
	rack   func(d *sim.DriveYAML)
	bus    time.Duration // cycle of the bus
	free   bool          // no clocks
	params params
}

// cell is an arm whose drive is a simulated one on a bus in memory.
type cell struct {
	t      testing.TB
	bus    *bus.Bus
	arm    *univaldrive.Robot
	stop   *device.Stop
	button *device.Button
	drive  *sim.Slave
	cycles uint64
	every  int // cycles of the bus in one of the drive
	from   float64
	k      int // cycles that the net has moved joint 0
	check  func()
}

func kind(t testing.TB) device.Type {
	t.Helper()
	for _, k := range simarm.Types() {
		if k.Name == "staubli_tx90_sim" {
			return univaldrive.Type(k)
		}
	}
	t.Fatal("there is no twin")
	return device.Type{}
}

func newCell(t testing.TB, o options) *cell {
	t.Helper()
	d := sim.DriveYAML{Axes: 6, Window: 50_000, Brake: 20 * time.Millisecond, MissedLimit: 20, Strict: true, FreeRun: o.free, Acceleration: 8e6, Positions: []int64{1000, -2000, 30_000, 0, 5, -7}}
	if o.rack != nil {
		o.rack(&d)
	}
	rack := &sim.Rack{Slaves: []sim.SlaveGiven{{Type: "EK1100"}, {Type: "drive", Name: "arm", Drive: d}}}
	if o.bus == 0 {
		o.bus = cycle
	}
	c := &cell{t: t, stop: device.NewStop(false), every: int(cycle / o.bus)}
	c.button = c.stop.Button()
	settings := ethercat.Options{Cycle: o.bus}
	if !o.free {
		settings.Sync = &ethercat.Sync{}
	}
	c.bus = bus.New(t, rack, settings)
	var err error
	if c.drive, err = c.bus.Chain.Slave("arm"); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *cell) open(p params) (*univaldrive.Robot, error) {
	c.t.Helper()
	all := params{"ethercatdevice": "bus", "slave": "2", "counts_per_rad": "[1e5,-1e5,1e5,1e5,1e5,1e5]"}
	maps.Copy(all, p)
	k := kind(c.t)
	if wrong := k.Check(all); len(wrong) > 0 {
		return nil, wrong[0]
	}
	env := c.bus.Env("robot")
	env.Stop = c.stop
	d, err := k.Open(env, all)
	if err != nil {
		return nil, err
	}
	r, ok := d.(*univaldrive.Robot)
	if !ok {
		return nil, errors.New("it is simulated")
	}
	return r, nil
}

// started returns a cell whose bus runs.
func started(t testing.TB, o options) *cell {
	t.Helper()
	c := newCell(t, o)
	var err error
	if c.arm, err = c.open(o.params); err != nil {
		t.Fatal(err)
	}
	c.bus.Start()
	return c
}

// ready returns a cell whose arm can be commanded.
func ready(t testing.TB, o options) *cell {
	t.Helper()
	c := started(t, o)
	c.until(device.Operational, "")
	return c
}

// run lets cycles of the drive pass.
func (c *cell) run(n int) {
	for range n {
		c.cycles++
		for range c.every {
			c.bus.Cycle()
			if c.check != nil {
				c.check()
			}
		}
	}
}

// until lets cycles pass until the arm is in a state.
func (c *cell) until(s device.State, cause string) {
	c.t.Helper()
	for range 5000 {
		if is := c.arm.Status(); is.State == s && strings.Contains(is.Cause, cause) {
			return
		}
		c.run(1)
	}
	c.t.Fatalf("it is %v", c.arm.Status())
}

// is fails when the arm is in another state.
func (c *cell) is(s device.State, cause string) {
	c.t.Helper()
	if is := c.arm.Status(); is.State != s || !strings.Contains(is.Cause, cause) {
		c.t.Errorf("it is %v: %s", is.State, is.Cause)
	}
}

// now returns the instant of a net that is executed before the next cycle, in a grid of its own.
func (c *cell) now() device.Instant {
	clock := c.bus.Clock()
	at := clock.Unix(clock.Now()) - int64(cycle/4)
	return device.Instant{Time: at - at%int64(cycle), Period: cycle.Seconds(), Cycle: c.cycles + 1}
}

// tell posts parameters to the page of the drives.
func (c *cell) tell(p params) error {
	k := kind(c.t)
	for _, page := range k.Pages {
		if page.Path == "drives" {
			return page.Tell(c.arm, p)
		}
	}
	return errors.New("no page")
}

func (c *cell) rearm() {
	c.t.Helper()
	if err := c.tell(params{"arm": "true"}); err != nil {
		c.t.Fatal(err)
	}
}

func (c *cell) axis(n int) sim.Axis {
	c.t.Helper()
	a, err := c.drive.Axis(n)
	if err != nil {
		c.t.Fatal(err)
	}
	return a
}

// move commands joint 0 from where it is along a smooth motion, for some cycles.
func (c *cell) move(n int) {
	c.from, c.k = c.arm.Joint(0).Commanded.Pos, 0
	c.goOn(n)
}

// goOn is the same net for some more cycles.
func (c *cell) goOn(n int) {
	for range n {
		c.arm.CommandPosition(0, c.net(), c.now())
		c.k++
		c.run(1)
	}
}

// net returns where the net wants joint 0 next.
func (c *cell) net() float64 { return c.from + way(float64(c.k)*cycle.Seconds()) }

// way begins smoothly and goes on at 0.5 rad/s.
func way(s float64) float64 {
	const begin = 0.2
	if s < begin {
		return 0.5 * (s/2 - begin/(2*math.Pi)*math.Sin(math.Pi*s/begin))
	}
	return 0.5 * (begin/2 + s - begin)
}

// rests fails when an axis of the drive moves or is enabled.
func (c *cell) rests() {
	c.t.Helper()
	for n := 1; n <= 6; n++ {
		if a := c.axis(n); a.Powered || a.Velocity != 0 || cia402.StateOf(a.Status) == cia402.OperationEnabled {
			c.t.Errorf("axis %d: %v %+v", n, cia402.StateOf(a.Status), a)
		}
	}
}

func (c *cell) mechanism() *conform.Mechanism {
	return &conform.Mechanism{MultiJoint: c.arm, Follows: 500, Now: c.now, Cycle: func() { c.run(1) }}
}
