package rcc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/budget"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/number"
	"github.com/softrobot-rcc/rccd/rcc/sched"
)

// Twin is a core beside another one, in a time of its own: it shows what nets would do before they do it (ADR 0024). It knows the same
// primitives, and has simulated devices of the same names, with the parameters of the others. They begin at rest as those are now: joints where
// they are commanded, or measured if drives have no power, or as configured if neither is known; loads, springs and tools as they were set,
// outputs and inputs, bases, grippers. Drives are under power, and no emergency stop is needed, as nobody can press one in a preview. Scripts of
// simulated devices are not executed.
//
// A twin does not affect the other core, except that it takes computing time, in ordinary threads.
type Twin struct {
	*Core

	Origin  time.Time    // its time at the start, the same for all twins
	LeftOut []LeftOut    // devices without a twin
	Joints  []TwinJoints // devices with joints that it has, in the order in which they were created
	Unlike  []Unlike     // devices that are not operational, although their twins are
}

// TwinJoints are the joints of a device.
type TwinJoints struct {
	Name   string
	Device device.MultiJoint
	By     Beginning
}

// Beginning is the source of the positions at which joints of a twin start, in the words of clients.
type Beginning string

// The sources of positions.
const (
	ByPlan       Beginning = "plan"       // from TwinOptions
	ByCommand    Beginning = "commanded"  // as they are commanded
	ByMeasuring  Beginning = "measured"   // some cannot be commanded: as they are measured
	ByParameters Beginning = "parameters" // as configured: neither is known
)

// Unlike is a device that is not operational, and why.
type Unlike struct {
	Device string
	device.Status
}

// LeftOut is a device that has no twin, and why.
type LeftOut struct{ Device, Why string }

// TwinOptions say how a twin differs from its core.
type TwinOptions struct {
	Nets int                  // at most, 64 when zero
	From map[string][]float64 // where joints of devices are, instead of where they are now
}

// origin is when time begins for all twins: nets that look at the time see the same every time.
var origin = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// Twin makes a twin of the core as it is now. The caller closes it.
func (c *Core) Twin(o TwinOptions) (*Twin, error) {
	if c.life.Err() != nil {
		return nil, refuse(ErrClosed, "daemon", "")
	}
	cfg, here := c.cfg, c.Extensions.world.Load()
	cfg.Clock, cfg.Log, cfg.Folder, cfg.NeedStop = rt.NewVirtual(origin), nil, nil, false
	cfg.MaxNets = cmp.Or(o.Nets, twinNets)
	cfg.Numbers = number.NewBook(number.Counts{number.Net: 1, number.Session: 1})
	cfg.Sched = sched.Config{Overrun: sched.IgnoreOverruns, Rules: cfg.Sched.Rules, Resources: cfg.Sched.Resources, Residents: cfg.Sched.Residents}
	own := c.Memory.accountOf("a preview", "", 0)
	if err := own.Take(budget.Previews, twinBytes); err != nil {
		own.Close()
		return nil, c.Memory.short("preview", err)
	}
	core, err := newCore(cfg, &world{catalogue: here.catalogue, types: here.types, builtIn: maps.Clone(here.builtIn)})
	if err != nil {
		own.Close()
		return nil, err
	}
	core.Memory.own, core.Memory.beside = own, besideOf
	t := &Twin{Core: core, Origin: origin}
	if err := t.copyDevices(c, o.From); err != nil {
		return nil, errors.Join(err, t.Close(context.Background()))
	}
	return t, nil
}

const twinNets = 64

// besideOf is said behind the names of nets of a twin.
const besideOf = " of a preview"

// Pass moves time forward by d. When it returns, everything in that time has happened, but events may not be visible before
// Settle.
func (t *Twin) Pass(ctx context.Context, d time.Duration) error {
	clock, err := t.Clock.virtual()
	if err != nil {
		return err
	}
	return clock.Advance(ctx, d)
}

