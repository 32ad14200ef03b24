package motion

import (
	"math"

	"github.com/softrobot-rcc/rccd/motion/profile"
)

// Online leads axes from cycle to cycle to goals that may be others in each of them. It is made for a number of axes; then
// nothing of it allocates.
//
// In a cycle it takes what is new – where to go (Aim) or that it should stop (Stop), and where the axes are if that is
// not where it has led them (Set) – and then it goes on for a time (Step). As long as nothing is new it follows the
// courses that it has, at the cost of looking them up; otherwise it plans new ones from the state it is in.
//
// Axes never go beyond limits that they keep, also when goals jump; when they start beyond limits, or limits become
// narrower, they come back as soon as jerk and acceleration allow, and in the case of a limit of acceleration or velocity
// only those limits are passed in the meantime (package profile).
//
// A goal beyond the limits is brought down to them, and Step says BeyondLimit for as long as that is
// the goal: its velocity, its acceleration if the velocity leaves less room for one, and the velocity of a goal that moves
// so fast that it cannot be met, which is followed as fast as possible.
//
// A goal that rests is one to be passed if it has a velocity: the axis goes on with that, or, if there is an acceleration
// too, with the one it has when the acceleration has ended. A goal that moves is followed.
//
// A goal, limits or states that are not finite are refused: what was before remains, and Step says what is wrong until
// something good comes.
type Online struct {
	plan  *Joints
	sync  Sync
	time  float64 // since the plan was made
	doing task
	fresh bool // there is something to plan

	states  []profile.State
	outside bool           // states are not those of the plan
	goals   []profile.Goal // as of the time at which the plan was made, or will be
	next    []profile.Goal // those that were given, until all are known to be good
	limits  []profile.Limits

	placed  Outcome // about the states that were set
	told    Outcome // about the task
	planned Outcome // about the plan
}

// task is what axes do.
type task uint8

const (
	idling task = iota
	aiming
	stopping
)

// NewOnline makes a generator for axes that rest at 0.
func NewOnline(axes int, sync Sync) *Online {
	axes = max(0, axes)
	return &Online{
		plan: NewJoints(axes), sync: min(sync, FullySynchronous),
		states: make([]profile.State, axes), goals: make([]profile.Goal, axes), next: make([]profile.Goal, axes), limits: make([]profile.Limits, axes),
	}
}

// Set sets the states of the axes. It is not needed where they are what Step has returned, and changes nothing then. Axes
// that have no goal yet stay there.
func (o *Online) Set(states []profile.State) {
	own := o.states
	if len(states) < len(own) {
		o.placed = Outcome{profile.BadState, len(states), o.sync}
		return
	}
	same := true
	for i := range own {
		if i >= len(states) {
			break
		}
		if s := &states[i]; !finite(s.Pos) || !finite(s.Vel) || !finite(s.Acc) {
			o.placed = Outcome{profile.BadState, i, o.sync}
			return
		}
		same = same && states[i] == own[i]
	}
	o.placed = Outcome{}
	if !same {
		copy(own, states)
		o.outside, o.fresh = true, true
	}
}

// Aim sets goals and limits. Goals that move are given as of now.
func (o *Online) Aim(goals []profile.Goal, limits []profile.Limits) {
	to, next, within := o.goals, o.next, o.limits
	if n := len(to); len(goals) < n || len(limits) < n {
		o.refuse(profile.BadState, min(len(goals), len(limits)))
		return
	}
	o.told = Outcome{Sync: o.sync}
	same := o.doing == aiming
	for i := range to {
		if i >= len(goals) || i >= len(limits) || i >= len(within) || i >= len(next) {
			break
		}
		switch s := &goals[i].State; {
		case !sound(limits[i]):
			o.refuse(profile.BadLimits, i)
			return
		case !finite(s.Pos) || !finite(s.Vel) || !finite(s.Acc):
			o.refuse(profile.BadState, i)
			return
		}
		kept := false
		if next[i], kept = Within(goals[i], limits[i]); !kept && o.told.Solved() {
			o.refuse(profile.BeyondLimit, i)
		}
		same = same && limits[i] == within[i] && o.expected(&to[i], &next[i])
	}
	if same {
		return
	}
	o.doing, o.fresh = aiming, true
	copy(to, next)
	copy(within, limits)
	o.since(o.time)
}

// since takes back what goals have moved since the plan was made, as if they had been given then.
func (o *Online) since(time float64) {
	goals := o.goals
	for i := range goals {
		if g := &goals[i]; g.Moving {
			g.Pos -= g.Vel * time
		}
	}
}

// expected reports whether a goal is where the one before leads.
func (o *Online) expected(before, goal *profile.Goal) bool {
	if !goal.Moving {
		return *before == *goal
	}
	const rounding = 1e-12
	pos := before.Pos + before.Vel*o.time
	return before.Moving && before.Vel == goal.Vel && math.Abs(pos-goal.Pos) <= rounding*(1+math.Abs(pos))
}

