package kinematics

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// Frames writes the poses of the links, as far as there is room.
func (c *Chain) Frames(q []float64, into []geom.Frame) {
	var moved [MaxJoints]motion
	var stops [MaxJoints + 1]axes
	known := c.motions(q, &moved)
	x, y, z, at := c.trace(&moved, stops[:])
	if tip := c.m; tip >= 0 && tip < len(stops) {
		stops[tip] = axes{x, y, z, at}
	}
	for i := range c.links {
		if i >= c.m || i >= len(into) {
			break
		}
		if s := &stops[i+1]; known {
			into[i] = frame(s.x, s.y, s.z, s.at).Mul(c.links[i])
		} else {
			into[i] = nowhere()
		}
	}
}

// Line is the axis of a joint: a point of it, and its direction, of length 1.
type Line struct{ Point, Direction geom.Vector }

// Axes writes the axes about and along which the links move, the direction so that larger values of the joint turn or
// slide positively. There is one for each link, as far as there is room for them.
func (c *Chain) Axes(q []float64, into []Line) {
	var moved [MaxJoints]motion
	var stops [MaxJoints]axes
	known := c.motions(q, &moved)
	c.trace(&moved, stops[:])
	for i := range stops {
		if i >= c.m || i >= len(into) {
			break
		}
		if known {
			into[i] = Line{stops[i].at, stops[i].z.Scale(math.Copysign(1, c.steps[i].factor))}
		} else {
			into[i] = Line{noVector, noVector}
		}
	}
}
