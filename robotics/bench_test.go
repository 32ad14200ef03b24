package robotics_test

import (
	"slices"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/net"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// shares reports which times the half and 99 of 100 do not exceed.
func shares(b *testing.B, times []int64) {
	b.Helper()
	slices.Sort(times)
	for name, share := range map[string]int{"p50-ms": 50, "p99-ms": 99} {
		b.ReportMetric(float64(times[min(len(times)-1, len(times)*share/100)])/1e6, name)
	}
}

// BenchmarkStart is the time from the command to its first cycle, which has been executed when Start returns. Arms move in real
// time.
func BenchmarkStart(b *testing.B) {
	for name, action := range map[string]func(arm *robotics.Arm) robotics.Action{
		"PTP": func(*robotics.Arm) robotics.Action { return robotics.PTP{To: point} },
		"LIN": func(arm *robotics.Arm) robotics.Action { return robotics.LIN{To: poseAt(point), In: arm.Base()} },
	} {
		b.Run(name, func(b *testing.B) {
			r := cells.New(b, cells.Only("kr16", "tx90"), cells.InRealTime()).Connect()
			arm := kr16()
			if err := r.Execute(b.Context(), robotics.NewCommand(arm, robotics.PTP{To: point})); err != nil {
				b.Fatal(err)
			}
			times := make([]int64, 0, b.N)
			for b.Loop() {
				before := rt.Stopwatch()
				h, err := r.Start(b.Context(), robotics.NewCommand(arm, action(arm)))
				times = append(times, rt.Stopwatch()-before)
				if err == nil {
					err = h.Wait(b.Context())
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			shares(b, times)
		})
	}
}

// twoArms is a linear motion of two arms together.
func twoArms() robotics.Command {
	first, second := kr16(), robotics.NewArm("tx90", robots.TX90L())
	if _, err := world.Relate(first.Base(), second.Base(), geom.Frame{Pos: geom.Vector{X: 1.6}}); err != nil {
		panic(err)
	}
	table := first.Base().Place("table", geom.Frame{Pos: geom.Vector{X: 1}})
	return robotics.Parallel(
		robotics.NewCommand(first, robotics.LIN{To: geom.Frame{Pos: geom.Vector{Y: 0.2, Z: 1}}, In: table}),
		robotics.NewCommand(second, robotics.LIN{To: geom.Frame{Pos: geom.Vector{Y: -0.2, Z: 1}}, In: table}),
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
		{"PTP", func() robotics.Command { return robotics.NewCommand(arm, robotics.PTP{To: point}) }},
		{"LIN", func() robotics.Command { return robotics.NewCommand(arm, robotics.LIN{In: table}) }},
		{"SYNC-LIN", twoArms},
	} {
		b.Run(of.name, func(b *testing.B) {
			var p *robotics.Program
			for b.Loop() {
				var err error
				if p, err = robotics.Map(of.make(), net.Standard()); err != nil {
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
	shares(b, times)
}
