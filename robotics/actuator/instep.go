package actuator

import (
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// InStep is a parameter of motions of one transaction: those with the same step begin together, at rest, are at the same share of their
// paths in each cycle, and end together (§11.2.1), as fast as the slowest of them. When one is cancelled or fails all come to rest, at the
// same share again. PTP goes on a straight line of joints.
type InStep struct{ Step *Step }

// Step identifies motions that are in step.
type Step struct{ _ byte } // so that pointers differ

// NewStep returns a step for motions of a transaction.
func NewStep() *Step { return &Step{} }

// pacing leads all motions of a step by the share of their paths.
type pacing struct {
	vel, acc, jerk    graph.Wire[float64]
	pace              graph.Wire[float64] // share of the speed
	active, cancelled graph.Wire[bool]
	share             graph.Signal[float64]
	Generator

	of []paced
}

// paced is a motion in step, with its limits, as shares of its path.
type paced struct {
	active, cancelled graph.Signal[bool]
	pace              graph.Signal[float64]
	vel, acc, jerk    graph.Signal[float64]
}

type stepKey struct{ step *Step }

// advance leads a place on a path from 0 to its length, in step with others.
func (s *Step) advance(c *mapping.Context, pace, length, vel, acc, jerk graph.Signal[float64]) (graph.Signal[float64], Generator) {
	p := mapping.Once(c.Net, stepKey{s}, func() *pacing { return newPacing(c) })
	p.of = append(p.of, paced{c.Active, c.Cancelled, pace, graph.Div(vel, length), graph.Div(acc, length), graph.Div(jerk, length)})
	return graph.Mul(p.share, length), p.Generator
}

func newPacing(c *mapping.Context) *pacing {
	p := &pacing{
		pace: graph.NewWire[float64](c.Graph), vel: graph.NewWire[float64](c.Graph), acc: graph.NewWire[float64](c.Graph), jerk: graph.NewWire[float64](c.Graph),
		active: graph.NewWire[bool](c.Graph), cancelled: graph.NewWire[bool](c.Graph),
	}
	all := *c
	all.Active, all.Cancelled = p.active.Signal, p.cancelled.Signal
	place, g := byItself(&all, func() graph.Signal[float64] { return p.pace.Signal }, c.Real(1), p.vel.Signal, p.acc.Signal, p.jerk.Signal)
	p.share = orElse(place, c.Real(0))
	notBegun := graph.Not(c.Definite(p.active.Signal))
	p.Generator = Generator{graph.Or(g.Done, c.And(p.cancelled.Signal, notBegun)), g.Left}
	c.AtEnd(func() { p.connect(c) })
	return p
}

// connect makes the generator go on while any of the motions does, from when all have begun.
func (p *pacing) connect(c *mapping.Context) {
	first := p.of[0]
	begun, going, cancelled := first.active, first.active, first.cancelled
	for _, o := range p.of[1:] {
		begun, going, cancelled = c.And(begun, o.active), graph.Or(going, o.active), graph.Or(cancelled, o.cancelled)
		first.pace = graph.Min(first.pace, o.pace)
		first.vel, first.acc, first.jerk = graph.Min(first.vel, o.vel), graph.Min(first.acc, o.acc), graph.Min(first.jerk, o.jerk)
	}
	p.active.Connect(c.And(c.Latch(begun), going))
	p.cancelled.Connect(cancelled)
	p.pace.Connect(first.pace)
	p.vel.Connect(first.vel)
	p.acc.Connect(first.acc)
	p.jerk.Connect(first.jerk)
}

// inLine leads joints from where they are to a goal on a straight line, in step with others.
func inLine(c *mapping.Context, j *Joints, to []graph.Signal[float64], l limits) ([]graph.Signal[float64], Generator) {
	const none = 1e-9 // the path below which there is none
	from, way := make([]graph.Signal[float64], len(to)), make([]graph.Signal[float64], len(to))
	var vel, acc, jerk graph.Signal[float64]
	for i, last := range j.Last(c.Net) {
		from[i] = graph.Hold(last, graph.Rising(c.Active), 0)
		way[i] = graph.Sub(to[i], from[i])
		size := graph.Max(abs(way[i]), c.Real(none))
		v, a, k := graph.Div(c.Real(l.vel[i]), size), graph.Div(c.Real(l.acc[i]), size), graph.Div(c.Real(l.jerk[i]), size)
		if i > 0 {
			v, a, k = graph.Min(vel, v), graph.Min(acc, a), graph.Min(jerk, k)
		}
		vel, acc, jerk = v, a, k
	}
	share, g := advanceAt(c, func() graph.Signal[float64] { return overrideOf(c) }, c.Real(1), vel, acc, jerk)
	pos := make([]graph.Signal[float64], len(to))
	for i := range pos {
		pos[i] = graph.Add(from[i], graph.Mul(share, way[i]))
	}
	return pos, g
}
