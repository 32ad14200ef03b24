package sched

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/rule"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// An executor that begins to publish in the midst of a round shows some nets of the new tick and some of the old one. Rules over
// both wait until it is through, even if none of their nets writes between the look and the end of the round.
func TestHalfATickIsNotSeen(t *testing.T) {
	s := newByHand(t, Config{})
	nets, parts := map[string]Ref{}, map[string]part{}
	for _, name := range []string{"a", "b"} {
		parts[name] = signal(t, name, ms, "ft")
		nets[name] = s.started(t, parts[name].act, parts[name].board)
	}
	p, variables := condition(t, "a.outX & !b.outX", nets)
	r := Rule{Condition: p, Variables: variables}
	if err := s.AddRule(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	x := s.executorOf(nets["a"].slot)
	x.tick(x.period, x.period, 0)

	s.turn.Add(1) // the turn is held, so that the tick and the look can be taken apart
	due := 2 * x.period
	index := s.active.list()[0]
	s.waits.at(index).looked = true
	s.beginRound()
	x.begun.Store(due)
	x.fetch(s.beginTick())
	x.choose(due)
	x.prepare(due, due)
	x.acted.Store(due)
	s.program(nets["a"].slot).Act(&x.entries[0].cycle)
	s.decidable(index, 0, 0)
	s.publish()
	if w := s.waits.at(index); !w.due || s.rules.at(index).value == rule.True {
		t.Errorf("a of the second tick and b of the first one are seen together: %v", s.rules.at(index).value)
	}
	s.program(nets["b"].slot).Act(&x.entries[1].cycle)
	x.finish()
	x.done.Store(due)
	s.serve()
	if w, e := s.waits.at(index), s.rules.at(index); w.due || e.value != rule.False {
		t.Errorf("after the tick: due %v, %v", w.due, e.value)
	}
}

// A net that must never be started can still be moved: what its executor does is not looked at, as for nets that are ready.
func TestBarredNetsHaveNoTick(t *testing.T) {
	s := newByHand(t, Config{})
	before := s.started(t, nil, nil)
	after, err := s.Admit(net.NewProgram(ms, nil, nil, nil, nil), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.AddRule(t.Context(), Rule{After: before, Start: []Ref{after}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Abort(t.Context(), before); err != nil {
		t.Fatal(err)
	}
	x := s.executorOf(before.slot)
	for due := x.period; due <= 4*x.period; due += x.period {
		x.tick(due, due, 0)
	}
	if err := s.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.round++
	if l := s.life(after); l.state != Barred || s.slots.at(after.slot).home.Load()&settled != 0 || s.sight(after).done != 0 {
		t.Errorf("%v, newest tick %d", l.state, s.sight(after).done)
	}
}

// A rule that follows a net which has gone while it was on its way does nothing to the next net in the slot.
func TestFollowingAFormerNet(t *testing.T) {
	s := newByHand(t, Config{Slots: 2})
	waiting, err := s.Admit(net.NewProgram(ms, nil, nil, nil, nil), Options{})
	if err != nil {
		t.Fatal(err)
	}
	former, err := s.Admit(net.NewProgram(ms, nil, nil, nil, nil), Options{})
	if err != nil {
		t.Fatal(err)
	}
	entry := &ruleEntry{Rule: Rule{After: former, Start: []Ref{waiting}}}
	entry.Observe()
	s.mu.Lock()
	c := command{kind: commandRule, start: entry.Start, entry: entry}
	err = s.place(&c)
	s.mu.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Retire(t.Context(), former); err != nil {
		t.Fatal(err)
	}
	next, err := s.Admit(ending(ms, 0), Options{})
	for err != nil { // until the event that the slot is free has been told
		if err := s.Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		next, err = s.Admit(ending(ms, 0), Options{})
	}
	if next.slot != former.slot {
		t.Fatal("the slot is not used again")
	}
	s.turn.Add(1)
	s.addRule(c.rule)
	s.serve()
	if s.slots.at(next.slot).followed.Load() {
		t.Error("the next net is told that somebody takes over")
	}
}

// A net that has been given up before it was started is unknown, even while an executor keeps its slot.
func TestGivenUpNetsAreUnknown(t *testing.T) {
	s := newByHand(t, Config{})
	idle, err := s.Admit(net.NewProgram(2*ms, nil, nil, nil, nil), Options{})
	if err != nil {
		t.Fatal(err)
	}
	running := s.started(t, func(*spec.Cycle) {
		if err := s.Retire(t.Context(), idle); err != nil {
			t.Error(err)
		}
		if err := s.AddRule(t.Context(), Rule{After: idle}); !errors.Is(err, ErrUnknown) {
			t.Errorf("a rule is to follow it: %v", err)
		}
		if err := s.Start(t.Context(), idle); !errors.Is(err, ErrUnknown) {
			t.Errorf("it is to be started: %v", err)
		}
	}, nil)
	s.executorOf(running.slot).tick(int64(ms), int64(ms), 0)
}

// An executor that is always late, and comes to its end only when another one publishes, does not keep rules from being decided:
// its newest tick counts when it has come a second time.
func TestRulesOfExecutorsThatAreNeverInStep(t *testing.T) {
	s := newByHand(t, Config{})
	nets, executors := map[string]Ref{}, map[string]*executor{}
	tickLate := func(cy *spec.Cycle) {
		if cy.N > 1 {
			late := executors["late"]
			late.tick(int64(cy.N-1)*late.period, int64(cy.N)*late.period, 0)
		}
	}
	for name, realtime := range map[string]bool{"late": false, "fast": true} {
		p := signal(t, name, ms, "ft")
		program := net.NewProgram(ms, nil, nil, func(cy *spec.Cycle) {
			p.act(cy)
			if realtime {
				tickLate(cy)
			}
		}, nil)
		program.Board = p.board
		r, err := s.Admit(program, Options{Realtime: realtime})
		if err != nil {
			t.Fatal(err)
		}
		nets[name], executors[name] = r, s.executorOf(r.slot)
	}
	if err := s.Start(t.Context(), nets["late"], nets["fast"]); err != nil {
		t.Fatal(err)
	}
	p, variables := condition(t, "late.outX & fast.outX", nets)
	if err := s.AddRule(t.Context(), Rule{Condition: p, Variables: variables, Stop: []Ref{nets["late"]}}); err != nil {
		t.Fatal(err)
	}
	fast := executors["fast"]
	for due := fast.period; due <= 5*fast.period; due += fast.period {
		fast.tick(due, due, 0)
	}
	if l := s.life(nets["late"]); !l.stopping && l.state == Running {
		t.Error("both are true, and nothing has happened")
	}
}

// nagged is a clock that tells when the turn notes the time of an event.
type nagged struct {
	hand
	nag func()
}

func (c *nagged) Unix(at int64) int64 {
	if c.nag != nil {
		c.nag()
	}
	return at
}

// The executor that has the turn gets back to its nets, although others come faster than it can decide. Their commands are not
// forgotten.
func TestTurnIsGivenAway(t *testing.T) {
	clock := new(nagged)
	s, err := New(Config{Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	a := s.started(t, nil, nil)
	s.turn.Add(1)
	rounds, most := 0, 10*mostRounds
	again := func() { // the next decision tells the start once more
		s.life(a).announced = false
		s.starting.add(a.slot)
	}
	clock.nag = func() {
		if rounds++; rounds < most {
			again()
			s.turn.Add(1) // somebody comes
		}
	}
	again()
	s.serve()
	if rounds != mostRounds || s.turn.Load() != 0 || !s.pending() {
		t.Errorf("%d decisions, %d are waiting for the turn, something to do: %v", rounds, s.turn.Load(), s.pending())
	}
	for s.pending() {
		s.pass()
	}
	if rounds != most || s.turn.Load() != 0 {
		t.Errorf("%d of %d decisions in all", rounds, most)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// A net that does not come to the end of its tick keeps nobody from starting and stopping others, however often it is aborted.
func TestAbortingAStuckNetHoldsUpNobody(t *testing.T) {
	s := newByHand(t, Config{})
	stuck := s.started(t, nil, nil)
	x := s.executorOf(stuck.slot)
	x.tick(x.period, x.period, 0)
	x.begun.Store(2 * x.period)
	var aborts sync.WaitGroup
	var through atomic.Int64
	for range 2 * maxCommands {
		aborts.Go(func() {
			defer through.Add(1)
			if err := s.Abort(t.Context(), stuck); err != nil {
				t.Error(err)
			}
		})
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for through.Load() < 3*maxCommands/2 && ctx.Err() == nil { // until all others wait
		runtime.Gosched()
	}
	other, err := s.Admit(ending(2*ms, 1), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(ctx, other); err != nil {
		t.Error("start of another net:", err)
	}
	x.tick(2*x.period, 2*x.period, 0)
	aborts.Wait()
}
