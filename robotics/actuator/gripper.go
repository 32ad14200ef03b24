package actuator

import (
	"fmt"
	"strings"

	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// Gripper is a gripper of Schunk's WSG series.
type Gripper struct{ Device string }

func (g Gripper) String() string { return g.Device }

// GripperJob is a job of a gripper: the name of a primitive and its parameters.
type GripperJob struct {
	Does   string
	Params map[string]any
}

// Understands are jobs.
func (g Gripper) Understands() []mapping.Flow { return []mapping.Flow{GripperJob{}} }

// Defaults are none.
func (g Gripper) Defaults() []robotics.Param { return nil }

// FaultGripper means that a gripper job failed.
const FaultGripper = "gripper job failed"

// MapActuator has the gripper do its job. A job that has begun takes its time, also when the command is cancelled: a job cannot
// be left half done.
func (g Gripper) MapActuator(c *mapping.Context, flow mapping.Flow) mapping.Part {
	job := flow.(GripperJob) //nolint:forcetypeassert // it is what Understands says
	p := c.Add("schunkwsg::"+job.Does).Set("Device", g.Device).Link("inActive", c.Active.Port)
	for _, name := range []string{"Width", "OpenWidth", "Speed", "Force", "Direction", "RelativeMotion", "StopOnBlock"} {
		v, set := job.Params[name]
		if !set {
			continue
		}
		switch f, is := v.(float64); {
		case !is || mapping.IsNumber(f) && f > 0:
		case name == "Speed":
			c.Fail(fmt.Errorf("speed %v: %w", f, robotics.ErrPositive))
		case f != 0:
			c.Fail(fmt.Errorf("%s %v: %w", strings.ToLower(name), f, robotics.ErrNegative))
		}
		p.Set(name, v)
	}
	done := mapping.Link[bool](p, "outFinished")
	none := c.Add("Core::IntValue").Out("outValue")
	good := mapping.Link[bool](c.Add("Core::IntEquals").Link("inFirst", p.Out("outStatusCode")).Link("inSecond", none), "outValue")
	return mapping.Part{Done: done, Faults: []mapping.Fault{{Name: FaultGripper, Of: g.Device, Is: c.And(done, graph.Not(good))}}}
}

// Grasp closes the fingers until they hold something of a width, in m, at a speed in m/s.
type Grasp struct{ Width, Speed float64 }

func (Grasp) String() string { return "grasp" }

// MapAction says the job.
func (g Grasp) MapAction(*mapping.Context) mapping.Part {
	return mapping.Part{Flow: GripperJob{"Grasping", map[string]any{"Width": g.Width, "Speed": g.Speed}}}
}

// Release opens the fingers to a width, in m, at a speed in m/s.
type Release struct{ Width, Speed float64 }

func (Release) String() string { return "release" }

// MapAction says the job.
func (r Release) MapAction(*mapping.Context) mapping.Part {
	return mapping.Part{Flow: GripperJob{"Releasing", map[string]any{"OpenWidth": r.Width, "Speed": r.Speed}}}
}

// MoveFingers moves the fingers to a width, in m, at a speed in m/s, with nothing between them.
type MoveFingers struct{ Width, Speed float64 }

func (MoveFingers) String() string { return "move fingers" }

// MapAction says the job.
func (f MoveFingers) MapAction(*mapping.Context) mapping.Part {
	return mapping.Part{Flow: GripperJob{"Prepositioning", map[string]any{"Width": f.Width, "Speed": f.Speed, "RelativeMotion": false}}}
}

// Home moves the fingers to their reference position.
type Home struct{ Inwards bool }

func (Home) String() string { return "home" }

// MapAction says the job.
func (h Home) MapAction(*mapping.Context) mapping.Part {
	return mapping.Part{Flow: GripperJob{"Homing", map[string]any{"Direction": !h.Inwards}}}
}

// Width returns the opening of the fingers, and Force their force, as the gripper reports.
func (g Gripper) Width() robotics.Sensor[float64] { return gripperSensor{g.Device, "outOpeningWidth"} }

// Force returns the force of the fingers, N.
func (g Gripper) Force() robotics.Sensor[float64] { return gripperSensor{g.Device, "outForce"} }

type gripperSensor struct{ device, port string }

// MapSensor reads it.
func (s gripperSensor) MapSensor(m *mapping.Net) graph.Signal[float64] {
	return mapping.Link[float64](m.Add("schunkwsg::Monitor").Set("Device", s.device), s.port)
}
