package activity_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/activity"
)

// home is where the KR 16 stands well.
var home = []float64{0.3, -1.5, 1.5, 0, 1, 0}

var slow = robotics.CartesianLimits{Vel: 0.4, Acc: 1, Jerk: 10, RotVel: 1, RotAcc: 3, RotJerk: 30}

// place is a pose around that of home.
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
	x, has := c.until(func() bool { all, _ := c.rules(); return len(all) > len(before) }, done)
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
	bell, stop := c.Core.Watch()
	defer stop()
	for {
		if all, _ := c.rules(); len(all) > len(before) {
			return done, nil
		}
		if slices.ContainsFunc(c.Core.Nets(), asks) {
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

// asks tells whether a net is there to ask something.
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

// newest tells which event has fired the newest rule: leave or rest.
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

// end lets time pass until a motion is over.
func (c *cell) end(x *activity.Execution) {
	c.t.Helper()
	c.Free()
	if err := x.Wait(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
	c.Hold()
}

// TestBlend: motions of all kinds go over into each other without a stop when the next one is there in time.
func TestBlend(t *testing.T) {
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
				// On a machine with much to do the clock may have gone on for a while before it is held, and the next motion was late indeed.
				by := ""
				for tries := 0; tries < 3 && by != "leave"; tries++ {
					by = newCell(t).blend(one, other)
				}
				if by != "leave" {
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

// blend executes two motions, of which the second is there in time, and tells what has begun it.
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

// TestTooLate: a motion whose next one comes too late comes to rest at its goal, and the next one begins there.
func TestTooLate(t *testing.T) {
	for name, cycles := range map[string]int{"after the place": 1, "at rest": 0} {
		t.Run(name, func(t *testing.T) {
			c := newCell(t)
			robot := c.kr16()
			c.Free()
			if err := robot.PTP(home).Execute(t.Context()); err != nil {
				t.Fatal(err)
			}
			c.Hold()
			a := place(0, 0.2, 0)
			first := robot.Lin(a, robot.Arm().Base(), slow).Blend(0.5)
			_, one := c.start(first)
			if one == nil || one.err != nil {
				t.Fatal(one)
			}
			if cycles > 0 {
				for c.Pass(1); !c.told(one.x, "outtleave"); c.Pass(1) {
				}
				c.Pass(cycles)
			} else {
				c.end(one.x)
			}
			waits, next := c.start(robot.Lin(place(-0.2, 0.2, 0), robot.Arm().Base(), slow))
			var x *activity.Execution
			if next != nil {
				if next.err != nil {
					t.Fatal(next.err)
				}
				x = next.x
			} else {
				x = c.finish(waits)
				if by := c.newest(); by != "rest" {
					t.Errorf("begun by %q", by)
				}
			}
			c.end(x)
			if !c.Arm("kr16").Rested(func(joints []float64) bool { return model().Forward(joints).Near(a, 1e-6, 1e-6) }) {
				t.Errorf("it has not come to rest at %v", a)
			}
			c.Arm("kr16").Smooth()
			if at, goal := model().Forward(c.Arm("kr16").At()), place(-0.2, 0.2, 0); !at.Near(goal, 1e-5, 1e-5) {
				t.Errorf("ends at %v, not at %v", at, goal)
			}
		})
	}
}

// told tells whether a variable of a motion was true in its newest cycle.
func (c *cell) told(x *activity.Execution, key string) bool {
	c.t.Helper()
	n, err := c.Core.Net(x.Handle().Net().Name)
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

// TestAnyTime: motions of all kinds, of which the next comes in time, too late or at any time, go on without a jump, and end where
// they should. RCCD_STEPS says how many.
func TestAnyTime(t *testing.T) {
	steps := setting(t, "RCCD_STEPS", 50)
	random := rand.New(rand.NewPCG(uint64(setting(t, "RCCD_SEED", 1)), 0))
	c := newCell(t)
	robot := c.kr16()
	c.Free()
	if err := robot.PTP(home).Execute(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.Hold()
	count := map[string]int{}
	var x *activity.Execution
	var goal func() error
	for i := range steps {
		m, reached := c.any(robot, random)
		goal = reached
		if x != nil && random.IntN(3) > 0 {
			for left := random.IntN(800); left > 0 && !over(x); left-- {
				c.Pass(1)
			}
		}
		waits, begun := c.start(m)
		switch {
		case begun == nil:
			x = c.finish(waits)
			count[c.newest()]++
		case begun.err != nil:
			t.Fatalf("motion %d, %v: %v", i, m, begun.err)
		default:
			x = begun.x
			count["rested"]++
		}
	}
	c.end(x)
	c.Arm("kr16").Smooth()
	if err := goal(); err != nil {
		t.Error(err)
	}
	if count["leave"] == 0 || count["rest"] == 0 {
		t.Errorf("not all ways were gone: %v", count)
	}
	t.Log(count)
}

func over(x *activity.Execution) bool {
	select {
	case <-x.Done():
		return true
	default:
		return false
	}
}

// any is some motion, and tells whether its goal was reached.
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
