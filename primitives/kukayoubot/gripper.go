// Package kukayoubot has the primitives of KUKA's youBot that are its own: the gripper (device.Jaws), drives of the arm (device.YouBotArm, device.Slaves), and projections of
// poses onto those that an arm with five axes can take.
//
// The gripper is not a resource: the last net that opens it decides.
package kukayoubot

import (
	"math"
	"slices"

	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

const extension = "kuka_youbot"

// params and series keep examples short.
type (
	params = map[string]string
	series = map[string][]string
)

// Primitives returns the declarations of the package. Their examples use a closed gripper named jaws that does not move, and an arm
// named youbot whose joints are where they are commanded.
func Primitives() []*spec.Primitive {
	return slices.Concat([]*spec.Primitive{armControlStrategy, jointImpParameters, openGripper, gripperMonitor, slaveError}, projections())
}

// jaws are what the primitives of the gripper have in common.
type jaws struct {
	Robot spec.Param[string] `rcc:"Robot" any:"loading looks for a device of this name" doc:"name of the gripper"`

	device  device.Jaws
	sampled float64
}

func (j *jaws) open(env *spec.Env) (err error) {
	j.device, err = spec.Device[device.Jaws](env, j.Robot.V)
	return err
}

type gripper struct {
	jaws
	Distance  spec.Param[float64] `rcc:"Distance" default:"0" must:">= 0; <= 0.023" doc:"between the jaws, 0 to 0.023 m"`
	Completed spec.Out[bool]      `rcc:"outCompleted" doc:"the jaws are there, within 0.1 mm"`
}

// near is how far from where they should be jaws may be.
const near = 0.0001 // m

func (p *gripper) Init(env *spec.Env) error {
	return p.open(env)
}

func senseGripper(run []gripper, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.sampled = p.device.Distance()
	}
}

func complete(run []gripper, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Completed.Set(cy, math.Abs(p.sampled-p.Distance.V) <= near)
	}
}

func command(run []gripper, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.device.Open(p.Distance.V)
	}
}

var openGripper = spec.Declare(spec.Decl{
	Name: "KUKA::youBot::Gripper", Extension: extension, Doc: "opens the gripper to a distance",
	Examples: []spec.Example{
		{Doc: "it is closed", Params: params{"Robot": "jaws"}, Out: series{"outCompleted": {"true"}}},
		{Doc: "it opens", Params: params{"Robot": "jaws", "Distance": "0.023"}, Out: series{"outCompleted": {"false"}}},
		{Doc: "too far", Params: params{"Robot": "jaws", "Distance": "0.024"}, Reject: "it is 0.024, but must be at most 0.023"},
		{Doc: "no such device", Params: params{"Robot": "jwas"}, Reject: `"jwas"`},
	},
}, spec.Kernels[gripper]{Sense: senseGripper, Run: complete, Act: command})

type monitor struct {
	jaws
	Distance spec.Out[float64] `rcc:"outDistance" doc:"between the jaws, m"`
}

func (p *monitor) Init(env *spec.Env) error { return p.open(env) }

func sense(run []monitor, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.sampled = p.device.Distance()
	}
}

func tell(run []monitor, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Distance.Set(cy, p.sampled)
	}
}

var gripperMonitor = spec.Declare(spec.Decl{
	Name: "KUKA::youBot::GripperMonitor", Extension: extension, Doc: "how far the gripper is open",
	Examples: []spec.Example{
		{Doc: "it is closed", Params: params{"Robot": "jaws"}, Out: series{"outDistance": {"0"}}},
		{Doc: "no such device", Params: params{"Robot": "jwas"}, Reject: `"jwas"`},
	},
}, spec.Kernels[monitor]{Sense: sense, Run: tell})
