package kuka

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// elbow is an arm whose elbow can move while its flange stands still. It need not feel anything.
type elbow struct {
	Robot spec.Param[string] `rcc:"Robot" any:"loading looks for a device of this name" doc:"name of the device"`

	chain *kinematics.Chain
	srs   *kinematics.SRS
}

func (e *elbow) open(env *spec.Env) error {
	dev, err := spec.Device[device.ArmKinematics](env, e.Robot.V)
	if err != nil {
		return err
	}
	srs, ok := dev.Arm().Solver.(*kinematics.SRS)
	if !ok {
		return fmt.Errorf("device %q is not an arm like the LWR", e.Robot.V)
	}
	e.chain, e.srs = dev.Arm().Chain, srs
	return nil
}

// positions are the ports of joints.
type positions struct {
	J1 spec.In[float64] `rcc:"inJ1" required:"true" doc:"joint 1, rad"`
	J2 spec.In[float64] `rcc:"inJ2" required:"true" doc:"joint 2, rad"`
	J3 spec.In[float64] `rcc:"inJ3" required:"true" doc:"joint 3, rad"`
	J4 spec.In[float64] `rcc:"inJ4" required:"true" doc:"joint 4, rad"`
	J5 spec.In[float64] `rcc:"inJ5" required:"true" doc:"joint 5, rad"`
	J6 spec.In[float64] `rcc:"inJ6" required:"true" doc:"joint 6, rad"`
	J7 spec.In[float64] `rcc:"inJ7" required:"true" doc:"joint 7, rad"`
}

// seven reads seven ports, and reports whether all have a value.
func seven(cy *spec.Cycle, into *[joints]float64, j1, j2, j3, j4, j5, j6, j7 *spec.In[float64]) bool {
	var ok [joints]bool
	into[0], ok[0] = j1.Get(cy)
	into[1], ok[1] = j2.Get(cy)
	into[2], ok[2] = j3.Get(cy)
	into[3], ok[3] = j4.Get(cy)
	into[4], ok[4] = j5.Get(cy)
	into[5], ok[5] = j6.Get(cy)
	into[6], ok[6] = j7.Get(cy)
	return ok == [joints]bool{true, true, true, true, true, true, true}
}

func (p *positions) get(cy *spec.Cycle, into *[joints]float64) bool {
	return seven(cy, into, &p.J1, &p.J2, &p.J3, &p.J4, &p.J5, &p.J6, &p.J7)
}

type forward struct {
	elbow
	positions
	Alpha spec.Out[float64]    `rcc:"outAlpha" doc:"angle of the elbow about the line from shoulder to wrist, rad; continuous from cycle to cycle"`
	Frame spec.Out[geom.Frame] `rcc:"outFrame" doc:"pose of the flange seen from the base"`

	alpha float64 // newest
}

func (p *forward) Init(env *spec.Env) error { return p.open(env) }

func pose(run []forward, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		var q [joints]float64
		if !p.get(cy, &q) {
			continue
		}
		alpha := p.srs.Alpha(q[:], p.alpha)
		if alpha == alpha {
			p.alpha = alpha
		}
		p.Alpha.Set(cy, alpha)
		p.Frame.Set(cy, p.chain.Forward(q[:]))
	}
}

type velocity struct {
	elbow
	positions
	V1 spec.In[float64] `rcc:"inV1" required:"true" doc:"velocity of joint 1, rad/s"`
	V2 spec.In[float64] `rcc:"inV2" required:"true" doc:"velocity of joint 2, rad/s"`
	V3 spec.In[float64] `rcc:"inV3" required:"true" doc:"velocity of joint 3, rad/s"`
	V4 spec.In[float64] `rcc:"inV4" required:"true" doc:"velocity of joint 4, rad/s"`
	V5 spec.In[float64] `rcc:"inV5" required:"true" doc:"velocity of joint 5, rad/s"`
	V6 spec.In[float64] `rcc:"inV6" required:"true" doc:"velocity of joint 6, rad/s"`
	V7 spec.In[float64] `rcc:"inV7" required:"true" doc:"velocity of joint 7, rad/s"`

	Twist spec.Out[geom.Twist] `rcc:"outTwist" doc:"velocity of the flange, seen from the base"`
	Alpha spec.Out[float64]    `rcc:"outVAlpha" doc:"velocity of the angle of the elbow, rad/s"`
}

func (p *velocity) Init(env *spec.Env) error { return p.open(env) }

