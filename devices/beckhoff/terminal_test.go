package beckhoff

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/devices/simio"
	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/image"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// master is a bus with nothing behind it.
type master struct {
	device.Device
	devices   []ecat.Device
	simulated bool
	full      error
}

func (m *master) Add(_ string, d ecat.Device) error {
	m.devices = append(m.devices, d)
	return m.full
}

func (m *master) Remove(d ecat.Device) {
	m.devices = slices.DeleteFunc(m.devices, func(o ecat.Device) bool { return o == d })
}
func (m *master) Period() time.Duration { return time.Millisecond }
func (m *master) Trouble() string       { return "no cable" }
func (m *master) Simulated() bool       { return m.simulated }

// slave is one whose objects and process data the test says.
type slave struct {
	ecat.Slave
	label           ecat.Label
	outputs, inputs []ecat.Area
	objects         map[uint32]byte
	clock           bool
	fault           error
	status          ecat.Status
	written         []uint32
}

func (s *slave) About() ecat.Label                 { return s.label }
func (s *slave) Unheard() bool                     { return false }
func (s *slave) Obeys() bool                       { return true }
func (s *slave) HasCoE() bool                      { return s.objects != nil || s.fault != nil }
func (s *slave) HasClock() bool                    { return s.clock }
func (s *slave) Configure(ecat.Setup) error        { return nil }
func (s *slave) Attach(ecat.Driver) error          { return nil }
func (s *slave) Layout() (outputs, in []ecat.Area) { return s.outputs, s.inputs }
func (s *slave) Status() ecat.Status               { return s.status }

func (s *slave) Upload(_ context.Context, index uint16, sub uint8, _ bool) ([]byte, error) {
	if s.fault != nil {
		return nil, s.fault
	}
	if v, ok := s.objects[uint32(index)<<8|uint32(sub)]; ok {
		return []byte{v}, nil
	}
	return nil, coe.AbortNoObject
}

func (s *slave) Download(_ context.Context, index uint16, sub uint8, _ bool, _ []byte) error {
	s.written = append(s.written, uint32(index)<<8|uint32(sub))
	return coe.AbortReadOnly
}

// on opens a terminal whose slave is in Op.
func on(t testing.TB, order string, s *slave, params map[string]string) *Terminal {
	t.Helper()
	m := named(t, order)
	s.label.Identity, s.label.Position, s.status.State = m.identity(1), 3, wire.Op
	types := Types(simio.Type)
	i := slices.IndexFunc(types, func(k device.Type) bool { return k.Name == m.name() })
	all := map[string]string{"ethercatdevice": "bus"}
	for k, v := range params {
		all[k] = v
	}
	bus := &master{}
	env := &device.Env{Name: "it", Device: func(string) (device.Device, error) { return bus, nil }}
	d, err := types[i].Open(env, all)
	if err != nil {
		t.Fatal(err)
	}
	it := d.(*Terminal)
	if err := it.Startup([]ecat.Slave{s}); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(it.PreOp(t.Context(), s), it.SafeOp(t.Context(), s)); err != nil {
		t.Fatal(err)
	}
	return it
}

func exchange(it *Terminal, process image.View) {
	at := ecat.Moment{Now: 1e9}
	it.Read(process, ecat.Fresh, &at)
	it.Write(process, &at)
}

