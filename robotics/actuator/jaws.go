package actuator

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// Jaws is the gripper of a youBot.
type Jaws struct{ Device string }

func (j Jaws) String() string { return j.Device }

// Understands returns openings.
func (j Jaws) Understands() []mapping.Flow { return []mapping.Flow{OpenJaws{}} }

// Defaults are none.
func (j Jaws) Defaults() []robotics.Param { return nil }

// MapActuator opens it. Jaws that hold something never reach their goal: a program that closes them on it cancels the command, and they
// go on holding it.
func (j Jaws) MapActuator(c *mapping.Context, flow mapping.Flow) mapping.Part {
	p := c.Add("KUKA::youBot::Gripper").Set("Robot", j.Device).Link("inActive", c.Active.Port)
	p.Set("Distance", flow.(OpenJaws).Distance) //nolint:forcetypeassert // it is what Understands says
	return mapping.Part{Done: graph.Or(mapping.Link[bool](p, "outCompleted"), c.Cancelled)}
}

// OpenJaws opens or closes jaws to a distance, 0 to 0.023 m.
type OpenJaws struct{ Distance float64 }

func (o OpenJaws) String() string { return fmt.Sprintf("open %v m", o.Distance) }

// MapAction says the distance.
func (o OpenJaws) MapAction(c *mapping.Context) mapping.Part {
	const most = 0.023
	if !(o.Distance >= 0 && o.Distance <= most) {
		c.Fail(fmt.Errorf("jaws at %v m: %w, they open up to %v m", o.Distance, robotics.ErrBeyond, most))
		o.Distance = 0
	}
	return mapping.Part{Flow: o}
}

// Distance returns how far the jaws are open, m.
func (j Jaws) Distance() robotics.Sensor[float64] { return jawsSensor{j.Device} }

type jawsSensor struct{ device string }

// MapSensor reads it.
func (s jawsSensor) MapSensor(m *mapping.Net) graph.Signal[float64] {
	return mapping.Link[float64](m.Add("KUKA::youBot::GripperMonitor").Set("Robot", s.device), "outDistance")
}
