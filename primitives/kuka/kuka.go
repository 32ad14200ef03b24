package kuka

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// extension is the extension that these primitives belong to.
const extension = "kuka_lwr"

// Primitives returns the declarations of the package. Their examples use an LWR named lwr whose joints are all at 0,
// an iiwa named iiwa with a wire that is rated as perfect, and an arm named stiff that cannot feel anything.
func Primitives() []*spec.Primitive {
	return []*spec.Primitive{
		cartImpMonitor, cartImpParameters, cartSinImpParameters, controlStrategy, forceMonitor, forceTorqueMonitor, invKin, jointImpMonitor, jointImpParameters,
		kin, stateMonitor, torqueMonitor, toolParameters("KUKA::LWR::ToolParameters"), toolParameters("KUKA:LWR::ToolParameters"), velKin,
	}
}

// params and series keep examples short.
type (
	params = map[string]string
	series = map[string][]string
)

// joints of these robots.
const joints = 7

// robot is what most primitives have.
type robot struct {
	Robot spec.Param[string] `rcc:"Robot" any:"loading looks for a device of this name" doc:"name of the device"`

	arm device.Compliant
}

func (r *robot) open(env *spec.Env) (err error) {
	r.arm, err = find(env, r.Robot.V)
	return err
}

// find looks for a robot with seven joints.
func find(env *spec.Env, name string) (device.Compliant, error) {
	arm, err := spec.Device[device.Compliant](env, name)
	if err != nil {
		return nil, err
	}
	if n := arm.Joints(); n != joints {
		return nil, fmt.Errorf("device %q has %d joints instead of %d", name, n, joints)
	}
	return arm, nil
}

// axis is a joint of a robot.
type axis struct {
	robot
	Axis spec.Param[int32] `rcc:"Axis" default:"0" any:"loading asks the device whether it has one" doc:"number of the joint, from 0"`

	joint int
}

func (a *axis) open(env *spec.Env) error {
	if err := a.robot.open(env); err != nil {
		return err
	}
	a.joint = int(a.Axis.V)
	if a.joint < 0 || a.joint >= joints {
		return fmt.Errorf("parameter Axis: device %q has no joint %d, only 0 to %d", a.Robot.V, a.joint, joints-1)
	}
	return nil
}

// claimAll reserves a channel of each joint.
func claimAll(env *spec.Env, of *generic.Actuator, name, channel string) {
	for i := range joints {
		of.Claim(env, name, fmt.Sprintf("%s %d", channel, i))
	}
}

// usedTwice is the error of primitives that are not alone, as clients of these robots know it.
const usedTwice = 1
