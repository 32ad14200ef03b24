package world

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// course is one half of a motion, translation or rotation, within its limits.
type course struct {
	vel geom.Vector
	acc float64 // last limit of acceleration that was one
}

// follow changes the velocity in the direction of the one with which the rest of the way, which the velocity of the goal
// does not cover, is soonest done (cycle). Without a goal or a limit it brakes, if need be with the last acceleration that was
// allowed, and immediately when there never was one.
func (c *course) follow(rest, goalVel geom.Vector, maxVel, maxAcc, period float64) {
	known := rest.Finite() && maxVel > 0 && maxAcc > 0
	if maxAcc > 0 {
		c.acc = min(maxAcc, unlimited)
	}
	change := c.acc * period
	if c.acc == 0 {
		change = c.vel.Length()
	}
	wanted := geom.Vector{}
	if known {
		speed := generic.BrakingSpeed(rest.Length(), change, period)
		wanted = atMost(goalVel.Add(rest.Unit().Scale(speed)), maxVel)
	}
	c.vel = c.vel.Add(atMost(wanted.Sub(c.vel), change))
	if !c.vel.Finite() {
		c.vel = geom.Vector{}
	}
}

// atMost shortens a vector to a length.
func atMost(v geom.Vector, length float64) geom.Vector {
	if v.Length() <= length {
		return v
	}
	return v.Unit().Scale(length)
}

const (
	unlimited = 1e150 // stands for infinity, and its products with cycle times are still numbers
	rounding  = 1e-14 // of sums; a goal that is missed by no more is reached
)

type frameOTG struct {
	CurPos      spec.In[geom.Frame]  `rcc:"inCurPos" doc:"frame that is moved; open: where the generator left it, at first the reference"`
	CurVel      spec.In[geom.Twist]  `rcc:"inCurVel" doc:"its motion, m/s and rad/s; open: that which the generator left it with"`
	DestPos     spec.In[geom.Frame]  `rcc:"inDestPos" wanted:"true" doc:"frame of the goal at the end of the cycle"`
	DestVel     spec.In[geom.Twist]  `rcc:"inDestVel" doc:"motion of the goal, m/s and rad/s; open: at rest"`
	MaxTransVel spec.In[float64]     `rcc:"inMaxTransVel" or:"MaxTransVel=1" must:">= 0" should:"> 0 -- without a limit above 0 nothing moves" doc:"limit of velocity, m/s"`
	MaxTransAcc spec.In[float64]     `rcc:"inMaxTransAcc" or:"MaxTransAcc=1" must:">= 0" should:"> 0 -- without a limit above 0 nothing moves" doc:"limit of acceleration, m/s²"`
	MaxRotVel   spec.In[float64]     `rcc:"inMaxRotVel" or:"MaxRotVel=1" must:">= 0" should:"> 0 -- without a limit above 0 nothing moves" doc:"limit of angular velocity, rad/s"`
	MaxRotAcc   spec.In[float64]     `rcc:"inMaxRotAcc" or:"MaxRotAcc=1" must:">= 0" should:"> 0 -- without a limit above 0 nothing moves" doc:"limit of angular acceleration, rad/s²"`
	Pos         spec.Out[geom.Frame] `rcc:"outPos" doc:"frame at the end of the cycle, null while there is none"`
	Vel         spec.Out[geom.Twist] `rcc:"outVel" doc:"motion in the cycle, seen from the reference, m/s and rad/s"`

	pos        geom.Vector
	rot        geom.Rotation
	trans, rev course
	cycle      uint64 // in which it was there, 0 for never
	fromZero   bool   // inCurPos is open
}

func (p *frameOTG) Init(env *spec.Env) error {
	p.fromZero = env.Open("inCurPos")
	return nil
}

