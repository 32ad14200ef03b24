package sim

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/cia402"
	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// DriveGiven describes a drive of CiA 402 with several axes in a rack. Nothing about the drives of makers is in here: what is
// not public about them is configuration.
type DriveGiven struct {
	Axes     int
	Identity sii.Identity
	Name     string
	Outputs  []string // what is in the RxPDO of each axis: objects of axis 0 such as 0x6040, or pad8
	Inputs   []string
	Cycles   []time.Duration // of SYNC0 that it can do, all when empty
	FreeRun  bool            // goes to Op without SYNC0 too

	Modes        []cia402.Mode // cyclic positions alone when empty
	Index        int64         // increments between two indexes of the encoder, for homing
	Positions    []int64       // at power-on, in increments
	Velocity     float64       // the most, in increments per s
	Acceleration float64
	Window       uint32        // of the following error, 0 for none
	Brake        time.Duration // from enabling until it follows
	MissedLimit  int           // cycles without a target in a row until it is an error, 0 for ever
	Extrapolates bool          // goes on while targets are missing, rather than holding
	SafetyBit    uint          // of 0x60FD: everything is safe
	Strict       bool          // refuses an interpolation time (0x60C2) that is not the cycle of SYNC0
}

// complete fills in what the rack does not say.
func (g *DriveGiven) complete() error {
	if g.Axes == 0 {
		g.Axes = 6
	}
	if g.Axes < 1 || g.Axes > cia402.MostAxes {
		return fmt.Errorf("%d axes; at most %d are possible", g.Axes, cia402.MostAxes)
	}
	if g.Identity.Product == 0 {
		g.Identity.Product = 0x402
	}
	if g.Name == "" {
		g.Name = "drive"
	}
	if len(g.Outputs) == 0 {
		g.Outputs = []string{"0x6040", "0x6060", "pad8", "0x607A"}
	}
	if len(g.Inputs) == 0 {
		g.Inputs = []string{"0x6041", "0x6061", "pad8", "0x6064", "0x606C", "0x6077", "0x603F", "0x60FD"}
	}
	for _, d := range []struct {
		value *float64
		usual float64
	}{{&g.Velocity, 5e6}, {&g.Acceleration, 50e6}} {
		if *d.value == 0 {
			*d.value = d.usual
		}
		if !(*d.value > 0) || math.IsInf(*d.value, 0) {
			return errors.New("velocity and acceleration must be positive")
		}
	}
	if err := g.checkModes(); err != nil {
		return err
	}
	if g.SafetyBit == 0 {
		g.SafetyBit = 16
	}
	if g.SafetyBit > 31 {
		return fmt.Errorf("0x60FD has no bit %d", g.SafetyBit)
	}
	return nil
}

