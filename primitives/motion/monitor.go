package motion

import (
	"math"

	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// trace is what the last set-points of an axis tell. Values that cannot be told yet are NaN.
type trace struct{ pos, vel, acc float64 }

var untold = trace{nan, nan, nan}

// follow takes the next set-point and returns the jerk that leads to it (cycle).
func (h *trace) follow(pos, period float64) (jerk float64) {
	vel := (pos - h.pos) / period
	acc := (vel - h.vel) / period
	jerk = (acc - h.acc) / period
	*h = trace{pos, vel, acc}
	return jerk
}

// exceeded returns which limits are exceeded. They stay so until a reset.
type exceeded struct{ pos, vel, acc, jerk bool }

func (e *exceeded) any() bool { return e.pos || e.vel || e.acc || e.jerk }

// bounds are the limits of an axis in a cycle. NaN is not a limit.
type bounds struct{ least, most, vel, acc, jerk float64 }

// check compares what an axis does with its limits (cycle). Means over cycles of a motion that keeps limits keep them too;
// what is added to the limits are the rounding errors of set-points, which become larger with each difference.
func (e *exceeded) check(h *trace, jerk float64, b *bounds, period float64) {
	const (
		epsilon = 1e-14 // some dozens of last digits: a plan adds up several phases
		part    = 1e-9  // of the limit
	)
	rounding := epsilon * (1 + min(math.Abs(h.pos), math.MaxFloat64))
	e.pos = e.pos || h.pos < b.least-rounding || h.pos > b.most+rounding
	rounding *= 2 / period
	e.vel = e.vel || math.Abs(h.vel) > b.vel*(1+part)+rounding
	rounding *= 2 / period
	e.acc = e.acc || math.Abs(h.acc) > b.acc*(1+part)+rounding
	rounding *= 2 / period
	e.jerk = e.jerk || math.Abs(jerk) > b.jerk*(1+part)+rounding
}

// verdict says which limits were exceeded.
type verdict struct {
	Exceeded     spec.Out[bool] `rcc:"outExceeded" doc:"true when any limit was exceeded since the first cycle or a reset"`
	PosExceeded  spec.Out[bool] `rcc:"outPosExceeded" doc:"true when a position was below its least or above its most"`
	VelExceeded  spec.Out[bool] `rcc:"outVelExceeded" doc:"true when a velocity was above its limit"`
	AccExceeded  spec.Out[bool] `rcc:"outAccExceeded" doc:"true when an acceleration was above its limit"`
	JerkExceeded spec.Out[bool] `rcc:"outJerkExceeded" doc:"true when a jerk was above its limit"`

	exceeded exceeded
	cycle    uint64 // in which the last set-point came
}

func (v *verdict) show(cy *spec.Cycle) {
	e := &v.exceeded
	v.Exceeded.Set(cy, e.any())
	v.PosExceeded.Set(cy, e.pos)
	v.VelExceeded.Set(cy, e.vel)
	v.AccExceeded.Set(cy, e.acc)
	v.JerkExceeded.Set(cy, e.jerk)
}

type limitMonitor struct {
	Value   spec.In[float64] `rcc:"inValue" wanted:"true" doc:"set-point of the cycle; null and NaN are none, and differences begin again behind them"`
	Min     spec.In[float64] `rcc:"inMin" or:"Min=-inf" should:"<= Max -- every position is beyond a limit" doc:"least position; null is not a limit"`
	Max     spec.In[float64] `rcc:"inMax" or:"Max=+inf" should:">= Min -- every position is beyond a limit" doc:"greatest position; null is not a limit"`
	MaxVel  spec.In[float64] `rcc:"inMaxVel" or:"MaxVel=+inf" should:">= 0 -- it is exceeded from the beginning" doc:"limit of velocity, 1/s; null is not a limit"`
	MaxAcc  spec.In[float64] `rcc:"inMaxAcc" or:"MaxAcc=+inf" should:">= 0 -- it is exceeded from the beginning" doc:"limit of acceleration, 1/s²; null is not a limit"`
	MaxJerk spec.In[float64] `rcc:"inMaxJerk" or:"MaxJerk=+inf" should:">= 0 -- it is exceeded from the beginning" doc:"limit of jerk, 1/s³; null is not a limit"`
	Reset   spec.InOr[bool]  `rcc:"inReset" or:"=false" doc:"makes this the first cycle: nothing has been exceeded before"`

	Vel  spec.Out[float64] `rcc:"outVel" doc:"velocity, from the second set-point on, 1/s"`
	Acc  spec.Out[float64] `rcc:"outAcc" doc:"acceleration, from the third set-point on, 1/s²"`
	Jerk spec.Out[float64] `rcc:"outJerk" doc:"jerk, from the fourth set-point on, 1/s³"`
	verdict

	trace trace
}

func (p *limitMonitor) Init(*spec.Env) error {
	p.trace = untold
	return nil
}

func monitor(run []limitMonitor, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if reset := p.Reset.Get(cy); reset || p.cycle+1 != cy.N {
			p.trace = untold
			if reset {
				p.exceeded = exceeded{}
			}
		}
		p.cycle = cy.N
		jerk := p.trace.follow(p.Value.Or(cy, nan), cy.Period)
		p.exceeded.check(&p.trace, jerk, &bounds{
			least: p.Min.Or(cy, nan), most: p.Max.Or(cy, nan), vel: p.MaxVel.Or(cy, nan), acc: p.MaxAcc.Or(cy, nan), jerk: p.MaxJerk.Or(cy, nan),
		}, cy.Period)
		setNumber(&p.Vel, cy, p.trace.vel)
		setNumber(&p.Acc, cy, p.trace.acc)
		setNumber(&p.Jerk, cy, jerk)
		p.show(cy)
	}
}

