package activity_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/internal/testkit/race"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/activity"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// bent is where the TX90 stands well.
var bent = []float64{0.2, 0.3, 1.2, 0.1, 0.6, 0.2}

// pair is two arms on one ground that carry something together.
type pair struct {
	*cell
	one, two, both *activity.Robot
	ground         *world.Frame
}

// newPair brings both arms to where they stand well, links them, and has time stand still.
func newPair(t testing.TB, options ...cells.Option) *pair {
	t.Helper()
	c := newCell(t, options...)
	p := &pair{cell: c, one: c.kr16(), two: c.tx90(), ground: world.NewFrame("ground")}
	for r, at := range map[*activity.Robot]geom.Frame{p.one: {}, p.two: base()} {
		if _, err := world.Relate(p.ground, r.Arm().Base(), at); err != nil {
			t.Fatal(err)
		}
	}
	c.Free()
	if err := activity.Together(p.one.PTP(home), p.two.PTP(bent)).Execute(t.Context()); err != nil {
		t.Fatal(err)
	}
	var err error
	if p.both, err = activity.Link(t.Context(), "both", p.one, p.two); err != nil {
		t.Fatal(err)
	}
	c.Hold()
	return p
}

// base returns where the TX90 stands: its flange is opposite to that of the KR 16, with 30 cm between them.
func base() geom.Frame {
	opposite := geom.Frame{Pos: geom.Vector{Z: 0.3}, Rot: geom.FromABC(0, math.Pi, 0)}
	return place(0, 0, 0).Mul(opposite).Mul(robots.TX90L().Forward(bent).Invert())
}

// kept checks whether the arms were in one relation in each cycle since some.
func (p *pair) kept(since int) {
	p.t.Helper()
	ways := func(name string, model interface{ Forward([]float64) geom.Frame }) (at []geom.Frame, times []int64) {
		arm := p.Arm(name)
		joints := make([][]cells.SetPoint, 6)
		for i := range joints {
			joints[i] = arm.Way(i)
		}
		for k := range joints[0] {
			q := make([]float64, len(joints))
			for i := range q {
				q[i] = joints[i][k].Pos
			}
			at, times = append(at, model.Forward(q)), append(times, joints[0][k].Time)
		}
		return at, times
	}
	one, when := ways("kr16", robots.KR16())
	two, then := ways("tx90", robots.TX90L())
	if len(one) != len(two) || !slices.Equal(when[since:], then[since:]) {
		p.t.Fatalf("%d and %d set-points, not at the same times", len(one), len(two))
	}
	relation := one[since].To(base().Mul(two[since]))
	worst := 0.0
	for k := since; k < len(one); k++ {
		now := one[k].To(base().Mul(two[k]))
		worst = max(worst, now.Pos.Sub(relation.Pos).Length(), now.Rot.To(relation.Rot).Angle())
	}
	if worst > 1e-6 {
		p.t.Errorf("%v m or rad apart", worst)
	}
	p.t.Log("apart by", worst, "at most, in", len(one)-since, "cycles")
}

// cycles returns those so far in which the arms were commanded.
func (p *pair) cycles() int { return len(p.Arm("kr16").Way(0)) }

// any is some motion of both, from where they will be if that is known.
func (p *pair) any(random *rand.Rand, from *geom.Frame) (m *activity.Motion, to *geom.Frame) {
	by := func(most float64) float64 { return (2*random.Float64() - 1) * most }
	ground := p.one.Arm().Base()
	pose := func() geom.Frame {
		f := place(by(0.08), by(0.08), by(0.08))
		f.Rot = f.Rot.Mul(geom.FromABC(by(0.1), by(0.1), by(0.1)))
		return f
	}
	goal := pose()
	to = &goal
	switch kind := random.IntN(4); {
	case kind == 0:
		joints := slices.Clone(home)
		for i := range joints {
			joints[i] += by(0.04)
		}
		goal = model().Forward(joints)
		m = p.both.PTP(joints, robotics.Speed(0.3), robotics.Acceleration(0.3))
	case kind == 1 && from != nil:
		aside := geom.Vector{X: by(0.05), Y: by(0.05), Z: 0.03}
		m = p.both.Circ(from.Pos.Lerp(goal.Pos, 0.5).Add(aside), goal, ground, slow)
	case kind == 2 && from != nil:
		between := from.Lerp(goal, 0.5)
		between.Pos.Z += by(0.05)
		m = p.both.Spline([]geom.Frame{between, goal}, ground, slow)
	default:
		m = p.both.Lin(goal, ground, slow)
	}
	if random.IntN(3) > 0 {
		m.Blend(0.3 + 0.6*random.Float64())
	}
	return m, to
}

