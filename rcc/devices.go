package rcc

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// coreDevice is the virtual device that stands for the core itself (§9.3).
const coreDevice = "rcc"

// DeviceInfo is what observers see of a device.
type DeviceInfo struct {
	Name       string
	Type       string
	State      device.State
	Interfaces []device.Interface
}

// devices are the devices of the cell and who uses them. Core.mu guards everything.
type devices struct {
	types  map[string]device.Type
	byName map[string]*lentDevice
	order  []string
	states map[string]device.State // as observers were last told
}

type lentDevice struct {
	device.Device
	typeName string
	users    map[*Net]bool
}

func (d *devices) init(types []device.Type) error {
	d.types = map[string]device.Type{}
	d.byName = map[string]*lentDevice{}
	d.states = map[string]device.State{}
	for _, t := range types {
		if _, twice := d.types[t.Name]; twice {
			return fmt.Errorf("device type %s is declared twice", t.Name)
		}
		d.types[t.Name] = t
	}
	return nil
}

// CreateDevice opens a device of a known type.
func (c *Core) CreateDevice(name, typeName string, params map[string]string) error {
	place := fmt.Sprintf("device %q", name)
	if err := checkDeviceName(name); err != nil {
		return fmt.Errorf("%s: %w", place, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	t, ok := c.devices.types[typeName]
	if !ok {
		return fmt.Errorf("%s: unknown type %q", place, typeName)
	}
	if c.devices.byName[name] != nil {
		return fmt.Errorf("%s: the name is in use", place)
	}
	dev, err := t.Open(params)
	if err != nil {
		return fmt.Errorf("%s: %w", place, err)
	}
	c.devices.byName[name] = &lentDevice{Device: dev, typeName: typeName, users: map[*Net]bool{}}
	c.devices.order = append(c.devices.order, name)
	c.ring()
	return nil
}

func checkDeviceName(name string) error {
	if name == "" || name == coreDevice {
		return errors.New("the name is empty or reserved")
	}
	if strings.ContainsFunc(name, func(r rune) bool { return r == '/' || r < ' ' || r == 0x7f }) {
		return errors.New("the name contains a slash or a control character")
	}
	return nil
}

// RemoveDevice closes a device that no net uses.
func (c *Core) RemoveDevice(name string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.devices.byName[name]
	switch {
	case d == nil:
		return fmt.Errorf("device %q: %w", name, spec.ErrNoDevice)
	case len(d.users) > 0:
		return fmt.Errorf("device %q: %d nets use it", name, len(d.users))
	}
	delete(c.devices.byName, name)
	c.devices.order = slices.DeleteFunc(c.devices.order, func(n string) bool { return n == name })
	c.ring()
	return d.Close()
}

// DeviceTypes returns the kinds of devices that there can be, in the order of their names.
func (c *Core) DeviceTypes() []device.Type {
	var list []device.Type
	for _, name := range slices.Sorted(maps.Keys(c.devices.types)) { // never changed
		list = append(list, c.devices.types[name])
	}
	return list
}

// Devices returns all devices, the core's own first.
func (c *Core) Devices() []DeviceInfo {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := []DeviceInfo{{Name: coreDevice, Type: coreDevice, State: device.Operational}}
	for _, name := range c.devices.order {
		d := c.devices.byName[name]
		list = append(list, DeviceInfo{Name: name, Type: d.typeName, State: d.State(), Interfaces: d.Interfaces()})
	}
	return list
}

// close brings all devices to rest.
func (d *devices) close() error {
	var errs []error
	for _, name := range d.order {
		if err := d.byName[name].Close(); err != nil {
			errs = append(errs, fmt.Errorf("device %q: %w", name, err))
		}
	}
	return errors.Join(errs...)
}

// giveBack ends the uses of a net. Core.mu is held.
func (d *devices) giveBack(n *Net) {
	for _, name := range n.lent {
		if dev := d.byName[name]; dev != nil {
			delete(dev.users, n)
		}
	}
	n.lent = nil
}

// lender is the spec.Host of one net while it is loaded.
type lender struct {
	net *Net
}

func (l *lender) Device(name string) (device.Device, error) {
	c := l.net.core
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.devices.byName[name]
	if d == nil {
		return nil, fmt.Errorf("device %q: %w", name, spec.ErrNoDevice)
	}
	if !d.users[l.net] {
		d.users[l.net] = true
		l.net.lent = append(l.net.lent, name)
	}
	return d.Device, nil
}

func (l *lender) Board(name string) (*spec.Board, error) {
	n, err := l.other(name)
	if err != nil {
		return nil, err
	}
	return n.program.Board, nil
}

func (l *lender) Inbox(name string) (*spec.Inbox, error) {
	n, err := l.other(name)
	if err != nil {
		return nil, err
	}
	return n.program.Inbox, nil
}

func (l *lender) other(name string) (*Net, error) {
	n, err := l.net.core.Net(name)
	if err != nil {
		return nil, err
	}
	if n.program == nil {
		return nil, refuse(ErrState, n.place(), "it is rejected")
	}
	return n, nil
}