// driveObjects are those of each axis (facts of CiA 402). Axis a has them 0x800·a further on.
var driveObjects = []struct {
	index  uint16
	sub    uint8
	name   string
	typ    coe.DataType
	access coe.Access
	value  uint64
	check  func(uint64) coe.Abort // of what is written
}{
	{cia402.ErrorCode, 0, "Error code", coe.Uint16, readable | coe.MapTxPDO, 0, nil},
	{cia402.Controlword, 0, "Controlword", coe.Uint16, writable | coe.MapRxPDO, 0, nil},
	{cia402.Statusword, 0, "Statusword", coe.Uint16, readable | coe.MapTxPDO, 0, nil},
	{cia402.QuickStopOption, 0, "Quick stop option code", coe.Int16, writable, 2, within(0, 8)},
	{cia402.ShutdownOption, 0, "Shutdown option code", coe.Int16, writable, 1, within(0, 1)},
	{cia402.DisableOption, 0, "Disable operation option code", coe.Int16, writable, 1, within(0, 1)},
	{cia402.HaltOption, 0, "Halt option code", coe.Int16, writable, 1, within(1, 4)},
	{cia402.FaultOption, 0, "Fault reaction option code", coe.Int16, writable, 2, within(0, 4)},
	{cia402.ModeOfOperation, 0, "Modes of operation", coe.Int8, writable | coe.MapRxPDO, 0, nil},
	{cia402.ModeDisplay, 0, "Modes of operation display", coe.Int8, readable | coe.MapTxPDO, 0, nil},
	{cia402.ActualPosition, 0, "Position actual value", coe.Int32, readable | coe.MapTxPDO, 0, nil},
	{cia402.FollowingWindow, 0, "Following error window", coe.Uint32, writable, 0, nil},
	{cia402.ActualVelocity, 0, "Velocity actual value", coe.Int32, readable | coe.MapTxPDO, 0, nil},
	{cia402.TargetTorque, 0, "Target torque", coe.Int16, writable | coe.MapRxPDO, 0, nil},
	{cia402.ActualTorque, 0, "Torque actual value", coe.Int16, readable | coe.MapTxPDO, 0, nil},
	{cia402.TargetPosition, 0, "Target position", coe.Int32, writable | coe.MapRxPDO, 0, nil},
	{cia402.VelocityOffset, 0, "Velocity offset", coe.Int32, writable | coe.MapRxPDO, 0, nil},
	{cia402.TorqueOffset, 0, "Torque offset", coe.Int16, writable | coe.MapRxPDO, 0, nil},
	{cia402.InterpolationTime, 1, "Interpolation time period value", coe.Uint8, configurable, 4, within(1, 255)},
	{cia402.InterpolationTime, 2, "Interpolation time index", coe.Int8, configurable, 0xfd, nil}, // 10^-3 s
	{cia402.FollowingDistance, 0, "Following error actual value", coe.Int32, readable | coe.MapTxPDO, 0, nil},
	{cia402.DigitalInputs, 0, "Digital inputs", coe.Uint32, readable | coe.MapTxPDO, 0, nil},
	{cia402.DigitalOutputs, 1, "Physical outputs", coe.Uint32, writable | coe.MapRxPDO, 0, nil},
	{cia402.DigitalOutputs, 2, "Bit mask", coe.Uint32, writable, 0, nil},
	{cia402.TargetVelocity, 0, "Target velocity", coe.Int32, writable | coe.MapRxPDO, 0, nil},
	{homeOffset, 0, "Home offset", coe.Int32, writable, 0, nil},
	{homingMethod, 0, "Homing method", coe.Int8, writable, homeHere, oneOf(homeIndexDown, homeIndexUp, homeHereOld, homeHere)},
	{homingSpeeds, 1, "Speed during search for switch", coe.Uint32, writable, 10_000, nil},
	{homingSpeeds, 2, "Speed during search for zero", coe.Uint32, writable, 10_000, nil},
	{probeFunction, 0, "Touch probe function", coe.Uint16, writable | coe.MapRxPDO, 0, nil},
	{probeStatus, 0, "Touch probe status", coe.Uint16, readable | coe.MapTxPDO, 0, nil},
	{probeValues, 0, "Touch probe 1 positive edge", coe.Int32, readable | coe.MapTxPDO, 0, nil},
	{probeValues + 1, 0, "Touch probe 1 negative edge", coe.Int32, readable | coe.MapTxPDO, 0, nil},
	{probeValues + 2, 0, "Touch probe 2 positive edge", coe.Int32, readable | coe.MapTxPDO, 0, nil},
	{probeValues + 3, 0, "Touch probe 2 negative edge", coe.Int32, readable | coe.MapTxPDO, 0, nil},
	{cia402.SupportedModes, 0, "Supported drive modes", coe.Uint32, readable, 0, nil},
}

const driveDevice = 0x00020192 // servo drive, CiA 402

