package armkinematics

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

type forwardVelocity struct {
	arm
	Joints     spec.In[[]float64]   `rcc:"inJoints" required:"true" doc:"values of all joints, rad or m"`
	Velocities spec.In[[]float64]   `rcc:"inVelocities" required:"true" doc:"their velocities, 1/s"`
	Twist      spec.Out[geom.Twist] `rcc:"outTwist" doc:"how the flange moves: the velocity of its origin, and its rotation, along the axes of the base; not a number with more or fewer joints"`
}

func (p *forwardVelocity) Init(env *spec.Env) error {
	if err := p.open(env, "inJoints", &p.Joints); err != nil {
		return err
	}
	return p.fits("inVelocities", &p.Velocities)
}

func twist(run []forwardVelocity, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		joints, velocities := p.Joints.Ref(cy), p.Velocities.Ref(cy)
		switch n := p.chain.Len(); {
		case joints == nil || velocities == nil:
		case len(*joints) != n || len(*velocities) != n:
			p.Twist.Set(cy, p.chain.Twist(nil, nil))
		default:
			p.Twist.Set(cy, p.chain.Twist(*joints, *velocities))
		}
	}
}

type inverseVelocity struct {
	arm
	Joints     spec.In[[]float64]  `rcc:"inJoints" required:"true" doc:"values of all joints, rad or m"`
	Twist      spec.In[geom.Twist] `rcc:"inTwist" required:"true" doc:"how the flange is to move: the velocity of its origin, and its rotation, along the axes of the base"`
	MaxVel     spec.In[[]float64]  `rcc:"inMaxVel" or:"MaxVel=[]" should:">= 0 -- a limit below 0 cannot be kept" doc:"limits of velocity, 1/s; joints without one have none"`
	Length     spec.Param[float64] `rcc:"Length" default:"0.5" must:"> 0; finite" doc:"m, what compares with 1 rad in a twist"`
	Least      spec.Param[float64] `rcc:"Least" default:"0.01" must:"> 0; finite" doc:"singular value of the Jacobian below which a direction is given up bit by bit, instead of moving joints without bounds"`
	Velocities spec.Out[[]float64] `rcc:"outVelocities" doc:"velocities of all joints, 1/s, the least ones of several; not numbers when something is none"`
	Share      spec.Out[float64]   `rcc:"outShare" doc:"by how much the twist was scaled for no joint to be faster than its limit, 0 to 1"`
	Exact      spec.Out[bool]      `rcc:"outExact" doc:"true when the flange moves in exactly the direction that is wanted"`

	jacobian geom.Jacobian
}

func (p *inverseVelocity) Init(env *spec.Env) (err error) {
	if err = p.open(env, "inJoints", &p.Joints); err != nil {
		return err
	}
	p.Velocities.V, err = generic.Array[float64](env, int32(p.chain.Len()))
	return err
}

func velocities(run []inverseVelocity, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		joints, want, limits := p.Joints.Ref(cy), p.Twist.Ref(cy), p.MaxVel.Ref(cy)
		if joints == nil || want == nil || limits == nil {
			continue
		}
		into := p.Velocities.V
		for k := range into {
			into[k] = math.NaN()
		}
		exact := false
		if len(*joints) == len(into) {
			p.chain.Jacobian(*joints, &p.jacobian)
			exact = kinematics.Inverse{Length: p.Length.V, Least: p.Least.V}.Velocities(&p.jacobian, *want, nil, into)
		}
		p.Share.Set(cy, scale(into, *limits))
		p.Exact.Set(cy, exact)
		p.Velocities.Touch(cy)
	}
}

// scale makes velocities slower, all by the same share, so that none exceeds its limit (cycle).
func scale(velocities, limits []float64) float64 {
	share := 1.0
	for k, v := range velocities {
		if k >= len(limits) {
			break
		}
		if l := limits[k]; math.Abs(v)*share > l {
			share = max(0, l) / math.Abs(v)
		}
	}
	for k := range velocities {
		velocities[k] *= share
	}
	return share
}

var velKin = spec.Declare(spec.Decl{
	Name: "ArmKinematics::VelKin", Extension: extension, Doc: "how the flange of an arm moves",
	Examples: []spec.Example{
		{
			Doc: "the first joint turns the flange about the base", Params: params{"Robot": "arm"},
			In:  series{"inJoints": {someJoints}, "inVelocities": {"[1,0,0,0,0,0]", "[0,0,0,0,0,0]", "null"}},
			Out: series{"outTwist": {"{vel:{x:-0.05,y:0.6827693411130198,z:0},rot:{x:0,y:0,z:1}}", "{vel:{x:0,y:0,z:0},rot:{x:0,y:0,z:0}}", "null"}},
		},
		{
			Doc: "too few velocities", Params: params{"Robot": "arm"}, In: series{"inJoints": {someJoints}, "inVelocities": {"[1,2]"}},
			Reject: `inVelocities has 2 values, but device "arm" has 6 joints`,
		},
		{Doc: "no joints", Params: params{"Robot": "arm"}, In: series{"inVelocities": {someJoints}}, Reject: "inJoints must be connected"},
	},
}, spec.Kernels[forwardVelocity]{Run: twist})

var invVelKin = spec.Declare(spec.Decl{
	Name: "ArmKinematics::InvVelKin", Extension: extension,
	Doc:       "velocities of joints that move the flange of an arm: within limits by going slower in the same direction, and bounded where a direction is lost",
	Unrelated: "the limits of joints, a length and a singular value are quantities of different kinds",
	Examples: []spec.Example{
		{
			Doc: "about the base, and as fast as a limit lets it", Params: params{"Robot": "arm", "MaxVel": "[0.5]"},
			In: series{
				"inJoints": {someJoints},
				"inTwist":  {"{vel:{x:0,y:0,z:0},rot:{x:0,y:0,z:0}}", "{vel:{x:-0.05,y:0.6827693411130198,z:0},rot:{x:0,y:0,z:1}}", "null"},
			},
			Out: series{"outShare": {"1", "0.5", "null"}, "outExact": {"true", "true", "null"}},
		},
		{
			Doc: "a twist that is not a number", Params: params{"Robot": "arm"},
			In:  series{"inJoints": {someJoints}, "inTwist": {"{vel:{x:nan,y:0,z:0},rot:{x:0,y:0,z:0}}"}},
			Out: series{"outVelocities": {"[nan,nan,nan,nan,nan,nan]"}, "outExact": {"false"}},
		},
		{
			Doc: "nothing is bounded by 0", Params: params{"Robot": "arm", "Least": "0"}, In: series{"inJoints": {someJoints}, "inTwist": {"null"}},
			Reject: "parameter Least: it is 0, but must be above 0",
		},
		{
			Doc: "joints of another arm", Params: params{"Robot": "arm"}, In: series{"inJoints": {"[1,2,3]"}, "inTwist": {"null"}},
			Reject: "inJoints has 3 values",
		},
	},
}, spec.Kernels[inverseVelocity]{Run: velocities})
