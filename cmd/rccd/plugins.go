package main

import (
	"slices"
	"sync"

	"github.com/softrobot-rcc/rccd/devices"
	"github.com/softrobot-rcc/rccd/internal/guard"
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

// builtIn is everything that this program was built with. Tests build programs that know more.
var builtIn = func() (p plugins) {
	var declared sync.WaitGroup
	guard.In(&declared, "primitives", func() { p.primitives = primitives.All() })
	p.devices, p.interfaces = devices.Types(), primitives.Interfaces()
	declared.Wait()
	return p
}

// known returns what a configuration may name.
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
	for _, i := range p.interfaces {
		ids = append(ids, i.Extension)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// apart separates the built-in extensions of a configuration, nil for all, from others.
func (p plugins) apart(extensions []string) (builtIn, others []string) {
	known := p.extensions()
	for _, id := range extensions {
		if slices.Contains(known, id) {
			builtIn = append(builtIn, id)
		} else {
			others = append(others, id)
		}
	}
	if builtIn == nil && len(others) > 0 {
		builtIn = []string{}
	}
	return builtIn, others
}
