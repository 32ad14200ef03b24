package motions

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// Progress is the state of a motion in which a share of its time has passed, as far as that is known: it is not entered by a
// motion that is cancelled.
type Progress float64

// Passed is the state of a motion along a path after a share of the path.
type Passed float64

// Distance is the state of a motion along a path that has gone so far, m, or rad of a path that only turns: from its beginning, or, below
// 0, up to so far before its end.
type Distance float64

// gone is how far a motion is on its way: a place from 0 to a length, of a way in m. Of one of joints there is none.
type gone struct{ place, length, way graph.Signal[float64] }

// states returns those of a motion.
func states(c *mapping.Context, g actuator.Generator, at gone) func(any) graph.Signal[bool] {
	return func(state any) (none graph.Signal[bool]) {
		switch s := state.(type) {
		case Progress:
			actuator.CheckShare(c, float64(s))
			time := c.Time()
			over := graph.Mul(graph.Add(time, g.Left), c.Real(float64(s)))
			return c.And(graph.Greater(graph.Add(time, c.Real(mapping.Rounding)), over), graph.Not(c.Cancelled))
		case Passed:
			if at.place.Open() {
				return none
			}
			actuator.CheckShare(c, float64(s))
			return graph.Greater(graph.Add(at.place, c.Real(mapping.Rounding)), graph.Mul(at.length, c.Real(float64(s))))
		case Distance:
			if at.place.Open() {
				return none
			}
			return at.passed(c, float64(s))
		}
		return none
	}
}

// passed is true when a distance from the beginning, or below 0 to the end, has been gone.
func (g gone) passed(c *mapping.Context, distance float64) graph.Signal[bool] {
	if !mapping.IsNumber(distance) {
		c.Fail(fmt.Errorf("a distance of %v: %w", distance, robotics.ErrNumber))
	}
	from := c.Real(0)
	if distance < 0 {
		from = g.way
	}
	metres := graph.Mul(g.way, graph.Div(g.place, g.length))
	return graph.Greater(graph.Add(metres, c.Real(mapping.Rounding)), graph.Add(from, c.Real(distance)))
}
