package univaldrive

import (
	"math"

	"github.com/softrobot-rcc/rccd/ethercat/cia402"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/arm"
	"github.com/softrobot-rcc/rccd/rcc/device/drives"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// Type returns the device type. The twin stands in for the robot when that is simulated, or its bus is.
func Type(twin device.Type) device.Type {
	return drives.Type(device.Declare(device.Kind{
		Name: "staubli_tx90_ec", Extension: "staubli_tx90_ec", Doc: "Stäubli TX90 by the uniVAL drive of its controller, over EtherCAT; a TX90L by default",
		Pages: []device.Page{drives.Page},
	}, openRobot), twin)
}

// home is where a robot is taken to be before it is heard of.
var home = []float64{0, 0, math.Pi / 2, 0, 0, 0}

func openRobot(env *device.Env, cfg *config) (device.Device, error) {
	bus, err := drives.Lend(env, cfg.Bus)
	if err != nil {
		return nil, err
	}
	r, err := newRobot(env, bus, cfg)
	if err != nil {
		return nil, err
	}
	if err := bus.Add(env.Name, r.Axes); err != nil {
		return nil, err
	}
	return r, nil
}

// Robot is an arm at a bus.
type Robot = drives.Arm

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
	order, err := cfg.order()
	if err != nil {
		return nil, err
	}
	gear, err := drives.NewGear(six, cfg.Counts, cfg.Offset, cfg.Coupling)
	if err != nil {
		return nil, err
	}
	axes, err := drives.New(env, bus, drives.Options{
		What: "drive with six axes", Units: []drives.Unit{{Where: cfg.Where, Order: order}}, Joints: of.Joints, Start: of.Start, Gear: gear,
		Setting: cfg.Setting, Ports: cfg.Ports, Motion: cfg.Motion, Mode: cia402.CyclicPosition, FollowBit: true,
	})
	if err != nil {
		return nil, err
	}
	if cfg.Mass > 0 {
		axes.SetTool(six-1, device.Tool{Mass: cfg.Mass, COM: cfg.COM.Pos, Inertia: cfg.MOI})
	}
	return drives.NewArm(axes, of.Arm), nil
}