// TestRelation: whatever two arms that carry something together are commanded, and whenever that is cancelled, they keep their
// relation in every cycle, and end at rest. RCCD_STEPS says how much.
func TestRelation(t *testing.T) {
	race.Skip(t, "many motions one after another; TestCheckedInRelation races one")
	p := newPair(t)
	since := p.cycles()
	random := rand.New(rand.NewPCG(uint64(setting(t, "RCCD_SEED", 1)), 0))
	p.Free()
	var m *activity.Motion
	var to *geom.Frame
	for i := range setting(t, "RCCD_STEPS", 20) {
		m, to = p.any(random, to)
		x, err := m.Begin(t.Context())
		if err != nil {
			t.Fatalf("motion %d: %v", i, err)
		}
		switch random.IntN(6) {
		case 0:
			err, to = p.both.Cancel(t.Context()), nil
		case 1:
			err = x.Wait(t.Context())
		case 2:
			err = x.Handle().SetOverride(t.Context(), 0.2+0.8*random.Float64())
		}
		if err != nil {
			t.Fatalf("motion %d: %v", i, err)
		}
	}
	if err := p.both.Lin(place(0, 0, 0), p.one.Arm().Base(), slow).Execute(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.kept(since)
	p.Arm("kr16").Smooth()
	p.Arm("tx90").Smooth()
}

// TestJointsInRelation: wherever the joints of the arm that leads go, those of the other one follow within their limits, or nothing moves;
// where all are at the end is known for what comes next. RCCD_STEPS says how many motions there are.
func TestJointsInRelation(t *testing.T) {
	race.Skip(t, "many motions one after another; TestCheckedInRelation races one")
	p := newPair(t)
	random := rand.New(rand.NewPCG(uint64(setting(t, "RCCD_SEED", 1)), 0))
	since := p.cycles()
	p.Free()
	slowed, refused := 0, 0
	for i := range setting(t, "RCCD_STEPS", 30) {
		joints := slices.Clone(home)
		for k := range joints {
			joints[k] += (2*random.Float64() - 1) * 0.35
		}
		before := p.cycles()
		x, err := p.both.PTP(joints).Begin(t.Context())
		if way := (*actuator.PathError)(nil); errors.As(err, &way) {
			if refused++; way.Arm != "tx90" || p.cycles() != before {
				t.Fatalf("motion %d: %v", i, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("motion %d: %v", i, err)
		}
		if x.Slowed() < 1 {
			slowed++
		}
		if random.IntN(3) == 0 {
			err = x.Cancel(t.Context())
		}
		if err = errors.Join(err, x.Wait(t.Context())); err != nil {
			t.Fatalf("motion %d at %v: %v", i, x.Slowed(), err)
		}
	}
	vel, acc, jerk := p.used(p.two, since)
	t.Logf("%d slowed down, %d refused; of the limits of joints: %.2f velocity, %.2f acceleration, %.2f jerk", slowed, refused, vel, acc, jerk)
	const rounding = 1.01
	if vel > rounding || acc > rounding || jerk > rounding {
		t.Error("joints are beyond their limits")
	}
	if slowed == 0 || refused == 0 {
		t.Error("nothing was slowed down, or nothing refused")
	}
	p.kept(since)
	p.Arm("kr16").Smooth()
	p.Arm("tx90").Smooth()
	if err := activity.Together(p.one.PTP(home), p.two.PTP(bent)).Execute(t.Context()); err != nil {
		t.Fatal(err)
	}
	// Behind a motion of joints it is known where all arms are.
	if err := p.both.PTP(home, robotics.Speed(0.5)).Execute(t.Context()); err != nil {
		t.Fatal(err)
	}
	var way *actuator.PathError
	if err := p.both.Lin(place(-0.3, 0, 0), p.one.Arm().Base(), slow).Execute(t.Context()); !errors.As(err, &way) || way.Arm != "tx90" {
		t.Errorf("%v", err)
	}
}

// TestInFlightTogether: arms whose controllers have other cycles than nets, or take set-points for a later time, blend into what comes
// next in their relation: what their devices report of them is old then.
func TestInFlightTogether(t *testing.T) {
	for _, of := range [][2]map[string]string{
		{{"cycle": "2ms"}, {"cycle": "1ms"}},
		{{"cycle": "4ms"}, {"cycle": "2ms"}},
		{{"cycle": "2ms"}, {"cycle": "4ms"}},
		{{"cycle": "1ms"}, {"cycle": "4ms"}},
		{{"cycle": "3ms"}, {"cycle": "3ms"}},
		{{"ahead": "2ms"}, {"ahead": "6ms"}},
	} {
		t.Run(fmt.Sprint(of), func(t *testing.T) {
			p := newPair(t,
				cells.With(cells.Device{Name: "kr16", Kind: "kuka_kr_arm_sim", Params: of[0]}),
				cells.With(cells.Device{Name: "tx90", Kind: "staubli_tx90_sim", Params: of[1]}))
			since := p.cycles()
			x := p.pass(p.both.Lin(place(0, 0.1, 0), p.one.Arm().Base(), slow).Blend(0.6))
			joints := slices.Clone(home)
			joints[0] += 0.05
			for _, m := range []*activity.Motion{
				p.both.Lin(place(0, 0.1, 0.1), p.one.Arm().Base(), slow).Blend(0.5), p.both.PTP(joints, robotics.Speed(0.1)).Blend(0.5),
				p.both.Lin(place(0, 0, 0), p.one.Arm().Base(), slow),
			} {
				waits, _ := p.asking(m)
				if x = p.finish(waits); p.newest() != "leave" {
					t.Fatalf("%v has missed the one before", m)
				}
			}
			p.end(x)
			p.kept(since)
			p.Arm("kr16").Smooth()
			p.Arm("tx90").Smooth()
		})
	}
}

// TestOutOfRelation: arms that are not in their relation do not begin, and nothing moves.
func TestOutOfRelation(t *testing.T) {
	p := newPair(t)
	p.Free()
	to := slices.Clone(bent)
	to[0] += 0.01
	if err := p.two.PTP(to).Execute(t.Context()); err != nil {
		t.Fatal(err)
	}
	one, two := p.Arm("kr16").At(), p.Arm("tx90").At()
	err := p.both.Lin(place(0, 0, 0.1), p.one.Arm().Base(), slow).Execute(t.Context())
	var fault *robotics.FaultError
	if !errors.As(err, &fault) || fault.Fault != actuator.FaultRelation || fault.Of != "tx90" {
		t.Errorf("%v", err)
	}
	if !slices.Equal(one, p.Arm("kr16").At()) || !slices.Equal(two, p.Arm("tx90").At()) {
		t.Error("something moves")
	}
}

// TestOneFails: when one of two arms cannot go on, the other one comes to rest on its way, and the error says which it was.
func TestOneFails(t *testing.T) {
	for _, name := range []string{"kr16", "tx90"} {
		t.Run(name, func(t *testing.T) {
			p := newPair(t)
			other := map[string]string{"kr16": "tx90", "tx90": "kr16"}[name]
			x := p.pass(p.both.Lin(place(0, 0.15, 0), p.one.Arm().Base(), slow))
			p.Pass(120)
			if err := p.Core.Devices.Tell(name, "happen", map[string]string{"what": "off"}); err != nil {
				t.Fatal(err)
			}
			p.Free()
			var fault *robotics.FaultError
			if err := x.Wait(t.Context()); !errors.As(err, &fault) || fault.Of != name {
				t.Errorf("%v", err)
			}
			p.Arm(other).Smooth()
			if other != "kr16" {
				return
			}
			way := model().Forward(p.Arm(other).At()).Pos.Sub(place(0, 0, 0).Pos)
			if math.Hypot(way.X, way.Z) > 1e-5 || way.Y < 0.02 || way.Y > 0.14 {
				t.Errorf("rests %v from where it began", way)
			}
		})
	}
}

// TestHold: arms that hold something do so until they are cancelled, and what comes after waits for that.
func TestHold(t *testing.T) {
	p := newPair(t)
	since := p.cycles()
	x := p.begin(p.both.Hold(p.ground))
	p.Pass(100)
	if err := p.cancel(p.both, x); err != nil {
		t.Fatal(err)
	}
	p.kept(since)
	if at := model().Forward(p.Arm("kr16").At()); !at.Near(place(0, 0, 0), 1e-5, 1e-5) {
		t.Errorf("at %v", at)
	}
	if err := p.one.PTP(home).Execute(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestTurns: a robot of several begins what it does alone when all of them rest, and the other way round.
func TestTurns(t *testing.T) {
	p := newPair(t)
	p.Free()
	up := p.both.Lin(place(0, 0, 0.05), p.one.Arm().Base(), slow).Blend(0.5)
	if _, err := up.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	at := func() bool { return model().Forward(p.Arm("kr16").At()).Near(place(0, 0, 0.05), 1e-5, 1e-5) }
	x, err := p.two.PTP(bent).Begin(t.Context())
	if err != nil || !at() {
		t.Errorf("begun before the end of both, %v", err)
	}
	if err := x.Wait(t.Context()); err != nil {
		t.Error(err)
	}
	p.Arm("kr16").Smooth()
	p.Arm("tx90").Smooth()
}

// TestNoPair: what cannot be several arms that move as one says so.
func TestNoPair(t *testing.T) {
	p := newPair(t)
	p.Free()
	one, two := actuator.Carrier{Arm: p.one.Arm(), By: p.one.Arm().Flange()}, actuator.Carrier{Arm: p.two.Arm(), By: p.two.Arm().Flange()}
	for name, tt := range map[string]struct {
		arms   []actuator.Carrier
		robots []*activity.Robot
		err    error
	}{
		"other robots": {[]actuator.Carrier{one, two}, []*activity.Robot{p.two, p.one}, activity.ErrMembers},
		"too few":      {[]actuator.Carrier{one, two}, []*activity.Robot{p.one}, activity.ErrMembers},
		"one arm":      {[]actuator.Carrier{one}, []*activity.Robot{p.one}, robotics.ErrArms},
		"one twice":    {[]actuator.Carrier{one, one}, []*activity.Robot{p.one, p.one}, activity.ErrMembers},
		"not carried":  {[]actuator.Carrier{one, {Arm: two.Arm, By: one.By}}, []*activity.Robot{p.one, p.two}, robotics.ErrNotCarried},
		"nobody":       {nil, nil, activity.ErrMembers},
	} {
		r := activity.NewMultiArm(actuator.NewMultiArm("pair", tt.arms), tt.robots...)
		for _, m := range []activity.Activity{r.PTP(home), activity.Parallel(r.PTP(home))} {
			if err := m.Execute(t.Context()); !errors.Is(err, tt.err) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	own := p.both.Lin(geom.Frame{}, p.two.Arm().Flange())
	if err := own.Execute(t.Context()); !errors.Is(err, robotics.ErrOwnFrame) {
		t.Errorf("seen from a frame of its own: %v", err)
	}
}
