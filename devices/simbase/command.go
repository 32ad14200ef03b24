package simbase

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// alone is how long a base whose pose was refused must be left alone, ns.
const alone = int64(100e6)

// stream is what the net that owns the base has commanded last. It belongs to that net.
type stream struct {
	poses bool
	time  int64
	pos   plane
}

// command is what the drives are commanded.
type command struct {
	poses        bool
	time         int64 // of the net that has commanded
	lapse        int64 // after which it does not count any more, ns
	span         float64
	vel          plane // seen from the base; in poses, from the ground
	before, goal plane
}

// Words of a command.
const (
	wordKind = iota
	wordTime
	wordLapse
	wordSpan
	wordRate   // 3
	wordBefore = wordRate + 3
	wordTo     = wordBefore + 3

	commandWords = wordTo + 3
)

// Kinds of commands.
const (
	nothing = iota
	asVelocity
	asPose
)

// give hands a command to the drives (cycle).
func (b *Base) give(kind uint64, at device.Instant, vel, before, goal plane) {
	var words [commandWords]uint64
	put := func(at int, p plane) {
		words[at], words[at+1], words[at+2] = math.Float64bits(p.x), math.Float64bits(p.y), math.Float64bits(p.a)
	}
	words[wordKind], words[wordTime], words[wordLapse] = kind, uint64(at.Time), uint64(at.Lapse())
	words[wordSpan] = math.Float64bits(at.Period)
	put(wordRate, vel)
	put(wordBefore, before)
	put(wordTo, goal)
	b.given.Put(words[:])
}

// command takes the newest command of nets, if there is one that counts.
func (b *Base) command(now int64) (command, bool) {
	var words [commandWords]uint64
	if !b.given.Get(0, words[:]) || words[wordKind] == nothing {
		return command{}, false
	}
	c := command{
		poses: words[wordKind] == asPose, time: int64(words[wordTime]), lapse: int64(words[wordLapse]),
		span: math.Float64frombits(words[wordSpan]),
		vel:  planeIn(words[wordRate : wordRate+3]), before: planeIn(words[wordBefore : wordBefore+3]), goal: planeIn(words[wordTo : wordTo+3]),
	}
	return c, now-c.time <= c.lapse
}

func planeIn(words []uint64) plane {
	if len(words) < 3 {
		return plane{}
	}
	return plane{math.Float64frombits(words[0]), math.Float64frombits(words[1]), math.Float64frombits(words[2])}
}

// at returns the pose on the line between the two newest ones, and its velocity seen from the ground.
func (c *command) at(now int64) (pose, rate plane) {
	elapsed := float64(now-c.time) * 1e-9
	if elapsed > c.span*(1+1e-9) {
		return c.goal, plane{}
	}
	return plane{c.before.x + c.vel.x*elapsed, c.before.y + c.vel.y*elapsed, c.before.a + c.vel.a*elapsed}, c.vel
}

// CheckVelocity returns a fault if the base cannot reach a twist (cycle).
func (b *Base) CheckVelocity(v geom.Twist) device.PositionFault {
	switch {
	case !v.Vel.Finite() || !v.Rot.Finite():
		return device.PositionNotANumber
	case !b.within(plane{v.Vel.X, v.Vel.Y, v.Rot.Z}, rounding) || max(math.Abs(v.Vel.Z), math.Abs(v.Rot.X), math.Abs(v.Rot.Y)) > flat:
		return device.PositionOutOfRange
	}
	return device.PositionGood
}

const (
	rounding = 1e-9 // by which velocities may be beyond their limits
	margin   = 0.01 // the same of those between poses
	flat     = 1e-6 // by which what is commanded may be out of the plane
)

func (b *Base) within(v plane, share float64) bool {
	share++
	return math.Abs(v.x) <= b.limits.x*share && math.Abs(v.y) <= b.limits.y*share && math.Abs(v.a) <= b.limits.a*share
}

