package kinematics

import (
	"errors"
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// Row is a row of a table of Denavit and Hartenberg. The value of the joint is added to Theta, or to D if it slides.
type Row struct {
	Theta, D, A, Alpha float64
	Sign               float64 // -1 if the joint counts the other way; 0 is as 1
	Joint
}

// Segment is a joint and the link that it moves, as in a robot that is described by frames: from the link before, Before
// leads to the joint, which turns about or slides along Axis. At the value 0 the frame of the link is that of the joint.
type Segment struct {
	Before geom.Frame
	Axis   geom.Vector // of any length
	Joint
	Follow *Follow // nil: a joint of its own
}

// Follow means that a joint has no drive of its own but the value of another one, times Factor, plus Offset. Its limits
// hold for the other one.
type Follow struct {
	Segment        int // the other one, which does not follow
	Factor, Offset float64
}

// Chain is an open chain of joints from a base to a tip. It does not change after it has been made, and may be used by
// several goroutines at the same time.
type Chain struct {
	joints [MaxJoints]Joint
	n      int             // joints with values of their own
	stiff  [MaxJoints]bool // a whole turn does not lead to the same pose
	start  axes
	steps  [MaxJoints]step
	m      int                   // steps
	links  [MaxJoints]geom.Frame // seen from where the step leads to
	tip    angle                 // about z, after the last step
}

// Standard makes a chain of a table in the form of Denavit and Hartenberg's paper (1955), as in Spong and in Siciliano: each
// row is Rz(Theta)·Tz(D)·Tx(A)·Rx(Alpha), which leads from the axis of its joint to that of the next.
func Standard(base geom.Frame, rows []Row, tool geom.Frame) (*Chain, error) {
	parts, before := make([]part, len(rows)), base
	for i, r := range rows {
		after := geom.Frame{Pos: geom.Vector{X: r.A, Z: r.D}, Rot: aboutX(r.Alpha)}
		parts[i], before = r.part(before, after), after
	}
	return build(parts, before.Mul(tool))
}

// Modified makes a chain of a table in the form of Craig: each row is Rx(Alpha)·Tx(A)·Rz(Theta)·Tz(D), with Alpha and A of
// the link before the joint.
func Modified(base geom.Frame, rows []Row, tool geom.Frame) (*Chain, error) {
	parts, before := make([]part, len(rows)), base
	for i, r := range rows {
		before = before.Mul(geom.Frame{Pos: geom.Vector{X: r.A}, Rot: aboutX(r.Alpha)})
		after := geom.Frame{Pos: geom.Vector{Z: r.D}}
		parts[i], before = r.part(before, after), after
	}
	return build(parts, before.Mul(tool))
}

// New makes a chain of segments. tip is seen from the frame of the last one.
func New(segments []Segment, tip geom.Frame) (*Chain, error) {
	parts, back := make([]part, len(segments)), geom.Frame{}
	for i, s := range segments {
		if !s.Axis.Finite() || s.Axis == (geom.Vector{}) {
			return nil, fault(i, s.Name, errors.New("the axis has no direction"))
		}
		// Seen from the joint, z should be the axis.
		to := geom.Frame{Rot: zTo(s.Axis.Unit())}
		parts[i] = part{before: back.Mul(s.Before).Mul(to), after: to.Invert(), factor: 1, Joint: s.Joint, follow: s.Follow}
		back = to.Invert()
	}
	return build(parts, back.Mul(tip))
}

// AtZero describes a chain by its axes and its tip where all joints are at 0, seen from the base, as New takes it: what carries the
// chain comes before.
func AtZero(axes []Line, joints []Joint, tip geom.Frame) (segments []Segment, last geom.Frame) {
	var before geom.Vector
	for i, axis := range axes {
		segments = append(segments, Segment{Before: geom.Frame{Pos: axis.Point.Sub(before)}, Axis: axis.Direction, Joint: joints[i]})
		before = axis.Point
	}
	tip.Pos = tip.Pos.Sub(before)
	return segments, tip
}

func (r *Row) part(before, after geom.Frame) part {
	p := part{before: before, after: after, turn: r.Theta, factor: r.Sign, Joint: r.Joint}
	if r.Sign == 0 {
		p.factor = 1
	}
	return p
}

func aboutX(angle float64) geom.Rotation { return geom.FromABC(0, 0, angle) }

// zTo returns a rotation that turns z to the direction of a unit vector, on the shortest way.
func zTo(axis geom.Vector) geom.Rotation {
	if axis.Z < 0 { // away from where the shortest way is not defined
		return aboutX(math.Pi).Mul(zTo(geom.Vector{X: axis.X, Y: -axis.Y, Z: -axis.Z}))
	}
	return geom.FromQuaternion(-axis.Y, axis.X, 0, 1+axis.Z)
}

func fault(i int, name string, err error) error {
	return fmt.Errorf("joint %d %q: %w", i+1, name, err)
}

// Len returns the number of joints that have values of their own.
func (c *Chain) Len() int { return c.n }

// Links returns the number of links, which is the number of joints if none follows another.
func (c *Chain) Links() int { return c.m }

// Joint returns the description of a joint.
func (c *Chain) Joint(i int) Joint {
	if i < 0 || i >= c.n || i >= len(c.joints) {
		return Joint{}
	}
	return c.joints[i]
}