// Which number is the end of the range is asked of the terminal, or said by the configuration.
func TestRange(t *testing.T) {
	const raw = 0x7736
	for _, tt := range []struct {
		what    string
		objects map[uint32]byte
		kind    string
		fault   error
		want    float64
		cause   string
	}{
		{"cannot be asked", nil, "auto", nil, 10 * 30518.0 / 32767, ""},
		{"does not know the object", map[uint32]byte{0x100802: 0}, "auto", nil, 10 * 30518.0 / 32767, ""},
		{"extended", map[uint32]byte{0x800d12: 0, 0x801d12: 0}, "auto", nil, 10, ""},
		{"legacy", map[uint32]byte{0x800d12: 3, 0x801d12: 3}, "auto", nil, 10 * 30518.0 / 32767, ""},
		{"one of each", map[uint32]byte{0x800d12: 0, 0x801d12: 3}, "auto", nil, 10, ""},
		{"said to be extended", nil, "extended", nil, 10, ""},
		{"said to be legacy", map[uint32]byte{0x800d12: 0}, "legacy", nil, 10 * 30518.0 / 32767, ""},
		{
			"something else",
			map[uint32]byte{0x800d12: 1},
			"auto", nil, math.NaN(),
			"slave 4: the scaler of channel 1 (0x800d:12) is 1, which is neither the extended nor the legacy range: configure range",
		},
		{"no integers", map[uint32]byte{0x801002: 2}, "auto", nil, math.NaN(), "slave 4: the presentation of channel 2 is 2: write 0 into 0x8010:02"},
		{"no answer", nil, "auto", errors.New("it is lost"), math.NaN(), "slave 4: reading 0x8000:02: it is lost"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			s := &slave{inputs: []ecat.Area{area(8, repeat(2, standard...)...)}, objects: tt.objects, fault: tt.fault}
			it := on(t, "EL3102", s, map[string]string{"range": tt.kind})
			process := make(image.View, 8)
			process.Set(16, 16, raw)
			exchange(it, process)
			if got := it.AnalogIn(0); !(math.Abs(got-tt.want) < 1e-9) && !(math.IsNaN(got) && math.IsNaN(tt.want)) {
				t.Errorf("%v, not %v", got, tt.want)
			}
			is := it.Status()
			if is.Cause != tt.cause || (is.State == device.Operational) != (tt.cause == "") {
				t.Errorf("%+v", is)
			}
		})
	}
}

// Outputs have the same ends, of the nominal range.
func TestOutputRange(t *testing.T) {
	s := &slave{outputs: []ecat.Area{area(4)}}
	for kind, want := range map[string][2]int64{"legacy": {32767, -32767}, "extended": {30518, -30518}} {
		it := on(t, "EL4132", s, map[string]string{"range": kind})
		process := make(image.View, 4)
		exchange(it, process)
		it.SetAnalogOut(0, 10, 1)
		it.SetAnalogOut(1, math.Inf(-1), 1)
		exchange(it, process)
		if got := [2]int64{process.Signed(0, 16), process.Signed(16, 16)}; got != want {
			t.Errorf("%s: %v, not %v", kind, got, want)
		}
	}
	it := on(t, "EL4102", s, nil)
	process := make(image.View, 4)
	exchange(it, process)
	it.SetAnalogOut(0, -3, 1)
	it.SetAnalogOut(1, 5, 1)
	exchange(it, process)
	if got := [2]int64{process.Signed(0, 16), process.Signed(16, 16)}; got != [2]int64{0, 16384} {
		t.Error(got)
	}
}

// A layout that does not fit keeps the terminal offline: it writes nothing and has no values. The bus goes on.
func TestWrongLayout(t *testing.T) {
	s := &slave{outputs: []ecat.Area{area(2)}}
	it := on(t, "EL2008", s, nil)
	process := image.View{0xff, 0xff}
	exchange(it, process)
	it.SetDigitalOut(1, true, 1)
	exchange(it, process)
	if !bytes.Equal(process, []byte{0, 0}) {
		t.Errorf("writes % x", []byte(process))
	}
	want := "slave 4: need outputs of 8 channels with 1 bits each, found SyncManager 0 with 2 bytes"
	if is := it.Status(); is.State != device.Offline || is.Cause != want {
		t.Errorf("%+v", is)
	}
	s.outputs = []ecat.Area{area(1)}
	if err := errors.Join(it.PreOp(t.Context(), s), it.SafeOp(t.Context(), s)); err != nil {
		t.Fatal(err)
	}
	exchange(it, process[:1])
	it.SetDigitalOut(1, true, 1)
	exchange(it, process[:1])
	if process[0] != 2 || it.Status().State != device.Operational {
		t.Errorf("%v, %+v after it was mended", process, it.Status())
	}
}

