package io_test

import (
	"encoding/json"
	"encoding/xml"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/internal/testkit"
	"github.com/softrobot-rcc/rccd/primitives/io"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ports"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// box is a device with two ports of each kind, and with entries.
type box struct {
	*ports.Image
	entries
}

func newBox() box {
	return box{ports.New(device.Ports{Device: "io", DigitalIn: 2, DigitalOut: 2, AnalogIn: 2, AnalogOut: 2}), newEntries()}
}

func newEntries() entries {
	f, err := ports.NewFed("io", []device.Entry{
		{Name: "status", Address: "0x6000:1", Type: "UINT", Bits: 16},
		{Name: "way", Address: "0x6010:1", Type: "DINT", Kind: device.EntrySigned, Bits: 32},
		{Name: "count", Address: "0x6010:2", Type: "ULINT", Bits: 64},
		{Name: "force", Address: "0x6020:1", Type: "REAL", Kind: device.EntryReal, Bits: 32},
		{Name: "lamp", Address: "0x7000:1", Type: "BOOL", Bits: 1, Output: true},
		{Name: "speed", Address: "0x7010:1", Type: "INT", Kind: device.EntrySigned, Bits: 16, Output: true},
		{Name: "exact", Address: "0x7020:1", Type: "LREAL", Kind: device.EntryReal, Bits: 64, Output: true},
		{Name: "word", Address: "0x7030:1", Type: "BIT5", Bits: 5, Output: true},
	})
	if err != nil {
		panic(err)
	}
	return entries{f}
}

// entries hides that they could be ports as well.
type entries struct{ fed ports.Fed }

func (e entries) Entries() []device.Entry        { return e.fed.Entries() }
func (e entries) EntryBits(n int) (uint64, bool) { return e.fed.EntryBits(n) }
func (e entries) SetEntryBits(n int, mask, bits uint64, t int64) {
	e.fed.SetEntryBits(n, mask, bits, t)
}
func (e entries) FeedEntryBits(n int, bits uint64) { e.fed.FeedEntryBits(n, bits) }

func (b box) Status() device.Status {
	return device.Status{State: device.Operational, Cause: b.Trouble()}
}

func (b box) Interfaces() []device.Interface {
	return []device.Interface{device.AnnounceIO(b.Ports()), device.AnnounceEntries()}
}

func (b box) Close() error { return nil }

// sealed is a box whose inputs come from hardware.
type sealed struct{ device.IO }

var kit = testkit.Kit{
	Primitives: io.Primitives(),
	Devices:    func() map[string]device.Device { return map[string]device.Device{"io": newBox()} },
}

func TestExamples(t *testing.T)    { kit.Examples(t) }
func TestDocumented(t *testing.T)  { kit.Documented(t) }
func TestCatalogue(t *testing.T)   { kit.Golden(t, "testdata/catalogue.golden") }
func TestAllocations(t *testing.T) { kit.Allocations(t) }
func TestMemory(t *testing.T)      { kit.Memory(t) }
func TestEndure(t *testing.T)      { kit.Stress(t, 100) }

type host struct {
	spec.Host
	dev device.Device
}

func (h host) Device(string) (device.Device, error) { return h.dev, nil }

// load makes a block of primitives on ports. Values of their in ports, if they have one, are fed through the cells.
func load[T any](t *testing.T, name string, env *spec.Env, ports ...string) (*spec.Block, []*spec.Out[T]) {
	t.Helper()
	var p *spec.Primitive
	for _, x := range io.Primitives() {
		if x.Name == name {
			p = x
		}
	}
	block, id := p.New(len(ports)), "io"
	var cells []*spec.Out[T]
	for i, port := range ports {
		if len(p.In) > 0 {
			cell := new(spec.Out[T])
			block.Link(i, 0, cell)
			cells = append(cells, cell)
		} else {
			cells = append(cells, block.Cell(i, 0).(*spec.Out[T]))
		}
		texts, second := make([]*string, len(p.Params)), "Port"
		if p.Param(second) < 0 {
			second = "Entry"
		}
		texts[p.Param("DeviceID")], texts[p.Param(second)] = &id, &port
		if err := block.Init(i, texts, env); err != nil {
			t.Fatal(err)
		}
	}
	return block, cells
}

// TestSensors: what is read is the value at the beginning of the cycle.
func TestSensors(t *testing.T) {
	b := newBox()
	env := &spec.Env{Period: time.Millisecond, Host: host{dev: b}}
	in, inCells := load[bool](t, "IO::InBool", env, "1")
	real, realCells := load[float64](t, "IO::InReal", env, "0")
	out, outCells := load[bool](t, "IO::OutBoolSensor", env, "1")
	outReal, outRealCells := load[float64](t, "IO::OutRealSensor", env, "0")
	set := func(on bool, v float64) {
		b.SetDigitalIn(1, on)
		b.SetAnalogIn(0, v)
		b.SetDigitalOut(1, on, 0)
		b.SetAnalogOut(0, v*2, 0)
	}
	for n := uint64(1); n <= 4; n++ {
		cy, on, v := spec.Cycle{N: n}, n%2 == 0, float64(n)
		set(on, v)
		for _, block := range []*spec.Block{in, real, out, outReal} {
			block.Kernel(spec.Sense, 0, 1)(&cy)
		}
		set(!on, -1) // too late for this cycle
		for _, block := range []*spec.Block{in, real, out, outReal} {
			block.Kernel(spec.Run, 0, 1)(&cy)
		}
		if inCells[0].V != on || realCells[0].V != v || outCells[0].V != on || outRealCells[0].V != 2*v || !inCells[0].Current(&cy) {
			t.Errorf("cycle %d: %v %v %v %v", n, inCells[0].V, realCells[0].V, outCells[0].V, outRealCells[0].V)
		}
	}
	if len(env.Resources) != 0 {
		t.Errorf("ports are not resources, but %v", env.Resources)
	}
}

// TestOutputs: the last one with a value decides, null and NaN leave an output as it is, and several writers are told.
func TestOutputs(t *testing.T) {
	b := newBox()
	env := &spec.Env{Period: time.Millisecond, Host: host{dev: b}}
	bools, on := load[bool](t, "IO::OutBool", env, "1", "1")
	reals, values := load[float64](t, "IO::OutReal", env, "0", "0")
	nan := 0.0
	nan /= nan
	for n, step := range []struct {
		on         []bool
		values     []float64
		wantOn     bool
		want       float64
		sharedBool uint64
		sharedReal uint64
	}{
		{on: []bool{true}, values: []float64{1.5}, wantOn: true, want: 1.5},
		{wantOn: true, want: 1.5},
		{on: []bool{true, false}, values: []float64{2, 3}, wantOn: false, want: 3, sharedBool: 1, sharedReal: 1},
		{values: []float64{4, nan}, wantOn: false, want: 4, sharedBool: 1, sharedReal: 1},
		{on: []bool{false, true}, values: []float64{nan, nan}, wantOn: true, want: 4, sharedBool: 2, sharedReal: 1},
	} {
		cy := spec.Cycle{N: uint64(n) + 1, Time: int64(n) + 1}
		for i, v := range step.on {
			on[i].Set(&cy, v)
		}
		for i, v := range step.values {
			values[i].Set(&cy, v)
		}
		bools.Kernel(spec.Act, 0, 2)(&cy)
		reals.Kernel(spec.Act, 0, 2)(&cy)
		if b.DigitalOut(1) != step.wantOn || b.AnalogOut(0) != step.want || b.DigitalOut(0) || b.AnalogOut(1) != 0 {
			t.Errorf("cycle %d: %v %v, not %v %v", cy.N, b.DigitalOut(1), b.AnalogOut(0), step.wantOn, step.want)
		}
		if got, real := b.Shared(device.DigitalOut, 1), b.Shared(device.AnalogOut, 0); got != step.sharedBool || real != step.sharedReal {
			t.Errorf("cycle %d: %d and %d shared, not %d and %d", cy.N, got, real, step.sharedBool, step.sharedReal)
		}
	}
}

// far is a box at the end of a cable.
type far struct {
	box
	reached bool
}

func (f *far) Reached() bool { return f.reached }

// TestRefusals: values that do not get to an output, as they are not numbers or nobody reaches the device, are refusals of the net.
func TestRefusals(t *testing.T) {
	nan := math.NaN()
	const unreached = "the device is not reached, so that its outputs are not written"
	for _, tt := range []struct {
		primitive, on, channel string
		value                  any
		cut                    bool
		want                   string
	}{
		{"IO::OutBool", "1", "digout 1", true, false, ""},
		{"IO::OutBool", "1", "digout 1", true, true, unreached},
		{"IO::OutBool", "1", "digout 1", nil, true, ""},
		{"IO::OutReal", "0", "anout 0", 1.5, false, ""},
		{"IO::OutReal", "0", "anout 0", 1.5, true, unreached},
		{"IO::OutReal", "0", "anout 0", nan, false, "the set-point is not a number"},
		{"IO::WriteBool", "lamp", "lamp", true, true, unreached},
		{"IO::WriteInt", "speed", "speed", int32(3), true, unreached},
		{"IO::WriteInt", "speed", "speed", int32(3), false, ""},
		{"IO::WriteReal", "exact", "exact", 1.5, true, unreached},
		{"IO::WriteReal", "exact", "exact", nan, false, "the set-point is not a number"},
	} {
		device := &far{newBox(), !tt.cut}
		env := &spec.Env{Period: time.Millisecond, Host: host{dev: device}, Refusals: new(spec.Refusals)}
		cy := spec.Cycle{N: 1}
		var block *spec.Block
		switch v := tt.value.(type) {
		case bool:
			b, in := load[bool](t, tt.primitive, env, tt.on)
			in[0].Set(&cy, v)
			block = b
		case int32:
			b, in := load[int32](t, tt.primitive, env, tt.on)
			in[0].Set(&cy, v)
			block = b
		case float64:
			b, in := load[float64](t, tt.primitive, env, tt.on)
			in[0].Set(&cy, v)
			block = b
		default:
			block, _ = load[bool](t, tt.primitive, env, tt.on)
		}
		block.Kernel(spec.Act, 0, 1)(&cy)
		got := ""
		for _, r := range env.Refusals.List() {
			if got = r.Reason; r.Channel != tt.channel {
				t.Errorf("%s: %v, not %s", tt.primitive, r.Resource, tt.channel)
			}
		}
		if got != tt.want || len(env.Resources) != 0 {
			t.Errorf("%s of %v, cut %v: %q, not %q; resources %v", tt.primitive, tt.value, tt.cut, got, tt.want, env.Resources)
		}
	}
}

func TestPage(t *testing.T) {
	b := newBox()
	b.SetDigitalIn(1, true)
	b.SetAnalogOut(0, 0.1, 7)
	b.SetAnalogOut(0, 0.25, 7)
	page := io.Interface().Pages[0]
	shown, err := page.View(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	x, errX := xml.MarshalIndent(shown, "", " ")
	want := `<iointerface name="io" numdigin="2" numdigout="2" numanin="2" numanout="2">
 <io id="0" type="digin" value="false"></io>
 <io id="1" type="digin" value="true"></io>
 <io id="0" type="digout" value="false"></io>
 <io id="1" type="digout" value="false"></io>
 <io id="0" type="anin" value="0"></io>
 <io id="1" type="anin" value="0"></io>
 <io id="0" type="anout" value="0.25" shared="1"></io>
 <io id="1" type="anout" value="0"></io>
</iointerface>`
	if diff := cmp.Diff(want, string(x)); diff != "" || errX != nil {
		t.Error(diff, errX)
	}
	if j, err := json.Marshal(shown); err != nil || !strings.Contains(string(j), `{"id":0,"type":"anout","value":"0.25","shared":1}`) {
		t.Errorf("%s %v", j, err)
	}
}

func TestTelling(t *testing.T) {
	b, page := newBox(), io.Interface().Pages[0]
	for _, tt := range []struct {
		told string
		err  string
		got  func() bool
	}{
		{told: "id=1 type=digout", got: func() bool { return b.DigitalOut(1) }},
		{told: "id=1 type=digout", got: func() bool { return !b.DigitalOut(1) }},
		{told: "id=1 type=digout value=true", got: func() bool { return b.DigitalOut(1) }},
		{told: "id=1 type=digout value=1", got: func() bool { return b.DigitalOut(1) }},
		{told: "id=0 type=digin value=true", got: func() bool { return b.DigitalIn(0) }},
		{told: "id=0 type=anout value=-1.5e-3", got: func() bool { return b.AnalogOut(0) == -0.0015 }},
		{told: "id=1 type=anin value=4", got: func() bool { return b.AnalogIn(1) == 4 }},
		{told: "id=2 type=anin value=4", err: "parameter id: the device has 2 ports of type anin, counted from 0"},
		{told: "id=-1 type=anin value=4", err: "parameter id: -1 is not 0 or more"},
		{told: "id=1 type=anin", err: "parameter value: is missing"},
		{told: "id=1 type=anout value=nan", err: `parameter value: "nan" is not a finite number`},
		{told: "id=1 type=anout value=1e999", err: `parameter value: "1e999" is not a finite number`},
		{told: "id=1 type=anout value=much", err: `parameter value: "much" is not a number`},
		{told: "id=1 type=digout value=perhaps", err: `parameter value: "perhaps" is neither true nor false`},
		{told: "id=1 type=lamp", err: `parameter type: "lamp" is not one of digout anout digin anin`},
	} {
		err := page.Tell(b, paramsOf(tt.told))
		switch {
		case tt.err == "" && (err != nil || !tt.got()):
			t.Errorf("%s: %v, or it is not so", tt.told, err)
		case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)):
			t.Errorf("%s: %v, not %q", tt.told, err, tt.err)
		}
	}
	if got := b.Shared(device.DigitalOut, 1); got != 0 {
		t.Errorf("people have been taken for %d nets", got)
	}
	hardware := sealed{newBox()}
	if err := page.Tell(hardware, paramsOf("id=0 type=digin value=true")); err == nil || !strings.Contains(err.Error(), "only be set where they are simulated") {
		t.Error(err)
	}
	if err := page.Tell(hardware, paramsOf("id=0 type=digout value=true")); err != nil || !hardware.DigitalOut(0) {
		t.Error(err)
	}
}

func paramsOf(text string) map[string]string {
	params := map[string]string{}
	for _, word := range strings.Fields(text) {
		name, v, _ := strings.Cut(word, "=")
		params[name] = v
	}
	return params
}
