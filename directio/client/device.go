package client

import (
	"context"
	"iter"
	"maps"
	"net/url"
)

// DeviceState is a state of a device, in the word of the protocol.
type DeviceState string

// The states of devices (§9.1).
const (
	Offline     DeviceState = "off"
	SafeOp      DeviceState = "safeop" // it can be read, and not be commanded
	Operational DeviceState = "op"
)

// Device is the last reported state of a device.
type Device struct {
	Name       string
	Type       string
	State      DeviceState
	Interfaces map[string]map[string]string // parameters by interface
}

// Devices are the devices of a daemon, as they come, go and change.
type Devices struct {
	daemon *Daemon
	subject
	known   map[string]Device
	changes map[string]int // how many changes there were before the newest of each, also of those that went
	count   int
	whole   bool // the next report is of all devices
}

// Devices subscribes to the devices. It returns when all of them are known. A connection has one set of them: to
// subscribe several times costs time and nothing else. With a *LostError they are returned as well, and are known when the connection
// is back.
func (d *Daemon) Devices(ctx context.Context) (*Devices, error) {
	c, err := d.current()
	if err != nil {
		return nil, err
	}
	all := &Devices{daemon: d, subject: newSubject(), known: map[string]Device{}, changes: map[string]int{}}
	return all, d.subscribe(ctx, c, &subscription{command: "gde", begin: all.begin, tell: all.told, gone: all.gone})()
}

func (a *Devices) begin() { a.change(func() { a.whole = true }) }

func (a *Devices) gone(cause error) { a.change(func() { a.cause = cause }) }

func (a *Devices) told(m Message) (more bool) {
	if len(m.Params) > 0 {
		a.change(func() { a.take(m.Word, m.Params[0]) })
	}
	return true
}

func (a *Devices) take(word string, param any) {
	switch v := param.(type) {
	case []any: // dr
		for _, name := range v {
			if text, ok := name.(string); ok {
				a.remove(text)
			}
		}
	case map[string]any:
		if word == "da" && a.whole {
			a.whole = false
			for name := range a.known {
				if v[name] == nil {
					a.remove(name)
				}
			}
		}
		for name, what := range v {
			switch what := what.(type) {
			case map[string]any:
				a.set(describe(name, what))
			case string: // ds
				d := a.known[name]
				d.Name, d.State = name, DeviceState(what)
				a.set(d)
			}
		}
	}
}

func (a *Devices) set(d Device) {
	a.count++
	a.known[d.Name], a.changes[d.Name] = d, a.count
}

func (a *Devices) remove(name string) {
	delete(a.known, name)
	a.count++
	a.changes[name] = a.count
}

// describe reads what da reports of a device.
func describe(name string, what map[string]any) Device {
	d := Device{Name: name, State: Offline, Interfaces: map[string]map[string]string{}}
	d.Type, _ = what["type"].(string)
	interfaces, _ := what["interfaces"].(map[string]any)
	for of, params := range interfaces {
		d.Interfaces[of] = map[string]string{}
		list, _ := params.(map[string]any)
		for param, value := range list {
			d.Interfaces[of][param], _ = value.(string)
		}
	}
	return d
}

// Device returns the last reported state of a device.
func (a *Devices) Device(name string) (d Device, there bool) {
	a.read(func() { d, there = a.known[name] })
	return d, there
}

// All returns all devices by their names.
func (a *Devices) All() (all map[string]Device) {
	a.read(func() { all = maps.Clone(a.known) })
	return all
}

// Wait waits until a device exists and meets a condition.
func (a *Devices) Wait(ctx context.Context, name string, wanted func(Device) bool) (d Device, err error) {
	err = a.await(ctx, func() (done bool, _ error) {
		var there bool
		d, there = a.known[name]
		return there && wanted(d), nil
	})
	return d, err
}

// DeviceUpdate is a device that came, went or changed.
type DeviceUpdate struct {
	Device
	Gone bool
}

// Updates yields the devices that exist and then their changes, until the context is done or the connection is closed. A slow
// reader gets the newest state only.
func (a *Devices) Updates(ctx context.Context) iter.Seq[DeviceUpdate] {
	count := 0
	return follow(ctx, &a.subject, func() (u DeviceUpdate, found, last bool) {
		least := a.count + 1
		for name, at := range a.changes {
			if at > count && at < least {
				least = at
				d, there := a.known[name]
				d.Name = name
				u = DeviceUpdate{Device: d, Gone: !there}
			}
		}
		if least > a.count {
			return u, false, false
		}
		count = least
		return u, true, false
	})
}

// CreateDevice creates a device of a type, with parameters as texts. It need not be operational yet when this returns.
func (d *Daemon) CreateDevice(ctx context.Context, name, kind string, params map[string]string) error {
	form := url.Values{"name": {name}, "type": {kind}}
	for key, value := range params {
		form.Set(key, value)
	}
	return d.post(ctx, "/devices/", form)
}

// RemoveDevice removes a device. It returns no error if the device does not exist, and one if nets or other devices use it.
func (d *Daemon) RemoveDevice(ctx context.Context, name string) error {
	return d.post(ctx, "/devices/", url.Values{"name": {name}, "action": {"remove"}})
}

// ChangeDevice changes parameters of a device, all or none.
func (d *Daemon) ChangeDevice(ctx context.Context, name string, params map[string]string) error {
	form := url.Values{}
	for key, value := range params {
		form.Set(key, value)
	}
	return d.post(ctx, place("devices", name, "parameters"), form)
}
