package activity_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/activity"
	"github.com/softrobot-rcc/rccd/robotics/motions"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// TestDistance: places on a path are reported by the distance from its beginning, or to its end, in the cycle in which they are passed.
func TestDistance(t *testing.T) {
	arc := math.Pi * 0.1
	for name, tt := range map[string]struct {
		motion   func(r *activity.Robot) *activity.Motion
		distance float64
		y        float64 // where that is
	}{
		"line":                {func(r *activity.Robot) *activity.Motion { return r.Lin(place(0, 0.2, 0), r.Arm().Base(), slow) }, 0.05, 0.05},
		"line before the end": {func(r *activity.Robot) *activity.Motion { return r.Lin(place(0, 0.2, 0), r.Arm().Base(), slow) }, -0.05, 0.15},
		"arc": {func(r *activity.Robot) *activity.Motion {
			return r.Circ(place(0, 0.1, 0.1).Pos, place(0, 0.2, 0), r.Arm().Base(), slow)
		}, arc / 2, 0.1},
		"arc before the end": {func(r *activity.Robot) *activity.Motion {
			return r.Circ(place(0, 0.1, 0.1).Pos, place(0, 0.2, 0), r.Arm().Base(), slow)
		}, -arc / 3, 0.15},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCell(t)
			robot := c.kr16()
			c.come(robot)
			told := make(chan struct{}, 1)
			mark := robotics.NewToken("mark")
			x := c.pass(tt.motion(robot).AtDistance(tt.distance, func() { told <- struct{}{} }).With(func(r *robotics.RuntimeCommand) {
				r.OnFirstEntered(r.State(motions.Distance(tt.distance)), robotics.Give(mark))
			}))
			for c.Pass(1); !c.told(x, "outtmark"); c.Pass(1) {
			}
			way := model().Forward(c.Arm("kr16").At()).Pos.Sub(place(0, 0, 0).Pos)
			if way.Y < tt.y-1e-6 || way.Y > tt.y+3*slow.Vel*0.002 {
				t.Errorf("passed %v from the beginning", way)
			}
			c.end(x)
			select {
			case <-told:
			default:
				t.Error("the application was not told")
			}
		})
	}
}

