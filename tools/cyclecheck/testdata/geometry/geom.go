package main

import "github.com/softrobot-rcc/rccd/geom"

//go:noinline
func rotations(c *cell) {
	c.frame.Rot = geom.FromEuler(geom.Order(c.index), c.number, c.number, c.number)
	c.vector.X, c.vector.Y, c.vector.Z = c.frame.Rot.Euler(geom.Order(c.index))
	c.frame.Rot = geom.Between(c.vector, c.wrench.Force)
	c.frame.Rot, c.ok = geom.FromAxes(c.vector, c.wrench.Force)
	c.frame, c.ok = geom.FromPoints(c.vector, c.wrench.Force, c.wrench.Torque)
	c.frame.Rot = geom.Mean(c.rotations...)
	c.ok = c.frame.Near(c.frame, c.number, c.number)
	c.number = c.vector.Angle(c.wrench.Force)
}
