package beckhoff

import (
	"math"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Raw values at the end of the range (facts of terminals). Newer terminals may keep a share of their numbers for what is beyond it.
const (
	fullLegacy   = 32767
	fullExtended = 30518
)

// scale is how raw numbers of a channel and its values belong together.
type scale struct {
	full, least float64 // raw number at the end of the range; lowest value as a share of it
	zero, span  float64 // values at 0, and from there to the end
}

// newScale makes the scale of a signal. A value is multiplied by a factor, and moved by an offset.
func newScale(g signal, full, factor, offset float64) scale {
	zero, span := g.line()
	return scale{full: full, least: g.least(), zero: zero*factor + offset, span: span * factor}
}

// value returns the value of a raw number (cycle).
func (s *scale) value(raw int64) float64 { return s.zero + s.span*max(-1, float64(raw)/s.full) }

// raw returns the number for a value, of what can be driven (cycle).
func (s *scale) raw(v float64) int64 {
	return int64(math.Round(max(s.least, min(1, (v-s.zero)/s.span)) * s.full))
}

// beyond reports whether a value cannot be driven (any).
func (s *scale) beyond(v float64) bool {
	const rounding = 1e-9
	share := (v - s.zero) / s.span
	return share > 1+rounding || share < s.least-rounding
}

// perChannel are numbers for each channel, of which one is for all.
func perChannel(name string, given []float64, channels int, usual float64) ([]float64, error) {
	if len(given) > 1 && len(given) != channels {
		return nil, device.WrongParam(name, "%d numbers for %d channels", len(given), channels)
	}
	all := make([]float64, channels)
	for i := range all {
		switch {
		case len(given) == 0:
			all[i] = usual
		case len(given) == 1:
			all[i] = given[0]
		default:
			all[i] = given[i]
		}
		if math.IsNaN(all[i]) || math.IsInf(all[i], 0) {
			return nil, device.WrongParam(name, "%v is not finite", all[i])
		}
	}
	return all, nil
}
