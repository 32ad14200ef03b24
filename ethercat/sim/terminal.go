package sim

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// Terminals of Beckhoff (facts of terminals). Product codes are the number of the type in the upper half.
const (
	beckhoff      = 2
	lowerTerminal = 0x3052
	lowerCoupler  = 0x2c52

	portsEBus    = uint8(wire.PortEBus)<<0 | uint8(wire.PortEBus)<<2
	portsCoupler = uint8(wire.PortMII)<<0 | uint8(wire.PortEBus)<<2 | uint8(wire.PortMII)<<4
	portsExtend  = uint8(wire.PortEBus)<<0 | uint8(wire.PortMII)<<2
	portsMII     = uint8(wire.PortMII)<<0 | uint8(wire.PortMII)<<2

	chipTerminal = 0x04
	chipET1100   = 0x11

	digitalInAt  = 0x1000
	digitalOutAt = 0x0f00
)

// terminal begins a kind of terminal.
func terminal(order string, number uint32, revision uint32, name string) *kind {
	return &kind{
		order: order, chip: chipTerminal, fmmus: 3, managers: 4, ram: 4, ports: portsEBus, emulation: true,
		description: sii.Description{
			PDIConfig: wire.DeviceEmulation, Size: 2048, Version: 1,
			Identity: sii.Identity{Vendor: beckhoff, Product: number<<16 | lowerTerminal, Revision: revision << 16},
			General:  &sii.General{Group: "Terminal", Order: order, Name: name, Current: 100, Ports: [4]uint8{3, 3}},
		},
		build: func(*Slave) device { return nothing{} },
	}
}

// coupler returns the head of a rack: no process data, a clock, a branch for terminals and a port for the next rack.
func coupler() *kind {
	k := terminal("EK1100", 0x044c, 0x0011, "EK1100 EtherCAT coupler (2A E-bus)")
	k.description.Identity.Product = 0x044c<<16 | lowerCoupler
	k.ports, k.chip, k.managers, k.description.General.Current = portsCoupler, chipET1100, 0, -2000
	k.description.General.Ports = [4]uint8{1, 3, 1}
	return k
}

// extension leads from the last terminal to the next rack.
func extension() *kind {
	k := terminal("EK1110", 0x0456, 0x0010, "EK1110 EtherCAT extension")
	k.description.Identity.Product = 0x0456<<16 | lowerCoupler
	k.ports, k.managers, k.description.General.Ports = portsExtend, 0, [4]uint8{3, 1}
	return k
}

// digitalIn has a bit for each channel, each in a PDO of its own.
func digitalIn(order string, number uint32, channels int) *kind {
	k := terminal(order, number, 0x0010, fmt.Sprintf("%s %d digital inputs", order, channels))
	d := &k.description
	d.FMMUs = []sii.FMMU{sii.FMMUInputs}
	d.SyncManagers = []sii.SyncManager{{
		Start: digitalInAt, Length: uint16((channels + 7) / 8), Control: uint8(wire.ControlDigitalIn), Enable: sii.Enabled, Use: sii.Inputs,
	}}
	for i := range channels {
		d.TxPDOs = append(d.TxPDOs, bitPDO(0x1a00, 0x6000, "Input", i))
	}
	k.build = func(s *Slave) device {
		s.objects.pdos(s.kind.description.TxPDOs, in)
		return &digital{slave: s, base: 0x6000, channels: channels, input: true}
	}
	return k
}

// digitalOut returns the same for outputs, which drop when they are not commanded for the time of the watchdog.
func digitalOut(order string, number uint32, channels int) *kind {
	k := terminal(order, number, 0x0011, fmt.Sprintf("%s %d digital outputs", order, channels))
	d := &k.description
	d.FMMUs = []sii.FMMU{sii.FMMUOutputs}
	d.SyncManagers = []sii.SyncManager{{
		Start: digitalOutAt, Length: uint16((channels + 7) / 8), Control: uint8(wire.ControlDigitalOut), Enable: sii.Enabled | sii.OnlyInOp,
		Use: sii.Outputs,
	}}
	for i := range channels {
		d.RxPDOs = append(d.RxPDOs, bitPDO(0x1600, 0x7000, "Output", i))
	}
	k.build = func(s *Slave) device {
		s.objects.pdos(s.kind.description.RxPDOs, out)
		return &digital{slave: s, base: 0x7000, channels: channels}
	}
	return k
}

