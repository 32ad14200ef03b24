package beckhoff

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/image"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
	"github.com/softrobot-rcc/rccd/rcc/device/ports"
)

// Terminal is a device of the bus with one slave, and the driver of that slave (§9.4.2).
type Terminal struct {
	*ports.Image
	ecat.Membership
	model    *model
	settings settings
	setup    ecat.Setup
	scales   []scale // of the legacy range
	master   ecat.Master

	plan  atomic.Pointer[plan] // nil as long as the process data are unknown
	shown []shown
	fulls []float64 // raw numbers at the end of the range, as found in Pre-Op; of the goroutine that prepares the slave
}

// plan is what process data mean.
type plan struct {
	places []span
	scales []scale
}

// shown is what is known of an analog channel: its number and status bits, and how often there was a new one.
type shown struct {
	raw     atomic.Int32
	bits    atomic.Uint32
	updates atomic.Uint64
}

// Status bits of analog inputs (facts of terminals). Old revisions have the lower half.
const (
	bitUnder   = 1 << 0
	bitOver    = 1 << 1
	bitError   = 1 << 6
	bitSync    = 1 << 13
	bitInvalid = 1 << 14
	bitToggle  = 1 << 15
)

func open(env *device.Env, m *model, s *settings, twin *device.Type) (device.Device, error) {
	scales, err := s.scales(m)
	if err != nil {
		return nil, err
	}
	clock, err := s.clock()
	if err != nil {
		return nil, err
	}
	master, err := device.Lend[ecat.Master](env, s.Bus, "an EtherCAT bus")
	if err != nil {
		return nil, err
	}
	if master.Simulated() {
		return twin.Open(env, nil)
	}
	t := &Terminal{
		Image: ports.New(m.ports(env.Name)), model: m, settings: *s, scales: scales, master: master,
		setup: ecat.Setup{Clock: clock, Watchdog: s.Watchdog}, shown: make([]shown, m.ports("").AnalogIn),
	}
	t.Join(env, master, s.Bus, s.Watchdog)
	t.blank()
	t.drop()
	if err := master.Add(env.Name, t); err != nil {
		return nil, err
	}
	return t, nil
}

var (
	_ device.IO    = (*Terminal)(nil)
	_ device.Meter = (*Terminal)(nil)
	_ ecat.Holder  = (*Terminal)(nil)
	_ ecat.Driver  = (*Terminal)(nil)
)

// Startup looks for the slave (figure 9.5, steps 3 to 6).
func (t *Terminal) Startup(slaves []ecat.Slave) error {
	s, err := t.join(slaves)
	t.Take(s, err)
	return err
}

func (t *Terminal) join(slaves []ecat.Slave) (ecat.Slave, error) {
	s, err := t.settings.Find(slaves, ecat.Wanted{What: t.model.order, Identity: t.model.identity(t.settings.Revision)})
	if err != nil {
		return nil, err
	}
	if t.setup.Clock != nil && !s.HasClock() {
		return nil, fmt.Errorf("%v has no distributed clock; leave out assign_activate", s.About())
	}
	if err := s.Configure(t.setup); err != nil {
		return nil, err
	}
	return s, s.Attach(t)
}

// Shutdown forgets the slave.
func (t *Terminal) Shutdown() {
	t.plan.Store(nil)
	t.blank()
	t.drop()
	t.Leave()
}

// PreOp reads and writes settings. An error keeps the terminal offline, but not the bus.
func (t *Terminal) PreOp(ctx context.Context, s ecat.Slave) error {
	fulls, err := t.prepare(ctx, s)
	t.fulls = fulls
	if err != nil {
		err = fmt.Errorf("%v: %w", s.About(), err)
	}
	t.Refuse(err)
	return nil
}

// Objects of settings (facts of terminals): those of each channel are 0x10 further.
const (
	settingsOf      = 0x8000
	subPresentation = 0x02
	subFilter       = 0x06
	subFilterKind   = 0x15
	advancedOf      = 0x800d
	subScaler       = 0x12

	scalerExtended = 0
	scalerLegacy   = 3
)

