package robotarm

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// extension is the extension that these primitives belong to.
const extension = "robotarm"

// Primitives returns the declarations of the package. Their examples use an arm named arm with two joints, of which the
// first one is at 0.5 and may go from -1 to 1, and the second one has no power.
func Primitives() []*spec.Primitive {
	return []*spec.Primitive{jointMonitor, jointPosition, toolParameters}
}

// params and series keep examples short.
type (
	params = map[string]string
	series = map[string][]string
)

// joint is what all primitives have: a joint of a robot.
type joint struct {
	Robot spec.Param[string] `rcc:"Robot" any:"loading looks for a device of this name" doc:"name of the device"`
	Axis  spec.Param[int32]  `rcc:"Axis" default:"0" any:"loading asks the device whether it has one" doc:"number of the joint, from 0"`

	arm  device.MultiJoint
	axis int
}

func (j *joint) open(env *spec.Env) (err error) {
	if j.arm, err = spec.Device[device.MultiJoint](env, j.Robot.V); err != nil {
		return err
	}
	j.axis = int(j.Axis.V)
	if n := j.arm.Joints(); j.axis < 0 || j.axis >= n {
		return fmt.Errorf("parameter Axis: device %q has no joint %d, only 0 to %d", j.Robot.V, j.axis, n-1)
	}
	return nil
}

// claim reserves a channel of the joint for the net.
func (j *joint) claim(env *spec.Env, of *generic.Actuator, channel string) {
	of.Claim(env, j.Robot.V, j.channel(channel))
}

// channel returns the name of a channel of the joint.
func (j *joint) channel(of string) string { return fmt.Sprintf("%s %d", of, j.axis) }
