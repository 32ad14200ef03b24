package univaldrive_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/cia402"
	"github.com/softrobot-rcc/rccd/ethercat/sim"
	"github.com/softrobot-rcc/rccd/internal/testkit/cable"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// TestPowerUp: all axes go through the states together, and none of them moves when it is enabled.
func TestPowerUp(t *testing.T) {
	c := started(t, options{})
	var before [6]float64
	for i := range before {
		before[i] = c.axis(i + 1).Position
	}
	seen := map[cia402.State]bool{}
	c.check = func() {
		least, most := cia402.Fault, cia402.NotReady
		for i := range before {
			a := c.axis(i + 1)
			s := cia402.StateOf(a.Status)
			least, most = min(least, s), max(most, s)
			seen[s] = true
			if a.Position != before[i] {
				t.Fatalf("axis %d moves while it is %v", i+1, s)
			}
		}
		if most > least {
			t.Errorf("some axes are %v while others are %v", most, least)
		}
	}
	c.until(device.Operational, "")
	for _, s := range []cia402.State{cia402.SwitchOnDisabled, cia402.ReadyToSwitchOn, cia402.SwitchedOn, cia402.OperationEnabled} {
		if !seen[s] {
			t.Errorf("they were never %v", s)
		}
	}
	for j, want := range []float64{0.01, 0.02, 0.3, 0, 0.00005, -0.00007} {
		if is := c.arm.Joint(j); math.Abs(is.Measured.Pos-want) > 1e-9 || is.Commanded.Pos != is.Measured.Pos || is.Fault != device.JointGood {
			t.Errorf("joint %d: %+v, it is at %v", j, is, want)
		}
	}
}

// TestMotion: the target for each SYNC0 is where equation 9.1 has the net at that instant, by a reference that knows the grid
// of SYNC0: multiples of the cycle.
func TestMotion(t *testing.T) {
	for _, tt := range []struct {
		options
		ahead float64
	}{
		{options{}, 0},
		{options{bus: time.Millisecond}, 0},
		{options{params: params{"ahead": "3ms", "smooth": "1"}}, 0.003},
	} {
		c := ready(t, tt.options)
		c.run(100)
		clock, told := c.bus.Clock(), c.arm.Joint(0).Commanded.Pos
		var times [2]int64 // of the net
		var net [2]float64
		var worst float64
		var least, most int64 = 1e18, 0
		targets := 0
		c.check = func() {
			got := c.arm.Joint(0).Commanded.Pos
			if got == told {
				return
			}
			if told = got; c.k < 100 {
				return
			}
			targets++
			at := clock.Unix(clock.Now())
			sync := (at/int64(cycle) + 1) * int64(cycle)
			least, most = min(least, sync-at), max(most, sync-at)
			slope := (net[1] - net[0]) / (float64(times[1]-times[0]) * 1e-9)
			want := net[0] + slope*(float64(sync-times[0])*1e-9+tt.ahead)
			worst = max(worst, math.Abs(got-want))
		}
		c.from = told
		for range 500 {
			at := c.now()
			times, net = [2]int64{times[1], at.Time}, [2]float64{net[1], c.net()}
			c.goOn(1)
		}
		if targets != 401 {
			t.Errorf("%v: %d targets in 401 cycles", tt.params, targets)
		}
		if period := tt.bus; period > 0 && most > int64(period) {
			t.Errorf("%v: targets are made up to %v before SYNC0", period, time.Duration(most))
		}
		// Clocks of bus and net are apart by what drift compensation leaves.
		if worst > 0.5*2e-6 {
			t.Errorf("%v: targets are off by %v rad, SYNC0 comes %d to %d ns after the exchange", tt.params, worst, least, most)
		}
		if got, want := c.axis(1).Position, told*scale; math.Abs(got-want) > 0.5*scale*0.012 {
			t.Errorf("%v: axis at %v instead of %v", tt.params, got, want)
		}
	}
}

