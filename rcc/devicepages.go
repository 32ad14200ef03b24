package rcc

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// Parameter is a parameter of a device type, or a number or field of a page.
type Parameter = device.Param

// Files is the view of a page that has files.
type Files = device.Files

// Tree and Chart are views of devices that people see drawn.
type (
	Tree  = device.Tree
	Chart = device.Chart
)

// DeviceParam is a parameter of a device as it is now.
type DeviceParam struct {
	Parameter
	Value string
}

// DevicePage is an address below a device, and what an answer needs besides its view.
type DevicePage struct {
	Path, Doc string
	Asked     []Parameter // numbers that a question may have
	Told      []Parameter // what it takes
}

// DeviceDetails is everything about a device.
type DeviceDetails struct {
	DeviceInfo
	Params  []DeviceParam // those that were not given have their defaults
	Nets    []string      // that use it
	Devices []string      // that depend on it
	Uses    []string      // devices that it depends on
	Pages   []DevicePage
	Own     any // view of the page without path, nil without
}

// Device returns everything about a device.
func (c *Core) Device(name string) (DeviceDetails, error) {
	if name == coreDevice {
		return DeviceDetails{DeviceInfo: itself(), Params: c.ownParams()}, nil
	}
	var details DeviceDetails
	err := c.visit(name, func(d *lentDevice) error {
		details = c.detailsOf(name, d)
		for _, p := range c.pagesOf(d) {
			if p.Path != "" {
				details.Pages = append(details.Pages, DevicePage{Path: p.Path, Doc: p.Doc, Asked: p.Asked(d.Device), Told: p.Told})
				continue
			}
			var err error
			if details.Own, err = p.View(d.Device, nil); err != nil {
				return err
			}
		}
		return nil
	})
	return details, err
}

// ownParams are the parameters of the device that stands for the core, as existing clients know them. They are what the
// configuration says.
func (c *Core) ownParams() []DeviceParam {
	param := func(name string, t value.Type, text, doc string) DeviceParam {
		return DeviceParam{Parameter{Name: name, Type: t, Doc: doc}, text}
	}
	level := map[DebugLevel]string{DebugOff: "0", DebugRequested: "1", DebugAll: "2"}[c.cfg.Debug.Level]
	return []DeviceParam{
		param("netunloading", value.TypeBool, "true", "nets that have ended can be unloaded"),
		param("debugginglevel", value.TypeInt, level, "which ports are recorded: 0 none, 1 those that nets ask for, 2 all"),
		param("debuggingtime", value.TypeDouble, string(value.Double.Append(nil, c.cfg.Debug.Time.Seconds())), "how long all are kept, in s"),
		param("needestop", value.TypeBool, strconv.FormatBool(c.cfg.NeedStop), "devices are stopped unless a net that runs is connected to the emergency stop (EStop)"),
	}
}

// visit lets somebody look at a device, which does not close before that is over.
func (c *Core) visit(name string, look func(d *lentDevice) error) error {
	c.mu.Lock()
	d, err := c.devices.byName[name], error(nil)
	switch {
	case c.closing:
		err = refuse(ErrClosed, devicePlace(name), "")
	case d == nil:
		err = refuse(ErrNoDevice, devicePlace(name), "")
	default:
		d.visits.Add(1)
	}
	c.mu.Unlock()
	if err != nil {
		return err
	}
	defer d.visits.Done()
	return look(d)
}

// Metric is a figure of a device.
type Metric = device.Metric

// DeviceMetric is a figure and whose it is.
type DeviceMetric struct {
	Device string
	Metric
}

// DeviceMetrics returns the figures of all devices that have some, those of one device after those of the one that was created
// before it.
func (c *Core) DeviceMetrics() (list []DeviceMetric) {
	c.mu.Lock()
	names := slices.Clone(c.devices.order)
	c.mu.Unlock()
	for _, name := range names {
		_ = c.visit(name, func(d *lentDevice) error { // one that has gone has no figures
			if meter, ok := d.Device.(device.Meter); ok {
				for _, m := range meter.Metrics() {
					list = append(list, DeviceMetric{name, m})
				}
			}
			return nil
		})
	}
	return list
}

