package activity_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/internal/testkit/race"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/activity"
	"github.com/softrobot-rcc/rccd/robotics/motions"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// previewed returns the preview of an activity of robots that rest. Their positions are requested.
func (c *cell) previewed(a activity.Activity, of ...robotics.RehearsalOption) *robotics.Preview {
	c.t.Helper()
	c.Free()
	defer c.Hold()
	return c.foreseen(a, of...)
}

// foreseen is previewed, in whatever time there is.
func (c *cell) foreseen(a activity.Activity, of ...robotics.RehearsalOption) *robotics.Preview {
	c.t.Helper()
	p, err := activity.Preview(c.t.Context(), a, of...)
	if err != nil {
		c.t.Fatal(err)
	}
	return p
}

// span returns when a command was executed, from its first cycle to its last one.
func (c *cell) span(x *activity.Execution) (begin, end time.Duration) {
	c.t.Helper()
	n, err := c.Core.Nets.Get(x.Handle().Net().Name)
	if err != nil {
		c.t.Fatal(err)
	}
	last, _ := n.Ended()
	end = time.Duration(last.Time)
	return end - time.Duration(last.Cycle-1)*cells.Period, end
}

// as compares executions, which have begun one after the other, with commands of a preview, and where joints are with those at its end.
func (c *cell) as(p *robotics.Preview, all []*activity.Execution, arms ...string) {
	c.t.Helper()
	if err := p.Err(); err != nil {
		c.t.Errorf("%v", err)
	}
	if len(all) != len(p.Commands) {
		c.t.Fatalf("%d commands, not %d", len(p.Commands), len(all))
	}
	first, _ := c.span(all[0])
	for i, x := range all {
		begin, end := c.span(x)
		if is := p.Commands[i]; is.Begin != begin-first || is.End != end-first {
			c.t.Errorf("command %d, %s: from %v to %v, not from %v to %v", i, is.Command, begin-first, end-first, is.Begin, is.End)
		}
	}
	for _, arm := range arms {
		if at, should := c.Arm(arm).At(), p.Joints(arm); !near(at, should, goesOn) {
			c.t.Errorf("%s ends at %v, not at %v", arm, at, should)
		}
	}
}

// newKeeping returns a cell in which nets are kept, with time that stands still.
func newKeeping(t testing.TB) *cell {
	t.Helper()
	c := cells.New(t, cells.Only("kr16", "tx90"))
	return &cell{c, t, c.Connect(robotics.Keep())}
}

// flows begins motions of a robot each as soon as it can, and waits for the end of the last one.
func (c *cell) flows(motions []*activity.Motion) (all []*activity.Execution) {
	c.t.Helper()
	all = append(all, c.pass(motions[0]))
	for _, m := range motions[1:] {
		waits, begun := c.start(m)
		if begun != nil {
			c.t.Fatalf("%v does not wait: %v", m, begun.err)
		}
		all = append(all, c.soon(waits))
	}
	c.end(all[len(all)-1])
	const settles = 50 // cycles, until devices report what they were commanded
	c.Pass(settles)
	return all
}

// soon is finish, but lets no cycle pass before it is known whether the motion has begun.
func (c *cell) soon(waits <-chan begun) *activity.Execution {
	c.t.Helper()
	for _, wait := c.rules(); wait > 0; _, wait = c.rules() {
		c.Pass(1)
		if err := c.Core.Changes.Settle(c.t.Context()); err != nil {
			c.t.Fatal(err)
		}
	}
	return c.finish(waits)
}

func activities(motions []*activity.Motion) activity.Activity {
	var all []activity.Activity
	for _, m := range motions {
		all = append(all, m)
	}
	return activity.Sequence(all...)
}

// TestPreviewed: whatever a robot does, and however it blends into what comes next, the preview predicts each beginning and end to the
// cycle, and where the joints are in the end. RCCD_STEPS says how much.
func TestPreviewed(t *testing.T) {
	race.Skip(t, "previews of many motions; TestPreviewInFlight races one")
	c := newKeeping(t)
	robot := c.kr16()
	c.come(robot)
	random := rand.New(rand.NewPCG(uint64(setting(t, "RCCD_SEED", 1)), 0))
	for range setting(t, "RCCD_STEPS", 8) {
		var motions []*activity.Motion
		for range 1 + random.IntN(4) {
			m, _ := c.any(robot, random)
			switch base := robot.Arm().Base(); random.IntN(6) {
			case 0:
				m = robot.Circ(place(0, 0.1, 0.1+0.1*random.Float64()).Pos, place(0.1*random.Float64(), 0.2, 0), base, slow).Blend(0.7)
			case 1:
				m = robot.Spline([]geom.Frame{place(0, 0.1*random.Float64(), 0.3)}, base, slow).Blend(0.6) // short ones would go over at once
			}
			motions = append(motions, m)
		}
		before := len(c.Arm("kr16").Way(0))
		p := c.previewed(activities(motions))
		if n := len(c.Arm("kr16").Way(0)); n != before {
			t.Fatalf("%d set-points", n-before)
		}
		c.as(p, c.flows(motions), "kr16")
	}
	c.Arm("kr16").Smooth()
}

