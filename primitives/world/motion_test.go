package world_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit"
)

// TestRotationAverage: about one axis it is the mean of the angles; else the mean of the rotation vectors as seen from the
// newest sample, up to the third power of what the rotations differ by.
func TestRotationAverage(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		const window = 7
		d := drawing{r}
		net := bench{kit.Single(t, "World::RotationAverage", period, map[string]string{"Duration": "0.07"}, "inValue"), t}
		base, axis := d.pose().rot(), d.vector()
		spread := rapid.SampledFrom([]float64{1e-3, 0.05, 0.4}).Draw(r, "spread")
		oneAxis := rapid.Bool().Draw(r, "one axis")
		var past []geom.Rotation
		for range rapid.IntRange(1, 20).Draw(r, "cycles") {
			v := d.vector()
			if oneAxis {
				v = axis.Scale(d.number() / 3)
			}
			past = append(past, geom.Exp(v.Scale(spread/6)).Mul(base))
			net.Next()
			feed(net, "inValue", past[len(past)-1])
			net.Phases()

			samples := past[max(0, len(past)-window):]
			newest, sum := samples[len(samples)-1], geom.Vector{}
			for _, s := range samples {
				sum = sum.Add(newest.Velocity(s, 1))
			}
			want := newest.Add(sum, 1/float64(len(samples)))
			bound := 1e-14
			if !oneAxis {
				bound += spread * spread * spread
			}
			if off := result[geom.Rotation](net, "outValue").To(want).Angle(); !(off <= bound) {
				r.Fatalf("cycle %d: %g away from the mean", net.Cy.N, off)
			}
		}
	})
}

// TestVectorAverage: the mean is that of the window, whatever went through it before.
func TestVectorAverage(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		const window = 5
		d := drawing{r}
		net := bench{kit.Single(t, "World::VectorAverage", period, map[string]string{"Duration": "0.05"}, "inValue"), t}
		var past []geom.Vector
		for range rapid.IntRange(1, 20).Draw(r, "cycles") {
			past = append(past, d.vector())
			if rapid.IntRange(0, 9).Draw(r, "outlier") == 0 {
				past[len(past)-1].Y = math.NaN()
			}
			net.Next()
			feed(net, "inValue", past[len(past)-1])
			net.Phases()
			want, samples := geom.Vector{}, past[max(0, len(past)-window):]
			for _, s := range samples {
				want = want.Add(s)
			}
			want, got := want.Scale(1/float64(len(samples))), result[geom.Vector](net, "outValue")
			if math.IsNaN(got.Y) != math.IsNaN(want.Y) {
				r.Fatalf("cycle %d: %v, not %v", net.Cy.N, got, want)
			}
			got.Y, want.Y = got.X+got.Z, want.X+want.Z
			d.same("mean", got, want)
		}
	})
}

// course drives a generator from a state to a goal that may move.
type course struct {
	bench
	maxVel, maxAcc, maxRotVel, maxRotAcc float64
}

func newCourse(t *testing.T, d drawing) course {
	t.Helper()
	limit := rapid.SampledFrom([]string{"0.1", "0.5", "1", "7"})
	p := map[string]string{}
	number := func(name string) float64 {
		p[name] = limit.Draw(d.T, name)
		return map[string]float64{"0.1": 0.1, "0.5": 0.5, "1": 1, "7": 7}[p[name]]
	}
	c := course{maxVel: number("MaxTransVel"), maxAcc: number("MaxTransAcc"), maxRotVel: number("MaxRotVel"), maxRotAcc: number("MaxRotAcc")}
	c.bench = bench{kit.Single(t, "World::FrameOTG", period, p, "inCurPos", "inCurVel", "inDestPos", "inDestVel"), t}
	return c
}

func (c course) step(goal geom.Frame, goalVel geom.Twist) (geom.Frame, geom.Twist) {
	c.Next()
	feed(c.bench, "inDestPos", goal)
	feed(c.bench, "inDestVel", goalVel)
	c.Phases()
	return result[geom.Frame](c.bench, "outPos"), result[geom.Twist](c.bench, "outVel")
}

// start tells the generator where it is, in the cycle before the first step, whose goal is the place itself.
func (c course) start(at geom.Frame, vel geom.Twist) {
	c.Next()
	feed(c.bench, "inCurPos", at)
	feed(c.bench, "inCurVel", vel)
	c.Phases()
}

