package preview_test

import (
	"testing"

	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/rcc/preview"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

// BenchmarkPTP tries out a motion from point to point of 3 s, among the devices of a usual cell.
func BenchmarkPTP(b *testing.B) {
	c := cells.New(b, cells.Forgetful())
	p, err := robotics.Map(robotics.NewCommand(actuator.NewArm("kr16", robots.KR16()), motions.PTP{To: []float64{3.1, -1.5, 1.5, 0, 1, 0}}), nil)
	if err != nil {
		b.Fatal(err)
	}
	plan := preview.Plan{Nets: []preview.Net{{Text: p.Text, Start: true}}, From: map[string][]float64{"kr16": {-3.1, -1.5, 1.5, 0, 1, 0}}}
	b.ReportAllocs()
	for b.Loop() {
		r, err := preview.Run(b.Context(), c.Core, &plan)
		if err != nil {
			b.Fatal(err)
		}
		if len(r.Breaches) > 0 || r.Duration < 2.5 {
			b.Fatal(r)
		}
		b.ReportMetric(r.Duration, "s/motion")
	}
}