// TestStops are all that takes the drives off while they move: they come to rest at once and all together, report why, nets have to let
// go, and nothing moves until they are armed.
func TestStops(t *testing.T) {
	for _, tt := range []struct {
		name   string
		do     func(c *cell)
		undo   func(c *cell)
		state  device.State
		cause  string
		within int // cycles until it is seen
	}{
		{"safety chain", func(c *cell) { c.bus.Do("slave arm safety open") }, func(c *cell) { c.bus.Do("slave arm safety closed") }, device.SafeOperational, "without voltage", 3},
		{"fault of an axis", func(c *cell) { c.bus.Do("slave arm fault 3 0x7305") }, nil, device.SafeOperational, "axis 3 had a fault: 0x7305, first encoder", 3},
		{"fault that comes again", func(c *cell) { c.bus.Do("slave arm fault 2 0x3210 stays") }, func(c *cell) { c.bus.Do("slave arm fault 2 0") }, device.SafeOperational, "axis 2 had a fault: 0x3210, overvoltage", 3},
		{"bit 12", func(c *cell) { c.bus.Do("slave arm ignore 4 on") }, func(c *cell) { c.bus.Do("slave arm ignore 4 off") }, device.SafeOperational, "axis 4 was enabled and did not follow", 3},
		{"mode", func(c *cell) { c.bus.Do("slave arm mode 5 6") }, func(c *cell) { c.bus.Do("slave arm mode 5 0") }, device.SafeOperational, "axis 5 was not in cyclic synchronous position", 3},
		{"people", func(c *cell) {
			if err := c.tell(params{"arm": "false"}); err != nil {
				c.t.Error(err)
			}
		}, nil, device.SafeOperational, "they were switched off", 3},
		{"emergency stop", func(c *cell) { c.button.Press(true) }, func(c *cell) { c.button.Press(false) }, device.SafeOperational, "emergency stop of the cell", 3},
		{"frames", func(c *cell) { c.bus.Do("drop 6") }, nil, device.SafeOperational, "did not answer for too long", 8},
		{"late", func(c *cell) { c.bus.Cable.Advance(c.bus.Cable.Now() + int64(7*cycle)) }, nil, device.SafeOperational, "cycles of the bus were left out for too long", 3},
		{"gone", func(c *cell) { c.bus.Do("slave arm vanish") }, func(c *cell) {
			c.bus.Do("slave arm return")
			c.bus.Tend(30 * time.Second)
		}, device.Offline, "did not answer for too long", 40},
		{"power cycle", func(c *cell) {
			c.bus.Do("slave arm cycle")
		}, func(c *cell) { c.bus.Tend(30 * time.Second) }, device.Offline, "did not answer for too long", 40},
		{"SYNC0", func(c *cell) { c.bus.Do("slave arm sync off", "slave arm error 0x2c safeop") }, func(c *cell) { c.bus.Tend(30 * time.Second) }, device.SafeOperational, "axis 1 had a fault: 0x7500, communication", 40},
		{"bus", func(c *cell) { c.bus.Stop() }, func(c *cell) { c.bus.Start() }, device.Offline, "the bus was stopped", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := ready(t, options{})
			c.move(100)
			if c.axis(1).Velocity < 0.3*scale {
				t.Fatalf("it does not move: %+v", c.axis(1))
			}
			tt.do(c)
			c.goOn(tt.within)
			c.is(tt.state, tt.cause)
			if f := c.arm.Joint(0).Fault; f == device.JointGood {
				t.Error("nets do not hear of it")
			}
			c.run(100)
			if tt.undo != nil {
				tt.undo(c)
			}
			c.goOn(200) // nothing goes on by itself, although a net goes on commanding
			c.rests()
			c.is(device.SafeOperational, tt.cause)
			if c.arm.Holds() != "" {
				t.Errorf("holds the bus: %s", c.arm.Holds())
			}
			at := c.axis(1).Position
			c.rearm()
			c.goOn(300)
			c.is(device.SafeOperational, "let go") // the net that commanded before has not
			if moved := c.axis(1).Position - at; math.Abs(moved) > 1 {
				t.Errorf("it has moved by %v when it was armed", moved)
			}
			c.run(20)
			c.is(device.Operational, "")
			c.move(100)
			if moved := c.axis(1).Position - at; moved < 0.05*scale {
				t.Errorf("it has moved by %v since", moved)
			}
		})
	}
}

// TestReset: a fault whose cause stays is tried as often as is configured, later each time, with one edge for each attempt.
func TestReset(t *testing.T) {
	c := ready(t, options{params: params{"resets": "3", "backoff": "100ms"}})
	c.bus.Do("slave arm fault 2 0x4310 stays")
	c.run(200)
	c.rearm()
	begin := c.cycles
	c.run(2)
	c.is(device.SafeOperational, "faults are reset")
	c.until(device.SafeOperational, "could not be reset: 0x4310, the drive is too hot")
	if took := time.Duration(c.cycles-begin) * cycle; took < 600*time.Millisecond || took > time.Second {
		t.Errorf("three attempts took %v", took)
	}
	c.bus.Do("slave arm fault 2 0")
	c.run(500)
	c.rests()
	c.rearm()
	c.until(device.Operational, "")
}

