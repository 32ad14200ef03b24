package activity_test

import (
	"context"
	"errors"
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/race"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/activity"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
)

// TestAbreast: each of several sequences goes on by itself, and all has ended when the last one has.
func TestAbreast(t *testing.T) {
	c := newCell(t)
	c.Free()
	one, two := c.kr16(), c.tx90()
	base := one.Arm().Base()
	there := []float64{0.4, 0.3, 1, 0.1, 0.5, 0.2}
	both := activity.Parallel(
		activity.Sequence(one.PTP(home), one.Lin(place(0, 0.2, 0), base, slow).Blend(0.7), one.Lin(place(0, 0.2, 0.2), base, slow)),
		activity.Sequence(two.PTP(bent), two.PTP(there).Blend(0.5), two.PTP(bent)),
	)
	if want := "(sequence of"; both.String()[:len(want)] != want {
		t.Errorf("it is called %q", both)
	}
	if err := both.Execute(t.Context()); err != nil {
		t.Fatal(err)
	}
	first, second := c.Arm("kr16"), c.Arm("tx90")
	first.Smooth()
	second.Smooth()
	if at := model().Forward(first.At()); !at.Near(place(0, 0.2, 0.2), 1e-6, 1e-6) {
		t.Errorf("at %v", at)
	}
	if at := second.At(); !near(at, bent, goesOn) {
		t.Errorf("at %v", at)
	}
	a, b := first.Way(0), second.Way(0)
	if a[0].Time > b[len(b)-1].Time || b[0].Time > a[len(a)-1].Time {
		t.Error("one after the other")
	}
	x, err := activity.Parallel(two.PTP(there), activity.Sequence(one.PTP(home))).Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Wait(t.Context()); err != nil || x.Slowed() != 1 || x.Handle() != nil {
		t.Errorf("%v, slowed to %v, handle %v", err, x.Slowed(), x.Handle())
	}
}

// TestAbreastEnds: when one sequence cannot go on, or is cancelled, or its context ends, the others come to rest.
func TestAbreastEnds(t *testing.T) {
	race.Skip(t, "many motions one after another; TestAbreast races one")
	enough := errors.New("enough")
	for name, tt := range map[string]struct {
		second func(two *activity.Robot) activity.Activity
		end    func(one, two *activity.Robot, x *activity.Execution, giveUp context.CancelCauseFunc) error
		wrong  func(err error) bool
	}{
		"cannot go on": {
			second: func(two *activity.Robot) activity.Activity {
				return activity.Sequence(two.PTP(bent), two.Lin(place(9, 0, 0), two.Arm().Base()))
			},
			wrong: func(err error) bool { return errors.As(err, new(*actuator.PathError)) },
		},
		"one robot is cancelled": {
			end: func(_, two *activity.Robot, _ *activity.Execution, _ context.CancelCauseFunc) error {
				return two.Cancel(context.Background())
			},
			wrong: func(err error) bool { return err == nil || errors.Is(err, activity.ErrCancelled) },
		},
		"all is cancelled": {
			end: func(_, _ *activity.Robot, x *activity.Execution, _ context.CancelCauseFunc) error {
				return x.Cancel(context.Background())
			},
			wrong: func(err error) bool { return err == nil },
		},
		"given up": {
			end: func(_, _ *activity.Robot, _ *activity.Execution, giveUp context.CancelCauseFunc) error {
				giveUp(enough)
				return nil
			},
			wrong: func(err error) bool { return errors.Is(err, enough) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCell(t)
			one, two := c.kr16(), c.tx90()
			c.come(one)
			ctx, giveUp := context.WithCancelCause(t.Context())
			defer giveUp(nil)
			second := activity.Sequence(two.PTP(bent), two.PTP(make([]float64, 6), robotics.Speed(0.01)))
			if tt.second != nil {
				second = tt.second(two)
			}
			both := activity.Parallel(activity.Sequence(one.Lin(place(0, 0.3, 0), one.Arm().Base(), robotics.Speed(0.01))), second)
			begun := make(chan *activity.Execution, 1)
			done := make(chan error, 1)
			c.Free()
			go func() {
				if name != "all is cancelled" {
					begun <- nil
					done <- both.Execute(ctx)
					return
				}
				x, err := both.Begin(ctx)
				begun <- x
				if err == nil {
					err = x.Wait(context.WithoutCancel(ctx))
				}
				done <- err
			}()
			x := <-begun
			c.until(func() bool { return len(c.Arm("kr16").Way(0)) > 10 && len(c.Arm("tx90").Way(0)) > 10 }, nil)
			if tt.end != nil {
				if err := tt.end(one, two, x, giveUp); err != nil {
					t.Error(err)
				}
			}
			if err := <-done; !tt.wrong(err) {
				t.Errorf("it ended with %v", err)
			}
			c.Hold()
			before := c.cycles()
			c.Pass(300)
			if n := c.cycles() - before; n > 0 {
				t.Errorf("%d more set-points", n)
			}
			if at := model().Forward(c.Arm("kr16").At()).Pos.Sub(place(0, 0, 0).Pos); at.Y > 0.29 {
				t.Errorf("it has gone on for %v", at)
			}
			c.Arm("kr16").Smooth()
			c.Arm("tx90").Smooth()
		})
	}
}

