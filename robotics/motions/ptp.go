package motions

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// PTP moves joints from where they are to a point. When it is cancelled they come to rest, fully synchronous ones on their line.
type PTP struct {
	To   []float64     // rad or m
	Sync robotics.Sync // Synchronous if left out
	// From is where the joints must be at the beginning. If they are not, the command fails and nothing moves. Left out, they
	// may be anywhere.
	From []float64
}

func (p PTP) String() string { return "PTP" }

// FaultStart means that a motion should begin where the actuator is not.
const FaultStart = "not where the motion begins"

// MapAction leads the joints to the point.
func (p PTP) MapAction(c *mapping.Context) mapping.Part {
	j := actuator.JointsOf(c)
	j.Check(c, p.To)
	switch p.Sync {
	case "":
		p.Sync = robotics.Synchronous
	case robotics.Asynchronous, robotics.Synchronous, robotics.FullySynchronous:
	default:
		c.Fail(fmt.Errorf("%q: %w", p.Sync, robotics.ErrSync))
	}
	pos, g := actuator.Lead(c, j, mapping.JointGoal{Pos: c.Reals(p.To)}, p.Sync)
	part := mapping.Part{Done: g.Done, States: states(c, g, gone{})}
	if p.From != nil && j.Check(c, p.From) {
		away := awayFrom(c, j.Last(c.Net), p.From)
		pos = c.NullWhile(away, pos)
		part.Faults = []mapping.Fault{{Name: FaultStart, Of: j.Device(), Is: away}}
	}
	part.Flow = mapping.JointPositions{Pos: pos, InFlight: true}
	return part
}

// near is how far a joint may be from where a motion says that it begins: devices go on a little when the motion before has ended
// (equation 9.1). The motion begins where the joint is.
const near = 5e-4

// awayFrom is true in the first cycle of a command if joints are not at a point then.
func awayFrom(c *mapping.Context, joints []graph.Signal[float64], point []float64) graph.Signal[bool] {
	var away []graph.Signal[bool]
	for i := range joints {
		away = append(away, graph.Not(mapping.Near(joints[i], c.Real(point[i]), near)))
	}
	return c.And(graph.Rising(c.Active), graph.Or(away...))
}
