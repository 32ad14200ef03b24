package main

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// FlyTo is an action: to a place that a sensor tells, pointing to where another one does, until it is cancelled.
type FlyTo struct {
	Target robotics.Sensor[geom.Vector]
	Yaw    robotics.Sensor[float64]
}

func (FlyTo) String() string { return "fly to" }

// Going is what it says in each cycle: where to be, by coordinates, and where to point to.
type Going struct {
	To  [3]graph.Signal[float64]
	Yaw graph.Signal[float64]
}

// Accelerating is what becomes of that: in directions of the world, m/s².
type Accelerating struct {
	By  [3]graph.Signal[float64]
	Yaw graph.Signal[float64]
}

// MapAction reads the sensors.
func (f FlyTo) MapAction(c *mapping.Context) mapping.Part {
	return mapping.Part{Flow: Going{coordinates(c, robotics.Read(c.Net, f.Target)), robotics.Read(c.Net, f.Yaw)}, Done: c.Cancelled}
}

// Converters returns the two halves of figure 11.9. How they are put together is found by the types of what they say.
func (q Quadcopter) Converters() []mapping.Converter {
	return []mapping.Converter{mapping.Convert(q.cascade), mapping.Convert(q.incline)}
}

// Gains are parameters of the controller.
type Gains struct{ Position, Velocity, Fastest float64 }

// Parameter makes it a parameter of commands.
func (Gains) Parameter() {}

const gravity = 9.81 // m/s²

// cascade makes velocities of distances, and accelerations of velocities. How fast the quadcopter is follows from where it was.
func (q Quadcopter) cascade(c *mapping.Context, g Going) (Accelerating, mapping.Part) {
	gains := mapping.Param[Gains](c)
	seen := robotics.Read(c.Net, q.Position())
	position := coordinates(c, seen)
	var by [3]graph.Signal[float64]
	for i := range by {
		p := controller(c, gains.Position, g.To[i], position[i]).Set("Min", -gains.Fastest).Set("Max", gains.Fastest)
		by[i] = mapping.Link[float64](controller(c, gains.Velocity, mapping.Link[float64](p, "outValue"), velocity(c, position[i])), "outValue")
	}
	by[2] = graph.Add(by[2], c.Real(gravity))
	return Accelerating{by, g.Yaw}, mapping.Part{Faults: []mapping.Fault{{Name: "not seen", Of: q.Device, Is: graph.IsNull(seen)}}}
}

// controller has its proportional part only, which was sufficient there, too.
func controller(c *mapping.Context, gain float64, desired, measured graph.Signal[float64]) *graph.Primitive {
	return c.Add("Ctrl::PID").Set("P", gain).Link("inActive", c.Active.Port).Link("inDesired", desired.Port).Link("inMeasured", measured.Port)
}

// velocity returns how far something has come for a while: longer than a cycle, as the tracking system tells steps of half a millimetre.
func velocity(c *mapping.Context, of graph.Signal[float64]) graph.Signal[float64] {
	const while = 0.03 // s
	before := mapping.Link[float64](c.Add("Core::DoubleAtTime").Set("Age", while).Set("MaxAge", while).Link("inValue", of.Port), "outValue")
	return graph.Div(graph.Sub(of, graph.If(graph.IsNull(before), of, before)), c.Real(while))
}

// incline returns the block ToRPYT: it turns the acceleration into directions of the quadcopter, and finds the attitude for it.
func (q Quadcopter) incline(c *mapping.Context, a Accelerating) (Flying, mapping.Part) {
	yaw := robotics.Read(c.Net, q.Compass())
	cos := mapping.Link[float64](c.Add("Core::DoubleCos").Link("inValue", yaw.Port), "outValue")
	sin := mapping.Link[float64](c.Add("Core::DoubleSin").Link("inValue", yaw.Port), "outValue")
	p := c.Add("QC::RollPitchT").Link("inZ", a.By[2].Port)
	p.Link("inX", graph.Add(graph.Mul(cos, a.By[0]), graph.Mul(sin, a.By[1])).Port)
	p.Link("inY", graph.Sub(graph.Mul(cos, a.By[1]), graph.Mul(sin, a.By[0])).Port)
	angle := func(name string) graph.Signal[float64] { return mapping.Link[float64](p, name) }
	return Flying{angle("outRoll"), angle("outPitch"), a.Yaw, angle("outThrust")}, mapping.Part{}
}

func coordinates(c *mapping.Context, v graph.Signal[geom.Vector]) [3]graph.Signal[float64] {
	p := c.Add("World::VectorToXYZ").Link("inValue", v.Port)
	return [3]graph.Signal[float64]{mapping.Link[float64](p, "outX"), mapping.Link[float64](p, "outY"), mapping.Link[float64](p, "outZ")}
}
