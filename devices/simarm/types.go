package simarm

import (
	"slices"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/arm"
	"github.com/softrobot-rcc/rccd/rcc/device/ports"
	"github.com/softrobot-rcc/rccd/rcc/device/script"
)

// Types returns the device types of the package.
func Types() []device.Type {
	return []device.Type{
		withLengths(lwr, lwrTurns), withLengths(iiwa, iiwaTurns),
		withTable(kr), withTable(tx90), withTable(lwa), withDrives(youBot), external,
	}
}

// withLengths are arms that give way. On a linear unit they are as stiff as all others.
func withLengths(m model, turns []float64) device.Type {
	m.Simulated, m.Pages = true, []device.Page{forcesPage, script.Page}
	return device.Declare(m.Kind, func(env *device.Env, cfg *byLengths) (device.Device, error) {
		var rows []kinematics.Row
		if cfg.Lengths != nil {
			var err error
			if rows, err = arm.SevenAxes(cfg.Lengths, turns); err != nil {
				return nil, err
			}
		}
		d, err := m.open(env, rows, &cfg.common)
		if r, ok := d.(*RobotWithPorts); ok && !cfg.there() {
			l := newLightweight(r, cfg, env.Original)
			if m.swings {
				return newIIWA(l), nil
			}
			return l, nil
		}
		return d, err
	})
}

func withTable(m model) device.Type {
	m.Simulated, m.Pages = true, []device.Page{script.Page}
	return device.Declare(m.Kind, func(env *device.Env, cfg *byTable) (device.Device, error) {
		rows, err := cfg.Rows(m.chain().Len())
		if err != nil {
			return nil, err
		}
		return m.open(env, rows, &cfg.common)
	})
}

// withDrives are arms of a youBot. On a linear unit they have no drives of their own to speak to.
func withDrives(m model) device.Type {
	m.Simulated, m.Pages = true, []device.Page{script.Page}
	return device.Declare(m.Kind, func(env *device.Env, cfg *common) (device.Device, error) {
		d, err := m.open(env, nil, cfg)
		if r, ok := d.(*Robot); ok && !cfg.there() {
			return newYouBot(r, env.Original), nil
		}
		return d, err
	})
}

// words returns those of scripts that only some arms know.
func (m *model) words(cfg *common) []script.Word {
	if !m.yields || cfg.there() {
		return nil
	}
	return []script.Word{{Name: "tip", Numbers: slices.Repeat([]script.Number{script.Any}, 6)}}
}

// open makes an arm of a table, or of the model if there is none.
func (m *model) open(env *device.Env, rows []kinematics.Row, cfg *common) (device.Device, error) {
	built, err := arm.Describe(m.chain(), m.home, rows, &cfg.Limits, cfg.carrier()...)
	if err != nil {
		return nil, err
	}
	all, home := built.Joints, built.Start
	if cfg.there() {
		all, home = append([]kinematics.Joint{cfg.joint()}, all...), append([]float64{cfg.unit.Start}, home...)
	}
	d, err := newDrives(env, all, home, &cfg.simulation, m.words(cfg)...)
	if err != nil {
		return nil, err
	}
	d.tools[len(d.tools)-1].begin(device.Tool{Mass: cfg.Mass, COM: cfg.COM.Pos, Inertia: cfg.MOI})
	d.take(env.Original)
	a := &Robot{Drives: d, arm: built.Arm, controls: m.controls}
	if m.ports == (device.Ports{}) {
		return a, nil
	}
	count := m.ports
	count.Device = env.Name
	image := ports.New(count)
	image.Begin(env.Original)
	return &RobotWithPorts{Robot: a, Image: image}, nil
}

// beside are the parameters of external axes.
type beside struct {
	arm.External
	simulation
}

// external are axes that the controller of a KUKA KR moves beside its arm: linear units, turning tables (§11.3).
var external = device.Declare(device.Kind{
	Name: "kuka_kr_extaxis", Extension: "kuka_kr", Doc: "external axes of a KUKA KR; they slide from 0 m to 4 m by default",
	Simulated: true, Pages: []device.Page{script.Page},
}, func(env *device.Env, cfg *beside) (device.Device, error) {
	lent, err := device.Lend[controller](env, cfg.Arm, "a simulated arm")
	if err != nil {
		return nil, err
	}
	beside := lent.controller()
	joints, start, err := cfg.Axes()
	if err != nil {
		return nil, err
	}
	d, err := newDrives(env, joints, start, &cfg.simulation)
	if err != nil {
		return nil, err
	}
	d.take(env.Original)
	give, err := beside.take(cfg.First, cfg.Count)
	if err != nil {
		return nil, err
	}
	return &External{Drives: d, arm: beside, give: give}, nil
})
