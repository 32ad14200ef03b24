package robotics_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/motions"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// TestLINBy: an offset is along and about the axes of its frame, whatever that is, and the way is straight.
func TestLINBy(t *testing.T) {
	arm := kr16()
	tool := geom.Frame{Pos: geom.Vector{X: 0.05, Z: 0.2}, Rot: geom.FromABC(0.3, 0.2, 0.1)}
	tip := arm.Flange().Place("tip", tool)
	shelf := geom.Frame{Pos: geom.Vector{X: 3, Y: 1}, Rot: geom.FromABC(1, 0.2, 0)}
	by := geom.Frame{Pos: geom.Vector{X: 0.05, Y: -0.1, Z: 0.02}, Rot: geom.FromABC(0.1, 0, 0.2)}
	start := poseAt(point).Mul(tool)
	for name, of := range map[string]struct {
		in   *world.Frame
		axes geom.Rotation // seen from the base
	}{
		"base":   {arm.Base(), geom.Rotation{}},
		"shelf":  {arm.Base().Place("shelf", shelf), shelf.Rot},
		"tip":    {tip, start.Rot},
		"flange": {arm.Flange(), poseAt(point).Rot},
	} {
		t.Run(name, func(t *testing.T) {
			c := cells.New(t)
			want := geom.Frame{Pos: start.Pos.Add(of.axes.Rotate(by.Pos)), Rot: of.axes.Mul(by.Rot).Mul(of.axes.Invert()).Mul(start.Rot)}
			line := robotics.NewCommand(arm, motions.LINBy{By: by, In: of.in}, robotics.MotionCenter{Frame: tip}, slow)
			r := trace(t, c, robotics.Sequence(robotics.NewCommand(arm, motions.PTP{To: point}), line), states{"line": line.Started()}, place(tip, arm.Base()))
			var way []geom.Vector
			for r.Step() {
				if !r.Is("line") {
					continue
				}
				way = append(way, placed(r))
				if d := distance(placed(r), start.Pos, want.Pos); d > 1e-8 {
					t.Fatalf("cycle %d: %v from the line", r.Cycle, d)
				}
			}
			if r.Is("failed") {
				t.Errorf("failed: %v", r.Values)
			}
			limited(t, way, slow.Vel, slow.Acc)
			c.Arm("kr16").Smooth()
			if at := poseAt(c.Where("kr16")).Mul(tool); !at.Near(want, 1e-5, 1e-5) {
				t.Errorf("at %v, not at %v", at, want)
			}
		})
	}
}

// TestLINByNothing: an offset that is not a number is an error, and one of 0 moves nothing.
func TestLINByNothing(t *testing.T) {
	c := cells.New(t)
	arm := kr16()
	no := motions.LINBy{By: geom.Frame{Pos: geom.Vector{X: math.NaN()}}, In: arm.Base()}
	if _, err := robotics.Watched(robotics.NewCommand(arm, no), nil, nil, true); !errors.Is(err, robotics.ErrNumber) {
		t.Errorf("%v", err)
	}
	before := c.Where("kr16")
	stay := trace(t, c, robotics.NewCommand(arm, motions.LINBy{In: arm.Base()}), nil, nil)
	if got := stay.Spans(10, "failed"); !strings.HasPrefix(got, "failed, end") {
		t.Error(got)
	}
	if after := c.Where("kr16"); !near(before, after, 1e-9) {
		t.Errorf("moved to %v", after)
	}
}