// TestFrameOTGFromRest: straight, about one axis, within all limits, never away from the goal, in the time of an axis, and
// then it stays.
func TestFrameOTGFromRest(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		d := drawing{r}
		c := newCourse(t, d)
		from, to := d.pose().frame(), d.pose().frame()
		c.start(from, geom.Twist{})
		way, turn := to.Pos.Sub(from.Pos), from.Rot.Velocity(to.Rot, 1)
		most := cycles(way.Length(), c.maxVel, c.maxAcc)
		mostTurning := cycles(turn.Length(), c.maxRotVel, c.maxRotAcc)
		before, vel := from, geom.Twist{}
		for n := range max(most, mostTurning) + 3 {
			at, now := c.step(to, geom.Twist{})
			const hair = 1e-9
			if now.Vel.Length() > c.maxVel*(1+hair) || now.Rot.Length() > c.maxRotVel*(1+hair) ||
				now.Vel.Sub(vel.Vel).Length() > c.maxAcc*0.01*(1+hair) || now.Rot.Sub(vel.Rot).Length() > c.maxRotAcc*0.01*(1+hair) {
				r.Fatalf("cycle %d: %v after %v", n, now, vel)
			}
			if off := at.Pos.Sub(from.Pos).Cross(way.Unit()).Length(); off > 1e-9 {
				r.Fatalf("cycle %d: %g m beside the line", n, off)
			}
			if at.Pos.Sub(to.Pos).Length() > before.Pos.Sub(to.Pos).Length()+1e-12 || at.Rot.To(to.Rot).Angle() > before.Rot.To(to.Rot).Angle()+1e-12 {
				r.Fatalf("cycle %d: away from the goal", n)
			}
			if n >= most && at.Pos != to.Pos || n >= mostTurning && at.Rot != to.Rot {
				r.Fatalf("cycle %d: not there, %v from %v, %d and %d cycles expected", n, at, to, most, mostTurning)
			}
			before, vel = at, now
		}
		if vel != (geom.Twist{}) {
			r.Fatalf("%v at the goal", vel)
		}
	})
}

// cycles returns how many an axis needs at most for a way, from rest to rest: those at full speed, and those to speed up and
// to brake.
func cycles(way, maxVel, maxAcc float64) int {
	t := period.Seconds()
	ramp := maxVel / maxAcc
	if way < maxVel*ramp {
		return int(math.Ceil(2*math.Sqrt(way/maxAcc)/t)) + 3
	}
	return int(math.Ceil((ramp+way/maxVel)/t)) + 3
}

// TestFrameOTGFromMotion: from any motion, and after jumps of the goal, it keeps the limits of acceleration, arrives and
// stays with a goal that moves.
func TestFrameOTGFromMotion(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		d := drawing{r}
		c := newCourse(t, d)
		vel := geom.Twist{Vel: d.vector().Scale(c.maxVel / 6), Rot: d.vector().Scale(c.maxRotVel / 6)}
		c.start(d.pose().frame(), vel)
		vel = result[geom.Twist](c.bench, "outVel") // without goal it brakes
		goal, drift := d.pose().frame(), geom.Vector{}
		check := func(now geom.Twist) {
			const hair = 1e-9
			if now.Vel.Sub(vel.Vel).Length() > c.maxAcc*0.01*(1+hair) || now.Rot.Sub(vel.Rot).Length() > c.maxRotAcc*0.01*(1+hair) {
				r.Fatalf("%v after %v", now, vel)
			}
			vel = now
		}
		for range rapid.IntRange(0, 200).Draw(r, "cycles to another goal") {
			_, now := c.step(goal, geom.Twist{})
			check(now)
		}
		goal, drift = d.pose().frame(), d.vector().Scale(c.maxVel/12)
		for range 50_000 {
			goal.Pos = goal.Pos.Add(drift.Scale(period.Seconds()))
			at, now := c.step(goal, geom.Twist{Vel: drift})
			check(now)
			if at == goal && now.Vel == drift && now.Rot == (geom.Vector{}) {
				return
			}
		}
		r.Fatalf("not there: %v m and %v rad away with %v", goal.Pos.Sub(testkit.Out[geom.Frame](t, c.Single, "outPos").V.Pos).Length(),
			goal.Rot.To(testkit.Out[geom.Frame](t, c.Single, "outPos").V.Rot).Angle(), vel)
	})
}