// TestAbreastMistakes: a robot has a part in one of several sequences only, and mistakes are reported before anything moves.
func TestAbreastMistakes(t *testing.T) {
	c := newCell(t)
	c.Free()
	one, two := c.kr16(), c.tx90()
	for name, tt := range map[string]struct {
		do  activity.Activity
		err error
	}{
		"one robot twice":       {activity.Parallel(activity.Sequence(one.PTP(home), two.PTP(bent)), two.PTP(bent)), activity.ErrSameRobot},
		"twice, and in a part":  {activity.Parallel(activity.Sequence(one.PTP(home)), activity.Sequence(activity.Together(one.PTP(home), two.PTP(bent)))), activity.ErrSameRobot},
		"nothing":               {activity.Parallel(activity.Sequence(one.PTP(home)), nil), activity.ErrNothing},
		"no motion":             {activity.Parallel(activity.Sequence(one.PTP(home)), (*activity.Motion)(nil)), activity.ErrNothing},
		"an empty sequence":     {activity.Parallel(activity.Sequence(), one.PTP(home)), activity.ErrNothing},
		"a part with a mistake": {activity.Parallel(activity.Sequence(one.PTP(home), one.PTP(home).Blend(2)), two.PTP(bent)), activity.ErrShare},
	} {
		_, begun := tt.do.Begin(t.Context())
		later := activity.Sequence(one.PTP(home), tt.do)
		for _, err := range []error{begun, tt.do.Execute(t.Context()), later.Execute(t.Context())} {
			if !errors.Is(err, tt.err) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if n := c.cycles(); n > 0 {
		t.Errorf("%d set-points", n)
	}
}

// TestAbreastPreview: sequences of motions are previewed at once; what waits for rest in between is an error, and not shown too late.
func TestAbreastPreview(t *testing.T) {
	c := newKeeping(t)
	one, two := c.kr16(), c.tx90()
	c.come(one)
	base := one.Arm().Base()
	way := func() *activity.Motion { return one.Lin(place(0, 0.2, 0), base, slow) }
	p := c.previewed(activity.Parallel(activity.Sequence(way().Blend(0.5), one.PTP(home)), activity.Sequence(two.PTP(bent), two.PTP(make([]float64, 6)))))
	if err := p.Err(); err != nil || len(p.Commands) != 4 {
		t.Fatalf("%v, %+v", err, p)
	}
	at := map[string]int{}
	for _, is := range p.Commands {
		if is.Begin == 0 {
			at["first"]++
		}
	}
	if at["first"] != 2 {
		t.Errorf("%d begin at once, not 2: %+v", at["first"], p.Commands)
	}
	c.Free()
	waits := activity.Parallel(activity.Sequence(way(), activity.Of(c.r, robotics.NewWait(1e9))), activity.Sequence(two.PTP(bent)))
	if _, err := activity.Preview(t.Context(), waits); !errors.Is(err, activity.ErrWaits) {
		t.Errorf("what waits: %v", err)
	}
}
