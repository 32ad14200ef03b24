package core

import (
	"math"

	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// axis is what a trajectory generator remembers of the cycle before.
type axis struct {
	pos, vel float64
	cycle    uint64  // in which it was there, 0 for never
	acc      float64 // last limit of acceleration that was one
}

// target is where an axis should go, and within which limits.
type target struct {
	pos, vel       float64
	maxVel, maxAcc float64
}

// follow reads the limits of a cycle. Where the goal or a limit is missing, nothing can be aimed at: the axis brakes, if
// need be with the last acceleration that was allowed, and immediately when there never was one.
func (a *axis) follow(to target, share float64, cy *spec.Cycle) (acceleration float64) {
	if !finite(to.vel) {
		to.vel = 0
	}
	known := finite(to.pos) && to.maxVel > 0 && to.maxAcc > 0
	if to.maxAcc > 0 {
		a.acc = min(to.maxAcc, unlimited)
	}
	change := a.acc * cy.Period
	if a.acc == 0 {
		change = math.Abs(a.vel)
	}
	velocity := 0.0
	if known {
		velocity = min(max(to.vel+a.approach(to, share, change, cy.Period), -to.maxVel), to.maxVel)
	}
	return a.move(min(max(velocity, a.vel-change), a.vel+change), share, to, cy)
}

// approach returns the velocity, relative to the goal, of a time-optimal motion to it.
//
// share is how much of a cycle's way the velocity before it makes up: 0 when the axis jumps to its new velocity at once,
// 1/2 when it gets there steadily.
func (a *axis) approach(to target, share, change, period float64) float64 {
	way := (to.pos - a.pos) - (to.vel+share*(a.vel-to.vel))*period
	return math.Copysign(generic.BrakingSpeed(math.Abs(way), change, period), way)
}

// move takes the axis to the end of the cycle and returns its acceleration. A goal that is missed by no more than the
// rounding of the sums is reached.
func (a *axis) move(velocity, share float64, to target, cy *spec.Cycle) float64 {
	pos := a.pos + ((1-share)*velocity+share*a.vel)*cy.Period
	miss := rounding * max(math.Abs(to.pos), math.Abs(a.pos))
	if math.Abs(to.pos-pos) <= miss && finite(miss) {
		pos = to.pos
		if math.Abs(velocity-to.vel)*cy.Period <= miss {
			velocity = to.vel
		}
	}
	acceleration := (velocity - a.vel) / cy.Period
	a.vel, a.cycle = velocity, cy.N
	if finite(pos) {
		a.pos = pos
	}
	return acceleration
}

// resume puts the axis at its measured place, as far as it is known, and reports whether there is a place at all. An axis
// whose generator was not active in the cycle before is taken to be at rest.
func (a *axis) resume(pos float64, fromZero bool, cy *spec.Cycle) bool {
	if a.cycle+1 != cy.N {
		a.vel = 0
	}
	switch {
	case finite(pos):
		a.pos = pos
	case a.cycle == 0 && !fromZero:
		return false
	}
	return cy.Period > 0
}

func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }

const (
	unlimited = 1e150 // stands for infinity, and its products with cycle times are still numbers
	rounding  = 1e-15
)

type otg struct {
	CurPos  spec.In[float64]  `rcc:"inCurPos" doc:"position of the axis; open: where the generator left it, at first 0"`
	CurVel  spec.In[float64]  `rcc:"inCurVel" doc:"velocity of the axis, 1/s; open: difference of the positions"`
	CurAcc  spec.In[float64]  `rcc:"inCurAcc" doc:"acceleration of the axis, 1/s²; has no effect, since jerk is not limited"`
	DestPos spec.In[float64]  `rcc:"inDestPos" wanted:"true" doc:"position of the goal"`
	DestVel spec.In[float64]  `rcc:"inDestVel" doc:"velocity of the goal, 1/s; open: at rest"`
	MaxVel  spec.In[float64]  `rcc:"inMaxVel" or:"maxVel=0" must:">= 0" should:"> 0 -- without a limit above 0 nothing moves" doc:"limit of velocity, 1/s"`
	MaxAcc  spec.In[float64]  `rcc:"inMaxAcc" or:"maxAcc=0" must:">= 0" should:"> 0 -- without a limit above 0 nothing moves" doc:"limit of acceleration, 1/s²"`
	Pos     spec.Out[float64] `rcc:"outPos" doc:"position at the end of the cycle, null while there is none"`
	Vel     spec.Out[float64] `rcc:"outVel" doc:"velocity in the cycle, 1/s"`
	Acc     spec.Out[float64] `rcc:"outAcc" doc:"change of velocity to the cycle before, 1/s²"`

	axis     axis
	last     float64 // inCurPos of the cycle before
	fromZero bool    // inCurPos is open
}

