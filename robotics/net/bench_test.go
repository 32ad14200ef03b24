package net_test

import (
	"fmt"
	"testing"

	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/robotics/net"
)

// chain makes a net as mapping makes them: steps that follow each other, each with its activation, its share of constants, and
// events that are the same in all steps.
func chain(steps int) *net.Graph {
	g := net.New()
	cancel := net.NewWire[bool](g)
	start := net.Rising(net.Const(g, true))
	var active []net.Signal[bool]
	for i := range steps {
		stop := net.NewWire[bool](g)
		on := net.NewWire[bool](g)
		on.Connect(net.And(net.Or(start, net.Pre(on.Signal)), net.Not(stop.Signal)))
		clock := net.As[float64](g.Add("Core::Clock").Link("inActive", on.Port).Link("inIncrement", net.In(g, fmt.Sprint("speed", i), 1.0).Port).Out("outValue"))
		done := net.Greater(net.Mul(clock, net.Const(g, 1.0)), net.Const(g, 0.5))
		failed := net.Or(net.Not(net.Const(g, true)), net.Rising(net.Not(net.Not(cancel.Signal))))
		stop.Connect(net.Or(net.Pre(done), net.Pre(failed), net.Const(g, false)))
		start = net.Rising(net.And(done, on.Signal))
		active = append(active, on.Signal)
	}
	cancel.Connect(net.Cancelled(g))
	g.Terminate(net.Not(net.Or(active...)))
	return g
}

// shift is a chain of delays, the worst case of a partition that is refined.
func shift(length int) *net.Graph {
	g := net.New()
	v := net.In(g, "v", 0.0)
	for range length {
		v = net.Pre(v)
	}
	net.Publish(g, "v", v)
	g.Terminate(net.Cancelled(g))
	return g
}

// BenchmarkOptimise: the time per primitive must not grow with their number.
func BenchmarkOptimise(b *testing.B) {
	for name, make := range map[string]func(n int) *net.Graph{"chain": func(n int) *net.Graph { return chain(n / 22) }, "shift": shift} {
		for _, n := range []int{500, 5000, 50000} {
			b.Run(fmt.Sprint(name, "-", n), func(b *testing.B) {
				g := make(n)
				var r net.Report
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

// BenchmarkSaved: what the daemon has to do for a net as it was mapped and as it was optimised, to load it and in a cycle.
func BenchmarkSaved(b *testing.B) {
	d := newDaemon(b)
	large := chain(60)
	small, report, err := large.Optimise()
	if err != nil {
		b.Fatal(err)
	}
	b.Log(report)
	for name, g := range map[string]*net.Graph{"mapped": large, "optimised": small} {
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
