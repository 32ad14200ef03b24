package motion

import "github.com/softrobot-rcc/rccd/rcc/spec"

// timing is what all motions have that are planned once: when they are planned, and which time it is for them.
type timing struct {
	Takes spec.In[float64] `rcc:"inDuration" or:"Duration=0" doc:"time to take at least, s"`
	Time  spec.In[float64] `rcc:"inTime" doc:"time of the motion, s; open: the time in which this has been active"`
	Reset spec.InOr[bool]  `rcc:"inReset" or:"=false" doc:"plans anew, from the values of this cycle"`

	Elapsed  spec.Out[float64] `rcc:"outTime" doc:"time of the motion, s"`
	Duration spec.Out[float64] `rcc:"outDuration" doc:"time that the motion takes, s"`
	Finished spec.Out[bool]    `rcc:"outFinished" doc:"true from the end of the motion on, false while there is none"`
	Failed   spec.Out[bool]    `rcc:"outFailed" doc:"true when there is no motion for the values that have come: a limit is not above 0, the end is beyond one, or it cannot take this time"`

	state   state
	ownTime bool   // inTime is open
	cycles  uint64 // since it was planned, of own time
}

// state is how far the planning is.
type state uint8

const (
	waiting state = iota // for values
	failed
	planned
)

func (t *timing) Init(env *spec.Env) error {
	t.ownTime = env.Open("inTime")
	return nil
}

// begin tells whether there is something to plan, if all other values are there, and how long it shall take (cycle).
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
	t.cycles++
	time = float64(t.cycles) * cy.Period
	if !t.ownTime {
		time = t.Time.Or(cy, nan)
	}
	there = t.state == planned && finite(time)
	t.Failed.Set(cy, t.state == failed)
	t.Finished.Set(cy, there && time >= duration)
	if there {
		t.Elapsed.Set(cy, time)
		t.Duration.Set(cy, duration)
	}
	return time, there
}
