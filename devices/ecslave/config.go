package ecslave

import (
	"errors"
	"strconv"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/esi"
	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
	"github.com/softrobot-rcc/rccd/rcc/device/ports"
)

// config are the parameters of the device.
type config struct {
	ecat.Where
	ecat.Who
	Serial string `rcc:"serial" default:"0" doc:"serial number that it must have; 0: any"`
	source
	Clock    string        `rcc:"dc" doc:"name of a way to use the clock in the file esi, or off; left out: the first one"`
	Assign   string        `rcc:"assign" default:"auto" enum:"auto on off" doc:"whether PDOs are assigned and mapped as the configuration says, or only compared with it; auto: as far as the slave says that it can do that"`
	Data     string        `rcc:"process_data" default:"needed" enum:"needed none" doc:"none: the slave has no process data, as devices with objects only; otherwise it is not usable while nothing is assigned"`
	Startup  string        `rcc:"startup" doc:"objects that are written in Pre-Op, such as 0x8000:6=true/BOOL 0x8000:21=2/UINT 0x2000='text' 0x2001=#0a0b"`
	Activate string        `rcc:"activate" doc:"word that switches SYNC0 and SYNC1 on, AssignActivate of its description, such as 0x0300; left out: it runs free"`
	Shift    time.Duration `rcc:"sync_shift" default:"0s" min:"-100ms" max:"100ms" doc:"by how much later than the grid of the bus SYNC0 comes"`
	Sync0    time.Duration `rcc:"sync0_cycle" default:"0s" min:"0s" max:"1s" doc:"cycle of SYNC0; 0s: that of the bus"`
	Sync1    time.Duration `rcc:"sync1_cycle" default:"0s" min:"0s" max:"1s" doc:"cycle of SYNC1 (register 0x09a4)"`
	Watchdog time.Duration `rcc:"watchdog" default:"0s" min:"0s" max:"6s" doc:"without commands for so long, outputs drop; 0s: as the slave has it, which is mostly 100ms"`
}

// source is what says which process data there are.
type source struct {
	ESI     string `rcc:"esi" doc:"description of the device by its maker, a file in XML (ESI)"`
	Device  string `rcc:"device" doc:"type of the device in that file; needed where several are in it, and the product does not say which"`
	Modules string `rcc:"modules" doc:"modules by slot, such as 'MR-4DI' - 'MR-1AO': types, names or numbers of the file, - for an empty slot"`
	Mapping string `rcc:"mapping" doc:"name of an alternative list of PDOs in that file; left out: the default one"`
	PDO     string `rcc:"pdo" doc:"process data objects, each with its entries or without: 0x1600 lamp=0x7000:1/BOOL pad7 0x1A00 speed=0x6000:1/INT; left out: as the slave says"`
}

// plan is what follows from the parameters without a bus.
type plan struct {
	identity        sii.Identity
	outputs, inputs []ecat.PDOGiven // nil: as the slave says
	empties         [2]bool         // outputs, inputs: none are assigned, although the device has some
	start, late     []ecat.Write    // late: before Op
	clock           *ecat.Clock
	esi             *esi.Clock // what it is made of, if that says it
}

// Check reports parameters that contradict each other.
func (c *config) Check() []device.ParamError {
	_, err := c.plan()
	return device.ParamErrors(err)
}

// bare reports whether the slave may be without process data.
func (c *config) bare() bool { return c.Data == "none" }

// plan reads the parameters. The error is about all of them.
func (c *config) plan() (p plan, err error) {
	var errs []error
	if p.identity, err = c.Identity(); err != nil {
		errs = append(errs, err)
	}
	if p.identity.Serial, err = ecat.ParseNumber("serial", c.Serial); err != nil {
		errs = append(errs, err)
	}
	is, err := c.source.put(&p, c.Clock)
	if err != nil {
		errs = append(errs, err)
	}
	own, err := ecat.ParseWrites(c.Startup)
	if err = errors.Join(err, writable(is, own)); err != nil {
		errs = append(errs, device.WrongParam("startup", "%w", err))
	}
	p.start = append(p.start, own...)
	if err := c.putClock(&p); err != nil {
		errs = append(errs, err)
	}
	return p, errors.Join(errs...)
}

