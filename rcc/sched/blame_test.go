package sched

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// busyOutside are CPUs that work for interrupts and a host now and then, as counters of a resolution tell.
type busyOutside struct {
	clock   *rt.Virtual
	cpu     int     // the only one
	part    float64 // of its time
	until   time.Duration
	blur    time.Duration
	unknown bool
	asked   int
}

func (o *busyOutside) Time(cpu int, _ *rt.OutsideRoom) (ns int64, known bool) {
	o.asked++
	if o.unknown || cpu != o.cpu {
		return 0, !o.unknown
	}
	now := o.clock.Now()
	if o.until > 0 {
		now = min(now, int64(o.until))
	}
	return int64(o.part * float64(now)), true
}

func (o *busyOutside) Blur() int64 { return int64(o.blur) }

// disturbed is a cell on such a CPU.
func disturbed(t *testing.T, o *busyOutside, c Config) *cell {
	c.Outside, c.CPUs = o, []int{3}
	l := newCell(t, c)
	o.clock = l.clock
	return l
}

// A net is ended when it was too long in every cycle by more than interrupts and the host can have taken, and then with figures.
// Otherwise incidents say that nobody can tell, and it goes on.
func TestBlame(t *testing.T) {
	always := func(uint64) bool { return true }
	for name, tt := range map[string]struct {
		outside busyOutside
		long    func(cycle uint64) bool // takes 1.5 ms of 1 ms, instead of 0.2 ms
		want    string
		unclear int // incidents of 200 cycles, of which 190 are looked at here
		blamed  int
	}{
		"own": {busyOutside{cpu: 3}, always, "after 3: its last 3 cycles took longer than 1ms, together by 1ms, of which interrupts and the host took 0s", 2, 1},
		"own, measured coarsely": {
			busyOutside{cpu: 3, blur: 30 * ms},
			always,
			"after 62: its last 62 cycles took longer than 1ms, together by 30.5ms, of which interrupts and the host took 0s", 61, 1,
		},
		"disturbed":               {busyOutside{cpu: 3, blur: 30 * ms, part: 0.5}, always, "", 200, 0},
		"not known":               {busyOutside{cpu: 3, unknown: true}, always, "", 200, 0},
		"another CPU is":          {busyOutside{cpu: 4, part: 9}, always, "after 3: its last 3 cycles took longer than 1ms, together by 1ms, of which interrupts and the host took 0s", 2, 1},
		"disturbed at first":      {busyOutside{cpu: 3, blur: 10 * ms, part: 0.5, until: 40 * ms}, always, "after 61: its last 61 cycles took longer than 1ms, together by 30ms, of which interrupts and the host took 19.5ms", 60, 1},
		"a little":                {busyOutside{cpu: 3, blur: 10 * ms, part: 0.1}, always, "after 27: its last 27 cycles took longer than 1ms, together by 13ms, of which interrupts and the host took 2.6ms", 26, 1},
		"not in a row":            {busyOutside{cpu: 3}, func(n uint64) bool { return n%enough != 0 }, "", 134, 0},
		"never":                   {busyOutside{cpu: 3}, func(uint64) bool { return false }, "", 0, 0},
		"a second row, undoubted": {busyOutside{cpu: 3}, func(n uint64) bool { return n != 2 && n != 4 }, "after 7: its last 3 cycles took longer than 1ms, together by 1ms, of which interrupts and the host took 0s", 4, 1},
	} {
		t.Run(name, func(t *testing.T) {
			l := disturbed(t, &tt.outside, Config{Overrun: AbortOverruns})
			var r Ref
			program := net.NewProgram(ms, nil, func(cy *spec.Cycle) {
				cost := ms / 5
				if tt.long(cy.N) {
					cost = 3 * ms / 2
				}
				l.grows(r, cost)
			}, nil, nil)
			r, err := l.Admit(program, Options{Cost: ms, Label: 7})
			l.must(err)
			l.must(l.Start(t.Context(), r))
			l.advance(200 * ms)
			l.must(l.Settle(t.Context()))
			got := ""
			for _, e := range l.events {
				var why *OverrunError
				if e.Kind == NetEnded && errors.As(e.Err, &why) && e.Cause == Overrun && e.Net == r {
					got = fmt.Sprintf("after %d: %s", e.Cycle, why.Told("X")[len("X is ended: "):])
				}
			}
			causes := map[IncidentCause]int{}
			_, kept := l.Incidents()
			for _, i := range kept {
				if i.Kind == LongCycle && i.Net == 7 && i.Amount == ms/2 {
					causes[i.Cause]++
				}
			}
			if got != tt.want || causes[Unclear] != tt.unclear || causes[TooMuch] != tt.blamed || len(kept) != tt.unclear+tt.blamed {
				t.Errorf("%q, incidents %v", got, causes)
			}
			if most := 2 + len(kept)/8; tt.outside.asked > most+2*tt.unclear {
				t.Errorf("asked %d times", tt.outside.asked)
			}
		})
	}
}

