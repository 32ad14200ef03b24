package kukarsi

import (
	"math"

	"github.com/softrobot-rcc/rccd/devices/kukarsi/channels"
	"github.com/softrobot-rcc/rccd/rcc/device/link"
)

// decide tells what may be done with the robot (cycle).
func (c *controller) decide(at link.Stamp) phase {
	p := c.judge()
	c.tools.ask(at.Time, c.twoSteps.Load())
	if c.rested++; !c.rests() {
		c.rested = 0
	}
	if p == ready && c.tools.wanted() && (c.change || c.rested > turning) {
		c.change = true
		p = changing
	}
	if p == ready && c.closing.Load() {
		p = leaving
	}
	c.phase.Store(uint32(p))
	return p
}

// turning is how many cycles a robot may rest at a point where it turns.
const turning = 25

func (c *controller) judge() phase {
	status, told := c.number(c.layout.Status, 0)
	is := channels.DrivesOn
	if told {
		is = int(status)
	}
	armed := c.rearm.Swap(false)
	c.strange = c.strange && is&channels.ReadOnly == 0
	switch {
	case c.strange:
		return strange
	case is&channels.EmergencyStop != 0:
		c.latch, c.gap = true, false
		return stopped
	case is&channels.DrivesOn == 0:
		c.latch, c.gap = true, false
		return unpowered
	case c.gap && c.twoSteps.Load(): // where the program reads positions, nothing is left of this session
		return broken
	case c.latch && (!armed || c.stop.Pressed() || !c.together(asTold)):
		return disarmed
	}
	c.latch, c.gap = false, false
	if !c.complete() {
		return blind
	}
	if is&channels.ReadOnly != 0 {
		c.readPositions()
		return reading
	}
	if !c.took {
		c.startMoving()
	}
	switch {
	case c.refuse:
		return refused
	case c.stop.Pressed() && c.rests():
		c.latch = true
		return disarmed
	}
	return ready
}

// complete tells whether the telegram has the positions of all joints there are (cycle).
func (c *controller) complete() bool {
	for i := range c.groups {
		g := c.groups[i].Load()
		if g == nil {
			continue
		}
		for k := range g.joints {
			if a := g.first + k; uint(a) >= allAxes || !c.there[a] {
				c.axis.Store(int32(a))
				return false
			}
		}
	}
	return true
}

// readPositions is the first step of figure 11.11 (cycle).
func (c *controller) readPositions() {
	c.twoSteps.Store(true)
	c.known, c.read, c.took, c.refuse = true, c.where, false, false
	c.beginGroups()
}

// beginGroups begins without corrections (cycle).
func (c *controller) beginGroups() {
	c.by = [allAxes]float64{}
	for i := range c.groups {
		if g := c.groups[i].Load(); g != nil {
			g.begin(&c.by)
		}
	}
}

// startMoving takes where the robot is as the start of corrections, if it is where it should be (cycle).
func (c *controller) startMoving() {
	c.took = true
	c.refuse = !c.together(asRead) || !c.together(asCommanded)
	c.known = false
	c.beginGroups()
	if !c.refuse {
		c.tools.loaded()
	}
}

// should is where joints should be.
type should uint8

// place is where an axis should be, if that is known (cycle).
func (c *controller) place(s should, a int, j *joint) (float64, bool) {
	if uint(a) >= allAxes {
		return 0, false
	}
	switch s {
	case asRead:
		return c.read[a], c.known
	case asCommanded:
		return c.command[a], c.ordered[a]
	default:
		return j.told * j.unit, true
	}
}

// together tells whether all joints are where they should be, and keeps which one is not (cycle).
func (c *controller) together(s should) bool {
	for i := range c.groups {
		g := c.groups[i].Load()
		if g == nil {
			continue
		}
		joints := g.joints
		for k := range joints {
			a := g.first + k
			at, known := c.place(s, a, &joints[k])
			if !known || uint(a) >= allAxes {
				continue
			}
			if away := math.Abs(c.where[a]-at) / joints[k].unit; !(away <= c.cfg.Apart) {
				c.axis.Store(int32(a))
				c.apart.Store(math.Float64bits(away))
				return false
			}
		}
	}
	return true
}

// rests tells whether nothing moves (cycle).
func (c *controller) rests() bool {
	for i := range c.groups {
		if g := c.groups[i].Load(); g != nil && !g.rests() {
			return false
		}
	}
	return true
}