func (t *Terminal) prepare(ctx context.Context, s ecat.Slave) (fulls []float64, err error) {
	if t.model.signal == level {
		return nil, nil
	}
	for i := range uint16(t.model.channels) {
		full := float64(fullLegacy)
		if t.settings.Range == "extended" {
			full = fullExtended
		}
		if s.HasCoE() {
			if err := t.presentation(ctx, s, i); err != nil {
				return nil, err
			}
		}
		if t.settings.Range == "auto" && s.HasCoE() {
			if full, err = scaler(ctx, s, i); err != nil {
				return nil, err
			}
		}
		fulls = append(fulls, full)
	}
	return fulls, t.filter(ctx, s)
}

// presentation refuses numbers that are written in another way than as integers with a sign.
func (t *Terminal) presentation(ctx context.Context, s ecat.Slave, channel uint16) error {
	object := settingsOf + 0x10*channel
	how, there, err := ask(ctx, s, object, subPresentation)
	if err == nil && there && how != 0 {
		err = fmt.Errorf("the presentation of channel %d is %d: write 0 into 0x%04x:%02x", channel+1, how, object, subPresentation)
	}
	return err
}

// scaler asks which number is the end of the range. Terminals that cannot be asked are of the time when it was the largest one.
func scaler(ctx context.Context, s ecat.Slave, channel uint16) (float64, error) {
	object := advancedOf + 0x10*channel
	kind, there, err := ask(ctx, s, object, subScaler)
	switch {
	case err != nil:
		return 0, err
	case there && kind == scalerExtended:
		return fullExtended, nil
	case there && kind != scalerLegacy:
		return 0, fmt.Errorf("the scaler of channel %d (0x%04x:%02x) is %d, which is neither the extended nor the legacy range: configure range", channel+1,
			object, subScaler, kind)
	}
	return fullLegacy, nil
}

// ask reads a small setting, and whether there is one.
func ask(ctx context.Context, s ecat.Slave, object uint16, sub uint8) (value uint64, there bool, err error) {
	data, err := s.Upload(ctx, object, sub, false)
	var abort coe.Abort
	if errors.As(err, &abort) && (abort == coe.AbortNoObject || abort == coe.AbortNoSub) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("reading 0x%04x:%02x: %w", object, sub, err)
	}
	var word [8]byte
	copy(word[:], data)
	return binary.LittleEndian.Uint64(word[:]), true, nil
}

// filter sets the filter. That of the first channel counts for all.
func (t *Terminal) filter(ctx context.Context, s ecat.Slave) error {
	kind := t.settings.Filter
	if kind == "" || kind == "leave" {
		return nil
	}
	on := []byte{0}
	for number, name := range filters {
		if name == kind {
			on = []byte{1}
			if err := s.Download(ctx, settingsOf, subFilterKind, false, []byte{byte(number), 0}); err != nil {
				return fmt.Errorf("setting the filter (0x8000:15): %w", err)
			}
		}
	}
	if err := s.Download(ctx, settingsOf, subFilter, false, on); err != nil {
		return fmt.Errorf("setting the filter (0x8000:06): %w", err)
	}
	return nil
}

// SafeOp finds out where the channels are. Outputs are off here, and begin again.
func (t *Terminal) SafeOp(_ context.Context, s ecat.Slave) error {
	t.Restart()
	if t.model.channels == 0 {
		return nil
	}
	places, err := t.model.place(s.Layout())
	switch {
	case t.Membership.Trouble() != "":
		t.plan.Store(nil)
	case err != nil:
		t.plan.Store(nil)
		t.Refuse(fmt.Errorf("%v: %w", s.About(), err))
	default:
		t.plan.Store(&plan{places, t.scaled()})
	}
	return nil
}

// scaled returns the scales with what was found in Pre-Op.
func (t *Terminal) scaled() []scale {
	list := append([]scale{}, t.scales...)
	for i := range list {
		list[i].full = t.fulls[i]
	}
	return list
}

// Prepare does nothing: one slave needs no agreement (cycle).
func (t *Terminal) Prepare(*ecat.Moment) {}