func (c *Core) detailsOf(name string, d *lentDevice) DeviceDetails {
	c.mu.Lock()
	defer c.mu.Unlock()
	details := DeviceDetails{DeviceInfo: infoOf(name, d), Uses: slices.Clone(d.lent)}
	details.Nets, details.Devices = c.devices.usersOf(d)
	for _, p := range d.kind.Params {
		v, given := d.params[p.Name]
		if !given {
			v = p.Default
		}
		details.Params = append(details.Params, DeviceParam{p, v})
	}
	return details
}

// pagesOf returns the pages of a device: of its interfaces, then of its type.
func (c *Core) pagesOf(d *lentDevice) (list []*device.Page) {
	add := func(pages []device.Page) {
		for i := range pages {
			if pages[i].Fits(d.Device) {
				list = append(list, &pages[i])
			}
		}
	}
	for _, i := range d.Interfaces() {
		add(c.devices.kinds[i.Name].Pages)
	}
	add(d.kind.Pages)
	return list
}

// turnTo visits a page of a device.
func (c *Core) turnTo(name, path string, look func(d device.Device, p *device.Page) error) error {
	if name == coreDevice {
		return refuse(ErrNoPage, devicePlace(name), "it has no page %q", path)
	}
	return c.visit(name, func(d *lentDevice) error {
		for _, p := range c.pagesOf(d) {
			if p.Path == path && path != "" {
				return look(d.Device, p)
			}
		}
		return refuse(ErrNoPage, devicePlace(name), "it has no page %q", path)
	})
}

// ShowDevice returns a page of a device with its view, which answers a question.
func (c *Core) ShowDevice(name, path string, question map[string]string) (page DevicePage, view any, err error) {
	err = c.turnTo(name, path, func(d device.Device, p *device.Page) (err error) {
		page = DevicePage{Path: p.Path, Doc: p.Doc, Asked: p.Asked(d), Told: p.Told}
		view, err = p.View(d, question)
		return err
	})
	return page, view, err
}

// TellDevice tells a device something at one of its pages.
func (c *Core) TellDevice(name, path string, params map[string]string) error {
	return c.turnTo(name, path, func(d device.Device, p *device.Page) error {
		err := p.Tell(d, params)
		if errors.Is(err, device.ErrTakesNothing) {
			err = refuse(ErrState, fmt.Sprintf("page %s of device %q", path, name), "%v", err)
		}
		return err
	})
}

// TuneDevice changes parameters of a device that can be changed while it exists, all of them or none.
func (c *Core) TuneDevice(name string, change map[string]string) error {
	return c.visit(name, func(d *lentDevice) error {
		d.tuning.Lock()
		defer d.tuning.Unlock()
		params, err := d.kind.Tune(d.Device, d.params, change)
		c.mu.Lock()
		defer c.mu.Unlock()
		d.params = params
		return err
	})
}

// DeviceReason is one mistake in the parameters of a device, or in what it was told.
type DeviceReason struct {
	Param string // empty when it is about more than one
	Text  string
}

// ReasonsOf takes an error about a device apart.
func ReasonsOf(err error) (list []DeviceReason) {
	switch e := err.(type) { //nolint:errorlint // it goes from one to the next by itself
	case device.ParamError:
		return []DeviceReason{{e.Name, e.Err.Error()}}
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			list = append(list, ReasonsOf(one)...)
		}
		return list
	case interface{ Unwrap() error }:
		if list = ReasonsOf(e.Unwrap()); len(list) > 1 || list[0].Param != "" {
			return list
		}
	}
	return []DeviceReason{{Text: err.Error()}}
}
