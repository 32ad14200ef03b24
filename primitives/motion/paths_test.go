package motion_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// frame is one of a workspace of a metre, turned by no more than half a turn.
func frame(r *rapid.T, name string) geom.Frame {
	v := drawn(r, name, 6, -0.5, 0.5)
	return geom.Frame{Pos: geom.Vector{X: v[0], Y: v[1], Z: v[2]}, Rot: geom.Exp(geom.Vector{X: v[3], Y: v[4], Z: v[5]})}
}

func printed[T any](v T) string { return string(value.Of[T]().Append(nil, v)) }

// TestPathsOfNets: a frame goes from the start to the end, through what is to be passed, within limits of velocity and acceleration;
// and what is said of its motion is what is seen of it.
func TestPathsOfNets(t *testing.T) {
	for _, name := range []string{"Motion::Line", "Motion::Circle", "Motion::Spline"} {
		t.Run(name, func(t *testing.T) { rapid.Check(t, func(r *rapid.T) { travel(t, r, name) }) })
	}
}

func travel(t *testing.T, r *rapid.T, name string) {
	via := []geom.Frame{frame(r, "from"), frame(r, "via"), frame(r, "to")}
	for i := range via[1:] {
		if via[i].Pos.Sub(via[i+1].Pos).Length() < 0.05 {
			r.Skip("too close to each other")
		}
	}
	if a, b := via[1].Pos.Sub(via[0].Pos), via[2].Pos.Sub(via[1].Pos); a.Angle(b) < 0.1 || a.Angle(b) > 3 || via[2].Pos.Sub(via[0].Pos).Length() < 0.05 {
		r.Skip("hardly a circle, or a spline with a sharp bend")
	}
	texts := map[string]map[string]string{
		"Motion::Line":   {"From": via[0].String(), "To": via[2].String()},
		"Motion::Circle": {"From": via[0].String(), "Via": via[1].Pos.String(), "To": via[2].String()},
		"Motion::Spline": {"Via": printed(via)},
	}[name]
	vel, acc := rapid.Float64Range(0.1, 2).Draw(r, "vel"), rapid.Float64Range(0.5, 5).Draw(r, "acc")
	texts["MaxTransVel"], texts["MaxTransAcc"], texts["MaxTransJerk"] = text(vel), text(acc), "50"
	p := ports{kit.Single(t, name, 4*time.Millisecond, texts), t}
	pos, motion := testkit.Out[geom.Frame](t, p.Single, "outPos"), testkit.Out[geom.Twist](t, p.Single, "outVel")
	change := testkit.Out[geom.Twist](t, p.Single, "outAcc")
	const period = 0.004
	last, before := via[0], geom.Twist{}
	passed := math.Inf(1)
	for finished := false; !finished; finished = p.truth("outFinished").V {
		p.Next()
		p.Phases()
		if v := motion.V.Vel.Length(); v > vel*(1+1e-9) || motion.V.Rot.Length() > 1+1e-9 {
			r.Fatalf("%v is too fast", motion.V)
		}
		if a := change.V.Vel.Length(); a > acc*(1+1e-9) || change.V.Rot.Length() > 1+1e-9 {
			r.Fatalf("%v is too sudden", change.V)
		}
		seen, said := last.Velocity(pos.V, period), before.Add(motion.V).Scale(0.5)
		if off := seen.Sub(said); off.Vel.Length() > 1e-3 || off.Rot.Length() > 1e-3 {
			r.Fatalf("moves with %v and not with %v", seen, said)
		}
		passed = min(passed, pos.V.Pos.Sub(via[1].Pos).Length())
		last, before = pos.V, motion.V
	}
	if !last.Near(via[2], 1e-12, 1e-12) || before.Vel.Length() != 0 {
		r.Fatalf("ends at %v, not at %v", last, via[2])
	}
	if name != "Motion::Line" && passed > vel*period {
		r.Fatalf("passes %v in a distance of %g", via[1].Pos, passed)
	}
}
