package setpoint

import (
	"math"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// stream is what is known of the set-points of a joint since a net has taken it over. It belongs to the net that owns the
// joint.
type stream struct {
	epoch           uint64
	n               int   // of set-points, 0 while no net commands
	time            int64 // of the newest
	cycle           uint64
	missed          int64 // by its net
	lost            int64 // in all ticks that nets have missed between set-points
	pos, vel, acc   float64
	span, spanOlder float64 // s, that vel and the velocity before are of
	from            start   // of its net
	taken           uint64  // nets that were taken up so far
}

// Command gives a joint the set-point for an instant (cycle). Only the net that owns the joint may do so.
func (a *Axes) Command(joint int, position float64, at device.Instant) {
	x := a.at(joint)
	if x == nil {
		return
	}
	beat := max(at.Period, float64(a.cycle.Load())*1e-9)
	patience := beat * 1e9 * float64(a.options.Lapse)
	if !(patience < 1e18) {
		patience = 1e18
	}
	x.patient.Store(int64(patience))
	x.asked.Store(at.Time)
	if x.blocked.Load() != 0 || x.refused.Load() != 0 {
		x.stream.n = 0
		return
	}
	if x.jump.waits() {
		return
	}
	wrong := x.judge(position, at, patience*1e-9, shortly(beat))
	switch {
	case wrong.Fault == device.JointGood:
	case wrong.Fault == device.JointElsewhere && x.lapsed.Load() && x.stream.goesOn(at): // why that net is refused has been said
		x.stream.n = 0
		x.refused.Store(int32(wrong.Fault))
	default:
		x.refuse(&wrong, at)
	}
}

// judge takes a set-point, or returns the limit that it breaks.
func (x *axis) judge(position float64, at device.Instant, patience, soon float64) device.Refusal {
	if x.check(position) != device.PositionGood {
		return x.beyond(device.JointLimitPosition, position, x.nearest(position))
	}
	s := &x.stream
	lost, onward := s.lostBefore(at), s.goesOn(at)
	next := stream{
		epoch: x.epoch.Load(), n: s.n + 1, time: at.Time, cycle: at.Cycle, missed: at.Missed, lost: s.lost + lost, pos: position,
		from: s.from, taken: s.taken,
	}
	span := float64(at.Time-s.time-lost) * 1e-9
	if s.n > 0 && span == 0 {
		return device.Refusal{} // it has been commanded for this instant already
	}
	if s.n == 0 || s.epoch != next.epoch || !(span > 0) || span > patience {
		wrong := x.begin(next, at, soon)
		if wrong.Fault == device.JointElsewhere {
			wrong.Silence = x.silence(at, patience)
		}
		return wrong
	}
	next.span, next.spanOlder = span, s.span
	next.vel = (position - s.pos) / span
	next.acc = 2 * (next.vel - s.vel) / (span + s.span)
	jerk := 3 * (next.acc - s.acc) / (span + s.span + s.spanOlder)
	if !onward {
		return x.succeed(next, jerk, at, soon)
	}
	if wrong := x.limit(&next, jerk, span, !x.steps); wrong.Fault != device.JointGood && !x.sinceBegun(&next) {
		return wrong
	}
	x.give(&next, s)
	return device.Refusal{}
}

// silence is for how long the set-points of a net were not followed that goes on as if nothing had been: it, or the driver, or both
// did not run. It is 0 for another net, and for one that did not command the joint in that time.
func (x *axis) silence(at device.Instant, patience float64) int64 {
	var where [whereWords]uint64
	s := &x.stream
	x.where.Get(0, where[:])
	silence := max(at.Time, int64(where[whereTime])) - s.time
	switch {
	case s.n == 0 || !s.goesOn(at) || float64(at.Cycle-s.cycle)*at.Period > patience:
		return 0
	case s.epoch != x.epoch.Load(): // the driver has given it up, and did not run for as long at least, or its time stood still
		return max(silence, int64(patience*1e9))
	case float64(silence)*1e-9 <= patience:
		return 0
	}
	return silence
}

// goesOn reports whether an instant is of the same net, by its cycles and the ticks that it has missed.
func (s *stream) goesOn(at device.Instant) bool {
	cycles, lost := int64(at.Cycle)-int64(s.cycle), at.Missed-s.missed
	return cycles > 0 && lost >= 0 && at.Time-s.time-lost == cycles*int64(at.Period*1e9+0.5)
}

// lostBefore returns how much of the time since the newest set-point were ticks that the net has missed. It goes on afterwards as if
// they had not been, so that its set-points are to be judged and followed that way. Set-points of another net are in its own
// time.
func (s *stream) lostBefore(at device.Instant) int64 {
	if !s.goesOn(at) {
		return 0
	}
	return at.Missed - s.missed
}

// begin takes the first set-point of a net for a joint that is not commanded. It must follow from what the joint does, or be near it.
func (x *axis) begin(next stream, at device.Instant, soon float64) device.Refusal {
	var where [whereWords]uint64
	if !x.where.Get(0, where[:]) {
		return x.beyond(device.JointElsewhere, next.pos, next.pos)
	}
	pos, vel, acc := math.Float64frombits(where[wherePos]), math.Float64frombits(where[whereVel]), math.Float64frombits(where[whereAcc])
	span := at.Period
	if late := float64(at.Time-int64(where[whereTime])) * 1e-9; vel != 0 && late > span {
		span = late
	}
	next.n, next.span, next.spanOlder = 1, span, span
	next.vel = (next.pos - pos) / span
	next.acc = (next.vel - vel) / span
	jerk := 0.0
	if vel == 0 {
		jerk = next.acc / span
	}
	next.from = start{vel: vel, acc: math.Abs(acc), time: next.time - int64(span*1e9), lost: next.lost}
	goal, end := pos+vel*span, math.Float64frombits(where[whereEnd])
	if end == end { // it comes to rest on the last set-point
		goal, vel = end, 0
		next.from.ease = math.Abs(next.from.vel)
	}
	if wrong := x.limit(&next, jerk, span, true); wrong.Fault == device.JointGood {
		x.give(&next, &stream{time: next.from.time, lost: next.lost, pos: pos})
		return wrong
	}
	if !x.takeUp(&next, goal, vel, soon, 0) {
		return x.beyond(device.JointElsewhere, next.pos, pos)
	}
	return device.Refusal{}
}

// digits is what rounding makes of a difference of positions.
const digits = 1e-14

// limit returns which limit a set-point is beyond, with changes of velocity or without. Rounding errors of differences do not
// count.
func (x *axis) limit(s *stream, jerk, span float64, changes bool) device.Refusal {
	noise := digits * max(1, math.Abs(s.pos)) / span
	switch {
	case !(math.Abs(s.vel) <= x.limits.Vel*x.share+noise):
		return x.beyond(device.JointLimitVelocity, s.vel, x.limits.Vel)
	case changes && !(math.Abs(s.acc) <= x.limits.Acc*x.share+4*noise/span):
		return x.beyond(device.JointLimitAcceleration, s.acc, x.limits.Acc)
	case changes && !(math.Abs(jerk) <= x.limits.Jerk*x.share+8*noise/(span*span)):
		return x.beyond(device.JointLimitJerk, jerk, x.limits.Jerk)
	}
	return device.Refusal{}
}

func (x *axis) nearest(position float64) float64 {
	if position > x.joint.Max {
		return x.joint.Max
	}
	return x.joint.Min
}

func (x *axis) beyond(f device.JointFault, value, limit float64) device.Refusal {
	return device.Refusal{Fault: f, Value: value, Limit: limit}
}

// give hands a set-point over to the driver, with the one before.
func (x *axis) give(next, before *stream) {
	var words [givenWords]uint64
	words[wordEpoch] = next.epoch
	words[wordTime], words[wordPosition] = uint64(next.time), math.Float64bits(next.pos)
	words[wordBeforeTime], words[wordBeforePosition] = uint64(before.time), math.Float64bits(before.pos)
	words[wordLost], words[wordBeforeLost] = uint64(next.lost), uint64(before.lost)
	words[wordVel], words[wordAcc] = math.Float64bits(next.vel), math.Float64bits(next.acc)
	words[wordLapse], words[wordTaken] = uint64(x.patient.Load()), next.taken
	x.stream = *next
	x.given.Put(words[:])
	if next.vel != 0 && x.lapsed.Load() {
		x.lapsed.Store(false)
	}
}
