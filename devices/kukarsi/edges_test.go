package kukarsi

import (
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukarsi/channels"
	"github.com/softrobot-rcc/rccd/devices/kukarsi/telegram"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/device/link"
	"github.com/softrobot-rcc/rccd/rcc/device/setpoint"
)

// TestExhausted: a controller that allows 10 missing answers has counted them when it missed 9 in a row, or 9 or 10 of the session.
func TestExhausted(t *testing.T) {
	for _, tt := range []struct {
		row, late int64
		want      bool
	}{
		{0, 9, false}, {1, 8, false}, {1, 9, true}, {1, 10, true}, {1, 11, false}, {8, 100, false}, {9, 100, true}, {10, 100, true},
	} {
		d := &driver{cfg: &wireConfig{Timeout: 10}}
		d.row.Store(tt.row)
		d.lates.Store(tt.late)
		if d.exhausted() != tt.want {
			t.Errorf("%d in a row, %d in total: want %v", tt.row, tt.late, tt.want)
		}
	}
}

// TestCoarse: positions are as coarse as in the newest telegram.
func TestCoarse(t *testing.T) {
	d := &driver{layout: &channels.Layout{Actual: channels.Range{At: 0, N: 1}}, values: make([]telegram.Value, 1)}
	reader, err := telegram.NewReader("Rob", telegram.Attributes("AIPos", telegram.Double, "A1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		pos  string
		want float64
	}{{"1.5", 0.1}, {"1.5000", 0.0001}, {"2", 1}} {
		text := []byte(`<Rob Type="KUKA"><AIPos A1="` + tt.pos + `"/><IPOC>1</IPOC></Rob>`)
		if _, fault := reader.Read(text, d.values); fault != telegram.Good {
			t.Fatal(fault)
		}
		if d.take(text, link.Stamp{}); d.coarse < 0.99*tt.want || d.coarse > 1.01*tt.want {
			t.Errorf("%s is as coarse as %v, want %v", tt.pos, d.coarse, tt.want)
		}
	}
}

// TestOverdue: a program that takes more than ten seconds from one session to the next counts as lost, in real time.
func TestOverdue(t *testing.T) {
	clock := rt.NewReal()
	a := &Arm{clock: clock, driver: &driver{}}
	now := clock.Unix(clock.Now())
	for ended, want := range map[int64]bool{now + 1e9: false, now - 11e9: true} {
		if a.driver.endedAt.Store(ended); a.overdue() != want {
			t.Errorf("%d s after the end: want %v", (now-ended)/1e9, want)
		}
	}
	a.clock = rt.NewVirtual(time.Unix(0, now))
	if a.overdue() {
		t.Error("a program is late in virtual time")
	}
}

// TestLinked: a telegram that is not the next one of the chain says nothing about an answer.
func TestLinked(t *testing.T) {
	s := chained(counted)
	at := s.at + int64(4*time.Millisecond)
	s.hear(&heard{stamp: 1004, late: 2, counts: true, at: at}, true)
	if !s.linked {
		t.Error("the next telegram is not linked")
	}
	s.hear(&heard{stamp: 1004, late: 2, counts: true, at: at + int64(time.Millisecond)}, true)
	if s.linked {
		t.Error("a repeated telegram is linked")
	}
}

// TestDoubt: a driver that leads begins to listen when it cannot know what became of its answer.
func TestDoubt(t *testing.T) {
	d := &driver{cfg: &wireConfig{Cycle: 4 * time.Millisecond, Silence: 10, Timeout: 100}, layout: &channels.Layout{}}
	d.smooth = setpoint.NewSmoother(2, d.cfg.Cycle)
	d.session = *chained(counted)
	d.phase.Store(uint32(ready))
	d.session.behind = 1 << 60 // the answer may still be on its way
	at := d.session.at + int64(d.cfg.Cycle)
	if n, _ := d.hear(&heard{stamp: 1004, late: 2, counts: true, at: at}, nil, link.Stamp{N: 2, Time: at}); n != 0 || d.now() != listening {
		t.Errorf("answers %d in phase %d", n, d.now())
	}
}

// TestOffCycle: a cycle of the controller may differ from the configured one by a fifth and a quarter.
func TestOffCycle(t *testing.T) {
	c := &wireConfig{Cycle: 4 * time.Millisecond}
	for us, want := range map[int64]bool{3190: true, 3200: false, 4000: false, 5000: false, 5010: true} {
		if c.off(us*1000) != want {
			t.Errorf("%d µs: want %v", us, want)
		}
	}
}

// TestAssessment: the verdict about a window has the Delay of its first telegram and how long the wire was open by then.
func TestAssessment(t *testing.T) {
	s := chained(counted)
	s.known, s.answeredAt = true, 1e9
	s.window.of[0].late, s.window.of[0].at = 7, 1e9+1234e6
	if m := s.assessment(); m.why() != leftAlone || m.late() != 7 || m.after() != 1234*time.Millisecond {
		t.Errorf("%d, Delay %d, after %v", m.why(), m.late(), m.after())
	}
}

// TestForeignWindow: telegrams of another session are of one that holds nothing only if the session before would have counted more missing
// answers since the last one, with some to spare.
func TestForeignWindow(t *testing.T) {
	const cycle = int64(4 * time.Millisecond)
	for silent, want := range map[int64]finding{5 + spare: fresh, 4 + spare: unknowable} {
		s := chained(counted)
		s.led = true
		for k := range int64(len(s.window.of)) {
			s.window.push(&heard{stamp: s.stamp + 4000 + uint64(4*k), late: 5 + k, counts: true, at: s.at + k*cycle})
		}
		s.answeredAt = s.at - silent*cycle
		if found := s.judge(); found != want {
			t.Errorf("%d cycles without an answer: %d, want %d", silent, found, want)
		}
	}
}

// TestSilenceEmptiesWindow: telegrams that came before a silence that ends every session do not count as evidence.
func TestSilenceEmptiesWindow(t *testing.T) {
	s := chained(counted)
	s.window.push(&heard{stamp: 1004, late: 3, counts: true, at: s.at})
	if s.hear(&heard{stamp: 1008, late: 4, counts: true, at: s.at + s.long, quiet: s.long}, true); s.window.n != 1 {
		t.Errorf("%d telegrams in the window", s.window.n)
	}
}

// TestDelayWearsOff: while telegrams come on time, an earlier delay counts less and less.
func TestDelayWearsOff(t *testing.T) {
	s := chained(uncounted)
	s.behind = int64(time.Millisecond)
	for range 100 {
		s.answered = true
		s.relate(&heard{stamp: s.stamp + 4, at: s.at + int64(4*time.Millisecond)})
	}
	if s.behind != 0 {
		t.Errorf("%v behind", time.Duration(s.behind))
	}
}

// TestTotal: answers that were missing are added up by how much Delay has grown.
func TestTotal(t *testing.T) {
	d := &driver{cfg: &wireConfig{Cycle: 4 * time.Millisecond, Silence: 10, Timeout: 100}, layout: &channels.Layout{}}
	d.smooth = setpoint.NewSmoother(2, d.cfg.Cycle)
	d.session = *chained(counted)
	d.session.linked, d.session.applied = true, true
	for _, late := range []int64{3, 5, 0, 4} {
		d.account(&heard{late: late, counts: true})
	}
	if got := d.total.Load(); got != 9 {
		t.Errorf("%d missing answers, want 3 + 2 + 4", got)
	}
}