// resume puts the frame where it is, as far as that is known, and reports whether its place is known. A generator that was
// not active in the cycle before begins at rest.
func (p *frameOTG) resume(cy *spec.Cycle) bool {
	if p.cycle+1 != cy.N {
		p.trans.vel, p.rev.vel = geom.Vector{}, geom.Vector{}
	}
	if v := p.CurVel.Ref(cy); v != nil && v.Vel.Finite() && v.Rot.Finite() {
		p.trans.vel, p.rev.vel = v.Vel, v.Rot
	}
	f := p.CurPos.Ref(cy)
	switch {
	case f != nil && f.Pos.Finite() && f.Rot.Finite():
		p.pos, p.rot = f.Pos, f.Rot
	case p.cycle == 0 && !p.fromZero:
		return false
	}
	p.cycle = cy.N
	return cy.Period > 0
}

// goal returns where to go, NaN when that is not known.
func (p *frameOTG) goal(cy *spec.Cycle) (pos geom.Vector, rot geom.Rotation, vel, angular geom.Vector) {
	nan := math.NaN()
	pos = geom.Vector{X: nan, Y: nan, Z: nan}
	if f := p.DestPos.Ref(cy); f != nil && f.Pos.Finite() && f.Rot.Finite() {
		pos, rot = f.Pos, f.Rot
	}
	if v := p.DestVel.Ref(cy); v != nil && v.Vel.Finite() && v.Rot.Finite() {
		vel, angular = v.Vel, v.Rot
	}
	return pos, rot, vel, angular
}

// move takes the frame to the end of the cycle.
func (p *frameOTG) move(cy *spec.Cycle) {
	t := cy.Period
	pos, rot, vel, angular := p.goal(cy)
	known := pos.Finite()
	turn := pos // not known either
	if known {
		turn = p.rot.Add(angular, t).Velocity(rot, 1)
	}
	miss := rounding * max(p.pos.Length(), pos.Length(), p.trans.vel.Length()*t)
	p.trans.follow(pos.Sub(p.pos.Add(vel.Scale(t))), vel, p.MaxTransVel.Or(cy, 0), p.MaxTransAcc.Or(cy, 0), t)
	p.rev.follow(turn, angular, p.MaxRotVel.Or(cy, 0), p.MaxRotAcc.Or(cy, 0), t)

	if next := p.pos.Add(p.trans.vel.Scale(t)); next.Finite() {
		p.pos = next
	}
	p.rot = p.rot.Add(p.rev.vel, t)
	if !known {
		return
	}
	if p.pos.Sub(pos).Length() <= miss && miss <= math.MaxFloat64 {
		p.pos = pos
		p.trans.settle(vel, miss, t)
	}
	if p.rot.To(rot).Angle() <= rounding {
		p.rot = rot
		p.rev.settle(angular, rounding, t)
	}
}

// settle gives what has reached the goal the velocity of the goal, unless more than rounding is between the two.
func (c *course) settle(goalVel geom.Vector, miss, period float64) {
	if c.vel.Sub(goalVel).Length()*period <= miss {
		c.vel = goalVel
	}
}

func generate(run []frameOTG, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if !p.resume(cy) {
			continue
		}
		p.move(cy)
		p.Pos.V.Pos, p.Pos.V.Rot = p.pos, p.rot
		p.Pos.Touch(cy)
		p.Vel.V.Vel, p.Vel.V.Rot = p.trans.vel, p.rev.vel
		p.Vel.Touch(cy)
	}
}

