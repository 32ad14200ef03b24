package robotarm

import (
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

type monitor struct {
	joint
	CommandedPosition     spec.Out[float64] `rcc:"outCommandedPosition" doc:"what the joint is commanded, rad or m"`
	CommandedVelocity     spec.Out[float64] `rcc:"outCommandedVelocity" doc:"its velocity, 1/s"`
	CommandedAcceleration spec.Out[float64] `rcc:"outCommandedAcceleration" doc:"its acceleration, 1/s²"`
	MeasuredPosition      spec.Out[float64] `rcc:"outMeasuredPosition" doc:"where the joint is, rad or m"`
	MeasuredVelocity      spec.Out[float64] `rcc:"outMeasuredVelocity" doc:"its velocity, 1/s"`
	MeasuredAcceleration  spec.Out[float64] `rcc:"outMeasuredAcceleration" doc:"its acceleration, 1/s²"`
	Error                 spec.Out[int32]   `rcc:"outError" doc:"0, or why the joint cannot be commanded: 2 without power, 3 to 7 after a set-point that was refused"`

	state device.JointState
}

func (p *monitor) Init(env *spec.Env) error { return p.open(env) }

func sense(run []monitor, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.state = p.arm.Joint(p.axis)
	}
}

func tell(run []monitor, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		s := &p.state
		p.CommandedPosition.Set(cy, s.Commanded.Pos)
		p.CommandedVelocity.Set(cy, s.Commanded.Vel)
		p.CommandedAcceleration.Set(cy, s.Commanded.Acc)
		p.MeasuredPosition.Set(cy, s.Measured.Pos)
		p.MeasuredVelocity.Set(cy, s.Measured.Vel)
		p.MeasuredAcceleration.Set(cy, s.Measured.Acc)
		p.Error.Set(cy, int32(s.Fault))
	}
}

var jointMonitor = spec.Declare(spec.Decl{
	Name: "RobotArm::JointMonitor", Extension: extension, Doc: "what a joint is commanded and what it does",
	Examples: []spec.Example{
		{
			Doc: "a joint that rests", Params: params{"Robot": "arm"},
			Out: series{
				"outCommandedPosition": {"0.5"}, "outCommandedVelocity": {"0"}, "outCommandedAcceleration": {"0"},
				"outMeasuredPosition": {"0.5"}, "outMeasuredVelocity": {"0"}, "outMeasuredAcceleration": {"0"}, "outError": {"0"},
			},
		},
		{Doc: "drives are off", Params: params{"Robot": "arm", "Axis": "1"}, Out: series{"outError": {"2"}}},
		{Doc: "no such joint", Params: params{"Robot": "arm", "Axis": "2"}, Reject: `device "arm" has no joint 2, only 0 to 1`},
		{Doc: "no such device", Params: params{"Robot": "amr"}, Reject: `"amr"`},
	},
}, spec.Kernels[monitor]{Sense: sense, Run: tell})
