package robotics_test

import (
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// meet is an action that has the first joint meet a goal that goes on evenly from near where the joint is, and ends then.
type meet struct{ off, vel float64 }

func (a meet) MapAction(c *mapping.Context) mapping.Part {
	goals := actuator.LastPositions(c)
	for i := range goals {
		goals[i] = graph.Hold(goals[i], graph.Rising(c.Active), 0)
	}
	goals[0] = graph.Add(goals[0], graph.Add(c.Real(a.off), graph.Mul(c.Time(), c.Real(a.vel))))
	return mapping.Part{Flow: mapping.JointGoal{Pos: goals, Moving: true}}
}

// TestMeet: a goal that moves is met when the joint is as fast as it, not when it happens to be where the goal is in the first cycle, in which
// its speed is unknown.
func TestMeet(t *testing.T) {
	for name, a := range map[string]meet{"ahead": {off: 0.1, vel: 0.5}, "where the joint is": {off: -0.5 * period.Seconds(), vel: 0.5}} {
		for kind, wait := range map[string]int{"at once": 0, "later": 5} {
			t.Run(name+" "+kind, func(t *testing.T) {
				c, arm := cells.New(t), kr16()
				does := robotics.Command(robotics.NewCommand(arm, a))
				if wait > 0 {
					does = robotics.Sequence(robotics.NewWait(5*period), does)
				}
				r := trace(t, c, does, nil, values{"q0": next(arm, 0)})
				var way []float64
				for r.Step() {
					way = append(way, r.Number("q0"))
				}
				last := len(way) - 1 - min(wait, 1)
				if r.Is("failed") || last < 10 {
					t.Fatalf("over in cycle %d: %v", last+1, r.Values)
				}
				if vel := (way[last] - way[last-1]) / period.Seconds(); math.Abs(vel-a.vel) > 1e-3 {
					t.Errorf("ends with a velocity of %v", vel)
				}
			})
		}
	}
}
