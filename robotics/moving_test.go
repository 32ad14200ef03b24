package robotics_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/internal/testkit/race"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/motions"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// drift is a sensor of a frame that swings along y, and turns and goes on evenly, from when the net begins.
type drift struct {
	vel    geom.Vector
	turn   float64 // about z, rad/s
	reach  float64 // m
	faster float64 // rad/s
	unseen [2]time.Duration
}

func (d drift) at(time float64) geom.Frame {
	pos := d.vel.Scale(time).Add(geom.Vector{Y: d.reach * math.Sin(d.faster*time)})
	return geom.Frame{Pos: pos, Rot: geom.FromABC(d.turn*time, 0, 0)}
}

func (d drift) MapSensor(m *mapping.Net) graph.Signal[geom.Frame] {
	time := robotics.Read(m, clock())
	of := func(rate float64) graph.Signal[float64] { return graph.Mul(time, m.Real(rate)) }
	swing := mapping.Link[float64](m.Add("Core::DoubleSin").Link("inValue", of(d.faster).Port), "outValue")
	y := graph.Add(of(d.vel.Y), graph.Mul(swing, m.Real(d.reach)))
	turned := m.Add("World::RotationFromABC").Link("inA", of(d.turn).Port).Out("outValue")
	p := m.Add("World::FrameFromXYZ").Link("inX", of(d.vel.X).Port).Link("inY", y.Port).Link("inZ", of(d.vel.Z).Port).Link("inRot", turned)
	lost := m.And(graph.Greater(time, m.Real(d.unseen[0].Seconds())), graph.Less(time, m.Real(d.unseen[1].Seconds())))
	seen := m.Add("World::FrameSetNull").Link("inValue", p.Out("outValue")).Link("inNull", lost.Port)
	return mapping.Link[geom.Frame](seen, "outValue")
}

// floating returns a frame that moves, seen from the base of an arm.
func floating(t *testing.T, arm *actuator.Arm, by robotics.Sensor[geom.Frame]) *world.Frame {
	t.Helper()
	f := world.NewFrame("floating")
	if _, err := world.Couple(arm.Base(), f, robotics.Seen{By: by}); err != nil {
		t.Fatal(err)
	}
	return f
}

// ride is an arm that comes to point, waits, and does something that is seen from a frame, which moves all the time.
type ride struct {
	cell   *cells.Cell
	arm    *actuator.Arm
	frame  *world.Frame
	begins int          // the first cycle of what it does
	from   geom.Frame   // where its flange is then, seen from the frame
	flange []geom.Frame // where it is commanded to be from then on, seen from the frame
	joints [][]float64
	goes   []bool // the way has begun
	there  []bool // its end is reached
}

const waits = time.Second

// newRide finds out when what the arm does will begin, and where.
func newRide(t *testing.T, by drift) *ride {
	t.Helper()
	r := &ride{arm: kr16()}
	r.frame = floating(t, r.arm, by)
	r.cell = cells.New(t)
	first := trace(t, r.cell, robotics.Sequence(robotics.NewCommand(r.arm, motions.PTP{To: point}), robotics.NewWait(waits)), nil, nil)
	for first.Step() {
	}
	r.begins = first.Cycle // a transaction ends one cycle after its parts
	r.from = by.at(float64(r.begins) * period.Seconds()).Invert().Mul(poseAt(point))
	r.cell = cells.New(t)
	return r
}

// do executes a command to its end.
func (r *ride) do(t *testing.T, by drift, does *robotics.RuntimeCommand, optimise bool) {
	t.Helper()
	watched := values{}
	for i := range r.arm.Len() {
		watched[fmt.Sprint("q", i)] = next(r.arm, i)
	}
	seen := states{"active": does.Active(), "goes": robotics.Not(does.Active()), "there": robotics.Not(does.Active())}
	if _, is := does.Action().(motions.Jog); !is {
		seen["goes"], seen["there"] = does.State(motions.Passed(1e-6)), does.State(motions.Passed(1))
	}
	all := robotics.Sequence(robotics.NewCommand(r.arm, motions.PTP{To: point}), robotics.NewWait(waits), does)
	text, err := robotics.Watched(all, seen, watched, optimise)
	if err != nil {
		t.Fatal(err)
	}
	n := r.cell.Trace(text)
	for n.Step() {
		if n.Cycle > 20_000 {
			t.Fatal("it does not end")
		}
		if !n.Is("active") {
			continue
		}
		q := make([]float64, r.arm.Len())
		for i := range q {
			q[i] = n.Number(fmt.Sprint("q", i))
		}
		r.joints = append(r.joints, q)
		r.flange = append(r.flange, by.at(float64(n.Cycle)*period.Seconds()).Invert().Mul(poseAt(q)))
		r.goes, r.there = append(r.goes, n.Is("goes")), append(r.there, n.Is("there"))
	}
	if n.Is("failed") {
		t.Errorf("failed: %v", n.Values)
	}
	if have := n.Cycle - len(r.joints); have != r.begins {
		t.Fatalf("begins in cycle %d, not %d", have, r.begins)
	}
	r.cell.Arm("kr16").Smooth()
}

