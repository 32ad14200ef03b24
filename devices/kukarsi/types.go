package kukarsi

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/arm"
	"github.com/softrobot-rcc/rccd/rcc/device/link"
)

// Types returns the device types of the package. The twin stands in for an arm, and external axes beside one that is simulated
// are of the other type.
func Types(twin, external device.Type) []device.Type { return Over(link.Open, twin, external) }

// Over returns the same types with another kind of wire (load).
func Over(open link.Opener, twin, external device.Type) []device.Type {
	real := device.Declare(device.Kind{
		Name: "kuka_kr_arm_rsi", Extension: "kuka_kr_rsi", Doc: "KUKA KR over its Robot Sensor Interface, six axes; a KR 16-2 by default",
		Pages: []device.Page{link.Page(), rsiPage, filesPage},
	}, func(env *device.Env, cfg *config) (device.Device, error) { return openArm(env, cfg, open) })
	return append([]device.Type{device.WithTwin(real, twin), beside(external)}, udpTypes()...)
}

// home is where a robot is assumed to be before it calls.
var home = []float64{0, -math.Pi / 2, math.Pi / 2, 0, 0, 0}

func openArm(env *device.Env, cfg *config, open link.Opener) (device.Device, error) {
	port, err := device.Lend[socket](env, cfg.Ethernet, "a device with a port")
	if err != nil {
		return nil, err
	}
	model := robots.KR16().Chain
	rows, err := cfg.Rows(model.Len())
	if err != nil {
		return nil, err
	}
	described, err := arm.Describe(model, home, rows, &cfg.Limits)
	if err != nil {
		return nil, err
	}
	a, err := newArm(env, described, cfg)
	if err != nil {
		return nil, err
	}
	if err := a.listen(env, open, port.Address()); err != nil {
		return nil, err
	}
	return a, nil
}

// beside makes the type of external axes out of the simulated one: the arm decides which of the two opens.
func beside(simulated device.Type) device.Type {
	real := device.Declare(device.Kind{Name: simulated.Name}, openExternal)
	both := simulated
	both.Open = func(env *device.Env, params map[string]string) (device.Device, error) {
		lent, err := env.Device(params["kr_arm"])
		if err != nil {
			return nil, err
		}
		if _, ok := lent.(*Arm); ok {
			return real.Open(env, params)
		}
		return simulated.Open(env, params)
	}
	return both
}

func openExternal(env *device.Env, cfg *arm.External) (device.Device, error) {
	lent, err := device.Lend[*Arm](env, cfg.Arm, "an arm over RSI")
	if err != nil {
		return nil, err
	}
	joints, start, err := cfg.Axes()
	if err != nil {
		return nil, err
	}
	return newExternal(lent, joints, start, cfg.First)
}
