package activity_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/internal/testkit/race"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/activity"
)

// leg is a motion that was executed.
type leg struct {
	planned
	by    string // leave or rest, which has begun it
	since int64  // its set-points are those after this time
}

// relay executes motions of a planner, of which each comes at any time, and returns when all are over. The arm is the one whose flange the
// motions are of.
func (c *cell) relay(p *planner, steps int, arm *cells.Arm) (legs []leg) {
	c.t.Helper()
	m := p.next()
	_, since := arm.Last()
	legs = append(legs, leg{m, "rest", since})
	x := c.pass(m.Motion)
	for i := range steps {
		m = p.next()
		c.dawdle(p, x)
		_, since = arm.Last()
		waits, b := c.asking(m.Motion)
		by := "rest"
		switch {
		case b == nil:
			x = c.finish(waits)
			by = c.newest()
			_, since = arm.Last()
		case b.err != nil:
			c.t.Fatalf("motion %d, %v: %v", i, m, b.err)
		default:
			x = b.x
		}
		legs = append(legs, leg{m, by, since})
	}
	c.end(x)
	return legs
}

// dawdle lets some time pass, and nothing happen: at any place of a motion, at the one where the ways part, a cycle later, at its rest, or
// after it.
func (c *cell) dawdle(p *planner, x *activity.Execution) {
	c.t.Helper()
	const most = 20_000
	until := func(key string) {
		for left := most; left > 0 && !c.has(x, key); left-- {
			c.Pass(1)
		}
	}
	switch p.random.IntN(7) {
	case 0:
	case 1, 2:
		for left := p.random.IntN(600); left > 0 && !c.has(x, "outtrest"); left-- {
			c.Pass(1)
		}
	case 3:
		until("outtleave")
	case 4:
		until("outtleave")
		c.Pass(1 + p.random.IntN(2)*p.random.IntN(100))
	case 5:
		until("outtrest")
	default:
		until("outtrest")
		c.Pass(1 + p.random.IntN(2)*p.random.IntN(100))
	}
}

// has reports whether a motion has said something in its newest cycle, or has ended.
func (c *cell) has(x *activity.Execution, key string) bool {
	c.t.Helper()
	n, err := c.Core.Nets.Get(x.Handle().Net().Name)
	if err != nil {
		return true
	}
	if _, ended := n.Ended(); ended {
		return true
	}
	if v := n.Values(); v != nil {
		for _, kv := range v.All() {
			if kv.Key == key {
				return kv.Value == "true"
			}
		}
	}
	return false
}

// flown is where the flange of an arm was commanded to be, cycle by cycle.
type flown struct {
	at   []geom.Frame
	time []int64
}

func fly(arm *cells.Arm) (f flown) {
	var ways [6][]cells.SetPoint
	for i := range ways {
		ways[i] = arm.Way(i)
	}
	joints := make([]float64, len(ways))
	for k := range ways[0] {
		for i := range ways {
			joints[i] = ways[i][k].Pos
		}
		f.at, f.time = append(f.at, model().Forward(joints)), append(f.time, ways[0][k].Time)
	}
	return f
}

// of returns the set-points of a leg that goes on to the next one, or to the end.
func (f *flown) of(legs []leg, i int) (from, to int) {
	from, _ = slices.BinarySearch(f.time, legs[i].since+1)
	if to = len(f.time); i+1 < len(legs) {
		to, _ = slices.BinarySearch(f.time, legs[i+1].since+1)
	}
	return from, to
}

// kept checks whether each motion has kept its path where that is promised: all of it, if it has begun at rest, otherwise from
// where it has joined it, which is soon; and whether those that no other has relieved in flight have come to rest at their goals.
func (f *flown) kept(t testing.TB, legs []leg) {
	t.Helper()
	const there, exact = 1e-6, 1e-5 // m and rad, as where arms rest is asked
	worst, longest, left := 0.0, 0, 0
	for i, l := range legs {
		from, to := f.of(legs, i)
		if i+1 == len(legs) || legs[i+1].by == "rest" {
			if at := f.at[to-1]; !at.Near(l.to, exact, exact) || !at.Near(f.at[to-2], exact, exact) {
				t.Errorf("motion %d, %v, does not rest at its goal: at %v, not at %v", i, l, at, l.to)
			}
		}
		if l.path == nil {
			continue
		}
		way, joined := along{path: l.path}, l.by == "rest"
		for k := from; k < to; k++ {
			switch off := way.off(f.at[k]); {
			case joined && off > exact:
				t.Errorf("motion %d, %v, begun by %s, is %v off its path in cycle %d of %d", i, l, l.by, off, k-from, to-from)
				k = to
			case joined:
				worst = max(worst, off)
			case off < there && k > from && way.off(f.at[k-1]) < there:
				joined, longest = true, max(longest, k-from)
			}
		}
		if !joined {
			left++
		}
	}
	t.Logf("%.1g m or rad off paths at most; joined in %v at most; %d of %d left before that", worst, lasts(longest), left, len(legs))
}

// lasts returns the time of a number of cycles.
func lasts(cycles int) string { return fmt.Sprintf("%.2f s", float64(cycles)*cells.Period.Seconds()) }

// count returns how many motions were begun by what.
func count(t testing.TB, legs []leg) {
	t.Helper()
	by := map[string]int{}
	for _, l := range legs {
		by[l.by]++
	}
	if by["leave"] == 0 || by["rest"] == 0 {
		t.Errorf("not all ways were gone: %v", by)
	}
	t.Log(by)
}

// TestAnyTime: motions of all kinds, of which each comes in time, too late, or in the very cycle, blend into each other or come to rest at
// their goals; nothing jumps, and paths are kept. RCCD_STEPS says how many.
func TestAnyTime(t *testing.T) {
	race.Skip(t, "a motion is cancelled in each of its cycles, one after another; TestCancelInFlight races one of them")
	c := newCell(t)
	robot := c.kr16()
	c.come(robot)
	legs := c.relay(c.wanders(robot), setting(t, "RCCD_STEPS", 100), c.Arm("kr16"))
	count(t, legs)
	c.Arm("kr16").Smooth()
	f := fly(c.Arm("kr16"))
	f.kept(t, legs)
}

// TestAnyTimeInRelation: so do two arms that carry something together, and keep their relation.
func TestAnyTimeInRelation(t *testing.T) {
	race.Skip(t, "a motion is cancelled in each of its cycles, one after another; TestCancelInFlight races one of them")
	p := newPair(t)
	since := p.cycles()
	plan := p.wanders(p.both)
	plan.wide, plan.turn, plan.joints = 0.06, 0.04, []robotics.JointParam{robotics.Speed(0.1), robotics.Acceleration(0.1)}
	legs := p.relay(plan, setting(t, "RCCD_STEPS", 50), p.Arm("kr16"))
	count(t, legs)
	p.Cell.Arm("kr16").Smooth()
	p.Cell.Arm("tx90").Smooth()
	p.kept(since)
	f := fly(p.Arm("kr16"))
	f.kept(t, legs)
}
