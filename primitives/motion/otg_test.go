package motion_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/internal/testkit"
)

// goals are what a generator is told in a cycle: now and then something new, sometimes nothing or nonsense.
type goals struct{ pos, vel, acc float64 }

func (g *goals) next(r *rapid.T, l limits) {
	if rapid.IntRange(0, 20).Draw(r, "new") > 0 {
		g.pos += g.vel * period.Seconds()
		return
	}
	odd := []float64{math.NaN(), math.Inf(1), 1e15, 0}
	g.pos, g.vel, g.acc = rapid.Float64Range(-0.3, 0.3).Draw(r, "pos"), 0, 0
	switch rapid.IntRange(0, 6).Draw(r, "kind") {
	case 0:
		g.vel = rapid.Float64Range(-1.2, 1.2).Draw(r, "vel") * l.vel
	case 1:
		g.vel = rapid.Float64Range(-1, 1).Draw(r, "vel") * l.vel
		g.acc = rapid.Float64Range(-1, 1).Draw(r, "acc") * l.acc
	case 2:
		g.pos = rapid.SampledFrom(odd).Draw(r, "odd pos")
	case 3:
		g.vel = rapid.SampledFrom(odd).Draw(r, "odd vel")
	}
}

// TestGeneratorKeepsLimits whatever happens to goals and limits; inactive cycles end at rest where it was, and in the end it arrives.
func TestGeneratorKeepsLimits(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		l := limits{rapid.Float64Range(0.1, 3).Draw(r, "vel"), rapid.Float64Range(1, 30).Draw(r, "acc"), rapid.Float64Range(50, 1000).Draw(r, "jerk")}
		moving := rapid.SampledFrom([]string{"true", "false"}).Draw(r, "moving")
		p := ports{kit.Single(t, "Motion::OTG", period, map[string]string{"MaxJerk": text(l.jerk), "Moving": moving}, "inDestPos", "inDestVel", "inDestAcc", "inMaxVel", "inMaxAcc", "inStop"), t}
		w := watch{limits: l, period: period.Seconds()}
		now, g := l, goals{}
		pos := p.out("outPos")
		step := func(stop bool) {
			p.Next()
			p.in("inDestPos").Set(p.Cy, g.pos)
			p.in("inDestVel").Set(p.Cy, g.vel)
			p.in("inDestAcc").Set(p.Cy, g.acc)
			p.in("inMaxVel").Set(p.Cy, now.vel)
			p.in("inMaxAcc").Set(p.Cy, now.acc)
			testkit.In[bool](t, p.Single, "inStop").Set(p.Cy, stop)
			p.Phases()
			w.next(r, pos.V)
		}
		stop := false
		for range 300 {
			switch rapid.IntRange(0, 60).Draw(r, "event") {
			case 0: // less is allowed, or all again
				share := rapid.Float64Range(0.2, 1).Draw(r, "share")
				now.vel, now.acc = share*l.vel, share*l.acc
			case 1:
				p.Next()
				p.Next() // two cycles without it
				w.vel, w.acc = 0, 0
			case 2:
				now.acc = rapid.SampledFrom([]float64{0, math.NaN(), l.acc}).Draw(r, "odd limit")
			case 3:
				stop = !stop
			}
			g.next(r, l)
			step(stop)
		}
		now, g = l, goals{pos: 0.1}
		step(false)
		for n := 0; !p.truth("outReached").V; n++ {
			if n > 20_000 {
				r.Fatalf("does not arrive: %g with %g left", pos.V, p.out("outLeft").V)
			}
			step(false)
		}
		if pos.V != 0.1 || p.out("outVel").V != 0 || p.out("outLeft").V != 0 {
			r.Errorf("reached at %g", pos.V)
		}
	})
}

