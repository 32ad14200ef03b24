// Package cartesianposition has the primitives of everything that takes poses as set-points (device.Cartesian, §9.2), and
// the page that such devices have.
//
// CartesianPosition claims the channel of the device. Within a net several may stand for it, also together with other
// primitives that command the same channel, but only one may have a value in a cycle: of several, none is commanded, and
// all say so.
package cartesianposition

import (
	"encoding/xml"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

const extension = "cartesianposition"

// params and series keep examples short.
type (
	params = map[string]string
	series = map[string][]string
)

// Primitives returns the declarations of the package. Their examples use a device named base that rests at the origin.
func Primitives() []*spec.Primitive { return []*spec.Primitive{cartesianMonitor, cartesianPosition} }

// robot is what the primitives have in common.
type robot struct {
	Robot spec.Param[string] `rcc:"Robot" any:"loading looks for a device of this name" doc:"name of the device"`

	device device.Cartesian
}

func (r *robot) open(env *spec.Env) (err error) {
	r.device, err = spec.Device[device.Cartesian](env, r.Robot.V)
	return err
}

type monitor struct {
	robot
	Commanded    spec.Out[geom.Frame] `rcc:"outCommandedPosition" doc:"what is commanded"`
	CommandedVel spec.Out[geom.Twist] `rcc:"outCommandedVelocity" doc:"how that moves"`
	Measured     spec.Out[geom.Frame] `rcc:"outMeasuredPosition" doc:"where the device is"`
	MeasuredVel  spec.Out[geom.Twist] `rcc:"outMeasuredVelocity" doc:"how it moves"`
	Error        spec.Out[int32]      `rcc:"outError" doc:"0, or why it cannot be commanded: 1 failed, 2 without power, 3 after a set-point that was refused"`

	state device.PoseState
}

func (p *monitor) Init(env *spec.Env) error { return p.open(env) }

func sense(run []monitor, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.state = p.device.Pose()
	}
}

func tell(run []monitor, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Commanded.Set(cy, p.state.Commanded)
		p.CommandedVel.Set(cy, p.state.CommandedVel)
		p.Measured.Set(cy, p.state.Measured)
		p.MeasuredVel.Set(cy, p.state.MeasuredVel)
		p.Error.Set(cy, int32(p.state.Fault))
	}
}

const (
	origin = "{pos:{x:0,y:0,z:0},rot:{a:0,b:0,c:0}}"
	still  = "{vel:{x:0,y:0,z:0},rot:{x:0,y:0,z:0}}"
)

var cartesianMonitor = spec.Declare(spec.Decl{
	Name: "CartesianPosition::CartesianMonitor", Extension: extension, Doc: "where a device is in space and how it moves",
	Examples: []spec.Example{
		{
			Doc: "it rests", Params: params{"Robot": "base"},
			Out: series{
				"outCommandedPosition": {origin}, "outCommandedVelocity": {still}, "outMeasuredPosition": {origin},
				"outMeasuredVelocity": {still}, "outError": {"0"},
			},
		},
		{Doc: "no such device", Params: params{"Robot": "bass"}, Reject: `"bass"`},
	},
}, spec.Kernels[monitor]{Sense: sense, Run: tell})

type position struct {
	robot
	Position spec.In[geom.Frame] `rcc:"inPosition" required:"true" doc:"set-point; null commands nothing"`

	Error      spec.Out[int32] `rcc:"outError" doc:"0; -1: not alone; why the device cannot be commanded; 1: out of range; 2: not a number"`
	Concurrent spec.Out[bool]  `rcc:"outErrorConcurrentAccess" doc:"another primitive of the net commands the device too"`
	Failed     spec.Out[bool]  `rcc:"outErrorDeviceFailed" doc:"it cannot be commanded: it has no power, it has failed, or a set-point was refused"`
	Illegal    spec.Out[bool]  `rcc:"outErrorIllegalPosition" doc:"the device cannot be there"`

	actuator generic.Actuator
	fault    device.BaseFault
}