func bitPDO(pdo, object uint16, name string, i int) sii.PDO {
	return sii.PDO{
		Index: pdo + uint16(i), Name: fmt.Sprintf("Channel %d", i+1),
		Entries: []sii.Entry{{Index: object + 0x10*uint16(i), Sub: 1, Name: name, Type: uint8(coe.Bool), Bits: 1}},
	}
}

// digital is channels of one bit.
type digital struct {
	nothing
	slave    *Slave
	base     uint16
	channels int
	input    bool
}

func (d *digital) channel(i int) *entry { return d.slave.objects.need(d.base+0x10*uint16(i), 1) }

func (d *digital) safe() {
	for i := range d.channels {
		d.channel(i).value = 0
	}
}

func (d *digital) commands() []slaveCommand {
	if !d.input {
		return nil
	}
	return []slaveCommand{{"input CHANNEL on|off", "something is there at an input", func(_ *Chain, s *Slave, words []string) error {
		if len(words) != 2 {
			return fmt.Errorf("need a channel, and on or off")
		}
		n, err := channelNumber(words[0], d.channels)
		if err != nil {
			return err
		}
		on, err := onOff(words[1:])
		if err == nil {
			err = s.SetDigital(n, on)
		}
		return err
	}}}
}

func channelNumber(word string, most int) (int, error) {
	n, err := strconv.Atoi(word)
	if err != nil || n < 1 || n > most {
		return 0, fmt.Errorf("%q is not a channel from 1 to %d", word, most)
	}
	return n, nil
}

// SetDigital sets the signal at an input, from 1.
func (s *Slave) SetDigital(channel int, on bool) error {
	d, ok := s.device.(*digital)
	if !ok || !d.input || channel < 1 || channel > d.channels {
		return fmt.Errorf("slave %s has no digital input %d", s.name, channel)
	}
	v := uint64(0)
	if on {
		v = 1
	}
	d.channel(channel - 1).value = v
	return nil
}

// Digital returns the state of a channel from 1, of inputs as well as of outputs.
func (s *Slave) Digital(channel int) (on bool, err error) {
	d, ok := s.device.(*digital)
	if !ok || channel < 1 || channel > d.channels {
		return false, fmt.Errorf("slave %s has no digital channel %d", s.name, channel)
	}
	return d.channel(channel-1).value != 0, nil
}

// withMailbox makes a terminal one with a processor: CoE, a mailbox, SyncManagers 2 and 3, a clock for synchronous conversion.
func withMailbox(k *kind, size uint16) {
	const mailboxAt = 0x1000
	k.emulation, k.managers, k.ram, k.chip, k.fmmus = false, 4, 8, chipET1100, 8
	d := &k.description
	d.PDIConfig, d.PDIControl = 0, 5
	d.Mailbox = sii.Mailbox{Out: mailboxAt, OutSize: size, In: mailboxAt + size, InSize: size}
	d.Protocols = sii.CoE
	d.General.CoE = sii.SDO | sii.SDOInfo
	d.FMMUs = []sii.FMMU{sii.FMMUOutputs, sii.FMMUInputs, sii.FMMUMailbox}
	d.SyncManagers = []sii.SyncManager{
		{Start: mailboxAt, Length: size, Control: uint8(wire.ControlMailOut), Enable: sii.Enabled, Use: sii.MailOut},
		{Start: mailboxAt + size, Length: size, Control: uint8(wire.ControlMailIn), Enable: sii.Enabled, Use: sii.MailIn},
		{Start: 0x1100, Control: uint8(wire.ControlOutputsLoose), Use: sii.Outputs},
		{Start: 0x1180, Control: uint8(wire.ControlInputs), Use: sii.Inputs},
	}
	d.Clocks = []sii.Clock{
		{Name: "FreeRun", About: "free run"},
		{Name: "DCSYNC", About: "synchronous with SYNC0", Activate: 0x0700, Factor1: 1},
	}
}

