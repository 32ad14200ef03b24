//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/activity"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
)

// BenchmarkBlends executes motions of all kinds in real time, each of which should blend into the next one (§11.2.2), by a daemon of its own
// process. The application decides about one as soon as the one before has begun. How many come too late is reported, and how long before
// the place where the ways part the rule was given for those that do not, which is asked for every other millisecond.
func BenchmarkBlends(b *testing.B) {
	m := newSubject(b, "", "  - {name: kr16, type: kuka_kr_arm_sim}\n")
	r, err := robotics.Connect(b.Context(), m.url)
	if err != nil {
		b.Skip("nobody can connect with the daemon: ", err)
	}
	b.Cleanup(r.Close)
	t := &tour{robot: activity.NewRobot(r, actuator.NewArm("kr16", robots.KR16())), random: rand.New(rand.NewPCG(1, 0)), at: robots.KR16().Forward(stands())}
	if err := t.robot.PTP(stands()).Execute(b.Context()); err != nil {
		b.Fatal(err)
	}
	x, err := t.next().Begin(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	missed, rules, begun := 0, 2, rt.Stopwatch() // two motions have begun from rest, which is a rule as well
	var early, lasts []int64
	for b.Loop() {
		given := m.await(rules)
		if x, err = t.next().Begin(b.Context()); err != nil {
			b.Fatal(err)
		}
		now := rt.Stopwatch()
		at := given()
		lasts, begun = append(lasts, now-begun), now
		var page rulePage
		m.ask(rules, &page)
		if rules++; page.fired("outtleave") {
			early = append(early, max(0, now-at))
		} else {
			missed++
		}
	}
	if err := x.Wait(b.Context()); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(missed), "missed")
	for name, of := range map[string][]int64{"early": early, "motion": lasts} {
		if slices.Sort(of); len(of) > 0 {
			b.ReportMetric(float64(of[0])/1e6, name+"-min-ms")
			b.ReportMetric(float64(of[len(of)/100])/1e6, name+"-p1-ms")
			b.ReportMetric(float64(of[len(of)/2])/1e6, name+"-p50-ms")
		}
	}
	m.tell()
}

// tour is a way that a robot goes.
type tour struct {
	robot  *activity.Robot
	random *rand.Rand
	at     geom.Frame // where it ends
}

// stands returns where the arm stands well.
func stands() []float64 { return []float64{0.3, -1.5, 1.5, 0, 1, 0} }

// next returns a motion of any kind, of about half a second.
func (t *tour) next() *activity.Motion {
	by := func(most float64) float64 { return (2*t.random.Float64() - 1) * most }
	fast := robotics.CartesianLimits{Vel: 0.6, Acc: 3, Jerk: 40, RotVel: 1.5, RotAcc: 6, RotJerk: 80}
	home, base := robots.KR16().Forward(stands()), t.robot.Arm().Base()
	to := home
	to.Pos = to.Pos.Add(geom.Vector{X: by(0.05), Y: by(0.05), Z: by(0.02)})
	via := t.at.Lerp(to, 0.5)
	via.Pos.Z += 0.02
	var m *activity.Motion
	switch t.random.IntN(4) {
	case 0:
		joints := stands()
		for i := range joints {
			joints[i] += by(0.1)
		}
		m, to = t.robot.PTP(joints, robotics.Speed(0.5), robotics.Acceleration(0.5)), robots.KR16().Forward(joints)
	case 1:
		m = t.robot.Circ(via.Pos, to, base, fast)
	case 2:
		m = t.robot.Spline([]geom.Frame{via, to}, base, fast)
	default:
		m = t.robot.Lin(to, base, fast)
	}
	t.at = to
	return m.Blend(0.5 + 0.3*t.random.Float64())
}

// rulePage is what the page of a rule says of its condition.
type rulePage struct {
	Record struct {
		Variables []struct{ Key, Value string }
	}
}

// fired reports whether a variable has made the rule fire.
func (r *rulePage) fired(key string) bool {
	return slices.ContainsFunc(r.Record.Variables, func(v struct{ Key, Value string }) bool { return v.Key == key && v.Value == "true" })
}

// await looks out for a rule until it is asked when that was there.
func (m *subject) await(rule int) (given func() int64) {
	at := make(chan int64, 1)
	ctx, cancel := context.WithCancel(m.Context())
	go func() {
		again := time.NewTicker(2 * time.Millisecond)
		defer again.Stop()
		for ctx.Err() == nil && !m.ask(rule, nil) {
			<-again.C
		}
		at <- rt.Stopwatch()
	}()
	return func() int64 {
		cancel()
		return <-at
	}
}

// ask reads the page of a rule, and reports whether there is one.
func (m *subject) ask(rule int, into any) bool {
	request, err := http.NewRequestWithContext(m.Context(), http.MethodGet, fmt.Sprintf("%s/rules/%d", m.url, rule), nil)
	if err != nil {
		return false
	}
	request.Header.Set("Accept", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return err == nil && answer.StatusCode == http.StatusOK && (into == nil || json.Unmarshal(text, into) == nil)
}