func (p *position) Init(env *spec.Env) error {
	if err := p.open(env); err != nil {
		return err
	}
	p.actuator.Claim(env, p.Robot.V, p.device.PoseChannel())
	p.actuator.Explain(env, p.Robot.V, p.device.PoseChannel(), func(fault int32, _ spec.RefusedAs) string {
		return device.BaseFault(fault).String()
	})
	return nil
}

func senseFault(run []position, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.fault = p.device.Pose().Fault
	}
}

func check(run []position, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		v, there := p.Position.Get(cy)
		illegal := device.PositionGood
		if there {
			illegal = p.device.CheckPose(v)
		}
		p.actuator.Judge(cy, there, int32(p.fault), illegal).Tell(cy, &p.Error, &p.Concurrent, &p.Failed, &p.Illegal)
	}
}

func command(run []position, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if v, ok := p.Position.Get(cy); ok && p.actuator.Alone(cy) {
			p.device.CommandPose(v, cy.Instant())
		}
	}
}

var cartesianPosition = spec.Declare(spec.Decl{
	Commands: []string{"Robot"},
	Name:     "CartesianPosition::CartesianPosition", Extension: extension, Doc: "commands a pose, which the device must be able to take one cycle later",
	Examples: []spec.Example{
		{
			Doc: "where it is", Params: params{"Robot": "base"}, In: series{"inPosition": {origin, "null", origin}},
			Out: series{"outError": {"0"}, "outErrorConcurrentAccess": {"false"}, "outErrorDeviceFailed": {"false"}, "outErrorIllegalPosition": {"false"}},
		},
		{
			Doc: "not a number", Params: params{"Robot": "base"}, In: series{"inPosition": {"{pos:{x:nan,y:0,z:0},rot:{a:0,b:0,c:0}}"}},
			Out: series{"outError": {"2"}, "outErrorIllegalPosition": {"true"}},
		},
		{Doc: "nothing to command", Params: params{"Robot": "base"}, Reject: "inPosition must be connected"},
	},
}, spec.Kernels[position]{Sense: senseFault, Run: check, Act: command})

// Interface returns what every device that takes poses gets.
func Interface() device.InterfaceType {
	return device.InterfaceType{
		Name: device.CartesianName, Extension: extension, Doc: "devices that take poses as set-points",
		Pages: []device.Page{device.DeclarePage(device.Sheet[device.Cartesian, device.Nothing]{
			Path: device.CartesianName, Doc: "where the device is in space",
			Show: func(d device.Cartesian, _ device.Question) (any, error) { return viewOf(d), nil },
		})},
	}
}

// view is what the page shows.
type view struct {
	XMLName xml.Name   `xml:"cartesianposition" json:"-"`
	Fault   string     `xml:"fault,attr,omitempty" json:"fault,omitempty"`
	Frames  []poseView `xml:"frame" json:"frame"`
}

type poseView struct {
	Kind string     `xml:"type,attr" json:"type"`
	X    device.Num `xml:"x,attr" json:"x" unit:"m"`
	Y    device.Num `xml:"y,attr" json:"y" unit:"m"`
	Z    device.Num `xml:"z,attr" json:"z" unit:"m"`
	A    device.Num `xml:"a,attr" json:"a" unit:"rad"`
	B    device.Num `xml:"b,attr" json:"b" unit:"rad"`
	C    device.Num `xml:"c,attr" json:"c" unit:"rad"`
}

func viewOf(d device.Cartesian) *view {
	s := d.Pose()
	v := &view{Frames: []poseView{poseOf("measured", s.Measured), poseOf("commanded", s.Commanded)}}
	if s.Fault != device.BaseGood {
		v.Fault = s.Fault.String()
	}
	return v
}

func poseOf(kind string, f geom.Frame) poseView {
	a, b, c := f.Rot.ABC()
	return poseView{kind, device.Num(f.Pos.X), device.Num(f.Pos.Y), device.Num(f.Pos.Z), device.Num(a), device.Num(b), device.Num(c)}
}
