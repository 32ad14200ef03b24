package graph_test

import (
	"fmt"
	"testing"

	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/robotics/graph"
)

// chain makes a net as mapping makes them: steps that follow each other, each with its activation, its share of constants, and
// events that are the same in all steps.
func chain(steps int) *graph.Graph {
	g := graph.New()
	cancel := graph.NewWire[bool](g)
	start := graph.Rising(graph.Const(g, true))
	var active []graph.Signal[bool]
	for i := range steps {
		stop := graph.NewWire[bool](g)
		on := graph.NewWire[bool](g)
		on.Connect(graph.And(graph.Or(start, graph.Pre(on.Signal)), graph.Not(stop.Signal)))
		clock := graph.As[float64](g.Add("Core::Clock").Link("inActive", on.Port).Link("inIncrement", graph.In(g, fmt.Sprint("speed", i), 1.0).Port).Out("outValue"))
		done := graph.Greater(graph.Mul(clock, graph.Const(g, 1.0)), graph.Const(g, 0.5))
		failed := graph.Or(graph.Not(graph.Const(g, true)), graph.Rising(graph.Not(graph.Not(cancel.Signal))))
		stop.Connect(graph.Or(graph.Pre(done), graph.Pre(failed), graph.Const(g, false)))
		start = graph.Rising(graph.And(done, on.Signal))
		active = append(active, on.Signal)
	}
	cancel.Connect(graph.Cancelled(g))
	g.Terminate(graph.Not(graph.Or(active...)))
	return g
}

// shift returns a chain of delays, the worst case of a partition that is refined.
func shift(length int) *graph.Graph {
	g := graph.New()
	v := graph.In(g, "v", 0.0)
	for range length {
		v = graph.Pre(v)
	}
	graph.Publish(g, "v", v)
	g.Terminate(graph.Cancelled(g))
	return g
}

// BenchmarkOptimise: the time per primitive must not grow with their number.
func BenchmarkOptimise(b *testing.B) {
	for name, make := range map[string]func(n int) *graph.Graph{"chain": func(n int) *graph.Graph { return chain(n / 22) }, "shift": shift} {
		for _, n := range []int{500, 5000, 50000} {
			b.Run(fmt.Sprint(name, "-", n), func(b *testing.B) {
				g := make(n)
				var r graph.Report
				for b.Loop() {
					var err error
					if _, r, err = g.Optimise(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(r.Before.Primitives), "ns/primitive")
				b.ReportMetric(float64(r.After.Primitives)/float64(r.Before.Primitives), "left")
			})
		}
	}
}

// BenchmarkSaved: what the daemon has to do for a net as mapped and as optimised, to load it and in a cycle.
func BenchmarkSaved(b *testing.B) {
	d := newDaemon(b)
	large := chain(60)
	small, report, err := large.Optimise()
	if err != nil {
		b.Fatal(err)
	}
	b.Log(report)
	for name, g := range map[string]*graph.Graph{"mapped": large, "optimised": small} {
		text, err := g.Text()
		if err != nil {
			b.Fatal(err)
		}
		b.Run("load-"+name, func(b *testing.B) {
			for b.Loop() {
				d.compile(b, text)
			}
		})
		b.Run("cycle-"+name, func(b *testing.B) {
			p := d.compile(b, text)
			cy := spec.Cycle{Period: p.Period.Seconds()}
			for b.Loop() {
				cy.N++
				p.Sense(&cy)
				p.Run(&cy)
				p.Act(&cy)
			}
		})
	}
}
