package ecaxis

import (
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/arm"
	"github.com/softrobot-rcc/rccd/rcc/device/drives"
)

// Type returns the device type. The twin, which has joints with limits and a table, stands in for the axes when they are simulated, or their
// bus is.
func Type(twin device.Type) device.Type {
	return drives.Type(device.Declare(device.Kind{
		Name: "ec_axis", Extension: "ethercat", Doc: "joints moved by drives of CiA 402 on an EtherCAT bus, one or several together; an arm where a table is given",
		Pages: []device.Page{drives.Page},
	}, open), twin)
}

func open(env *device.Env, cfg *config) (device.Device, error) {
	bus, err := drives.Lend(env, cfg.Bus)
	if err != nil {
		return nil, err
	}
	o, err := cfg.options()
	if err != nil {
		return nil, err
	}
	rows, err := cfg.Rows(len(o.Joints))
	if err != nil {
		return nil, err
	}
	axes, err := drives.New(env, bus, o)
	if err != nil {
		return nil, err
	}
	var d device.Device = axes
	if rows != nil {
		is, err := arm.Build(nil, rows, o.Joints)
		if err != nil {
			return nil, err
		}
		d = drives.NewArm(axes, is)
	}
	if err := bus.Add(env.Name, axes); err != nil {
		return nil, err
	}
	return d, nil
}