// TestGeneratorMeetsMovingGoal: at the end of each cycle it is where the goal is, once it has reached it.
func TestGeneratorMeetsMovingGoal(t *testing.T) {
	p := ports{kit.Single(t, "Motion::OTG", period, map[string]string{"MaxAcc": "5", "MaxJerk": "100"}, "inDestPos", "inDestVel"), t}
	goal, met := 0.3, 0
	for n := range 3000 {
		vel := 0.4
		if n > 1500 {
			vel = -0.2
		}
		goal += vel * period.Seconds()
		p.Next()
		p.in("inDestPos").Set(p.Cy, goal)
		p.in("inDestVel").Set(p.Cy, vel)
		p.Phases()
		if p.truth("outReached").V {
			met++
			if off := math.Abs(p.out("outPos").V - goal); off > 1e-12 {
				t.Fatalf("cycle %d: %g beside the goal", n+1, off)
			}
		}
	}
	if met < 1500 {
		t.Errorf("has met the goal in %d cycles", met)
	}
}

// TestGeneratorFromMeasuredPlace: commanded from where a sensor sees it, the axis is the same as from where it is known to be.
func TestGeneratorFromMeasuredPlace(t *testing.T) {
	texts := map[string]string{"MaxJerk": "50", "MaxAcc": "3"}
	own := ports{kit.Single(t, "Motion::OTG", period, texts, "inDestPos"), t}
	seen := ports{kit.Single(t, "Motion::OTG", period, texts, "inDestPos", "inCurPos", "inCurVel", "inCurAcc"), t}
	pos, vel, acc := 0.0, 0.0, 0.0
	for range 2500 {
		own.Next()
		seen.Next()
		own.in("inDestPos").Set(own.Cy, 0.7)
		seen.in("inDestPos").Set(seen.Cy, 0.7)
		for name, v := range map[string]float64{"inCurPos": pos, "inCurVel": vel, "inCurAcc": acc} {
			seen.in(name).Set(seen.Cy, v)
		}
		own.Phases()
		seen.Phases()
		pos, vel, acc = seen.out("outPos").V, seen.out("outVel").V, seen.out("outAcc").V
		if math.Abs(pos-own.out("outPos").V) > 1e-12 {
			t.Fatalf("at %g, not %g", pos, own.out("outPos").V)
		}
	}
	if pos != 0.7 || !seen.truth("outReached").V {
		t.Errorf("ends at %g", pos)
	}
}

// TestGeneratorsTogether: axes keep their limits when goals jump, and arrive.
func TestGeneratorsTogether(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(r, "axes")
		sync := rapid.SampledFrom([]string{"asynchronous", "synchronous", "fully synchronous"}).Draw(r, "sync")
		vel, acc, jerk := drawn(r, "vel", n, 0.1, 3), drawn(r, "acc", n, 1, 30), drawn(r, "jerk", n, 50, 1000)
		net := kit.Single(t, "Motion::SyncOTG", 4*time.Millisecond, map[string]string{
			"Size": text(float64(n)), "MaxVel": list(vel), "MaxAcc": list(acc), "MaxJerk": list(jerk), "Sync": sync,
		}, "inDestPos")
		p := ports{net, t}
		watches := make([]watch, n)
		for k := range watches {
			watches[k] = watch{limits: limits{vel[k], acc[k], jerk[k]}, period: 0.004}
		}
		goal, pos := testkit.In[[]float64](t, net, "inDestPos"), testkit.Out[[]float64](t, net, "outPos")
		goal.V = drawn(r, "goal", n, -0.3, 0.3)
		for cycle := 1; ; cycle++ {
			if cycle > 10_000 {
				r.Fatal("does not arrive")
			}
			jump := cycle < 200 && rapid.IntRange(0, 20).Draw(r, "jump") == 0
			if jump {
				copy(goal.V, drawn(r, "goal", n, -0.3, 0.3))
			}
			p.Next()
			goal.Touch(p.Cy)
			p.Phases()
			for k := range watches {
				watches[k].next(r, pos.V[k])
			}
			if cycle >= 200 && p.truth("outReached").V {
				break
			}
		}
		for k := range goal.V {
			if pos.V[k] != goal.V[k] {
				r.Errorf("axis %d is at %g, not %g", k, pos.V[k], goal.V[k])
			}
		}
	})
}
