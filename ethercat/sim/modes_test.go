package sim

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/ethercat/cia402"
	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// single is a drive of one axis with all modes, that is enabled and commanded by process data.
type single struct {
	*master
	s *Slave
}

func newSingle(t *testing.T) *single {
	t.Helper()
	m := newMaster(t, `
slaves:
  - type: drive
    name: motor
    drive:
      axes: 1
      freeRun: true
      modes: [6, 8, 9, 10]
      index: 1000
      positions: [250]
      velocity: 1e5
      acceleration: 1e6
      outputs: ["0x6040", "0x6060", pad8, "0x607A", "0x60FF", "0x6071", "0x60B8"]
      inputs: ["0x6041", "0x6061", pad8, "0x6064", "0x606C", "0x60B9", "0x60BA", "0x60BB"]
`)
	d := &single{m, m.slave("motor")}
	m.start(wire.Op)
	d.set(7, math.MaxInt16, 0) // cyclic torque, of nothing
	for _, control := range []uint16{cia402.Shutdown, cia402.SwitchOn, cia402.EnableOperation} {
		d.command(control, cia402.CyclicTorque)
		d.run(3)
	}
	if state := cia402.StateOf(d.status()); state != cia402.OperationEnabled {
		t.Fatalf("%v", state)
	}
	return d
}

// Where things stand in its process data.
func (d *single) outputs() []byte { return d.place(d.s, wire.FMMUWrite) }
func (d *single) inputs() []byte  { return d.place(d.s, wire.FMMURead) }

func (d *single) status() uint16 { return word16(d.inputs()) }
func (d *single) number(at int) int32 {
	return int32(binary.LittleEndian.Uint32(d.inputs()[at:]))
}
func (d *single) position() int32 { return d.number(4) }
func (d *single) speed() int32    { return d.number(8) }

func (d *single) command(control uint16, mode cia402.Mode) {
	binary.LittleEndian.PutUint16(d.outputs(), control)
	d.outputs()[2] = byte(mode)
}

// set is target position, target velocity and target torque.
func (d *single) set(position, velocity int32, torque int16) {
	o := d.outputs()
	binary.LittleEndian.PutUint32(o[4:], uint32(position))
	binary.LittleEndian.PutUint32(o[8:], uint32(velocity))
	binary.LittleEndian.PutUint16(o[12:], uint16(torque))
}

func (d *single) run(cycles int) {
	d.t.Helper()
	for range cycles {
		d.exchange()
	}
}

// In each mode the target of that mode counts, and the axis stays where it is when the mode changes.
func TestModes(t *testing.T) {
	d := newSingle(t)
	d.set(0, 5000, 0)
	d.command(cia402.EnableOperation, cia402.CyclicVelocity)
	d.run(100)
	if v := d.speed(); v != 5000 {
		t.Errorf("velocity %d", v)
	}
	before := d.position()
	d.run(100)
	if gone := d.position() - before; gone < 490 || gone > 510 {
		t.Errorf("%d increments in 100 ms", gone)
	}
	d.set(0, 0, 100)
	d.command(cia402.EnableOperation, cia402.CyclicTorque)
	d.run(50)
	if v := d.speed(); v < 4000 {
		t.Errorf("velocity %d with a torque of 10 %%", v)
	}
	d.set(0, 0, 0)
	d.command(cia402.EnableOperation, cia402.CyclicVelocity)
	d.run(100)
	at := d.position()
	d.set(at, 0, 0)
	d.command(cia402.EnableOperation, cia402.CyclicPosition)
	d.run(20)
	if is := d.position(); is != at || d.status()&cia402.Follows == 0 {
		t.Errorf("at %d instead of %d, statusword %04x", is, at, d.status())
	}
	d.set(at+100, 0, 0)
	d.run(100)
	if is := d.position(); is != at+100 {
		t.Errorf("at %d instead of %d", is, at+100)
	}
	d.command(cia402.EnableOperation, 3) // profile velocity, which it does not have
	d.run(5)
	if mode := d.inputs()[2]; mode != byte(cia402.CyclicPosition) {
		t.Errorf("mode %d", mode)
	}
	if got := binary.LittleEndian.Uint32(d.upload(d.s, 0x6502, 0)); got != 1<<5|1<<7|1<<8|1<<9 {
		t.Errorf("supported modes %08x", got)
	}
	down := func(mode byte) error {
		return d.talk(d.s, func(c *coe.Client) { c.Download(0x6060, 0, false, []byte{mode}) }).Err()
	}
	if down(6) != nil || !errors.Is(down(3), coe.AbortRange) {
		t.Error("modes are not those of 0x6502")
	}
}

