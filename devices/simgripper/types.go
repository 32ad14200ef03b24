// Package simgripper has simulated grippers:
//
//	schunk_wsg_sim             a WSG of Schunk, with a part between its fingers if there is one (parameter object)
//	kuka_youbot_gripper_sim    the gripper of a youBot
//
// Their fingers move in the time of the cell. The object between those of a WSG, and whether it can be commanded, change by
// its parameters at any time.
package simgripper

import (
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/script"
)

// Types returns the device types of the package.
func Types() []device.Type {
	pages := []device.Page{script.Page}
	return []device.Type{
		device.Declare(device.Kind{Name: "schunk_wsg_sim", Extension: "schunk_wsg_sim", Doc: "a simulated WSG gripper of Schunk", Simulated: true, Pages: pages},
			func(env *device.Env, cfg *wsgConfig) (device.Device, error) {
				cfg.begin(env.Original)
				return openWSG(env.Stop, cfg)
			}),
		device.Declare(device.Kind{Name: "kuka_youbot_gripper_sim", Extension: "kuka_youbot", Doc: "the simulated gripper of a youBot", Simulated: true, Pages: pages}, openJaws),
	}
}
