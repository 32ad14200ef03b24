package motion

import (
	planner "github.com/softrobot-rcc/rccd/motion"
	"github.com/softrobot-rcc/rccd/motion/profile"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// generator leads axes to goals that may be others in every cycle.
type generator struct {
	Stop    spec.InOr[bool]   `rcc:"inStop" or:"=false" doc:"comes to rest as soon as possible, whatever the goal is"`
	Moving  spec.Param[bool]  `rcc:"Moving" default:"true" doc:"true: the goal moves with its velocity; false: it stands, and is to be passed with its velocity and acceleration"`
	Left    spec.Out[float64] `rcc:"outLeft" doc:"time that is left until the goal is reached, or rest, if nothing changes, s"`
	Reached spec.Out[bool]    `rcc:"outReached" doc:"true when the goal is met"`
	Failed  spec.Out[bool]    `rcc:"outFailed" doc:"true when the goal is beyond the limits, which are kept, or cannot be met at all"`

	online  *planner.Online
	at      []profile.State // at the end of the last cycle, or where the axes are set to
	goals   []profile.Goal
	limits  []profile.Limits // the last ones that were some
	bounded bool             // there have been some
	placed  bool             // it is known where the axes are
	cycle   uint64           // in which it was active
}

// make takes memory for axes. Without a port for their positions, they are at 0.
func (g *generator) make(env *spec.Env, n int, sync planner.Sync) (err error) {
	g.placed = env.Open("inCurPos")
	if err := takePlanner(env, n); err != nil {
		return err
	}
	g.online = planner.NewOnline(n, sync)
	if g.at, err = spec.Make[profile.State](env, n); err != nil {
		return err
	}
	if g.goals, err = spec.Make[profile.Goal](env, n); err != nil {
		return err
	}
	g.limits, err = spec.Make[profile.Limits](env, n)
	return err
}

// takePlanner accounts for what a planner needs for some axes.
func takePlanner(env *spec.Env, axes int) error {
	const each = 1600 // bytes of an axis, and of what all have in common
	return env.Take(each * int64(axes+1))
}

// resume begins at rest after cycles in which the generator was not active (cycle).
func (g *generator) resume(cy *spec.Cycle) {
	if g.cycle+1 != cy.N {
		at := g.at
		for k := range at {
			at[k].Vel, at[k].Acc = 0, 0
		}
	}
	g.cycle = cy.N
}

// place puts the axes where they are, as far as that has come in, and reports whether it is known by now (cycle).
func (g *generator) place(pos, vel, acc []float64) bool {
	at, all := g.at, true
	for k := range at {
		s := &at[k]
		p := element(pos, k, nan)
		all = all && finite(p)
		s.Pos, s.Vel, s.Acc = instead(p, s.Pos), instead(element(vel, k, nan), s.Vel), instead(element(acc, k, nan), s.Acc)
	}
	g.placed = g.placed || all
	return g.placed
}

// bind takes the limits of the cycle; it is false when one is missing (cycle).
func (g *generator) bind(vel, acc, jerk []float64) bool {
	limits := g.limits
	for k := range limits {
		if l := limitsOf(vel, acc, jerk, k); !(l.Vel > 0 && l.Acc > 0 && l.Jerk > 0 && finite(l.Vel) && finite(l.Acc)) {
			return false
		}
	}
	for k := range limits {
		limits[k] = limitsOf(vel, acc, jerk, k)
	}
	g.bounded = true
	return true
}

// aim takes the goals of the cycle; it is false when one is missing (cycle). Those that move are told as they are at its begin: one of which
// nobody knows how fast it is cannot be met, as in the first cycle of differences.
func (g *generator) aim(pos, vel, acc []float64, period float64) bool {
	goals := g.goals
	for k := range goals {
		fast := element(vel, k, 0)
		s := profile.State{Pos: element(pos, k, nan), Vel: instead(fast, 0), Acc: instead(element(acc, k, 0), 0)}
		if !finite(s.Pos) || g.Moving.V && !finite(fast) {
			return false
		}
		moving := g.Moving.V && s.Vel != 0
		if g.Moving.V {
			s.Pos, s.Acc = s.Pos-s.Vel*period, 0
		}
		goals[k] = profile.Goal{State: s, Moving: moving}
	}
	return true
}

// step goes on for a cycle, to the goals or, if there are none, to rest. Axes for which there never was a limit rest at once.
func (g *generator) step(aimed bool, cy *spec.Cycle) {
	stop := g.Stop.Get(cy) || !aimed
	failed := false
	if g.bounded {
		g.online.Set(g.at)
		if stop {
			g.online.Stop(g.limits)
		} else {
			g.online.Aim(g.goals, g.limits)
		}
		out := g.online.Step(cy.Period, g.at)
		failed = !out.Solved()
		g.Left.Set(cy, g.online.Left())
	} else {
		at := g.at
		for k := range at {
			at[k].Vel, at[k].Acc = 0, 0
		}
	}
	g.Reached.Set(cy, !stop && g.bounded && !failed && g.online.Left() == 0)
	g.Failed.Set(cy, failed)
}

type otg struct {
	CurPos  spec.In[float64]  `rcc:"inCurPos" doc:"position of the axis; open: where the generator left it, at first 0"`
	CurVel  spec.In[float64]  `rcc:"inCurVel" doc:"velocity of the axis, 1/s; open: that which the generator left it with"`
	CurAcc  spec.In[float64]  `rcc:"inCurAcc" doc:"acceleration of the axis, 1/s²; open: that which the generator left it with"`
	DestPos spec.In[float64]  `rcc:"inDestPos" wanted:"true" doc:"position of the goal at the end of the cycle; without one the axis comes to rest"`
	DestVel spec.In[float64]  `rcc:"inDestVel" doc:"velocity of the goal, 1/s; open or null: at rest; while that of a goal that moves is not a number the axis comes to rest"`
	DestAcc spec.In[float64]  `rcc:"inDestAcc" doc:"acceleration with which a goal that stands is to be passed, 1/s²"`
	MaxVel  spec.In[float64]  `rcc:"inMaxVel" or:"MaxVel=1" must:">= 0" should:"> 0 -- without a limit above 0 nothing moves" doc:"limit of velocity, 1/s"`
	MaxAcc  spec.In[float64]  `rcc:"inMaxAcc" or:"MaxAcc=1" must:">= 0" should:"> 0 -- without a limit above 0 nothing moves" doc:"limit of acceleration, 1/s²"`
	MaxJerk spec.In[float64]  `rcc:"inMaxJerk" or:"MaxJerk=10" must:">= 0" should:"> 0 -- without a limit above 0 nothing moves" doc:"limit of jerk, 1/s³"`
	Pos     spec.Out[float64] `rcc:"outPos" doc:"position at the end of the cycle, null while there is none"`
	Vel     spec.Out[float64] `rcc:"outVel" doc:"velocity at the end of the cycle, 1/s"`
	Acc     spec.Out[float64] `rcc:"outAcc" doc:"acceleration at the end of the cycle, 1/s²"`
	generator
}

func (p *otg) Init(env *spec.Env) error { return p.make(env, 1, planner.Asynchronous) }

func generate(run []otg, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.resume(cy)
		pos, vel, acc := [1]float64{p.CurPos.Or(cy, nan)}, [1]float64{p.CurVel.Or(cy, nan)}, [1]float64{p.CurAcc.Or(cy, nan)}
		if !p.place(pos[:], vel[:], acc[:]) {
			continue
		}
		maxVel, maxAcc, maxJerk := [1]float64{p.MaxVel.Or(cy, nan)}, [1]float64{p.MaxAcc.Or(cy, nan)}, [1]float64{p.MaxJerk.Or(cy, nan)}
		bound := p.bind(maxVel[:], maxAcc[:], maxJerk[:])
		pos[0], vel[0], acc[0] = p.DestPos.Or(cy, nan), p.DestVel.Or(cy, 0), p.DestAcc.Or(cy, nan)
		p.step(p.aim(pos[:], vel[:], acc[:], cy.Period) && bound, cy)
		for _, s := range p.at {
			p.Pos.Set(cy, s.Pos)
			p.Vel.Set(cy, s.Vel)
			p.Acc.Set(cy, s.Acc)
		}
	}
}

