package motions

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// constant returns a pose that an application says.
func constant(c *mapping.Context, pose geom.Frame) graph.Signal[geom.Frame] {
	if !pose.Finite() {
		c.Fail(fmt.Errorf("pose %v: %w", pose, robotics.ErrNumber))
	}
	return graph.Const(c.Graph, pose)
}

// begin returns what a signal is in the first cycle of a command, from then on.
func begin(c *mapping.Context, f graph.Signal[geom.Frame]) graph.Signal[geom.Frame] {
	return graph.Hold(f, graph.Rising(c.Active), geom.Frame{})
}

// JointHold keeps joints where they are when it begins, until it is cancelled.
type JointHold struct{}

func (JointHold) String() string { return "hold joints" }

// MapAction remembers where the joints are.
func (JointHold) MapAction(c *mapping.Context) mapping.Part {
	var pos []graph.Signal[float64]
	for _, last := range actuator.JointsOf(c).Last(c.Net) {
		pos = append(pos, graph.Hold(last, graph.Rising(c.Active), 0))
	}
	return mapping.Part{Flow: mapping.JointPositions{Pos: pos}, Done: c.Cancelled}
}

// CartesianHold keeps the motion centre where it is when it begins, seen from a frame, until it is cancelled. When the frame
// moves the motion centre follows, within the limits of the joints.
type CartesianHold struct{ In *world.Frame }

func (CartesianHold) String() string { return "hold" }

// MapAction remembers where the motion centre is.
func (h CartesianHold) MapAction(c *mapping.Context) mapping.Part {
	center := mapping.Param[robotics.MotionCenter](c).Frame
	pose := begin(c, c.Identity(c.Transform(h.In, center)))
	goal := mapping.CartesianGoal{CartesianPosition: mapping.CartesianPosition{Pose: pose, Of: center, In: h.In}, Moving: true}
	return mapping.Part{Flow: goal, Done: c.Cancelled}
}

// JogJoints moves joints with the velocities of sensors, until it is cancelled. Joints come to rest before their limits.
type JogJoints struct{ Velocities []robotics.Sensor[float64] }

func (JogJoints) String() string { return "jog joints" }

// MapAction reads the sensors.
func (g JogJoints) MapAction(c *mapping.Context) mapping.Part {
	var vel []graph.Signal[float64]
	for _, s := range g.Velocities {
		vel = append(vel, robotics.Read(c.Net, s))
	}
	return mapping.Part{Flow: mapping.JointVelocities{Vel: vel}, Done: c.Cancelled}
}

// Jog moves the motion centre with the velocity of a sensor, seen from a frame, until it is cancelled. The frame may be one that the
// robot carries, as the motion centre itself: then the velocity is along its axes, wherever they are.
type Jog struct {
	Velocity robotics.Sensor[geom.Twist]
	In       *world.Frame
}

func (Jog) String() string { return "jog" }

// MapAction reads the sensor.
func (g Jog) MapAction(c *mapping.Context) mapping.Part {
	center := mapping.Param[robotics.MotionCenter](c).Frame
	return mapping.Part{Flow: mapping.CartesianVelocity{Twist: robotics.Read(c.Net, g.Velocity), Of: center, In: g.In}, Done: c.Cancelled}
}

// FollowJoints leads joints to the positions of sensors, in each cycle, within their limits, until it is cancelled. A goal
// beyond where a joint can be is one at its end, where the joint comes to rest; for a constant that is a mistake. While one of
// them is not a number, or null, all joints come to rest. Smooth is as in Follow.
type FollowJoints struct {
	Goals  []robotics.Sensor[float64]
	Smooth bool
}

func (FollowJoints) String() string { return "follow joints" }

// MapAction reads the sensors.
func (f FollowJoints) MapAction(c *mapping.Context) mapping.Part {
	var pos []graph.Signal[float64]
	j := actuator.JointsOf(c)
	for i, s := range f.Goals {
		if at, constant := robotics.Always(s); constant && !math.IsNaN(at) && i < j.Len() {
			j.CheckJoint(c, i, at)
		}
		pos = append(pos, robotics.Read(c.Net, s))
	}
	return mapping.Part{Flow: mapping.JointGoal{Pos: pos, Moving: f.Smooth}, Done: c.Cancelled}
}

// Follow leads the motion centre to the pose of a sensor, in each cycle, seen from a frame, within the limits of what moves it,
// until it is cancelled. A goal that moves smoothly is followed without delay; of one with noise, or that jumps, the difference
// from cycle to cycle says nothing about where it will be.
type Follow struct {
	Goal   robotics.Sensor[geom.Frame]
	In     *world.Frame
	Smooth bool
}

func (Follow) String() string { return "follow" }

// MapAction reads the sensor.
func (f Follow) MapAction(c *mapping.Context) mapping.Part {
	center := mapping.Param[robotics.MotionCenter](c).Frame
	at := mapping.CartesianPosition{Pose: robotics.Read(c.Net, f.Goal), Of: center, In: f.In}
	return mapping.Part{Flow: mapping.CartesianGoal{CartesianPosition: at, Moving: f.Smooth}, Done: c.Cancelled}
}

// DriveTo brings the motion centre to a pose, seen from a frame, on a path of the actuator's own. Bases drive in the plane: a pose for which
// they would have to rise or to tilt is a mistake.
type DriveTo struct {
	To geom.Frame
	In *world.Frame
}

func (DriveTo) String() string { return "drive to" }

// MapAction returns the goal; the actuator knows when it has arrived.
func (d DriveTo) MapAction(c *mapping.Context) mapping.Part {
	center := mapping.Param[robotics.MotionCenter](c).Frame
	actuator.CheckReach(c, center, d.In, d.To)
	actuator.CheckPlane(c, center, d.In, d.To)
	at := mapping.CartesianPosition{Pose: constant(c, d.To), Of: center, In: d.In}
	return mapping.Part{Flow: mapping.CartesianGoal{CartesianPosition: at}}
}
