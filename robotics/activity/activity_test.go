package activity_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/activity"
)

// begin begins a motion at once, in a time that stands still.
func (c *cell) begin(m *activity.Motion) *activity.Execution {
	c.t.Helper()
	_, b := c.start(m)
	if b == nil || b.err != nil {
		c.t.Fatal(b)
	}
	return b.x
}

// come brings a robot home, after which time stands still.
func (c *cell) come(r *activity.Robot) {
	c.t.Helper()
	c.Free()
	if err := r.PTP(home).Execute(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
	c.Hold()
}

// cancel cancels what a robot does before time goes on.
func (c *cell) cancel(r *activity.Robot, x *activity.Execution) error {
	c.t.Helper()
	done := make(chan error, 1)
	go func() { done <- r.Cancel(c.t.Context()) }()
	n, err := c.Core.Nets.Get(x.Handle().Net().Name)
	if err != nil {
		c.t.Fatal(err)
	}
	c.until(func() bool { return n.State() != rcc.Running }, nil)
	c.Free()
	return <-done
}

// TestCancel: what moves comes to rest on its line, and what waits for its turn is not begun; the robot can go on afterwards.
func TestCancel(t *testing.T) {
	c := newCell(t)
	robot := c.kr16()
	c.come(robot)
	x := c.begin(robot.Lin(place(0, 0.3, 0), robot.Arm().Base(), slow).Blend(0.8))
	waits, _ := c.start(robot.PTP(home))
	c.Pass(200)
	if err := c.cancel(robot, x); err != nil {
		t.Error(err)
	}
	if b := <-waits; !errors.Is(b.err, activity.ErrCancelled) {
		t.Errorf("%v", b.err)
	}
	if err := x.Wait(t.Context()); err != nil {
		t.Error(err)
	}
	at, from := model().Forward(c.Arm("kr16").At()).Pos, place(0, 0, 0).Pos
	if way := at.Sub(from); math.Hypot(way.X, way.Z) > 1e-6 || way.Y < 0.01 || way.Y > 0.29 {
		t.Errorf("rests %v from where it began", way)
	}
	if err := robot.PTP(home).Execute(t.Context()); err != nil {
		t.Error(err)
	}
	c.Arm("kr16").Smooth()
}

// TestExecuteEnded: who ends the context of a motion ends the motion, and hears of it when the robot is at rest.
func TestExecuteEnded(t *testing.T) {
	c := newCell(t)
	robot := c.kr16()
	c.come(robot)
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	told, done := make(chan struct{}), make(chan error, 1)
	motion := robot.Lin(place(0, 0.3, 0), robot.Arm().Base(), slow).At(0.3, func() {
		c.Hold()
		cancel(enough)
		close(told)
	})
	go func() { done <- motion.Execute(ctx) }()
	c.Clock.SetSpeed(4)
	<-told
	c.until(func() bool {
		return !slices.ContainsFunc(c.Core.Nets.All(), func(n *rcc.Net) bool { return n.State() == rcc.Running })
	}, nil)
	c.Free()
	if err := <-done; !errors.Is(err, enough) {
		t.Error(err)
	}
	if way := model().Forward(c.Arm("kr16").At()).Pos.Sub(place(0, 0, 0).Pos); way.Y > 0.29 {
		t.Errorf("it has gone on for %v", way)
	}
	c.Arm("kr16").Smooth()
}

// TestCancelInFlight: a motion that is cancelled just after it has taken over comes to rest without a jump.
func TestCancelInFlight(t *testing.T) {
	for name, motion := range map[string]func(r *activity.Robot) *activity.Motion{
		"PTP": func(r *activity.Robot) *activity.Motion { return r.PTP(home) },
		"LIN": func(r *activity.Robot) *activity.Motion { return r.Lin(place(-0.2, 0.2, 0), r.Arm().Base(), slow) },
	} {
		t.Run(name, func(t *testing.T) {
			c := newCell(t)
			robot := c.kr16()
			c.come(robot)
			c.begin(robot.Lin(place(0, 0.3, 0), robot.Arm().Base(), slow).Blend(0.5))
			waits, _ := c.start(motion(robot))
			x := c.finish(waits)
			c.Pass(3)
			if err := errors.Join(c.cancel(robot, x), x.Wait(t.Context())); err != nil {
				t.Error(err)
			}
			c.Arm("kr16").Smooth()
		})
	}
}

// TestWithdrawn: who does not want to wait any longer takes back what waits; what moves ends.
func TestWithdrawn(t *testing.T) {
	c := newCell(t)
	robot := c.kr16()
	c.come(robot)
	to := place(0, 0.2, 0)
	x := c.begin(robot.Lin(to, robot.Arm().Base(), slow).Blend(0.8))
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := robot.PTP(home).Begin(ctx)
		failed <- err
	}()
	c.until(func() bool { _, wait := c.rules(); return wait > 0 }, nil)
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	c.end(x)
	if at := model().Forward(c.Arm("kr16").At()); !at.Near(to, 1e-6, 1e-6) {
		t.Errorf("at %v", at)
	}
	c.Arm("kr16").Smooth()
}