type syncOTG struct {
	CurPos  spec.In[[]float64]    `rcc:"inCurPos" doc:"positions of the axes; open: where the generator left them, at first 0"`
	CurVel  spec.In[[]float64]    `rcc:"inCurVel" doc:"velocities of the axes, 1/s; open: those which the generator left them with"`
	CurAcc  spec.In[[]float64]    `rcc:"inCurAcc" doc:"accelerations of the axes, 1/s²; open: those which the generator left them with"`
	DestPos spec.In[[]float64]    `rcc:"inDestPos" wanted:"true" doc:"positions of the goals at the end of the cycle; when one is missing, all axes come to rest"`
	DestVel spec.In[[]float64]    `rcc:"inDestVel" doc:"velocities of the goals, 1/s; open or null: at rest; while that of a goal that moves is not a number all axes come to rest"`
	DestAcc spec.In[[]float64]    `rcc:"inDestAcc" doc:"accelerations with which goals that stand are to be passed, 1/s²"`
	Sync    spec.Param[string]    `rcc:"Sync" default:"synchronous" must:"one of asynchronous, synchronous, fully synchronous" doc:"asynchronous: each axis as fast as it can; synchronous: all arrive together; fully synchronous: on a straight line, where states allow that, else synchronous"`
	MinPos  spec.Param[[]float64] `rcc:"MinPos" default:"[]" must:"<= MaxPos" should:"len <= Size unless Size -- elements without a joint count for nothing" doc:"least positions of the axes: a goal below is one at rest there; axes without one have none"`
	MaxPos  spec.Param[[]float64] `rcc:"MaxPos" default:"[]" must:">= MinPos" should:"len <= Size unless Size -- elements without a joint count for nothing" doc:"greatest positions of the axes"`
	allowed
	size
	states
	generator
}

