package robotics

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// Pose returns the pose of a frame, seen from another one, in each cycle.
func Pose(of, in *world.Frame) Sensor[geom.Frame] { return pose{of, in} }

type pose struct{ of, in *world.Frame }

// MapSensor computes it.
func (p pose) MapSensor(m *mapping.Net) graph.Signal[geom.Frame] {
	return m.Identity(m.Transform(p.in, p.of))
}

// Velocity returns how a frame moves, seen from another one: the velocity of its origin and its rotation, along the axes of the other one, m/s
// and rad/s. Of arms it is how they are commanded to move, by their joints. Where only a sensor reports where a frame is, it comes
// from differences, and is not known in the first cycle.
func Velocity(of, in *world.Frame) Sensor[geom.Twist] { return velocityOf{of, in} }

type velocityOf struct{ of, in *world.Frame }

// MapSensor computes it.
func (v velocityOf) MapSensor(m *mapping.Net) graph.Signal[geom.Twist] {
	if moves := m.Velocity(v.of, v.in); !moves.Open() {
		return moves
	}
	return graph.Const(m.Graph, geom.Twist{})
}

// Along returns a twist of a sensor, given along the axes of one frame, along those of another one.
func Along(of Sensor[geom.Twist], from, to *world.Frame) Sensor[geom.Twist] {
	return Derived(func(m *mapping.Net) graph.Signal[geom.Twist] { return m.Turn(Read(m, of), from, to) })
}

// Linear returns the velocity in a twist.
func Linear(of Sensor[geom.Twist]) Sensor[geom.Vector] { return partOf(of, "outTransVel") }

// Angular returns the rotation in a twist.
func Angular(of Sensor[geom.Twist]) Sensor[geom.Vector] { return partOf(of, "outRotVel") }

func partOf(of Sensor[geom.Twist], part string) Sensor[geom.Vector] {
	return Derived(func(m *mapping.Net) graph.Signal[geom.Vector] {
		return mapping.Link[geom.Vector](m.Add("World::TwistToVelocities").Link("inValue", Read(m, of).Port), part)
	})
}
