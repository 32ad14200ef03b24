package motion

import (
	"math"

	"github.com/softrobot-rcc/rccd/motion/profile"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// trapezoid is a profile whose acceleration jumps.
type trapezoid struct {
	From    spec.In[float64] `rcc:"inFrom" or:"From=0" must:"finite" doc:"position at the start"`
	FromVel spec.In[float64] `rcc:"inFromVel" or:"FromVel=0" must:"finite" should:"<= MaxVel -- there is no motion from or to a speed above the limit" doc:"velocity at the start, 1/s"`
	To      spec.In[float64] `rcc:"inTo" or:"To=0" must:"finite" doc:"position at the end"`
	ToVel   spec.In[float64] `rcc:"inToVel" or:"ToVel=0" must:"finite" should:"<= MaxVel -- there is no motion from or to a speed above the limit" doc:"velocity at the end, 1/s"`
	MaxVel  spec.In[float64] `rcc:"inMaxVel" or:"MaxVel=1" must:"> 0" doc:"limit of velocity, 1/s"`
	MaxAcc  spec.In[float64] `rcc:"inMaxAcc" or:"MaxAcc=1" must:"> 0" doc:"limit of acceleration, 1/s²"`
	course
}

// doubleS is a profile whose acceleration changes steadily.
type doubleS struct {
	From    spec.In[float64]  `rcc:"inFrom" or:"From=0" must:"finite" doc:"position at the start"`
	FromVel spec.In[float64]  `rcc:"inFromVel" or:"FromVel=0" must:"finite" should:"<= MaxVel -- there is no motion from or to a speed above the limit" doc:"velocity at the start, 1/s"`
	FromAcc spec.In[float64]  `rcc:"inFromAcc" or:"FromAcc=0" must:"finite" doc:"acceleration at the start, 1/s²"`
	To      spec.In[float64]  `rcc:"inTo" or:"To=0" must:"finite" doc:"position at the end"`
	ToVel   spec.In[float64]  `rcc:"inToVel" or:"ToVel=0" must:"finite" should:"<= MaxVel -- there is no motion from or to a speed above the limit" doc:"velocity at the end, 1/s"`
	ToAcc   spec.In[float64]  `rcc:"inToAcc" or:"ToAcc=0" must:"finite" doc:"acceleration at the end, 1/s²"`
	MaxVel  spec.In[float64]  `rcc:"inMaxVel" or:"MaxVel=1" must:"> 0" doc:"limit of velocity, 1/s"`
	MaxAcc  spec.In[float64]  `rcc:"inMaxAcc" or:"MaxAcc=1" must:"> 0" doc:"limit of acceleration, 1/s²"`
	MaxJerk spec.In[float64]  `rcc:"inMaxJerk" or:"MaxJerk=10" must:"> 0" doc:"limit of jerk, 1/s³"`
	Jerk    spec.Out[float64] `rcc:"outJerk" doc:"jerk, 1/s³"`
	course
}

// course is the profile of an axis.
type course struct {
	timing
	Pos spec.Out[float64] `rcc:"outPos" doc:"position, null while there is no profile"`
	Vel spec.Out[float64] `rcc:"outVel" doc:"velocity, 1/s"`
	Acc spec.Out[float64] `rcc:"outAcc" doc:"acceleration, 1/s²"`

	profile profile.Profile
}

// plan makes a profile, unless there is one or a value is missing (cycle). An infinite limit of jerk is one of trapezoids.
func (c *course) plan(from, to profile.State, l profile.Limits, cy *spec.Cycle) {
	duration, wanted := c.begin(cy)
	if wanted && complete(from) && complete(to) && finite(l.Vel) && finite(l.Acc) && !math.IsNaN(l.Jerk) {
		var x profile.Transfer
		x.Set(from, profile.Goal{State: to}, l)
		c.planned(x.In(x.Earliest(duration), &c.profile) == profile.Solved)
	}
}

func complete(s profile.State) bool { return finite(s.Pos) && finite(s.Vel) && finite(s.Acc) }

// show sets the out ports and returns the time of the profile, if there is one (cycle).
func (c *course) show(cy *spec.Cycle) (time float64, there bool) {
	time, there = c.now(c.profile.Duration(), cy)
	if there {
		s := c.profile.At(time)
		c.Pos.Set(cy, s.Pos)
		c.Vel.Set(cy, s.Vel)
		c.Acc.Set(cy, s.Acc)
	}
	return time, there
}

func runTrapezoids(run []trapezoid, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.plan(
			profile.State{Pos: p.From.Or(cy, nan), Vel: p.FromVel.Or(cy, nan)},
			profile.State{Pos: p.To.Or(cy, nan), Vel: p.ToVel.Or(cy, nan)},
			profile.Limits{Vel: p.MaxVel.Or(cy, nan), Acc: p.MaxAcc.Or(cy, nan), Jerk: math.Inf(1)}, cy,
		)
		p.show(cy)
	}
}

func runDoubleS(run []doubleS, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.plan(
			profile.State{Pos: p.From.Or(cy, nan), Vel: p.FromVel.Or(cy, nan), Acc: p.FromAcc.Or(cy, nan)},
			profile.State{Pos: p.To.Or(cy, nan), Vel: p.ToVel.Or(cy, nan), Acc: p.ToAcc.Or(cy, nan)},
			profile.Limits{Vel: p.MaxVel.Or(cy, nan), Acc: p.MaxAcc.Or(cy, nan), Jerk: p.MaxJerk.Or(cy, nan)}, cy,
		)
		if t, there := p.show(cy); there {
			p.Jerk.Set(cy, p.profile.Jerk(t))
		}
	}
}

