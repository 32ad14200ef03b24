package simarm

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/arm"
)

// model is what a device type is when nothing is configured.
type model struct {
	device.Kind
	chain func() *kinematics.Chain
	home  []float64 // 0 if left out

	controls bool         // external axes too
	ports    device.Ports // of the controller
	yields   bool         // the arm feels torques, and gives way
	swings   bool         // its tip can swing
}

const quarter = math.Pi / 2

var (
	lwr = model{
		Kind:  device.Kind{Name: "kuka_lwr_sim", Extension: "kuka_lwr_sim", Doc: "simulated KUKA LWR, seven axes"},
		chain: func() *kinematics.Chain { return robots.LWR4().Chain },
		ports: lightweight, yields: true,
	}
	iiwa = model{
		Kind:  device.Kind{Name: "kuka_iiwa_sim", Extension: "kuka_iiwa_sim", Doc: "simulated KUKA LBR iiwa 7, seven axes"},
		chain: iiwaChain, ports: lightweight, yields: true, swings: true,
	}
	kr = model{
		Kind:  device.Kind{Name: "kuka_kr_arm_sim", Extension: "kuka_kr_sim", Doc: "simulated KUKA KR, six axes; a KR 16-2 by default"},
		chain: func() *kinematics.Chain { return robots.KR16().Chain },
		home:  []float64{0, -quarter, quarter, 0, 0, 0}, controls: true,
		ports: device.Ports{DigitalIn: 4, DigitalOut: 4},
	}
	tx90 = model{
		Kind:  device.Kind{Name: "staubli_tx90_sim", Extension: "staubli_tx90_sim", Doc: "simulated Stäubli TX90, six axes; a TX90L by default"},
		chain: func() *kinematics.Chain { return robots.TX90L().Chain },
		home:  []float64{0, 0, quarter, 0, 0, 0},
		ports: device.Ports{DigitalIn: 8, DigitalOut: 8},
	}
	lwa = model{
		Kind:  device.Kind{Name: "schunk_lwa_sim", Extension: "schunk_lwa_sim", Doc: "simulated Schunk LWA, six axes; an LWA 4P by default"},
		chain: func() *kinematics.Chain { return robots.LWA4P().Chain },
	}
	youBot = model{
		Kind:  device.Kind{Name: "kuka_youbot_arm_sim", Extension: "kuka_youbot_sim", Doc: "simulated arm of the KUKA youBot, five axes"},
		chain: func() *kinematics.Chain { return robots.YouBot().Chain },
	}
)

// lightweight are the ports of KUKA's arms with seven axes: clients expect as many digital inputs as outputs.
var lightweight = device.Ports{DigitalIn: 8, DigitalOut: 8, AnalogOut: 8}

// lwrTurns and iiwaTurns are the angles between the axes of KUKA's arms with seven of them.
var (
	lwrTurns  = []float64{quarter, -quarter, -quarter, quarter, quarter, -quarter, 0}
	iiwaTurns = []float64{-quarter, quarter, quarter, -quarter, -quarter, quarter, 0}
)

// iiwaChain is KUKA's LBR iiwa 7 R800, by its data sheet; accelerations are assumed as those of geom/robots are.
func iiwaChain() *kinematics.Chain {
	rows, err := arm.SevenAxes([]float64{0.34, 0, 0.4, 0, 0.4, 0, 0.126, 0}, iiwaTurns)
	if err != nil {
		panic(err)
	}
	for i, axis := range []struct{ range_, speed float64 }{{170, 98}, {120, 98}, {170, 100}, {120, 130}, {170, 140}, {120, 180}, {175, 180}} {
		most, speed := axis.range_*math.Pi/180, axis.speed*math.Pi/180
		rows[i].Joint = kinematics.Joint{Name: fmt.Sprintf("A%d", i+1), Min: -most, Max: most, Velocity: speed, Acceleration: speed / 0.2}
	}
	c, err := kinematics.Standard(geom.Frame{}, rows, geom.Frame{})
	if err != nil {
		panic(err)
	}
	return c
}
