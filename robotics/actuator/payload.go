package actuator

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// Load is attached to the last joint.
type Load struct {
	Mass    float64     // kg
	COM     geom.Vector // centre of mass, m
	Inertia geom.Vector // about its axes, kg·m²
}

// check returns an error for impossible loads.
func (l *Load) check(c *mapping.Context) {
	for _, v := range []float64{l.Mass, l.Inertia.X, l.Inertia.Y, l.Inertia.Z} {
		if !mapping.IsNumber(v) || v < 0 {
			c.Fail(fmt.Errorf("load of %v kg, moments of inertia %v: %w", l.Mass, l.Inertia, robotics.ErrNegative))
		}
	}
	if !l.COM.Finite() {
		c.Fail(fmt.Errorf("centre of mass %v: %w", l.COM, robotics.ErrNumber))
	}
}

// FaultLoad means that a device does not take a load.
const FaultLoad = "does not take the load"

// SetLoad sets what the last joint of a device carries from now on: how much it weighs, which some controllers must know. That may
// take some time.
type SetLoad struct{ Load }

func (SetLoad) String() string { return "load" }

// MapAction says the load.
func (s SetLoad) MapAction(*mapping.Context) mapping.Part { return mapping.Part{Flow: s.Load} }

func (j *Joints) carry(c *mapping.Context, l Load) mapping.Part {
	l.check(c)
	p := c.Add("RobotArm::ToolParameters").Set("Robot", j.name).Set("Axis", len(j.joints)-1).Link("inActive", c.Active.Port)
	p.Set("Mass", l.Mass).Set("COM", l.COM).Set("MOI", l.Inertia)
	return told(c, j.name, p)
}

// told waits until a device uses a new load.
func told(c *mapping.Context, device string, p *graph.Primitive) mapping.Part {
	code, none := mapping.Link[int32](p, "outError"), graph.Const(c.Graph, int32(0))
	refused := graph.Or(graph.Greater(code, none), graph.Less(code, none))
	return mapping.Part{
		Done: mapping.Link[bool](p, "outCompleted"), Faults: []mapping.Fault{{Name: FaultLoad, Of: device, Is: refused}},
	}
}

// SetTool sets what the flange of a lightweight robot carries from now on, and where its tip is: it is the tip that springs
// hold under Cartesian impedance, and at which forces are measured. That takes some time.
type SetTool struct {
	Load
	Tip *world.Frame // which the flange carries; the flange itself if left out
}

func (SetTool) String() string { return "tool" }

// MapAction says the tool.
func (s SetTool) MapAction(*mapping.Context) mapping.Part { return mapping.Part{Flow: s} }

func (l *Lightweight) attach(c *mapping.Context, s SetTool) mapping.Part {
	if s.Tip == nil {
		s.Tip = l.flange
	}
	tip, held := fixed(l.flange, s.Tip)
	if !held {
		c.Fail(fmt.Errorf("frame %v: %w, where it does not move", s.Tip, robotics.ErrNotCarried))
	}
	s.Load.check(c)
	p := c.Add("KUKA::LWR::ToolParameters").Set("robot", l.name).Link("inActive", c.Active.Port)
	p.Link("inMass", c.Real(s.Mass).Port).Link("inMOI", graph.Const(c.Graph, s.Inertia).Port)
	p.Link("inCOM", graph.Const(c.Graph, geom.Frame{Pos: s.COM}).Port).Link("inTCP", graph.Const(c.Graph, tip).Port)
	return told(c, l.name, p)
}