// TestDevicesAreNotEnded puts ticks of a device that take too long on record, and ends nothing.
func TestDevicesAreNotEnded(t *testing.T) {
	l := disturbed(t, &busyOutside{cpu: 3}, Config{Overrun: AbortOverruns})
	r, err := l.Admit(l.program(part{period: ms}), Options{Resident: true, Cost: 2 * ms, Label: 9})
	l.must(err)
	l.must(l.Start(t.Context(), r))
	l.advance(10 * ms)
	wantStrings(t, "events", l.told(), " started at 1ms")
	_, kept := l.Incidents()
	for n, i := range kept {
		if want := causeOf(false, n >= enough-1); i.Cause != want || i.Net != 9 {
			t.Errorf("%d: %+v", n, i)
		}
	}
	if len(kept) != 10 {
		t.Errorf("%d incidents", len(kept))
	}
}

// Nobody makes room for what interrupts and the host may have taken.
func TestOverloadInDoubt(t *testing.T) {
	for name, tt := range map[string]struct {
		outside busyOutside
		ends    bool
		unclear int
	}{
		"own":                    {busyOutside{cpu: 3}, true, 0},
		"own, measured coarsely": {busyOutside{cpu: 3, blur: 30 * ms}, true, 0},
		"disturbed":              {busyOutside{cpu: 3, blur: ms, part: 0.2}, false, 1},
		"a little":               {busyOutside{cpu: 3, blur: ms, part: 0.05}, true, 0},
		"not known":              {busyOutside{cpu: 3, unknown: true}, false, 1},
		"disturbed at first":     {busyOutside{cpu: 3, blur: ms, part: 0.2, until: 500 * ms}, true, 1},
	} {
		t.Run(name, func(t *testing.T) {
			c := oneCPU()
			c.Overrun = AbortOverruns
			l := disturbed(t, &tt.outside, c)
			a, b := l.costly(part{name: "a", period: ms}, 500*us), l.costly(part{name: "b", period: ms}, 200*us)
			l.must(l.Start(t.Context(), a))
			l.must(l.Start(t.Context(), b))
			l.measured()
			l.grows(a, 700*us) // 70 + 20 %, a tenth too much
			l.advance(3 * time.Second)
			ended := false
			for _, text := range l.told() {
				ended = ended || text == "b cancelling"
			}
			causes := map[IncidentCause]int{}
			_, kept := l.Incidents()
			for _, i := range kept {
				causes[i.Cause]++
			}
			if ended != tt.ends || causes[Unclear] != tt.unclear || (causes[TooMuch] == 1) != tt.ends || len(kept) != causes[Unclear]+causes[TooMuch] {
				t.Errorf("ended %t, incidents %v", ended, causes)
			}
		})
	}
}

// Doubt lasts at least as long as the counters are inexact.
func TestOverloadTakesAsLongAsProof(t *testing.T) {
	l := disturbed(t, &busyOutside{cpu: 3, blur: 30 * ms}, oneCPU())
	l.must(l.Start(t.Context(), l.costly(part{name: "a", period: ms}, 700*us)))
	b := l.costly(part{name: "b", period: ms}, 50*us)
	l.must(l.Start(t.Context(), b))
	l.grows(b, 200*us)
	l.advance(300 * ms) // a tenth of it are the 30 ms
	wantStrings(t, "events", l.told(), "a started at 1ms", "b started at 1ms")
	l.advance(100 * ms)
	wantStrings(t, "events", l.told(), "b cancelling")
}

// A late tick is blamed on the net of the tick before only when that has been.
func TestLateTicksAreBlamedWithProof(t *testing.T) {
	s := newByHand(t, Config{})
	x := s.executorOf(s.startedEvery(t, slowly, nil, nil).slot)
	p := x.period
	for n, want := range []IncidentCause{Unclear, TooMuch, KeptOff} {
		x.longest = longest{ran: true, net: 7, cycle: 1, blamed: want == TooMuch}
		x.stalled = 0
		if want == KeptOff {
			x.stalled = p
		}
		due := int64(10*n+10) * p
		x.idle = due - p/2
		x.noteLate(due, due+p/4, 1, 0)
	}
	_, kept := s.Incidents()
	for n, want := range []IncidentCause{Unclear, TooMuch, KeptOff} {
		if kept[n].Cause != want || kept[n].Net != 7 {
			t.Errorf("%+v", kept[n])
		}
	}
}
