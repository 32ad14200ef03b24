package beckhoff_test

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/devices/beckhoff"
	"github.com/softrobot-rcc/rccd/devices/simio"
	"github.com/softrobot-rcc/rccd/ethercat"
	"github.com/softrobot-rcc/rccd/ethercat/image"
	"github.com/softrobot-rcc/rccd/ethercat/sim"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/internal/testkit/bus"
	"github.com/softrobot-rcc/rccd/internal/testkit/conform"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// kinds are the terminals as the tests know them: what is printed on them, what is at their channels.
var kinds = []struct {
	order                   string
	digitalIn, digitalOut   int
	analogIn, analogOut     int
	least, most, resolution float64
}{
	{order: "EL1002", digitalIn: 2},
	{order: "EL1004", digitalIn: 4},
	{order: "EL1008", digitalIn: 8},
	{order: "EL1018", digitalIn: 8},
	{order: "EL1808", digitalIn: 8},
	{order: "EL1809", digitalIn: 16},
	{order: "EL2002", digitalOut: 2},
	{order: "EL2004", digitalOut: 4},
	{order: "EL2008", digitalOut: 8},
	{order: "EL2024", digitalOut: 4},
	{order: "EL2808", digitalOut: 8},
	{order: "EL2809", digitalOut: 16},
	{order: "EL3062", analogIn: 2, least: 0, most: 10, resolution: 0.0025},
	{order: "EL3064", analogIn: 4, least: 0, most: 10, resolution: 0.0025},
	{order: "EL3102", analogIn: 2, least: -10, most: 10, resolution: 0.00031},
	{order: "EL3104", analogIn: 4, least: -10, most: 10, resolution: 0.00031},
	{order: "EL3102-0010", analogIn: 2, least: -10, most: 10, resolution: 0.00031},
	{order: "EL3154", analogIn: 4, least: 4, most: 20, resolution: 0.0005},
	{order: "EL3162", analogIn: 2, least: 0, most: 10, resolution: 0.00031},
	{order: "EL3164", analogIn: 4, least: 0, most: 10, resolution: 0.00031},
	{order: "EL4002", analogOut: 2, least: 0, most: 10, resolution: 0.0003},
	{order: "EL4004", analogOut: 4, least: 0, most: 10, resolution: 0.0003},
	{order: "EL4102", analogOut: 2, least: 0, most: 10, resolution: 0.0002},
	{order: "EL4104", analogOut: 4, least: 0, most: 10, resolution: 0.0002},
	{order: "EL4132", analogOut: 2, least: -10, most: 10, resolution: 0.0002},
	{order: "EL4134", analogOut: 4, least: -10, most: 10, resolution: 0.0002},
}

// typeOf finds the device type for an order number.
func typeOf(t testing.TB, order string) *device.Type {
	t.Helper()
	name, _, _ := strings.Cut(strings.ToLower(order), "-")
	types := beckhoff.Types(simio.Type)
	i := slices.IndexFunc(types, func(k device.Type) bool { return k.Name == name })
	if i < 0 {
		t.Fatalf("there is no %s", name)
	}
	return &types[i]
}

