// Package armkinematics has the primitives of arms that know where they are in space (§9.2, ArmKinematicsInterface): poses of
// the flange seen from the base for values of all joints, and the way back.
package armkinematics

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// extension is the extension that these primitives belong to.
const extension = "armkinematics"

// Primitives returns the declarations of the package. Their examples use a TX90L named arm.
func Primitives() []*spec.Primitive { return []*spec.Primitive{kin, invKin, velKin, invVelKin} }

// params and series keep examples short.
type (
	params = map[string]string
	series = map[string][]string
)

// someJoints and somePose are joints and pose of the flange of a TX90L that belong together.
const (
	someJoints = "[0,0,1.5,0,-0.5,0]"
	somePose   = "{pos:{x:0.6827693411130198,y:0.05,z:1.0709356915040504},rot:{a:0,b:1,c:0}}"
)

// arm is what all primitives have: the kinematics of a device, which do not change.
type arm struct {
	Robot spec.Param[string] `rcc:"Robot" any:"loading looks for a device of this name" doc:"name of the device"`

	chain  *kinematics.Chain
	solver kinematics.Solver
}

// nearest asks the solver for values of joints (cycle). The kinds of solvers are told apart here, as an arm is a solver too:
// for the checker of the cycle one could be made of another one without end.
func (a *arm) nearest(to *geom.Frame, hint, joints []float64) kinematics.Status {
	switch s := a.solver.(type) {
	case *kinematics.Wrist:
		return s.Nearest(to, hint, joints)
	case *kinematics.UR:
		return s.Nearest(to, hint, joints)
	case *kinematics.SRS:
		return s.Nearest(to, hint, joints)
	case *kinematics.Numeric:
		return s.Nearest(to, hint, joints)
	}
	return kinematics.Unreachable
}

// known reports whether nearest knows the kind of a solver.
func known(s kinematics.Solver) bool {
	switch s.(type) {
	case *kinematics.Wrist, *kinematics.UR, *kinematics.SRS, *kinematics.Numeric:
		return true
	}
	return false
}

// open finds the arm, and checks whether an array has as many values as that has joints. Behind a Pre its length is not known
// yet; such arrays are looked at in each cycle.
func (a *arm) open(env *spec.Env, port string, joints *spec.In[[]float64]) error {
	dev, err := spec.Device[device.ArmKinematics](env, a.Robot.V)
	if err != nil {
		return err
	}
	of := dev.Arm()
	a.chain, a.solver = of.Chain, of.Solver
	if !known(a.solver) {
		return fmt.Errorf("device %q: unknown kind of solver, %T", a.Robot.V, a.solver)
	}
	return a.fits(port, joints)
}

// fits checks whether an array has as many values as the arm has joints.
func (a *arm) fits(port string, joints *spec.In[[]float64]) error {
	if from := joints.Source(); from != nil && len(*from) != 0 && len(*from) != a.chain.Len() {
		return fmt.Errorf("%s has %d values, but device %q has %d joints", port, len(*from), a.Robot.V, a.chain.Len())
	}
	return nil
}

type forward struct {
	arm
	Joints spec.In[[]float64]   `rcc:"inJoints" required:"true" doc:"values of all joints, rad or m"`
	Frame  spec.Out[geom.Frame] `rcc:"outFrame" doc:"pose of the flange seen from the base; not a number with more or fewer joints"`
}

func (p *forward) Init(env *spec.Env) error { return p.open(env, "inJoints", &p.Joints) }

func pose(run []forward, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		joints := p.Joints.Ref(cy)
		switch {
		case joints == nil:
		case len(*joints) != p.chain.Len():
			p.Frame.Set(cy, p.chain.Forward(nil))
		default:
			p.Frame.Set(cy, p.chain.Forward(*joints))
		}
	}
}

type inverse struct {
	arm
	Frame  spec.In[geom.Frame] `rcc:"inFrame" required:"true" doc:"pose of the flange seen from the base"`
	Hint   spec.In[[]float64]  `rcc:"inHintJoints" required:"true" doc:"values of all joints near to those that are wanted"`
	Joints spec.Out[[]float64] `rcc:"outJoints" doc:"values of all joints; not numbers when there is no solution"`
}

func (p *inverse) Init(env *spec.Env) (err error) {
	if err = p.open(env, "inHintJoints", &p.Hint); err != nil {
		return err
	}
	p.Joints.V, err = generic.Array[float64](env, int32(p.chain.Len()))
	return err
}

func solve(run []inverse, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		frame, hint := p.Frame.Ref(cy), p.Hint.Ref(cy)
		if frame == nil || hint == nil {
			continue
		}
		joints := p.Joints.V
		if len(*hint) != len(joints) || !p.nearest(frame, *hint, joints).Good() {
			for k := range joints {
				joints[k] = math.NaN()
			}
		}
		p.Joints.Touch(cy)
	}
}

var kin = spec.Declare(spec.Decl{
	Name: "ArmKinematics::Kin", Extension: extension, Doc: "where the flange of an arm is",
	Examples: []spec.Example{
		{
			Doc: "somewhere", Params: params{"Robot": "arm"}, In: series{"inJoints": {someJoints, "null"}},
			Out: series{"outFrame": {somePose, "null"}},
		},
		{Doc: "too many joints", Params: params{"Robot": "arm"}, In: series{"inJoints": {"[1,2]"}}, Reject: `inJoints has 2 values, but device "arm" has 6 joints`},
		{Doc: "no joints", Params: params{"Robot": "arm"}, Reject: "inJoints must be connected"},
		{Doc: "no such device", Params: params{"Robot": "amr"}, In: series{"inJoints": {"[1]"}}, Reject: `"amr"`},
	},
}, spec.Kernels[forward]{Run: pose})

var invKin = spec.Declare(spec.Decl{
	Name: "ArmKinematics::InvKin", Extension: extension, Doc: "values of joints that bring the flange of an arm somewhere, of several those nearest to a hint",
	Examples: []spec.Example{
		{
			Doc: "within reach, and not", Params: params{"Robot": "arm"},
			In: series{
				"inFrame":      {somePose, "{pos:{x:2,y:0,z:0},rot:{a:0,b:0,c:0}}", "null"},
				"inHintJoints": {someJoints},
			},
			Out: series{"outJoints": {someJoints, "[nan,nan,nan,nan,nan,nan]", "null"}},
		},
		{
			Doc: "hints of another arm", Params: params{"Robot": "arm"},
			In: series{"inFrame": {"{pos:{x:0,y:0,z:0},rot:{a:0,b:0,c:0}}"}, "inHintJoints": {"[1,2,3]"}}, Reject: "inHintJoints has 3 values",
		},
	},
}, spec.Kernels[inverse]{Run: solve})
