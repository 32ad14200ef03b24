package kukarsi

import (
	"math"
)

// begin is the first telegram of a session, or of one that the controller has never ended, and then it returns how many
// telegrams of it were lost (cycle).
func (c *controller) begin(stamp uint64, now int64) (lost uint32) {
	late, counted := c.number(c.layout.Late, 0)
	from := c.origin(stamp, now, int64(late), counted)
	c.smooth.Restart()
	c.rearm.Store(false)
	c.lates.Store(int64(late))
	c.answers.Store(0)
	for i := range c.groups {
		if g := c.groups[i].Load(); g != nil {
			g.forget()
		}
	}
	if from == goneOn {
		lost = c.order.resume(stamp)
		c.latch, c.gap = true, true
		return lost
	}
	for i := range c.groups {
		if g := c.groups[i].Load(); g != nil {
			g.began = false
		}
	}
	c.by = [allAxes]float64{}
	c.order.begin(stamp)
	c.strange, c.took, c.refuse, c.latch, c.gap, c.change = from == unknown, false, false, false, false, false
	c.late = int64(late)
	return 0
}

// origin is what a telegram belongs to that is the first one in some time.
type origin uint8

// origin finds out by IPOC, by time and by the controller's count of late answers (cycle). To take a session that goes on for a
// new one, or the other way round, would be a jump of the robot: when in doubt it is not answered, so that the controller ends
// it.
func (c *controller) origin(stamp uint64, now, late int64, counted bool) origin {
	since, later := c.order.since(stamp)
	led := c.took && !c.refuse && !c.asked // corrections are not zero, and nobody has ended the session
	ended := now-c.heard > int64(c.cfg.Timeout)*int64(c.cfg.Cycle)
	switch {
	case c.heard == 0 && counted && late > 0:
		return unknown
	case c.heard == 0, !led, !later:
		return fresh
	case late > 0 && (late-c.late == since || late-c.late == since-1):
		return goneOn
	case late > 0 && late < since-1, ended, c.apartInTime(since, now):
		return fresh
	}
	return unknown
}

// apartInTime tells whether cycles are not those that have passed since the newest telegram.
func (c *controller) apartInTime(cycles, now int64) bool {
	passed := float64(now-c.heard) / float64(c.cfg.Cycle)
	return math.Abs(passed-float64(cycles)) > 2+passed/10
}
