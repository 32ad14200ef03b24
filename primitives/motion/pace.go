package motion

import (
	planner "github.com/softrobot-rcc/rccd/motion"
	"github.com/softrobot-rcc/rccd/motion/profile"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// pace tells motions what time it is for them.
type pace struct {
	PlannedVel  spec.Param[[]float64] `rcc:"PlannedVel" default:"[]" must:"> 0; <= MaxVel" doc:"velocities that the motion is planned for, 1/s"`
	PlannedAcc  spec.Param[[]float64] `rcc:"PlannedAcc" default:"[]" must:"> 0; <= MaxAcc" doc:"accelerations that the motion is planned for, 1/s²"`
	PlannedJerk spec.Param[[]float64] `rcc:"PlannedJerk" default:"[]" must:"> 0; <= MaxJerk" doc:"jerks that the motion is planned for, 1/s³; axes without one have no limit"`
	MaxVel      spec.Param[[]float64] `rcc:"MaxVel" default:"[]" must:"> 0" doc:"limits of velocity of the axes, 1/s"`
	MaxAcc      spec.Param[[]float64] `rcc:"MaxAcc" default:"[]" must:"> 0" doc:"limits of acceleration of the axes, 1/s²"`
	MaxJerk     spec.Param[[]float64] `rcc:"MaxJerk" default:"[]" must:"> 0" doc:"limits of jerk of the axes, 1/s³; axes without one have none"`
	Most        spec.Param[float64]   `rcc:"Most" default:"1" must:"> 0; finite" doc:"greatest rate, which must leave room between what is planned and the limits"`
	Rate        spec.In[float64]      `rcc:"inRate" or:"Rate=1" should:">= 0 -- a motion does not go back, it stands still; <= Most -- it is cut to Most" doc:"seconds of the motion for each second: 1 as planned, 0 to stand still; null: as before"`
	Stop        spec.InOr[bool]       `rcc:"inStop" or:"=false" doc:"the motion comes to rest, on its way, as soon as the limits allow"`
	Reset       spec.InOr[bool]       `rcc:"inReset" or:"=false" doc:"begins again: the time is 0 at the begin of this cycle"`
	Time        spec.Out[float64]     `rcc:"outTime" doc:"time of the motion at the end of the cycle, for its port inTime, s"`
	Now         spec.Out[float64]     `rcc:"outRate" doc:"rate at the end of the cycle"`
	Stands      spec.Out[bool]        `rcc:"outStands" doc:"true when the rate is 0 and stays so"`

	pace  *planner.Pace
	begun bool
}

func (p *pace) Init(env *spec.Env) (err error) {
	n := max(len(p.PlannedVel.V), len(p.MaxVel.V))
	if err := takePlanner(env, n); err != nil {
		return err
	}
	planned, limits := make([]profile.Limits, n), make([]profile.Limits, n)
	for k := range n {
		planned[k] = limitsOf(p.PlannedVel.V, p.PlannedAcc.V, p.PlannedJerk.V, k)
		limits[k] = limitsOf(p.MaxVel.V, p.MaxAcc.V, p.MaxJerk.V, k)
	}
	p.pace, err = planner.NewPace(planned, limits, p.Most.V)
	return err
}

func pass(run []pace, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		rate := p.Rate.Or(cy, nan)
		if p.Stop.Get(cy) {
			rate = 0
		}
		if p.Reset.Get(cy) || !p.begun {
			p.begun = true
			p.pace.Begin(0, instead(rate, p.Most.V))
		}
		p.pace.To(rate)
		t := p.pace.Step(cy.Period)
		now, change := p.pace.Rate()
		p.Time.Set(cy, t)
		p.Now.Set(cy, now)
		p.Stands.Set(cy, now == 0 && change == 0)
	}
}

func paces() []*spec.Primitive {
	half := params{"PlannedVel": "[0.5]", "PlannedAcc": "[0.5]", "MaxVel": "[1]", "MaxAcc": "[1]"}
	return []*spec.Primitive{
		spec.Declare(spec.Decl{
			Name: "Motion::Pace", Extension: extension, Doc: "time of a motion that is to be faster or slower, or to stop on its way, within the limits of its axes",
			Examples: []spec.Example{
				{
					Doc: "half as fast, then stop", Cycle: "500ms", Params: half, In: series{"inRate": {"1", "1", "0.5"}, "inStop": {"false", "false", "false", "false", "true"}},
					Out: series{"outTime": {"0.5", "1", "1.375", "1.625", "1.6964285714285714"}, "outRate": {"1", "1", "0.5", "0.5", "0"}, "outStands": {"false", "false", "false", "false", "true"}},
				},
				{
					Doc: "null, more than there is, and once again", Cycle: "500ms", Params: half, In: series{"inRate": {"0.25", "null", "7"}, "inReset": {"false", "false", "true", "false"}},
					Out: series{"outTime": {"0.125", "0.25", "0.5", "1"}, "outRate": {"0.25", "0.25", "1"}},
				},
				{Doc: "planned for all that there is", Params: params{"PlannedVel": "[1]", "PlannedAcc": "[1]", "MaxVel": "[1]", "MaxAcc": "[1]"}, Reject: "must be above 0 and below 1"},
				{Doc: "no axes", Reject: "0 axes"},
			},
		}, spec.Kernels[pace]{Run: pass}),
	}
}
