package motion

import "github.com/softrobot-rcc/rccd/motion/profile"

// Stop makes of the motion the one that comes to rest as soon as possible from its time t on, which becomes the time 0.
//
// The motion decides what is kept beside the limits. FullySynchronous axes stay on their line, and do not go beyond its
// end if they have not been about to. Synchronous axes come to rest at the same time, each at the place where it alone
// would stop soonest; they leave the way they were on. Asynchronous ones stop one by one. Synchronous axes that are to
// stay on their way can be slowed down by a Pace.
func (j *Joints) Stop(t float64, limits []profile.Limits) Outcome {
	if len(limits) < len(j.axes) {
		return Outcome{profile.BadLimits, len(limits), j.sync}
	}
	if j.sync == FullySynchronous {
		return j.stopOnLine(t, limits)
	}
	axes := j.axes
	for i := range axes {
		axes[i].now = axes[i].course.At(t)
	}
	return j.stopFromNow(j.sync, limits)
}

// stopFromNow stops the axes from wherever they are now.
func (j *Joints) stopFromNow(sync Sync, limits []profile.Limits) Outcome {
	axes := j.axes
	for i := range axes {
		if i >= len(limits) {
			break
		}
		if r := axes[i].stop(limits[i]); r != profile.Solved {
			return Outcome{r, i, sync}
		}
	}
	if sync == Asynchronous {
		return Outcome{Axis: j.stopApart(limits), Sync: sync}
	}
	time, slowest := j.common(0)
	if !finite(time) {
		return Outcome{profile.NoCourse, slowest, sync}
	}
	j.together(time)
	return Outcome{Axis: slowest, Sync: Synchronous}
}

// stopApart stops axes that can, each as soon as possible, and returns the slowest one.
func (j *Joints) stopApart(limits []profile.Limits) (slowest int) {
	j.sync, j.duration = Asynchronous, 0
	axes := j.axes
	for i := range axes {
		if i >= len(limits) {
			break
		}
		a := &axes[i]
		a.course.Stop(a.now, limits[i])
		if t := a.course.Duration(); t > j.duration {
			j.duration, slowest = t, i
		}
	}
	return slowest
}

// stop prepares the transfer to where the axis stops soonest.
func (a *axis) stop(l profile.Limits) profile.Result {
	var soonest profile.Profile
	if r := soonest.Stop(a.now, l); r != profile.Solved {
		return r
	}
	return a.transfer.Set(a.now, profile.Goal{State: profile.State{Pos: soonest.End().Pos}}, l)
}

func (j *Joints) stopOnLine(t float64, limits []profile.Limits) Outcome {
	line := unlimited
	axes := j.axes
	for i := range axes {
		if i >= len(limits) {
			break
		}
		if !sound(limits[i]) {
			return Outcome{profile.BadLimits, i, j.sync}
		}
		narrow(&line, limits[i], axes[i].share)
	}
	if r := j.law.Stop(j.law.At(t), line); r != profile.Solved {
		return Outcome{r, 0, j.sync}
	}
	j.duration = j.law.Duration()
	end := j.law.End().Pos
	for i := range axes {
		a := &axes[i]
		a.to = profile.Goal{State: profile.State{Pos: a.from.Pos + a.share*end}}
	}
	return Outcome{Sync: j.sync}
}