// driveKind makes a slave of a description.
func driveKind(g DriveGiven) (*kind, error) {
	if err := g.complete(); err != nil {
		return nil, err
	}
	k := terminal("drive", 0, 0, g.Name)
	const mailboxSize = 256
	withMailbox(k, mailboxSize)
	k.ports, k.needsSync = portsMII, !g.FreeRun
	for _, c := range g.Cycles {
		k.cycles = append(k.cycles, int64(c))
	}
	d := &k.description
	d.Identity = g.Identity
	d.General = &sii.General{
		Group: "Drive", Order: g.Name, Name: g.Name, Ports: [4]uint8{1, 1}, DSChannels: uint8(g.Axes),
		CoE: sii.SDO | sii.SDOInfo | sii.PDOAssign | sii.PDOConfig | sii.CompleteAccess,
	}
	d.SyncManagers[2].Start, d.SyncManagers[3].Start = 0x1200, 0x1800
	d.SyncManagers[2].Control = uint8(wire.ControlOutputs)
	d.Clocks = []sii.Clock{{Name: "DC", About: "synchronous with SYNC0", Activate: 0x0300}}
	for a := range g.Axes {
		rx, err := axisPDO(cia402.FirstRxPDO, a, g.Outputs, coe.MapRxPDO)
		if err != nil {
			return nil, fmt.Errorf("outputs: %w", err)
		}
		tx, err := axisPDO(cia402.FirstTxPDO, a, g.Inputs, coe.MapTxPDO)
		if err != nil {
			return nil, fmt.Errorf("inputs: %w", err)
		}
		rx.SyncManager, tx.SyncManager = 2, 3
		d.RxPDOs, d.TxPDOs = append(d.RxPDOs, rx), append(d.TxPDOs, tx)
	}
	k.setLengths()
	if out, in := d.SyncManagers[2].Length, d.SyncManagers[3].Length; out > 0x200 || in > 0x200 {
		return nil, fmt.Errorf("%d and %d bytes of process data; the image has room for %d", out, in, 0x200)
	}
	k.build = func(s *Slave) device { return newDrive(s, g) }
	return k, nil
}

// axisPDO returns the PDO of an axis.
func axisPDO(base uint16, axis int, list []string, access coe.Access) (sii.PDO, error) {
	p := sii.PDO{Index: base + cia402.PDOStep*uint16(axis), Name: fmt.Sprintf("Axis %d", axis+1)}
	for _, word := range list {
		var bits uint8
		if n, err := fmt.Sscanf(word, "pad%d", &bits); n == 1 && err == nil {
			p.Entries = append(p.Entries, sii.Entry{Bits: bits})
			continue
		}
		index, err := strconv.ParseUint(word, 0, 16)
		if err != nil {
			return p, fmt.Errorf("%q is neither an object nor padding such as pad8", word)
		}
		found := false
		for _, o := range driveObjects {
			if o.index == uint16(index) && o.access&access != 0 && !found {
				found = true
				p.Entries = append(p.Entries, sii.Entry{
					Index: cia402.Of(o.index, axis), Sub: o.sub, Name: o.name, Type: uint8(o.typ), Bits: uint8(o.typ.Bits()),
				})
			}
		}
		if !found {
			return p, fmt.Errorf("object %s cannot be mapped here", word)
		}
	}
	return p, nil
}

// drive is several axes in one slave.
type drive struct {
	slave  *Slave
	given  DriveGiven
	axes   []axis
	now    int64
	safe0  bool // the safety chain is open
	fresh  bool // targets have come since SYNC0
	missed int  // cycles in a row without

	changes []Change // newest
}

// Change is a change of the state of CiA 402 of an axis of a drive.
type Change struct {
	Axis     int // from 1
	From, To cia402.State
	Velocity float64 // then, in increments/s
}

// mostChanges is how many are kept of a drive.
const mostChanges = 256

// note keeps which axes are in another state than before.
func (d *drive) note() {
	for a := range d.axes {
		x := &d.axes[a]
		if x.state == x.noted {
			continue
		}
		if len(d.changes) == mostChanges {
			d.changes = d.changes[1:]
		}
		d.changes = append(d.changes, Change{a + 1, x.noted, x.state, x.velocity})
		x.noted = x.state
	}
}

// Changes returns the newest changes of state of the axes of a drive since they were asked for, oldest first.
func (s *Slave) Changes() []Change {
	d, ok := s.device.(*drive)
	if !ok {
		return nil
	}
	list := d.changes
	d.changes = nil
	return list
}

