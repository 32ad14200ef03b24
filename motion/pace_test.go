package motion_test

import (
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/internal/testkit/tasks"
	"github.com/softrobot-rcc/rccd/motion"
	"github.com/softrobot-rcc/rccd/motion/profile"
)

// scale makes limits smaller by shares that are up to 1.
func (m maker) scale(limits []profile.Limits) []profile.Limits {
	scaled := make([]profile.Limits, len(limits))
	whole := m.IntN(2) == 0
	for i, l := range limits {
		part := func() float64 {
			if whole {
				return 1
			}
			return 0.5 + m.Float64()/2
		}
		scaled[i] = profile.Limits{Vel: l.Vel * part(), Acc: l.Acc * part(), Jerk: l.Jerk * part()}
	}
	return scaled
}

// TestPace: rates change at random times; the axes stay on their way and within the limits, from one cycle to the next one
// as well, and stand still when they should.
func TestPace(t *testing.T) {
	const axes, cycle = 3, 0.001
	m := newMaker(30)
	a, b := make([]profile.State, axes), make([]profile.State, axes)
	for range tasks.Samples(20_000) / 250 {
		k := m.moves(axes)
		for i := range k.to { // a way that is gone as fast as it may be
			k.to[i] = profile.Goal{State: profile.State{Pos: k.to[i].Pos}}
			k.from[i].Vel, k.from[i].Acc = 0, 0
		}
		planned := m.scale(k.limits)
		j := motion.NewJoints(axes)
		j.Plan(motion.Synchronous, k.from, k.to, planned)
		p, err := motion.NewPace(planned, k.limits, motion.Room(planned, k.limits)*(0.5+0.45*m.Float64()))
		if err != nil {
			t.Fatal(err)
		}
		most, _ := p.Rate()
		p.Begin(0, most*m.Float64())
		j.At(0, a)
		for at := 0.0; at < 3*j.Duration(); at += cycle {
			if m.IntN(200) == 0 {
				p.To(most * (1.4*m.Float64() - 0.2))
			}
			now := p.Step(cycle)
			rate, change := p.Rate()
			j.At(now, b)
			p.Apply(b)
			if rate < 0 || rate > most*(1+1e-9) {
				t.Fatalf("time passes at %v, and %v is the most", rate, most)
			}
			if now > j.Duration() {
				break
			}
			if rate == 0 && change == 0 && (b[0].Vel != 0 || b[0].Acc != 0) {
				t.Fatalf("does not stand still: %+v", b)
			}
			withinJerk(t, a, b, k.limits, cycle)
			a, b = b, a
		}
	}
}

// withinJerk checks that axes have stayed within limits. Limits of jerk need not be kept to the last digit by differences.
func withinJerk(t *testing.T, a, b []profile.State, limits []profile.Limits, time float64) {
	t.Helper()
	const more = 1 + 1e-9
	for i, l := range limits {
		if math.Abs(b[i].Vel) > l.Vel*more || math.Abs(b[i].Acc) > l.Acc*more {
			t.Fatalf("axis %d is beyond %+v: %+v", i, l, b[i])
		}
		if d := math.Abs(b[i].Acc-a[i].Acc) / time; d > l.Jerk*(1+1e-6)+1e-6 {
			t.Fatalf("axis %d has a jerk of %v, and %+v", i, d, l)
		}
		if d := math.Abs(b[i].Pos - a[i].Pos - time*(a[i].Vel+b[i].Vel)/2); d > l.Acc*time*time {
			t.Fatalf("axis %d jumps by %v", i, d)
		}
	}
}

// TestPaceStops says how long it takes to stand still, and to go on.
func TestPaceStops(t *testing.T) {
	l := []profile.Limits{{Vel: 1, Acc: 2, Jerk: 1000}}
	for _, test := range []struct{ most, stop float64 }{
		{0.5, 0.6}, {0.9, 1.6}, {0.99, 3},
	} {
		p, err := motion.NewPace(l, l, test.most)
		if err != nil {
			t.Fatal(err)
		}
		p.To(0)
		time := 0.0
		for rate, _ := p.Rate(); rate > 0 && time < 100; rate, _ = p.Rate() {
			p.Step(0.001)
			time += 0.001
		}
		if time > test.stop*l[0].Vel/l[0].Acc {
			t.Errorf("from %v it takes %v until time stands still", test.most, time)
		}
		stood := p.Step(1)
		if p.Step(1) != stood {
			t.Error("time does not stand still")
		}
		p.To(test.most)
		for range 100_000 {
			p.Step(0.001)
		}
		if rate, change := p.Rate(); rate != test.most || change != 0 {
			t.Errorf("time passes at %v, and that changes by %v", rate, change)
		}
	}
}

func TestPaceIsRefused(t *testing.T) {
	l, bad := []profile.Limits{{Vel: 1, Acc: 2, Jerk: 10}}, []profile.Limits{{Vel: 1, Acc: 0, Jerk: 10}}
	for _, test := range []struct {
		planned, limits []profile.Limits
		most            float64
	}{{l, l, 1}, {l, l, 0}, {l, l, math.NaN()}, {l, bad, 0.5}, {bad, l, 0.5}, {l, nil, 0.5}, {nil, nil, 0.5}} {
		if _, err := motion.NewPace(test.planned, test.limits, test.most); err == nil {
			t.Errorf("%+v is not a pace", test)
		}
	}
	p, err := motion.NewPace(l, l, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	p.To(math.NaN())
	if now := p.Step(1); now != 0.9 || p.Step(math.NaN()) != now || p.Step(-1) != now {
		t.Errorf("time is %v", now)
	}
}

func TestPaceAllocatesNothing(t *testing.T) {
	l := []profile.Limits{{Vel: 1, Acc: 2, Jerk: 10}}
	p, err := motion.NewPace(l, l, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	s := make([]profile.State, 1)
	if n := alloc.Least(func() { p.To(0.1); p.Step(0.01); p.Apply(s) }); n != 0 {
		t.Errorf("%d allocations", n)
	}
}
