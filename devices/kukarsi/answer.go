package kukarsi

import (
	"math"

	"github.com/softrobot-rcc/rccd/devices/kukarsi/channels"
)

// put writes a value of the answer (cycle).
func (c *controller) put(r channels.Range, i int, v float64) {
	out := c.out
	if k := r.At + i; i < r.N && uint(k) < uint(len(out)) {
		out[k] = v
	}
}

// fill writes what the answer says (cycle).
func (c *controller) fill(p phase) {
	l := c.layout
	for i := range channels.Axes {
		c.putAxis(i, c.by[i])
		c.putAxis(i+channels.Axes, c.by[i+channels.Axes]) // of a device that has gone, for ever
	}
	for i := range c.groups {
		if g := c.groups[i].Load(); g != nil && g.began {
			c.correct(g)
		}
	}
	stop := 0.0
	if p.stops(c.twoSteps.Load()) {
		stop = 1
	}
	c.put(l.Stop, 0, stop)
	c.put(l.Message, 0, float64(p))
	for i := range l.DigitalOut.N {
		on := 0.0
		if c.ports.DigitalOut(i) {
			on = 1
		}
		c.put(l.DigitalOut, i, on)
	}
	for i := range l.AnalogOut.N {
		c.put(l.AnalogOut, i, c.ports.AnalogOut(i))
	}
	if out := c.out; p == reading && l.Tool.N > 0 && uint(l.Tool.At) < uint(len(out)) {
		c.tools.offer(out[l.Tool.At:])
	}
}

// correct writes the corrections of the joints of a device (cycle).
func (c *controller) correct(g *group) {
	joints := g.joints
	for k := range joints {
		j := &joints[k]
		a, by := g.first+k, j.unit*(j.told-j.start)
		if uint(a) >= allAxes {
			continue
		}
		if c.relative {
			by = c.rounded(by) - c.rounded(j.unit*(j.kept-j.start)) // what is rounded away in one cycle comes in the next
		} else {
			c.by[a] = by
		}
		c.putAxis(a, by)
	}
}

// putAxis writes the correction of an axis (cycle).
func (c *controller) putAxis(a int, by float64) {
	if a < channels.Axes {
		c.put(c.layout.Correction, a, by)
	} else {
		c.put(c.layout.CorrectionExt, a-channels.Axes, by)
	}
}

// rounded is a value as it is written (cycle).
func (c *controller) rounded(v float64) float64 { return math.Round(v*c.grid) / c.grid }