// setNumber leaves a port null when there is no number for it (cycle).
func setNumber(out *spec.Out[float64], cy *spec.Cycle, v float64) {
	if !math.IsNaN(v) {
		out.Set(cy, v)
	}
}

type jointMonitor struct {
	Values  spec.In[[]float64] `rcc:"inValues" required:"true" doc:"set-points of the joints; null and NaN are none, and differences begin again behind them"`
	Min     spec.In[[]float64] `rcc:"inMin" or:"Min=[]" should:"<= Max -- every position is beyond a limit" doc:"least positions; joints without one have no such limit"`
	Max     spec.In[[]float64] `rcc:"inMax" or:"Max=[]" should:">= Min -- every position is beyond a limit" doc:"greatest positions"`
	MaxVel  spec.In[[]float64] `rcc:"inMaxVel" or:"MaxVel=[]" should:">= 0 -- it is exceeded from the beginning" doc:"limits of velocity, 1/s"`
	MaxAcc  spec.In[[]float64] `rcc:"inMaxAcc" or:"MaxAcc=[]" should:">= 0 -- it is exceeded from the beginning" doc:"limits of acceleration, 1/s²"`
	MaxJerk spec.In[[]float64] `rcc:"inMaxJerk" or:"MaxJerk=[]" should:">= 0 -- it is exceeded from the beginning" doc:"limits of jerk, 1/s³"`
	Reset   spec.InOr[bool]    `rcc:"inReset" or:"=false" doc:"makes this the first cycle: nothing has been exceeded before"`
	size

	Joint spec.Out[int32] `rcc:"outJoint" doc:"first joint that exceeded a limit, from 0; null when there is none"`
	verdict

	joint  int // -1 for none
	traces []trace
}

func (p *jointMonitor) Init(env *spec.Env) error {
	n, err := p.of(&p.Values)
	if err != nil {
		return err
	}
	p.traces, err = spec.Make[trace](env, n)
	p.forget()
	p.joint = -1
	return err
}

// forget makes the next set-points the first ones (cycle).
func (p *jointMonitor) forget() {
	traces := p.traces
	for i := range traces {
		traces[i] = untold
	}
}

func monitorJoints(run []jointMonitor, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		values := p.Values.Ref(cy)
		reset := p.Reset.Get(cy)
		if reset || values == nil || p.cycle+1 != cy.N {
			p.forget()
		}
		if reset {
			p.exceeded, p.joint = exceeded{}, -1
		}
		if values != nil {
			p.cycle = cy.N
			p.check(*values, cy)
		}
		p.show(cy)
		if p.joint >= 0 {
			p.Joint.Set(cy, int32(p.joint))
		}
	}
}

// check looks at one joint after the other (cycle).
func (p *jointMonitor) check(values []float64, cy *spec.Cycle) {
	least, most, vel := array(&p.Min, cy), array(&p.Max, cy), array(&p.MaxVel, cy)
	acc, jerk := array(&p.MaxAcc, cy), array(&p.MaxJerk, cy)
	traces := p.traces
	for k := range traces {
		h := &traces[k]
		j := h.follow(element(values, k, nan), cy.Period)
		p.exceeded.check(h, j, &bounds{
			least: element(least, k, nan), most: element(most, k, nan), vel: element(vel, k, nan), acc: element(acc, k, nan), jerk: element(jerk, k, nan),
		}, cy.Period)
		if p.joint < 0 && p.exceeded.any() {
			p.joint = k
		}
	}
}