func (p *otg) Init(env *spec.Env) error {
	p.fromZero, p.last = env.Open("inCurPos"), nan
	return nil
}

func generate(run []otg, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		pos := p.CurPos.Or(cy, nan)
		known := p.axis.resume(pos, p.fromZero, cy)
		p.axis.vel = p.velocity(pos, cy)
		p.last = pos
		if !known {
			continue
		}
		acceleration := p.axis.follow(target{
			pos: p.DestPos.Or(cy, nan), vel: p.DestVel.Or(cy, nan),
			maxVel: p.MaxVel.Or(cy, 0), maxAcc: p.MaxAcc.Or(cy, 0),
		}, 0, cy)
		p.Pos.Set(cy, p.axis.pos)
		p.Vel.Set(cy, p.axis.vel)
		p.Acc.Set(cy, acceleration)
	}
}

// velocity returns the given one, else what the given positions tell, else that of the cycle before.
func (p *otg) velocity(pos float64, cy *spec.Cycle) float64 {
	if v := p.CurVel.Or(cy, nan); finite(v) {
		return v
	}
	if v := (pos - p.last) / cy.Period; finite(v) && p.axis.cycle+1 == cy.N {
		return v
	}
	return p.axis.vel
}

type otg2 struct {
	CurPos spec.In[float64]  `rcc:"inCurPos" doc:"position of the axis; open: where the generator left it, at first 0"`
	CurVel spec.In[float64]  `rcc:"inCurVel" doc:"velocity of the axis, 1/s; open: that which the generator left it with"`
	DesPos spec.In[float64]  `rcc:"inDesPos" wanted:"true" doc:"position of the goal; its velocity is what it moves by, except for jumps"`
	MaxVel spec.In[float64]  `rcc:"inMaxVel" or:"maxVel=0" must:">= 0" should:"> 0 -- without a limit above 0 nothing moves" doc:"limit of velocity, 1/s"`
	MaxAcc spec.In[float64]  `rcc:"inMaxAcc" or:"maxAcc=0" must:">= 0" should:"> 0 -- without a limit above 0 nothing moves" doc:"limit of acceleration, 1/s²"`
	Pos    spec.Out[float64] `rcc:"outPos" doc:"position at the end of the cycle, null while there is none"`
	Vel    spec.Out[float64] `rcc:"outVel" doc:"velocity at the end of the cycle, 1/s"`
	Acc    spec.Out[float64] `rcc:"outAcc" doc:"acceleration in the cycle, 1/s²"`

	axis     axis
	goal     float64 // of the cycle before
	fromZero bool    // inCurPos is open
}

func (p *otg2) Init(env *spec.Env) error {
	p.fromZero, p.goal = env.Open("inCurPos"), nan
	return nil
}

func generateSteadily(run []otg2, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		known := p.axis.resume(p.CurPos.Or(cy, nan), p.fromZero, cy)
		if v := p.CurVel.Or(cy, nan); finite(v) {
			p.axis.vel = v
		}
		if !known {
			p.goal = nan
			continue
		}
		goal, maxVel := p.DesPos.Or(cy, nan), p.MaxVel.Or(cy, 0)
		acceleration := p.axis.follow(target{
			pos: goal, vel: p.goalVelocity(goal, maxVel, cy), maxVel: maxVel, maxAcc: p.MaxAcc.Or(cy, 0),
		}, 0.5, cy)
		p.Pos.Set(cy, p.axis.pos)
		p.Vel.Set(cy, p.axis.vel)
		p.Acc.Set(cy, acceleration)
	}
}

// goalVelocity takes a goal that moves faster than the axis may for one that has been replaced, and rests.
func (p *otg2) goalVelocity(goal, maxVel float64, cy *spec.Cycle) float64 {
	v := (goal - p.goal) / cy.Period
	p.goal = goal
	if !(math.Abs(v) <= maxVel) {
		return 0
	}
	return v
}

