package main

import (
	"github.com/softrobot-rcc/rccd/motion"
	"github.com/softrobot-rcc/rccd/motion/path"
	"github.com/softrobot-rcc/rccd/motion/profile"
)

// way is a path and a motion along it.
type way struct {
	path   *path.Path
	along  *motion.Along
	point  path.Point
	pose   motion.Pose
	state  profile.State
	limits profile.Limits
	result profile.Result
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
	w.result = w.along.Plan(w.state, w.state, w.limits)
	w.result = w.along.Stop(c.number)
	w.result = w.along.GoOn(c.number, w.limits)
	w.pose = w.along.At(c.number)
	w.state = w.along.Law(c.number)
	c.number = w.along.Duration()
}