// connect opens a terminal on a bus that has not been started yet.
func connect(t testing.TB, b *bus.Bus, name, order string, params ...string) device.Device {
	t.Helper()
	all := map[string]string{"ethercatdevice": "bus"}
	for i := 0; i+1 < len(params); i += 2 {
		all[params[i]] = params[i+1]
	}
	d, err := typeOf(t, order).Open(b.Env(name), all)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func slaveOf(t testing.TB, b *bus.Bus, name string) *sim.Slave {
	t.Helper()
	s, err := b.Chain.Slave(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// alone returns a rack with one terminal, and its bus in operation.
func alone(t testing.TB, order string, params ...string) (*bus.Bus, *beckhoff.Terminal, *sim.Slave) {
	t.Helper()
	b := bus.New(t, bus.Rack("EK1100", order), ethercat.Options{})
	d := connect(t, b, "terminal", order, params...)
	b.Start()
	b.Cycles(5)
	return b, d.(*beckhoff.Terminal), slaveOf(t, b, order+"-2")
}

func status(t testing.TB, d device.Device, state device.State, cause string) {
	t.Helper()
	if got := d.Status(); got.State != state || got.Cause != cause {
		t.Errorf("%v %q, not %v %q", got.State, got.Cause, state, cause)
	}
}

// Every channel of every terminal has the value that is at it, and no other.
func TestChannels(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.order, func(t *testing.T) {
			b, d, s := alone(t, k.order)
			want := device.Ports{Device: "terminal", DigitalIn: k.digitalIn, DigitalOut: k.digitalOut, AnalogIn: k.analogIn, AnalogOut: k.analogOut}
			if d.Ports() != want {
				t.Errorf("%+v, not %+v", d.Ports(), want)
			}
			status(t, d, device.Operational, "")
			tick := int64(0)
			rapid.Check(t, func(t *rapid.T) {
				tick++
				volts := rapid.Float64Range(k.least, k.most)
				var levels []bool
				var values []float64
				for i := range max(k.digitalIn, k.digitalOut) {
					on := rapid.Bool().Draw(t, "on")
					levels = append(levels, on)
					if k.digitalIn > 0 {
						if err := s.SetDigital(i+1, on); err != nil {
							t.Fatal(err)
						}
					} else {
						d.SetDigitalOut(i, on, tick)
					}
				}
				for i := range max(k.analogIn, k.analogOut) {
					v := volts.Draw(t, "value")
					values = append(values, v)
					if k.analogIn > 0 {
						if err := s.SetAnalog(i+1, v); err != nil {
							t.Fatal(err)
						}
					} else {
						d.SetAnalogOut(i, v, tick)
					}
				}
				b.Cycles(3)
				for i, on := range levels {
					got := d.DigitalIn(i)
					if k.digitalOut > 0 {
						got, _ = s.Digital(i + 1)
					}
					if got != on {
						t.Fatalf("channel %d of %v is %v", i+1, levels, got)
					}
				}
				for i, v := range values {
					got := d.AnalogIn(i)
					if k.analogOut > 0 {
						got, _ = s.Analog(i + 1)
					}
					if !(math.Abs(got-v) <= k.resolution) {
						t.Fatalf("channel %d of %v is %v", i+1, values, got)
					}
				}
			})
		})
	}
}

// A coupler is a device without ports.
func TestCoupler(t *testing.T) {
	b := bus.New(t, bus.Rack("EK1100", "EL1008", "EK1110", "EK1100"), ethercat.Options{})
	d := connect(t, b, "rack", "EK1100", "slave", "4")
	status(t, d, device.Offline, "bus: the bus does not run")
	b.Start()
	b.Cycles(3)
	status(t, d, device.Operational, "")
	if len(d.Interfaces()) != 0 {
		t.Error(d.Interfaces())
	}
	b.Do("slave EK1100-4 vanish")
	b.Cycles(10)
	_ = b.M.Tend(t.Context())
	status(t, d, device.Offline, `slave 4 "EK1100" does not answer`)
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

func TestConformance(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.order, func(t *testing.T) {
			conform.IO(t, func(t *testing.T) device.IO { t.Helper(); _, d, _ := alone(t, k.order); return d })
		})
	}
}

