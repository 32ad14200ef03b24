package activity_test

import (
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/race"
)

// TestMany: motions of all kinds, one after the other, blend into the next one, and none of them misses that when the next one is there in
// time. Time stands still while the application acts, so that it always is, whatever else the machine does. RCCD_STEPS says how many.
func TestMany(t *testing.T) {
	race.Skip(t, "hundreds of random motions one after another")
	c := newCell(t)
	robot := c.kr16()
	c.come(robot)
	plan := c.wanders(robot)
	m := plan.next()
	x := c.pass(m.Motion)
	for i := range setting(t, "RCCD_STEPS", 250) {
		m = plan.next()
		waits, begun := c.asking(m.Motion)
		if begun != nil {
			t.Fatalf("motion %d, %v: begun at once, %v", i, m, begun.err)
		}
		x = c.finish(waits)
		if by := c.newest(); by != "leave" {
			t.Errorf("motion %d, %v: begun by %q", i, m, by)
		}
	}
	c.end(x)
	c.Arm("kr16").Smooth()
	if at := model().Forward(c.Arm("kr16").At()); !at.Near(m.to, 1e-6, 1e-6) {
		t.Errorf("at %v, not at %v", at, m.to)
	}
}