// TestLostFrames: a frame that is lost is repeated and then gone on from. Whether it has arrived or not, the drive never gets a step that is
// larger than what the joint may do in a cycle, and the motion goes on.
func TestLostFrames(t *testing.T) {
	for name, fault := range map[string]cable.Fault{"on the way there": {Unheard: true}, "on the way back": {Lost: true}} {
		t.Run(name, func(t *testing.T) {
			c := ready(t, options{})
			c.move(100)
			lose := 0
			c.bus.Cable.Faults = func(uint64, []byte) cable.Fault {
				if lose > 0 {
					lose--
					return fault
				}
				return cable.Fault{}
			}
			last, repeated := c.arm.Joint(0).Commanded.Pos, 0
			before, acc := 0.5*cycle.Seconds(), c.arm.JointModel(0).Acceleration
			for k := range 200 {
				if k == 50 || k == 100 {
					lose = 1
				}
				if k == 150 {
					lose = 3
				}
				c.goOn(1)
				is := c.arm.Joint(0)
				step := is.Commanded.Pos - last
				if most := before + 4*acc*cycle.Seconds()*cycle.Seconds(); is.Fault != device.JointGood || step < 0 || step > most+1e-9 {
					t.Fatalf("cycle %d: a step of %v after one of %v, %v", k, step, before, is.Fault)
				}
				before = step
				if step == 0 {
					repeated++
				}
				last = is.Commanded.Pos
			}
			if repeated != 5 {
				t.Errorf("%d targets were repeated", repeated)
			}
			if away := math.Abs(last - c.net()); away > 0.006 {
				t.Errorf("in the end it is %v away from the net", away)
			}
			c.is(device.Operational, "")
		})
	}
}

// TestFollowingError: an axis that does not reach its target causes a quick stop, also where the drive does not mind.
func TestFollowingError(t *testing.T) {
	c := ready(t, options{params: params{"following_error": "0.02"}, rack: func(d *sim.DriveYAML) { d.Window, d.Velocity = 0, 20_000 }})
	c.move(150) // 0.2 rad/s is all that the axis can do
	c.is(device.SafeOperational, "axis 1 was too far from where it should be")
	c.run(100)
	c.rests()
}

// TestNothingByItself: with arm=false the drives stay off until they are switched on, and an open safety chain is not waited for
// for ever.
func TestNothingByItself(t *testing.T) {
	c := started(t, options{params: params{"arm": "false", "patience": "1s"}})
	c.run(500)
	c.rests()
	c.is(device.SafeOperational, "to be armed by arm=true")
	c.bus.Do("slave arm safety open")
	c.rearm()
	c.until(device.SafeOperational, "stayed in switch-on disabled")
	c.bus.Do("slave arm safety closed")
	c.run(500)
	c.rests()
	c.rearm()
	c.until(device.Operational, "")
}

// TestHeldByStop: during an emergency stop of the cell the drives cannot be armed.
func TestHeldByStop(t *testing.T) {
	c := started(t, options{})
	c.button.Press(true)
	c.run(500)
	c.rests()
	if err := c.tell(params{"arm": "true"}); err == nil {
		t.Error("they were armed")
	}
	c.is(device.SafeOperational, "emergency stop of the cell")
}