// An input that the terminal marks as unusable has no value, and the status says why.
func TestStatusBits(t *testing.T) {
	for _, tt := range []struct {
		order    string
		params   []string
		commands []string
		want     float64 // of the first channel
		cause    string
	}{
		{"EL3104", nil, []string{"analog 1 5"}, 5, ""},
		{"EL3104", nil, []string{"analog 1 10.5"}, math.NaN(), "anin 0 has no value (above range, error)"},
		{"EL3104", nil, []string{"analog 1 -10.5"}, math.NaN(), "anin 0 has no value (below range, error)"},
		{"EL3104", []string{"saturate", "true"}, []string{"analog 1 10.5"}, 10, ""},
		{"EL3104", []string{"saturate", "true"}, []string{"analog 1 -10.5"}, -10, ""},
		{"EL3104", []string{"saturate", "true"}, []string{"analog 1 5", "wire 1 off"}, math.NaN(), "anin 0 has no value (error, invalid)"},
		{"EL3062", nil, []string{"analog 1 -0.5"}, math.NaN(), "anin 0 has no value (below range, error)"},
		{"EL3062", []string{"saturate", "true"}, []string{"analog 1 -0.5"}, 0, ""},
		{"EL3154", nil, []string{"analog 1 0"}, math.NaN(), "anin 0 has no value (below range, error, invalid)"},
		{"EL3154", nil, []string{"analog 1 20"}, 20, ""},
		{"EL3102-0010", nil, []string{"analog 1 5", "wire 1 off"}, math.NaN(), "anin 0 has no value (error)"},
		{"EL3102-0010", nil, []string{"analog 1 5"}, 5, ""},
	} {
		t.Run(tt.order+strings.Join(tt.params, "=")+strings.Join(tt.commands, ","), func(t *testing.T) {
			b, d, s := alone(t, tt.order, tt.params...)
			for _, c := range tt.commands {
				b.Do("slave " + s.Name() + " " + c)
			}
			b.Cycles(4)
			if got := d.AnalogIn(0); !(math.Abs(got-tt.want) < 0.001) && !(math.IsNaN(got) && math.IsNaN(tt.want)) {
				t.Errorf("%v, not %v", got, tt.want)
			}
			if got := d.AnalogIn(1); math.IsNaN(got) {
				t.Error("the neighbour has no value")
			}
			status(t, d, device.Operational, tt.cause)
		})
	}
}

// Values are what people want to see.
func TestScale(t *testing.T) {
	b, d, s := alone(t, "EL3104", "scale", "[0.1,1,1,-2]", "offset", "[5]")
	for i := range 4 {
		if err := s.SetAnalog(i+1, 10); err != nil {
			t.Fatal(err)
		}
	}
	b.Cycles(3)
	for i, want := range []float64{6, 15, 15, -15} {
		if got := d.AnalogIn(i); math.Abs(got-want) > 0.001 {
			t.Errorf("anin %d is %v, not %v", i, got, want)
		}
	}
	b, d, s = alone(t, "EL4132", "scale", "[100]", "offset", "[-50,0]")
	if d.AnalogOut(0) != -50 || d.AnalogOut(1) != 0 {
		t.Errorf("%v and %v are 0 V", d.AnalogOut(0), d.AnalogOut(1))
	}
	d.SetAnalogOut(0, 450, 1)
	d.SetAnalogOut(1, -2000, 1)
	d.SetAnalogOut(1, math.NaN(), 1)
	b.Cycles(3)
	for i, want := range []float64{5, -10} {
		if got, _ := s.Analog(i + 1); math.Abs(got-want) > 0.001 {
			t.Errorf("anout %d drives %v V, not %v", i, got, want)
		}
	}
	status(t, d, device.Operational, "anout 1 cannot be -2000")
}

// A slave that is lost takes its inputs along; when it is back they return.
func TestLostInputs(t *testing.T) {
	b := bus.New(t, bus.Rack("EK1100", "EL1008", "EL3104"), ethercat.Options{})
	d, a := connect(t, b, "buttons", "EL1008").(device.IO), connect(t, b, "volts", "EL3104").(device.IO)
	if d.DigitalIn(0) || !math.IsNaN(a.AnalogIn(0)) {
		t.Error("values before the start")
	}
	b.Start()
	b.Do("slave EL1008-2 input 3 on", "slave EL3104-3 analog 2 7")
	b.Cycles(4)
	there := func(when string, want bool) {
		t.Helper()
		if d.DigitalIn(2) != want || math.IsNaN(a.AnalogIn(1)) == want {
			t.Errorf("%s: %v, %v", when, d.DigitalIn(2), a.AnalogIn(1))
		}
	}
	there("in operation", true)
	b.Do("drop 1")
	b.Cycle()
	there("a frame is lost", true)
	b.Do("slave EL1008-2 vanish")
	b.Cycles(100)
	there("lost", false)
	_ = b.M.Tend(t.Context())
	status(t, d, device.Offline, `slave 2 "EL1008" does not answer`)
	status(t, a, device.Offline, `slave 3 "EL3104" does not answer`)
	b.Do("slave EL1008-2 return")
	b.Tend(20 * time.Second)
	b.Do("slave EL1008-2 input 3 on")
	b.Cycles(5)
	there("back", true)
	status(t, d, device.Operational, "")
	b.Stop()
	there("stopped", false)
	status(t, d, device.Offline, "bus: the bus does not run")
	b.Start()
	b.Do("slave EL1008-2 input 3 on") // the simulated one has forgotten it
	b.Cycles(5)
	there("started again", true)
	if m := a.(device.Meter).Metrics(); m[0].Value != 1 || m[1].Value != 0 {
		t.Errorf("%+v", m)
	}
}