// TestWhereItBegins: an arc that follows a motion of joints begins where that ends, also when it ends as seen from another frame.
func TestWhereItBegins(t *testing.T) {
	c := newCell(t)
	robot := c.kr16()
	c.come(robot)
	table := robot.Arm().Base().Place("table", geom.Frame{Pos: geom.Vector{X: 1}, Rot: geom.FromABC(1, 0, 0)})
	tip := robot.Arm().Flange().Place("tip", geom.Frame{Pos: geom.Vector{Z: 0.1}})
	from := place(0, 0.1, 0).Mul(geom.Frame{Pos: geom.Vector{Z: 0.1}})
	to, via := from, from.Pos
	to.Pos.Z += 0.1
	via.Y, via.Z = via.Y+0.05, via.Z+0.05
	seen := geom.Frame{Pos: geom.Vector{X: 1}, Rot: geom.FromABC(1, 0, 0)}.Invert()
	c.Free()
	all := activity.Sequence(
		robot.Lin(place(0, 0.1, 0), robot.Arm().Base(), slow).Blend(0.7),
		robot.Circ(seen.Point(via), seen.Mul(to), table, slow, robotics.MotionCenter{Frame: tip}).Blend(0.7),
		robot.Spline([]geom.Frame{place(0, 0.05, 0.1), place(0, 0, 0)}, robot.Arm().Base(), slow),
	)
	if err := all.Execute(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.Arm("kr16").Smooth()
	if at := model().Forward(c.Arm("kr16").At()); !at.Near(place(0, 0, 0), 1e-6, 1e-6) {
		t.Errorf("at %v", at)
	}
}

// TestMoves: where a path begins is not known beforehand if the frame that it is seen from moves to where the motion before ends. Then it
// begins at rest.
func TestMoves(t *testing.T) {
	c := newCell(t)
	robot, other := c.kr16(), c.tx90()
	if _, err := world.Relate(robot.Arm().Base(), other.Arm().Base(), geom.Frame{Pos: geom.Vector{X: 2}}); err != nil {
		t.Fatal(err)
	}
	c.come(robot)
	c.Free()
	on := robots.TX90L().Forward(c.Where("tx90"))
	on.Pos.X += 2
	if _, err := robot.Lin(place(0, 0.1, 0), robot.Arm().Base(), slow).Blend(0.5).Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	from, to := on.To(place(0, 0.1, 0)), on.To(place(0, 0, 0))
	via := from.Pos.Lerp(to.Pos, 0.5).Add(geom.Vector{Z: 0.02})
	if err := robot.Circ(via, to, other.Arm().Flange(), slow).Execute(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !c.Arm("kr16").Rested(func(joints []float64) bool { return model().Forward(joints).Near(place(0, 0.1, 0), 1e-6, 1e-6) }) {
		t.Error("it has not rested between")
	}
	c.Arm("kr16").Smooth()
}

// TestTogether: motions of several robots begin and end in the same cycles, and are at the same share of their ways in each.
func TestTogether(t *testing.T) {
	c := newCell(t)
	c.Free()
	one, two := c.kr16(), c.tx90()
	point := []float64{0.3, 0.2, 1, 0.1, 0.4, 0.5}
	if err := activity.Together(one.PTP(home), two.PTP(bent)).Execute(t.Context()); err != nil {
		t.Fatal(err)
	}
	since := len(c.Arm("kr16").Way(0))
	slowly := robotics.Speed(0.1)
	if err := activity.Together(one.Lin(place(0, 0.2, 0), one.Arm().Base(), slow), two.PTP(point, slowly)).Execute(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.Arm("kr16").Smooth()
	c.Arm("tx90").Smooth()
	ways := [][]cells.SetPoint{c.Arm("kr16").Way(0), c.Arm("tx90").Way(0)}
	if a, b := len(ways[0]), len(ways[1]); a != b {
		t.Fatalf("%d and %d set-points", a, b)
	}
	for k := since; k < len(ways[0]); k++ {
		if a, b := ways[0][k].Time, ways[1][k].Time; a != b {
			t.Fatalf("set-points at %d and %d", a, b)
		}
		joints := make([]float64, 6)
		for i := range joints {
			joints[i] = c.Arm("kr16").Way(i)[k].Pos
		}
		line := model().Forward(joints).Pos.Sub(place(0, 0, 0).Pos).Y / 0.2
		if turn := (ways[1][k].Pos - bent[0]) / (point[0] - bent[0]); math.Abs(line-turn) > 1e-4 {
			t.Fatalf("set-point %d: at %v of the one way, and %v of the other", k, line, turn)
		}
	}
}

// TestTogetherCancelled: when one of motions in step is cancelled both come to rest at the same share of their ways.
func TestTogetherCancelled(t *testing.T) {
	c := newCell(t)
	c.Free()
	one, two := c.kr16(), c.tx90()
	if err := activity.Together(one.PTP(home), two.PTP(bent)).Execute(t.Context()); err != nil {
		t.Fatal(err)
	}
	point := []float64{0.3, 0.2, 1, 0.1, 0.4, 0.5}
	line := one.Lin(place(0, 0.2, 0), one.Arm().Base(), slow).With(func(r *robotics.RuntimeCommand) {
		r.OnFirstEntered(r.State(motions.Passed(0.1)), robotics.Cancel(r))
	})
	if err := activity.Together(line, two.PTP(point)).Execute(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.Arm("kr16").Smooth()
	c.Arm("tx90").Smooth()
	gone := model().Forward(c.Arm("kr16").At()).Pos.Sub(place(0, 0, 0).Pos).Y / 0.2
	turn := (c.Arm("tx90").At()[0] - bent[0]) / (point[0] - bent[0])
	if gone < 0.1 || gone > 0.9 || math.Abs(gone-turn) > 1e-4 {
		t.Errorf("rests at %v of the one way, and %v of the other", gone, turn)
	}
}

// TestNoPath: what is no path says so before anything moves.
func TestNoPath(t *testing.T) {
	c := newCell(t)
	c.Free()
	robot := c.kr16()
	if err := robot.PTP(home).Execute(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(c.Arm("kr16").At())
	base := robot.Arm().Base()
	for name, tt := range map[string]struct {
		do  activity.Activity
		err error
	}{
		"spline through nothing":   {robot.Spline(nil, base), activity.ErrNothing},
		"arc on a line":            {robot.Circ(place(0, 0.1, 0).Pos, place(0, 0.2, 0), base), robotics.ErrPath},
		"seen from nowhere":        {robot.Circ(place(0, 0.1, 0).Pos, place(0, 0.2, 0), world.NewFrame("nowhere")), world.ErrUnrelated},
		"to nowhere":               {robot.Lin(geom.Frame{Pos: geom.Vector{X: math.NaN()}}, base), robotics.ErrNumber},
		"blends before nothing":    {robot.Lin(place(0, 0.1, 0), base).BlendBefore(0), activity.ErrDistance},
		"blends before its number": {robot.Lin(place(0, 0.1, 0), base).BlendBefore(math.NaN()), activity.ErrDistance},
		"joints have no distance":  {robot.PTP(home).AtDistance(0.1, func() {}), nil},
		"a distance is a number":   {robot.Lin(place(0, 0.1, 0), base).AtDistance(math.NaN(), func() {}), robotics.ErrNumber},
	} {
		err := tt.do.Execute(t.Context())
		if tt.err == nil {
			if !errors.As(err, new(*robotics.StateError)) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if !errors.Is(err, tt.err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !slices.Equal(before, c.Arm("kr16").At()) {
		t.Error("something has moved")
	}
}
