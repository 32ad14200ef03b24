package motion

import (
	"math"

	"github.com/softrobot-rcc/rccd/motion/profile"
)

// Sync is how axes are synchronised (§2.3).
type Sync uint8

// The synchronisations.
const (
	Asynchronous     Sync = iota // each is as fast as it can
	Synchronous                  // they start and end together
	FullySynchronous             // all changes of acceleration and jerk are at the same time: the axes stay on a straight line
)

// Joints is a motion of several axes from states to goals. It is made for a number of axes; then nothing of it allocates.
type Joints struct {
	axes     []axis
	sync     Sync
	law      profile.Profile // of the way on the straight line, for FullySynchronous
	duration float64
}

type axis struct {
	transfer profile.Transfer
	course   profile.Profile
	from     profile.State
	to       profile.Goal
	share    float64       // of what the axis does that goes furthest
	next     float64       // share, until there is a motion
	now      profile.State // from which it stops
}

// NewJoints returns a motion at rest, with all axes at 0.
func NewJoints(axes int) *Joints { return &Joints{axes: make([]axis, max(0, axes))} }

// Axes returns the number of axes.
func (j *Joints) Axes() int { return len(j.axes) }

// Sync returns how the axes are synchronised, which is not always as requested: see Plan.
func (j *Joints) Sync() Sync { return j.sync }

// Duration returns the time at which the last axis has arrived.
func (j *Joints) Duration() float64 { return j.duration }

// Plan makes the fastest motion. FullySynchronous needs velocities and accelerations, at the start and at the end, that
// are in the same ratio as the ways of the axes, as in particular those of rest; and no goal may move. Otherwise the
// motion is Synchronous, as the outcome says. The axes do not go beyond limits that they keep at the start.
//
// When there is no motion, the one before is kept.
func (j *Joints) Plan(sync Sync, from []profile.State, to []profile.Goal, limits []profile.Limits) Outcome {
	return j.plan(sync, 0, false, from, to, limits)
}

// PlanIn makes a motion that takes a given time, at the end of which all axes arrive. If none takes just this time, the axis that
// cannot do it is reported, with NoCourse; a longer time need not be better (package profile).
func (j *Joints) PlanIn(duration float64, sync Sync, from []profile.State, to []profile.Goal, limits []profile.Limits) Outcome {
	return j.plan(max(sync, Synchronous), duration, true, from, to, limits)
}

func (j *Joints) plan(
	sync Sync, duration float64, exactly bool, from []profile.State, to []profile.Goal, limits []profile.Limits,
) Outcome {
	if n := min(len(from), len(to), len(limits)); n < len(j.axes) {
		return Outcome{profile.BadState, n, sync}
	}
	if !(duration >= 0) {
		return Outcome{profile.NoCourse, 0, sync}
	}
	if sync >= FullySynchronous {
		if out := j.straight(duration, exactly, from, to, limits); out.Sync == FullySynchronous {
			return out
		}
		sync = Synchronous
	}
	axes := j.axes
	for i := range axes {
		if i >= len(from) || i >= len(to) || i >= len(limits) {
			break
		}
		if r := axes[i].transfer.Set(from[i], to[i], limits[i]); r != profile.Solved {
			return Outcome{r, i, sync}
		}
	}
	if sync == Asynchronous {
		return Outcome{Axis: j.apart(), Sync: sync}
	}
	t, slowest := j.common(duration)
	if exactly && t > duration*(1+rounding) || !finite(t) {
		return Outcome{profile.NoCourse, slowest, sync}
	}
	j.together(t)
	return Outcome{Axis: slowest, Sync: sync}
}

// apart lets each axis take its own time, and returns the slowest one.
func (j *Joints) apart() (slowest int) {
	j.sync, j.duration = Asynchronous, 0
	axes := j.axes
	for i := range axes {
		a := &axes[i]
		a.transfer.In(a.transfer.Earliest(0), &a.course)
		if t := a.course.Duration(); t > j.duration {
			j.duration, slowest = t, i
		}
	}
	return slowest
}

// together lets each axis take the same time.
func (j *Joints) together(t float64) {
	j.sync, j.duration = Synchronous, t
	axes := j.axes
	for i := range axes {
		a := &axes[i]
		a.transfer.In(t, &a.course)
	}
}

// common returns the shortest time, but not a shorter one than given, in which all axes can do their transfers, and the
// axis that asks for it. An axis has times that it can do and, later, some that it cannot: so one that was content may ask
// for more when another one has asked.
func (j *Joints) common(notBefore float64) (t float64, slowest int) {
	const passes = 64 // each but the last takes an axis over one of its gaps, of which it has a few
	t = notBefore
	axes := j.axes
	for range passes {
		content := true
		for i := range axes {
			if next := axes[i].transfer.Earliest(t); !(next <= t*(1+rounding)) {
				t, slowest, content = next, i, false
			}
		}
		if content {
			return t, slowest
		}
	}
	return math.Inf(1), slowest
}

