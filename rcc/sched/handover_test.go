package sched

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// handover is an old net of 1 ms and a new one of 2 ms for the same joint, on executors that the test ticks. A rule
// exchanges them as soon as the old net has acted for the second time.
type handover struct {
	s        *Scheduler
	old, new Ref
	acted    []string
	act      map[string]func() // in the next cycle of a net
}

func newHandover(t *testing.T) *handover {
	t.Helper()
	h := &handover{s: newByHand(t, Config{}), act: map[string]func(){}}
	h.old, h.new = h.admit(t, "old", ms), h.admit(t, "new", 2*ms)
	if err := h.s.Start(t.Context(), h.old); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h *handover) admit(t *testing.T, name string, period time.Duration) Ref {
	t.Helper()
	p := net.NewProgram(period, nil, nil, func(cy *spec.Cycle) {
		h.acted = append(h.acted, name+" "+time.Duration(cy.Time).String())
		if act := h.act[name]; act != nil {
			act()
		}
	}, nil)
	p.Resources = joint(1)
	r, err := h.s.Admit(p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (h *handover) tick(net Ref, at time.Duration) {
	h.s.executorOf(net.slot).tick(int64(at), int64(at), 0)
}

// exchange decides in the turn, as a rule does.
func (h *handover) exchange(t *testing.T) {
	t.Helper()
	at, r := h.s.change(&command{stop: []Ref{h.old}, start: []Ref{h.new}}, Replaced)
	if at != int64(2*ms) || r.reason != fine {
		t.Errorf("the exchange holds from %v (%v)", time.Duration(at), r)
	}
}

// While an executor is late with the last tick of a net, the one that replaces it does not run. It has missed that tick,
// and counts its time from it all the same.
func TestHandoverWaitsForALateTick(t *testing.T) {
	h := newHandover(t)
	h.act["old"] = func() {
		h.exchange(t)
		h.tick(h.new, 2*ms)
	}
	h.tick(h.old, ms)
	h.act["old"] = nil
	h.tick(h.old, 2*ms)
	h.tick(h.new, 4*ms)
	if diff := cmp.Diff([]string{"old 1ms", "new 2ms"}, h.acted); diff != "" {
		t.Error(diff)
	}
	if stats, err := h.s.Stats(h.new); err != nil || stats.Cycles != 1 || stats.Missed != 1 {
		t.Errorf("%d cycles, %d missed, %v", stats.Cycles, stats.Missed, err)
	}
}

// The net that was to replace one in a late tick is itself replaced, or aborted, before it has run: the next one waits
// for the late tick all the same.
func TestHandoverWaitsAcrossANetThatNeverRan(t *testing.T) {
	for name, change := range map[string]func(h *handover, third Ref){
		"replaced": func(h *handover, third Ref) {
			h.change(t, &command{stop: []Ref{h.new}, start: []Ref{third}})
		},
		"aborted": func(h *handover, third Ref) {
			h.change(t, &command{stop: []Ref{h.new}})
			h.change(t, &command{start: []Ref{third}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHandover(t)
			third := h.admit(t, "third", 4*ms)
			h.act["old"] = func() {
				h.exchange(t)
				change(h, third)
				h.tick(third, 4*ms)
			}
			h.tick(h.old, ms)
			h.act["old"] = nil
			h.tick(h.old, 4*ms)
			h.tick(third, 8*ms)
			if diff := cmp.Diff([]string{"old 1ms", "third 4ms"}, h.acted); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Nor does the next one run before the instant up to which the first one has been promised its joint.
func TestHandoverKeepsTheInstantOfAFormerOne(t *testing.T) {
	for name, change := range map[string]func(h *handover, third Ref){
		"replaced": func(h *handover, third Ref) {
			h.change(t, &command{stop: []Ref{h.new}, start: []Ref{third}})
		},
		"aborted": func(h *handover, third Ref) {
			h.change(t, &command{stop: []Ref{h.new}})
			h.change(t, &command{start: []Ref{third}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHandover(t)
			slow, third := h.admit(t, "slow", 6*ms), h.admit(t, "third", ms)
			h.change(t, &command{stop: []Ref{h.old}, start: []Ref{slow}})
			h.new = slow
			change(h, third)
			for at := ms; at <= 7*ms; at += ms {
				h.tick(h.old, at) // the executor of both nets of 1 ms
			}
			if diff := cmp.Diff([]string{"old 1ms", "old 2ms", "old 3ms", "old 4ms", "old 5ms", "third 6ms", "third 7ms"}, h.acted); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func (h *handover) change(t *testing.T, c *command) {
	t.Helper()
	if _, r := h.s.change(c, Replaced); r.reason != fine {
		t.Errorf("refused for reason %v", r.reason)
	}
}

// An executor that begins the last tick of a net late, when the one that replaces it has begun, does not run it.
func TestHandoverForgetsALateTick(t *testing.T) {
	h := newHandover(t)
	h.exchange(t)
	h.act["new"] = func() { h.tick(h.old, ms) }
	h.tick(h.new, 2*ms)
	h.act["new"] = nil
	h.tick(h.old, 2*ms)
	h.tick(h.new, 4*ms)
	if diff := cmp.Diff([]string{"new 2ms", "new 4ms"}, h.acted); diff != "" {
		t.Error(diff)
	}
}

// Nets that start together have the same time, also when the executor of one of them is late.
func TestLateStartKeepsTheCommonTime(t *testing.T) {
	h := newHandover(t)
	h.tick(h.old, 3*ms)
	h.tick(h.old, 4*ms)
	if diff := cmp.Diff([]string{"old 1ms", "old 2ms"}, h.acted); diff != "" {
		t.Error(diff)
	}
	if stats, err := h.s.Stats(h.old); err != nil || stats.Cycles != 2 || stats.Missed != 2 {
		t.Errorf("%d cycles, %d missed, %v", stats.Cycles, stats.Missed, err)
	}
}

// An executor that is late when its net is replaced does not execute the last ticks of it, as others have gone on. They count as
// missed.
func TestTicksLostAtAHandOverAreTold(t *testing.T) {
	s := newByHand(t, Config{})
	admit := func(o Options) Ref {
		r, err := s.Admit(ending(ms, 0), o)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	before, after, beside := admit(Options{Realtime: true}), admit(Options{}), admit(Options{})
	if err := s.Start(t.Context(), before, beside); err != nil {
		t.Fatal(err)
	}
	x, y := s.executorOf(before.slot), s.executorOf(after.slot)
	for at := int64(ms); at <= int64(6*ms); at += int64(ms) {
		if at <= int64(2*ms) { // then it is not executed for a while
			x.tick(at, at, 0)
		}
		y.tick(at, at, 0)
	}
	taken, done := s.taken.Load(), make(chan error)
	go func() { done <- s.Switch(t.Context(), Switch{Stop: []Ref{before}, Start: []Ref{after}}) }()
	for s.taken.Load() == taken {
		runtime.Gosched()
	}
	due := uint64(s.life(before).until/int64(ms)) - 1
	y.tick(int64(7*ms), int64(7*ms), 0)
	x.tick(int64(8*ms), int64(8*ms), 5)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	stats, err := s.Stats(before)
	if err != nil {
		t.Fatal(err)
	}
	if stats.Cycles != 2 || stats.Cycles+stats.Missed != due {
		t.Errorf("of %d ticks it has had %d and missed %d", due, stats.Cycles, stats.Missed)
	}
	if count, kept := s.Incidents(); count != 1 || kept[0].Missed != stats.Missed {
		t.Errorf("%d incidents: %+v", count, kept)
	}
	for _, d := range s.Executors() {
		if d.Realtime && d.Missed != stats.Missed {
			t.Errorf("its executor has missed %d", d.Missed)
		}
	}
}

// An executor that is so late that others have reached the end of its only net drops the net without having come to its last
// tick. It does not rest before it has: nobody would wake it, and the net would never end.
func TestDroppedNetsEnd(t *testing.T) {
	var ended []Ref
	s := newByHand(t, Config{OnEvent: func(e Event) {
		if e.Kind == NetEnded {
			ended = append(ended, e.Net)
		}
	}})
	late, other := s.startedEvery(t, 2*ms, nil, nil), s.started(t, nil, nil)
	x, y := s.executorOf(late.slot), s.executorOf(other.slot)
	tick := func(x *executor, at time.Duration) { x.tick(int64(at), int64(at), 0) }
	tick(x, 2*ms)
	tick(y, 10*ms)
	s.change(&command{stop: []Ref{late}}, Aborted)
	tick(y, 11*ms)
	tick(x, 4*ms) // as it found when it woke up, before it was kept off its CPU
	if !x.idles() {
		tick(x, 12*ms)
	}
	if err := s.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(ended, []Ref{late}) {
		t.Errorf("ended are %v, not %v", ended, late)
	}
}
