package simarm

import (
	"fmt"
	"strings"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/arm"
	"github.com/softrobot-rcc/rccd/rcc/device/script"
)

// byLimits are the parameters of joints of which nothing is known but what is said here.
type byLimits struct {
	Kind string `rcc:"kinds" doc:"revolute or prismatic, for all joints or for each; revolute if left out"`
	arm.Table
	arm.Limits
	simulation
}

// Joints is a type of device with any joints: as many as have limits, an arm where a table is given. It stands in for axes that others
// put together.
var Joints = device.Declare(device.Kind{
	Name: "joints_sim", Extension: "ethercat", Doc: "simulated joints", Simulated: true, Pages: []device.Page{script.Page},
}, func(env *device.Env, cfg *byLimits) (device.Device, error) {
	models, err := cfg.models()
	if err != nil {
		return nil, err
	}
	joints, err := cfg.Overlay(models)
	if err != nil {
		return nil, err
	}
	start, err := cfg.Start(joints, nil)
	if err != nil {
		return nil, err
	}
	d, err := newDrives(env, joints, start, &cfg.simulation)
	if err != nil {
		return nil, err
	}
	d.take(env.Original)
	rows, err := cfg.Rows(len(joints))
	if err != nil || rows == nil {
		return d, err
	}
	is, err := arm.Build(nil, rows, joints)
	if err != nil {
		return nil, err
	}
	return &Robot{Drives: d, arm: is}, nil
})

var errNoLimits = device.WrongParam("max_joint", "the number of joints follows from the limits, and none are given")

// models are joints without limits.
func (c *byLimits) models() ([]kinematics.Joint, error) {
	n := len(c.Max)
	if n == 0 {
		return nil, errNoLimits
	}
	kinds := strings.FieldsFunc(c.Kind, func(r rune) bool { return strings.ContainsRune("[], ", r) })
	if len(kinds) > 1 && len(kinds) != n {
		return nil, device.WrongParam("kinds", "%d words for %d joints", len(kinds), n)
	}
	list := make([]kinematics.Joint, n)
	for i := range list {
		list[i].Name = fmt.Sprintf("J%d", i+1)
		if len(kinds) > 0 && kinds[min(i, len(kinds)-1)] == "prismatic" {
			list[i].Kind = kinematics.Prismatic
		}
	}
	return list, nil
}