func (p *syncOTG) Init(env *spec.Env) error {
	n, err := p.of(&p.DestPos, &p.CurPos, &p.MaxVel)
	if err != nil {
		return err
	}
	sync, err := parseSync(p.Sync.V)
	if err != nil {
		return err
	}
	if err := p.states.Init(env, n); err != nil {
		return err
	}
	return p.make(env, n, sync)
}

func generateTogether(run []syncOTG, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.resume(cy)
		if !p.place(array(&p.CurPos, cy), array(&p.CurVel, cy), array(&p.CurAcc, cy)) {
			continue
		}
		bound := !p.MaxJerk.Null(cy) && p.bind(array(&p.MaxVel, cy), array(&p.MaxAcc, cy), array(&p.MaxJerk, cy))
		aimed := p.aim(array(&p.DestPos, cy), array(&p.DestVel, cy), array(&p.DestAcc, cy), cy.Period) && bound
		if aimed {
			p.keepWithin(p.MinPos.V, p.MaxPos.V, cy.Period)
		}
		p.step(aimed, cy)
		p.show(p.at, cy)
	}
}

func generators() []*spec.Primitive {
	limits := params{"MaxVel": "1", "MaxAcc": "1", "MaxJerk": "2"}
	without := params{"Size": "2", "MaxVel": "[1]", "MaxAcc": "[1,1]"}
	two := params{"MaxVel": "[1,1]", "MaxAcc": "[1,1]"}
	return []*spec.Primitive{
		spec.Declare(spec.Decl{
			Name: "Motion::OTG", Extension: extension, Doc: "leads an axis to a goal that may change at any time, as fast as limits of velocity, acceleration and jerk allow",
			Unrelated: "limits of velocity, acceleration and jerk are quantities of different kinds",
			Examples: []spec.Example{
				{
					Doc: "from rest to rest", Cycle: "500ms", Params: limits, In: series{"inDestPos": {"2.5"}},
					Out: series{
						"outPos": {"0.041666666666666664", "0.2916666666666667", "0.75", "1.25", "1.75", "2.2083333333333335", "2.4583333333333335", "2.5", "2.5"},
						"outVel": {"0.25", "0.75", "1", "1", "1", "0.75", "0.25", "0", "0"}, "outAcc": {"1", "1", "0", "0", "0", "-1", "-1", "0", "0"},
						"outLeft": {"3.5", "3", "2.5", "2", "1.5", "1", "0.5", "0"}, "outFailed": {"false"},
						"outReached": {"false", "false", "false", "false", "false", "false", "false", "true", "true"},
					},
				},
				{
					Doc: "a goal that jumps, then stop", Cycle: "500ms", Params: limits,
					In:  series{"inDestPos": {"2.5", "2.5", "2.5", "9"}, "inStop": {"false", "false", "false", "false", "true"}},
					Out: series{"outPos": {"0.041666666666666664", "0.2916666666666667", "0.75", "1.25", "1.7083333333333333", "1.9583333333333333", "2", "2"}},
				},
				{
					Doc: "a goal that moves is met", Cycle: "1s", Params: limits, In: series{"inDestPos": {"0.5", "1", "1.5", "2", "2.5"}, "inDestVel": {"0.5"}},
					Out: series{"outReached": {"false", "false", "true"}},
				},
				{
					Doc: "given place and velocity, no goal", Cycle: "500ms", Params: limits,
					In:  series{"inCurPos": {"1", "null"}, "inCurVel": {"1", "null"}, "inCurAcc": {"0", "null"}, "inDestPos": {"null"}},
					Out: series{"outPos": {"1.4583333333333333", "1.7083333333333333", "1.75", "1.75"}, "outVel": {"0.75", "0.25", "0"}, "outReached": {"false"}},
				},
				{Doc: "without place there is nothing to command", In: series{"inCurPos": {"null"}, "inDestPos": {"1"}}, Out: series{"outPos": {"null"}}},
				{Doc: "without limits the axis stays", Params: params{"MaxVel": "0"}, In: series{"inDestPos": {"1"}}, Out: series{"outPos": {"0"}, "outVel": {"0"}}},
				{
					Doc: "nobody knows yet how fast the goal is", Cycle: "1s", Params: limits, In: series{"inDestPos": {"0", "1"}, "inDestVel": {"nan", "1"}},
					Out: series{"outReached": {"false"}, "outPos": {"0", "0.29166666666666663"}},
				},
				{
					Doc: "a goal that is too fast", Params: limits, In: series{"inDestPos": {"1"}, "inDestVel": {"7"}},
					Out: series{"outFailed": {"true"}, "outReached": {"false"}},
				},
				{Doc: "no double", Params: params{"MaxJerk": "soft"}, Reject: "parameter MaxJerk"},
			},
		}, spec.Kernels[otg]{Run: generate}),
		spec.Declare(spec.Decl{
			Name: "Motion::SyncOTG", Extension: extension, Doc: "leads axes to goals that may change at any time, as fast as limits of velocity, acceleration and jerk allow, alone or together",
			Examples: []spec.Example{
				{
					Doc: "both arrive together", Cycle: "500ms", Params: two, In: series{"inDestPos": {"[2,1]"}},
					Out: series{
						"outPos": {"[0.125,0.0625]", "[0.5,0.25]", "[1,0.5]", "[1.5,0.75]", "[1.875,0.9375]", "[2,1]", "[2,1]"},
						"outVel": {"[0.5,0.25]", "[1,0.5]", "[1,0.5]", "[1,0.5]", "[0.5,0.25]", "[0,0]"}, "outAcc": {"[1,0.5]", "[0,0]", "[0,0]", "[-1,-0.5]", "[-1,-0.5]", "[0,0]"},
						"outLeft": {"2.5", "2", "1.5", "1", "0.5", "0", "0"}, "outReached": {"false", "false", "false", "false", "false", "true"}, "outFailed": {"false"},
					},
				},
				{
					Doc: "each as fast as it can", Cycle: "500ms", Params: params{"MaxVel": "[1,1]", "MaxAcc": "[1,1]", "Sync": "asynchronous"}, In: series{"inDestPos": {"[2,1]"}},
					Out: series{"outPos": {"[0.125,0.125]", "[0.5,0.5]", "[1,0.875]", "[1.5,1]", "[1.875,1]", "[2,1]"}},
				},
				{
					Doc: "a goal is missing: both come to rest", Cycle: "500ms", Params: two, In: series{"inDestPos": {"[9,9]", "[9,9]", "null"}},
					Out: series{"outPos": {"[0.125,0.125]", "[0.5,0.5]", "[0.875,0.875]", "[1,1]", "[1,1]"}},
				},
				{
					Doc: "no axis goes beyond its end", Cycle: "500ms", Params: with(params{"MinPos": "[-1,-1]", "MaxPos": "[1,1]"}, two), In: series{"inDestPos": {"[9,-9]"}},
					Out: series{"outPos": {"[0.125,-0.125]", "[0.5,-0.5]", "[0.875,-0.875]", "[1,-1]", "[1,-1]"}},
				},
				{Doc: "a joint without limits", Params: without, In: series{"inDestPos": {"[1,1]"}}, Out: series{"outPos": {"[0,0]"}, "outReached": {"false"}}},
				{Doc: "no word for it", Params: params{"Sync": "together"}, In: series{"inDestPos": {"[1,1]"}}, Reject: "but must be one of asynchronous"},
				{Doc: "too many", Params: params{"Size": "65"}, In: series{"inDestPos": {"[1]"}}, Reject: "parameter Size: it is 65, but must be at most 64"},
			},
		}, spec.Kernels[syncOTG]{Run: generateTogether}),
	}
}
