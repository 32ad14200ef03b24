package kinematics

import (
	"errors"
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// SRS solves arms with seven axes of which the first three meet in the shoulder, the last three in the wrist, and the
// third, fourth and fifth in the elbow, each at a right angle to the next: KUKA's LWR and iiwa and all that are built like
// them. It is the closed form of the literature (K. Kreutz-Delgado, M. Long and H. Seraji, "Kinematic analysis of 7-DOF
// manipulators", 1992; M. Shimizu et al., "Analytical inverse kinematic computation for 7-DOF redundant manipulators with
// joint limits", 2008), written with half angles, which stay exact near singular postures.
//
// # Alpha
//
// For one pose the elbow may be anywhere on a circle about the line from shoulder to wrist. Alpha says where: it is the
// angle about this line, in the direction from shoulder to wrist, by which the elbow has turned away from the place where it
// is highest. "High" is where the straight arm points to from the first axis, so alpha is 0 or π when the elbow is in the
// plane through the first axis and the wrist.
//
// With the wrist on the first axis there is no such plane. Up to a sine of 1e-9 of the angle between this axis and the line
// from shoulder to wrist, alpha is what it would be if the wrist were a little off the axis, to where x of the base points
// (z, if the first axis is along x). Near the axis alpha is what it always is. But while the wrist passes the axis at the
// distance d with the velocity v, the plane turns by up to v/d: an arm that keeps alpha has to turn its elbow as fast, and
// when the wrist goes right across, alpha jumps by π while no joint does. Step of an Elbow helps, or Nearest, which
// gives alpha up there.
//
// # Branches
//
// For each alpha there are eight solutions: joints 2, 4 and 6 on either side of where the arm is straight. Bits 0, 1 and 2
// of the configuration are set where they are on the negative side.
//
// The arm is singular where joints 1 and 3 turn about one axis (joint 2 straight), or 5 and 7 (joint 6 straight): only the sum of
// their values is determined, and is shared so that both stay as near to the hint as limits allow; the branches that fall
// together there are written once. And it is singular where it is stretched or folded (joint 4): the circle of the elbow
// is a point then. Alpha is then that of an elbow that bends by ever so little to the side of the branch, which says how
// joints 3 and 5 share what they turn.
type SRS struct {
	base         geom.Frame // the chain's base, seen from the shoulder
	wrist        geom.Frame // seen from the tip
	upper, lower float64    // length of the arm from the shoulder to the elbow, from there to the wrist

	first, last [3]axis // joints of the shoulder, of the wrist
	middle      axis
}

var _ Solver = (*SRS)(nil)

// axis is a joint in terms of the straight arm, whose axes are z, y, z, y, z, y and z: its angle is turn·value + offset.
type axis struct {
	Joint
	turn, offset float64
	span         span

	limited bool // it cannot turn all round
	centre  angle
	ends    [2]angle // of the range of its angle
	least   float64  // cosine of half the range
}

func (a *axis) angle(value float64) float64 { return a.turn*value + a.offset }
func (a *axis) value(angle float64) float64 { return a.turn * (angle - a.offset) }

// limit computes what the range means for the angle.
func (a *axis) limit() {
	a.span = spanOf(&a.Joint)
	if a.limited = a.Max-a.Min < 2*math.Pi; a.limited {
		a.centre = angleOf(a.angle(centre(&a.Joint)))
		a.ends = [2]angle{angleOf(a.angle(a.Min)), angleOf(a.angle(a.Max))}
		a.least = math.Cos((a.Max - a.Min) / 2)
	}
}

// near returns the value for an angle that is nearest to hint, and if it need not stand still, within limits.
func (a *axis) near(angle, hint float64, still bool) (float64, bool) {
	value := a.value(angle)
	if still {
		return a.hold(towards(hint, value))
	}
	return a.span.near(value, hint)
}

// fitting is by how much axes may miss each other (m) or a right angle (rad): what rounding in descriptions of robots
// leaves. An arm that is not exact by that much is solved as if it were.
const fitting = 1e-6

// NewSRS recognises an arm of this kind, whatever it was described by. The error reports what does not fit.
func NewSRS(c *Chain) (*SRS, error) {
	if c.Len() != 7 || c.Links() != 7 {
		return nil, fmt.Errorf("an arm with shoulder, elbow and wrist has 7 independent joints, not %d in %d links", c.Len(), c.Links())
	}
	var zero [7]float64
	var lines [7]Line
	c.Axes(zero[:], lines[:])
	var meet [6]geom.Vector
	for i := range lines {
		if c.joints[i].Kind != Revolute {
			return nil, fault(i, c.joints[i].Name, errors.New("it slides"))
		}
		if i == 0 {
			continue
		}
		var err error
		if meet[i-1], err = crossing(lines[i-1], lines[i]); err != nil {
			return nil, fault(i, c.joints[i].Name, fmt.Errorf("its axis and that of the joint before it %w", err))
		}
	}
	for i, name := range []string{"shoulder", "elbow", "wrist"} {
		if gap := meet[2*i+1].Sub(meet[2*i]).Length(); gap > fitting {
			return nil, fmt.Errorf("axes %d, %d and %d do not meet in one %s: the crossings are %.4g m apart", 2*i+1, 2*i+2, 2*i+3, name, gap)
		}
	}
	shoulder, elbow, wrist := meet[0], meet[2], meet[4]
	s := &SRS{upper: elbow.Sub(shoulder).Length(), lower: wrist.Sub(elbow).Length()}
	if s.upper < fitting || s.lower < fitting {
		return nil, errors.New("the elbow coincides with the shoulder or the wrist")
	}
	s.straighten(c, &lines, elbow.Sub(shoulder).Unit(), wrist.Sub(elbow).Unit())
	s.base = geom.Frame{Pos: shoulder, Rot: s.base.Rot}.Invert()
	atWrist := geom.Frame{Pos: wrist, Rot: system(lines[5].Direction, lines[6].Direction)}
	s.wrist = c.Forward(zero[:]).To(atWrist)
	return s, nil
}

// crossing returns where two lines meet at a right angle.
func crossing(a, b Line) (geom.Vector, error) {
	if cos := a.Direction.Dot(b.Direction); math.Abs(cos) > fitting {
		return geom.Vector{}, fmt.Errorf("are at an angle of %.6g°, not at a right angle", math.Acos(cos)*180/math.Pi)
	}
	between := b.Point.Sub(a.Point)
	if gap := math.Abs(between.Dot(a.Direction.Cross(b.Direction))); gap > fitting {
		return geom.Vector{}, fmt.Errorf("pass each other at a distance of %.4g m", gap)
	}
	return a.Point.Add(a.Direction.Scale(between.Dot(a.Direction))), nil
}

// straighten finds the angles that the joints have at their values 0, if those of the straight arm are 0. upper and lower
// are the directions of the two halves of the arm.
func (s *SRS) straighten(c *Chain, lines *[7]Line, upper, lower geom.Vector) {
	up := lines[0].Direction
	// Of the two ways to be straight, the one that is nearer to the middle of what joint 2 can do.
	straight := -angleAbout(lines[1].Direction, up, upper)
	if math.Cos(straight-centre(&c.joints[1])) < 0 {
		up = up.Neg()
	}
	ahead := geom.Vector{X: 1}
	if math.Abs(up.X) > 0.9 {
		ahead = geom.Vector{Z: 1}
	}
	side := up.Cross(ahead).Unit()
	s.base.Rot = system(side, up)

	// y and z of the straight arm by turns, as they are at the values 0.
	way := [...]geom.Vector{side, up, lines[1].Direction, upper, lines[3].Direction, lower, lines[5].Direction, lines[6].Direction}
	about := [...]geom.Vector{up, way[2], upper, way[4], lower, way[6], way[7]}
	for i, a := range []*axis{&s.first[0], &s.first[1], &s.first[2], &s.middle, &s.last[0], &s.last[1], &s.last[2]} {
		a.Joint = c.joints[i]
		a.turn = math.Copysign(1, about[i].Dot(lines[i].Direction))
		if i < 6 { // what the last joint turns is called straight at its value 0
			a.offset = angleAbout(about[i], way[i], way[i+2])
		}
		a.limit()
	}
}

// angleAbout returns the angle from one direction to another about an axis.
func angleAbout(axis, from, to geom.Vector) float64 {
	return math.Atan2(from.Cross(to).Dot(axis), from.Dot(to))
}

// centre returns the middle of what a joint can do, or 0 if it can do everything.
func centre(j *Joint) float64 {
	if c := (j.Min + j.Max) / 2; math.Abs(c) <= math.MaxFloat64 {
		return c
	}
	return 0
}

// system returns the rotation of a system with the given axes.
func system(y, z geom.Vector) geom.Rotation {
	x := y.Cross(z)
	return geom.FromMatrix([3][3]float64{{x.X, y.X, z.X}, {x.Y, y.Y, z.Y}, {x.Z, y.Z, z.Z}})
}

// Name returns a configuration as the sides of joints 2, 4 and 6.
func (s *SRS) Name(configuration uint8) string {
	name := make([]byte, 0, 24)
	for i, joint := range []string{"shoulder", " elbow", " wrist"} {
		name = append(append(name, joint...), "+-"[configuration>>i&1])
	}
	return string(name)
}
