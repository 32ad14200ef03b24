package arm

import (
	"slices"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Table is one of Denavit and Hartenberg in its usual form, Rz(t)·Tz(d)·Tx(a)·Rx(al), as applications send it.
type Table struct {
	D  []float64 `rcc:"dh_d" unit:"m" doc:"column d of a table of Denavit and Hartenberg; the model's if left out"`
	A  []float64 `rcc:"dh_a" unit:"m" doc:"column a"`
	T  []float64 `rcc:"dh_t" unit:"rad" doc:"column theta, what it is when the joint is at 0"`
	Al []float64 `rcc:"dh_al" unit:"rad" doc:"column alpha"`
}

// Rows returns the table of n joints that was sent, nil if there was none.
func (t *Table) Rows(n int) ([]kinematics.Row, error) {
	columns := [][]float64{t.D, t.A, t.T, t.Al}
	if !slices.ContainsFunc(columns, func(c []float64) bool { return c != nil }) {
		return nil, nil
	}
	for i, name := range []string{"dh_d", "dh_a", "dh_t", "dh_al"} {
		if len(columns[i]) != n {
			return nil, device.WrongParam(name, "%d values of %d joints", len(columns[i]), n)
		}
	}
	rows := make([]kinematics.Row, n)
	for i := range rows {
		rows[i] = kinematics.Row{D: t.D[i], A: t.A[i], Theta: t.T[i], Alpha: t.Al[i]}
	}
	return rows, nil
}

// SevenAxes returns a table made of lengths of links: the first is below axis 1, the last behind axis 7. Those on both sides of
// axes 1, 3, 5 and 7 are in a line with these. The turns are the angles between the axes.
func SevenAxes(lengths, turns []float64) ([]kinematics.Row, error) {
	if len(lengths) != len(turns)+1 {
		return nil, device.WrongParam("link_lengths", "%d lengths instead of %d", len(lengths), len(turns)+1)
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

// JointsOf returns the joints of a chain.
func JointsOf(c *kinematics.Chain) []kinematics.Joint {
	list := make([]kinematics.Joint, c.Len())
	for i := range list {
		list[i] = c.Joint(i)
	}
	return list
}

// Build makes an arm with the given rows, or those of the model if there are none, with joints of other limits, and on what
// carries it if something does. The chain is described by its axes with all joints at 0.
func Build(model *kinematics.Chain, rows []kinematics.Row, joints []kinematics.Joint, carrier ...kinematics.Segment) (*kinematics.Arm, error) {
	chain := model
	if rows != nil {
		rows = slices.Clone(rows)
		for i := range rows {
			rows[i].Joint = joints[i]
		}
		var err error
		if chain, err = kinematics.Standard(geom.Frame{}, rows, geom.Frame{}); err != nil {
			return nil, err
		}
	}
	zero, axes := make([]float64, chain.Len()), make([]kinematics.Line, chain.Len())
	chain.Axes(zero, axes)
	segments, tip := kinematics.AtZero(axes, joints, chain.Forward(zero))
	built, err := kinematics.New(slices.Concat(carrier, segments), tip)
	if err != nil {
		return nil, err
	}
	return kinematics.ArmOf(built)
}
