package main

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// Draw is an action: the motion centre goes along straight lines from place to place, seen from a frame, and stands there for no time at
// each of them. It is one motion: where the frame moves, an arm that rested at each corner would leave scratches.
type Draw struct {
	Places []geom.Vector
	In     *world.Frame
}

func (Draw) String() string { return "draw" }

// Limits are parameters of the action.
type Limits struct{ Vel, Acc, Jerk float64 }

// Parameter makes it a parameter of commands.
func (Limits) Parameter() {}

// MapAction adds up lines. It begins when the arm has caught up with the frame.
func (d Draw) MapAction(c *mapping.Context) mapping.Part {
	time := graph.Sub(c.Time(), graph.Hold(c.Time(), graph.Not(c.Joined()), 0))
	at := [3]graph.Signal[float64]{c.Real(d.Places[0].X), c.Real(d.Places[0].Y), c.Real(d.Places[0].Z)}
	begin, limits := 0.0, mapping.Param[Limits](c)
	for i, to := range d.Places[1:] {
		way := to.Sub(d.Places[i])
		lasts := limits.duration(way.Length())
		share := ease(c, graph.Mul(graph.Sub(time, c.Real(begin)), c.Real(1/lasts)))
		for k, v := range [3]float64{way.X, way.Y, way.Z} {
			at[k] = graph.Add(at[k], graph.Mul(share, c.Real(v)))
		}
		begin += lasts
	}
	pose := c.Add("World::FrameFromXYZ").Link("inX", at[0].Port).Link("inY", at[1].Port).Link("inZ", at[2].Port)
	pose.Link("inRot", graph.Const(c.Graph, onto.Rot).Port)
	return mapping.Part{
		Flow: mapping.CartesianPosition{Pose: mapping.Link[geom.Frame](pose, "outValue"), Of: mapping.Param[robotics.MotionCenter](c).Frame, In: d.In},
		Done: graph.Or(c.Cancelled, graph.Greater(time, c.Real(begin))),
	}
}

// duration returns how long a line takes: of all profiles that are polynomials of fifth degree, ease has the least jerk.
func (l Limits) duration(way float64) float64 {
	const vel, acc, jerk = 1.875, 5.7735, 60 // the greatest ones of ease
	return max(vel*way/l.Vel, math.Sqrt(acc*way/l.Acc), math.Cbrt(jerk*way/l.Jerk))
}

// ease goes from 0 to 1 while its time does, from rest to rest.
func ease(c *mapping.Context, time graph.Signal[float64]) graph.Signal[float64] {
	u := graph.Max(c.Real(0), graph.Min(c.Real(1), time))
	cube := graph.Mul(u, graph.Mul(u, u))
	return graph.Mul(cube, graph.Add(graph.Mul(u, graph.Sub(graph.Mul(u, c.Real(6)), c.Real(15))), c.Real(10))) //nolint:mnd // 10u³ - 15u⁴ + 6u⁵
}