// setLengths writes into the SII how long the process data are that are assigned by default.
func (k *kind) setLengths() {
	d := &k.description
	for i := range d.SyncManagers {
		m := &d.SyncManagers[i]
		bits := 0
		for _, list := range [][]sii.PDO{d.RxPDOs, d.TxPDOs} {
			for _, p := range list {
				if int(p.SyncManager) == i {
					bits += p.Bits()
				}
			}
		}
		if m.Use == sii.Outputs || m.Use == sii.Inputs {
			m.Length = uint16((bits + 7) / 8)
			m.Enable = 0
			if bits > 0 {
				m.Enable = sii.Enabled
			}
		}
	}
}

// Signal is the kind of signal of an analog channel.
type Signal uint8

// Signals.
const (
	Volts10 Signal = iota // 0 to 10 V
	Volts20               // -10 to 10 V
	Current               // 4 to 20 mA
)

// Scales of analog values: 16 bits with a sign, whatever the converter resolves.
const fullScale = 32767

// raw returns the number for a physical value, in V or mA, and whether it is below or above what can be measured.
func (g Signal) raw(v float64, bits int) (raw int64, under, over bool) {
	share, least := v/10, 0.0
	switch g {
	case Volts20:
		least = -1
	case Current:
		share = (v - 4) / 16
	}
	under, over = share < least, share > 1
	raw = int64(math.Round(max(least, min(1, share)) * fullScale))
	const most = 16
	unused := most - bits
	return raw >> unused << unused, under, over
}

// physical returns the other direction.
func (g Signal) physical(raw int64) float64 {
	share := float64(raw) / fullScale
	if g == Current {
		return 4 + 16*share
	}
	return 10 * max(-1, share)
}

// analogIn has status bits and a value for each channel, with the value alone as the other choice.
func analogIn(order string, number, revision uint32, channels int, signal Signal, bits int) *kind {
	k := terminal(order, number, revision, fmt.Sprintf("%s %d analog inputs", order, channels))
	const mailboxSize = 128
	withMailbox(k, mailboxSize)
	d := &k.description
	d.General.CoE |= sii.PDOAssign
	for i := range uint16(channels) {
		at := 0x6000 + 0x10*i
		value := sii.Entry{Index: at, Sub: 0x11, Name: "Value", Type: uint8(coe.Int16), Bits: 16}
		bit := func(sub uint8, name string) sii.Entry {
			return sii.Entry{Index: at, Sub: sub, Name: name, Type: uint8(coe.Bool), Bits: 1}
		}
		limit := func(sub uint8, name string) sii.Entry {
			return sii.Entry{Index: at, Sub: sub, Name: name, Type: uint8(coe.Bits2), Bits: 2}
		}
		d.TxPDOs = append(d.TxPDOs,
			sii.PDO{
				Index: 0x1a00 + 2*i, SyncManager: 3, Name: fmt.Sprintf("AI Standard Channel %d", i+1),
				Entries: []sii.Entry{
					bit(subUnder, "Underrange"), bit(subOver, "Overrange"), limit(3, "Limit 1"), limit(5, "Limit 2"), bit(subError, "Error"),
					{Bits: 1},
					{Bits: 5},
					bit(subSync, "Sync error"), bit(subState, "TxPDO State"), bit(subToggle, "TxPDO Toggle"), value,
				},
			},
			sii.PDO{
				Index: 0x1a01 + 2*i, SyncManager: sii.NoSyncManager, Name: fmt.Sprintf("AI Compact Channel %d", i+1),
				Entries: []sii.Entry{value},
			})
	}
	k.setLengths()
	k.build = func(s *Slave) device {
		s.objects.standard(analogDevice)
		a := newAnalog(s, channels, signal, bits)
		for i := range uint16(channels) {
			o := s.objects.object(0x8000+0x10*i, "AI Settings", coe.Record, 0)
			o.put(0x06, "Enable filter", coe.Bool, 1, writable|coe.Backup|coe.Setting, 1)
			o.put(0x15, "Filter settings", coe.Uint16, 16, writable|coe.Backup|coe.Setting, 0).check = within(0, 9) // 50 and 60 Hz, eight others
			at := 0x6000 + 0x10*i
			bit := func(sub uint8) *entry { return s.objects.need(at, sub) }
			a.values[i], a.flags[i] = bit(0x11), flags{bit(subUnder), bit(subOver), bit(subError), bit(subState), bit(subToggle)}
		}
		s.objects.syncModes(false)
		a.input = true
		return a
	}
	return k
}