// Homing where the axis is, and at the next index on one side.
func TestHoming(t *testing.T) {
	d := newSingle(t)
	for _, tt := range []struct {
		method string
		offset string
	}{{"37", "-77"}, {"34", "500"}, {"33", "0"}} {
		for entry, value := range map[uint16]string{homingMethod: tt.method, homeOffset: tt.offset} {
			if err := d.s.SetEntry(entry, 0, value); err != nil {
				t.Fatal(err)
			}
		}
		d.command(cia402.EnableOperation, cia402.Homing)
		d.run(3)
		d.command(cia402.EnableOperation|homingStart, cia402.Homing)
		d.run(3) // until what was attained before is gone
		for range 1000 {
			if d.exchange(); d.status()&homingAttained != 0 {
				break
			}
		}
		d.run(50)
		if d.status()&(homingAttained|targetReached) != homingAttained|targetReached || d.speed() != 0 {
			t.Errorf("method %s: statusword %04x, velocity %d", tt.method, d.status(), d.speed())
		}
		want := map[string]int32{"-77": -77, "500": 500, "0": 0}[tt.offset]
		const overrun = 100 // until it has come to rest
		if is := d.position(); is < want-overrun || is > want+overrun || tt.method == "37" && is != want {
			t.Errorf("method %s: at %d, home is %d", tt.method, is, want)
		}
		d.command(cia402.EnableOperation, cia402.Homing)
		d.run(3)
	}
	// Power-on was at 250 of 1000 between indexes, that is -77 after the first homing; the next index was 750 on.
	a := &d.s.device.(*drive).axes[0]
	if physical := math.Mod(math.Round(a.shift), 1000); physical != 0 {
		t.Errorf("after homing to an index with offset 0 zero is %v off an index", physical)
	}
}

// Probes keep where the axis was: at the first edge, or at each one, of the edges that are wanted.
func TestProbes(t *testing.T) {
	d := newSingle(t)
	arm := func(word uint16) {
		binary.LittleEndian.PutUint16(d.outputs()[14:], word)
		d.run(3)
	}
	status := func() uint16 { return word16(d.inputs()[12:]) }
	touch := func() int32 {
		d.do("slave motor probe 1 1 on")
		at := d.position()
		d.run(20)
		d.do("slave motor probe 1 1 off")
		d.run(20)
		return at
	}
	d.set(0, 5000, 0)
	d.command(cia402.EnableOperation, cia402.CyclicVelocity)
	d.run(50)
	touch()
	if status() != 0 {
		t.Errorf("%04x while nobody wants it", status())
	}
	near := func(value, at int32) bool { return value >= at-10 && value <= at+10 }
	arm(probeOn | probeUp)
	first := touch()
	if status() != probeIsOn|probeHasValue || !near(d.number(14), first) {
		t.Errorf("%04x: %d, want %d", status(), d.number(14), first)
	}
	touch()
	if !near(d.number(14), first) {
		t.Errorf("the second edge counts too: %d", d.number(14))
	}
	arm(0)
	arm(probeOn | probeContinuous | probeUp | probeDown)
	touch()
	if last := touch(); status() != probeIsOn|probeHasValue|probeHasValue<<1 || !near(d.number(14), last) || d.number(18) <= d.number(14) {
		t.Errorf("%04x: %d and %d, want %d", status(), d.number(14), d.number(18), last)
	}
}

// After a quick stop a drive loses its power, or stays where it is and can go on, as 0x605A says.
func TestQuickStopOptions(t *testing.T) {
	for _, tt := range []struct {
		option   string
		at, then cia402.State
	}{{"2", cia402.SwitchOnDisabled, cia402.SwitchOnDisabled}, {"6", cia402.QuickStopActive, cia402.OperationEnabled}} {
		d := newSingle(t)
		if err := d.s.SetEntry(cia402.QuickStopOption, 0, tt.option); err != nil {
			t.Fatal(err)
		}
		d.set(0, 5000, 0)
		d.command(cia402.EnableOperation, cia402.CyclicVelocity)
		d.run(50)
		d.command(cia402.QuickStop, cia402.CyclicVelocity)
		d.run(50)
		if is := cia402.StateOf(d.status()); is != tt.at || d.speed() != 0 {
			t.Errorf("option %s: %v at velocity %d, want %v", tt.option, is, d.speed(), tt.at)
		}
		d.command(cia402.EnableOperation, cia402.CyclicVelocity)
		d.run(10)
		if is := cia402.StateOf(d.status()); is != tt.then {
			t.Errorf("option %s: then %v, want %v", tt.option, is, tt.then)
		}
	}
}

// A rack with a drive that cannot exist is refused.
func TestModesRefused(t *testing.T) {
	for given, want := range map[string]string{"modes: [1]": "do not have mode 1", "index: -1": "increments between two indexes"} {
		r, err := ParseRack([]byte("slaves:\n  - {type: drive, drive: {" + given + "}}\n"))
		if err == nil {
			_, err = NewChain(r, nil, 0)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", given, err, want)
		}
	}
}
