package ethercat

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/image"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// extension under which applications know the bus and its members.
const extension = "ethercat"

// Types returns the device types of the package.
func Types() []device.Type { return over(onMachine) }

// over returns the same on another ground (load).
func over(on func(*device.Env, *config) (ground, error)) []device.Type {
	real := device.Declare(device.Kind{
		Name: "ethercat", Extension: extension, Doc: "EtherCAT bus, for the devices that name it by their parameter ethercatdevice",
		Pages: pages,
	}, func(env *device.Env, cfg *config) (device.Device, error) {
		if env.Claims != nil {
			return openPlanned(env, cfg)
		}
		return openBus(env, cfg, on)
	})
	twin := device.Declare(device.Kind{Name: "no bus"}, openTwin)
	return []device.Type{device.WithTwin(real, twin), dummyType}
}

// twin is a bus that is not there.
type twin struct {
	name   string
	period time.Duration
}

type twinConfig struct {
	Cycle time.Duration `rcc:"cycle" default:"1ms" min:"100us" max:"100ms" doc:"how often process data would be exchanged"`
}

var _ ecat.Master = (*twin)(nil)

func openTwin(env *device.Env, cfg *twinConfig) (device.Device, error) {
	return &twin{env.Name, cfg.Cycle}, nil
}

// Add refuses the device, which is not simulated although its bus is.
func (t *twin) Add(name string, _ ecat.Device) error {
	return fmt.Errorf("bus %q is simulated, so device %q must be too: add the parameter simulated: true", t.name, name)
}

// Remove does nothing.
func (t *twin) Remove(ecat.Device) {}

// Period returns the configured period (any).
func (t *twin) Period() time.Duration { return t.period }

// Trouble returns none (any).
func (t *twin) Trouble() string { return "" }

// Simulated is true (any).
func (t *twin) Simulated() bool { return true }

// Status is always operational (any).
func (t *twin) Status() device.Status {
	return device.Status{State: device.Operational}
}

// Interfaces returns the one of a bus (any).
func (t *twin) Interfaces() []device.Interface { return []device.Interface{ecat.AnnounceMaster()} }

// Close does nothing.
func (t *twin) Close() error { return nil }

// dummyType is a slave without a function, so that one can be seen by name which needs no driver.
var dummyType = device.Declare(device.Kind{
	Name: "ec_dummy", Extension: extension, Doc: "a slave of an EtherCAT bus without a function, such as a coupler", Simulated: true, // on a bus that is
}, openDummy)

type dummyConfig struct{ ecat.Where }

var errWhich = errors.New("no slave is named; set slave or alias")

// Check reports parameters that contradict each other.
func (c *dummyConfig) Check() []device.ParamError {
	if c.Slave == 0 && c.Alias == 0 {
		return []device.ParamError{{Name: "slave", Err: errWhich}}
	}
	return nil
}

// dummy is one of them.
type dummy struct {
	bus   ecat.Master
	where ecat.Where
	held  holding
}

func openDummy(env *device.Env, cfg *dummyConfig) (device.Device, error) {
	bus, err := device.Lend[ecat.Master](env, cfg.Bus, "an EtherCAT bus")
	if err != nil {
		return nil, err
	}
	d := &dummy{bus: bus, where: cfg.Where}
	if bus.Simulated() {
		return d, nil
	}
	return d, bus.Add(env.Name, d)
}

// Startup takes the slave with its own configuration.
func (d *dummy) Startup(slaves []ecat.Slave) error {
	i := slices.IndexFunc(slaves, func(s ecat.Slave) bool {
		is := s.About()
		return (d.where.Slave == 0 || is.Number() == d.where.Slave) && (d.where.Alias == 0 || int(is.Alias) == d.where.Alias)
	})
	if i < 0 {
		err := fmt.Errorf("no slave %d, the bus has %d", d.where.Slave, len(slaves))
		if d.where.Alias != 0 {
			err = fmt.Errorf("the bus has no slave %v", &d.where)
		}
		d.held.put(nil, err)
		return err
	}
	err := slaves[i].Attach(d)
	d.held.put(slaves[i], err)
	return err
}

// PreOp does nothing.
func (d *dummy) PreOp(context.Context, ecat.Slave) error { return nil }

// SafeOp does nothing.
func (d *dummy) SafeOp(context.Context, ecat.Slave) error { return nil }

// Write leaves outputs, if any, zero, as at the start (cycle).
func (d *dummy) Write(image.View, *ecat.Moment) {}

// Read ignores inputs (cycle).
func (d *dummy) Read(image.View, ecat.Quality, *ecat.Moment) {}

// Prepare does nothing (cycle).
func (d *dummy) Prepare(*ecat.Moment) {}

// Shutdown forgets the slave.
func (d *dummy) Shutdown() {
	_, err := d.held.get()
	d.held.put(nil, err)
}

// Status returns the status of the slave (any).
func (d *dummy) Status() device.Status {
	if d.bus.Simulated() {
		return device.Status{State: device.Operational}
	}
	s, err := d.held.get()
	down := d.bus.Trouble()
	switch {
	case down != "":
		return device.Status{Cause: "the bus: " + down}
	case err != nil:
		return device.Status{Cause: err.Error()}
	case s == nil:
		return device.Status{Cause: "the bus has not been started for it yet"}
	}
	if cause := trouble(s); cause != "" {
		return device.Status{Cause: cause}
	}
	return device.Status{State: device.Operational}
}

// Interfaces returns none (any).
func (d *dummy) Interfaces() []device.Interface { return nil }

// Close leaves the bus.
func (d *dummy) Close() error {
	d.bus.Remove(d)
	return nil
}