// oldAnalogIn returns the layout of early revisions: a status byte and a value.
func oldAnalogIn(order string, number, revision uint32, channels int, signal Signal, bits int) *kind {
	k := analogIn(order, number, revision, channels, signal, bits)
	d := &k.description
	d.TxPDOs = nil
	for i := range uint16(channels) {
		d.TxPDOs = append(d.TxPDOs, sii.PDO{
			Index: 0x1a00 + i, SyncManager: 3, Name: fmt.Sprintf("Channel %d", i+1),
			Entries: []sii.Entry{
				{Index: 0x3101 + i, Sub: 1, Name: "Status", Type: uint8(coe.Uint8), Bits: 8},
				{Index: 0x3101 + i, Sub: 2, Name: "Value", Type: uint8(coe.Int16), Bits: 16},
			},
		})
	}
	k.setLengths()
	k.build = func(s *Slave) device {
		s.objects.standard(analogDevice)
		a := newAnalog(s, channels, signal, bits)
		for i := range uint16(channels) {
			a.values[i], a.status[i] = s.objects.need(0x3101+i, 2), s.objects.need(0x3101+i, 1)
		}
		s.objects.syncModes(false)
		a.input = true
		return a
	}
	return k
}

// analogOut has a value for each channel.
func analogOut(order string, number, revision uint32, channels int, signal Signal, bits int) *kind {
	k := terminal(order, number, revision, fmt.Sprintf("%s %d analog outputs", order, channels))
	const mailboxSize = 128
	withMailbox(k, mailboxSize)
	d := &k.description
	d.SyncManagers[2].Control = uint8(wire.ControlOutputsLoose | wire.SyncWatchdog)
	for i := range uint16(channels) {
		d.RxPDOs = append(d.RxPDOs, sii.PDO{
			Index: 0x1600 + i, SyncManager: 2, Name: fmt.Sprintf("AO Output Channel %d", i+1),
			Entries: []sii.Entry{{Index: 0x7000 + 0x10*i, Sub: 1, Name: "Analog output", Type: uint8(coe.Int16), Bits: 16}},
		})
	}
	k.setLengths()
	k.build = func(s *Slave) device {
		s.objects.standard(analogDevice)
		a := newAnalog(s, channels, signal, bits)
		for i := range uint16(channels) {
			o := s.objects.object(0x8000+0x10*i, "AO Settings", coe.Record, 0)
			a.hold[i] = o.put(0x05, "Watchdog", coe.Bits2, 2, writable|coe.Backup|coe.Setting, 0)
			a.hold[i].check = within(0, 2) // default value, ramp, last value
			a.values[i] = s.objects.need(0x7000+0x10*i, 1)
		}
		s.objects.syncModes(true)
		return a
	}
	return k
}

const analogDevice = 0x00001389 // a modular device

// Subindexes of status bits.
const (
	subUnder, subOver            = 0x01, 0x02
	subError, subSync            = 0x07, 0x0e
	subState, subToggle          = 0x0f, 0x10
	oldUnder, oldOver, oldFailed = 1, 2, 0x40
)

