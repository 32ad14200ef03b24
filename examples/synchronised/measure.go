package main

import (
	"context"
	"errors"
	"time"

	"github.com/softrobot-rcc/rccd/examples/internal/program"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// measuring takes place beside the motions, in the daemon, which leaves out no cycle.
type measuring struct{ cycles, distance *program.Newest }

// measure begins when the drives have settled.
func (p *pair) measure() (m measuring, err error) {
	if err := p.robot.Execute(p.ctx, robotics.NewWait(time.Second)); err != nil {
		return m, err
	}
	if m.cycles, err = program.Watch(p.ctx, p.robot, program.Most(robotics.Abs(robotics.Sub(begun(p.left), begun(p.right))))); err != nil {
		return m, err
	}
	m.distance, err = program.Watch(p.ctx, p.robot, program.Most(p.apart()))
	return m, err
}

// end returns how many cycles one has begun after the other, and how far the flanges were from where they should be to each other.
func (m measuring) end(ctx context.Context) (cycles, distance float64, err error) {
	err = errors.Join(m.cycles.Stop(ctx), m.distance.Stop(ctx))
	return m.cycles.Newest(), m.distance.Newest(), err
}

// begun returns the cycle in which an arm has been commanded to move for the first time since it is looked at; until then, the present one.
func begun(a *arm) robotics.Sensor[float64] {
	return robotics.Derived(func(m *mapping.Net) graph.Signal[float64] {
		const least = 1e-8 // rad: less than a motion has covered after a cycle
		first := m.Rises(m.True())
		var moved []graph.Signal[bool]
		for i := range a.Len() {
			now := robotics.Read(m, a.Commanded(i))
			way := graph.Sub(now, graph.Hold(now, first, 0))
			moved = append(moved, graph.Greater(graph.Mul(way, way), m.Real(least*least)))
		}
		cycle := graph.Div(mapping.Link[float64](m.Add("Core::Clock"), "outValue"), m.CycleTime())
		return graph.Hold(cycle, graph.Not(m.Latch(graph.Or(moved...))), 0)
	})
}

// apart returns how much the way from one flange to the other has changed since it is looked at, m.
func (p *pair) apart() robotics.Sensor[float64] {
	return robotics.Length(robotics.Derived(func(m *mapping.Net) graph.Signal[geom.Vector] {
		left, right := robotics.Read(m, robotics.Position(p.left.MeasuredPose())), robotics.Read(m, robotics.Position(p.right.MeasuredPose()))
		way := program.Way(m, left, right)
		return program.Way(m, graph.Hold(way, m.Rises(m.True()), geom.Vector{}), way)
	}))
}
