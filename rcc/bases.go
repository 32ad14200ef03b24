package rcc

import "github.com/softrobot-rcc/rccd/rcc/device"

// Base is a device that drives as somebody sees it who looks at the cell.
type Base struct {
	DeviceInfo
	device.BaseState
}

// Bases returns all devices that drive, in the order in which they were created. One that is removed in the meantime is left out.
func (c *Core) Bases() []Base {
	var list []Base
	for _, info := range c.Devices() {
		if info.Name == coreDevice {
			continue
		}
		_ = c.visit(info.Name, func(d *lentDevice) error {
			if drives, is := d.Device.(device.Base); is {
				list = append(list, Base{info, drives.BaseState()})
			}
			return nil
		})
	}
	return list
}