// syncModes are objects about synchronization that analog terminals and drives have.
func (o *objects) syncModes(outputs bool) {
	const free, manager, sync0, withOutputs = 0, 1, 2, 0x22 // sync types (ETG.1020)
	index, name, types := uint16(0x1c33), "SM input parameter", oneOf(free, manager, sync0, withOutputs)
	if outputs {
		index, name, types = 0x1c32, "SM output parameter", oneOf(free, manager, sync0)
	}
	n := o.object(index, name, coe.Record, 0)
	for _, e := range []struct {
		sub   uint8
		name  string
		typ   coe.DataType
		value uint64
	}{
		{1, "Sync mode", coe.Uint16, 1},
		{2, "Cycle time", coe.Uint32, 1e6},
		{4, "Sync modes supported", coe.Uint16, 0x4007},
		{5, "Minimum cycle time", coe.Uint32, 125e3},
		{6, "Calc and copy time", coe.Uint32, 50e3},
		{11, "SM event missed counter", coe.Uint16, 0},
		{12, "Cycle exceeded counter", coe.Uint16, 0},
		{32, "Sync error", coe.Bool, 0},
	} {
		access := readable
		if e.sub <= 2 {
			access = configurable
		}
		added := n.put(e.sub, e.name, e.typ, e.typ.Bits(), access, e.value)
		if e.sub == 1 {
			added.check = types
		}
	}
}

// analog is channels of an analog terminal.
type analog struct {
	nothing
	slave  *Slave
	signal Signal
	bits   int
	input  bool
	values []*entry
	flags  []flags  // status bits of channels
	status []*entry // or bytes
	hold   []*entry // what outputs do without commands
	there  []float64
	broken []bool
	stamp  int64 // of the last conversion
	outNow []int64
}

// flags are the status bits of a channel.
type flags struct{ under, over, failed, invalid, toggle *entry }

// conversion is how often values are new without SYNC0.
const conversion = 1e6

func newAnalog(s *Slave, channels int, signal Signal, bits int) *analog {
	a := &analog{
		slave: s, signal: signal, bits: bits, values: make([]*entry, channels), there: make([]float64, channels),
		broken: make([]bool, channels), hold: make([]*entry, channels), outNow: make([]int64, channels),
		status: make([]*entry, channels), flags: make([]flags, channels), stamp: s.now,
	}
	if signal == Current {
		for i := range a.there {
			a.there[i] = 4
		}
	}
	return a
}

func (a *analog) enter(_, to wire.State) wire.Code {
	if to == wire.SafeOp {
		a.convert()
	}
	return wire.NoCode
}

func (a *analog) advance(now int64) {
	if a.input && !a.slave.clock.running && now-a.stamp >= conversion {
		a.stamp = now - (now-a.stamp)%conversion
		a.convert()
	}
}

func (a *analog) synced(int64) {
	if a.input {
		a.convert()
	}
}

// convert makes new values of the signals at the inputs.
func (a *analog) convert() {
	if !a.input {
		return
	}
	for i, v := range a.there {
		raw, under, over := a.signal.raw(v, a.bits)
		wrong := a.broken[i] || a.signal == Current && v < 3.5 // a wire that is broken
		a.values[i].set(raw)
		if e := a.status[i]; e != nil {
			e.value = flag(under, oldUnder) | flag(over, oldOver) | flag(wrong, oldFailed)
			continue
		}
		f := &a.flags[i]
		f.under.value, f.over.value = flag(under, 1), flag(over, 1)
		f.failed.value, f.invalid.value = flag(wrong || under || over, 1), flag(wrong, 1)
		f.toggle.value ^= 1
	}
}

func flag(b bool, v uint64) uint64 {
	if b {
		return v
	}
	return 0
}

func (a *analog) outputs() {
	for i, e := range a.values {
		a.outNow[i] = e.signed()
	}
}

// safe: outputs go to zero, or hold where the settings say so.
func (a *analog) safe() {
	if a.input {
		return
	}
	const holding = 2
	for i := range a.outNow {
		if a.hold[i] == nil || a.hold[i].value != holding {
			a.outNow[i] = 0
			a.values[i].value = 0
		}
	}
}