// However outputs went off, they stay off until they are written again.
func TestOutputsStayOff(t *testing.T) {
	const terminal = "slave EL2008-2 "
	for _, tt := range []struct {
		what string
		off  func(b *bus.Bus)
		on   func(b *bus.Bus)
	}{
		{"vanished", func(b *bus.Bus) { b.Do(terminal + "vanish"); b.Cycles(300) }, func(b *bus.Bus) { b.Do(terminal + "return"); b.Tend(20 * time.Second) }},
		{"switched off and on", func(b *bus.Bus) { b.Do(terminal + "cycle"); b.Cycles(20) }, func(b *bus.Bus) { b.Tend(20 * time.Second) }},
		{"fell to Safe-Op", func(b *bus.Bus) { b.Do(terminal + "error 0x1d safeop"); b.Cycles(5) }, func(b *bus.Bus) { b.Tend(20 * time.Second) }},
		{"deaf", func(b *bus.Bus) { b.Do(terminal + "deaf"); b.Cycles(300) }, func(b *bus.Bus) { b.Do(terminal + "hear"); b.Tend(20 * time.Second) }},
		{"cable pulled", func(b *bus.Bus) { b.Cable.Unplugged = true; b.Cycles(300) }, func(b *bus.Bus) { b.Cable.Unplugged = false; b.Tend(20 * time.Second) }},
		{"thread asleep", func(b *bus.Bus) { b.Cable.Advance(b.Cable.Now() + 3e8) }, func(b *bus.Bus) { b.Cycles(2); b.Tend(20 * time.Second) }},
		{"bus stopped", func(b *bus.Bus) { b.Stop() }, func(b *bus.Bus) { b.Start() }},
	} {
		t.Run(tt.what, func(t *testing.T) {
			b, d, s := alone(t, "EL2008")
			d.SetDigitalOut(4, true, 1)
			b.Cycles(3)
			is := func(when string, want bool) {
				t.Helper()
				if on, _ := s.Digital(5); on != want {
					t.Errorf("%s: the output is %v", when, on)
				}
			}
			is("in operation", true)
			if d.Holds() != "outputs are on" {
				t.Errorf("holds %q", d.Holds())
			}
			tt.off(b)
			tt.on(b)
			b.Cycles(10)
			is("back", false)
			if d.DigitalOut(4) || d.Holds() != "" {
				t.Error("it is said to be on")
			}
			status(t, d, device.Operational, "")
			d.SetDigitalOut(4, true, 2)
			b.Cycles(3)
			is("written again", true)
		})
	}
	t.Run("an incident too short for the watchdog", func(t *testing.T) {
		b, d, s := alone(t, "EL2008")
		d.SetDigitalOut(4, true, 1)
		b.Cycles(3)
		b.Do("drop 20")
		b.Cycles(40)
		if on, _ := s.Digital(5); !on || !d.DigitalOut(4) {
			t.Error("went off")
		}
	})
}

// A value that is set while the terminal is missing is not done later.
func TestOutputsWhileLost(t *testing.T) {
	b, d, s := alone(t, "EL4132")
	b.Do("slave EL4132-2 vanish")
	b.Cycles(300)
	d.SetAnalogOut(0, 7, 1)
	b.Cycles(20)
	b.Do("slave EL4132-2 return")
	b.Tend(20 * time.Second)
	b.Cycles(5)
	if v, _ := s.Analog(1); v != 0 || d.AnalogOut(0) != 0 {
		t.Errorf("%v V, said to be %v", v, d.AnalogOut(0))
	}
}

