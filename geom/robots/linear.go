package robots

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
)

// unit is an axis that slides along a direction and carries what comes after it.
type unit struct {
	direction geom.Vector
	joint     kinematics.Joint
}

// LinearUnit makes an arm of one axis that slides along a direction, of any length, seen from the base; joint has its
// travel. The error says what is wrong with them.
func LinearUnit(direction geom.Vector, joint kinematics.Joint) (*kinematics.Arm, error) {
	return Robot{}.OnLinearUnit(direction, joint)
}

// OnLinearUnit makes an arm that a linear unit carries. The joint of the unit is the first one; at its value 0 the base of
// the arm is that of the unit.
func (r Robot) OnLinearUnit(direction geom.Vector, joint kinematics.Joint) (*kinematics.Arm, error) {
	joint.Kind = kinematics.Prismatic
	r.unit = &unit{direction, joint}
	return r.make()
}

func (r *Robot) carried() (*kinematics.Chain, error) {
	segments := []kinematics.Segment{{Axis: r.unit.direction, Joint: r.unit.joint}}
	before := r.base
	for _, row := range r.rows {
		shift, turn := geom.Frame{Pos: geom.Vector{X: row.A}, Rot: geom.FromABC(0, 0, row.Alpha)}, geom.Frame{Rot: geom.FromABC(row.Theta, 0, 0)}
		along := geom.Frame{Pos: geom.Vector{Z: row.D}}
		if r.modified {
			before = before.Mul(shift)
		}
		axis := geom.Vector{Z: 1}
		if row.Sign < 0 {
			axis.Z = -1
		}
		segments = append(segments, kinematics.Segment{Before: before, Axis: axis, Joint: row.Joint})
		before = turn.Mul(along)
		if !r.modified {
			before = before.Mul(shift)
		}
	}
	return kinematics.New(segments, before.Mul(r.tool))
}

// Linear returns a linear unit along x with a travel of 4 m: an example, as such units are built to measure.
func Linear() *kinematics.Arm { return linear.Arm() }

var linear = Robot{
	Name:        "Linear unit",
	Description: "an axis that slides along x, 4 m; LinearUnit makes others",
	Assumed:     "all of it: such units are built to measure",
	also:        []string{"Linear", "Linear axis"},
	unit:        &unit{geom.Vector{X: 1}, sliding(0, 4)},
}

// KR16OnLinearUnit returns a KR 16-2 that slides along y, 2 m to either side: an example of what OnLinearUnit makes.
func KR16OnLinearUnit() *kinematics.Arm { return kr16OnLinear.Arm() }

var kr16OnLinear = Robot{
	Name:        "KR16-2 on linear unit",
	Description: "KUKA KR 16-2 on a linear unit along y, 2 m to either side, seven axes; OnLinearUnit makes others",
	Sources:     kr16.Sources,
	Assumed:     "the linear unit, " + assumed,
	also:        []string{"KR16 on linear unit", "KR16 on linear axis"},
	unit:        &unit{geom.Vector{Y: 1}, sliding(-2, 2)},
	base:        kr16.base,
	rows:        kr16.rows,
	tool:        kr16.tool,
}

// sliding returns the axis of a linear unit as fast as those that carry arms are.
func sliding(least, most float64) kinematics.Joint {
	return cautious(kinematics.Joint{Name: "E1", Kind: kinematics.Prismatic, Min: least, Max: most, Velocity: 1.5})
}