// TestClose: a joint that moves brakes within its limits, while it is not commanded any more; then all drives are shut down in order, and
// have no power when the device is at rest.
func TestClose(t *testing.T) {
	for _, moving := range []bool{true, false} {
		t.Run(fmt.Sprintf("moving=%t", moving), func(t *testing.T) {
			c := ready(t, options{})
			c.move(1)
			if moving {
				c.move(100)
			}
			c.drive.Changes()
			was, limit := c.arm.Joint(0).Commanded.Vel, c.arm.JointModel(0).Acceleration*cycle.Seconds()
			if moving != (was > 0.2) {
				t.Fatalf("it moves with %v", was)
			}
			c.arm.Halt()
			for n := 0; !c.arm.AtRest(); n++ {
				c.goOn(1) // the net does not stop
				is := c.arm.Joint(0).Commanded.Vel
				if by := was - is; by > limit*1.02 || by < -limit*1.02 {
					t.Fatalf("from %v to %v rad/s in a cycle", was, is)
				}
				if was = is; n > 1000 {
					t.Fatalf("it does not come to rest: %v, %+v", c.arm.Status(), c.arm.Joint(0))
				}
			}
			c.run(2)
			c.rests()
			c.is(device.SafeOperational, "the device is being closed")
			changes := c.drive.Changes()
			if len(changes) != 12 {
				t.Errorf("%d changes of state", len(changes))
			}
			for i, change := range changes {
				want := sim.Change{Axis: i%6 + 1, From: cia402.OperationEnabled, To: cia402.ReadyToSwitchOn}
				if i >= 6 {
					want.From, want.To = cia402.ReadyToSwitchOn, cia402.SwitchOnDisabled
				}
				if change.Velocity = math.Round(change.Velocity); change != want {
					t.Errorf("%+v, not %+v", change, want)
				}
			}
			if err := c.arm.Close(); err != nil {
				t.Fatal(err)
			}
			c.run(100)
			c.rests()
		})
	}
}

// TestRefused reports what is wrong with the slave; the bus runs without it.
func TestRefused(t *testing.T) {
	free := func(d *sim.DriveYAML) { d.FreeRun = true }
	for _, tt := range []struct {
		name string
		options
		cause string
	}{
		{"position", options{rack: free, params: params{"slave": "7"}}, "no slave 7"},
		{"another slave", options{rack: free, params: params{"slave": "1", "product": "0x402"}}, "its product is"},
		{"alias", options{rack: free, params: params{"slave": "0", "alias": "77"}}, "with alias 77"},
		{"vendor", options{rack: free, params: params{"vendor": "0x1234"}}, "its vendor is"},
		{"revision", options{rack: free, params: params{"revision": "0x99"}}, "revision is"},
		{"no clock", options{free: true}, "the bus has no distributed clock"},
		{"mapping", options{rack: func(d *sim.DriveYAML) { d.Outputs = []string{"0x6040", "0x60FF", "0x6060"} }}, "object 0x607a of axis 1 is not in the outputs"},
		{"no mode", options{rack: func(d *sim.DriveYAML) { d.Inputs = []string{"0x6041", "0x6064"} }}, "object 0x6061 of axis 1 is not in the inputs"},
		{"fewer axes", options{rack: func(d *sim.DriveYAML) { d.Axes = 5 }, params: params{"interpolation": "none"}}, "object 0x8840 of axis 6 is not in the outputs"},
		{"interpolation time", options{rack: func(d *sim.DriveYAML) { d.Strict = false }, bus: 2 * time.Millisecond, params: params{"cycle": "2ms", "interpolation": "read"}}, "axis 1 takes 4ms between two targets (0x60c2), the cycle is 2ms"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := started(t, tt.options)
			c.run(50)
			c.is(device.Offline, tt.cause)
			if a := c.axis(1); cia402.StateOf(a.Status) != cia402.SwitchOnDisabled {
				t.Errorf("%+v", a)
			}
		})
	}
}

// TestWrongParameters are refused before anything is done.
func TestWrongParameters(t *testing.T) {
	for _, tt := range []struct{ name, value, cause string }{
		{"ethercatdevice", "nobody", "no device nobody"},
		{"counts_per_rad", "[1,2]", "2 values of 6"},
		{"counts_per_rad", "[0,1,1,1,1,1]", "axis 1 has 0"},
		{"counts_per_rad", "[1e12,1,1,1,1,1]", "there is room"},
		{"offset", "[1]", "1 values of 6"},
		{"coupling", "[1,2]", "2 values of 36"},
		{"coupling", "[" + strings.Repeat("1,", 35) + "1]", "do not follow"},
		{"axis_order", "1 2 3", "3 axes of 6"},
		{"axis_order", "1 1 2 3 4 5", "axis 1 is given twice"},
		{"axis_order", "1 2 3 4 5 9", "is not an axis"},
		{"vendor", "beckhoff", "vendor"},
		{"activate", "yes", "activate"},
		{"cycle", "5ms", "is not a multiple of the cycle of the bus"},
		{"digin", "0x60FD", "a bit of an object"},
		{"digin", "0x60FD.70", "bits are"},
		{"anin", "0x60FD.1", "a number as"},
		{"digout", "nothing.1", "is not an object"},
		{"rx_mapping", "0x6040 0x2000", "how many bits"},
		{"rx_mapping", "pad0", "is not a padding"},
		{"rx_pdos", "first", "is not a PDO"},
		{"tx_mapping", "0x6041/x", "bits are"},
		{"startup", "0x605A", "with a value"},
		{"startup", "0x605A=70000/16", "is not a number of type 16"},
		{"startup", "0x605A=1/12", "is neither a type such as INT"},
		{"max_vel", "[1]", "max_vel"},
		{"analog_unit", "0", "analog_unit"},
		{"home_joint", "[9,0,0,0,0,0]", "joint"},
		{"mode", "csv", "mode"},
	} {
		c := newCell(t, options{})
		if _, err := c.open(params{tt.name: tt.value}); err == nil || !strings.Contains(err.Error(), tt.cause) {
			t.Errorf("%s=%s: %v", tt.name, tt.value, err)
		}
	}
}

