package univaldrive

import (
	"fmt"
	"maps"
	"math"

	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/arm"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// Type is the device type. The twin stands in for the robot when that is simulated, or its bus is.
func Type(twin device.Type) device.Type {
	both := device.WithTwin(device.Declare(device.Kind{
		Name: "staubli_tx90_ec", Extension: "staubli_tx90_ec", Doc: "Stäubli TX90 by the uniVAL drive of its controller, over EtherCAT; a TX90L if nothing else is said",
		Pages: []device.Page{page},
	}, openRobot), twin)
	open := both.Open
	both.Open = func(env *device.Env, params map[string]string) (device.Device, error) {
		if params[device.Simulated] == "" && params["ethercatdevice"] != "" {
			if bus, err := lend(env, params["ethercatdevice"]); err == nil && bus.Simulated() {
				params = maps.Clone(params)
				params[device.Simulated] = "true"
			}
		}
		return open(env, params)
	}
	return both
}

func lend(env *device.Env, name string) (ecat.Master, error) {
	return device.Lend[ecat.Master](env, name, "an EtherCAT bus")
}

// home is where a robot is taken to be before it is heard of.
var home = []float64{0, 0, math.Pi / 2, 0, 0, 0}

func openRobot(env *device.Env, cfg *config) (device.Device, error) {
	bus, err := lend(env, cfg.Bus)
	if err != nil {
		return nil, err
	}
	if period := bus.Period(); period <= 0 || cfg.Cycle%period != 0 {
		return nil, fmt.Errorf("parameter cycle: %v are not whole cycles of the bus, which has %v", cfg.Cycle, period)
	}
	if cfg.Unit == 0 {
		return nil, fmt.Errorf("parameter analog_unit: it is %v", cfg.Unit)
	}
	r, err := newRobot(env, bus, cfg)
	if err != nil {
		return nil, err
	}
	if err := bus.Add(env.Name, r); err != nil {
		return nil, err
	}
	return r, nil
}

func newRobot(env *device.Env, bus ecat.Master, cfg *config) (*Robot, error) {
	model := robots.TX90L().Chain
	rows, err := cfg.Rows(model.Len())
	if err != nil {
		return nil, err
	}
	of, err := arm.Describe(model, home, rows, &cfg.Limits)
	if err != nil {
		return nil, err
	}
	r := &Robot{cfg: cfg, bus: bus, clock: env.Clock, stop: env.Stop, changed: env.Changed, arm: of.Arm, models: of.Joints}
	if err := r.configure(env.Name, of.Start); err != nil {
		return nil, err
	}
	return r, nil
}
