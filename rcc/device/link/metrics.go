package link

import "github.com/softrobot-rcc/rccd/rcc/device"

// Metrics returns the figures for those who watch many cells: what the device of a Link reports as a device.Meter (any).
func (l *Link) Metrics() []device.Metric {
	s := l.Statistics()
	calls := 0.0
	if _, alive := l.Calling(); alive {
		calls = 1
	}
	list := []device.Metric{
		{Name: "link_alive", Help: "Whether there is a session with the robot.", Value: calls},
		{Name: "link_sessions_total", Help: "Sessions with the robot that have begun.", Value: float64(s.Sessions)},
		{Name: "link_silent_cycles_total", Help: "Cycles of sessions in which no telegram came.", Value: float64(s.Silent)},
	}
	for _, c := range s.telegrams() {
		list = append(list, device.Metric{
			Name: "link_telegrams_total", Help: "Telegrams by what became of them.", Which: c.What, Value: float64(c.Count),
		})
	}
	return append(list,
		device.Metric{Name: "link_cycle_seconds", Help: "Time between two telegrams.", Times: &s.Cycle},
		device.Metric{Name: "link_jitter_seconds", Help: "By how much that was not the cycle.", Times: &s.Jitter},
		device.Metric{Name: "link_answer_seconds", Help: "Time from when a telegram arrived until its answer was sent.", Times: &s.Answer},
	)
}
