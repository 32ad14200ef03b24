// Package simio is a device with inputs and outputs and nothing behind them: type io_sim. Nets reach it by the primitives
// IO::*, applications by /devices/NAME/io, where inputs can be set as well:
//
//	curl -d 'id=3&type=digin&value=true' http://127.0.0.1:8080/devices/io/io
//
// With loopback=true, outputs are wired to the inputs of the same number: what a net writes, it reads in the next tick of
// the device. An input beyond the outputs stays what it was set to.
package simio

import (
	"time"

	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ports"
)

// Type is the device type io_sim.
var Type = device.Declare(device.Kind{
	Name: "io_sim", Extension: "io", Doc: "simulated digital and analog inputs and outputs", Simulated: true,
}, func(env *device.Env, cfg *config) (device.Device, error) { return open(env, cfg), nil })

type config struct {
	DigitalIn  int           `rcc:"digin" default:"8" min:"0" max:"65536" doc:"number of digital inputs"`
	DigitalOut int           `rcc:"digout" default:"8" min:"0" max:"65536" doc:"number of digital outputs"`
	AnalogIn   int           `rcc:"anin" default:"8" min:"0" max:"65536" doc:"number of analog inputs"`
	AnalogOut  int           `rcc:"anout" default:"8" min:"0" max:"65536" doc:"number of analog outputs"`
	Loopback   bool          `rcc:"loopback" default:"false" doc:"outputs are wired to the inputs of the same number"`
	Cycle      time.Duration `rcc:"cycle" default:"1ms" min:"100us" max:"1s" doc:"after which wired inputs follow outputs"`
}

func open(env *device.Env, cfg *config) device.Device {
	d := &Device{ports.New(device.Ports{
		Device: env.Name, DigitalIn: cfg.DigitalIn, DigitalOut: cfg.DigitalOut, AnalogIn: cfg.AnalogIn, AnalogOut: cfg.AnalogOut,
	})}
	d.Begin(env.Original)
	if cfg.Loopback {
		return &Wired{Device: d, period: cfg.Cycle}
	}
	return d
}

var (
	_ device.FedIO  = (*Device)(nil)
	_ device.Cyclic = (*Wired)(nil)
)

// Device has inputs that are set from outside.
type Device struct{ *ports.Image }

// Status is always operational. Its cause names outputs with several writers (any).
func (d *Device) Status() device.Status {
	return device.Status{State: device.Operational, Cause: d.Trouble()}
}

// Interfaces returns io with the number of ports (any).
func (d *Device) Interfaces() []device.Interface {
	return []device.Interface{device.AnnounceIO(d.Ports())}
}

// Close does nothing.
func (d *Device) Close() error { return nil }

// Wired is a device whose inputs follow its outputs.
type Wired struct {
	*Device
	period time.Duration
}

// Period returns the interval at which they do.
func (d *Wired) Period() time.Duration { return d.period }

// Tick copies outputs to inputs (cycle).
func (d *Wired) Tick(device.Tick) {
	n := d.Ports()
	for port := range min(n.DigitalIn, n.DigitalOut) {
		d.SetDigitalIn(port, d.DigitalOut(port))
	}
	for port := range min(n.AnalogIn, n.AnalogOut) {
		d.SetAnalogIn(port, d.AnalogOut(port))
	}
}
