package activity_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/activity"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
)

// executing executes an activity.
func executing(ctx context.Context, a activity.Activity) <-chan begun {
	done := make(chan begun, 1)
	go func() { done <- begun{err: a.Execute(ctx)} }()
	return done
}

// moves reports whether a net of some description has not heard that it is to end.
func (c *cell) moves(descriptions ...string) bool {
	return slices.ContainsFunc(c.Core.Nets.All(), func(n *rcc.Net) bool {
		return n.State() == rcc.Running && (descriptions == nil || slices.Contains(descriptions, n.Description()))
	})
}

// rests lets time pass as soon as everything has heard that it is to end, and returns how something has ended. Everything rests
// by then, and goes on resting.
func (c *cell) rests(done <-chan begun) error {
	c.t.Helper()
	b, early := c.until(func() bool { return !c.moves() }, done)
	if !early {
		c.Free()
		b = <-done
	}
	for _, n := range c.Core.Nets.All() {
		asked := n.Description() == "sensor" // no longer: it moves nothing, and is unloaded in the background
		if s := n.State(); !asked && (s == rcc.Running || s == rcc.Cancelling) {
			c.t.Errorf("%s is %v", n.Description(), s)
		}
	}
	before := c.cycles()
	c.Hold()
	c.Pass(300)
	if n := c.cycles() - before; n > 0 {
		c.t.Errorf("%d more set-points", n)
	}
	return b.err
}

// cycles returns those in which arms were commanded.
func (c *cell) cycles() int { return len(c.Arm("kr16").Way(0)) + len(c.Arm("tx90").Way(0)) }

