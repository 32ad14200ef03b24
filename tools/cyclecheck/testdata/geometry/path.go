package main

import (
	"github.com/softrobot-rcc/rccd/motion/path"
	"github.com/softrobot-rcc/rccd/motion/profile"
)

// way is a path and a law by which it is gone.
type way struct {
	path  *path.Path
	law   profile.Profile
	point path.Point
}

//go:noinline
func ways(c *cell) {
	w := &c.way
	w.point = w.path.At(c.number)
	c.twist = w.point.Velocity(c.number)
	c.twist = c.twist.Add(w.point.Acceleration(c.number, c.number))
	c.twist = c.twist.Add(w.point.Jerk(c.number, c.number, c.number))
	c.number = w.point.Curvature() + w.path.Length()
	c.ok = w.path.Smooth(c.number, c.number) && w.path.IsCorner(c.number)
	s := w.law.At(c.number)
	c.twist = w.point.Acceleration(s.Vel, s.Acc)
}