// copyDevices makes twins of the devices of a core.
func (t *Twin) copyDevices(of *Core, from map[string][]float64) error {
	c, originals := t.Core, of.Cell.originals()
	for _, name := range slices.Sorted(maps.Keys(from)) {
		if !slices.ContainsFunc(originals, func(o original) bool { return o.name == name }) {
			return refuse(ErrNoDevice, devicePlace(name), "")
		}
	}
	for _, o := range originals {
		c.Cell.SetPlace(o.name, o.place)
		joints, given := from[o.name]
		var failed error
		gone := of.Devices.visit(o.name, func(d *lentDevice) error {
			failed = t.copyDevice(&o, d, joints, given)
			return nil
		})
		switch {
		case errors.Is(gone, ErrClosed):
			return gone
		case gone != nil:
			t.LeftOut = append(t.LeftOut, LeftOut{o.name, "removed in the meantime"})
		case failed != nil && given:
			return refuse(ErrValue, devicePlace(o.name), "cannot begin at the requested position: %v", failed)
		case failed != nil:
			t.LeftOut = append(t.LeftOut, LeftOut{o.name, failed.Error()})
		}
	}
	return nil
}

// original is what a twin of a device is made of.
type original struct {
	name   string
	kind   device.Type
	params map[string]string
	place  geom.Frame
}

// originals are all devices, in the order in which they were created.
func (cell *Cell) originals() (list []original) {
	cell.mu.Lock()
	defer cell.mu.Unlock()
	for _, name := range cell.devices.order {
		d := cell.devices.byName[name]
		list = append(list, original{name, d.kind, d.params, cell.places[name]})
	}
	return list
}

// copyDevice makes the twin of an original that still exists.
func (t *Twin) copyDevice(o *original, is *lentDevice, joints []float64, given bool) error {
	arm, jointed := is.Device.(device.MultiJoint)
	by := ByPlan
	switch {
	case given && (!jointed || len(joints) != arm.Joints()):
		return errJoints
	case jointed && !given:
		joints, by = whereJointsAre(arm)
	}
	d := &lentDevice{params: maps.Clone(o.params), users: map[user]bool{}}
	if err := t.Devices.reserve(o.name, o.kind.Name, d, map[string]device.Type{o.kind.Name: o.kind}); err != nil {
		return err
	}
	err := t.Devices.bringUp(o.name, d, func(env *device.Env) (device.Device, error) {
		lend := env.Device
		env.Original = &device.Original{Device: is.Device, Joints: joints}
		env.Device = func(name string) (device.Device, error) { return t.lendTwin(name, lend) }
		return d.kind.OpenTwin(env, o.params)
	})
	if err != nil {
		return err
	}
	if twin, is := d.Device.(device.MultiJoint); is {
		t.Joints = append(t.Joints, TwinJoints{o.name, twin, by})
	}
	if s := is.Status(); s.State != device.Operational {
		t.Unlike = append(t.Unlike, Unlike{o.name, s})
	}
	return nil
}

var errJoints = errors.New("wrong number of joints for this device")

// lendTwin lends a device to another one, or tells why there is none.
func (t *Twin) lendTwin(name string, lend func(name string) (device.Device, error)) (device.Device, error) {
	if i := slices.IndexFunc(t.LeftOut, func(l LeftOut) bool { return l.Device == name }); i >= 0 {
		return nil, fmt.Errorf("it needs device %q, which has no twin: %s", name, t.LeftOut[i].Why)
	}
	return lend(name)
}

// whereJointsAre is where they are commanded, which is what the next net has to begin with, or measured where nobody can command
// them. It is nil of a robot that has not been heard of yet. Joints are asked one after another: while they move, some may be a cycle
// ahead.
func whereJointsAre(d device.MultiJoint) (at []float64, by Beginning) {
	at, by = make([]float64, d.Joints()), ByCommand
	known := d.Status().State != device.Offline
	for i := range at {
		s := d.Joint(i)
		known = known || s.Measured.Pos != 0 // before that, commanded is where the parameters say
		if at[i] = s.Commanded.Pos; s.Fault == device.JointDrivesOff || s.Fault == device.JointFailed {
			at[i], by = s.Measured.Pos, ByMeasuring
		}
	}
	if !known {
		return nil, ByParameters
	}
	return at, by
}