// TestSequenceEnded: the end of a sequence's context ends what it has begun, whatever its other parts are, and wherever they wait; it
// hears of it when all rests.
func TestSequenceEnded(t *testing.T) {
	for name, parts := range map[string]func(one, two *activity.Robot, way *activity.Motion) activity.Activity{
		"of a robot": func(one, _ *activity.Robot, way *activity.Motion) activity.Activity {
			return activity.Sequence(way.Blend(0.8), one.PTP(home))
		},
		"of two robots": func(_, two *activity.Robot, way *activity.Motion) activity.Activity {
			return activity.Sequence(way, two.PTP(bent))
		},
		"of sequences": func(one, two *activity.Robot, way *activity.Motion) activity.Activity {
			return activity.Sequence(activity.Sequence(way, one.PTP(home)), two.PTP(bent))
		},
		"of robots at once": func(one, two *activity.Robot, way *activity.Motion) activity.Activity {
			return activity.Sequence(activity.Parallel(way, two.PTP(bent)), activity.Together(one.PTP(home), two.PTP(bent)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCell(t)
			one, two := c.kr16(), c.tx90()
			c.come(one)
			ctx, cancel := context.WithCancelCause(t.Context())
			enough := errors.New("enough")
			done := executing(ctx, parts(one, two, one.Lin(place(0, 0.3, 0), one.Arm().Base(), slow)))
			if b, early := c.until(func() bool { return c.moves() }, done); early {
				t.Fatal(b.err)
			}
			c.Pass(200)
			cancel(enough)
			if err := c.rests(done); !errors.Is(err, enough) {
				t.Error(err)
			}
			if way := model().Forward(c.Arm("kr16").At()).Pos.Sub(place(0, 0, 0).Pos); way.Y < 0.01 || way.Y > 0.29 {
				t.Errorf("it has gone on for %v", way)
			}
			c.Arm("kr16").Smooth()
		})
	}
}

// TestSequenceNotBegun: when a later part of a sequence cannot begin, what has begun rests when Execute reports it.
func TestSequenceNotBegun(t *testing.T) {
	c := newCell(t)
	robot := c.kr16()
	c.come(robot)
	base := robot.Arm().Base()
	err := c.rests(executing(t.Context(), activity.Sequence(robot.Lin(place(0, 0.3, 0), base, slow).Blend(0.9), robot.Lin(place(5, 0, 0), base))))
	if !errors.As(err, new(*actuator.PathError)) {
		t.Error(err)
	}
}

// TestSequenceCancelled: a robot that is cancelled ends the sequence in which it has a part, also if another one was to go on.
func TestSequenceCancelled(t *testing.T) {
	c := newCell(t)
	one, two := c.kr16(), c.tx90()
	c.come(one)
	done := executing(t.Context(), activity.Sequence(one.Lin(place(0, 0.3, 0), one.Arm().Base(), slow), two.PTP(bent)))
	c.until(func() bool { return c.moves() }, done)
	c.Pass(200)
	cancelled := make(chan begun, 1)
	go func() { cancelled <- begun{err: one.Cancel(t.Context())} }()
	if err := c.rests(cancelled); err != nil {
		t.Error(err)
	}
	if b := <-done; !errors.Is(b.err, activity.ErrCancelled) {
		t.Error(b.err)
	}
	if n := len(c.Arm("tx90").Way(0)); n > 0 {
		t.Errorf("the other one has moved for %d cycles", n)
	}
}

// TestMistakesFirst: a mistake in any part of a sequence is reported before the first begins.
func TestMistakesFirst(t *testing.T) {
	c := newCell(t)
	robot, other := c.kr16(), c.tx90()
	c.come(robot)
	c.Free()
	before := c.cycles()
	called := false
	for name, tt := range map[string]struct {
		last activity.Activity
		err  error // nil: that there is no such state
	}{
		"no share":                  {robot.PTP(home).Blend(2), activity.ErrShare},
		"a distance of joints":      {robot.PTP(home).BlendBefore(0.1), nil},
		"a function at a distance":  {robot.PTP(home).AtDistance(0.1, func() {}), nil},
		"too few joints":            {robot.PTP(home[:3]), robotics.ErrJoints},
		"beyond the joints":         {robot.PTP([]float64{9, 0, 0, 0, 0, 0}), robotics.ErrBeyond},
		"no speed":                  {robot.PTP(home, robotics.Speed(2)), robotics.ErrShare},
		"never slow enough":         {robot.Lin(place(0, 0, 0), robot.Arm().Base(), robotics.Slowest(0)), robotics.ErrShare},
		"nothing":                   {nil, activity.ErrNothing},
		"no motion":                 {(*activity.Motion)(nil), activity.ErrNothing},
		"no motion at once":         {activity.Parallel(nil), activity.ErrNothing},
		"an empty sequence":         {activity.Sequence(), activity.ErrNothing},
		"one robot twice":           {activity.Parallel(robot.PTP(home), robot.PTP(home)), activity.ErrSameRobot},
		"in a sequence":             {activity.Sequence(other.PTP(bent), robot.PTP(home).Blend(0)), activity.ErrShare},
		"at once with another":      {activity.Together(other.PTP(bent), robot.PTP(home[:3])), robotics.ErrJoints},
		"with functions of its own": {robot.PTP(home).Blend(0).With(func(*robotics.RuntimeCommand) { called = true }), activity.ErrShare},
	} {
		s := activity.Sequence(robot.PTP([]float64{0.5, -1.5, 1.5, 0, 1, 0}), tt.last)
		_, begun := s.Begin(t.Context())
		for _, err := range []error{begun, s.Execute(t.Context())} {
			if tt.err == nil && !errors.As(err, new(*robotics.StateError)) || tt.err != nil && !errors.Is(err, tt.err) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if n := c.cycles() - before; n > 0 {
		t.Errorf("it has moved for %d cycles", n)
	}
	if called {
		t.Error("a command was made")
	}
}

// TestCancelWhileAsked: a motion that asks where the robot is before it begins does not begin when the robot was cancelled in
// between; nor do several that move as one, also if one of them is cancelled.
func TestCancelWhileAsked(t *testing.T) {
	p := newPair(t)
	for name, robots := range map[string][2]*activity.Robot{
		"a robot":        {p.one, p.one},
		"several":        {p.both, p.both},
		"one of several": {p.both, p.two},
	} {
		t.Run(name, func(t *testing.T) {
			c, before := &cell{p.Cell, t, p.r}, p.cell.cycles()
			asks := make(chan begun, 1)
			go func() {
				via, to := place(0, 0.1, 0.1), place(0, 0.2, 0)
				x, err := robots[0].Circ(via.Pos, to, p.one.Arm().Base(), slow).Begin(t.Context())
				asks <- begun{x, err}
			}()
			if b, early := c.until(func() bool { return c.moves("wait", "sensor") }, asks); early {
				t.Fatal(b.err)
			}
			cancelled := make(chan begun, 1)
			go func() { cancelled <- begun{err: robots[1].Cancel(t.Context())} }()
			if err := c.rests(cancelled); err != nil {
				t.Error(err)
			}
			c.Free()
			if b := <-asks; !errors.Is(b.err, activity.ErrCancelled) {
				t.Errorf("%v", b.err)
			}
			if n := p.cell.cycles() - before; n > 0 {
				t.Errorf("it has moved for %d cycles", n)
			}
			c.Hold()
		})
	}
}

// TestCancelOnTheWay: a motion that is on its way to the daemon as the robot is cancelled has not begun, or rests, when Cancel returns.
func TestCancelOnTheWay(t *testing.T) {
	c := newCell(t)
	robot := c.kr16()
	c.come(robot)
	c.Free()
	for i := range 20 {
		cancelled := make(chan begun, 1)
		begins := make(chan begun, 1)
		go func() {
			m := robot.PTP([]float64{0.5 - float64(i%2), -1.5, 1.5, 0, 1, 0}).With(func(*robotics.RuntimeCommand) {
				go func() { cancelled <- begun{err: robot.Cancel(t.Context())} }()
			})
			x, err := m.Begin(t.Context())
			begins <- begun{x, err}
		}()
		b := <-cancelled
		if b.err != nil {
			t.Error(b.err)
		}
		if begun := <-begins; begun.err == nil {
			select {
			case <-begun.x.Done():
			default:
				t.Errorf("%d: it moves", i)
			}
		} else if !errors.Is(begun.err, activity.ErrCancelled) {
			t.Error(begun.err)
		}
	}
	c.Arm("kr16").Smooth()
}

// TestCancelFromFunction: a function of a motion may stop its robot, hears when it rests, and may have it do something else.
func TestCancelFromFunction(t *testing.T) {
	for name, blends := range map[string]bool{"at its end": false, "before the next one": true} {
		t.Run(name, func(t *testing.T) {
			c := newCell(t)
			robot := c.kr16()
			c.come(robot)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // if it waits for itself
			defer cancel()
			told := make(chan struct{})
			stopped, returns := make(chan begun, 1), make(chan begun, 1)
			motion := robot.Lin(place(0, 0.3, 0), robot.Arm().Base(), slow).At(0.3, func() {
				c.Hold()
				close(told)
				stopped <- begun{err: robot.Cancel(ctx)}
				returns <- begun{err: robot.PTP(home).Execute(ctx)}
			})
			var a activity.Activity = motion
			if blends {
				a = activity.Sequence(motion.Blend(0.9), robot.PTP(bent))
			}
			done := executing(t.Context(), a)
			c.Clock.SetSpeed(4)
			<-told
			c.until(func() bool { return !c.moves() }, stopped)
			c.Free()
			if b := <-stopped; b.err != nil {
				t.Fatal(b.err)
			}
			if way := model().Forward(c.Arm("kr16").At()).Pos.Sub(place(0, 0, 0).Pos); !blends && way.Y > 0.29 {
				t.Errorf("it has gone on for %v", way)
			}
			if b := <-returns; b.err != nil {
				t.Error(b.err)
			}
			if b := <-done; blends && !errors.Is(b.err, activity.ErrCancelled) || !blends && b.err != nil {
				t.Error(b.err)
			}
			c.Arm("kr16").Smooth()
		})
	}
}
