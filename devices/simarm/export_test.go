package simarm

import "github.com/softrobot-rcc/rccd/rcc/device/plant"

// Plant returns the simulated joints (any).
func (d *Drives) Plant() *plant.Joints { return d.plant }