// Texts of the states of the slave.
func TestStatus(t *testing.T) {
	s := &slave{inputs: []ecat.Area{area(1)}}
	it := on(t, "EL1008", s, nil)
	exchange(it, image.View{0})
	is := func(want device.Status) {
		t.Helper()
		if diff := cmp.Diff(want, it.Status()); diff != "" {
			t.Error(diff)
		}
	}
	is(device.Status{State: device.Operational})
	s.status = ecat.Status{State: wire.SafeOp | wire.ErrorBit, Code: wire.CodeWatchdog}
	is(device.Status{State: device.SafeOperational, Cause: "slave 4 is in Safe-Op: " + wire.CodeWatchdog.String() + ": " + wire.CodeWatchdog.Remedy()})
	s.status = ecat.Status{State: wire.PreOp, Trouble: "something"}
	is(device.Status{Cause: "slave 4 is in Pre-Op: something"})
	s.status = ecat.Status{State: wire.Op, Lost: true}
	is(device.Status{Cause: "slave 4 does not answer"})
	s.status = ecat.Status{State: wire.Op}
	it.Read(nil, ecat.Invalid, &ecat.Moment{})
	is(device.Status{Cause: "slave 4 takes no part in the exchange"})
	it.Shutdown()
	is(device.Status{Cause: "bus: no cable"})
}

// A terminal without a clock cannot be in step with the bus; one whose filter is refused is not what the configuration says.
func TestImpossibleSettings(t *testing.T) {
	s := &slave{inputs: []ecat.Area{area(8)}, objects: map[uint32]byte{}}
	it := on(t, "EL3102", s, map[string]string{"filter": "off"})
	if cause := it.Status().Cause; cause != "slave 4: setting the filter (0x8000:06): "+coe.AbortReadOnly.Error() || !slices.Equal(s.written, []uint32{0x800006}) {
		t.Errorf("%q, %x", cause, s.written)
	}
	it = on(t, "EL3102", s, map[string]string{"filter": "60hz"})
	if cause := it.Status().Cause; !strings.HasPrefix(cause, "slave 4: setting the filter (0x8000:15): ") {
		t.Error(cause)
	}
	it = on(t, "EL3102", &slave{clock: true}, map[string]string{"assign_activate": "0x0700", "sync_shift": "100us", "sync1_cycle": "50us"})
	if diff := cmp.Diff(&ecat.Clock{Activate: 0x700, Shift: 1e5, Cycle1: 5e4}, it.setup.Clock); diff != "" {
		t.Error(diff)
	}
	without := &slave{label: ecat.Label{Identity: named(t, "EL3102").identity(1)}}
	if err := it.Startup([]ecat.Slave{without}); err == nil || err.Error() != "slave 1 has no distributed clock; leave out assign_activate" {
		t.Error(err)
	}
}

// Whatever a slave answers, a channel has a value within its range, or none.
func FuzzInputs(f *testing.F) {
	f.Add(uint8(0), []byte{0, 0, 0xff, 0x7f, 0x40, 0xc0, 1, 0x80})
	f.Fuzz(func(t *testing.T, kind uint8, text []byte) {
		layouts := [][]ecat.Assigned{repeat(2, standard...), repeat(2, 8, 16), repeat(2, 16)}
		pdos := layouts[int(kind)%len(layouts)]
		it := on(t, "EL3102", &slave{inputs: []ecat.Area{area(pdos[0].Bits()/4, pdos...)}}, nil)
		exchange(it, text)
		for i := range 2 {
			bits := it.shown[i].bits.Load()
			v := it.AnalogIn(i)
			if bad := bits&(bitError|bitInvalid) != 0; bad != math.IsNaN(v) || v < -10 || v > 10 {
				t.Errorf("% x: %v with 0x%04x", text, v, bits)
			}
		}
	})
}

