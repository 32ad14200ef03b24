package ecslave_test

import (
	"maps"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/devices/ecslave"
	"github.com/softrobot-rcc/rccd/ethercat"
	"github.com/softrobot-rcc/rccd/ethercat/sim"
	"github.com/softrobot-rcc/rccd/internal/testkit/bus"
	"github.com/softrobot-rcc/rccd/internal/testkit/conform"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

type params = map[string]string

// slave is the device, as nets and people see it.
type slave interface {
	device.Entries
	device.IO
}

func kind() device.Type { return ecslave.Types()[0] }

// connect opens a device on a bus that is not started yet.
func connect(t testing.TB, b *bus.Bus, name string, p params) (slave, error) {
	t.Helper()
	all := params{"ethercatdevice": "bus"}
	maps.Copy(all, p)
	k := kind()
	if wrong := k.Check(all); len(wrong) > 0 {
		return nil, wrong[0]
	}
	d, err := k.Open(b.Env(name), all)
	if err != nil {
		return nil, err
	}
	return d.(slave), nil
}

// alone returns a device with a slave behind a coupler, in operation.
func alone(t testing.TB, given sim.SlaveGiven, p params) (slave, *bus.Bus, *sim.Slave) {
	t.Helper()
	d, b, is := tryAlone(t, given, p)
	if !b.M.Cyclic() {
		t.Fatal(b.Trouble())
	}
	return d, b, is
}

// tryAlone returns the same where the slave may refuse.
func tryAlone(t testing.TB, given sim.SlaveGiven, p params) (slave, *bus.Bus, *sim.Slave) {
	t.Helper()
	given.Name = "it"
	b := bus.New(t, &sim.Rack{Slaves: []sim.SlaveGiven{{Type: "EK1100"}, given}}, ethercat.Options{Partial: true})
	all := params{"slave": "2"}
	maps.Copy(all, p)
	d, err := connect(t, b, "it", all)
	if err != nil {
		t.Fatal(err)
	}
	b.Start()
	b.Cycles(3)
	is, err := b.Chain.Slave("it")
	if err != nil {
		t.Fatal(err)
	}
	return d, b, is
}

// status fails when a device is in another state.
func status(t testing.TB, d device.Device, state device.State, cause string) {
	t.Helper()
	if is := d.Status(); is.State != state || !strings.Contains(is.Cause, cause) || strings.Contains(is.Cause, "\n") {
		t.Errorf("it is %v: %q, not %v: %q", is.State, is.Cause, state, cause)
	}
}

// value returns the value of an entry, NaN without one.
func value(t testing.TB, d device.Entries, name string) float64 {
	t.Helper()
	p, _, err := device.FindPart(d, name)
	if err != nil {
		t.Fatal(err)
	}
	bits, ok := p.Get(d)
	if !ok {
		return math.NaN()
	}
	return p.Kind.Float(bits, p.Bits)
}

// set sets an entry.
func set(t testing.TB, d device.Entries, name string, v float64) {
	t.Helper()
	p, _, err := device.FindPart(d, name)
	if err != nil {
		t.Fatal(err)
	}
	bits, _ := p.Kind.FromFloat(v, p.Bits)
	p.Set(d, bits, 0)
}

// names returns those of the entries.
func names(d device.Entries) (list []string) {
	for _, e := range d.Entries() {
		list = append(list, e.Name+" "+e.Type)
	}
	return list
}

// TestNothing: a slave that has nothing to read or to write is of no use, unless that is what the configuration says.
func TestNothing(t *testing.T) {
	b := bus.New(t, bus.Rack("EK1100", "EL1008"), ethercat.Options{})
	d, err := connect(t, b, "coupler", params{"slave": "1"})
	if err != nil {
		t.Fatal(err)
	}
	b.Start()
	b.Cycles(3)
	status(t, d, device.Offline, "no process data are assigned to it; list some with pdo, or write process_data: none")
}

// TestTerminals: without a word about their process data, terminals have what their objects or their SII say: an analog input has
// objects, a digital one has not.
func TestTerminals(t *testing.T) {
	b := bus.New(t, bus.Rack("EK1100", "EL1008", "EL2008", "EL3104", "EL4134"), ethercat.Options{})
	var d []slave
	for _, n := range []string{"1", "2", "3", "4", "5"} {
		p := params{"slave": n}
		if n == "1" {
			p["process_data"] = "none" // of a coupler
		}
		one, err := connect(t, b, "slave "+n, p)
		if err != nil {
			t.Fatal(err)
		}
		d = append(d, one)
		status(t, one, device.Offline, "the bus does not run")
		if _, _, err := device.FindPart(one, "x"); err == nil || !strings.Contains(err.Error(), "does not know its process data yet: bus: the bus does not run") {
			t.Error(err)
		}
	}
	b.Start()
	b.Do("slave EL1008-2 input 3 on", "slave EL3104-4 analog 2 -5")
	b.Cycles(3)
	for i, want := range []device.Ports{
		{Device: "slave 1"},
		{Device: "slave 2", DigitalIn: 8},
		{Device: "slave 3", DigitalOut: 8},
		{Device: "slave 4", DigitalIn: 24, AnalogIn: 12},
		{Device: "slave 5", AnalogOut: 4},
	} {
		status(t, d[i], device.Operational, "")
		if got := d[i].Ports(); got.DigitalIn != want.DigitalIn || got.DigitalOut != want.DigitalOut || got.AnalogOut != want.AnalogOut {
			t.Errorf("%+v, not %+v: %q", got, want, names(d[i]))
		}
	}
	if !d[1].DigitalIn(2) || d[1].DigitalIn(1) {
		t.Error("input 3 is on, and no other")
	}
	if got, want := value(t, d[3], "0x6010:17"), math.Round(-5*32767/10.0); math.Abs(got-want) > 1 {
		t.Errorf("%v, not %v", got, want)
	}
	d[2].SetDigitalOut(4, true, 0)
	set(t, d[4], "0x7020:1", -16_000)
	b.Cycles(3)
	lamps, _ := b.Chain.Slave("EL2008-3")
	volts, _ := b.Chain.Slave("EL4134-5")
	if on, err := lamps.Digital(5); !on || err != nil {
		t.Error(on, err)
	}
	if v, err := volts.Analog(3); math.Abs(v+16_000*10/32767.0) > 0.001 || err != nil {
		t.Error(v, err)
	}
}

// TestGiven: what the configuration says of process data gives names and types; it has to fit.
func TestGiven(t *testing.T) {
	lamps := "0x1600 red=0x7000:1/BOOL 0x1601 green=0x7010:1/BOOL 0x1602 a=0x7020:1/1 0x1603 0x7030:1/1 0x1604 0x7040:1/1 0x1605 0x7050:1/1 0x1606 0x7060:1/1 0x1607 last=0x7070:1/1"
	d, b, is := alone(t, sim.SlaveGiven{Type: "EL2008"}, params{"pdo": lamps})
	status(t, d, device.Operational, "")
	set(t, d, "green", 1)
	set(t, d, "0x7030:1", 1)
	b.Cycles(2)
	for n, want := range []bool{1: false, 2: true, 3: false, 4: true, 8: false} {
		if on, err := is.Digital(max(n, 1)); n > 0 && (on != want || err != nil) {
			t.Errorf("channel %d is %v %v", n, on, err)
		}
	}
	for _, tt := range []struct{ pdo, wrong string }{
		{"0x1600 red=0x7000:1/BOOL", "slave 2 \"EL2008\": outputs: the slave has assigned 0x1601, which the configuration does not list"},
		{lamps + " 0x1608 0x7080:1/1", "the slave has not assigned 0x1608"},
		{strings.Replace(lamps, "/BOOL", "/INT", 1), "0x1600 has 1 bits in the slave, and 16 in the configuration"},
		{"0x1A00 x=0x6000:1/BOOL", "inputs: the slave has not assigned 0x1a00; assigned are none"},
	} {
		d, _, _ := alone(t, sim.SlaveGiven{Type: "EL2008"}, params{"pdo": tt.pdo})
		status(t, d, device.Offline, tt.wrong)
	}
}

// TestAssigned: a drive takes the PDOs that are given, with what is mapped into them.
func TestAssigned(t *testing.T) {
	given := sim.SlaveGiven{Type: "drive", Drive: sim.DriveYAML{Axes: 1, FreeRun: true, Positions: []int64{-1234}}}
	d, b, _ := alone(t, given, params{
		"pdo":     "0x1600 mode=0x6060/SINT pad8 control=0x6040/UINT to=0x607A/DINT 0x1A00 status=0x6041/UINT at=0x6064/DINT pad3 speed=0x606C/DINT pad5",
		"startup": "0x605A=3/INT 0x6065=10000/UDINT",
	})
	status(t, d, device.Operational, "")
	if at := value(t, d, "at"); at != -1234 {
		t.Error(at)
	}
	for object, want := range map[uint16]byte{0x605a: 3, 0x6065: 10_000 & 0xff} {
		if got, err := b.M.Slaves()[1].Upload(t.Context(), object, 0, false); err != nil || got[0] != want {
			t.Errorf("0x%04x is %v %v", object, got, err)
		}
	}
	set(t, d, "mode", 8)
	set(t, d, "control", 6)
	b.Cycles(5)
	if s := value(t, d, "status.0-6"); s != 0x31 {
		t.Errorf("status %#x", int(s))
	}
	read, b, _ := alone(t, given, nil) // what is there without a word
	if want := "Controlword UINT, Modes of operation SINT, Target position DINT, Statusword UINT"; !strings.HasPrefix(strings.Join(names(read), ", "), want) {
		t.Errorf("%q", names(read))
	}
	status(t, read, device.Operational, "")
	_ = b
}

// TestLoss: inputs of a slave that is lost have no value, and outputs that were off stay off until they are set again.
func TestLoss(t *testing.T) {
	b := bus.New(t, bus.Rack("EK1100", "EL2008", "EL3104"), ethercat.Options{})
	lamps, err := connect(t, b, "lamps", params{"slave": "2"})
	if err != nil {
		t.Fatal(err)
	}
	volts, err := connect(t, b, "volts", params{"slave": "3"})
	if err != nil {
		t.Fatal(err)
	}
	b.Start()
	b.Do("slave EL3104-3 analog 1 1")
	lamps.SetDigitalOut(0, true, 0)
	b.Cycles(3)
	if h := lamps.(interface{ Holds() string }).Holds(); h != "outputs are on" {
		t.Error(h)
	}
	before := names(volts)
	b.Do("slave EL3104-3 cycle", "slave EL2008-2 cycle")
	b.Cycles(100)
	if v := value(t, volts, "0x6000:17"); v == v || volts.AnalogIn(0) == volts.AnalogIn(0) {
		t.Error("a value of a slave that is lost", v)
	}
	b.Tend(20 * time.Second)
	b.Cycles(3)
	if lamps.DigitalOut(0) || volts.AnalogIn(0) != volts.AnalogIn(0) {
		t.Error("outputs stay off, inputs are back")
	}
	status(t, volts, device.Operational, "")
	if got := names(volts); strings.Join(got, ",") != strings.Join(before, ",") {
		t.Errorf("%q", got)
	}
}

// TestWho: a slave that is another one than it should be is refused with both values, and the others go on.
func TestWho(t *testing.T) {
	rack := bus.Rack("EK1100", "EL1008", "EL2008")
	rack.Slaves[1].Serial = 5
	for _, tt := range []struct {
		p     params
		wrong string
	}{
		{params{"slave": "2", "vendor": "2", "product": "0x03f03052", "serial": "5"}, ""},
		{params{"vendor": "2", "product": "0x03f03052"}, ""},
		{params{"slave": "2", "vendor": "3"}, "its vendor is 0x00000002 instead of 0x00000003"},
		{params{"slave": "2", "product": "1"}, "its product is 0x03f03052 instead of 0x00000001"},
		{params{"slave": "2", "revision": "0xffff0000"}, "0xffff0000 is the least"},
		{params{"slave": "2", "serial": "6"}, "its serial number is 5 instead of 6"},
		{params{"slave": "4"}, "no slave 4, the bus has 3"},
		{params{"slave": "1", "startup": "0x8000=1/8"}, "has no objects (CoE); leave out startup"},
		{params{"slave": "2", "activate": "0x300"}, "has no distributed clock; with activate: 0 it runs free"},
		{params{"slave": "2", "assign": "on"}, "has no objects (CoE); write assign: auto"},
	} {
		b := bus.New(t, rack, ethercat.Options{})
		d, err := connect(t, b, "it", tt.p)
		if err != nil {
			t.Fatal(err)
		}
		b.Start()
		b.Cycles(2)
		state := device.Offline
		if tt.wrong == "" {
			state = device.Operational
		}
		status(t, d, state, tt.wrong)
	}
}

// TestParameters: the error says what is wrong without a bus.
func TestParameters(t *testing.T) {
	k := kind()
	for _, tt := range []struct{ name, value, wrong string }{
		{"pdo", "lamp=0x7000:1/BOOL", `"lamp=0x7000:1/BOOL" is not a PDO`},
		{"pdo", "0x1600 lamp=0x7000:1/BOL", `"BOL" is neither a type such as INT or BIT3`},
		{"pdo", "0x1600 lamp=0x7000:1/256", "is neither a type"},
		{"pdo", "0x1600 pad0", "is not a padding"},
		{"pdo", "0x1600 0x1600", "is given twice"},
		{"pdo", "0x1600 0x7000:1/INT 0x1601 0x7000:1/INT", "output 0x7000:1 is mapped twice, in 0x1600 and in 0x1601"},
		{"startup", "0x8000=1", "write an object with a value and its type"},
		{"startup", "0x8000=300/USINT", `"300" is not a number of type USINT`},
		{"startup", "0x8000=1/STRING", "is neither a type such as INT"},
		{"startup", "0x8000='text", "a quotation mark ' is missing"},
		{"startup", "0x8000=#0", "is not bytes"},
		{"startup", "complete:0x8000=1/8", "complete: takes bytes"},
		{"activate", "yes", "is not a number"},
		{"sync_shift", "1ms", "nothing switches them on"},
		{"vendor", "Beckhoff", "is not a number"},
	} {
		wrong := k.Check(params{"ethercatdevice": "bus", tt.name: tt.value})
		if len(wrong) != 1 || !strings.Contains(wrong[0].Error(), tt.wrong) {
			t.Errorf("%s=%s: %v", tt.name, tt.value, wrong)
		}
	}
	fine := params{
		"ethercatdevice": "bus", "activate": "0x700", "sync_shift": "-1ms", "sync0_cycle": "2ms", "sync1_cycle": "1ms",
		"startup": "[0x8000:6=true/BOOL,0x8000:21=-2/INT,0x8000:22=0xffff/16,0x2000='two words, and more'/STRING,0x2001=#0A0b,0x2002=1.5/LREAL,complete:0x1C12=#00]",
		"pdo":     "0x1600\n  lamp=0x7000:1/BOOL pad7\n0x1A00",
	}
	if wrong := k.Check(fine); len(wrong) > 0 {
		t.Error(wrong)
	}
}

// TestTwin: without a bus there is a device with the same entries, whose inputs can be set.
func TestTwin(t *testing.T) {
	k := kind()
	p := params{"simulated": "true", "ethercatdevice": "bus", "pdo": "0x1600 lamp=0x7000:1/BOOL pad7 way=0x7001:1/LREAL 0x1A00 speed=0x6000:1/LREAL on=0x6001:1/BOOL"}
	open := func(t *testing.T) device.Device {
		t.Helper()
		if wrong := k.Check(p); len(wrong) > 0 {
			t.Fatal(wrong)
		}
		d, err := k.Open(&device.Env{Name: "it"}, p)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	conform.IO(t, func(t *testing.T) device.IO { return open(t).(device.IO) })
	first := open(t).(device.FedEntries)
	set(t, first, "way", 0.5)
	first.FeedEntryBits(2, math.Float64bits(-3))
	second, err := k.OpenTwin(&device.Env{Name: "it", Original: &device.Original{Device: first}}, p)
	if err != nil {
		t.Fatal(err)
	}
	is := second.(device.Entries)
	if value(t, is, "way") != 0.5 || value(t, is, "speed") != -3 {
		t.Errorf("%v %v", value(t, is, "way"), value(t, is, "speed"))
	}
}