func speed(run []velocity, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		var q, v [joints]float64
		if p.get(cy, &q) && seven(cy, &v, &p.V1, &p.V2, &p.V3, &p.V4, &p.V5, &p.V6, &p.V7) {
			p.Twist.Set(cy, p.chain.Twist(q[:], v[:]))
			p.Alpha.Set(cy, p.srs.AlphaVelocity(q[:], v[:]))
		}
	}
}

// fastest is by how much the elbow may turn in a second beside being carried along.
const fastest = 2 * math.Pi

type inverse struct {
	elbow
	Strategy spec.Param[int32]   `rcc:"Strategy" default:"1" must:">= 0; <= 1" doc:"0: the elbow is where joints of null space have it, or as near as limits allow; 1: joints move least"`
	Frame    spec.In[geom.Frame] `rcc:"inFrame" required:"true" doc:"pose of the flange seen from the base"`
	Hint1    spec.In[float64]    `rcc:"inHintJ1" required:"true" doc:"joint 1 near to what is wanted, rad"`
	Hint2    spec.In[float64]    `rcc:"inHintJ2" required:"true" doc:"joint 2 near to what is wanted, rad"`
	Hint3    spec.In[float64]    `rcc:"inHintJ3" required:"true" doc:"joint 3 near to what is wanted, rad"`
	Hint4    spec.In[float64]    `rcc:"inHintJ4" required:"true" doc:"joint 4 near to what is wanted, rad"`
	Hint5    spec.In[float64]    `rcc:"inHintJ5" required:"true" doc:"joint 5 near to what is wanted, rad"`
	Hint6    spec.In[float64]    `rcc:"inHintJ6" required:"true" doc:"joint 6 near to what is wanted, rad"`
	Hint7    spec.In[float64]    `rcc:"inHintJ7" required:"true" doc:"joint 7 near to what is wanted, rad"`
	Null1    spec.In[float64]    `rcc:"inNullspaceJ1" doc:"joint 1 of a posture with the elbow where it is wanted, rad; that of the hint if some are open or null"`
	Null2    spec.In[float64]    `rcc:"inNullspaceJ2" doc:"joint 2 of this posture, rad"`
	Null3    spec.In[float64]    `rcc:"inNullspaceJ3" doc:"joint 3 of this posture, rad"`
	Null4    spec.In[float64]    `rcc:"inNullspaceJ4" doc:"joint 4 of this posture, rad"`
	Null5    spec.In[float64]    `rcc:"inNullspaceJ5" doc:"joint 5 of this posture, rad"`
	Null6    spec.In[float64]    `rcc:"inNullspaceJ6" doc:"joint 6 of this posture, rad"`
	Null7    spec.In[float64]    `rcc:"inNullspaceJ7" doc:"joint 7 of this posture, rad"`

	J1 spec.Out[float64] `rcc:"outJ1" doc:"joint 1, rad; not a number when there is no solution"`
	J2 spec.Out[float64] `rcc:"outJ2" doc:"joint 2, rad"`
	J3 spec.Out[float64] `rcc:"outJ3" doc:"joint 3, rad"`
	J4 spec.Out[float64] `rcc:"outJ4" doc:"joint 4, rad"`
	J5 spec.Out[float64] `rcc:"outJ5" doc:"joint 5, rad"`
	J6 spec.Out[float64] `rcc:"outJ6" doc:"joint 6, rad"`
	J7 spec.Out[float64] `rcc:"outJ7" doc:"joint 7, rad"`

	answered uint64 // the last cycle with a solution
	answer   [joints]float64
}

func (p *inverse) Init(env *spec.Env) error {
	return p.open(env)
}

func solve(run []inverse, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		var hint [joints]float64
		to := p.Frame.Ref(cy)
		if to == nil || !seven(cy, &hint, &p.Hint1, &p.Hint2, &p.Hint3, &p.Hint4, &p.Hint5, &p.Hint6, &p.Hint7) {
			continue
		}
		q := p.find(cy, to, &hint)
		p.J1.Set(cy, q[0])
		p.J2.Set(cy, q[1])
		p.J3.Set(cy, q[2])
		p.J4.Set(cy, q[3])
		p.J5.Set(cy, q[4])
		p.J6.Set(cy, q[5])
		p.J7.Set(cy, q[6])
	}
}

