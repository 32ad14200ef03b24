package kinematics

import "math"

// span is the range of a joint that turns, prepared for unwinding. Unwinding has no branches that depend on the angle: they
// would often be predicted wrongly, and one wrong prediction costs as much as all the rest.
type span struct {
	min, max     float64
	least, most  float64 // with slack
	wide         bool    // a whole turn or more: every angle is within, some turns away
	low, high    float64 // middles of the turns at the limits
	inner, outer float64 // of a range that is not wide, from the middle to the limits, with less and with more slack
}

func spanOf(j *Joint) span {
	s := span{min: j.Min, max: j.Max, least: j.Min - slack, most: j.Max + slack}
	s.low, s.high = s.least+turn/2, s.most-turn/2
	if s.wide = s.low <= s.high; !s.wide {
		half := (j.Max - j.Min) / 2
		s.inner, s.outer = half-slack, half+slack
		s.low = (j.Min + j.Max) / 2
		s.high = s.low
	}
	return s
}

// edge returns the value within the limits that is nearest to hint.
func (s *span) edge(hint float64) float64 { return max(s.min, min(s.max, hint)) }

// middle returns the middle of the turn in which the values within the limits are that are nearest to hint.
func (s *span) middle(hint float64) float64 { return max(s.low, min(s.high, hint)) }

// turn is unwind for a wide range.
func (s *span) turn(value, middle float64) float64 {
	near := nearest(value, middle)
	if near < s.min || near > s.max { // by rounding, which is rare
		near = s.edge(near)
	}
	return near
}

// near is Joint.Unwind.
func (s *span) near(value, hint float64) (near float64, within bool) {
	if !(math.Abs(hint-value) <= math.MaxFloat64) {
		return hint - value, false
	}
	near, beyond := s.unwind(value, s.middle(hint), hint)
	return near, beyond == 0
}

// unwind is Joint.Unwind of a finite angle, where middle is that for hint. beyond is 1 if no value is within the limits,
// and otherwise 0.
func (s *span) unwind(value, middle, hint float64) (near float64, beyond uint64) {
	if s.wide {
		return s.turn(value, middle), 0
	}
	within := nearest(value, middle)
	off := math.Abs(within - middle)
	beyond = negative(s.outer - off)
	if negative(s.inner-off) != beyond { // at the limit, which is rare as well
		within, beyond = s.hold(within)
	}
	return choose(within, nearest(value, hint), beyond), beyond
}

// hold brings a value that is beyond a limit by no more than rounding to the limit.
func (s *span) hold(value float64) (within float64, beyond uint64) {
	if value >= s.least && value <= s.most {
		return max(s.min, min(s.max, value)), 0
	}
	return value, 1
}

// turn is a whole one.
const turn = 2 * math.Pi

// nearest returns the angle that is the same except for whole turns, of which there are less than 2⁵¹, and next to hint.
func nearest(angle, hint float64) float64 {
	const one = 0x3p51 // of a number of this size the last bit stands for 1
	turns := float64((hint-angle)*(1/turn)+one) - one
	return angle + turn*turns
}

// negative returns 1 for a number below 0, and 0 for one above it.
func negative(v float64) uint64 { return math.Float64bits(v) >> 63 }

// choose returns b if second is 1, and a if it is 0.
func choose(a, b float64, second uint64) float64 {
	bits := math.Float64bits(a)
	return math.Float64frombits(bits ^ (bits^math.Float64bits(b))&-second)
}
