package motion_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/internal/testkit"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

const period = time.Millisecond

func text(v float64) string { return string(value.Double.Append(nil, v)) }

// ports are the in ports of an instance that a test feeds, and the out ports that it looks at.
type ports struct {
	*testkit.Single
	t testing.TB
}

func (p ports) in(name string) *spec.Out[float64] { return testkit.In[float64](p.t, p.Single, name) }

func (p ports) out(name string) *spec.Out[float64] {
	return testkit.Out[float64](p.t, p.Single, name)
}

func (p ports) truth(name string) *spec.Out[bool] { return testkit.Out[bool](p.t, p.Single, name) }

// limits are what set-points must keep.
type limits struct{ vel, acc, jerk float64 }

// watch says at the end whether a series of set-points has kept its limits, from rest on: differences of a motion are means of
// its derivatives.
type watch struct {
	limits
	period        float64
	pos, vel, acc float64
}

func (w *watch) next(r *rapid.T, pos float64) {
	r.Helper()
	vel := (pos - w.pos) / w.period
	acc := (vel - w.vel) / w.period
	jerk := (acc - w.acc) / w.period
	slack := 1e-15 * (1 + math.Abs(pos)) / w.period
	w.keeps(r, "velocity", vel, w.limits.vel, slack)
	w.keeps(r, "acceleration", acc, w.limits.acc, 4*slack/w.period)
	w.keeps(r, "jerk", jerk, w.limits.jerk, 8*slack/w.period/w.period)
	w.pos, w.vel, w.acc = pos, vel, acc
}

func (w *watch) keeps(r *rapid.T, what string, v, limit, slack float64) {
	r.Helper()
	if !(math.Abs(v) <= limit*(1+1e-9)+slack) {
		r.Fatalf("at %g: %s %g beyond %g", w.pos, what, v, limit)
	}
}

// TestProfilesOfNets: from rest to rest a profile keeps its limits cycle by cycle, ends where it should, stays there, and takes no
// longer than the closed form says.
func TestProfilesOfNets(t *testing.T) {
	for _, name := range []string{"Motion::Trapezoid", "Motion::DoubleS"} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) {
				l := limits{vel: rapid.Float64Range(0.1, 3).Draw(r, "vel"), acc: rapid.Float64Range(1, 30).Draw(r, "acc"), jerk: math.Inf(1)}
				from, to := rapid.Float64Range(-0.2, 0.2).Draw(r, "from"), rapid.Float64Range(-0.2, 0.2).Draw(r, "to")
				texts := map[string]string{"From": text(from), "To": text(to), "MaxVel": text(l.vel), "MaxAcc": text(l.acc)}
				if name == "Motion::DoubleS" {
					l.jerk = rapid.Float64Range(10, 1000).Draw(r, "jerk")
					texts["MaxJerk"] = text(l.jerk)
				}
				p := ports{kit.Single(t, name, period, texts), t}
				w := watch{limits: l, period: period.Seconds(), pos: from}
				pos, end := p.out("outPos"), p.out("outDuration")
				for n, finished := 0, 0; finished < 10; n++ {
					p.Next()
					p.Phases()
					w.next(r, pos.V)
					there := float64(n+1)*period.Seconds() >= end.V
					if p.truth("outFinished").V != there {
						r.Fatalf("cycle %d: finished: %t, of %g s", n+1, !there, end.V)
					}
					if there {
						finished++
						if pos.V != to || p.out("outVel").V != 0 || p.out("outAcc").V != 0 {
							r.Fatalf("ends at %g, not %g", pos.V, to)
						}
					}
				}
				if want := restToRest(math.Abs(to-from), l); math.Abs(end.V-want) > 1e-9*(1+want) {
					r.Fatalf("takes %g s, not %g", end.V, want)
				}
			})
		})
	}
}

// restToRest is the shortest time from rest to rest (Biagiotti and Melchiorri, §3.2 and §3.4).
func restToRest(way float64, l limits) float64 {
	ramp := l.vel / l.acc
	switch {
	case math.IsInf(l.jerk, 1) && way < l.vel*ramp:
		return 2 * math.Sqrt(way/l.acc)
	case math.IsInf(l.jerk, 1):
		return way/l.vel + ramp
	case l.vel*l.jerk < l.acc*l.acc:
		ramp = 2 * math.Sqrt(l.vel/l.jerk)
	default:
		ramp += l.acc / l.jerk
	}
	switch {
	case way >= l.vel*ramp:
		return way/l.vel + ramp
	case way < 2*l.acc*l.acc*l.acc/(l.jerk*l.jerk):
		return 4 * math.Cbrt(way/(2*l.jerk))
	}
	return l.acc/l.jerk + math.Sqrt(math.Pow(l.acc/l.jerk, 2)+4*way/l.acc)
}

// TestProfileByTime: a profile that is given its time is the one that has a time of its own, in whatever order.
func TestProfileByTime(t *testing.T) {
	texts := map[string]string{"From": "1", "FromVel": "0.5", "FromAcc": "-1", "To": "2", "ToVel": "-0.25", "ToAcc": "0.5", "MaxAcc": "2", "Duration": "7"}
	own := ports{kit.Single(t, "Motion::DoubleS", period, texts), t}
	var want []float64
	for range 8000 {
		own.Next()
		own.Phases()
		want = append(want, own.out("outPos").V)
	}
	if got := own.out("outDuration").V; got != 7 {
		t.Errorf("takes %g s", got)
	}
	told := ports{kit.Single(t, "Motion::DoubleS", period, texts, "inTime"), t}
	for n := len(want) - 1; n >= 0; n -= 7 {
		told.Next()
		told.in("inTime").Set(told.Cy, float64(n+1)*period.Seconds())
		told.Phases()
		if got := told.out("outPos").V; got != want[n] {
			t.Fatalf("cycle %d: %g, not %g", n+1, got, want[n])
		}
	}
}

// TestProfileWhileInactive: the time of a profile goes on only while it is active.
func TestProfileWhileInactive(t *testing.T) {
	p := ports{kit.Single(t, "Motion::Trapezoid", period, map[string]string{"To": "1"}), t}
	for n := range 100 {
		p.Next()
		p.Cy.N += uint64(n % 3)
		p.Phases()
		if got := p.out("outTime").V; math.Abs(got-float64(n+1)*period.Seconds()) > 1e-12 {
			t.Fatalf("active for %d cycles: %g s", n+1, got)
		}
	}
}