// Stop orders the axes to come to rest within limits, as Joints.Stop does. The next Aim ends that.
func (o *Online) Stop(limits []profile.Limits) {
	within := o.limits
	if len(limits) < len(within) {
		o.refuse(profile.BadLimits, len(limits))
		return
	}
	o.told = Outcome{Sync: o.sync}
	same := o.doing == stopping
	for i := range within {
		if i >= len(limits) {
			break
		}
		if !sound(limits[i]) {
			o.refuse(profile.BadLimits, i)
			return
		}
		same = same && limits[i] == within[i]
	}
	if !same {
		copy(within, limits)
		o.doing, o.fresh = stopping, true
	}
}

func (o *Online) refuse(r profile.Result, axis int) { o.told = Outcome{r, axis, o.sync} }

// Step goes on for a time and writes where the axes are then. It reports what is wrong with its orders, or else how
// the motion came out.
func (o *Online) Step(time float64, into []profile.State) Outcome {
	if !(time > 0 && finite(time)) {
		time = 0
	}
	if o.fresh {
		o.renew()
	}
	if o.doing != idling {
		o.time += time
		o.plan.At(o.time, o.states)
		o.outside = o.doing == aiming && o.coast()
	}
	copy(into, o.states)
	switch {
	case !o.placed.Solved():
		return o.placed
	case !o.told.Solved():
		return o.told
	}
	return o.planned
}

// coast lets axes whose goal was one of acceleration go on from there: for a plan that is the end, but acceleration comes
// to its end within the limit of jerk only. It reports whether there are such axes.
func (o *Online) coast() (coasting bool) {
	axes, goals, limits, states := o.plan.axes, o.goals, o.limits, o.states
	for i := range axes {
		if i >= len(goals) || i >= len(limits) || i >= len(states) {
			break
		}
		goal, l := &goals[i], &limits[i]
		rest := o.time - o.plan.duration
		if o.plan.sync == Asynchronous {
			rest = o.time - axes[i].course.Duration()
		}
		if goal.Acc == 0 || steep(*l) || !(rest > 0) {
			continue
		}
		t, jerk := min(rest, math.Abs(goal.Acc)/l.Jerk), math.Copysign(l.Jerk, -goal.Acc)
		vel := goal.Vel + t*(goal.Acc+t*jerk/2)
		pos := goal.Pos + t*(goal.Vel+t*(goal.Acc/2+t*jerk/6))
		states[i] = profile.State{Pos: pos + (rest-t)*vel, Vel: vel, Acc: goal.Acc + t*jerk}
		if t < rest {
			states[i].Acc = 0
		}
		coasting = true
	}
	return coasting
}

// renew makes a plan from where the axes are. If there is none that of before goes on.
func (o *Online) renew() {
	o.fresh = false
	before := o.time
	switch {
	case o.doing == aiming:
		o.since(-before) // goals as of now
		o.planned = o.plan.Plan(o.sync, o.states, o.goals, o.limits)
	case o.doing == stopping && o.outside:
		axes, states := o.plan.axes, o.states
		for i := range axes {
			if i >= len(states) {
				break
			}
			axes[i].now = states[i]
		}
		o.planned = o.plan.stopFromNow(o.sync, o.limits)
	case o.doing == stopping:
		o.planned = o.plan.Stop(o.time, o.limits)
	}
	switch {
	case o.planned.Solved():
		o.time = 0
	case o.outside:
		o.doing = idling // the plan of before is not for where the axes are
	case o.doing == aiming:
		o.since(before)
	}
}

// Left returns how long the axes still need, to their goals or to rest, if nothing changes.
func (o *Online) Left() float64 {
	if o.doing == idling {
		return 0
	}
	return max(0, o.plan.duration-o.time)
}

// Stopping reports whether Stop was the last order.
func (o *Online) Stopping() bool { return o.doing == stopping }

// Within returns the goal that comes nearest to a goal and keeps limits, and whether that is the goal itself.
func Within(g profile.Goal, l profile.Limits) (near profile.Goal, kept bool) {
	const (
		slower  = 0.999    // than the limit, so that a goal is met some time
		rounded = 1 - 1e-9 // so that rounding does not lead beyond
	)
	near = g
	if g.Moving {
		near.Acc = 0
		if kept = math.Abs(g.Vel) < l.Vel; !kept {
			near.Vel = math.Copysign(slower*l.Vel, g.Vel)
		}
		return near, kept
	}
	if l.Keeps(g.State) {
		return near, true
	}
	near.Vel = min(max(g.Vel, -l.Vel), l.Vel)
	if steep(l) {
		return near, false
	}
	most := min(l.Acc, rounded*math.Sqrt(2*l.Jerk*(l.Vel-math.Abs(near.Vel))))
	near.Acc = min(max(g.Acc, -most), most)
	return near, false
}
