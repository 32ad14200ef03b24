package testdevice

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// extension is the extension that device and primitives belong to.
const extension = "test"

// Type is the device type "test".
var Type = device.Type{
	Name: "test", Extension: extension, Doc: "sensors that tests set and actuators that keep records",
	Params: parameters,
	Open:   func(params map[string]string) (device.Device, error) { return Open(params) },
}

var parameters = []device.Param{
	{Name: "channels", Default: "8", Doc: "number of sensors, and of actuators"},
	{Name: "records", Default: "4096", Doc: "number of commands that are kept"},
}

const (
	mostChannels = 1_000
	mostRecords  = 1_000_000
)

// Device is a test device.
type Device struct {
	sensors []atomic.Uint64 // bits of float64
	log     log
}

// Open makes a device.
func Open(params map[string]string) (*Device, error) {
	for name := range params {
		if !slices.ContainsFunc(parameters, func(p device.Param) bool { return p.Name == name }) {
			return nil, fmt.Errorf("unknown parameter %s, there are channels and records", name)
		}
	}
	channels, err := number(params, "channels", 8, mostChannels)
	if err != nil {
		return nil, err
	}
	records, err := number(params, "records", 4096, mostRecords)
	if err != nil {
		return nil, err
	}
	return &Device{sensors: make([]atomic.Uint64, channels), log: log{entries: make([]entry, records)}}, nil
}

func number(params map[string]string, name string, otherwise, most int) (int, error) {
	text, ok := params[name]
	if !ok {
		return otherwise, nil
	}
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < 1 || n > most {
		return 0, fmt.Errorf("parameter %s: %q is not between 1 and %d", name, text, most)
	}
	return n, nil
}

// State is always operational (any).
func (d *Device) State() device.State { return device.Operational }

// Interfaces returns none: only the primitives of this package reach the device (any).
func (d *Device) Interfaces() []device.Interface { return nil }

// Close has nothing to release.
func (d *Device) Close() error { return nil }

// Channels is the number of sensors, and of actuators (any).
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
