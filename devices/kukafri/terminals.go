package kukafri

import (
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ports"
)

// terminals are the inputs and outputs as others see them: inputs come from the robot, and nobody else can set them.
type terminals struct{ image *ports.Image }

// Ports tells how many there are (any).
func (t *terminals) Ports() device.Ports { return t.image.Ports() }

// DigitalIn is the newest value of an input (cycle).
func (t *terminals) DigitalIn(port int) bool { return t.image.DigitalIn(port) }

// AnalogIn is the newest value of an input (cycle).
func (t *terminals) AnalogIn(port int) float64 { return t.image.AnalogIn(port) }

// DigitalOut is what an output has been set to last (cycle).
func (t *terminals) DigitalOut(port int) bool { return t.image.DigitalOut(port) }

// AnalogOut is what an output has been set to last (cycle).
func (t *terminals) AnalogOut(port int) float64 { return t.image.AnalogOut(port) }

// SetDigitalOut sets an output (cycle).
func (t *terminals) SetDigitalOut(port int, on bool, time int64) {
	t.image.SetDigitalOut(port, on, time)
}

// SetAnalogOut sets an output (cycle).
func (t *terminals) SetAnalogOut(port int, v float64, time int64) {
	t.image.SetAnalogOut(port, v, time)
}

// Shared is how many times an output has been written more than once in a tick (any).
func (t *terminals) Shared(k device.PortKind, port int) uint64 { return t.image.Shared(k, port) }
