package main

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
)

var (
	inverse     = kinematics.Inverse{Length: 1, Least: 0.1}
	straight, _ = kinematics.New([]kinematics.Segment{{Axis: geom.Vector{Z: 1}, Joint: kinematics.Joint{Max: 1}}}, geom.Frame{})
	numeric, _  = kinematics.NewNumeric(straight, kinematics.Options{})
)

//go:noinline
func values(c *cell) {
	c.twist = c.jacobian.Twist(c.joints)
	c.jacobian.Torques(c.wrench, c.joints)
	c.jacobian.At(c.vector)
	c.jacobian.Rotate(c.frame.Rot)
	c.ok = c.jacobian.Finite()
}

//go:noinline
func searches(c *cell) {
	c.status = numeric.Nearest(&c.frame, c.other, c.joints)
	c.status = numeric.Branches(&c.frame, c.other, &c.branches)
}

//go:noinline
func chains(c *cell) {
	c.frame = c.chain.Forward(c.joints)
	c.chain.Frames(c.joints, c.frames)
	c.chain.Axes(c.joints, c.lines)
	c.frame = c.chain.Jacobian(c.joints, &c.jacobian)
	c.twist = c.chain.Twist(c.joints, c.other)
	c.twist = c.chain.Drift(c.joints, c.other)
	c.ok = inverse.Velocities(&c.jacobian, c.twist, c.other, c.joints)
	c.number, c.number = inverse.Dexterity(&c.jacobian)
	c.status = c.chain.Unwind(c.joints, c.other)
	c.number, c.index = c.chain.Margin(c.joints)
	c.number, c.index = c.chain.Load(c.joints)
	c.ok = c.chain.Within(c.joints) && c.status.Good()
	c.index = c.chain.Len() + c.chain.Links()
	joint := c.chain.Joint(c.index)
	c.number, c.ok = joint.Unwind(c.number, c.number)
	c.number = joint.Margin(c.number)
}