// put reads which process data there are, and what else the description of the device says, if there is one.
func (s *source) put(p *plan, clock string) (is *esi.Selection, err error) {
	if p.outputs, p.inputs, err = ecat.ParsePDOs(s.PDO); err != nil {
		err = device.WrongParam("pdo", "%w", err)
	}
	if s.ESI != "" {
		is, more := s.describe(p, clock)
		return is, errors.Join(err, more)
	}
	errs := []error{err}
	for _, f := range []struct{ name, text string }{{"device", s.Device}, {"modules", s.Modules}, {"mapping", s.Mapping}, {"dc", clock}} {
		if f.text != "" && (f.name != "dc" || f.text != esi.NoClock) {
			errs = append(errs, device.WrongParam(f.name, "this comes from a device description; name the file with esi"))
		}
	}
	return nil, errors.Join(errs...)
}

// putClock reads how the slave uses SYNC0 and SYNC1.
func (c *config) putClock(p *plan) error {
	if p.esi != nil {
		p.clock = &ecat.Clock{Activate: p.esi.Activate, Shift: time.Duration(p.esi.Shift), Cycle: time.Duration(p.esi.Cycle0), Cycle1: time.Duration(p.esi.Cycle1)}
	}
	if c.Activate != "" {
		activate, err := strconv.ParseUint(c.Activate, 0, 16)
		if err != nil {
			return device.WrongParam("activate", "%q is not a number such as 0x0300", c.Activate)
		}
		switch {
		case activate == 0:
			p.clock = nil
		case p.clock == nil:
			p.clock = &ecat.Clock{}
		}
		if p.clock != nil {
			p.clock.Activate = uint16(activate)
		}
	}
	if p.clock == nil {
		if c.Shift != 0 || c.Sync0 != 0 || c.Sync1 != 0 {
			return device.WrongParam("activate", "times of SYNC0 and SYNC1 are given, but nothing switches them on; write activate: 0x0300")
		}
		return nil
	}
	if c.Shift != 0 {
		p.clock.Shift = c.Shift
	}
	if c.Sync0 != 0 {
		p.clock.Cycle = c.Sync0
	}
	if c.Sync1 != 0 {
		p.clock.Cycle1 = c.Sync1
	}
	return nil
}

// Types returns the device types of the package.
func Types() []device.Type {
	real := device.Declare(device.Kind{
		Name: "ec_slave", Extension: "ethercat", Doc: "any slave of an EtherCAT bus, with its process data as ports and as entries with names and types",
		Pages: []device.Page{page},
	}, open)
	twin := device.Declare(device.Kind{Name: "ec_slave without a bus", Extension: "ethercat"},
		func(env *device.Env, c *source) (device.Device, error) {
			var p plan
			if _, err := c.put(&p, ""); err != nil {
				return nil, err
			}
			return openTwin(env, &p)
		})
	return []device.Type{device.WithTwin(real, twin)}
}

// twin stands in for a slave: whatever it is asked to read is read.
type twin struct{ ports.Fed }

func openTwin(env *device.Env, p *plan) (device.Device, error) {
	entries, err := p.entries()
	if err != nil {
		return nil, err
	}
	fed, err := ports.NewFed(env.Name, entries)
	if err != nil {
		return nil, err
	}
	if env.Original != nil {
		fed.Begin(env.Original.Device)
	}
	return &twin{fed}, nil
}

// Status is always operational (any).
func (t *twin) Status() device.Status {
	return device.Status{State: device.Operational, Cause: t.Trouble()}
}

// Interfaces returns those of the slave (any).
func (t *twin) Interfaces() []device.Interface { return announce(t.Named) }

// Close does nothing.
func (t *twin) Close() error { return nil }

func announce(n *ports.Named) []device.Interface {
	return []device.Interface{device.AnnounceIO(n.Ports()), device.AnnounceEntries()}
}
