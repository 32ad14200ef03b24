package device

import "github.com/softrobot-rcc/rccd/internal/figures"

// Meter is a device that has figures for tools that watch many cells. Its pages show more, to people.
type Meter interface {
	Device
	// Metrics returns the present figures, always the same ones in the same order (any).
	Metrics() []Metric
}

// Metric is a figure of a device.
type Metric struct {
	Name  string // words of small letters with the unit at the end, or _total for what only grows, as in link_sessions_total
	Help  string // a sentence; the same for all of a name
	Which string // where there are several of a name: which one
	Value float64
	Times *figures.Distribution // or times, whose unit is seconds
}