// A terminal that is closed is on no bus any more; one that the bus does not take is not there.
func TestOpenAndClose(t *testing.T) {
	bus := &master{}
	env := &device.Env{Name: "it", Device: func(string) (device.Device, error) { return bus, nil }}
	k := Types(simio.Type)[1]
	d, err := k.Open(env, map[string]string{"ethercatdevice": "bus"})
	if err != nil || len(bus.devices) != 1 {
		t.Fatal(err, bus.devices)
	}
	if err := d.Close(); err != nil || len(bus.devices) != 0 {
		t.Error(err, bus.devices)
	}
	bus.full = errors.New("there is no room")
	if _, err := k.Open(env, map[string]string{"ethercatdevice": "bus"}); !errors.Is(err, bus.full) {
		t.Error(err)
	}
}

// Each terminal has a twin with the same ports, by one line at the terminal or at the bus.
func TestTwins(t *testing.T) {
	bus := &master{simulated: true}
	there := &device.Env{Name: "it", Device: func(string) (device.Device, error) { return bus, nil }}
	nowhere := &device.Env{Name: "it", Device: func(string) (device.Device, error) { return nil, errors.New("no bus") }}
	for i, k := range Types(simio.Type) {
		m := &models[i]
		params := map[string]string{"ethercatdevice": "bus", "slave": "2"}
		if m.kind == device.AnalogIn || m.kind == device.AnalogOut {
			params["range"] = "legacy"
		}
		byBus, err := k.Open(there, params)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := k.Open(nowhere, params); err == nil {
			t.Errorf("%s: a bus is not needed", k.Name)
		}
		params[device.Simulated] = "true"
		if wrong := k.Check(params); len(wrong) > 0 {
			t.Error(wrong)
		}
		byItself, err := k.Open(nowhere, params)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []device.Device{byBus, byItself} {
			if d.Status() != (device.Status{State: device.Operational}) {
				t.Errorf("%s: %+v", k.Name, d.Status())
			}
			var want []device.Interface
			if m.channels > 0 {
				want = []device.Interface{device.AnnounceIO(m.ports(""))}
				if got := d.(device.FedIO).Ports(); got != m.ports("it") {
					t.Errorf("%s: %+v", k.Name, got)
				}
			}
			if diff := cmp.Diff(want, d.Interfaces()); diff != "" {
				t.Errorf("%s: %s", k.Name, diff)
			}
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if len(bus.devices) > 0 {
		t.Error("twins are on the bus")
	}
}

// The page shows who it is, and what is at the channels.
func TestPage(t *testing.T) {
	s := &slave{inputs: []ecat.Area{area(8, repeat(2, standard...)...)}, label: ecat.Label{Name: "EL3102", Alias: 5}}
	it := on(t, "EL3102", s, nil)
	process := make(image.View, 8)
	process.Set(0, 16, bitToggle)
	process.Set(16, 16, 0x4000)
	process.Set(32, 16, bitError|bitOver)
	process.Set(48, 16, 0x7fff)
	exchange(it, process)
	v, err := page.View(it, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := xml.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	const want = `<terminal type="EL3102" bus="bus" slave="4" revision="1" alias="5" status="operational" cause="anin 1 has no value (above range, error)" state="Op" quality="fresh" losses="0">
 <channel nr="1" port="anin 0" value="5.00015259254738" unit="V" raw="16384" bits="0x8000" updates="1"></channel>
 <channel nr="2" port="anin 1" value="nan" unit="V" raw="32767" bits="0x0042" means="above range, error"></channel>
</terminal>`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Error(diff)
	}
	if _, err := json.Marshal(v); err != nil {
		t.Error(err)
	}
	if m := it.Metrics(); m[0].Value != 0 || m[1].Value != 1 {
		t.Errorf("%+v", m)
	}
	for _, order := range []string{"EL1008", "EL2008", "EL4134", "EK1100"} {
		it := on(t, order, &slave{}, nil)
		v, err := page.View(it, nil)
		if err != nil || len(v.(*view).Channels) != it.model.channels {
			t.Errorf("%s: %+v %v", order, v, err)
		}
	}
}