// find solves the first cycle of a motion near the hint. In those that follow, joints go on from where the cycle before has
// them, and the elbow does not jump; where that is impossible, one cycle has no solution, and the next one is a first one.
func (p *inverse) find(cy *spec.Cycle, to *geom.Frame, hint *[joints]float64) (q [joints]float64) {
	want := kinematics.Elbow{Strategy: kinematics.LeastMotion}
	if p.Strategy.V == 0 {
		posture := *hint
		var there [joints]float64
		if seven(cy, &there, &p.Null1, &p.Null2, &p.Null3, &p.Null4, &p.Null5, &p.Null6, &p.Null7) {
			posture = there
		}
		want = kinematics.Elbow{Strategy: kinematics.KeepAlpha, Alpha: p.srs.Alpha(posture[:], 0)}
	}
	from := hint
	if p.answered != 0 && p.answered+1 == cy.N {
		from, want.Step = &p.answer, fastest*cy.Period
	}
	if !p.srs.Solve(to, want, from[:], q[:]).Good() {
		p.answered = 0
		for k := range q {
			q[k] = math.NaN()
		}
		return q
	}
	p.answered, p.answer = cy.N, q
	return q
}

// all gives ports of all joints the same series.
func all(prefix string, values ...string) ports {
	in := ports{}
	for i := range joints {
		in[fmt.Sprintf("%s%d", prefix, i+1)] = values
	}
	return in
}

// ports are series that can be added to.
type ports series

// and adds to what ports get. Earlier contents are replaced.
func (p ports) and(more series) ports {
	for name, values := range more {
		p[name] = values
	}
	return p
}

// up is where the flange of an LWR is when all joints are at 0.
const up = "{pos:{x:0,y:0,z:1.1785},rot:{a:0,b:0,c:0}}"

var kin = spec.Declare(spec.Decl{
	Name: "KUKA::LWR::Kin", Extension: extension, Doc: "where the flange is, and where the elbow",
	Examples: []spec.Example{
		{
			Doc: "straight up", Params: params{"Robot": "lwr"}, In: series(all("inJ", "0").and(series{"inJ7": {"0", "null"}})),
			Out: series{"outFrame": {up, "null"}, "outAlpha": {"0", "null"}},
		},
		{Doc: "joints are missing", Params: params{"Robot": "lwr"}, Reject: "inJ1 must be connected"},
		{Doc: "an arm without elbow", Params: params{"Robot": "stiff"}, In: series(all("inJ", "0")), Reject: `device "stiff" is not an arm like the LWR`},
	},
}, spec.Kernels[forward]{Run: pose})

var velKin = spec.Declare(spec.Decl{
	Name: "KUKA::LWR::VelKin", Extension: extension, Doc: "how the flange moves, and the elbow",
	Examples: []spec.Example{
		{
			Doc: "turning about the first axis", Params: params{"Robot": "lwr"},
			In:  series(all("inJ", "0").and(series(all("inV", "0"))).and(series{"inV1": {"0.5"}})),
			Out: series{"outTwist": {"{vel:{x:0,y:0,z:0},rot:{x:0,y:0,z:0.5}}"}, "outVAlpha": {"0.5"}},
		},
		{Doc: "velocities are missing", Params: params{"Robot": "lwr"}, In: series(all("inJ", "0")), Reject: "inV1 must be connected"},
	},
}, spec.Kernels[velocity]{Run: speed})

var invKin = spec.Declare(spec.Decl{
	Name: "KUKA::LWR::InvKin", Extension: extension, Doc: "joints that bring the flange somewhere, with the elbow where it is wanted",
	Examples: []spec.Example{
		{
			Doc: "within reach, and not", Params: params{"Robot": "lwr"},
			In:  series(all("inHintJ", "0").and(series{"inFrame": {up, "{pos:{x:3,y:0,z:0},rot:{a:0,b:0,c:0}}", "null"}})),
			Out: series(all("outJ", "0", "nan", "null")),
		},
		{
			Doc: "the elbow stays", Params: params{"Robot": "lwr", "Strategy": "0"},
			In:  series(all("inHintJ", "0").and(series(all("inNullspaceJ", "0"))).and(series{"inFrame": {up}})),
			Out: series(all("outJ", "0")),
		},
		{
			Doc: "no such strategy", Params: params{"Robot": "lwr", "Strategy": "2"},
			In: series(all("inHintJ", "0").and(series{"inFrame": {up}})), Reject: "parameter Strategy: it is 2, but must be at most 1",
		},
		{Doc: "no hint", Params: params{"Robot": "lwr"}, In: series{"inFrame": {up}}, Reject: "inHintJ1 must be connected"},
	},
}, spec.Kernels[inverse]{Run: solve})
