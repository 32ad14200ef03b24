package drives

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/ethercat/cia402"
	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/image"
	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// unit is a slave with some of the axes.
type unit struct {
	of       *Axes
	where    ecat.Where
	identity sii.Identity
	order    []int // axes of the slave, from 0
	first    int   // joint
	setup    ecat.Setup
	found    atomic.Pointer[ecat.Slave]
	trouble  atomic.Pointer[string] // why there is none, or why it cannot be used
	layout   atomic.Pointer[layout] // nil while it is not known

	// Of the thread of the bus.
	quality   ecat.Quality
	heard     int64 // instant of the newest inputs
	confirmed bool
	obeys     bool // it is in Op
}

// refuse keeps what is wrong; nil is nothing.
func (u *unit) refuse(err error) {
	if err == nil {
		u.trouble.Store(nil)
		return
	}
	text := err.Error()
	u.trouble.Store(&text)
}

func (u *unit) wrong() string {
	if t := u.trouble.Load(); t != nil {
		return *t
	}
	return ""
}

// join looks for the slave that the configuration means, and takes it.
func (u *unit) join(slaves []ecat.Slave) (ecat.Slave, error) {
	is, err := u.where.Find(slaves, ecat.Wanted{What: u.of.cfg.What, Identity: u.identity})
	if err != nil {
		return nil, err
	}
	if u.setup.Clock != nil && !is.HasClock() {
		return nil, fmt.Errorf("%v has no distributed clock; with activate=0 it runs free", is.About())
	}
	if err := is.Configure(u.setup); err != nil {
		return nil, err
	}
	return is, is.Attach(u)
}

// begin is the begin of a run of the bus, end its end.
func (u *unit) begin(is *ecat.Slave) {
	u.layout.Store(nil)
	u.found.Store(is)
	u.mute()
}

func (u *unit) end() {
	u.found.Store(nil)
	u.layout.Store(nil)
	u.mute()
}

// mute is the trouble of a slave that is not heard.
func (u *unit) mute() { u.quality, u.confirmed, u.obeys = ecat.Invalid, false, false }

// Startup looks for the slaves (figure 9.5, steps 3 to 6).
func (r *Axes) Startup(slaves []ecat.Slave) error {
	var first error
	for _, u := range r.units {
		is, err := u.join(slaves)
		if u.refuse(err); err == nil {
			u.begin(&is)
		} else if first == nil {
			first = err
		}
	}
	if first != nil {
		r.notify()
		return first
	}
	r.pace.restart()
	r.wish.Store(0)
	r.quality, r.confirmed, r.lost = ecat.Invalid, false, 0
	r.notify()
	return nil
}

// Shutdown is the end of a run of the bus.
func (r *Axes) Shutdown() {
	for _, u := range r.units {
		u.end()
	}
	r.quality, r.confirmed = ecat.Invalid, false
	r.unplug(busStopped)
	r.power.stopping = false
	for i := range r.power.axes {
		r.power.axes[i].status = 0
	}
	r.hold(offline)
	r.publish(offline)
	r.showPower(offline)
	r.notify()
}

func (r *Axes) notify() {
	if r.changed != nil {
		r.changed()
	}
}

// PreOp is called before the slave is configured.
func (u *unit) PreOp(context.Context, ecat.Slave) error {
	u.layout.Store(nil)
	return nil
}

// SafeOp looks where everything stands in the process data, and whether the drive is set up as it should be. A drive that is not takes
// no part; others on the bus are not concerned.
func (u *unit) SafeOp(ctx context.Context, s ecat.Slave) error {
	outputs, inputs := s.Layout()
	r := u.of
	t := r.inputs
	if u.first > 0 {
		t = &terminals{} // ports are those of the first slave
	}
	l, err := newLayout(outputs, inputs, u.order, t, r.cfg.Mode, r.cfg.Setting.Mode == "sdo")
	if err == nil && s.HasCoE() {
		err = u.check(ctx, s)
	}
	u.refuse(err)
	if err == nil {
		u.layout.Store(l)
	}
	r.notify()
	return nil
}

// check reads objects that have to fit. Those that a drive does not have say nothing.
func (u *unit) check(ctx context.Context, s ecat.Slave) error {
	cycle := int64(u.of.cfg.Cycle)
	if u.setup.Clock != nil {
		got, ok, err := read(ctx, s, cia402.OutputSync, cia402.SyncCycle)
		if err != nil {
			return err
		}
		if ok && got != 0 && got != cycle {
			return fmt.Errorf("the drive has a cycle of %d ns (%#04x:2), not of %d", got, cia402.OutputSync, cycle)
		}
	}
	for _, a := range u.order {
		if err := u.of.checkAxis(ctx, s, a); err != nil {
			return err
		}
	}
	return nil
}

