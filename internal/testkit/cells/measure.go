package cells

import (
	"slices"
	"testing"

	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

// Starts measures the time from commands for a KR 16 to their first cycle, which has been executed when Start returns. The arm is where
// they lead it.
func Starts(b *testing.B, connect func(b *testing.B) *robotics.Runtime) {
	b.Helper()
	point := []float64{0.3, -1.5, 1.5, 0, 1, 0}
	arm := actuator.NewArm("kr16", robots.KR16())
	for name, action := range map[string]robotics.Action{
		"PTP": motions.PTP{To: point},
		"LIN": motions.LIN{To: robots.KR16().Forward(point), In: arm.Base()},
	} {
		b.Run(name, func(b *testing.B) {
			r := connect(b)
			if err := r.Execute(b.Context(), robotics.NewCommand(arm, motions.PTP{To: point})); err != nil {
				b.Fatal(err)
			}
			times := make([]int64, 0, b.N)
			for b.Loop() {
				before := rt.Stopwatch()
				h, err := r.Start(b.Context(), robotics.NewCommand(arm, action))
				times = append(times, rt.Stopwatch()-before)
				if err == nil {
					err = h.Wait(b.Context())
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			Shares(b, times)
		})
	}
}

// Shares reports which times the half and 99 of 100 do not exceed.
func Shares(b *testing.B, times []int64) {
	b.Helper()
	slices.Sort(times)
	for name, share := range map[string]int{"p50-ms": 50, "p99-ms": 99} {
		b.ReportMetric(float64(times[min(len(times)-1, len(times)*share/100)])/1e6, name)
	}
}