// exact checks whether the flange is where a way leads in all cycles from the first one in which that has begun, until its end
// is reached, or until the flange rests in the frame when it is cancelled. It returns the cycles.
func (r *ride) exact(t *testing.T, off func(at geom.Frame) float64, cancelled bool) (first, last int) {
	t.Helper()
	first, last = -1, -1
	for k, at := range r.flange {
		switch {
		case !r.goes[k] || last >= 0:
			continue
		case first < 0:
			first = k
		}
		if d := off(at); d > 1e-8 {
			if rests := at.Pos.Sub(r.flange[k-1].Pos).Length() < 1e-5; cancelled && rests {
				last = k - 1
				continue
			}
			t.Fatalf("cycle %d: %v from the way", k, d)
		}
		if r.there[k] {
			last = k
		}
	}
	if cancelled && last < 0 {
		last = len(r.flange) - 1 // a frame that stands is not left
	}
	if first < 0 || last < first {
		t.Fatalf("begins in cycle %d, ends in cycle %d", first, last)
	}
	return first, last
}

// drifts are frames of the tests, of which one does not move but might.
var drifts = map[string]drift{
	"even":   {vel: geom.Vector{X: -0.05, Y: 0.1, Z: -0.02}},
	"turns":  {turn: 0.1},
	"swings": {reach: 0.1, faster: 1.5},
	"stands": {},
}

// TestMovingFrame: a motion seen from a frame that moves begins when the arm has caught up, is exact in the frame then, and ends at
// rest, at its end or when it is cancelled. Joints keep their limits all the time.
func TestMovingFrame(t *testing.T) {
	race.Skip(t, "long motions one after another; TestMovingJog races one")
	by := geom.Frame{Pos: geom.Vector{X: 0.1, Y: 0.15, Z: -0.1}, Rot: geom.FromABC(0.2, 0, 0)}
	for name, moves := range drifts {
		for kind, cancelled := range map[string]bool{"to its end": false, "cancelled": true} {
			t.Run(name+" "+kind, func(t *testing.T) {
				r := newRide(t, moves)
				line := robotics.NewCommand(r.arm, motions.LINBy{By: by, In: r.frame}, slow)
				if cancelled {
					line.OnEntered(line.State(motions.Passed(0.5)), robotics.Cancel(line))
				}
				r.do(t, moves, line, true)
				end := geom.Frame{Pos: r.from.Pos.Add(by.Pos), Rot: by.Rot.Mul(r.from.Rot)}
				first, last := r.exact(t, func(at geom.Frame) float64 { return distance(at.Pos, r.from.Pos, end.Pos) }, cancelled)
				if d := r.flange[first].Pos.Sub(r.from.Pos).Length(); d > 1e-5 {
					t.Errorf("begins %v away", d)
				}
				if cancelled && r.flange[last].Pos.Sub(end.Pos).Length() < 0.02 || !cancelled && !r.flange[last].Near(end, 1e-8, 1e-8) {
					t.Errorf("ends at %v, not at %v", r.flange[last], end)
				}
				t.Logf("catches up in %d cycles, comes to rest in %d", first, len(r.flange)-1-last)
			})
		}
	}
}