// A terminal in the wrong place is reported with the one that is there; the others start.
func TestRefused(t *testing.T) {
	b := bus.New(t, bus.Rack("EK1100", "EL1008", "EL2008", "EL2008", "EL3104"), ethercat.Options{})
	good := connect(t, b, "good", "EL1008", "slave", "2")
	for _, tt := range []struct {
		name, order string
		params      []string
		err         string
	}{
		{"wrong", "EL2004", []string{"slave", "3"}, `slave 3 "EL2008" cannot be the EL2004: its product is 0x07d83052 instead of 0x07d43052`},
		{"neighbour", "EL3104", []string{"slave", "4"}, `slave 4 "EL2008" cannot be the EL3104: its product is 0x07d83052 instead of 0x0c203052; it may be slave 5 "EL3104"`},
		{"twice", "EL1008", nil, `slave 2 "EL1008" belongs to another device`},
		{"which", "EL2008", nil, `EL2008 on the bus: it may be slave 3 "EL2008", slave 4 "EL2008", say which one (slave, alias)`},
		{"missing", "EL4004", nil, `no EL4004 on the bus`},
		{"beyond", "EL1008", []string{"slave", "9"}, `EL1008: no slave 9, the bus has 5; it may be slave 2 "EL1008"`},
		{"old", "EL3104", []string{"revision", "19"}, `no EL3104 on the bus: slave 5 "EL3104" is too old, its revision is 0x00120000 and the least is 0x00130000`},
	} {
		d := connect(t, b, tt.name, tt.order, tt.params...)
		defer func() {
			if tt.err != "" {
				status(t, d, device.Offline, tt.err)
			}
			if err := b.Refused(tt.name); tt.err == "" && err != nil || tt.err != "" && (err == nil || err.Error() != tt.err) {
				t.Errorf("%s: %v", tt.name, err)
			}
		}()
	}
	b.Start()
	b.Cycles(5)
	status(t, good, device.Operational, "")
}

// Impossible parameters are refused before anything happens.
func TestRefusedParameters(t *testing.T) {
	b := bus.New(t, bus.Rack("EK1100", "EL3104"), ethercat.Options{})
	for _, tt := range []struct {
		order  string
		params map[string]string
		err    string
	}{
		{"EL3104", nil, "parameter ethercatdevice: is missing"},
		{"EL3104", map[string]string{"ethercatdevice": "buss"}, "no device buss"},
		{"EL3104", map[string]string{"ethercatdevice": "bus", "scale": "[1,2,3]"}, "parameter scale: 3 numbers for 4 channels"},
		{"EL3104", map[string]string{"ethercatdevice": "bus", "scale": "[0]"}, "parameter scale: 0 makes all values the same"},
		{"EL3104", map[string]string{"ethercatdevice": "bus", "offset": "[nan]"}, "parameter offset: NaN is not finite"},
		{"EL3104", map[string]string{"ethercatdevice": "bus", "assign_activate": "yes"}, `parameter assign_activate: "yes" is not a number such as 0x0700`},
		{"EL3154", map[string]string{"ethercatdevice": "bus", "saturate": "true"}, "parameter saturate: el3154 has no such parameter"},
		{"EL1008", map[string]string{"ethercatdevice": "bus", "watchdog": "10ms"}, "parameter watchdog: el1008 has no such parameter"},
	} {
		if _, err := typeOf(t, tt.order).Open(b.Env("x"), tt.params); err == nil || err.Error() != tt.err {
			t.Errorf("%v: %v", tt.params, err)
		}
	}
}

