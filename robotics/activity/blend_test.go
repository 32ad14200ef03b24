package activity_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/race"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/activity"
)

// home is where the KR 16 stands well.
var home = []float64{0.3, -1.5, 1.5, 0, 1, 0}

var slow = robotics.CartesianLimits{Vel: 0.4, Acc: 1, Jerk: 10, RotVel: 1, RotAcc: 3, RotJerk: 30}

// place returns a pose around that of home.
func place(x, y, z float64) geom.Frame {
	f := model().Forward(home)
	f.Pos = f.Pos.Add(geom.Vector{X: x, Y: y, Z: z})
	return f
}

// start begins a motion in a time that stands still, and returns when it waits for its turn or has begun.
func (c *cell) start(m *activity.Motion) (<-chan begun, *begun) {
	c.t.Helper()
	before, _ := c.rules()
	done := make(chan begun, 1)
	go func() {
		x, err := m.Begin(c.t.Context())
		done <- begun{x, err}
	}()
	x, has := c.until(func() bool { return c.given(len(before)) }, done)
	if has {
		return nil, &x
	}
	return done, nil
}

// pass begins a motion from rest, and lets no more time pass than it takes to ask where that is.
func (c *cell) pass(m *activity.Motion) *activity.Execution {
	c.t.Helper()
	_, b := c.asking(m)
	if b == nil || b.err != nil {
		c.t.Fatal(b)
	}
	return b.x
}

// asking is start, but lets time pass while something is asked.
func (c *cell) asking(m *activity.Motion) (<-chan begun, *begun) {
	c.t.Helper()
	before, _ := c.rules()
	done := make(chan begun, 1)
	go func() {
		x, err := m.Begin(c.t.Context())
		done <- begun{x, err}
	}()
	bell, stop := c.Core.Changes.Watch()
	defer stop()
	for {
		if c.given(len(before)) {
			return done, nil
		}
		if slices.ContainsFunc(c.Core.Nets.All(), asks) {
			c.Pass(1)
			continue
		}
		select {
		case b := <-done:
			return nil, &b
		case <-bell:
		}
	}
}

// given reports whether there is a rule more than before, which is in force then.
func (c *cell) given(before int) bool {
	c.t.Helper()
	all, _ := c.rules()
	if len(all) <= before {
		return false
	}
	for all[len(all)-1].Record().Tick.IsZero() { // it is listed before the scheduler has got it
		if err := c.Core.Changes.Settle(c.t.Context()); err != nil {
			c.t.Fatal(err)
		}
	}
	return true
}

// asks reports whether a net only asks something.
func asks(n *rcc.Net) bool {
	return n.State() == rcc.Running && (n.Description() == "wait" || n.Description() == "sensor")
}

// finish lets time pass until a motion that waits for its turn has begun, and no longer.
func (c *cell) finish(waits <-chan begun) *activity.Execution {
	c.t.Helper()
	for most := 20_000; ; most-- {
		if _, wait := c.rules(); wait == 0 {
			break
		}
		if most == 0 {
			c.t.Fatal("it does not begin")
		}
		c.Pass(1)
	}
	b := <-waits
	if b.err != nil {
		c.t.Fatal(b.err)
	}
	return b.x
}

// newest returns which event has fired the newest rule: leave or rest.
func (c *cell) newest() string {
	c.t.Helper()
	all, _ := c.rules()
	newest := all[0]
	for _, r := range all {
		if r.Number() > newest.Number() {
			newest = r
		}
	}
	if s, why := newest.State(); s != rcc.RuleFired {
		c.t.Fatalf("rule %d: %v %s", newest.Number(), s, why)
	}
	for _, v := range newest.Record().Variables {
		if v.Value == "true" {
			return strings.TrimPrefix(v.Key, "outt")
		}
	}
	return ""
}

