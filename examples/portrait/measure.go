package main

import (
	"context"
	"errors"
	"math"

	"github.com/softrobot-rcc/rccd/examples/internal/program"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// measuring takes place beside the drawing, in the daemon, which leaves out no cycle.
type measuring struct {
	moved, drawn, astray, depth *program.Newest
	record                      *program.Recording
}

func (s *studio) measure(ctx context.Context, robot *robotics.Runtime) (m measuring, err error) {
	for _, of := range []struct {
		into   **program.Newest
		sensor robotics.Sensor[float64]
	}{
		{&m.moved, program.Most(s.moved())}, {&m.drawn, s.drawn()}, {&m.astray, program.Most(s.astray())}, {&m.depth, program.Most(s.depth())},
	} {
		if *of.into, err = program.Watch(ctx, robot, of.sensor); err != nil {
			return m, err
		}
	}
	m.record, err = program.Record(ctx, robot, s.recorded()...)
	return m, err
}

func (m measuring) stop(ctx context.Context) error {
	return errors.Join(m.moved.Stop(ctx), m.drawn.Stop(ctx), m.astray.Stop(ctx), m.depth.Stop(ctx), m.record.Stop(ctx))
}

// touching is how far from the board the pen leaves ink, m.
const touching = 0.0005

// place returns where the pen is measured, seen from the board.
func (s *studio) place() robotics.Sensor[geom.Vector] {
	return robotics.Position(robotics.Derived(func(m *mapping.Net) graph.Signal[geom.Frame] {
		artist, holder := robotics.Read(m, s.artist.MeasuredPose()), robotics.Read(m, s.holder.MeasuredPose())
		toHolder := graph.Const(m.Graph, surface.Invert())
		return m.Mul(toHolder, m.Invert(holder), graph.Const(m.Graph, s.apart.Invert()), artist, graph.Const(m.Graph, tip))
	}))
}

// depth returns how deep the pen is pressed.
func (s *studio) depth() robotics.Sensor[float64] {
	return robotics.Max(robotics.Constant(0.0), robotics.Mul(robotics.Constant(-1.0), robotics.Component(s.place(), robotics.Z)))
}

// astray returns how far the pen is from the nearest line, while it leaves ink.
func (s *studio) astray() robotics.Sensor[float64] {
	return robotics.Derived(func(m *mapping.Net) graph.Signal[float64] {
		x, y := robotics.Read(m, robotics.Component(s.place(), robotics.X)), robotics.Read(m, robotics.Component(s.place(), robotics.Y))
		nearest := m.Real(math.MaxFloat32)
		for _, stroke := range face() {
			for i, to := range stroke[1:] {
				nearest = graph.Min(nearest, square(m, x, y, stroke[i], to))
			}
		}
		distance := mapping.Link[float64](m.Add("Core::DoubleSquareRoot").Link("inValue", nearest.Port), "outValue")
		z := robotics.Read(m, robotics.Component(s.place(), robotics.Z))
		return graph.If(graph.Less(z, m.Real(touching)), distance, m.Real(0))
	})
}

// drawn returns how long the lines are that the pen has drawn since it is looked at.
func (s *studio) drawn() robotics.Sensor[float64] {
	return robotics.Derived(func(m *mapping.Net) graph.Signal[float64] {
		step := func(axis robotics.Axis) graph.Signal[float64] {
			at := robotics.Read(m, robotics.Component(s.place(), axis))
			return graph.Sub(at, graph.Pre(at))
		}
		x, y, z := step(robotics.X), step(robotics.Y), robotics.Read(m, robotics.Component(s.place(), robotics.Z))
		way := mapping.Link[float64](m.Add("Core::DoubleSquareRoot").Link("inValue", graph.Add(graph.Mul(x, x), graph.Mul(y, y)).Port), "outValue")
		before := graph.NewWire[float64](m.Graph)
		sum := graph.If(graph.IsNull(before.Signal), m.Real(0), graph.Add(before.Signal, graph.If(graph.Less(z, m.Real(touching)), way, m.Real(0))))
		before.Connect(graph.Pre(sum))
		return sum
	})
}

// moved returns how far the holder has gone since it is looked at.
func (s *studio) moved() robotics.Sensor[float64] {
	return robotics.Length(robotics.Derived(func(m *mapping.Net) graph.Signal[geom.Vector] {
		at := robotics.Read(m, robotics.Position(s.holder.MeasuredPose()))
		return program.Way(m, graph.Hold(at, m.Rises(m.True()), geom.Vector{}), at)
	}))
}

// square returns the square of the distance from a place to a line between two points.
func square(m *mapping.Net, x, y graph.Signal[float64], from, to geom.Vector) graph.Signal[float64] {
	way := to.Sub(from)
	length := way.Length()
	x, y = graph.Sub(x, m.Real(from.X)), graph.Sub(y, m.Real(from.Y))
	along := graph.Add(graph.Mul(x, m.Real(way.X/length/length)), graph.Mul(y, m.Real(way.Y/length/length)))
	along = graph.Max(m.Real(0), graph.Min(m.Real(1), along))
	x, y = graph.Sub(x, graph.Mul(along, m.Real(way.X))), graph.Sub(y, graph.Mul(along, m.Real(way.Y)))
	return graph.Add(graph.Mul(x, x), graph.Mul(y, y))
}

// The recorded ports.
const (
	penX = iota // seen from the board
	penY
	penZ
	groundX // seen from the ground
	groundY
)

func (s *studio) recorded() []robotics.Sensor[float64] {
	ground := robotics.Position(robotics.Derived(func(m *mapping.Net) graph.Signal[geom.Frame] {
		return m.Mul(robotics.Read(m, s.artist.MeasuredPose()), graph.Const(m.Graph, tip))
	}))
	return []robotics.Sensor[float64]{
		penX: robotics.Component(s.place(), robotics.X), penY: robotics.Component(s.place(), robotics.Y), penZ: robotics.Component(s.place(), robotics.Z),
		groundX: robotics.Component(ground, robotics.X), groundY: robotics.Component(ground, robotics.Y),
	}
}