// TestPreviewedTogether: motions of several robots in one command are executed as previewed.
func TestPreviewedTogether(t *testing.T) {
	race.Skip(t, "previews of many motions; TestAbreastPreview races one")
	c := newKeeping(t)
	one, two := c.kr16(), c.tx90()
	c.come(one)
	random := rand.New(rand.NewPCG(uint64(setting(t, "RCCD_SEED", 1)), 0))
	for range setting(t, "RCCD_STEPS", 4) {
		m, _ := c.any(one, random)
		to := slices.Clone(bent)
		to[0] += 0.5 * random.Float64()
		for _, a := range []activity.Activity{activity.Parallel(m, two.PTP(to)), activity.Together(one.PTP(home), two.PTP(bent))} {
			p := c.previewed(a)
			c.Free()
			x, err := a.Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			c.end(x)
			c.Pass(50)
			c.as(p, []*activity.Execution{x}, "kr16", "tx90")
		}
	}
}

// TestPreviewedPair: arms that keep a relation do what is previewed.
func TestPreviewedPair(t *testing.T) {
	race.Skip(t, "previews of many motions; TestAbreastPreview races one")
	p := newPair(t)
	p.r = p.Connect(robotics.Keep())
	random := rand.New(rand.NewPCG(uint64(setting(t, "RCCD_SEED", 1)), 0))
	p.one, p.two = activity.NewRobot(p.r, p.one.Arm()), activity.NewRobot(p.r, p.two.Arm())
	p.Free()
	var err error
	if p.both, err = activity.Link(t.Context(), "both", p.one, p.two); err != nil {
		t.Fatal(err)
	}
	p.Hold()
	for range setting(t, "RCCD_STEPS", 3) {
		var motions []*activity.Motion
		var to *geom.Frame
		for range 1 + random.IntN(3) {
			var m *activity.Motion
			m, to = p.any(random, to)
			motions = append(motions, m)
		}
		is := p.previewed(activities(motions))
		if err := is.Err(); err != nil { // the pair is led to where one of them cannot follow
			t.Log(err)
			continue
		}
		p.as(is, p.flows(motions), "kr16", "tx90")
	}
}

// TestPreviewInFlight: what a robot would do next is previewed from where it will rest, and nothing is remembered of that.
func TestPreviewInFlight(t *testing.T) {
	c := newKeeping(t)
	robot := c.kr16()
	c.come(robot)
	base := robot.Arm().Base()
	next := func() *activity.Motion {
		return robot.Circ(place(0, 0.2, 0.1).Pos, place(0, 0.3, 0), base, slow)
	}
	x := c.begin(robot.Lin(place(0, 0.2, 0), base, slow))
	c.Pass(100)
	p := c.foreseen(next())
	if n := len(c.Core.Nets.All()); n != 2 { // that to home, and what moves
		t.Errorf("%d nets", n)
	}
	c.end(x)
	c.Pass(50)
	y := c.pass(next())
	c.end(y)
	c.as(p, []*activity.Execution{y})
	if at, should := c.Arm("kr16").At(), p.Joints("kr16"); !near(at, should, 1e-6) {
		t.Errorf("ends at %v, not at %v", at, should)
	}

	// Where it will rest is not known of what is cancelled, so that is waited for.
	x = c.begin(robot.PTP(home))
	c.Pass(100)
	if err := x.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := c.previewed(robot.PTP(home)).Err(); err != nil || !over(x) {
		t.Errorf("%v", err)
	}
}

// goesOn is how far joints go on at most behind their last set-points, when a motion has ended.
const goesOn = 1e-5

func near(a, b []float64, tolerance float64) bool {
	return slices.EqualFunc(a, b, func(a, b float64) bool { return math.Abs(a-b) <= tolerance })
}

