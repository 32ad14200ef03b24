package testdevice

import (
	"math"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// extension is the extension that device and primitives belong to.
const extension = "test"

// Type is the device type "test".
var Type = device.Declare(device.Kind{
	Name: "test", Extension: extension, Doc: "sensors that tests set and actuators that keep records", Simulated: true,
	Pages: []device.Page{channelsPage},
}, func(env *device.Env, cfg *config) (device.Device, error) {
	d := open(cfg)
	d.begin(env.Original)
	return d, nil
})

type config struct {
	Channels int `rcc:"channels" default:"8" min:"1" max:"1000" doc:"number of sensors, and of actuators"`
	Records  int `rcc:"records" default:"4096" min:"1" max:"1000000" doc:"number of commands that are kept"`
}

// Device is a test device.
type Device struct {
	sensors []atomic.Uint64 // bits of float64
	log     log
}

// New makes a device that nobody knows by a name.
func New(channels, records int) *Device { return open(&config{Channels: channels, Records: records}) }

func open(cfg *config) *Device {
	return &Device{sensors: make([]atomic.Uint64, cfg.Channels), log: log{entries: make([]entry, cfg.Records)}}
}

// begin gives sensors of a twin the values of those that it stands in for (load).
func (d *Device) begin(as *device.Original) {
	if as == nil {
		return
	}
	if from, is := as.Device.(*Device); is {
		for i := range d.sensors {
			d.Set(i, from.value(i))
		}
	}
}

// Status is always operational (any).
func (d *Device) Status() device.Status { return device.Status{State: device.Operational} }

// Interfaces returns none: only the primitives of this package reach the device (any).
func (d *Device) Interfaces() []device.Interface { return nil }

// Close has nothing to release.
func (d *Device) Close() error { return nil }

// Channels returns the number of sensors, and of actuators (any).
func (d *Device) Channels() int { return len(d.sensors) }

// Set gives a sensor its value (any). A channel that is not there is a mistake of the caller and is ignored.
func (d *Device) Set(channel int, v float64) {
	if channel >= 0 && channel < len(d.sensors) {
		d.sensors[channel].Store(math.Float64bits(v))
	}
}

// value reads a sensor (cycle).
func (d *Device) value(channel int) float64 {
	if all := d.sensors; channel >= 0 && channel < len(all) {
		return math.Float64frombits(all[channel].Load())
	}
	return 0
}
