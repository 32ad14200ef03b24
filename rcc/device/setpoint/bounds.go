package setpoint

import "math"

// Bounds are what an actuator may be commanded from one of its cycles to the next. Values keep to them in time; where cycles of a
// bus were lost, the actuator has stood still, and its next command must begin there.
type Bounds struct {
	Vel, Acc float64
	Span     float64 // of a cycle, s
}

// Towards goes one cycle on from a position and a velocity to a target that moves by itself (cycle). It gets there as fast as
// the bounds allow, and does not pass it.
func (b Bounds) Towards(pos, vel, target, slope float64) (nextPos, nextVel float64) {
	change := b.Acc * b.Span
	next := (target - pos) / b.Span
	if math.Abs(next) <= b.Vel && math.Abs(next-vel) <= change {
		return target, next
	}
	next = approach(target-slope*b.Span-pos, slope, change, b.Span)
	next = min(max(next, vel-change), vel+change)
	next = min(max(next, -b.Vel), b.Vel)
	return pos + next*b.Span, next
}

// Within is Towards that stays between two positions whatever comes next: near them, it is never so fast that it could not come to
// rest in front of them (cycle).
func (b Bounds) Within(pos, vel, target, slope, low, high float64) (nextPos, nextVel float64) {
	nextPos, nextVel = b.Towards(pos, vel, target, slope)
	change := b.Acc * b.Span
	room := high - pos
	if nextVel < 0 {
		room = pos - low
	}
	most := max(brakingSpeed(max(room, 0), change, b.Span), math.Abs(vel)-change)
	if math.Abs(nextVel) <= most*(1+digits) {
		return nextPos, nextVel
	}
	nextVel = math.Copysign(most, nextVel)
	return pos + nextVel*b.Span, nextVel
}

// approach returns the velocity that brings a joint onto a line that it is away from, as fast as it can be done without
// passing it.
func approach(away, slope, change, span float64) float64 {
	speed := brakingSpeed(math.Abs(away), change, span)
	if away < 0 {
		speed = -speed
	}
	return slope + speed
}

// brakingSpeed returns the greatest speed from which a joint still comes to rest within a way, if its speed falls by change in
// every cycle: braking takes n cycles, whose ways are an arithmetic series.
func brakingSpeed(way, change, span float64) float64 {
	steps := way / (change * span)
	n := max(1, math.Ceil((math.Sqrt(1+8*steps)-1)/2))
	v := way/(n*span) + change*(n-1)/2
	if v != v {
		return 0
	}
	return v
}
