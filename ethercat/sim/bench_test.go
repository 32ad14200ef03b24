package sim

import (
	"fmt"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// BenchmarkCycle is what the slaves of a rack need for a frame with clock distribution and process data.
func BenchmarkCycle(b *testing.B) {
	var many strings.Builder
	many.WriteString("slaves:\n  - {type: EK1100}\n")
	for i := range 99 {
		fmt.Fprintf(&many, "  - {type: %s}\n", []string{"EL1809", "EL2809", "EL3104", "EL4134"}[i%4])
	}
	for name, rack := range map[string]string{"6": smallRack, "100": many.String()} {
		b.Run(name, func(b *testing.B) {
			m := newMaster(b, rack)
			m.start(wire.Op)
			m.w.Clear()
			m.w.Add(wire.FRMW, 1, wire.Station(0x1001, wire.RegSystemTime), 8)
			m.w.Write(wire.LRW, 2, wire.Logical(0), m.image)
			sent := m.w.Frame()
			frame := make([]byte, len(sent))
			deliver := func([]byte, int64) {}
			b.ReportAllocs()
			for b.Loop() {
				copy(frame, sent)
				m.now += cycleTime
				m.chain.Process(frame, m.now, deliver)
			}
		})
	}
}
