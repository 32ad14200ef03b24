package main

import "github.com/softrobot-rcc/rccd/geom/kinematics"

//go:noinline
func sevenAxes(c *cell) {
	c.number = c.srs.Alpha(c.joints, c.number)
	c.number = c.srs.AlphaVelocity(c.joints, c.other)
	c.status = c.srs.At(&c.frame, c.number, c.other, c.joints)
	c.status = c.srs.Nearest(&c.frame, c.other, c.joints)
	c.status = c.srs.Branches(&c.frame, c.joints, &c.branches)
	c.status = c.srs.BranchesAt(&c.frame, c.number, c.joints, &c.branches)
	c.status = c.srs.Ranges(&c.frame, uint8(c.index), &c.ranges)
	c.status = c.srs.Solve(&c.frame, kinematics.Elbow{Strategy: kinematics.Strategy(c.index), Alpha: c.number}, c.other, c.joints)
}
