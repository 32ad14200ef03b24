package simarm

import (
	"fmt"
	"math"
	"slices"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// model is what a device type is when nothing is configured.
type model struct {
	device.Kind
	chain func() *kinematics.Chain
	home  []float64 // 0 if left out

	controls bool         // external axes too
	ports    device.Ports // of the controller
}

const quarter = math.Pi / 2

var (
	lwr = model{
		Kind:  device.Kind{Name: "kuka_lwr_sim", Extension: "kuka_lwr_sim", Doc: "simulated KUKA LWR, seven axes"},
		chain: func() *kinematics.Chain { return robots.LWR4().Chain },
		ports: lightweight,
	}
	iiwa = model{
		Kind:  device.Kind{Name: "kuka_iiwa_sim", Extension: "kuka_iiwa_sim", Doc: "simulated KUKA LBR iiwa 7, seven axes"},
		chain: iiwaChain, ports: lightweight,
	}
	kr = model{
		Kind:  device.Kind{Name: "kuka_kr_arm_sim", Extension: "kuka_kr_sim", Doc: "simulated KUKA KR, six axes; a KR 16-2 if nothing else is said"},
		chain: func() *kinematics.Chain { return robots.KR16().Chain },
		home:  []float64{0, -quarter, quarter, 0, 0, 0}, controls: true,
		ports: device.Ports{DigitalIn: 4, DigitalOut: 4},
	}
	tx90 = model{
		Kind:  device.Kind{Name: "staubli_tx90_sim", Extension: "staubli_tx90_sim", Doc: "simulated Stäubli TX90, six axes; a TX90L if nothing else is said"},
		chain: func() *kinematics.Chain { return robots.TX90L().Chain },
		home:  []float64{0, 0, quarter, 0, 0, 0},
		ports: device.Ports{DigitalIn: 8, DigitalOut: 8},
	}
	lwa = model{
		Kind:  device.Kind{Name: "schunk_lwa_sim", Extension: "schunk_lwa_sim", Doc: "simulated Schunk LWA, six axes; an LWA 4P if nothing else is said"},
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
	rows, err := sevenAxes([]float64{0.34, 0, 0.4, 0, 0.4, 0, 0.126, 0}, iiwaTurns)
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

// sevenAxes is a table made of lengths of links: the first is below axis 1, the last behind axis 7. Those on both sides of
// axes 1, 3, 5 and 7 are in a line with these.
func sevenAxes(lengths, turns []float64) ([]kinematics.Row, error) {
	if len(lengths) != len(turns)+1 {
		return nil, fmt.Errorf("parameter link_lengths: %d lengths instead of %d", len(lengths), len(turns)+1)
	}
	rows := make([]kinematics.Row, len(turns))
	for i := range rows {
		rows[i].Alpha = turns[i]
		if i%2 == 0 {
			rows[i].D = lengths[i] + lengths[i+1]
		}
	}
	return rows, nil
}

// rows is the table that was sent, nil if there was none.
func (t *byTable) rows(n int) ([]kinematics.Row, error) {
	columns := [][]float64{t.D, t.A, t.T, t.Al}
	if !slices.ContainsFunc(columns, func(c []float64) bool { return c != nil }) {
		return nil, nil
	}
	for i, name := range []string{"dh_d", "dh_a", "dh_t", "dh_al"} {
		if len(columns[i]) != n {
			return nil, fmt.Errorf("parameter %s: %d values of %d joints", name, len(columns[i]), n)
		}
	}
	rows := make([]kinematics.Row, n)
	for i := range rows {
		rows[i] = kinematics.Row{D: t.D[i], A: t.A[i], Theta: t.T[i], Alpha: t.Al[i]}
	}
	return rows, nil
}

// jointsOf returns what a chain knows of its joints.
func jointsOf(c *kinematics.Chain) []kinematics.Joint {
	list := make([]kinematics.Joint, c.Len())
	for i := range list {
		list[i] = c.Joint(i)
	}
	return list
}

// build makes an arm that is as long as a chain says, with other limits, on a linear unit if there is one. The chain is
// described anew by its axes where they are when all joints are at 0.
func build(c *kinematics.Chain, joints []kinematics.Joint, u *unit) (*kinematics.Arm, error) {
	zero, axes := make([]float64, c.Len()), make([]kinematics.Line, c.Len())
	c.Axes(zero, axes)
	var segments []kinematics.Segment
	if u.there() {
		segments = append(segments, kinematics.Segment{Axis: u.Direction, Joint: u.joint()})
	}
	var before geom.Vector
	for i, axis := range axes {
		segments = append(segments, kinematics.Segment{
			Before: geom.Frame{Pos: axis.Point.Sub(before)}, Axis: axis.Direction, Joint: joints[i],
		})
		before = axis.Point
	}
	tip := c.Forward(zero)
	tip.Pos = tip.Pos.Sub(before)
	built, err := kinematics.New(segments, tip)
	if err != nil {
		return nil, err
	}
	return kinematics.ArmOf(built)
}
