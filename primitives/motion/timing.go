package motion

import "github.com/softrobot-rcc/rccd/rcc/spec"

// clock tells the time of a motion: its own one, or one that comes in.
type clock struct {
	Time  spec.In[float64] `rcc:"inTime" doc:"time of the motion, s; open: the time in which this has been active"`
	Reset spec.InOr[bool]  `rcc:"inReset" or:"=false" doc:"begins again, and what is planned while the net runs is planned from the values of this cycle"`

	Elapsed  spec.Out[float64] `rcc:"outTime" doc:"time of the motion, s"`
	Duration spec.Out[float64] `rcc:"outDuration" doc:"time that the motion takes, s"`
	Finished spec.Out[bool]    `rcc:"outFinished" doc:"true from the end of the motion on, false while there is none"`

	ownTime bool   // inTime is open
	cycles  uint64 // since it began, of own time
}

func (c *clock) Init(env *spec.Env) error {
	c.ownTime = env.Open("inTime")
	return nil
}

// now returns the time of a motion that there is, if there is a time (cycle).
func (c *clock) now(is bool, duration float64, cy *spec.Cycle) (time float64, there bool) {
	c.cycles++
	time = float64(c.cycles) * cy.Period
	if !c.ownTime {
		time = c.Time.Or(cy, nan)
	}
	there = is && finite(time)
	c.Finished.Set(cy, there && time >= duration)
	if there {
		c.Elapsed.Set(cy, time)
		c.Duration.Set(cy, duration)
	}
	return time, there
}

// timing is what motions have that are planned once while the net runs.
type timing struct {
	Takes spec.In[float64] `rcc:"inDuration" or:"Duration=0" must:">= 0; finite" doc:"time to take at least, s"`
	clock
	Failed spec.Out[bool] `rcc:"outFailed" doc:"true when there is no motion for the values that have come: a limit is not above 0, the end is beyond one, or it cannot take this time"`

	state state
}

// state is how far the planning is.
type state uint8

const (
	waiting state = iota // for values
	failed
	planned
)

// begin reports whether there is something to plan, if all other values are there, and how long it should take (cycle).
func (t *timing) begin(cy *spec.Cycle) (duration float64, wanted bool) {
	if t.Reset.Get(cy) || t.state == failed {
		t.state = waiting
	}
	duration = t.Takes.Or(cy, nan)
	return duration, t.state == waiting && finite(duration)
}

// planned takes note of what has come of it (cycle).
func (t *timing) planned(ok bool) {
	if t.state, t.cycles = failed, 0; ok {
		t.state = planned
	}
}

// now returns the time of the motion, if there is one (cycle).
func (t *timing) now(duration float64, cy *spec.Cycle) (time float64, there bool) {
	t.Failed.Set(cy, t.state == failed)
	return t.clock.now(t.state == planned, duration, cy)
}