func (r *Axes) checkAxis(ctx context.Context, s ecat.Slave, a int) error {
	modes, ok, err := read(ctx, s, cia402.Of(cia402.SupportedModes, a), 0)
	if err != nil {
		return err
	}
	if ok && uint32(modes)&r.cfg.Mode.Supported() == 0 {
		return fmt.Errorf("axis %d has no mode %v (%#04x)", a+1, r.cfg.Mode, cia402.Of(cia402.SupportedModes, a))
	}
	if r.cfg.Interpolation != "none" {
		index := cia402.Of(cia402.InterpolationTime, a)
		value, there, err := read(ctx, s, index, 1)
		if err != nil {
			return err
		}
		exponent, both, err := read(ctx, s, index, 2)
		if err != nil {
			return err
		}
		if got := cia402.InterpolationOf(uint8(value), int8(exponent)); there && both && got != r.cfg.Cycle {
			return fmt.Errorf("axis %d takes %v between two targets (%#04x), the cycle is %v", a+1, got, index, r.cfg.Cycle)
		}
	}
	if r.cfg.Setting.Mode == "sdo" {
		mode, ok, err := read(ctx, s, cia402.Of(cia402.ModeDisplay, a), 0)
		if err != nil {
			return err
		}
		if is := cia402.Mode(int8(mode)); !ok || is != r.cfg.Mode {
			return fmt.Errorf("axis %d is in %v (%#04x), not in %v", a+1, is, cia402.Of(cia402.ModeDisplay, a), r.cfg.Mode)
		}
	}
	return nil
}

// read returns the number in an object, false where the drive does not have it.
func read(ctx context.Context, s ecat.Slave, index uint16, sub uint8) (v int64, ok bool, err error) {
	const most = 8
	data, err := s.Upload(ctx, index, sub, false)
	if has := !absent(err) && len(data) <= most; err == nil || !has {
		var all [most]byte
		copy(all[:], data)
		return int64(binary.LittleEndian.Uint64(all[:])), has, nil
	}
	return 0, false, fmt.Errorf("reading %#04x:%d: %w", index, sub, err)
}

// absent reports whether a slave has answered that it does not have an object.
func absent(err error) bool {
	var abort coe.Abort
	return errors.As(err, &abort) && abort != coe.AbortTimeout
}

// Prepare computes the outputs of the drive, once for each of its cycles (cycle).
func (r *Axes) Prepare(at *ecat.Moment) {
	if r.beat = r.pace.next(at); r.beat.due {
		r.step(at, r.beat)
	}
}

// gather finds out what is known of all drives together (cycle). Data that has come for some of them only is not enough.
func (r *Axes) gather() {
	units := r.units
	r.quality, r.confirmed, r.power.obeyed = ecat.Fresh, true, true
	for i := range units {
		u := units[i]
		r.quality = min(r.quality, u.quality)
		r.power.obeyed = r.power.obeyed && u.obeys
		r.confirmed = r.confirmed && u.confirmed
		u.confirmed = false
	}
}

// measure makes positions of joints of the counts of all axes (cycle).
func (r *Axes) measure() {
	axes := r.power.axes
	var counts [Most]int32
	for i := 0; i < Most && i < len(axes); i++ {
		counts[i] = axes[i].actual
	}
	joints := r.gear.joints(&counts)
	for i := 0; i < Most && i < len(axes); i++ {
		a := &axes[i]
		if a.fresh {
			a.measured.Take(joints[i], a.span)
			a.fresh = false
		}
	}
}

// Write puts outputs into the process data. Before these are known they are zero: everything is off (cycle).
func (u *unit) Write(out image.View, _ *ecat.Moment) {
	l := u.layout.Load()
	if l == nil {
		clear(out)
		return
	}
	r := u.of
	axes, places := r.power.axes, l.axes
	for i := range places {
		n := u.first + i
		if uint(n) >= uint(len(axes)) {
			break
		}
		a, at := &axes[n], &places[i]
		at.control.put(out, uint64(a.control))
		at.mode.put(out, uint64(a.order))
		at.target.put(out, uint64(uint32(a.target)))
		at.speed.put(out, uint64(uint32(a.speed)))
		at.torque.put(out, uint64(uint16(a.torque)))
	}
	if u.first == 0 {
		r.inputs.write(l, r.image, out, r.cfg.Unit)
	}
}

// Read reads the states of the axes (cycle).
func (u *unit) Read(in image.View, q ecat.Quality, at *ecat.Moment) {
	l, r := u.layout.Load(), u.of
	if l == nil {
		q = ecat.Invalid
	}
	if u.quality == ecat.Invalid {
		u.forget()
	}
	u.quality, u.obeys = q, at.Obeyed
	if q != ecat.Fresh || l == nil {
		return
	}
	if r.beat.due {
		u.confirmed = true
	}
	u.take(l, in, float64(at.Now-u.heard)*1e-9)
	u.heard = at.Now
	r.measure()
	if u.first == 0 {
		r.inputs.read(l, in, r.image, r.cfg.Unit)
	}
}

// forget makes what is read next the first (cycle).
func (u *unit) forget() {
	axes := u.of.power.axes
	for i := range axes {
		if i >= u.first && i < u.first+len(u.order) {
			axes[i].measured.Forget()
		}
	}
}

func (u *unit) take(l *layout, in image.View, span float64) {
	axes, places := u.of.power.axes, l.axes
	for i := range places {
		n := u.first + i
		if uint(n) >= uint(len(axes)) {
			break
		}
		a, at := &axes[n], &places[i]
		a.status = uint16(at.status.get(in))
		a.code = uint16(at.code.get(in))
		a.mode = int8(at.display.get(in))
		a.actual = int32(at.actual.get(in))
		a.fresh, a.span = true, span
		if i == 0 {
			u.of.power.shows = at.display.there()
		}
	}
}