// A terminal may be named by its alias wherever it stands, and have a watchdog and a filter of its own.
func TestSettings(t *testing.T) {
	rack := bus.Rack("EK1100", "EL2008", "EL2008", "EL3104")
	rack.Slaves[2].Alias = 77
	b := bus.New(t, rack, ethercat.Options{})
	d := connect(t, b, "lamps", "EL2008", "alias", "77", "watchdog", "20ms").(device.IO)
	connect(t, b, "volts", "EL3104", "filter", "iir3", "revision", "18")
	b.Start()
	d.SetDigitalOut(0, true, 1)
	b.Cycles(3)
	if on, _ := slaveOf(t, b, "EL2008-3").Digital(1); !on {
		t.Error("another one")
	}
	b.Cable.Unplugged = true
	b.Cycles(15)
	b.Chain.Advance(b.Cable.Now())
	if on, _ := slaveOf(t, b, "EL2008-3").Digital(1); !on {
		t.Error("off too early")
	}
	b.Cycles(15)
	b.Chain.Advance(b.Cable.Now())
	if on, _ := slaveOf(t, b, "EL2008-3").Digital(1); on {
		t.Error("not off after the watchdog")
	}
	b.Cable.Unplugged = false
	b.Tend(20 * time.Second)
	for sub, want := range map[uint8]byte{0x06: 1, 0x15: 4} {
		if got, err := b.M.Slaves()[3].Upload(t.Context(), 0x8000, sub, false); err != nil || got[0] != want {
			t.Errorf("0x8000:%02x is %v, %v", sub, got, err)
		}
	}
}

// With a distributed clock, conversions are in step with the bus.
func TestSync(t *testing.T) {
	b := bus.New(t, bus.Rack("EK1100", "EL3104", "EL4132"), ethercat.Options{Sync: &ethercat.Sync{}})
	in, out := connect(t, b, "in", "EL3104", "assign_activate", "0x0700"), connect(t, b, "out", "EL4132", "assign_activate", "0x0300")
	b.Start()
	b.Do("slave EL3104-2 analog 1 3")
	b.Cycles(5)
	status(t, in, device.Operational, "")
	status(t, out, device.Operational, "")
	if v := in.(device.IO).AnalogIn(0); math.Abs(v-3) > 0.001 {
		t.Error(v)
	}
}

// Nothing is allocated in a cycle.
func TestNoAllocation(t *testing.T) {
	for _, order := range []string{"EL1809", "EL2809", "EL3104", "EL4134"} {
		_, d, _ := alone(t, order)
		process, at := make(image.View, 16), ecat.Moment{}
		n := alloc.Least(func() {
			for _, q := range []ecat.Quality{ecat.Fresh, ecat.Held, ecat.Invalid} {
				at.Now += 1e6
				d.Prepare(&at)
				d.Write(process, &at)
				d.Read(process, q, &at)
				process[3] ^= 0x80
			}
		})
		if n != 0 {
			t.Errorf("%s: %d allocations", order, n)
		}
	}
}

// A change at an input is at an output in the second exchange, when a net has its tick between two of them.
func TestFromInputToOutput(t *testing.T) {
	b := bus.New(t, bus.Rack("EK1100", "EL1008", "EL2008", "EL3104", "EL4134"), ethercat.Options{})
	var d [4]device.IO
	for i, order := range []string{"EL1008", "EL2008", "EL3104", "EL4134"} {
		d[i] = connect(t, b, order, order).(device.IO)
	}
	b.Start()
	b.Cycles(5)
	lamp, volts := slaveOf(t, b, "EL2008-3"), slaveOf(t, b, "EL4134-5")
	b.Do("slave EL1008-2 input 1 on", "slave EL3104-4 analog 1 5")
	for cycle := 1; cycle <= 3; cycle++ {
		b.Cycle()
		on, _ := lamp.Digital(1)
		v, _ := volts.Analog(1)
		if reached := cycle >= 2; on != reached || (math.Abs(v-5) < 0.001) != reached {
			t.Errorf("after exchange %d: %v, %v V", cycle, on, v)
		}
		d[1].SetDigitalOut(0, d[0].DigitalIn(0), int64(cycle)) // as a net does
		d[3].SetAnalogOut(0, d[2].AnalogIn(0), int64(cycle))
	}
}