// Write writes outputs. Those that were off because the slave was not reached are off until they are set again (cycle).
func (t *Terminal) Write(outputs image.View, at *ecat.Moment) {
	if t.WereOff(at) {
		t.drop()
	}
	p := t.plan.Load()
	if p == nil {
		clear(outputs)
		return
	}
	places, scales := p.places, p.scales
	switch t.model.kind {
	case device.DigitalOut:
		for i := range places {
			outputs.SetBit(places[i].at, t.DigitalOut(i))
		}
	case device.AnalogOut:
		for i := range places {
			if i < len(scales) {
				outputs.Set(places[i].at, valueBits, uint64(scales[i].raw(t.AnalogOut(i))))
			}
		}
	case device.DigitalIn, device.AnalogIn:
	}
}

// Read reads inputs (cycle).
func (t *Terminal) Read(inputs image.View, q ecat.Quality, at *ecat.Moment) {
	if t.Heard(q, at) {
		t.blank()
	}
	if q != ecat.Fresh {
		return
	}
	p := t.plan.Load()
	if p == nil {
		t.blank()
		return
	}
	places, scales := p.places, p.scales
	switch t.model.kind {
	case device.DigitalIn:
		for i := range places {
			t.SetDigitalIn(i, inputs.Bit(places[i].at))
		}
	case device.AnalogIn:
		for i := range places {
			if i < len(scales) {
				t.measure(i, places[i], &scales[i], inputs)
			}
		}
	case device.DigitalOut, device.AnalogOut:
	}
}

// measure takes an analog channel (cycle).
func (t *Terminal) measure(i int, at span, s *scale, inputs image.View) {
	if uint(i) >= uint(len(t.shown)) {
		return
	}
	k := &t.shown[i]
	raw := inputs.Signed(at.at+at.bits-valueBits, valueBits)
	bits := uint32(inputs.Get(at.at, at.bits-valueBits))
	if (k.bits.Load()^bits)&bitToggle != 0 {
		k.updates.Add(1)
	}
	k.raw.Store(int32(raw))
	k.bits.Store(bits)
	v := s.value(raw)
	if !t.settings.usable(bits) {
		v = math.NaN()
	}
	t.SetAnalogIn(i, v)
}

// usable reports whether a value with these status bits is one (cycle).
func (s *settings) usable(bits uint32) bool {
	switch {
	case bits&bitInvalid != 0:
		return false
	case bits&bitError != 0:
		return s.Saturate && bits&(bitUnder|bitOver) != 0
	}
	return true
}

// blank is inputs without values (cycle).
func (t *Terminal) blank() {
	n := t.Ports()
	for i := range n.DigitalIn {
		t.SetDigitalIn(i, false)
	}
	for i := range n.AnalogIn {
		t.SetAnalogIn(i, math.NaN())
	}
}

// drop is outputs that are off (cycle).
func (t *Terminal) drop() {
	n := t.Ports()
	for i := range n.DigitalOut {
		t.SetDigitalOut(i, false, 0)
	}
	scales := t.scales
	for i := range n.AnalogOut {
		if i < len(scales) {
			t.SetAnalogOut(i, scales[i].value(0), 0)
		}
	}
}

// SetAnalogOut sets an output; NaN changes nothing (cycle).
func (t *Terminal) SetAnalogOut(port int, v float64, time int64) {
	if v == v {
		t.Image.SetAnalogOut(port, v, time)
	}
}

// Interfaces returns io with the number of ports; a coupler has none (any).
func (t *Terminal) Interfaces() []device.Interface {
	if t.model.channels == 0 {
		return nil
	}
	return []device.Interface{device.AnnounceIO(t.Ports())}
}

// Holds returns the reason to keep the bus: outputs that are on (any).
func (t *Terminal) Holds() string {
	if t.plan.Load() == nil || t.Inputs() == ecat.Invalid {
		return ""
	}
	n := t.Ports()
	for i := range n.DigitalOut {
		if t.DigitalOut(i) {
			return "outputs are on"
		}
	}
	for i := range n.AnalogOut {
		if t.scales[i].raw(t.AnalogOut(i)) != 0 {
			return "outputs are on"
		}
	}
	return ""
}

// Close switches outputs off and leaves the bus.
func (t *Terminal) Close() error {
	t.drop()
	t.master.Remove(t)
	return nil
}