func (a *analog) commands() []slaveCommand {
	if !a.input {
		return nil
	}
	return []slaveCommand{
		{"analog CHANNEL VALUE", "an input measures this many V or mA", func(_ *Chain, s *Slave, words []string) error {
			if len(words) != 2 {
				return fmt.Errorf("need a channel and a value")
			}
			n, err := channelNumber(words[0], len(a.values))
			if err != nil {
				return err
			}
			v, err := strconv.ParseFloat(words[1], 64)
			if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("%q is not a value", words[1])
			}
			return s.SetAnalog(n, v)
		}},
		{"wire CHANNEL on|off", "the wire of an input is whole, or broken", func(_ *Chain, _ *Slave, words []string) error {
			if len(words) != 2 {
				return fmt.Errorf("need a channel, and on or off")
			}
			n, err := channelNumber(words[0], len(a.values))
			if err != nil {
				return err
			}
			whole, err := onOff(words[1:])
			if err == nil {
				a.broken[n-1] = !whole
			}
			return err
		}},
	}
}

// SetAnalog sets the signal at an input, from 1, in V or mA.
func (s *Slave) SetAnalog(channel int, v float64) error {
	a, ok := s.device.(*analog)
	if !ok || !a.input || channel < 1 || channel > len(a.values) {
		return fmt.Errorf("slave %s has no analog input %d", s.name, channel)
	}
	a.there[channel-1] = v
	return nil
}

// Analog returns the signal at an output from 1, in V or mA.
func (s *Slave) Analog(channel int) (float64, error) {
	a, ok := s.device.(*analog)
	if !ok || a.input || channel < 1 || channel > len(a.values) {
		return 0, fmt.Errorf("slave %s has no analog output %d", s.name, channel)
	}
	raw := a.outNow[channel-1]
	if a.signal == Volts10 {
		raw = max(0, raw)
	}
	return a.signal.physical(raw), nil
}

// terminals returns all that are built in.
func terminals() []*kind {
	const converter12, converter16 = 13, 16 // with the sign
	list := []*kind{
		coupler(), extension(),
		digitalIn("EL1002", 0x03ea, 2), digitalIn("EL1004", 0x03ec, 4), digitalIn("EL1008", 0x03f0, 8), digitalIn("EL1018", 0x03fa, 8),
		digitalIn("EL1808", 0x0710, 8), digitalIn("EL1809", 0x0711, 16),
		digitalOut("EL2002", 0x07d2, 2), digitalOut("EL2004", 0x07d4, 4), digitalOut("EL2008", 0x07d8, 8), digitalOut("EL2024", 0x07e8, 4),
		digitalOut("EL2808", 0x0af8, 8), digitalOut("EL2809", 0x0af9, 16),
		analogIn("EL3062", 0x0bf6, 0x0010, 2, Volts10, converter12), analogIn("EL3064", 0x0bf8, 0x0010, 4, Volts10, converter12),
		analogIn("EL3102", 0x0c1e, 0x0012, 2, Volts20, converter16), analogIn("EL3104", 0x0c20, 0x0012, 4, Volts20, converter16),
		analogIn("EL3154", 0x0c52, 0x0012, 4, Current, converter16), analogIn("EL3162", 0x0c5a, 0x0012, 2, Volts10, converter16),
		analogIn("EL3164", 0x0c5c, 0x0012, 4, Volts10, converter16),
		oldAnalogIn("EL3102-0010", 0x0c1e, 0x0010, 2, Volts20, converter16),
		analogOut("EL4002", 0x0fa2, 0x0012, 2, Volts10, converter12), analogOut("EL4004", 0x0fa4, 0x0012, 4, Volts10, converter12),
		analogOut("EL4102", 0x1006, 0x0012, 2, Volts10, converter16), analogOut("EL4132", 0x1024, 0x0012, 2, Volts20, converter16),
		analogOut("EL4104", 0x1008, 0x0012, 4, Volts10, converter16), analogOut("EL4134", 0x1026, 0x0012, 4, Volts20, converter16),
	}
	return slices.Clip(list)
}