// TestAfter: what should come after a motion that fails is not begun, and says why.
func TestAfter(t *testing.T) {
	c := newCell(t)
	robot := c.kr16()
	c.come(robot)
	x := c.begin(robot.Lin(place(0, 0.3, 0), robot.Arm().Base(), slow).Blend(0.9))
	waits, _ := c.start(robot.PTP(home))
	c.Pass(50)
	if err := c.Core.Devices.Tell("kr16", "happen", map[string]string{"what": "off"}); err != nil {
		t.Fatal(err)
	}
	c.Free()
	b := <-waits
	var after *activity.AfterError
	if !errors.As(b.err, &after) || !errors.As(b.err, new(*robotics.FailedError)) {
		t.Errorf("%v", b.err)
	}
	if err := x.Wait(t.Context()); !errors.As(err, new(*robotics.FailedError)) {
		t.Errorf("%v", err)
	}
}

// TestMisuse: what makes no sense is refused at once, and nothing moves.
func TestMisuse(t *testing.T) {
	c := newCell(t)
	c.Free()
	robot := c.kr16()
	for name, tt := range map[string]struct {
		do  activity.Activity
		err error
	}{
		"share of nothing":     {robot.PTP(home).Blend(0), activity.ErrShare},
		"share beyond":         {robot.PTP(home).Blend(1.5), activity.ErrShare},
		"no number":            {robot.PTP(home).Blend(math.NaN()), activity.ErrShare},
		"too few joints":       {robot.PTP(home[:3]), robotics.ErrJoints},
		"beyond the joints":    {robot.PTP([]float64{9, 0, 0, 0, 0, 0}), robotics.ErrBeyond},
		"empty sequence":       {activity.Sequence(), activity.ErrNothing},
		"nothing at once":      {activity.Parallel(), activity.ErrNothing},
		"one robot twice":      {activity.Parallel(robot.PTP(home), robot.PTP(home)), activity.ErrSameRobot},
		"no share at an event": {robot.PTP(home, robotics.Speed(2)), robotics.ErrShare},
	} {
		if err := tt.do.Execute(t.Context()); !errors.Is(err, tt.err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(c.Arm("kr16").Way(0)); n > 0 {
		t.Errorf("%d set-points", n)
	}
}

// TestCompose: sequences and several robots at once, with functions on the way.
func TestCompose(t *testing.T) {
	c := newCell(t)
	c.Free()
	one, two := c.kr16(), c.tx90()
	other := []float64{0.2, 0.3, 1, 0.1, 0.5, 0.2}
	var half atomic.Int32
	both := activity.Sequence(
		activity.Parallel(one.PTP(home).At(0.5, func() { half.Add(1) }), two.PTP(other)),
		one.Lin(place(0, 0.1, 0), one.Arm().Base(), slow).Blend(0.7),
		one.Lin(place(0, 0.1, 0.1), one.Arm().Base(), slow),
		two.PTP([]float64{0, 0.3, 1, 0, 0.5, 0}),
	)
	if err := both.Execute(t.Context()); err != nil {
		t.Fatal(err)
	}
	if half.Load() != 1 {
		t.Errorf("half way was passed %d times", half.Load())
	}
	c.Arm("kr16").Smooth()
	c.Arm("tx90").Smooth()
	if a, b := c.Arm("kr16").Way(0)[0].Time, c.Arm("tx90").Way(0)[0].Time; a != b {
		t.Errorf("begun at %d and %d", a, b)
	}
	if at, goal := model().Forward(c.Arm("kr16").At()), place(0, 0.1, 0.1); !at.Near(goal, 1e-6, 1e-6) {
		t.Errorf("at %v, not at %v", at, goal)
	}
}

// TestOverride: a motion that is slowed down, or stands, is taken over without a jump.
func TestOverride(t *testing.T) {
	for name, share := range map[string]float64{"slow": 0.3, "stands": 0} {
		t.Run(name, func(t *testing.T) {
			c := newCell(t)
			robot := c.kr16()
			c.come(robot)
			x := c.begin(robot.PTP([]float64{0.8, -1.5, 1.5, 0, 1, 0}).Blend(0.5))
			waits, _ := c.start(robot.PTP(home))
			c.Pass(20)
			if err := x.Handle().SetOverride(t.Context(), 0.3); err != nil {
				t.Fatal(err)
			}
			if err := c.r.SetOverride(t.Context(), max(share, 0.1)); err != nil {
				t.Fatal(err)
			}
			last := c.finish(waits)
			if err := c.r.SetOverride(t.Context(), share); err != nil {
				t.Fatal(err)
			}
			c.Pass(500)
			if err := c.r.SetOverride(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			c.end(last)
			c.Arm("kr16").Smooth()
		})
	}
}
