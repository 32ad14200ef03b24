package ethercat

import (
	"github.com/softrobot-rcc/rccd/ethercat"
	"github.com/softrobot-rcc/rccd/internal/figures"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Metrics returns the figures of the bus (any).
func (b *Bus) Metrics() []device.Metric {
	t, s := b.state()
	up, missing, apart, phase := 0.0, 0.0, 0.0, 0.0
	var st ethercat.Statistics
	var trips, wakes figures.Distribution
	if s != nil {
		if t.phase == running && t.trouble == "" {
			up = 1
		}
		st, trips, wakes = s.master.Statistics(), s.master.RoundTrips(), s.wakes.Read()
		missing, apart, phase = float64(len(troubles(s.master))), worst(s.master).Seconds(), s.master.Clocks().Error.Seconds()
	}
	list := []device.Metric{
		{Name: "bus_running", Help: "Whether process data are exchanged.", Value: up},
		{Name: "bus_slaves_not_in_op", Help: "Slaves that are not in Op.", Value: missing},
		{Name: "bus_clock_difference_seconds", Help: "Difference of the clock that is farthest from the reference.", Value: apart},
		{Name: "bus_phase_error_seconds", Help: "By how much the newest frame was behind its phase of SYNC0.", Value: phase},
	}
	for _, c := range countsOf(&st) {
		list = append(list, device.Metric{Name: "bus_events_total", Help: "Frames and cycles by what became of them.", Which: c.What, Value: float64(c.Count)})
	}
	return append(list,
		device.Metric{Name: "bus_round_trip_seconds", Help: "Time until all frames of a cycle are back.", Times: &trips},
		device.Metric{Name: "bus_late_seconds", Help: "By how much cycles begin too late.", Times: &wakes},
	)
}