func monitors() []*spec.Primitive {
	return []*spec.Primitive{
		spec.Declare(spec.Decl{
			Name: "Motion::LimitMonitor", Extension: extension, Doc: "watches whether set-points keep limits, and remembers which one was exceeded",
			Unrelated: "limits of velocity, acceleration and jerk are quantities of different kinds",
			Examples: []spec.Example{
				{
					Doc: "a velocity that is too great", Cycle: "500ms", Params: params{"MaxVel": "1"}, In: series{"inValue": {"0", "0.5", "1.5", "1.5"}},
					Out: series{
						"outVel": {"null", "1", "2", "0"}, "outAcc": {"null", "null", "2", "-4"}, "outJerk": {"null", "null", "null", "-12"},
						"outExceeded": {"false", "false", "true", "true"}, "outVelExceeded": {"false", "false", "true", "true"},
						"outPosExceeded": {"false"}, "outAccExceeded": {"false"}, "outJerkExceeded": {"false"},
					},
				},
				{
					Doc: "each limit", Cycle: "500ms", Params: params{"Min": "-1", "Max": "1", "MaxAcc": "1", "MaxJerk": "9"},
					In: series{"inValue": {"0", "0", "0.5", "0", "0", "-2", "0"}, "inReset": {"false", "false", "false", "false", "true", "false"}},
					Out: series{
						"outAccExceeded":  {"false", "false", "true", "true", "false", "false", "true"},
						"outJerkExceeded": {"false", "false", "false", "true", "false"},
						"outPosExceeded":  {"false", "false", "false", "false", "false", "true", "true"},
					},
				},
				{
					Doc: "infinity is beyond any limit, and nowhere without one", Params: params{"Max": "1"}, In: series{"inValue": {"1", "-inf", "+inf"}},
					Out: series{"outPosExceeded": {"false", "false", "true"}},
				},
				{
					Doc: "behind a gap differences begin again", Cycle: "500ms", Params: params{"MaxVel": "1"}, In: series{"inValue": {"0", "null", "9", "9.25"}},
					Out: series{"outVel": {"null", "null", "null", "0.5"}, "outExceeded": {"false"}},
				},
				{Doc: "no double", Params: params{"MaxVel": "fast"}, Reject: "parameter MaxVel"},
			},
		}, spec.Kernels[limitMonitor]{Run: monitor}),
		spec.Declare(spec.Decl{
			Name: "Motion::JointLimitMonitor", Extension: extension, Doc: "watches whether set-points of joints keep limits, and remembers which one was exceeded and by which joint",
			Unrelated: "limits of velocity, acceleration and jerk are quantities of different kinds",
			Examples: []spec.Example{
				{
					Doc: "the second joint is too fast", Cycle: "500ms", Params: params{"MaxVel": "[1,1]"},
					In: series{"inValues": {"[0,0]", "[0.5,0.5]", "[1,1.5]", "[9,1.5]"}},
					Out: series{
						"outJoint": {"null", "null", "1", "1"}, "outExceeded": {"false", "false", "true", "true"}, "outVelExceeded": {"false", "false", "true", "true"},
						"outPosExceeded": {"false"}, "outAccExceeded": {"false"}, "outJerkExceeded": {"false"},
					},
				},
				{
					Doc: "a joint without limit, null and reset", Cycle: "500ms", Params: params{"Max": "[1]"},
					In:  series{"inValues": {"[0,9]", "null", "[2,9]", "[1,9]"}, "inReset": {"false", "false", "false", "true"}},
					Out: series{"outJoint": {"null", "null", "0", "null"}, "outPosExceeded": {"false", "false", "true", "false"}},
				},
				{
					Doc: "limits that are null", Params: params{"Size": "1"}, In: series{"inValues": {"[2]"}, "inMax": {"[3]", "null", "[1]"}},
					Out: series{"outPosExceeded": {"false", "false", "true"}},
				},
				{Doc: "no number of joints", Params: params{"Size": "-1"}, In: series{"inValues": {"[0]"}}, Reject: "parameter Size: it is -1, but must be at least 0"},
				{Doc: "nothing tells the number", In: series{"inValues": {"[]"}}, Reject: "number of joints is unknown"},
			},
		}, spec.Kernels[jointMonitor]{Run: monitorJoints}),
	}
}