// end lets time pass until a motion has ended.
func (c *cell) end(x *activity.Execution) {
	c.t.Helper()
	c.Free()
	if err := x.Wait(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
	c.Hold()
}

// TestBlend: motions of all kinds blend into each other without a stop when the next one is there in time.
func TestBlend(t *testing.T) {
	race.Skip(t, "blends of all kinds one after another; TestLimitsInFlight races some")
	point := []float64{0.5, -1.4, 1.4, 0.2, 0.9, 0.3}
	first := map[string]func(r *activity.Robot) *activity.Motion{
		"PTP": func(r *activity.Robot) *activity.Motion { return r.PTP(point).Blend(0.6) },
		"LIN": func(r *activity.Robot) *activity.Motion {
			return r.Lin(place(0, 0.2, 0), r.Arm().Base(), slow).BlendBefore(0.05)
		},
		"CIRC": func(r *activity.Robot) *activity.Motion {
			return r.Circ(place(0, 0.1, 0.1).Pos, place(0, 0.2, 0), r.Arm().Base(), slow).Blend(0.6)
		},
		"spline": func(r *activity.Robot) *activity.Motion {
			return r.Spline(curve(0, 0), r.Arm().Base(), slow).BlendBefore(0.1)
		},
	}
	second := map[string]func(r *activity.Robot) *activity.Motion{
		"PTP": func(r *activity.Robot) *activity.Motion { return r.PTP(home) },
		"LIN": func(r *activity.Robot) *activity.Motion { return r.Lin(place(-0.2, 0.2, 0), r.Arm().Base(), slow) },
		"CIRC": func(r *activity.Robot) *activity.Motion {
			return r.Circ(place(-0.1, 0.25, 0).Pos, place(-0.2, 0.2, 0), r.Arm().Base(), slow)
		},
		"spline": func(r *activity.Robot) *activity.Motion { return r.Spline(curve(-0.1, 0.1), r.Arm().Base(), slow) },
	}
	for before, one := range first {
		for after, other := range second {
			t.Run(before+" "+after, func(t *testing.T) {
				if by := newCell(t).blend(one, other); by != "leave" {
					t.Errorf("begun by %q", by)
				}
			})
		}
	}
}

// curve is somewhere around home.
func curve(x, y float64) []geom.Frame {
	return []geom.Frame{place(x, y+0.05, 0.05), place(x-0.05, y+0.15, 0), place(x, y+0.2, 0)}
}

// blend executes two motions, of which the second is there in time, and reports what has begun it.
func (c *cell) blend(one, other func(r *activity.Robot) *activity.Motion) string {
	c.t.Helper()
	robot := c.kr16()
	c.Free()
	if err := robot.PTP(home).Execute(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
	c.Hold()
	c.pass(one(robot))
	waits, early := c.start(other(robot))
	if early != nil {
		c.t.Fatal(early)
	}
	x := c.finish(waits)
	by := c.newest()
	c.end(x)
	c.Arm("kr16").Smooth()
	return by
}

// TestMoments: a motion blends into one that is there up to the very cycle in which the ways part. A cycle later that is too late: it comes
// to rest at its goal, and the next one begins there, whether that is there before it rests, in the cycle in which it does, or later.
func TestMoments(t *testing.T) {
	point := []float64{0.5, -1.4, 1.4, 0.2, 0.9, 0.3}
	for kind, one := range map[string]func(r *activity.Robot) *activity.Motion{
		"PTP": func(r *activity.Robot) *activity.Motion { return r.PTP(point).Blend(0.6) },
		"LIN": func(r *activity.Robot) *activity.Motion {
			return r.Lin(model().Forward(point), r.Arm().Base(), slow).BlendBefore(0.05)
		},
		"CIRC": func(r *activity.Robot) *activity.Motion {
			return r.Circ(place(0, 0.1, 0.1).Pos, model().Forward(point), r.Arm().Base(), slow).Blend(0.6)
		},
		"spline": func(r *activity.Robot) *activity.Motion {
			return r.Spline([]geom.Frame{place(0, 0.1, 0.05), model().Forward(point)}, r.Arm().Base(), slow).BlendBefore(0.1)
		},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			leave, rest := newCell(t).moving(one).rehearse()
			for name, cycle := range map[string]int{
				"at the beginning":       1,
				"a cycle before":         leave - 1,
				"where the ways part":    leave,
				"a cycle later":          leave + 1,
				"a cycle before it ends": rest - 1,
				"at its end":             rest,
				"a cycle after its end":  rest + 1,
				"long after its end":     rest + 500,
			} {
				f := newCell(t).moving(one)
				f.skip(min(leave, cycle))
				f.relieved(name, cycle, model().Forward(point))
			}
		})
	}
}

// first is a motion that has begun, in a time that stands still.
type first struct {
	*cell
	robot *activity.Robot
	x     *activity.Execution
	cycle int  // the newest one
	left  bool // the place where the ways part was in one before
}