// straight makes a FullySynchronous motion if there is one. The law is that of the axis that goes furthest, within limits
// that are narrow enough for all.
func (j *Joints) straight(
	duration float64, exactly bool, from []profile.State, to []profile.Goal, limits []profile.Limits,
) Outcome {
	far, length := j.furthest(from, to)
	if length == 0 || uint(far) >= uint(len(from)) || uint(far) >= uint(len(to)) || uint(far) >= uint(len(limits)) {
		return Outcome{} // nothing goes anywhere: there is no line
	}
	sign := math.Copysign(1, to[far].Pos-from[far].Pos)
	begin := profile.State{Vel: sign * from[far].Vel, Acc: sign * from[far].Acc}
	end := profile.State{Pos: length, Vel: sign * to[far].Vel, Acc: sign * to[far].Acc}
	if steep(limits[far]) {
		begin.Acc, end.Acc = 0, 0
	}
	line, slowest := unlimited, far
	axes := j.axes
	for i := range axes {
		if i >= len(from) || i >= len(to) || i >= len(limits) {
			break
		}
		share := (to[i].Pos - from[i].Pos) / length
		axes[i].next = share
		doubt := 1e-15 * (math.Abs(from[i].Pos) + math.Abs(to[i].Pos)) / length // of the share, by rounding
		if !sound(limits[i]) || to[i].Moving ||
			!along(from[i], begin, share, doubt, limits[i]) || !along(to[i].State, end, share, doubt, limits[i]) {
			return Outcome{}
		}
		if narrow(&line, limits[i], share) {
			slowest = i
		}
	}
	var x profile.Transfer
	if x.Set(begin, profile.Goal{State: end}, line) != profile.Solved {
		return Outcome{} // maybe the axes can do it one by one, and if not they say why
	}
	t := x.Earliest(duration)
	if exactly && t > duration*(1+rounding) || !finite(t) {
		return Outcome{profile.NoCourse, slowest, FullySynchronous}
	}
	x.In(t, &j.law)
	j.sync, j.duration = FullySynchronous, t
	for i := range axes {
		if i >= len(from) || i >= len(to) {
			break
		}
		a := &axes[i]
		a.from, a.to, a.share = from[i], to[i], a.next
	}
	return Outcome{Axis: slowest, Sync: FullySynchronous}
}

// furthest returns the axis that goes furthest, and how far.
func (j *Joints) furthest(from []profile.State, to []profile.Goal) (far int, length float64) {
	axes := j.axes
	for i := range axes {
		if i >= len(from) || i >= len(to) {
			break
		}
		if way := math.Abs(to[i].Pos - from[i].Pos); way > length {
			far, length = i, way
		}
	}
	return far, length
}

// along reports whether a state is a share of another one, except for what is too little to matter.
func along(s, of profile.State, share, doubt float64, l profile.Limits) bool {
	const little = 1e-10 // of the limit
	return math.Abs(s.Vel-share*of.Vel) <= little*l.Vel+doubt*math.Abs(of.Vel) &&
		(steep(l) || math.Abs(s.Acc-share*of.Acc) <= little*l.Acc+doubt*math.Abs(of.Acc))
}

// narrow brings limits down to what an axis allows that does a share of it all, and reports whether that is a lower
// velocity.
func narrow(line *profile.Limits, l profile.Limits, share float64) (slower bool) {
	if share = math.Abs(share); share == 0 {
		return false
	}
	slower = l.Vel/share < line.Vel
	line.Vel, line.Acc, line.Jerk = min(line.Vel, l.Vel/share), min(line.Acc, l.Acc/share), min(line.Jerk, l.Jerk/share)
	return slower
}

// rounding is by which share times may differ and are the same.
const rounding = 1e-12

var unlimited = profile.Limits{Vel: math.Inf(1), Acc: math.Inf(1), Jerk: math.Inf(1)}

func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }

func steep(l profile.Limits) bool { return l.Jerk > math.MaxFloat64 }

func sound(l profile.Limits) bool {
	return l.Vel > 0 && l.Acc > 0 && l.Jerk > 0 && finite(l.Vel) && finite(l.Acc)
}

// At writes the states of the axes at a time.
func (j *Joints) At(t float64, into []profile.State) {
	s := j.law.At(t)
	rest := t - j.duration
	axes := j.axes
	for i := range into {
		if i >= len(axes) {
			break
		}
		a := &axes[i]
		switch {
		case j.sync != FullySynchronous:
			into[i] = a.course.At(t)
		case rest >= 0: // the goal itself, not what rounding makes of the whole line
			into[i] = profile.State{Pos: a.to.Pos + rest*a.to.Vel, Vel: a.to.Vel}
			if rest == 0 {
				into[i].Acc = a.share * s.Acc
			}
		default:
			into[i] = profile.State{Pos: a.from.Pos + a.share*s.Pos, Vel: a.share * s.Vel, Acc: a.share * s.Acc}
		}
	}
}

// Jerk writes the jerks of the axes at a time.
func (j *Joints) Jerk(t float64, into []float64) {
	axes := j.axes
	for i := range into {
		if i >= len(axes) {
			break
		}
		a := &axes[i]
		if j.sync == FullySynchronous {
			into[i] = a.share * j.law.Jerk(t)
		} else {
			into[i] = a.course.Jerk(t)
		}
	}
}
