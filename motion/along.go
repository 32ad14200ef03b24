package motion

import (
	"math"

	"github.com/softrobot-rcc/rccd/motion/path"
	"github.com/softrobot-rcc/rccd/motion/profile"
)

// Along is a motion along a path: a law tells the arc length by time. It is made for a path; then nothing of it allocates,
// and it may be planned again in the cycle.
//
// Limits are those of the arc length: path.Path.Limits finds them from those of point and orientation.
type Along struct {
	path   *path.Path
	law    profile.Profile
	goal   profile.State
	limits profile.Limits
}

// NewAlong makes a motion that rests at the start of a path.
func NewAlong(p *path.Path) *Along { return &Along{path: p} }

// Plan makes the fastest motion from one state of the arc length to another one, forwards or backwards. It must not go
// beyond the ends of the path, nor pass a corner, nor arrive there with a velocity: then the result is BeyondLimit.
//
// When there is no motion, that of before stays as it is.
func (a *Along) Plan(from, to profile.State, limits profile.Limits) profile.Result {
	var law profile.Profile
	if r := law.Plan(from, profile.Goal{State: to}, limits); r != profile.Solved {
		return r
	}
	if to.Vel != 0 && a.path.IsCorner(to.Pos) || !a.take(&law) {
		return profile.BeyondLimit
	}
	a.goal, a.limits = to, limits
	return profile.Solved
}

// Stop makes of the motion the one that comes to rest on the path as soon as possible from its time t on, which becomes the
// time 0. Only a motion that was to arrive with a velocity may have come too close to the end of the path, or to a corner;
// then the result is BeyondLimit.
func (a *Along) Stop(t float64) profile.Result {
	var law profile.Profile
	if r := law.Stop(a.law.At(t), a.limits); r != profile.Solved {
		return r
	}
	if !a.take(&law) {
		return profile.BeyondLimit
	}
	return profile.Solved
}

// GoOn makes of the motion, or of one that stops, the one that goes to the goal of its plan from its time t on, which
// becomes the time 0, with limits: the same ones to go on after a stop, others for another speed. Limits that leave too
// little room to brake have the result BeyondLimit.
func (a *Along) GoOn(t float64, limits profile.Limits) profile.Result {
	return a.Plan(a.law.At(t), a.goal, limits)
}

// take makes a law that of the motion, if it stays where the path is smooth.
func (a *Along) take(law *profile.Profile) bool {
	if !a.path.Smooth(reach(law)) {
		return false
	}
	a.law = *law
	return true
}

// Duration is the time at which the motion ends.
func (a *Along) Duration() float64 { return a.law.Duration() }

// Path is what the motion goes along.
func (a *Along) Path() *path.Path { return a.path }

// Law returns the arc length at a time, and how it changes.
func (a *Along) Law(t float64) profile.State { return a.law.At(t) }

// At returns the pose at a time.
func (a *Along) At(t float64) Pose {
	s := a.law.At(t)
	p := a.path.At(s.Pos)
	pose := Pose{p.Frame, p.Velocity(s.Vel), p.Acceleration(s.Vel, s.Acc)}
	if beyond := s.Pos - min(max(s.Pos, 0), a.path.Length()); beyond != 0 && t > a.law.Duration() {
		pose.Frame = pose.Frame.Add(p.First, beyond) // straight on
		pose.Acceleration = p.First.Scale(s.Acc)
	}
	return pose
}

// reach returns the smallest and the largest position of a profile.
func reach(p *profile.Profile) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	add := func(t float64) {
		s := p.At(t)
		low, high = min(low, s.Pos), max(high, s.Pos)
	}
	add(p.Duration())
	for i := range p.Phases() {
		begin, s, jerk := p.Phase(i)
		end := p.Duration()
		if i+1 < p.Phases() {
			end, _, _ = p.Phase(i + 1)
		}
		add(begin)
		first, second := zeros(s.Vel, s.Acc, jerk/2)
		for _, t := range [...]float64{begin + first, begin + second} {
			if begin < t && t < end {
				add(t)
			}
		}
	}
	return low, high
}

// zeros returns where a + b·t + c·t² is 0; what is not is NaN or infinite.
func zeros(a, b, c float64) (first, second float64) {
	q := -(b + math.Copysign(math.Sqrt(b*b-4*a*c), b)) / 2
	return a / q, q / c
}
