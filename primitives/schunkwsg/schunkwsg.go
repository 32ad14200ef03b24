// Package schunkwsg has the primitives of Schunk's WSG grippers (device.WSG).
//
// An action begins in the first cycle in which its primitive is active, or after a reset, and is done once. While it takes
// place outFinished is false and outStatusCode is null; then outFinished is true, and outStatusCode how the action has
// ended: 0 good, 31 the gripper is not operational, 32 it is busy with another action, 19 stopped; else what the gripper
// says. A gripper is not a resource: an action may be stopped by another net.
//
// An action that the gripper does not begin, or begins and does not complete, is a refusal of the net as well. One that somebody has
// stopped (19), or that was asked to stop where something is in the way (29 with StopOnBlock), ended as it was told to, and is none.
package schunkwsg

import (
	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

const extension = "schunk_wsg"

// params and series keep examples short.
type (
	params = map[string]string
	series = map[string][]string
)

// gripper is what all primitives have.
type gripper struct {
	Device spec.Param[string] `rcc:"Device" any:"loading looks for a device of this name" doc:"name of the gripper"`

	device device.WSG
}

func (g *gripper) open(env *spec.Env) (err error) {
	g.device, err = spec.Device[device.WSG](env, g.Device.V)
	return err
}

// action is what all actions have, and do.
type action struct {
	gripper
	Reset    spec.InOr[bool] `rcc:"inReset" or:"=false" doc:"the action begins again when this becomes false again; one that takes place goes on"`
	Finished spec.Out[bool]  `rcc:"outFinished" doc:"the action has ended"`

	does     device.GripperAction
	request  generic.Request
	actuator generic.Actuator // claims nothing: a gripper is not a resource
}

// open finds the gripper, and puts refused actions into the record of the net (load).
func (a *action) open(env *spec.Env) error {
	if err := a.gripper.open(env); err != nil {
		return err
	}
	a.actuator.Explain(env, a.Device.V, "gripper", func(fault int32, _ spec.RefusedAs) string {
		if code := device.GripperCode(fault); code.Refused() {
			return "the gripper has not begun the action: " + code.String()
		}
		return "the gripper has begun the action, but not completed it: " + device.GripperCode(fault).String()
	})
	return nil
}

// sense asks until the action has ended: a gripper does not remember how all those before have (cycle).
func (a *action) sense() {
	if ticket, ok := a.request.Ticket(); ok && !a.request.Done() {
		ended, code := a.device.Ended(ticket)
		a.request.Heard(ended, int32(code))
	}
}

// run reports the outcome of the action (cycle).
func (a *action) run(cy *spec.Cycle) {
	switch {
	case a.Reset.Get(cy):
		a.request.Forget()
	case !a.request.Wanted():
		a.request.Want()
	}
	if a.request.Done() && !a.ended(device.GripperCode(a.request.Fault())) {
		a.request.Refuse(&a.actuator, cy)
	}
	a.Finished.Set(cy, a.request.Done())
}

// ended reports whether the action ended as somebody wanted it to (cycle).
func (a *action) ended(code device.GripperCode) bool {
	switch code {
	case device.GripperGood, device.GripperAborted:
		return true
	case device.GripperBlocked:
		return a.does.StopOnBlock
	}
	return false
}

func (a *action) act() {
	if a.request.Due() {
		a.request.Asked(a.device.Begin(a.does))
	}
}

// coded is an action that ends with a code.
type coded struct {
	action
	Code spec.Out[int32] `rcc:"outStatusCode" doc:"how it has ended: 0 good, 31 not operational, 32 busy with another action, else of the gripper; null until then"`
}

// run reports the outcome of the action, and how it has ended (cycle).
func (c *coded) run(cy *spec.Cycle) {
	c.action.run(cy)
	if c.request.Done() {
		c.Code.Set(cy, c.request.Fault())
	}
}

// declare makes a primitive of an action that the gripper of the examples does at once.
func declare[T any](name, doc string, kernels spec.Kernels[T], more params) *spec.Primitive {
	known := params{"Device": "wsg"}
	for k, v := range more {
		known[k] = v
	}
	return spec.Declare(spec.Decl{
		Name: "schunkwsg::" + name, Extension: extension, Doc: doc,
		Unrelated: "a width and a speed are quantities of different kinds",
		Examples: []spec.Example{
			{
				Doc: "once, and again after a reset", Params: known, In: series{"inReset": {"false", "false", "false", "true", "false", "false"}},
				Out: series{"outFinished": {"false", "true", "true", "false", "false", "true"}, "outStatusCode": {"null", "0", "0", "null", "null", "0"}},
			},
			{Doc: "no such device", Params: params{"Device": "wgs"}, Reject: `"wgs"`},
		},
	}, kernels)
}

type homing struct {
	coded
	Direction spec.Param[bool] `rcc:"Direction" default:"true" doc:"outwards"`
}

func (p *homing) Init(env *spec.Env) error {
	p.does = device.GripperAction{Kind: device.GripperHome, Outwards: p.Direction.V}
	return p.open(env)
}

type prepositioning struct {
	coded
	Width    spec.Param[float64] `rcc:"Width" default:"0" must:"finite" doc:"between the fingers, or by which it changes, m"`
	Speed    spec.Param[float64] `rcc:"Speed" default:"0" must:">= 0; finite" should:"> 0 -- the fingers do not move" doc:"of the fingers, m/s"`
	Relative spec.Param[bool]    `rcc:"RelativeMotion" default:"true" doc:"the width is added to where the fingers are"`
	Stop     spec.Param[bool]    `rcc:"StopOnBlock" default:"false" doc:"do not press against what is in the way"`
}

func (p *prepositioning) Init(env *spec.Env) error {
	p.does = device.GripperAction{
		Kind: device.GripperMove, Width: p.Width.V, Speed: p.Speed.V, Relative: p.Relative.V, StopOnBlock: p.Stop.V,
	}
	return p.open(env)
}

type grasping struct {
	coded
	Width spec.Param[float64] `rcc:"Width" default:"0" must:"finite" doc:"of the part, m"`
	Speed spec.Param[float64] `rcc:"Speed" default:"0" must:">= 0; finite" should:"> 0 -- the fingers do not move" doc:"of the fingers, m/s"`
}

func (p *grasping) Init(env *spec.Env) error {
	p.does = device.GripperAction{Kind: device.GripperGrasp, Width: p.Width.V, Speed: p.Speed.V}
	return p.open(env)
}

type releasing struct {
	coded
	Width spec.Param[float64] `rcc:"OpenWidth" default:"0" must:">= 0; finite" doc:"to which the fingers open, m"`
	Speed spec.Param[float64] `rcc:"Speed" default:"0" must:">= 0; finite" should:"> 0 -- the fingers do not move" doc:"of the fingers, m/s"`
}

func (p *releasing) Init(env *spec.Env) error {
	p.does = device.GripperAction{Kind: device.GripperRelease, Width: p.Width.V, Speed: p.Speed.V}
	return p.open(env)
}

type setAcceleration struct {
	coded
	Acceleration spec.Param[float64] `rcc:"Acceleration" default:"0" must:">= 0; finite" should:"> 0 -- the fingers do not get to any speed" doc:"of the fingers, m/s²"`
}

func (p *setAcceleration) Init(env *spec.Env) error {
	p.does = device.GripperAction{Kind: device.GripperAcceleration, Value: p.Acceleration.V}
	return p.open(env)
}

type setForceLimit struct {
	coded
	Force spec.Param[float64] `rcc:"Force" default:"0" must:">= 0; finite" should:"> 0 -- nothing is held by it" doc:"with which parts are grasped, N"`
}

func (p *setForceLimit) Init(env *spec.Env) error {
	p.does = device.GripperAction{Kind: device.GripperForceLimit, Value: p.Force.V}
	return p.open(env)
}

type setSoftLimits struct {
	coded
	Inner spec.Param[float64] `rcc:"Inner" default:"0" must:">= 0; <= Outer" doc:"least width, m"`
	Outer spec.Param[float64] `rcc:"Outer" default:"0" must:">= 0; finite" doc:"greatest width, m"`
}

func (p *setSoftLimits) Init(env *spec.Env) error {
	p.does = device.GripperAction{Kind: device.GripperSoftLimits, Value: p.Inner.V, Outer: p.Outer.V}
	return p.open(env)
}

type clearSoftLimits struct{ coded }

func (p *clearSoftLimits) Init(env *spec.Env) error {
	p.does = device.GripperAction{Kind: device.GripperClearSoftLimits}
	return p.open(env)
}

type stopDevice struct{ action }

func (p *stopDevice) Init(env *spec.Env) error {
	p.does = device.GripperAction{Kind: device.GripperStop}
	return p.open(env)
}

type monitor struct {
	gripper
	Force    spec.Out[float64] `rcc:"outForce" doc:"with which the fingers press, N"`
	Grasping spec.Out[float64] `rcc:"outGraspingState" doc:"0 idle, 1 grasping, 2 no part found, 3 part lost, 4 holding, 5 releasing, 6 positioning, 7 error"`
	Width    spec.Out[float64] `rcc:"outOpeningWidth" doc:"between the fingers, m"`
	Speed    spec.Out[float64] `rcc:"outSpeed" doc:"of the fingers, m/s"`

	state device.GripperState
}

func (p *monitor) Init(env *spec.Env) error { return p.open(env) }

func sense(run []monitor, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.state = p.device.Gripper()
	}
}

