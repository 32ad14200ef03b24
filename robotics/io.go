package robotics

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// DigitalInput is an input of a device.
type DigitalInput struct {
	Device string
	Port   int
}

// MapSensor reads the input.
func (i DigitalInput) MapSensor(m *mapping.Net) graph.Signal[bool] {
	return mapping.Link[bool](m.Add("IO::InBool").Set("DeviceID", i.Device).Set("Port", i.Port), "outIO")
}

// AnalogInput is an input of a device.
type AnalogInput struct {
	Device string
	Port   int
}

// MapSensor reads the input.
func (i AnalogInput) MapSensor(m *mapping.Net) graph.Signal[float64] {
	return mapping.Link[float64](m.Add("IO::InReal").Set("DeviceID", i.Device).Set("Port", i.Port), "outIO")
}

// DigitalOutput is an output of a device, and a sensor of the value that is set.
type DigitalOutput struct {
	Device string
	Port   int
}

func (o DigitalOutput) String() string { return fmt.Sprintf("%s/out%d", o.Device, o.Port) }

// Understands are states of outputs.
func (o DigitalOutput) Understands() []mapping.Flow { return []mapping.Flow{mapping.Digital{}} }

// Defaults are none.
func (o DigitalOutput) Defaults() []Param { return nil }

// MapActuator sets the output, in cycles in which no other command of the net would (FaultConcurrent).
func (o DigitalOutput) MapActuator(c *mapping.Context, flow mapping.Flow) mapping.Part {
	active, part := alone(c, o)
	p := c.Add("IO::OutBool").Set("DeviceID", o.Device).Set("Port", o.Port).Link("inActive", active.Port)
	p.Link("inIO", flow.(mapping.Digital).Value.Port) //nolint:forcetypeassert // it is what Understands says
	return part
}

// MapSensor reads the value that is set.
func (o DigitalOutput) MapSensor(m *mapping.Net) graph.Signal[bool] {
	return mapping.Link[bool](m.Add("IO::OutBoolSensor").Set("DeviceID", o.Device).Set("Port", o.Port), "outIO")
}

// AnalogOutput is an output of a device, and a sensor of the value that is set.
type AnalogOutput struct {
	Device string
	Port   int
}

func (o AnalogOutput) String() string { return fmt.Sprintf("%s/anout%d", o.Device, o.Port) }

// Understands are values of outputs.
func (o AnalogOutput) Understands() []mapping.Flow { return []mapping.Flow{mapping.Analog{}} }

// Defaults are none.
func (o AnalogOutput) Defaults() []Param { return nil }

// MapActuator sets the output, in cycles in which no other command of the net would (FaultConcurrent).
func (o AnalogOutput) MapActuator(c *mapping.Context, flow mapping.Flow) mapping.Part {
	active, part := alone(c, o)
	p := c.Add("IO::OutReal").Set("DeviceID", o.Device).Set("Port", o.Port).Link("inActive", active.Port)
	p.Link("inIO", flow.(mapping.Analog).Value.Port) //nolint:forcetypeassert // it is what Understands says
	return part
}

// MapSensor reads the value that is set.
func (o AnalogOutput) MapSensor(m *mapping.Net) graph.Signal[float64] {
	return mapping.Link[float64](m.Add("IO::OutRealSensor").Set("DeviceID", o.Device).Set("Port", o.Port), "outIO")
}

// SetDigital sets a digital output, in one cycle.
type SetDigital struct{ Value bool }

func (s SetDigital) String() string { return fmt.Sprintf("= %t", s.Value) }

// MapAction returns the value.
func (s SetDigital) MapAction(c *mapping.Context) mapping.Part {
	return mapping.Part{Flow: mapping.Digital{Value: graph.Const(c.Graph, s.Value)}}
}

// SetAnalog sets an analog output, in one cycle.
type SetAnalog struct{ Value float64 }

func (s SetAnalog) String() string { return fmt.Sprintf("= %v", s.Value) }

// MapAction returns the value.
func (s SetAnalog) MapAction(c *mapping.Context) mapping.Part {
	if !mapping.IsNumber(s.Value) {
		c.Fail(fmt.Errorf("%v: %w", s.Value, ErrNumber))
	}
	return mapping.Part{Flow: mapping.Analog{Value: c.Real(s.Value)}}
}

// FollowDigital sets a digital output to the value of a sensor, in each cycle, until it is cancelled.
type FollowDigital struct{ Value Sensor[bool] }

func (FollowDigital) String() string { return "follow" }

// MapAction reads the sensor.
func (f FollowDigital) MapAction(c *mapping.Context) mapping.Part {
	return mapping.Part{Flow: mapping.Digital{Value: Read(c.Net, f.Value)}, Done: c.Cancelled}
}

// FollowAnalog sets an analog output to the value of a sensor, in each cycle, until it is cancelled.
type FollowAnalog struct{ Value Sensor[float64] }

func (FollowAnalog) String() string { return "follow" }

// MapAction reads the sensor.
func (f FollowAnalog) MapAction(c *mapping.Context) mapping.Part {
	return mapping.Part{Flow: mapping.Analog{Value: Read(c.Net, f.Value)}, Done: c.Cancelled}
}
