package robotics

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// Sync is how joints are synchronised on their way from point to point (§2.3).
type Sync string

// The synchronisations.
const (
	Asynchronous     Sync = "asynchronous"      // each joint as fast as it can
	Synchronous      Sync = "synchronous"       // all end together
	FullySynchronous Sync = "fully synchronous" // on a straight line of joints
)

// PTP moves joints from where they are to a point. When it is cancelled they come to rest, fully synchronous ones on their line.
type PTP struct {
	To   []float64 // rad or m
	Sync Sync      // Synchronous if left out
	// From is where the joints must be at the beginning. If they are not, the command fails and nothing moves. Left out, they
	// may be anywhere.
	From []float64
}

func (p PTP) String() string { return "PTP" }

// FaultStart is that a motion should begin where the actuator is not.
const FaultStart = "not where the motion begins"

// MapAction leads the joints to the point.
func (p PTP) MapAction(c *mapping.Context) mapping.Part {
	j := joints(c)
	j.check(c, p.To)
	switch p.Sync {
	case "":
		p.Sync = Synchronous
	case Asynchronous, Synchronous, FullySynchronous:
	default:
		c.Fail(fmt.Errorf("%q: %w", p.Sync, ErrSync))
	}
	pos, g := lead(c, j, mapping.JointGoal{Pos: c.Reals(p.To)}, p.Sync, ends{})
	part := mapping.Part{Done: g.done, States: g.states(c, gone{})}
	if p.From != nil && j.check(c, p.From) {
		away := awayFrom(c, j.last(c.Net), p.From)
		pos = nullWhile(c, away, pos)
		part.Faults = []mapping.Fault{{Name: FaultStart, Of: j.name, Is: away}}
	}
	part.Flow = mapping.JointPositions{Pos: pos, InFlight: true}
	return part
}

// check tells whether joints can be at a point.
func (j *Joints) check(c *mapping.Context, point []float64) bool {
	if len(point) != len(j.joints) {
		c.Fail(fmt.Errorf("%v: %w", point, ErrJoints))
		return false
	}
	for i, v := range point {
		if !j.checkJoint(c, i, v) {
			return false
		}
	}
	return true
}

// checkJoint tells whether a joint can be somewhere.
func (j *Joints) checkJoint(c *mapping.Context, i int, at float64) bool {
	joint := &j.joints[i]
	if at >= joint.Min && at <= joint.Max {
		return true
	}
	c.Fail(fmt.Errorf("joint %d at %v: %w, it goes from %v to %v", i, at, ErrBeyond, joint.Min, joint.Max))
	return false
}

// near is how far a joint may be from where a motion says that it begins: devices go on a little when the motion before has ended
// (equation 9.1). The motion begins where the joint is.
const near = 5e-4

// awayFrom is true in the first cycle of a command if joints are not at a point then.
func awayFrom(c *mapping.Context, joints []graph.Signal[float64], point []float64) graph.Signal[bool] {
	var away []graph.Signal[bool]
	for i := range joints {
		away = append(away, graph.Not(equals(joints[i], c.Real(point[i]), near)))
	}
	return c.And(graph.Rising(c.Active), graph.Or(away...))
}