func tell(run []monitor, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Force.Set(cy, p.state.Force)
		p.Grasping.Set(cy, float64(p.state.Grasping))
		p.Width.Set(cy, p.state.Width)
		p.Speed.Set(cy, p.state.Speed)
	}
}

// Primitives returns the declarations of the package. Their examples use a gripper named wsg that does everything at once.
func Primitives() []*spec.Primitive {
	return []*spec.Primitive{
		declare("Homing", "moves the fingers to an end, after which the gripper knows where they are", homingKernels, nil),
		declare("Prepositioning", "moves the fingers", prepositioningKernels, params{"Width": "0.01", "Speed": "0.1"}),
		declare("Grasping", "grasps a part", graspingKernels, params{"Width": "0.04", "Speed": "0.1"}),
		declare("Releasing", "opens the fingers", releasingKernels, params{"OpenWidth": "0.1", "Speed": "0.1"}),
		declare("SetAcceleration", "sets how fast the fingers get to their speed", setAccelerationKernels, params{"Acceleration": "1"}),
		declare("SetForceLimit", "sets how hard parts are grasped", setForceLimitKernels, params{"Force": "40"}),
		declare("SetSoftLimits", "sets between which widths the fingers may move", setSoftLimitsKernels, params{"Inner": "0.01", "Outer": "0.1"}),
		declare("ClearSoftLimits", "lets the fingers move as far as they can", clearSoftLimitsKernels, nil),
		spec.Declare(spec.Decl{
			Name: "schunkwsg::StopDevice", Extension: extension, Doc: "stops the fingers, whoever moves them",
			Examples: []spec.Example{{
				Doc: "once", Params: params{"Device": "wsg"}, Out: series{"outFinished": {"false", "true"}},
			}},
		}, stopDeviceKernels),
		spec.Declare(spec.Decl{
			Name: "schunkwsg::Monitor", Extension: extension, Doc: "what a gripper does",
			Examples: []spec.Example{
				{
					Doc: "it rests", Params: params{"Device": "wsg"},
					Out: series{"outForce": {"0"}, "outGraspingState": {"0"}, "outOpeningWidth": {"0.11"}, "outSpeed": {"0"}},
				},
				{Doc: "no such device", Params: params{"Device": "wgs"}, Reject: `"wgs"`},
			},
		}, spec.Kernels[monitor]{Sense: sense, Run: tell}),
	}
}
