package main

import (
	"slices"

	"github.com/softrobot-rcc/rccd/devices"
	"github.com/softrobot-rcc/rccd/devices/testdevice"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc/config"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// plugins are the primitives, the device types and the device interfaces that nets and cells can use.
type plugins struct {
	primitives []*spec.Primitive
	devices    []device.Type
	interfaces []device.InterfaceType
}

// builtIn is everything that this program was built with.
func builtIn() plugins {
	return plugins{
		primitives: slices.Concat(primitives.All(), testdevice.Primitives()),
		devices:    devices.Types(),
		interfaces: primitives.Interfaces(),
	}
}

// known is what a configuration may name.
func (p plugins) known() config.Known {
	return config.Known{DeviceTypes: p.devices, Extensions: p.extensions()}
}

func (p plugins) extensions() []string {
	var ids []string
	for _, x := range p.primitives {
		ids = append(ids, x.Extension)
	}
	for _, d := range p.devices {
		ids = append(ids, d.Extension)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// of leaves the plug-ins of some extensions; of none, all.
func (p plugins) of(extensions []string) plugins {
	if len(extensions) == 0 {
		return p
	}
	return plugins{
		primitives: slices.DeleteFunc(slices.Clone(p.primitives), func(x *spec.Primitive) bool {
			return !slices.Contains(extensions, x.Extension)
		}),
		devices: slices.DeleteFunc(slices.Clone(p.devices), func(d device.Type) bool {
			return !slices.Contains(extensions, d.Extension)
		}),
		interfaces: slices.DeleteFunc(slices.Clone(p.interfaces), func(i device.InterfaceType) bool {
			return !slices.Contains(extensions, i.Extension)
		}),
	}
}
