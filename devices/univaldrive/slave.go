package univaldrive

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

// slave is which slave of the bus the drive is, and how it is set up.
type slave struct {
	identity sii.Identity
	order    [six]int
	setup    ecat.Setup
	found    atomic.Pointer[ecat.Slave]
	trouble  atomic.Pointer[string] // why there is none, or why it cannot be used
}

func (s *slave) configure(cfg *config) (err error) {
	if s.identity, err = cfg.identity(); err != nil {
		return err
	}
	if s.order, err = cfg.order(); err != nil {
		return err
	}
	s.setup, err = cfg.setup(s.order)
	return err
}

// refuse keeps what is wrong; nil is nothing.
func (s *slave) refuse(err error) {
	if err == nil {
		s.trouble.Store(nil)
		return
	}
	text := err.Error()
	s.trouble.Store(&text)
}

func (s *slave) wrong() string {
	if t := s.trouble.Load(); t != nil {
		return *t
	}
	return ""
}

// find is the slave that the configuration means.
func (s *slave) find(cfg *config, slaves []ecat.Slave) (ecat.Slave, error) {
	is, err := cfg.Find(slaves, ecat.Wanted{What: "drive with six axes", Identity: s.identity})
	if err != nil {
		return nil, err
	}
	if s.setup.Clock != nil && !is.HasClock() {
		return nil, fmt.Errorf("%v has no distributed clock; with activate=0 it runs free", is.About())
	}
	return is, nil
}

// Startup looks for the slave (figure 9.5, steps 3 to 6).
func (r *Robot) Startup(slaves []ecat.Slave) error {
	is, err := r.slave.find(r.cfg, slaves)
	if err == nil {
		err = is.Configure(r.slave.setup)
	}
	if err == nil {
		err = is.Attach(r)
	}
	r.slave.refuse(err)
	if err != nil {
		r.notify()
		return err
	}
	r.layout.Store(nil)
	r.slave.found.Store(&is)
	r.pace.restart()
	r.wish.Store(0)
	r.quality, r.confirmed, r.lost = ecat.Invalid, false, 0
	r.notify()
	return nil
}

// Shutdown is the end of a run of the bus.
func (r *Robot) Shutdown() {
	r.slave.found.Store(nil)
	r.layout.Store(nil)
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

func (r *Robot) notify() {
	if r.changed != nil {
		r.changed()
	}
}

// PreOp is before the slave is configured.
func (r *Robot) PreOp(context.Context, ecat.Slave) error {
	r.layout.Store(nil)
	return nil
}

// SafeOp looks where everything stands in the process data, and whether the drive is set up as it should be. A drive that is not takes
// no part; others on the bus are not concerned.
func (r *Robot) SafeOp(ctx context.Context, s ecat.Slave) error {
	outputs, inputs := s.Layout()
	l, err := newLayout(outputs, inputs, r.slave.order, r.inputs, r.cfg.Mode == "sdo")
	if err == nil && s.HasCoE() {
		err = r.check(ctx, s)
	}
	r.slave.refuse(err)
	if err == nil {
		r.layout.Store(l)
	}
	r.notify()
	return nil
}

// check reads objects that have to fit. Those that a drive does not have say nothing.
func (r *Robot) check(ctx context.Context, s ecat.Slave) error {
	cycle := int64(r.cfg.Cycle)
	if r.slave.setup.Clock != nil {
		got, ok, err := read(ctx, s, cia402.OutputSync, cia402.SyncCycle)
		if err != nil {
			return err
		}
		if ok && got != 0 && got != cycle {
			return fmt.Errorf("the drive has a cycle of %d ns (%#04x:2), not of %d", got, cia402.OutputSync, cycle)
		}
	}
	for _, a := range r.slave.order {
		if err := r.checkAxis(ctx, s, a); err != nil {
			return err
		}
	}
	return nil
}

func (r *Robot) checkAxis(ctx context.Context, s ecat.Slave, a int) error {
	modes, ok, err := read(ctx, s, cia402.Of(cia402.SupportedModes, a), 0)
	if err != nil {
		return err
	}
	if ok && uint32(modes)&cia402.CyclicPosition.Supported() == 0 {
		return fmt.Errorf("axis %d has no mode %v (%#04x)", a+1, cia402.CyclicPosition, cia402.Of(cia402.SupportedModes, a))
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
	if r.cfg.Mode == "sdo" {
		mode, ok, err := read(ctx, s, cia402.Of(cia402.ModeDisplay, a), 0)
		if err != nil {
			return err
		}
		if is := cia402.Mode(int8(mode)); !ok || is != cia402.CyclicPosition {
			return fmt.Errorf("axis %d is in %v (%#04x), not in %v", a+1, is, cia402.Of(cia402.ModeDisplay, a), cia402.CyclicPosition)
		}
	}
	return nil
}

// read is the number in an object, false where the drive does not have it.
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

// absent tells whether a slave has answered that it does not have an object.
func absent(err error) bool {
	var abort coe.Abort
	return errors.As(err, &abort) && abort != coe.AbortTimeout
}

// Prepare makes what the drive is told, once for each of its cycles (cycle).
func (r *Robot) Prepare(at *ecat.Moment) {
	if r.beat = r.pace.next(at); r.beat.due {
		r.step(at, r.beat)
	}
}

// Write puts it into the process data. Before these are known they are zero: everything is off (cycle).
func (r *Robot) Write(out image.View, _ *ecat.Moment) {
	l := r.layout.Load()
	if l == nil {
		clear(out)
		return
	}
	axes, places := &r.power.axes, &l.axes
	for i := range axes {
		a, at := &axes[i], &places[i]
		at.control.put(out, uint64(a.control))
		at.mode.put(out, uint64(cia402.CyclicPosition))
		at.target.put(out, uint64(uint32(a.target)))
	}
	r.inputs.write(l, r.image, out, r.cfg.Unit)
}

// Read takes what the axes do (cycle).
func (r *Robot) Read(in image.View, q ecat.Quality, at *ecat.Moment) {
	l := r.layout.Load()
	if l == nil {
		q = ecat.Invalid
	}
	if r.quality == ecat.Invalid {
		r.forget()
	}
	r.quality = q
	if q != ecat.Fresh || l == nil {
		return
	}
	if r.beat.due {
		r.confirmed = true
	}
	r.take(l, in, float64(at.Now-r.heard)*1e-9)
	r.heard = at.Now
	r.inputs.read(l, in, r.image, r.cfg.Unit)
}

// forget makes what is read next the first (cycle).
func (r *Robot) forget() {
	axes := &r.power.axes
	for i := range axes {
		axes[i].measured.Forget()
	}
}

func (r *Robot) take(l *layout, in image.View, span float64) {
	axes, places := &r.power.axes, &l.axes
	var counts [six]int32
	for i := range axes {
		a, at := &axes[i], &places[i]
		a.status = uint16(at.status.get(in))
		a.code = uint16(at.code.get(in))
		a.mode = int8(at.display.get(in))
		a.actual = int32(at.actual.get(in))
		counts[i] = a.actual
	}
	r.power.shows = places[0].display.there()
	joints := r.gear.joints(&counts)
	for i := range axes {
		axes[i].measured.Take(joints[i], span)
	}
}