func newDrive(s *Slave, g DriveGiven) *drive {
	d := &drive{slave: s, given: g, axes: make([]axis, g.Axes), now: s.now}
	o := &s.objects
	for a := range d.axes {
		x := &d.axes[a]
		*x = axis{drive: d, state: cia402.SwitchOnDisabled, noted: cia402.SwitchOnDisabled}
		for _, n := range driveObjects {
			kind := coe.Variable
			if n.sub > 0 {
				kind = coe.Record
			}
			e := o.object(cia402.Of(n.index, a), n.name, kind, n.typ).put(n.sub, n.name, n.typ, n.typ.Bits(), n.access, n.value)
			switch e.check = n.check; n.index {
			case cia402.ModeOfOperation:
				e.check = g.modeCheck()
			case cia402.SupportedModes:
				e.value = g.supported()
			}
			x.bind(n.index, n.sub, e)
		}
		if a < len(g.Positions) {
			x.position = float64(g.Positions[a])
		}
		x.window.value = uint64(g.Window)
		x.reference, x.goal = x.position, x.position
		x.show()
	}
	o.standard(driveDevice)
	o.syncModes(true)
	o.syncModes(false)
	return d
}

func (d *drive) enter(from, to wire.State) wire.Code {
	s := d.slave
	switch {
	case from == wire.PreOp && to == wire.SafeOp:
		mode := uint64(1)
		if s.clock.active() {
			mode = 2
			if d.given.Strict && d.period() != int64(s.clock.cycle()) {
				return wire.CodeSync0Cycle
			}
		}
		for a := range d.axes {
			d.axes[a].adopt() // one that was written as an object
		}
		for _, index := range []uint16{cia402.OutputSync, cia402.InputSync} {
			s.objects.find(index, cia402.SyncType).value = mode
			s.objects.find(index, cia402.SyncCycle).value = s.clock.cycle()
		}
	case to < wire.SafeOp:
		d.missed = 0
	}
	return wire.NoCode
}

// period returns the interpolation time (0x60C2) of the first axis, ns.
func (d *drive) period() int64 {
	x := &d.axes[0]
	return int64(cia402.InterpolationOf(uint8(x.periodValue.value), int8(x.periodExponent.signed())))
}

// outputs have come. Without SYNC0 they count at once.
func (d *drive) outputs() {
	d.fresh = true
	if !d.slave.clock.running {
		d.take()
	}
}

// synced takes the targets that have come since the last SYNC0.
func (d *drive) synced(at int64) {
	d.run(at)
	if d.slave.state.status.Base() != wire.Op {
		return
	}
	if d.fresh {
		d.fresh, d.missed = false, 0
		d.take()
		return
	}
	d.missed++
	d.slave.objects.find(cia402.OutputSync, cia402.SyncMissed).value++
	if d.given.Extrapolates {
		for a := range d.axes {
			d.axes[a].extrapolate()
		}
	}
	if d.given.MissedLimit > 0 && d.missed > d.given.MissedLimit {
		d.slave.objects.find(cia402.OutputSync, 32).value = 1
		d.slave.state.fall(wire.SafeOp, wire.CodeSyncErrors)
	}
}

func (d *drive) take() {
	for a := range d.axes {
		d.axes[a].command()
	}
	d.note()
}

func (d *drive) inputs() {
	for a := range d.axes {
		d.axes[a].show()
	}
}

func (d *drive) advance(now int64) { d.run(now) }

// run lets motors move until an instant.
func (d *drive) run(now int64) {
	const most = 250e3 // ns in one step of the motor model
	for d.now < now {
		step := min(now-d.now, most)
		if d.still() {
			step = now - d.now // brakes hold
		}
		d.now += step
		for a := range d.axes {
			d.axes[a].move(float64(step) * 1e-9)
		}
		d.note()
	}
}

// still reports whether nothing can move.
func (d *drive) still() bool {
	for a := range d.axes {
		if x := &d.axes[a]; x.powered() || x.velocity != 0 {
			return false
		}
	}
	return true
}