// moving begins a motion.
func (c *cell) moving(m func(r *activity.Robot) *activity.Motion) *first {
	c.t.Helper()
	robot := c.kr16()
	c.come(robot)
	return &first{cell: c, robot: robot, x: c.pass(m(robot))}
}

// pass lets a cycle of the motion pass, or that time if it has ended.
func (f *first) pass() {
	f.t.Helper()
	f.left = f.left || f.has(f.x, "outtleave")
	for f.cycle++; ; {
		f.Pass(1)
		n, err := f.Core.Nets.Get(f.x.Handle().Net().Name)
		if err != nil { // the daemon has forgotten it
			return
		}
		if _, ended := n.Ended(); ended || int(n.Values().Cycle) >= f.cycle {
			return
		}
	}
}

// skip lets time pass up to some cycles before one.
func (f *first) skip(cycle int) {
	f.t.Helper()
	const some = 20
	if f.pass(); cycle > 2*some {
		f.Pass(cycle - some - f.cycle)
		n, err := f.Core.Nets.Get(f.x.Handle().Net().Name)
		if err != nil {
			f.t.Fatal(err)
		}
		f.cycle = int(n.Values().Cycle)
	}
}

// rehearse returns the cycles in which the paths part, and the last one.
func (f *first) rehearse() (leave, rest int) {
	f.t.Helper()
	for f.pass(); !f.has(f.x, "outtrest"); f.pass() {
		if leave == 0 && f.has(f.x, "outtleave") {
			leave = f.cycle
		}
	}
	return leave, f.cycle
}

// relieved begins another motion after a cycle of the first one, and checks the end of both.
func (f *first) relieved(name string, cycle int, goal geom.Frame) {
	f.t.Helper()
	for f.cycle < cycle {
		f.pass()
	}
	waits, begun := f.asking(f.robot.PTP(home))
	by := "rest"
	switch {
	case begun == nil:
		f.x = f.finish(waits)
		by = f.newest()
	case begun.err != nil:
		f.t.Fatalf("%s: %v", name, begun.err)
	default:
		f.x = begun.x
	}
	if late := map[string]bool{"leave": false, "rest": true}; late[by] != f.left {
		f.t.Errorf("%s: begun by %s in cycle %d", name, by, cycle)
	}
	f.end(f.x)
	f.Arm("kr16").Smooth()
	there := func(joints []float64) bool { return model().Forward(joints).Near(goal, 1e-6, 1e-6) }
	if f.left && !f.Arm("kr16").Rested(there) {
		f.t.Errorf("%s: it has not come to rest at %v", name, goal)
	}
}

// told reports whether a variable of a motion was true in its newest cycle.
func (c *cell) told(x *activity.Execution, key string) bool {
	c.t.Helper()
	n, err := c.Core.Nets.Get(x.Handle().Net().Name)
	if err != nil {
		c.t.Fatal(err)
	}
	v := n.Values()
	if v == nil {
		return false
	}
	if _, ended := n.Ended(); ended {
		c.t.Fatal("it has ended")
	}
	for _, kv := range v.All() {
		if kv.Key == key {
			return kv.Value == "true"
		}
	}
	return false
}

func over(x *activity.Execution) bool {
	select {
	case <-x.Done():
		return true
	default:
		return false
	}
}

// any is some motion, and reports whether its goal was reached.
func (c *cell) any(robot *activity.Robot, random *rand.Rand) (*activity.Motion, func() error) {
	by := func(most float64) float64 { return (2*random.Float64() - 1) * most }
	share := 0.3 + 0.6*random.Float64()
	if random.IntN(2) == 0 {
		to := append([]float64{}, home...)
		for i := range to {
			to[i] += by(0.15)
		}
		return robot.PTP(to).Blend(share), func() error {
			for i, at := range c.Arm("kr16").At() {
				if math.Abs(at-to[i]) > 1e-9 {
					return fmt.Errorf("joint %d at %v, not at %v", i, at, to[i])
				}
			}
			return nil
		}
	}
	to := place(by(0.15), by(0.2), by(0.15))
	return robot.Lin(to, robot.Arm().Base(), slow).Blend(share), func() error {
		if at := model().Forward(c.Arm("kr16").At()); !at.Near(to, 1e-6, 1e-6) {
			return fmt.Errorf("at %v, not at %v", at, to)
		}
		return nil
	}
}
