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

// DevicePage is an address below a device, with what an answer needs besides its view.
type DevicePage struct {
	Path, Doc string
	Asked     []Parameter // numbers that a query may have
	Told      []Parameter // parameters that can be posted
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

// Get returns everything about a device.
func (ds *Devices) Get(name string) (DeviceDetails, error) {
	if name == coreDevice {
		return DeviceDetails{DeviceInfo: itself(), Params: ds.ownParams()}, nil
	}
	var details DeviceDetails
	err := ds.visit(name, func(d *lentDevice) error {
		details = ds.detailsOf(name, d)
		for _, p := range ds.pagesOf(d) {
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
func (ds *Devices) ownParams() []DeviceParam {
	param := func(name string, t value.Type, text, doc string) DeviceParam {
		return DeviceParam{Parameter{Name: name, Type: t, Doc: doc}, text}
	}
	level := map[DebugLevel]string{DebugOff: "0", DebugRequested: "1", DebugAll: "2"}[ds.cfg.Debug.Level]
	return []DeviceParam{
		param("netunloading", value.TypeBool, "true", "nets that have ended can be unloaded"),
		param("debugginglevel", value.TypeInt, level, "which ports are recorded: 0 none, 1 those that nets ask for, 2 all"),
		param("debuggingtime", value.TypeDouble, string(value.Double.Append(nil, ds.cfg.Debug.Time.Seconds())), "how long all are kept, in s"),
		param("needestop", value.TypeBool, strconv.FormatBool(ds.cfg.NeedStop), "devices are stopped unless a net that runs is connected to the emergency stop (EStop)"),
	}
}

// visit lets somebody look at a device, which does not close before that is over.
func (ds *Devices) visit(name string, look func(d *lentDevice) error) error {
	ds.mu.Lock()
	d, err := ds.byName[name], error(nil)
	switch {
	case ds.closing:
		err = refuse(ErrClosed, devicePlace(name), "")
	case d == nil:
		err = refuse(ErrNoDevice, devicePlace(name), "")
	default:
		d.visits.Add(1)
	}
	ds.mu.Unlock()
	if err != nil {
		return err
	}
	defer d.visits.Done()
	return look(d)
}

// Metric is a figure of a device.
type Metric = device.Metric

// DeviceMetric is a figure with the device that it belongs to.
type DeviceMetric struct {
	Device string
	Metric
}

// Metrics returns the figures of all devices, in the order in which the devices were created.
func (ds *Devices) Metrics() (list []DeviceMetric) {
	ds.mu.Lock()
	names := slices.Clone(ds.order)
	ds.mu.Unlock()
	for _, name := range names {
		_ = ds.visit(name, func(d *lentDevice) error { // one that has gone has no figures
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

func (ds *Devices) detailsOf(name string, d *lentDevice) DeviceDetails {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	details := DeviceDetails{DeviceInfo: infoOf(name, d), Uses: slices.Clone(d.lent)}
	details.Nets, details.Devices = ds.usersOf(d)
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
func (ds *Devices) pagesOf(d *lentDevice) (list []*device.Page) {
	add := func(pages []device.Page) {
		for i := range pages {
			if pages[i].Fits(d.Device) {
				list = append(list, &pages[i])
			}
		}
	}
	for _, i := range d.Interfaces() {
		add(ds.kinds[i.Name].Pages)
	}
	add(d.kind.Pages)
	return list
}

// turnTo visits a page of a device.
func (ds *Devices) turnTo(name, path string, look func(d device.Device, p *device.Page) error) error {
	if name == coreDevice {
		return refuse(ErrNoPage, devicePlace(name), "it has no page %q", path)
	}
	return ds.visit(name, func(d *lentDevice) error {
		for _, p := range ds.pagesOf(d) {
			if p.Path == path && path != "" {
				return look(d.Device, p)
			}
		}
		return refuse(ErrNoPage, devicePlace(name), "it has no page %q", path)
	})
}

// Show returns a page of a device with its view, which may depend on a query.
func (ds *Devices) Show(name, path string, question map[string]string) (page DevicePage, view any, err error) {
	err = ds.turnTo(name, path, func(d device.Device, p *device.Page) (err error) {
		page = DevicePage{Path: p.Path, Doc: p.Doc, Asked: p.Asked(d), Told: p.Told}
		view, err = p.View(d, question)
		return err
	})
	return page, view, err
}

// Tell posts parameters to a page of a device.
func (ds *Devices) Tell(name, path string, params map[string]string) error {
	return ds.turnTo(name, path, func(d device.Device, p *device.Page) error {
		err := p.Tell(d, params)
		if errors.Is(err, device.ErrTakesNothing) {
			err = refuse(ErrState, fmt.Sprintf("page %s of device %q", path, name), "%v", err)
		}
		return err
	})
}

// Tune changes parameters of a device that can be changed while it exists, all of them or none.
func (ds *Devices) Tune(name string, change map[string]string) error {
	return ds.visit(name, func(d *lentDevice) error {
		d.tuning.Lock()
		defer d.tuning.Unlock()
		params, err := d.kind.Tune(d.Device, d.params, change)
		ds.mu.Lock()
		defer ds.mu.Unlock()
		d.params = params
		return err
	})
}

// DeviceReason is one mistake in the parameters of a device, or in those that were posted to a page.
type DeviceReason struct {
	Param string // empty when it is about more than one
	Text  string
}

// ReasonsOf returns the mistakes that an error about a device consists of.
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