// TestPreviewInTurn: where one activity waits for the rest of another, times go on, and what comes next begins where the joints are then.
func TestPreviewInTurn(t *testing.T) {
	race.Skip(t, "previews of many motions; TestAbreastPreview races one")
	c := newKeeping(t)
	one, two := c.kr16(), c.tx90()
	c.come(one)
	floating := world.NewFrame("floating")
	if _, err := world.Couple(one.Arm().Base(), floating, robotics.Seen{By: robotics.Constant(geom.Frame{})}); err != nil {
		t.Fatal(err)
	}
	base := one.Arm().Base()
	p := c.previewed(activity.Sequence(
		one.Lin(place(0, 0.2, 0), base, slow).Blend(0.5),
		one.PTP(home),
		activity.Of(c.r, robotics.NewCommand(two.Arm(), motions.PTP{To: bent})),
		activity.Parallel(one.Lin(place(0, 0.1, 0), base, slow), two.PTP(bent)),
		one.Lin(place(0, 0.15, 0), floating, slow), // where it ends is not known beforehand
		one.Circ(place(0, 0.1, 0.05).Pos, place(0, 0.05, 0), base, slow),
		one.Hold(base),
		one.PTP(home),
	), robotics.For(5*time.Second))
	if err := p.Err(); err != nil {
		t.Fatal(err)
	}
	if !p.Cut || len(p.Commands) != 8 {
		t.Errorf("%+v", p)
	}
	for i, is := range p.Commands {
		last := p.Commands[max(0, i-1)]
		inFlight := i == 1 || i == 6 // the second motion, and to hold, at rest
		switch {
		case i == 0:
			continue
		case is.Begin <= last.Begin, !inFlight && is.Begin < last.End, inFlight != last.Relieved:
			t.Errorf("%s from %v to %v, after %+v", is.Command, is.Begin, is.End, last)
		}
	}
	if end := p.Commands[7].End; p.Duration != end || p.Commands[6].End-p.Commands[5].Begin < 5*time.Second {
		t.Errorf("%v, %v", p.Duration, end)
	}
	if at := p.Joints("kr16"); !near(at, home, goesOn) {
		t.Errorf("at %v", at)
	}
	if at := p.Joints("tx90"); !near(at, bent, goesOn) {
		t.Errorf("at %v", at)
	}
}

// TestPreviewWrong: mistakes in activities are reported as when they begin, and later failures with their time;
// nothing is previewed after that. When it is executed it goes wrong then.
func TestPreviewWrong(t *testing.T) {
	c := newKeeping(t)
	robot := c.kr16()
	straight := []float64{0.3, -1.5, 1.5, 0, 0.02, 0} // the wrist nearly so
	c.come(robot)
	base := robot.Arm().Base()
	tilted := model().Forward(straight)
	tilted.Pos.Y += 0.3
	moves := world.NewFrame("moves") // for all that is known
	if _, err := world.Couple(base, moves, robotics.Seen{By: robotics.Constant(geom.Frame{})}); err != nil {
		t.Fatal(err)
	}
	fast := robotics.CartesianLimits{Vel: 2, Acc: 20, Jerk: 200, RotVel: 3, RotAcc: 30, RotJerk: 300}
	for name, tt := range map[string]struct {
		do  activity.Activity
		err error
	}{
		"too fast on the way":     {activity.Sequence(robot.PTP(straight), robot.Lin(tilted, base, fast, robotics.Slowest(1))), robotics.ErrTooFast},
		"no share":                {robot.PTP(home).Blend(0), activity.ErrShare},
		"nothing":                 {activity.Sequence(), activity.ErrNothing},
		"one robot twice":         {activity.Parallel(robot.PTP(home), robot.PTP(home)), activity.ErrSameRobot},
		"beyond":                  {robot.PTP([]float64{9, 0, 0, 0, 0, 0}), robotics.ErrBeyond},
		"of one's own":            {own{robot.PTP(home)}, activity.ErrOwn},
		"begins nobody knows":     {activity.Sequence(robot.PTP(straight), robot.Circ(place(0, 0.1, 0.1).Pos, place(0, 0.2, 0), moves)), activity.ErrBegin},
		"one of one's own within": {activity.Sequence(robot.PTP(home), own{robot.PTP(home)}), activity.ErrOwn},
	} {
		c.Free()
		if p, err := activity.Preview(t.Context(), tt.do); p != nil || !errors.Is(err, tt.err) {
			t.Errorf("%s: %v", name, err)
		}
	}

	c.Hold()
	motions := []*activity.Motion{robot.PTP(straight), robot.Lin(tilted, moves, fast)}
	p := c.previewed(activity.Sequence(activities(motions), c.tx90().PTP(bent)))
	var foreseen, fault *robotics.FaultError
	var breach *robotics.BreachError
	err := p.Err()
	if !errors.As(err, &foreseen) || !errors.As(err, &breach) || breach.At == 0 || breach.Flange == nil || len(p.Commands) != 2 {
		t.Fatalf("%v, %+v", err, p)
	}
	all := []*activity.Execution{c.pass(motions[0])}
	waits, begun := c.start(motions[1])
	if begun != nil {
		t.Fatal(begun.err)
	}
	all = append(all, c.soon(waits))
	c.Free()
	if err := all[1].Wait(t.Context()); !errors.As(err, &fault) || fault.Fault != foreseen.Fault {
		t.Errorf("%v, not %v", err, foreseen)
	}
	c.Hold()
	first, _ := c.span(all[0])
	begin, end := c.span(all[1])
	if is := p.Commands[1]; is.Begin != begin-first || is.End != end-first || is.Faults[0].At != is.End {
		t.Errorf("from %v to %v, not %+v", begin-first, end-first, is)
	}
	t.Log(err)
}

// own is an activity of an application.
type own struct{ of *activity.Motion }

func (o own) String() string                                         { return fmt.Sprint("my ", o.of) }
func (o own) Execute(ctx context.Context) error                      { return o.of.Execute(ctx) }
func (o own) Begin(ctx context.Context) (*activity.Execution, error) { return o.of.Begin(ctx) }
