package motion

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/motion/profile"
)

// Pace is the rate at which the time of a motion passes: 1 as planned, less to be slower, 0 to stand still. The motion stays
// exactly on its path, be it a line or not, and whatever synchronisation it has. Speeds are overridden by that, and axes
// stopped on their path.
//
// # What it keeps
//
// With r the rate of time, an axis that is planned with velocity v, acceleration a and jerk j moves with
//
//	velocity      v·r
//	acceleration  a·r² + v·r'
//	jerk          j·r³ + 3·a·r·r' + v·r″
//
// A motion may be at its limits of v, a and j at any time. So, with V, A, J those limits and V*, A*, J* what axes are
// allowed to do now, changes of the rate are bounded by
//
//	|r'| ≤ (A* - A·r²)/V,  |r'| ≤ (J* - J·r³)/(6·A·r),  |r″| ≤ (J* - J·r³)/(2·V)
//
// of that axis which leaves least. Then nothing is beyond V*, A* and J*, whatever the motion does.
//
// A joint that is just braking as hard as it may cannot be slowed down more. That is why rates have to stay below the one
// that leaves no room: 1 where a motion is planned for the very limits of the axes. A rate of 0.9 leaves as much room that
// the time stands still after about 1.5 times V/A; the slower it passes, the more room there is. Plan with less, or let
// the motion go at 0.9, if it must be possible to stop on the way; Joints.Stop needs no room, but leaves the way.
//
// All but NewPace is fit for the cycle.
type Pace struct {
	axes   []headroom
	most   float64
	target float64
	now    profile.State // time of the motion, its rate, and by how much that changes
}

// headroom is what an axis is planned to do at most, and what it may do.
type headroom struct{ planned, limits profile.Limits }

// Room returns the rate of time at which motions that are planned within some limits come to those of their axes. A Pace
// must stay below.
func Room(planned, limits []profile.Limits) float64 {
	room := math.Inf(1)
	for i := range planned {
		if i >= len(limits) {
			break
		}
		p, l := planned[i], limits[i]
		room = min(room, l.Vel/p.Vel, math.Sqrt(l.Acc/p.Acc))
		if !steep(p) || !steep(l) {
			room = min(room, math.Cbrt(l.Jerk/p.Jerk))
		}
	}
	return room
}

// NewPace makes a pace for motions that are planned within some limits and must keep to those of their axes, maybe others.
// The rate is never above most, where it begins.
func NewPace(planned, limits []profile.Limits, most float64) (*Pace, error) {
	if len(planned) != len(limits) || len(planned) == 0 {
		return nil, fmt.Errorf("limits of %d axes, planned for %d", len(limits), len(planned))
	}
	p := &Pace{axes: make([]headroom, len(planned)), most: most, target: most, now: profile.State{Vel: most}}
	for i := range planned {
		if !sound(planned[i]) || !sound(limits[i]) {
			return nil, fmt.Errorf("axis %d: %v", i+1, profile.BadLimits)
		}
		p.axes[i] = headroom{planned[i], limits[i]}
	}
	if room := Room(planned, limits); !(most > 0 && most < room) {
		return nil, fmt.Errorf("rate %v of time must be above 0 and below %v", most, room)
	}
	return p, nil
}

// Begin sets the time of the motion, at a rate that does not change.
func (p *Pace) Begin(time, rate float64) {
	p.now = profile.State{Pos: time, Vel: min(max(rate, 0), p.most)}
	p.target = p.now.Vel
}

// To sets the wanted rate, up to the largest one. NaN is ignored.
func (p *Pace) To(rate float64) {
	if rate = min(max(rate, 0), p.most); !math.IsNaN(rate) {
		p.target = rate
	}
}

// Rate returns the rate of time and by how much it changes.
func (p *Pace) Rate() (rate, change float64) { return p.now.Vel, p.now.Acc }

// Step goes on for a time and returns the time of the motion.
//
// A rate that falls makes room on its way, which is used at once. While the rate rises it is the room at the largest one
// that counts.
func (p *Pace) Step(time float64) float64 {
	if !(time > 0 && finite(time)) {
		return p.now.Pos
	}
	if p.now.Acc == 0 && p.now.Vel == p.target {
		p.now.Pos += time * p.now.Vel
		return p.now.Pos
	}
	rate := p.most
	if p.now.Acc < 0 || p.now.Acc == 0 && p.target < p.now.Vel {
		rate = max(0, p.now.Vel)
	}
	var law profile.Profile
	if law.Velocity(p.now, p.target, 0, p.room(rate)) == profile.Solved {
		p.now = law.At(time)
		p.now.Vel = max(0, p.now.Vel) // except for rounding
	}
	return p.now.Pos
}

// room returns within which limits the rate may change when it is not above the given one.
func (p *Pace) room(rate float64) profile.Limits {
	l := profile.Limits{Vel: 2 * p.most, Acc: math.Inf(1), Jerk: math.Inf(1)}
	axes := p.axes
	for i := range axes {
		h := &axes[i]
		l.Acc = min(l.Acc, (h.limits.Acc-h.planned.Acc*rate*rate)/h.planned.Vel)
		if !steep(h.limits) {
			left := h.limits.Jerk - h.planned.Jerk*rate*rate*rate
			l.Acc = min(l.Acc, left/(6*h.planned.Acc*rate))
			l.Jerk = min(l.Jerk, left/(2*h.planned.Vel))
		}
	}
	return l
}

// Apply turns the states that axes have by their motion into those that they have as its time passes.
func (p *Pace) Apply(states []profile.State) {
	r, change := p.now.Vel, p.now.Acc
	for i := range states {
		s := &states[i]
		s.Vel, s.Acc = s.Vel*r, s.Acc*r*r+s.Vel*change
	}
}