func generators() []*spec.Primitive {
	limits := params{"maxVel": "1", "maxAcc": "10"}
	return []*spec.Primitive{
		spec.Declare(spec.Decl{
			Name: "Core::OTG", Extension: extension, Doc: "moves an axis to a goal in the shortest time that limits of velocity and acceleration allow",
			Unrelated: "limits of velocity, acceleration and jerk are quantities of different kinds",
			Examples: []spec.Example{
				{
					Doc: "speed up, brake, arrive", Cycle: "100ms", Params: limits, In: series{"inDestPos": {"0.25"}},
					Out: series{"outPos": {"0.1", "0.2", "0.25", "0.25"}, "outVel": {"1", "1", "0.5", "0"}, "outAcc": {"10", "0", "-5", "-5", "0"}},
				},
				{
					Doc: "given place and velocity", Cycle: "100ms", Params: params{"maxVel": "5", "maxAcc": "10"},
					In:  series{"inCurPos": {"1"}, "inCurVel": {"2"}, "inDestPos": {"1.05"}},
					Out: series{"outPos": {"1.1"}, "outVel": {"1"}, "outAcc": {"-10"}},
				},
				{
					Doc: "without goal the axis brakes", Cycle: "100ms", Params: limits, In: series{"inDestPos": {"9", "null"}},
					Out: series{"outPos": {"0.1", "0.1"}, "outVel": {"1", "0"}},
				},
				{
					Doc: "an infinite goal is none: the axis brakes", Cycle: "100ms", Params: params{"maxVel": "2", "maxAcc": "10"}, In: series{"inDestPos": {"9", "9", "+inf"}},
					Out: series{"outPos": {"0.1", "0.3", "0.4", "0.4"}, "outVel": {"1", "2", "1", "0"}},
				},
				{Doc: "without place there is nothing to command", Params: limits, In: series{"inCurPos": {"null"}, "inDestPos": {"1"}}, Out: series{"outPos": {"null"}, "outVel": {"null"}}},
				{Doc: "without limits the axis stays", In: series{"inDestPos": {"1"}}, Out: series{"outPos": {"0"}, "outVel": {"0"}}},
				{Doc: "no double", Params: params{"maxVel": "fast"}, Reject: "parameter maxVel"},
			},
		}, spec.Kernels[otg]{Run: generate}),
		spec.Declare(spec.Decl{
			Name: "Core::OTG2", Extension: extension, Doc: "moves an axis to a goal like OTG, with velocities that change steadily and goals that may move",
			Unrelated: "limits of velocity, acceleration and jerk are quantities of different kinds",
			Examples: []spec.Example{
				{
					Doc: "speed up, brake, arrive", Cycle: "100ms", Params: limits, In: series{"inDesPos": {"0.08"}},
					Out: series{"outPos": {"0.04", "0.08", "0.08"}, "outVel": {"0.8", "0", "0"}, "outAcc": {"8", "-8", "0"}},
				},
				{
					Doc: "a moving goal is caught up with", Cycle: "100ms", Params: limits,
					In:  series{"inDesPos": {"0", "0.05", "0.1", "0.15"}},
					Out: series{"outPos": {"0", "0.0375", "0.1", "0.15"}, "outVel": {"0", "0.75", "0.5", "0.5"}},
				},
				{
					Doc: "without goal the axis brakes", Cycle: "100ms", Params: limits, In: series{"inDesPos": {"9", "null"}},
					Out: series{"outPos": {"0.05", "0.1", "0.1"}, "outVel": {"1", "0"}},
				},
				{
					Doc: "an infinite goal is none: the axis brakes", Cycle: "100ms", Params: params{"maxVel": "2", "maxAcc": "10"}, In: series{"inDesPos": {"9", "9", "-inf"}},
					Out: series{"outVel": {"1", "2", "1", "0"}},
				},
				{Doc: "without place there is nothing to command", Params: limits, In: series{"inCurPos": {"nan"}, "inDesPos": {"1"}}, Out: series{"outPos": {"null"}}},
				{Doc: "no double", Params: params{"maxAcc": "fast"}, Reject: "parameter maxAcc"},
			},
		}, spec.Kernels[otg2]{Run: generateSteadily}),
	}
}