func generators() []*spec.Primitive {
	limits := params{"MaxTransVel": "1", "MaxTransAcc": "10", "MaxRotVel": "1", "MaxRotAcc": "10"}
	return []*spec.Primitive{
		spec.Declare(spec.Decl{
			Name: "World::FrameOTG", Extension: extension,
			Doc:       "moves a frame to a goal in the shortest time that limits of velocity and acceleration allow, straight and about one axis when it starts at rest",
			Unrelated: "limits of velocity, acceleration and jerk are quantities of different kinds",
			Examples: []spec.Example{
				{
					Doc: "speed up, brake, arrive", Cycle: "100ms", Params: limits, In: series{"inDestPos": {"{pos:{x:0.25,y:0,z:0},rot:{a:0.05,b:0,c:0}}"}},
					Out: series{
						"outPos": {
							"{pos:{x:0.1,y:0,z:0},rot:{a:0.05,b:0,c:0}}", "{pos:{x:0.2,y:0,z:0},rot:{a:0.05,b:0,c:0}}",
							"{pos:{x:0.25,y:0,z:0},rot:{a:0.05,b:0,c:0}}", "{pos:{x:0.25,y:0,z:0},rot:{a:0.05,b:0,c:0}}",
						},
						"outVel": {
							"{vel:{x:1,y:0,z:0},rot:{x:0,y:0,z:0.5}}", "{vel:{x:1,y:0,z:0},rot:{x:0,y:0,z:0}}",
							"{vel:{x:0.5,y:0,z:0},rot:{x:0,y:0,z:0}}", "{vel:{x:0,y:0,z:0},rot:{x:0,y:0,z:0}}",
						},
					},
				},
				{
					Doc: "given place and motion", Cycle: "100ms", Params: params{"MaxTransVel": "5", "MaxTransAcc": "10"},
					In: series{
						"inCurPos": {"{pos:{x:1,y:0,z:0},rot:{a:0,b:0,c:0}}"}, "inCurVel": {"{vel:{x:2,y:0,z:0},rot:{x:0,y:0,z:0}}"},
						"inDestPos": {"{pos:{x:1.05,y:0,z:0},rot:{a:0,b:0,c:0}}"},
					},
					Out: series{"outPos": {"{pos:{x:1.1,y:0,z:0},rot:{a:0,b:0,c:0}}"}, "outVel": {"{vel:{x:1,y:0,z:0},rot:{x:0,y:0,z:0}}"}},
				},
				{
					Doc: "a goal that moves", Cycle: "100ms", Params: limits,
					In: series{
						"inDestPos": {"{pos:{x:0.1,y:0,z:0},rot:{a:0,b:0,c:0}}", "{pos:{x:0.15,y:0,z:0},rot:{a:0,b:0,c:0}}"},
						"inDestVel": {"{vel:{x:0.5,y:0,z:0},rot:{x:0,y:0,z:0}}"},
					},
					Out: series{
						"outPos": {"{pos:{x:0.1,y:0,z:0},rot:{a:0,b:0,c:0}}", "{pos:{x:0.15,y:0,z:0},rot:{a:0,b:0,c:0}}"},
						"outVel": {"{vel:{x:1,y:0,z:0},rot:{x:0,y:0,z:0}}", "{vel:{x:0.5,y:0,z:0},rot:{x:0,y:0,z:0}}"},
					},
				},
				{
					Doc: "without goal the frame brakes", Cycle: "100ms", Params: limits, In: series{"inDestPos": {"{pos:{x:9,y:0,z:0},rot:{a:1,b:0,c:0}}", "null"}},
					Out: series{
						"outPos": {"{pos:{x:0.1,y:0,z:0},rot:{a:0.1,b:0,c:0}}", "{pos:{x:0.1,y:0,z:0},rot:{a:0.1,b:0,c:0}}"},
						"outVel": {"{vel:{x:1,y:0,z:0},rot:{x:0,y:0,z:1}}", "{vel:{x:0,y:0,z:0},rot:{x:0,y:0,z:0}}"},
					},
				},
				{
					Doc: "a goal too far away to calculate with is not reached at once", Cycle: "100ms", Params: limits,
					In: series{"inDestPos": {"{pos:{x:9},rot:{}}", "{pos:{x:1e300},rot:{}}"}},
					Out: series{
						"outPos": {"{pos:{x:0.1,y:0,z:0},rot:{a:0,b:0,c:0}}", "{pos:{x:0.1,y:0,z:0},rot:{a:0,b:0,c:0}}"},
						"outVel": {"{vel:{x:1,y:0,z:0},rot:{x:0,y:0,z:0}}", "{vel:{x:0,y:0,z:0},rot:{x:0,y:0,z:0}}"},
					},
				},
				{
					Doc: "without place there is nothing to command", In: series{"inCurPos": {"null"}, "inDestPos": {"{pos:{x:9,y:0,z:0},rot:{a:1,b:0,c:0}}"}},
					Out: series{"outPos": {"null"}, "outVel": {"null"}},
				},
				{Doc: "no double", Params: params{"MaxRotVel": "fast"}, Reject: "parameter MaxRotVel"},
			},
		}, spec.Kernels[frameOTG]{Run: generate}),
	}
}
