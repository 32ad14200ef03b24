package simarm_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/conform"
)

// BenchmarkCell is one millisecond of a cell with 46 joints (chapter 12): four LWRs and three TX90Ls. Each joint moves, and is
// commanded and looked at by a net.
func BenchmarkCell(b *testing.B) {
	var arms []*conform.Mechanism
	joints := 0
	for i := range 7 {
		kind := "kuka_lwr_sim"
		if i >= 4 {
			kind = "staubli_tx90_sim"
		}
		arms = append(arms, conform.Ticking(open(b, kind, params{"cycle": "1ms"})))
		joints += arms[i].Joints()
	}
	if joints != 46 {
		b.Fatal(fmt.Errorf("%d joints", joints))
	}
	home := make([][]float64, len(arms))
	for i, m := range arms {
		for j := range m.Joints() {
			home[i] = append(home[i], m.Joint(j).Commanded.Pos)
		}
	}
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		way := 0.05 * (1 - math.Cos(float64(n)*0.002))
		for i, m := range arms {
			now := m.Now()
			for j, from := range home[i] {
				if m.Joint(j).Fault == 0 && m.CheckPosition(j, from+way) == 0 {
					m.CommandPosition(j, from+way, now)
				}
			}
			m.Cycle()
		}
	}
	b.StopTimer()
	for i, m := range arms {
		for j := range home[i] {
			if s := m.Joint(j); s.Fault != 0 || b.N > 1000 && s.Commanded.Vel == 0 {
				b.Fatalf("arm %d, joint %d: %+v", i, j, s)
			}
		}
	}
}
