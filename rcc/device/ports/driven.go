package ports

import "github.com/softrobot-rcc/rccd/rcc/device"

// Driven are ports as others see them whose inputs come from a driver: they cannot be set otherwise. A driver that embeds them
// instead of the Image is not a device.FedIO.
type Driven struct{ image *Image }

// Driven returns the ports for others (load).
func (p *Image) Driven() *Driven { return &Driven{p} }

// Ports returns the numbers of ports (any).
func (d *Driven) Ports() device.Ports { return d.image.Ports() }

// DigitalIn is the newest value of an input (cycle).
func (d *Driven) DigitalIn(port int) bool { return d.image.DigitalIn(port) }

// AnalogIn returns the newest value of an input (cycle).
func (d *Driven) AnalogIn(port int) float64 { return d.image.AnalogIn(port) }

// DigitalOut returns the last value of an output (cycle).
func (d *Driven) DigitalOut(port int) bool { return d.image.DigitalOut(port) }

// AnalogOut returns the last value of an output (cycle).
func (d *Driven) AnalogOut(port int) float64 { return d.image.AnalogOut(port) }

// SetDigitalOut sets an output (cycle).
func (d *Driven) SetDigitalOut(port int, on bool, time int64) { d.image.SetDigitalOut(port, on, time) }

// SetAnalogOut sets an output (cycle).
func (d *Driven) SetAnalogOut(port int, v float64, time int64) { d.image.SetAnalogOut(port, v, time) }

// Shared returns how many times an output has been written more than once in a tick (any).
func (d *Driven) Shared(k device.PortKind, port int) uint64 { return d.image.Shared(k, port) }
