package motion

import (
	"math"

	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// guard lets set-points of joints pass as long as they are within limits, and from then on has the joints come to rest together, in the
// direction in which they have moved.
type guard struct {
	CurPos  spec.In[[]float64]    `rcc:"inCurPos" wanted:"true" doc:"positions of the joints when the primitive becomes active"`
	CurVel  spec.In[[]float64]    `rcc:"inCurVel" doc:"velocities then, 1/s; open or null: at rest"`
	CurAcc  spec.In[[]float64]    `rcc:"inCurAcc" doc:"accelerations then, 1/s²"`
	DestPos spec.In[[]float64]    `rcc:"inDestPos" wanted:"true" doc:"where the joints are to be at the end of the cycle; what is not there cannot be followed"`
	MaxVel  spec.Param[[]float64] `rcc:"MaxVel" default:"[]" must:">= 0" should:"len <= Size unless Size -- elements without a joint count for nothing" doc:"limits of velocity, 1/s; a joint without one has none"`
	MaxAcc  spec.Param[[]float64] `rcc:"MaxAcc" default:"[]" must:">= 0" should:"len <= Size unless Size -- elements without a joint count for nothing" doc:"limits of acceleration, 1/s²; a joint without one rests at once"`
	Pos     spec.Out[[]float64]   `rcc:"outPos" doc:"where the joints go, null as long as nobody knows where they are"`
	Lost    spec.Out[bool]        `rcc:"outLost" doc:"true from when set-points could not be followed within the limits"`
	Rests   spec.Out[bool]        `rcc:"outRests" doc:"true when the joints have come to rest after that"`
	size

	at, vel []float64 // at the end of the last cycle, and on the way there
	placed  bool
	lost    bool
	cycle   uint64 // in which it was active
}

func (p *guard) Init(env *spec.Env) error {
	n, err := p.of(&p.DestPos, &p.CurPos)
	if err != nil {
		return err
	}
	if p.at, err = spec.Make[float64](env, n); err != nil {
		return err
	}
	if p.vel, err = spec.Make[float64](env, n); err != nil {
		return err
	}
	p.Pos.V, err = spec.Make[float64](env, n)
	return err
}

// begin puts the joints where they are (cycle).
func (p *guard) begin(cy *spec.Cycle) {
	pos, vel, acc := array(&p.CurPos, cy), array(&p.CurVel, cy), array(&p.CurAcc, cy)
	at, step := p.at, p.vel
	p.placed, p.lost = true, false
	for k := range at {
		at[k] = element(pos, k, nan)
		p.placed = p.placed && finite(at[k])
		if k < len(step) {
			step[k] = instead(element(vel, k, 0), 0) - instead(element(acc, k, 0), 0)*cy.Period/2
		}
	}
}

// follows reports whether the joints can be where they are to be (cycle).
func (p *guard) follows(to []float64, period float64) bool {
	const slack, rounding = 1 + 1e-6, 1e-9
	at, vel := p.at, p.vel
	for k := range at {
		if k >= len(vel) {
			return false
		}
		v := (element(to, k, nan) - at[k]) / period
		most, rise := element(p.MaxVel.V, k, math.Inf(1)), element(p.MaxAcc.V, k, 0)*period
		if !(math.Abs(v) <= most*slack && math.Abs(v-vel[k]) <= rise*slack+rounding) {
			return false
		}
	}
	return true
}

// brake is what is left of the velocities after a cycle (cycle).
func (p *guard) brake(period float64) (share float64) {
	needs := 0.0
	for k, v := range p.vel {
		if acc := element(p.MaxAcc.V, k, 0); v != 0 && acc > 0 {
			needs = max(needs, math.Abs(v)/acc)
		}
	}
	if needs <= period {
		return 0
	}
	return 1 - period/needs
}

func watchOver(run []guard, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if p.cycle+1 != cy.N || !p.placed {
			p.begin(cy)
		}
		if p.cycle = cy.N; !p.placed {
			continue
		}
		to := array(&p.DestPos, cy)
		p.lost = p.lost || !p.follows(to, cy.Period)
		share := p.brake(cy.Period)
		at, vel, out := p.at, p.vel, p.Pos.V
		for k := range at {
			if k >= len(vel) || k >= len(out) {
				break
			}
			if p.lost {
				vel[k] *= share
				at[k] += vel[k] * cy.Period
			} else {
				next := element(to, k, nan)
				vel[k], at[k] = (next-at[k])/cy.Period, next
			}
			out[k] = at[k]
		}
		p.Pos.Touch(cy)
		p.Lost.Set(cy, p.lost)
		p.Rests.Set(cy, p.lost && share == 0)
	}
}

func guards() []*spec.Primitive {
	two := params{"MaxVel": "[1,1]", "MaxAcc": "[2,1]"}
	return []*spec.Primitive{
		spec.Declare(spec.Decl{
			Name: "Motion::Guard", Extension: extension, Doc: "lets set-points of joints pass that are within limits; joints that cannot follow come to rest",
			Examples: []spec.Example{
				{
					Doc: "a jump is not followed", Cycle: "500ms", Params: two, In: series{"inCurPos": {"[0,0]"}, "inDestPos": {"[0.25,0.25]", "[0.75,0.75]", "[3,0.75]", "[0,0]"}},
					Out: series{
						"outPos":  {"[0.25,0.25]", "[0.75,0.75]", "[1,1]", "[1,1]"},
						"outLost": {"false", "false", "true", "true"}, "outRests": {"false", "false", "false", "true"},
					},
				},
				{
					Doc: "in flight, and then nowhere", Cycle: "500ms", Params: two,
					In:  series{"inCurPos": {"[0,0]"}, "inCurVel": {"[1,0.5]"}, "inDestPos": {"[0.5,0.25]", "null"}},
					Out: series{"outPos": {"[0.5,0.25]", "[0.5,0.25]", "[0.5,0.25]"}, "outRests": {"false", "true"}},
				},
				{Doc: "nobody knows where the joints are", Params: two, In: series{"inCurPos": {"null"}, "inDestPos": {"[1,1]"}}, Out: series{"outPos": {"null"}, "outLost": {"null"}}},
				{Doc: "no joints", Reject: "number of joints is unknown"},
			},
		}, spec.Kernels[guard]{Run: watchOver}),
	}
}