// TestMovingWays: ways of all kinds are the same in a frame that moves.
func TestMovingWays(t *testing.T) {
	race.Skip(t, "long motions one after another; TestMovingJog races one")
	moves := drift{vel: geom.Vector{X: 0.04, Y: -0.06}, turn: -0.05}
	shift := geom.Vector{Y: 0.1, Z: 0.1}
	for name, way := range map[string]struct {
		action func(r *ride) robotics.Action
		off    func(r *ride) func(at geom.Frame) float64
	}{
		"LIN": {
			func(r *ride) robotics.Action { return motions.LIN{To: moved(r.from, shift, 0, 0, 0), In: r.frame} },
			func(r *ride) func(at geom.Frame) float64 {
				return func(at geom.Frame) float64 { return distance(at.Pos, r.from.Pos, r.from.Pos.Add(shift)) }
			},
		},
		"CIRC": {
			func(r *ride) robotics.Action {
				over := r.from.Pos.Add(geom.Vector{X: 0.1, Y: 0.1})
				return motions.CIRC{From: r.from, Via: over, To: moved(r.from, geom.Vector{Y: 0.2}, 0, 0, 0), In: r.frame}
			},
			func(r *ride) func(at geom.Frame) float64 {
				center := r.from.Pos.Add(geom.Vector{Y: 0.1})
				return func(at geom.Frame) float64 { return math.Abs(at.Pos.Sub(center).Length() - 0.1) }
			},
		},
		"spline": {
			func(r *ride) robotics.Action {
				return motions.Spline{Through: []geom.Frame{r.from, moved(r.from, shift, 0, 0, 0)}, In: r.frame}
			},
			func(r *ride) func(at geom.Frame) float64 {
				return func(at geom.Frame) float64 { return distance(at.Pos, r.from.Pos, r.from.Pos.Add(shift)) }
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRide(t, moves)
			r.do(t, moves, robotics.NewCommand(r.arm, way.action(r), slow), true)
			r.exact(t, way.off(r), false)
		})
	}
}

// TestMovingJog: a tool is jogged in a frame that moves, and rests when that is cancelled.
func TestMovingJog(t *testing.T) {
	moves := drifts["even"]
	r := newRide(t, moves)
	jog := robotics.NewCommand(r.arm, motions.Jog{Velocity: robotics.Constant(geom.Twist{Vel: geom.Vector{Z: -0.1}}), In: r.frame}, slow)
	jog.OnEntered(robotics.Long(jog.Active(), 2*time.Second), robotics.Cancel(jog))
	r.do(t, moves, jog, true)
	for k, at := range r.flange[500:999] {
		off, vel := at.Pos.Sub(r.from.Pos), at.Pos.Sub(r.flange[499+k].Pos).Scale(1/period.Seconds())
		if math.Hypot(off.X, off.Y) > 1e-6 || math.Abs(vel.Z+0.1) > 1e-6 {
			t.Fatalf("cycle %d: %v away with %v", 500+k, off, vel)
		}
	}
}

// TestMovingHold: an arm that is to hold its tool in a frame that moves already gets there within its limits, and rests when that is
// cancelled.
func TestMovingHold(t *testing.T) {
	race.Skip(t, "long motions one after another; TestMovingJog races one")
	for name, moves := range drifts {
		t.Run(name, func(t *testing.T) {
			r := newRide(t, moves)
			hold := robotics.NewCommand(r.arm, motions.CartesianHold{In: r.frame})
			hold.OnEntered(robotics.Long(hold.Active(), 2*time.Second), robotics.Cancel(hold))
			cell, watched := r.cell, values{"x": next(r.arm, 0)}
			n := trace(t, cell, robotics.Sequence(robotics.NewCommand(r.arm, motions.PTP{To: point}), robotics.NewWait(waits), hold), nil, watched)
			for n.Step() {
			}
			if n.Is("failed") || n.Cycle < r.begins+1000 {
				t.Errorf("in cycle %d: %v", n.Cycle, n.Values)
			}
			cell.Arm("kr16").Smooth()
		})
	}
}

// TestMovingCancelledAtOnce: a motion that is cancelled while the arm catches up comes to rest there; one that is cancelled before it
// begins does nothing.
func TestMovingCancelledAtOnce(t *testing.T) {
	race.Skip(t, "a motion is cancelled in each of its cycles; TestMovingJog races one")
	moves := drifts["even"]
	for after, most := range map[time.Duration]int{period: 3, 2 * period: 5, 3 * period: 10, 4 * period: 20, 50 * period: 200} {
		t.Run(after.String(), func(t *testing.T) {
			r := newRide(t, moves)
			line := robotics.NewCommand(r.arm, motions.LINBy{By: geom.Frame{Pos: geom.Vector{Y: 0.1}}, In: r.frame}, slow)
			line.OnEntered(robotics.Above(clock(), (time.Duration(r.begins-1)*period+after-period/2).Seconds()), robotics.Cancel(line))
			r.do(t, moves, line, true)
			if have := len(r.flange); have > most+1 {
				t.Errorf("takes %d cycles", have)
			}
			for k := range r.goes {
				if r.goes[k] {
					t.Fatalf("the way has begun in cycle %d", k)
				}
			}
		})
	}
}