// CommandVelocity commands a twist (cycle).
func (b *Base) CommandVelocity(v geom.Twist, at device.Instant) {
	b.asked.Store(at.Time)
	b.stream.poses = false
	if b.fault() != device.BaseGood || b.CheckVelocity(v) != device.PositionGood {
		b.give(nothing, at, plane{}, plane{}, plane{})
		return
	}
	b.give(asVelocity, at, plane{v.Vel.X, v.Vel.Y, v.Rot.Z}, plane{}, plane{})
}

// PoseChannel returns the channel of the base: the owner may command poses and velocities (any).
func (b *Base) PoseChannel() string { return device.BaseChannel }

// CheckPose returns a fault if the base cannot be at a pose (cycle).
func (b *Base) CheckPose(p geom.Frame) device.PositionFault {
	_, tilt, roll := p.Rot.ABC()
	switch {
	case !p.Pos.Finite() || !p.Rot.Finite():
		return device.PositionNotANumber
	case max(math.Abs(p.Pos.Z), math.Abs(tilt), math.Abs(roll)) > flat:
		return device.PositionOutOfRange
	}
	return device.PositionGood
}

// CommandPose gives the base the set-point for an instant (cycle).
func (b *Base) CommandPose(p geom.Frame, at device.Instant) {
	b.asked.Store(at.Time)
	s := &b.stream
	if b.fault() != device.BaseGood || b.CheckPose(p) != device.PositionGood {
		s.poses = false
		b.give(nothing, at, plane{}, plane{}, plane{})
		return
	}
	goal, before := planeOf(p), s.pos
	elapsed := at.Time - s.time
	if !s.poses || elapsed <= 0 || elapsed > at.Lapse() {
		before, elapsed = b.read(wordPos), int64(at.Period*1e9)
	}
	perSecond := 1e9 / float64(elapsed)
	rate := plane{(goal.x - before.x) * perSecond, (goal.y - before.y) * perSecond, turn(goal.a-before.a) * perSecond}
	if seen := rate.seenFrom(goal.a); !b.within(seen, margin) {
		b.refuse(seen, at)
		return
	}
	*s = stream{true, at.Time, goal}
	at.Period = float64(elapsed) * 1e-9
	b.give(asPose, at, rate, before, goal)
}

// read returns a part of the state (cycle).
func (b *Base) read(word int) plane {
	var words [3]uint64
	b.state.Get(word, words[:])
	return planeIn(words[:])
}

// BaseState returns what is known of the base (cycle).
func (b *Base) BaseState() device.BaseState {
	var words [wordAngles]uint64
	b.state.Get(0, words[:])
	return device.BaseState{
		Pos: planeIn(words[wordPos : wordPos+3]).frame(), Measured: planeIn(words[wordVel : wordVel+3]).twist(),
		Commanded: planeIn(words[wordCommanded : wordCommanded+3]).twist(), Fault: b.fault(),
	}
}

// Pose returns what is known of the base, seen from its origin (cycle).
func (b *Base) Pose() device.PoseState {
	var words [wordAngles]uint64
	b.state.Get(0, words[:])
	pos := planeIn(words[wordPos : wordPos+3]).frame()
	return device.PoseState{
		Measured: pos, MeasuredVel: planeIn(words[wordVel : wordVel+3]).twist().Rotate(pos.Rot),
		Commanded:    planeIn(words[wordGoal : wordGoal+3]).frame(),
		CommandedVel: planeIn(words[wordCommanded : wordCommanded+3]).twist().Rotate(pos.Rot),
		Fault:        b.fault(),
	}
}

// Wheels returns the number of wheels (any).
func (b *Base) Wheels() int { return wheels }

// Wheel returns what is known of a wheel: front left, front right, rear left, rear right (cycle).
func (b *Base) Wheel(wheel int) device.WheelState {
	if wheel < 0 || wheel >= wheels {
		return device.WheelState{}
	}
	var words [wordTurns - wordAngles + wheels]uint64
	b.state.Get(wordAngles, words[:])
	return device.WheelState{Pos: math.Float64frombits(words[wheel]), Vel: math.Float64frombits(words[wheels+wheel])}
}
