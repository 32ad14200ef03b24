package setpoint

import (
	"math"

	"github.com/softrobot-rcc/rccd/motion/profile"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// follow is what the driver knows of a joint.
type follow struct {
	mode          mode
	out, vel, acc float64 // newest values

	epoch    uint64 // of the stream that is followed
	lt, ct   int64  // set-points of the process data cycle before and of this one
	lp, cp   float64
	lost     int64 // by the stream up to ct
	absent   int64 // how long neither the driver nor the net was there since the newest set-point
	brake    profile.Profile
	brakedAt int64
	hard     float64 // deceleration in mode halting

	rests  bool   // on the last set-point, or comes to rest there
	taken  uint64 // nets that were taken up so far
	oldest int64  // that the newest set-point has been, ns
	usual  int64  // how old set-points are when the next one comes, by those before; it falls slowly

	given [givenWords]uint64
	fresh bool // given is of a net that commands
}

type mode uint8

const (
	resting mode = iota
	following
	braking
	halting  // in front of a limit of position that braking would pass
	settling // on the last set-point
)

// Words of where.
const (
	whereTime = iota
	wherePos
	whereVel
	whereAcc
	whereEnd // the last set-point, while the joint comes to rest on it, else not a number
	whereWords
)

func (x *axis) publish(now int64) {
	f := &x.follow
	end := math.NaN()
	if f.rests {
		end = f.cp
	}
	words := [whereWords]uint64{uint64(now), math.Float64bits(f.out), math.Float64bits(f.vel), math.Float64bits(f.acc), math.Float64bits(end)}
	x.where.Put(words[:])
}

// Commanded returns what a joint is commanded (cycle).
func (a *Axes) Commanded(joint int) device.JointMotion {
	var words [whereWords]uint64
	if x := a.at(joint); x != nil {
		x.where.Get(0, words[:])
	}
	return device.JointMotion{
		Pos: math.Float64frombits(words[wherePos]), Vel: math.Float64frombits(words[whereVel]), Acc: math.Float64frombits(words[whereAcc]),
	}
}

// Now returns the time for which the newest values are (driver, cycle).
func (a *Axes) Now() int64 { return a.now }

// Block says for the next process data cycle that a joint cannot be commanded, and where it is: drives are off, or the joint
// has failed (driver, cycle).
func (a *Axes) Block(joint int, why device.JointFault, position float64) {
	x := a.at(joint)
	if x == nil || why == device.JointGood {
		return
	}
	x.blocked.Store(int32(why))
	x.epoch.Add(1)
	f := &x.follow
	f.mode, f.vel, f.acc, f.rests = resting, 0, 0, false
	if position == position {
		f.out = position
	}
}

// Unblock ends that (driver, cycle).
func (a *Axes) Unblock(joint int) {
	if x := a.at(joint); x != nil && x.blocked.Load() != 0 {
		x.blocked.Store(0)
	}
}

// Revoke lets a joint that can be commanded again not go on by itself: a net that still commands it gets a fault until it has given
// up. Joints that are not commanded are not concerned (driver, cycle).
func (a *Axes) Revoke(joint int, why device.JointFault) {
	x := a.at(joint)
	if x == nil || why == device.JointGood || a.now-x.asked.Load() > x.patient.Load() {
		return
	}
	x.epoch.Add(1)
	x.refused.Store(int32(why))
}

// Stands says where a joint is commanded and how fast that moves, where the actuator has not done what it was commanded: the next values
// go on from there (driver, cycle).
func (a *Axes) Stands(joint int, position, velocity float64) {
	x := a.at(joint)
	if x == nil || position != position || velocity != velocity {
		return
	}
	f := &x.follow
	f.out, f.vel = position, velocity
	if f.mode != following && (f.mode != resting || velocity != 0) {
		f.acc, f.rests = 0, false
		x.brake(a.now)
	}
	x.publish(a.now)
}

// Restart is called after the bus has stood still: earlier times say nothing about later ones (driver, cycle).
func (a *Axes) Restart() { a.smooth.Restart() }

// Values writes the positions for a process data cycle whose time was measured, as far as there is room (driver,
// cycle). Times are Unix times in ns, and those of nets.
func (a *Axes) Values(measured int64, into []float64) {
	estimated := a.smooth.Next(measured)
	now := estimated + a.ahead.Load()
	cycle := a.cycle.Load()
	if !a.begun {
		a.begun, a.now = true, now-cycle
	}
	span := float64(now-a.now) * 1e-9
	axes := a.axes
	if span > 0 {
		away := now - a.now - cycle
		if away < cycle/2 {
			away = 0 // that is jitter
		}
		held := a.collect(estimated, away)
		for i := range axes {
			axes[i].step(a.now, now, away, held, tick{estimated, cycle, a.lapse})
		}
		a.now = now
	}
	for i := 0; i < len(axes) && i < len(into); i++ {
		into[i] = axes[i].follow.out
	}
}

// tick is a process data cycle, for joints.
type tick struct {
	time, cycle int64
	lapse       float64 // Options.Lapse
}

// instant is one that joints are commanded for, by nets of one patience.
type instant struct{ time, lapse int64 }

// collect takes up what nets have given until now, and returns the oldest instant that a joint is commanded for. When the
// driver has been away for some time, and the next set-point has not come in it, then so has the net: whatever has held up both
// is not a reason to let go of the joint, or to lead it on.
func (a *Axes) collect(now, away int64) instant {
	held := instant{time: math.MaxInt64}
	axes := a.axes
	for i := range axes {
		x := &axes[i]
		f := &x.follow
		var given [givenWords]uint64
		if x.given.Get(0, given[:]) {
			if given[wordTime] != f.given[wordTime] {
				f.absent = 0
			}
			f.given = given
		}
		time, lapse := int64(f.given[wordTime]), int64(f.given[wordLapse])
		if away > 0 && float64(now-f.absent-time)*a.lapse >= float64(lapse) {
			f.absent += away
		}
		f.fresh = x.given.Turn() != 0 && f.given[wordEpoch] == x.epoch.Load() && x.refused.Load() == 0 && x.blocked.Load() == 0 &&
			apart(now-f.absent, time) <= lapse
		if f.fresh && time < held.time {
			held = instant{time, lapse}
		}
	}
	return held
}

func apart(a, b int64) int64 {
	if a < b {
		return b - a
	}
	return a - b
}

// step brings a joint to its value for now. The actuator got no commands while the driver was away, so that it goes on from
// where it was, with what it can do in one cycle.
func (x *axis) step(last, now, away int64, held instant, t tick) {
	x.leap(last)
	f := &x.follow
	span := float64(now-last-away) * 1e-9
	soon := shortly(float64(int64(f.given[wordLapse])) * 1e-9 / t.lapse)
	switch {
	case f.fresh:
		x.take(last, held)
		f.rests = x.waits(&t) && x.easy(x.slope(), soon)
		x.track(now-f.absent, span)
	case f.mode == following:
		x.release(last, soon)
		fallthrough
	case f.mode == braking, f.mode == halting, f.mode == settling:
		f.brakedAt += away
		x.decelerate(now, span)
	default:
		x.reinstate(now)
	}
	x.publish(now)
}

// waits reports whether the next set-point should have come, by when those before have.
func (x *axis) waits(t *tick) bool {
	f := &x.follow
	age := t.time - f.absent - f.ct
	f.oldest = max(f.oldest, age)
	return age > f.usual+t.cycle/2
}

// take makes the newest set-point an end of the line, or the one before while other joints of the net still have that.
func (x *axis) take(last int64, held instant) {
	f := &x.follow
	time, pos := int64(f.given[wordTime]), math.Float64frombits(f.given[wordPosition])
	beforeTime, before := int64(f.given[wordBeforeTime]), math.Float64frombits(f.given[wordBeforePosition])
	lost, beforeLost := int64(f.given[wordLost]), int64(f.given[wordBeforeLost])
	if time > held.time && beforeTime == held.time && int64(f.given[wordLapse]) == held.lapse {
		time, pos, lost, beforeTime = beforeTime, before, beforeLost, 0
	}
	if time > f.ct || f.mode != following {
		f.usual, f.oldest = max(f.oldest, f.usual-f.usual/16), 0
	}
	switch {
	case f.mode != following || f.epoch != f.given[wordEpoch] || f.taken != f.given[wordTaken]:
		if f.mode != following {
			f.usual = 0
		}
		f.mode, f.epoch, f.taken = following, f.given[wordEpoch], f.given[wordTaken]
		f.lt, f.lp = last, f.out // where the joint is
		if beforeTime != 0 {
			f.lt, f.lp = beforeTime+lost-beforeLost, before
		}
	case time <= f.ct:
		f.acc = 0 // straight on
		return
	default:
		f.lt, f.lp = f.ct+lost-f.lost, f.cp
	}
	f.ct, f.cp, f.lost = time, pos, lost
	f.acc = math.Float64frombits(f.given[wordAcc])
}

// slope returns the slope of the line through set-points (cycle).
func (x *axis) slope() float64 {
	f := &x.follow
	if f.ct <= f.lt {
		return 0
	}
	return (f.cp - f.lp) / (float64(f.ct-f.lt) * 1e-9)
}

// track goes to where equation 9.1 says, as fast as values may change, or to rest on the newest set-point.
func (x *axis) track(now int64, span float64) {
	f := &x.follow
	target, slope := f.cp, x.slope()
	bounds := Bounds{Vel: x.limits.Vel * x.share, Acc: x.slack, Span: span}
	if f.rests {
		slope, bounds = 0, x.restful(span)
	}
	target += slope * (float64(now-f.ct) * 1e-9) // as in 9.1, seen from the other end, where nothing is rounded
	low, high := x.reach(f.out)
	if target < low {
		target, slope = low, 0
	} else if target > high {
		target, slope = high, 0
	}
	f.out, f.vel = bounds.Within(f.out, f.vel, target, slope, low, high)
}

// release is when no net commands a joint any more: it is to come to rest.
func (x *axis) release(last int64, soon float64) {
	f := &x.follow
	x.epoch.Add(1)
	far := x.limits.Vel*float64(int64(f.given[wordLapse]))*1e-9 + x.limits.Vel*x.limits.Vel/(2*x.limits.Acc)
	if f.rests = x.easy(x.slope(), soon) && math.Abs(f.cp-f.out) <= far; f.rests {
		f.mode, f.acc = settling, 0
		return
	}
	// An acceleration cannot end at once. Of what would lead beyond the limit of velocity, rounding and corners are the cause.
	if room := 2 * x.limits.Jerk * (x.limits.Vel*x.share - math.Abs(f.vel)); f.acc*f.vel > 0 && f.acc*f.acc > room {
		f.acc = math.Copysign(math.Sqrt(max(room, 0)), f.vel)
	}
	x.brake(last)
}

// brake begins to bring a joint to rest from what it does.
func (x *axis) brake(last int64) {
	f := &x.follow
	f.mode, f.brakedAt = braking, last
	if f.brake.Stop(profile.State{Pos: f.out, Vel: f.vel, Acc: f.acc}, x.limits) != profile.Solved {
		f.mode, f.vel, f.acc = resting, 0, 0
		return
	}
	low, high := x.reach(f.out)
	if end := f.brake.At(f.brake.Duration()).Pos; end < low-rounding || end > high+rounding {
		x.halt(low, high)
	}
}

// halt is for a joint that would come to rest beyond a limit of position: a net that was braking in front of it has ended. The
// limit counts for more than the comfort of the jerk, and if need be than that of the acceleration.
func (x *axis) halt(low, high float64) {
	f := &x.follow
	room := high - f.out
	if f.vel < 0 {
		room = f.out - low
	}
	f.mode, f.hard = halting, x.slack
	if need := f.vel * f.vel / (2 * room); need < x.slack {
		f.hard = max(need, x.limits.Acc)
	}
}

func (x *axis) decelerate(now int64, span float64) {
	f := &x.follow
	switch f.mode {
	case halting:
		x.slow(span)
		return
	case settling:
		x.settle(span)
		return
	case braking:
	default:
		return
	}
	passed := float64(now-f.brakedAt) * 1e-9
	at := f.brake.At(passed)
	f.vel, f.acc = (at.Pos-f.out)/span, at.Acc
	f.out = at.Pos
	if passed >= f.brake.Duration() {
		f.mode, f.acc = resting, 0 // and from the next cycle on without velocity
	}
}

// restful are bounds in which a joint comes to rest on the last set-point: it goes back no faster than it came, unless it is far away.
func (x *axis) restful(span float64) Bounds {
	f := &x.follow
	acc := x.limits.Acc * x.share
	fast := max(math.Abs(x.slope()), math.Abs(f.vel), math.Abs(f.cp-f.out)/(few*span), acc*span/few)
	return Bounds{Vel: min(fast, x.limits.Vel*x.share), Acc: acc, Span: span}
}

// settle goes to the last set-point, and rests there (cycle).
func (x *axis) settle(span float64) {
	f := &x.follow
	low, high := x.reach(f.out)
	f.out, f.vel = x.restful(span).Within(f.out, f.vel, f.cp, 0, low, high)
	if f.out == f.cp && f.vel == 0 {
		f.mode, f.rests = resting, false
	}
}

// slow takes off velocity (cycle).
func (x *axis) slow(span float64) {
	f := &x.follow
	before := f.vel
	f.vel = math.Copysign(max(math.Abs(before)-f.hard*span, 0), before)
	f.out += f.vel * span
	if f.acc = (f.vel - before) / span; f.vel == 0 {
		f.mode = resting
	}
}

// reinstate lets a joint that rests be commanded again when those whose set-points were refused have given up.
func (x *axis) reinstate(now int64) {
	x.follow.vel, x.follow.acc = 0, 0
	if refused := x.refused.Load(); refused != 0 && now-x.asked.Load() > x.patient.Load() {
		x.refused.CompareAndSwap(refused, 0)
	}
}