// TestMovingLost: an arm whose frame is not seen for a while comes to rest, and catches up with it again.
func TestMovingLost(t *testing.T) {
	moves := drifts["even"]
	moves.unseen = [2]time.Duration{2 * time.Second, 2500 * time.Millisecond}
	by := geom.Vector{Y: 0.15}
	r := newRide(t, moves)
	r.do(t, moves, robotics.NewCommand(r.arm, motions.LINBy{By: geom.Frame{Pos: by}, In: r.frame}, slow), true)
	if k := int(moves.unseen[1]/period) - r.begins; !near(r.joints[k], r.joints[k-1], 0) {
		t.Errorf("moves from %v to %v although the frame is not seen", r.joints[k-1], r.joints[k])
	}
	for k, there := range r.there {
		if end := r.from.Pos.Add(by); there && r.flange[k].Pos.Sub(end).Length() > 1e-8 {
			t.Fatalf("at its end at %v, not at %v", r.flange[k].Pos, end)
		} else if there {
			return
		}
	}
	t.Error("it does not come to its end")
}

// TestMovingOptimised: the optimiser changes nothing of how an arm catches up and comes to rest.
func TestMovingOptimised(t *testing.T) {
	race.Skip(t, "long motions one after another; TestMovingJog races one")
	moves := drifts["turns"]
	var ways [2][][]float64
	for i := range ways {
		r := newRide(t, moves)
		r.do(t, moves, robotics.NewCommand(r.arm, motions.LINBy{By: geom.Frame{Pos: geom.Vector{Y: 0.1}}, In: r.frame}, slow), i == 1)
		ways[i] = r.joints
	}
	if d := cmp.Diff(ways[0], ways[1]); d != "" {
		t.Error(d)
	}
}

// TestMovingNotBegun: a motion that is cancelled before it begins moves nothing, and does not wait.
func TestMovingNotBegun(t *testing.T) {
	c := cells.New(t)
	arm := kr16()
	line := robotics.NewCommand(arm, motions.LINBy{By: geom.Frame{Pos: geom.Vector{Y: 0.1}}, In: floating(t, arm, drifts["even"])}, slow)
	all := robotics.NewTransaction(line)
	wait := robotics.NewWait(10 * period)
	all.AddStart(wait)
	all.OnFirstEntered(wait.Active(), robotics.Cancel(line))
	all.OnFirstEntered(wait.Completed(), robotics.Start(line))
	before := c.Where("kr16")
	if got, want := trace(t, c, all, states{"line": line.Active()}, nil).Spans(100, "line", "failed"), "line 11, failed, end 12"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	if after := c.Where("kr16"); !near(after, before, 0) {
		t.Errorf("moved to %v", after)
	}
}

// TestMovingAnyhow: however a frame moves that joints can keep up with, and whenever a motion in it is cancelled, nothing is refused, and
// the arm comes to rest.
func TestMovingAnyhow(t *testing.T) {
	race.Skip(t, "random motions one after another; TestMovingJog races one")
	rapid.Check(t, func(r *rapid.T) {
		real := func(most float64, name string) float64 { return rapid.Float64Range(-most, most).Draw(r, name) }
		moves := drift{
			vel: geom.Vector{X: real(0.1, "x"), Y: real(0.1, "y"), Z: real(0.1, "z")}, turn: real(0.1, "turn"),
			reach: real(0.1, "reach"), faster: real(2, "faster"),
		}
		c, arm := cells.New(t), kr16()
		frame := floating(t, arm, moves)
		by := geom.Frame{
			Pos: geom.Vector{X: real(0.1, "by x"), Y: real(0.1, "by y"), Z: real(0.1, "by z")}, Rot: geom.FromABC(real(0.2, "a"), 0, real(0.2, "c")),
		}
		actions := []robotics.Action{
			motions.LINBy{By: by, In: frame},
			motions.LINBy{By: by, In: arm.Flange()},
			motions.CartesianHold{In: frame},
			motions.Jog{Velocity: robotics.Constant(geom.Twist{Vel: by.Pos}), In: frame},
		}
		does := robotics.NewCommand(arm, actions[rapid.IntRange(0, len(actions)-1).Draw(r, "action")], slow)
		does.OnEntered(robotics.Long(does.Active(), time.Duration(rapid.IntRange(1, 1000).Draw(r, "cycles"))*period), robotics.Cancel(does))
		n := trace(t, c, robotics.Sequence(robotics.NewCommand(arm, motions.PTP{To: point}), does), states{"does": does.Completed()}, nil)
		for n.Step() {
		}
		if n.Is("failed") || !n.Is("does") {
			r.Fatalf("%v", n.Values)
		}
		c.Arm("kr16").Smooth()
	})
}
