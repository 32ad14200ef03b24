package rcc

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/rcc/extension"
)

// still are the devices of an extension that are those that it has created. ground.mu is held.
func (ds *Devices) still(ext *userExtension) map[string]bool {
	names := map[string]bool{}
	for _, own := range ext.Devices {
		if there := ds.byName[own.Name]; there != nil && there.number == ext.created[own.Name] {
			names[own.Name] = true
		}
	}
	return names
}

// usedBeside returns which of some devices are used by nets or by other devices. ground.mu is held.
func (ds *Devices) usedBeside(some map[string]bool) (users []string) {
	for _, name := range ds.order {
		if !some[name] {
			continue
		}
		nets, others := ds.usersOf(ds.byName[name])
		others = slices.DeleteFunc(others, func(other string) bool { return some[other] })
		if len(nets)+len(others) > 0 {
			users = append(users, fmt.Sprintf("device %q: %s", name, usage(nets, others)))
		}
	}
	return users
}

// ofExtension returns what a device has of an extension: its type or an interface.
func (ds *Devices) ofExtension(dev *lentDevice, id string) string {
	if dev.kind.Extension == id {
		return "is a " + dev.kind.Name
	}
	for _, i := range dev.Interfaces() {
		if kind, ok := ds.kinds[i.Name]; ok && kind.Extension == id {
			return "has the interface " + i.Name
		}
	}
	return ""
}

// exchangeDevices creates the devices of an extension in a world that comes next. Of an older version, those that are the
// same stay, and the others go before. After an error everything is as it was.
func (es *Extensions) exchangeDevices(old, fresh *userExtension, next *world) error {
	now := es.world.Load()
	gone := userExtension{Extension: new(extension.Extension)}
	if old != nil {
		gone.created = old.created
		for _, d := range old.Devices {
			number, created := old.created[d.Name]
			switch stays := slices.ContainsFunc(fresh.Devices, func(f extension.Device) bool { return same(d, now, f, next) }); {
			case created && stays:
				fresh.created[d.Name] = number
			case created:
				gone.Devices = append(gone.Devices, d)
			}
		}
	}
	if err := es.mayExchange(&gone, fresh, next); err != nil {
		return err
	}
	if err := es.removeDevices(&gone, now); err != nil {
		return err
	}
	kept := maps.Clone(fresh.created)
	for i, d := range fresh.Devices {
		if _, there := kept[d.Name]; there {
			continue
		}
		if err := es.createOwn(fresh, d, next); err != nil {
			err = wrongExtension(fresh.ID, fresh.Problem(i, err))
			maps.DeleteFunc(fresh.created, func(name string, _ uint64) bool { _, stays := kept[name]; return stays })
			return errors.Join(err, es.removeDevices(fresh, next), es.restore(old, gone.Devices, now))
		}
	}
	return nil
}

// mayExchange looks for what is wrong before any device goes: one that was created again would be at rest elsewhere.
func (es *Extensions) mayExchange(gone, fresh *userExtension, next *world) error {
	for i, d := range fresh.Devices {
		var wrong []error
		if kind, known := next.types[d.Type]; known {
			for _, e := range kind.Check(d.Params) {
				wrong = append(wrong, e)
			}
		} else {
			wrong = append(wrong, unknownType(d.Type, next.types))
		}
		if err := errors.Join(wrong...); err != nil {
			return wrongExtension(fresh.ID, fresh.Problem(i, fmt.Errorf("device %q: %w", d.Name, err)))
		}
	}
	es.mu.Lock()
	defer es.mu.Unlock()
	if users := es.devices.usedBeside(es.devices.still(gone)); len(users) > 0 {
		return refuse(ErrInUse, extensionPlace(fresh.ID), "%s", strings.Join(users, ", "))
	}
	return nil
}

// same reports whether a device of one world is that of another one: also a type of the same name may be something else.
func same(a extension.Device, in *world, b extension.Device, next *world) bool {
	typeA, typeB := in.types[a.Type], next.types[b.Type]
	ofA, paramsA := typeA.Resolve(a.Params)
	ofB, paramsB := typeB.Resolve(b.Params)
	return a.Name == b.Name && a.Type == b.Type && ofA == ofB && maps.Equal(paramsA, paramsB)
}

func (es *Extensions) restore(ext *userExtension, list []extension.Device, w *world) error {
	var errs []error
	for _, d := range list {
		errs = append(errs, es.createOwn(ext, d, w))
	}
	return errors.Join(errs...)
}

// createOwn creates a device of an extension, of a type of a world that need not be the present one.
func (es *Extensions) createOwn(ext *userExtension, d extension.Device, w *world) error {
	if err := es.devices.create(d.Name, d.Type, d.Params, w.types); err != nil {
		return err
	}
	es.mu.Lock()
	defer es.mu.Unlock()
	if there := es.devices.byName[d.Name]; there != nil {
		ext.created[d.Name] = there.number
	}
	return nil
}

// removeDevices removes the devices of an extension that are still those that it has created, or none of them.
func (es *Extensions) removeDevices(ext *userExtension, w *world) error {
	var removed []extension.Device
	for _, d := range slices.Backward(ext.Devices) {
		if !es.devices.isStill(d.Name, ext.created[d.Name]) {
			continue
		}
		if err := es.devices.Remove(d.Name); err != nil {
			slices.Reverse(removed)
			return errors.Join(err, es.restore(ext, removed, w))
		}
		removed = append(removed, d)
	}
	return nil
}

// isStill reports whether a device is the one of that number.
func (ds *Devices) isStill(name string, number uint64) bool {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	d := ds.byName[name]
	return d != nil && d.number == number
}
