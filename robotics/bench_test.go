package robotics_test

import (
	"slices"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/motions"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// BenchmarkStart is the time from a command to its first cycle, with a daemon in the process.
func BenchmarkStart(b *testing.B) {
	cells.Starts(b, func(b *testing.B) *robotics.Runtime {
		return cells.New(b, cells.Only("kr16"), cells.InRealTime()).Connect()
	})
}

// twoArms returns a linear motion of two arms together.
func twoArms() robotics.Command {
	first, second := kr16(), actuator.NewArm("tx90", robots.TX90L())
	if _, err := world.Relate(first.Base(), second.Base(), geom.Frame{Pos: geom.Vector{X: 1.6}}); err != nil {
		panic(err)
	}
	table := first.Base().Place("table", geom.Frame{Pos: geom.Vector{X: 1}})
	return robotics.Parallel(
		robotics.NewCommand(first, motions.LIN{To: geom.Frame{Pos: geom.Vector{Y: 0.2, Z: 1}}, In: table}),
		robotics.NewCommand(second, motions.LIN{To: geom.Frame{Pos: geom.Vector{Y: -0.2, Z: 1}}, In: table}),
	)
}

// BenchmarkMap is the mapping and the optimiser.
func BenchmarkMap(b *testing.B) {
	arm := kr16()
	table := arm.Base().Place("table", geom.Frame{Pos: geom.Vector{X: 1}})
	for _, of := range []struct {
		name string
		make func() robotics.Command
	}{
		{"PTP", func() robotics.Command { return robotics.NewCommand(arm, motions.PTP{To: point}) }},
		{"LIN", func() robotics.Command { return robotics.NewCommand(arm, motions.LIN{In: table}) }},
		{"SYNC-LIN", twoArms},
	} {
		b.Run(of.name, func(b *testing.B) {
			var p *robotics.Program
			for b.Loop() {
				var err error
				if p, err = robotics.Map(of.make(), graph.Standard()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(p.Report.Before.Primitives), "mapped")
			b.ReportMetric(float64(p.Report.After.Primitives), "optimised")
			b.ReportMetric(float64(p.Report.After.Bytes), "bytes")
		})
	}
}

// BenchmarkLoad is all that is between a command of two arms and a net that is ready.
func BenchmarkLoad(b *testing.B) {
	r := cells.New(b, cells.Only("kr16", "tx90"), cells.InRealTime()).Connect()
	times := make([]int64, 0, b.N)
	for b.Loop() {
		before := rt.Stopwatch()
		h, err := r.Load(b.Context(), twoArms())
		times = append(times, rt.Stopwatch()-before)
		if err == nil {
			err = h.Forget(b.Context())
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	cells.Shares(b, times)
}

// BenchmarkSaved is what the optimiser saves the daemon: to load a net, from its text to Ready, and in a cycle of its motion, on average; of
// all executions, the one that other programs have hindered least.
func BenchmarkSaved(b *testing.B) {
	for name, of := range map[string]string{"PTP": "ptp", "LIN": "lin", "SYNC-LIN": "two arms"} {
		for kind, optimise := range map[string]bool{"mapped": false, "optimised": true} {
			b.Run(name+"-"+kind, func(b *testing.B) {
				var load, cycle []float64
				for b.Loop() {
					s := newScene(b, cells.Only("kr16", "tx90"), cells.Forgetful())
					text, err := robotics.Watched(allGoldens()[of](s), nil, nil, optimise)
					if err != nil {
						b.Fatal(err)
					}
					before := rt.Stopwatch()
					r := s.cell.Load(text)
					load = append(load, float64(rt.Stopwatch()-before)/1e6)
					if err := r.Net.Start(b.Context()); err != nil {
						b.Fatal(err)
					}
					for r.Step() {
					}
					stats, _ := r.Net.Stats()
					cycle = append(cycle, float64(stats.Execution.Mean)/1e3)
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(slices.Min(load), "load-ms")
				b.ReportMetric(slices.Min(cycle), "cycle-us")
			})
		}
	}
}
