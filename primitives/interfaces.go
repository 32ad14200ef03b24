package primitives

import (
	"github.com/softrobot-rcc/rccd/primitives/io"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Interfaces returns what devices get by announcing an interface (§9.2). A new one is one word here.
func Interfaces() []device.InterfaceType {
	return []device.InterfaceType{
		io.Interface(),
	}
}