func profiles() []*spec.Primitive {
	impossible := series{"inMaxVel": {"0", "null", "1"}}
	failed := series{"outFailed": {"true", "false", "false"}, "outPos": {"null", "null", "0.125"}, "outFinished": {"false"}}
	return []*spec.Primitive{
		spec.Declare(spec.Decl{
			Name: "Motion::Trapezoid", Extension: extension, Doc: "profile of an axis with limits of velocity and acceleration, the fastest one or one that takes a given time",
			Unrelated: "whether there is a motion within the limits depends on all of them and is told by outFailed",
			Examples: []spec.Example{
				{
					Doc: "speed up, cruise, brake, rest", Cycle: "500ms", Params: params{"To": "2"},
					Out: series{
						"outPos": {"0.125", "0.5", "1", "1.5", "1.875", "2", "2"}, "outVel": {"0.5", "1", "1", "1", "0.5", "0", "0"},
						"outAcc": {"1", "0", "0", "-1", "-1", "0", "0"}, "outTime": {"0.5", "1", "1.5", "2", "2.5", "3", "3.5"},
						"outDuration": {"3"}, "outFinished": {"false", "false", "false", "false", "false", "true", "true"}, "outFailed": {"false"},
					},
				},
				{
					Doc: "in a given time", Cycle: "1s", Params: params{"To": "2", "Duration": "4"},
					Out: series{"outPos": {"0.3333333333333333", "1", "1.6666666666666667", "2", "2"}, "outDuration": {"4"}},
				},
				{
					Doc: "at another speed, held, and backwards", Cycle: "500ms", Params: params{"To": "2"}, In: series{"inTime": {"1", "1", "2.5", "null", "0.5", "-1", "9"}},
					Out: series{"outPos": {"0.5", "0.5", "1.875", "null", "0.125", "0", "2"}, "outFinished": {"false", "false", "false", "false", "false", "false", "true"}},
				},
				{
					Doc: "planned again", Cycle: "500ms", In: series{"inTo": {"2", "9", "2", "-1"}, "inFrom": {"0", "7", "1"}, "inReset": {"false", "false", "true", "null"}},
					Out: series{"outPos": {"0.125", "0.5", "1.125", "1.5"}},
				},
				{
					Doc: "velocities at both ends", Cycle: "1s", Params: params{"FromVel": "1", "To": "3", "ToVel": "0.5"},
					Out: series{"outPos": {"1", "2", "2.9296875"}, "outVel": {"1", "1", "0.625"}},
				},
				{Doc: "limits that cannot be kept, and none", Cycle: "500ms", Params: params{"To": "2"}, In: impossible, Out: failed},
				{Doc: "no double", Params: params{"To": "far"}, Reject: "parameter To"},
			},
		}, spec.Kernels[trapezoid]{Run: runTrapezoids}),
		spec.Declare(spec.Decl{
			Name: "Motion::DoubleS", Extension: extension, Doc: "profile of an axis with limits of velocity, acceleration and jerk, the fastest one or one that takes a given time",
			Unrelated: "whether there is a motion within the limits depends on all of them and is told by outFailed",
			Examples: []spec.Example{
				{
					Doc: "all seven phases", Cycle: "500ms", Params: params{"To": "2.5", "MaxJerk": "2"},
					Out: series{
						"outPos": {"0.041666666666666664", "0.2916666666666667", "0.75", "1.25", "1.75", "2.2083333333333335", "2.4583333333333335", "2.5"},
						"outVel": {"0.25", "0.75", "1", "1", "1", "0.75", "0.25", "0"}, "outAcc": {"1", "1", "0", "0", "0", "-1", "-1", "0"},
						"outJerk": {"0", "-2", "0", "0", "-2", "0", "2", "0"}, "outTime": {"0.5", "1", "1.5", "2", "2.5", "3", "3.5", "4"},
						"outDuration": {"4"}, "outFinished": {"false", "false", "false", "false", "false", "false", "false", "true"}, "outFailed": {"false"},
					},
				},
				{
					Doc: "from full motion to the same goal", Cycle: "500ms", Params: params{"FromVel": "1", "To": "1.75", "MaxJerk": "2"},
					Out: series{"outPos": {"0.5", "1", "1.4583333333333333", "1.7083333333333333", "1.75"}, "outDuration": {"2.5"}},
				},
				{
					Doc: "half as fast", Cycle: "1s", Params: params{"To": "2.5", "MaxJerk": "2"}, In: series{"inTime": {"0.5", "1", "1.5"}},
					Out: series{"outPos": {"0.041666666666666664", "0.2916666666666667", "0.75"}},
				},
				{Doc: "an end that cannot be had", Params: params{"To": "1", "ToVel": "2"}, Out: series{"outFailed": {"true"}, "outPos": {"null"}}},
				{Doc: "no double", Params: params{"MaxJerk": "soft"}, Reject: "parameter MaxJerk"},
			},
		}, spec.Kernels[doubleS]{Run: runDoubleS}),
	}
}
