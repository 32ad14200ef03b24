package beckhoff

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// common are the parameters of all terminals.
type common struct {
	ecat.Where
	Revision int `rcc:"revision" default:"0" min:"0" max:"65535" doc:"the least that will do, as printed behind the order number; 0: any"`
}

// guarded are those of terminals with outputs.
type guarded struct {
	Watchdog time.Duration `rcc:"watchdog" default:"0s" min:"0s" max:"6s" doc:"without commands for so long, outputs drop; 0s: as the terminal has it, which is 100ms"`
}

// scaled are those of analog terminals.
type scaled struct {
	Factor []float64 `rcc:"scale" doc:"by which V or mA are multiplied to be values: one for all channels, or one for each; 1 if left out"`
	Offset []float64 `rcc:"offset" doc:"that is added then; 0 if left out"`
	Range  string    `rcc:"range" default:"auto" enum:"auto legacy extended" doc:"which number is the end of the range: 32767, or 30518 where there is more beyond it; auto asks the terminal"`

	Activate string        `rcc:"assign_activate" doc:"of its description, such as 0x0700, to convert with SYNC0 or SYNC1; without it the terminal runs free"`
	Shift    time.Duration `rcc:"sync_shift" default:"0s" min:"-100ms" max:"100ms" doc:"by which its SYNC0 comes later than that of the bus"`
	Sync1    time.Duration `rcc:"sync1_cycle" default:"0s" min:"0s" max:"100ms" doc:"cycle time of its SYNC1 (register 0x09a4)"`
}

// filtered are those of analog inputs.
type filtered struct {
	Filter string `rcc:"filter" default:"leave" enum:"leave off 50hz 60hz iir1 iir2 iir3 iir4 iir5 iir6 iir7 iir8" doc:"filter of all channels; leave: as the terminal has it"`
}

// saturated are those of inputs of voltages.
type saturated struct {
	Saturate bool `rcc:"saturate" default:"false" doc:"beyond the range there is the value at its end, instead of none"`
}

// Configurations of the kinds of terminals.
type (
	outputConfig struct {
		common
		guarded
	}
	currentConfig struct {
		common
		scaled
		filtered
	}
	voltageConfig struct {
		common
		scaled
		filtered
		saturated
	}
	driveConfig struct {
		common
		scaled
		guarded
	}
	// settings are all that there may be.
	settings struct {
		common
		scaled
		filtered
		saturated
		guarded
	}
)

// Types returns the device types. The twin of a terminal is made of a type whose ports are simulated.
func Types(io device.Type) (list []device.Type) {
	for i := range models {
		m := &models[i]
		twin := twinOf(m, &io)
		list = append(list, device.WithTwin(m.declare(&twin), twin))
	}
	return list
}

// declare makes the type with the parameters that make sense for it.
func (m *model) declare(twin *device.Type) device.Type {
	k := device.Kind{Name: m.name(), Extension: "beckhoff", Doc: m.doc(), Pages: []device.Page{page}}
	switch {
	case m.channels == 0 || m.kind == device.DigitalIn:
		return device.Declare(k, func(env *device.Env, c *common) (device.Device, error) {
			return open(env, m, &settings{common: *c}, twin)
		})
	case m.kind == device.DigitalOut:
		return device.Declare(k, func(env *device.Env, c *outputConfig) (device.Device, error) {
			return open(env, m, &settings{common: c.common, guarded: c.guarded}, twin)
		})
	case m.kind == device.AnalogOut:
		return device.Declare(k, func(env *device.Env, c *driveConfig) (device.Device, error) {
			return open(env, m, &settings{common: c.common, scaled: c.scaled, guarded: c.guarded}, twin)
		})
	case m.signal == loop:
		return device.Declare(k, func(env *device.Env, c *currentConfig) (device.Device, error) {
			return open(env, m, &settings{common: c.common, scaled: c.scaled, filtered: c.filtered}, twin)
		})
	}
	return device.Declare(k, func(env *device.Env, c *voltageConfig) (device.Device, error) {
		return open(env, m, &settings{common: c.common, scaled: c.scaled, filtered: c.filtered, saturated: c.saturated}, twin)
	})
}

// twinOf makes what stands in for a terminal when there is no bus.
func twinOf(m *model, io *device.Type) device.Type {
	if m.channels == 0 {
		return device.Declare(device.Kind{Name: m.name() + "_sim", Extension: "beckhoff", Doc: m.doc()},
			func(*device.Env, *device.Nothing) (device.Device, error) { return absent{}, nil })
	}
	p, given := m.ports(""), map[string]device.Given{}
	for k := device.DigitalIn; k <= device.AnalogOut; k++ {
		given[k.String()] = device.Given{Value: strconv.Itoa(p.Of(k))}
	}
	twin, wrong := device.Preset(device.Kind{Name: io.Name, Extension: io.Extension, Doc: io.Doc}, io, nil, given)
	if len(wrong) > 0 {
		panic(fmt.Sprintf("beckhoff: %s is not a twin of %s: %v", io.Name, m.order, wrong))
	}
	return twin
}

// absent stands in for a coupler.
type absent struct{}

func (absent) Status() device.Status          { return device.Status{State: device.Operational} }
func (absent) Interfaces() []device.Interface { return nil }
func (absent) Close() error                   { return nil }

// errFactor is a value that cannot be converted back.
var errFactor = device.WrongParam("scale", "0 makes all values the same")

// scales returns those of the channels, for the legacy range.
func (s *settings) scales(m *model) ([]scale, error) {
	if m.signal == level {
		return nil, nil
	}
	factors, err := perChannel("scale", s.Factor, m.channels, 1)
	if err != nil {
		return nil, err
	}
	offsets, err := perChannel("offset", s.Offset, m.channels, 0)
	if err != nil {
		return nil, err
	}
	if slices.Contains(factors, 0) {
		return nil, errFactor
	}
	list := make([]scale, m.channels)
	for i := range list {
		list[i] = newScale(m.signal, fullLegacy, factors[i], offsets[i])
	}
	return list, nil
}

// clock returns how the slave uses SYNC0 and SYNC1, nil when it runs free.
func (s *settings) clock() (*ecat.Clock, error) {
	if s.Activate == "" {
		return nil, nil
	}
	activate, err := strconv.ParseUint(s.Activate, 0, 16)
	if err != nil {
		return nil, device.WrongParam("assign_activate", "%q is not a number such as 0x0700", s.Activate)
	}
	if activate == 0 {
		return nil, nil
	}
	return &ecat.Clock{Activate: uint16(activate), Shift: s.Shift, Cycle1: s.Sync1}, nil
}

// filters are the numbers of their settings (0x8000:15).
var filters = []string{"50hz", "60hz", "iir1", "iir2", "iir3", "iir4", "iir5", "iir6", "iir7", "iir8"}
