package setpoint

import (
	"math"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// few is how many cycles of a net, or of the driver if those are longer, shortly is.
const few = 5

// shortly is for how long a joint may be at making up for what the first set-point of a net is off by, and how long one that is let go may
// take to rest where it was led last: few cycles, and of slow nets 20 ms, or two cycles if that is more (cycle).
func shortly(cycle float64) float64 { return max(min(few*cycle, 0.02), 2*cycle) } //nolint:mnd // explained above

// lateSwitch is for how many cycles a net may begin late, or early, where velocities may change at once.
const lateSwitch = 3

// start is what a joint did before the net began that commands it.
type start struct {
	vel, acc float64
	time     int64   // when
	lost     int64   // by streams until then, as in stream
	ease     float64 // by which the velocity of the net may be off
}

// distance returns what a joint makes up for within a time: as fast as it can, and at rest again.
func (x *axis) distance(time float64) float64 {
	return min(x.limits.Acc*time*time/4, x.limits.Jerk*time*time*time/32) //nolint:mnd // half of the time to and fro; a quarter
}

// ease returns how fast it gets on the way.
func (x *axis) ease(time float64) float64 { return 2 * x.distance(time) / time }

// easy reports whether a joint that is as fast comes to rest at once, or is back soon.
func (x *axis) easy(vel, soon float64) bool { return math.Abs(vel) <= x.ease(soon)*x.share }

// succeed takes the first set-point of a net for a joint that another net has commanded just now (cycle). It must follow from what that
// one has commanded, or be near it.
func (x *axis) succeed(next stream, jerk float64, at device.Instant, soon float64) device.Refusal {
	s := &x.stream
	if !x.steps && x.sinceBegun(&next) { // that one has hardly begun
		x.give(&next, s)
		return device.Refusal{}
	}
	next.n, next.from = 1, start{vel: s.vel, acc: math.Abs(s.acc), time: s.time - int64(s.span*1e9/2), lost: s.lost}
	if !x.steps && x.limit(&next, jerk, next.span, true).Fault == device.JointGood {
		x.give(&next, s)
		return device.Refusal{}
	}
	goal, vel, off := s.pos+s.vel*next.span, s.vel, 0.0
	if x.easy(s.vel, soon) && math.Abs(next.pos-s.pos) < math.Abs(next.pos-goal) {
		goal, vel = s.pos, 0 // there the joint is to rest
	}
	if x.steps {
		off = lateSwitch * at.Period * math.Abs(s.vel)
	}
	if !x.takeUp(&next, goal, vel, soon, off) {
		return x.beyond(device.JointElsewhere, next.pos, s.pos)
	}
	return device.Refusal{}
}

// takeUp takes the first set-point of a net that is off from where the joint is going to be, by what the joint can make up for soon, and
// by something more (cycle). Values get to the line of the net within their bounds.
func (x *axis) takeUp(next *stream, goal, vel, soon, more float64) bool {
	if !(math.Abs(next.pos-goal) <= x.distance(soon)*x.share+more) {
		return false
	}
	next.vel, next.acc = vel, 0
	next.from.vel, next.from.ease = vel, x.ease(soon)
	next.taken++
	span := int64(next.span * 1e9)
	x.give(next, &stream{time: next.time - span, lost: next.lost, pos: next.pos - vel*float64(span)*1e-9})
	return true
}

// sinceBegun reports whether one of the first set-points of a net follows from what the joint did before the net began: the first one
// may have been off, which does not follow from its difference to the second one.
func (x *axis) sinceBegun(s *stream) bool {
	const first = 3
	if s.n > first || !(math.Abs(s.vel) <= x.limits.Vel*x.share) {
		return false
	}
	passed := float64(s.time-s.from.time-(s.lost-s.from.lost)) * 1e-9
	change := min(x.limits.Acc*(passed-s.span/2), s.from.acc*passed+x.limits.Jerk*passed*passed/2)
	if !(math.Abs(s.vel-s.from.vel) <= change*x.share+s.from.ease) {
		return false
	}
	s.acc = min(max(s.acc, -x.limits.Acc), x.limits.Acc)
	return true
}