// TestOwnMapping: process data can be mapped as the configuration wants, objects be written at the start.
func TestOwnMapping(t *testing.T) {
	c := ready(t, options{rack: func(d *sim.DriveYAML) { d.Outputs = []string{"0x6040", "0x6060", "pad8", "0x607A", "0x60FE"} }, params: params{
		"rx_mapping": "0x6040 0x607A 0x6060 pad8 0x60FE:1", "tx_mapping": "0x6041 0x6064 0x6061 pad8 0x603F 0x60FD 0x6077",
		"startup": "axes:0x6065=40000/32 0x605A=2/16", "digout": "0x60FE:1.16-23 0x68FE:1.20", "anin": "0x6077 0x6877u", "analog_unit": "0.5",
	}})
	c.arm.SetDigitalOut(3, true, 0)
	c.arm.SetDigitalOut(8, true, 0)
	c.move(50)
	if got := c.arm.Status().Cause; strings.Contains(got, "ports") {
		t.Error(got)
	}
	if got := object(t, c, 0x60fe, 1); got != 1<<19 {
		t.Errorf("outputs of axis 1: %#x", got)
	}
	if got := object(t, c, 0x68fe, 1); got != 1<<20 {
		t.Errorf("outputs of axis 2: %#x", got)
	}
	if got := object(t, c, 0x8865, 0); got != 40_000 {
		t.Errorf("window of axis 6: %d", got)
	}
	if !c.arm.DigitalIn(0) || c.arm.DigitalIn(1) {
		t.Error("inputs")
	}
	if c.arm.AnalogIn(0) == 0 || c.arm.AnalogIn(1) != 0 {
		t.Errorf("torques %v %v", c.arm.AnalogIn(0), c.arm.AnalogIn(1))
	}
}

func object(t *testing.T, c *cell, index uint16, sub uint8) (v uint32) {
	t.Helper()
	data, err := c.bus.M.Slaves()[1].Upload(t.Context(), index, sub, false)
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range data {
		v |= uint32(b) << (8 * i)
	}
	return v
}

// TestPortsThatAreNotThere are reported if a net asks for them, and keep nothing else from working.
func TestPortsThatAreNotThere(t *testing.T) {
	c := ready(t, options{})
	if got := c.arm.Status().Cause; got != "" {
		t.Error("nobody has asked for the usual ports:", got)
	}
	c = ready(t, options{params: params{"digout": "0x60FE:1.16-19"}})
	c.is(device.Operational, "ports that are not in the process data: 0x60fe:1")
	if got := c.arm.Status().Cause; strings.Contains(got, "slave") {
		t.Error("that nobody says which slave it is must not be a cause:", got)
	}
	if text := c.view(); strings.Contains(text, `"hint"`) {
		t.Error("its place is given:", text)
	}
	product := fmt.Sprintf("%#x", c.bus.M.Slaves()[1].About().Identity.Product)
	c = ready(t, options{params: params{"slave": "0", "product": product}})
	if text := c.view(); !strings.Contains(text, `"hint":"the only slave that fits is taken for the drive; vendor: 0x0 and product: `+product) {
		t.Error(text)
	}
	c = ready(t, options{params: params{"vendor": "0x0", "digout": ""}})
	if got := c.arm.Status().Cause; strings.Contains(got, "ports") {
		t.Error(got)
	}
}