// BenchmarkTerminal is what a terminal takes of each cycle of the bus.
func BenchmarkTerminal(b *testing.B) {
	for _, order := range []string{"EL1008", "EL2809", "EL3104", "EL4134"} {
		b.Run(order, func(b *testing.B) {
			_, d, _ := alone(b, order)
			process, at := make(image.View, 16), ecat.Moment{}
			for b.Loop() {
				at.Now += 1e6
				d.Prepare(&at)
				d.Write(process, &at)
				d.Read(process, ecat.Fresh, &at)
			}
		})
	}
}

// A slave that is plugged in later takes part from the next start of the bus on.
func TestHotConnect(t *testing.T) {
	b := bus.New(t, bus.Rack("EK1100", "EL1008", "EL2008"), ethercat.Options{})
	d, other := connect(t, b, "lamps", "EL2008", "slave", "3"), connect(t, b, "buttons", "EL1008")
	b.Do("slave EL2008-3 vanish")
	b.Start()
	b.Cycles(5)
	status(t, d, device.Offline, "EL2008: no slave 3, the bus has 2")
	status(t, other, device.Operational, "")
	b.Do("slave EL2008-3 return")
	b.Cycles(5)
	if err := b.M.Tend(t.Context()); !errors.Is(err, ethercat.ErrStrangers) {
		t.Error(err)
	}
	b.Stop()
	b.Start()
	b.Cycles(5)
	status(t, d, device.Operational, "")
	d.(device.IO).SetDigitalOut(7, true, 1)
	b.Cycles(2)
	if on, _ := slaveOf(t, b, "EL2008-3").Digital(8); !on {
		t.Error("the output is off")
	}
}

// On a slow bus the time from one exchange to the next is not a loss.
func TestSlowBus(t *testing.T) {
	b := bus.New(t, bus.Rack("EK1100", "EL2008"), ethercat.Options{Cycle: 80 * time.Millisecond})
	d := connect(t, b, "lamps", "EL2008").(device.IO)
	b.Start()
	b.Cycles(3)
	d.SetDigitalOut(0, true, 1)
	s := slaveOf(t, b, "EL2008-2")
	for range 5 {
		b.Cycle()
		if on, err := s.Digital(1); err != nil || !on {
			t.Fatalf("the output is off, %v", err)
		}
	}
}

// Whatever happens, an output that went off by itself is not on before it is written again.
func TestNothingComesOnByItself(t *testing.T) {
	const terminal, patience = "slave EL2008-2 ", 50
	rapid.Check(t, func(r *rapid.T) {
		b, d, s := alone(t, "EL2008")
		wanted, reached, age := false, false, 0 // it was written on, the output was on since then, cycles since then
		look := func() {
			on, err := s.Digital(1)
			if err != nil || on && !wanted {
				r.Fatalf("it is on, and nobody wants it; %v", err)
			}
			wanted = wanted && (on || !reached && age < patience) // what was not done soon is not to be done later
			reached = reached || on
		}
		for tick := range rapid.Int64Range(1, 12).Draw(r, "steps") {
			switch what := rapid.SampledFrom([]string{
				"on", "off", "vanish", "return", "cycle", "deaf", "hear", "error 0x1d safeop", "drop", "unplug", "sleep", "tend",
			}).Draw(r, "what"); what {
			case "on":
				d.SetDigitalOut(0, true, tick+1)
				wanted, reached, age = true, false, 0
			case "off":
				d.SetDigitalOut(0, false, tick+1)
			case "drop":
				b.Do("drop " + strconv.Itoa(rapid.IntRange(1, 120).Draw(r, "frames")))
			case "unplug":
				b.Cable.Unplugged = !b.Cable.Unplugged
			case "sleep":
				b.Cable.Advance(b.Cable.Now() + int64(rapid.IntRange(1, 400).Draw(r, "ms"))*1e6)
				b.Chain.Advance(b.Cable.Now())
			case "tend":
				_ = b.M.Tend(t.Context()) // what cannot be mended now is so later
			default:
				b.Do(terminal + what)
			}
			look()
			for range rapid.IntRange(0, 150).Draw(r, "cycles") {
				b.Cycle()
				age++
				look()
			}
		}
	})
}