// safe: axes that are without a master stop, with a fault.
func (d *drive) safe() {
	const communication = 0x7500
	for a := range d.axes {
		if x := &d.axes[a]; x.powered() {
			x.fail(communication)
		}
	}
	d.fresh = false
}

// setSafety opens or closes the safety chain: axes come to rest and lose their power.
func (d *drive) setSafety(open bool) {
	d.safe0 = open
	for a := range d.axes {
		if x := &d.axes[a]; open && x.powered() {
			x.stopping = true
		}
	}
}

func (d *drive) commands() []slaveCommand {
	return []slaveCommand{
		{"safety open|closed", "the safety chain is opened: the axes stop", func(_ *Chain, _ *Slave, words []string) error {
			if len(words) != 1 || words[0] != "open" && words[0] != "closed" {
				return errors.New("need open or closed")
			}
			d.setSafety(words[0] == "open")
			return nil
		}},
		{"fault AXIS CODE [stays]", "an axis has a fault, which cannot be reset while it stays", func(_ *Chain, _ *Slave, words []string) error {
			if len(words) < 2 || len(words) > 3 || len(words) == 3 && words[2] != "stays" {
				return errors.New("need an axis and a code")
			}
			x, err := d.axis(words[0])
			if err != nil {
				return err
			}
			code, err := number(words[1], 16)
			if err != nil {
				return err
			}
			x.cause = len(words) == 3
			if code == 0 {
				x.cause = false
				return nil
			}
			x.fail(uint16(code))
			return nil
		}},
		{"ignore AXIS on|off", "an axis that is enabled does not follow", func(_ *Chain, _ *Slave, words []string) error {
			if len(words) != 2 || words[1] != "on" && words[1] != "off" {
				return errors.New("need an axis, and on or off")
			}
			x, err := d.axis(words[0])
			if err == nil {
				x.deaf = words[1] == "on"
			}
			return err
		}},
		{"mode AXIS MODE", "an axis is in another mode than is wanted; 0 ends that", func(_ *Chain, _ *Slave, words []string) error {
			if len(words) != 2 {
				return errors.New("need an axis and a mode")
			}
			x, err := d.axis(words[0])
			if err != nil {
				return err
			}
			x.other, err = strconv.ParseInt(words[1], 0, 8)
			return err
		}},
		{"probe AXIS N on|off", "something touches a probe of an axis, the first or the second one", func(_ *Chain, _ *Slave, words []string) error {
			if len(words) != 3 {
				return errors.New("need an axis, a probe, and on or off")
			}
			x, err := d.axis(words[0])
			if err != nil {
				return err
			}
			n, err := channelNumber(words[1], len(x.probes))
			if err != nil {
				return err
			}
			on, err := onOff(words[2:])
			if err == nil {
				x.setProbe(n-1, on)
			}
			return err
		}},
		{"push AXIS INCREMENTS", "an axis that is not enabled is moved by hand", func(_ *Chain, _ *Slave, words []string) error {
			if len(words) != 2 {
				return errors.New("need an axis and a number of increments")
			}
			x, err := d.axis(words[0])
			if err != nil {
				return err
			}
			by, err := strconv.ParseInt(words[1], 0, 32)
			if err != nil {
				return fmt.Errorf("%q is not a number of increments", words[1])
			}
			if x.powered() {
				return errors.New("the axis is enabled")
			}
			x.position += float64(by)
			return nil
		}},
	}
}

func (d *drive) axis(word string) (*axis, error) {
	n, err := channelNumber(word, len(d.axes))
	if err != nil {
		return nil, err
	}
	return &d.axes[n-1], nil
}

// Axis is the state of an axis of a drive.
type Axis struct {
	Status             uint16 // the statusword
	Position, Velocity float64
	Powered            bool
}

// Axis returns the axis with a number from 1.
func (s *Slave) Axis(n int) (Axis, error) {
	d, ok := s.device.(*drive)
	if !ok || n < 1 || n > len(d.axes) {
		return Axis{}, fmt.Errorf("slave %s has no axis %d", s.name, n)
	}
	x := &d.axes[n-1]
	return Axis{x.statusword(), x.position, x.velocity, x.powered()}, nil
}
