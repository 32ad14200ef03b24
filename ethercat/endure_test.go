package ethercat

import (
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/veth"
)

// enduring returns how long the test lasts, and whether the machine does nothing else in the meantime: what RCCD_SOAK says, such as 10m, or
// moments on a machine that may be busy.
func enduring(t *testing.T) (d time.Duration, alone bool) {
	t.Helper()
	text := os.Getenv("RCCD_SOAK")
	if text == "" {
		return 3 * time.Second, false
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal("RCCD_SOAK: ", err)
	}
	return d, true
}

// A bus at 1 ms on a cable, while it is looked after and objects are read, as always. On a machine that does nothing else
// (RCCD_SOAK, make soak) it loses no cycle while bare frames, one in the middle of each cycle, from the same thread and as long,
// are not lost either. On a busy machine the far end may be late by whole cycles, and even the watchdogs of slaves may end Op:
// then everything is brought back.
func TestNoCycleIsLost(t *testing.T) {
	if err := rt.Detachable(); err != nil {
		t.Skip("skip: ", err)
	}
	if !veth.Enter(t) {
		return
	}
	undisturbed(t)
	e := newNearEnd(t, newFarEnd(t, six(), 0), Options{Sync: &Sync{}}, 0)
	e.m.Add(&copiers{})
	e.start(t)
	e.wait(100 * time.Millisecond)
	before := e.m.Statistics().Cycles
	d, alone := enduring(t)
	var looking sync.WaitGroup
	looking.Go(func() { e.look(t, d) })
	e.spend(d, endures)
	looking.Wait()
	cycles := e.m.Statistics().Cycles - before
	t.Logf("%v: %d cycles, %d of them not answered and %d begun a cycle late; %d bare frames, %d of them not answered", d, cycles, e.gone, e.late, e.echoes.n+e.lost, e.lost)
	switch {
	case alone && e.gone > e.allowed():
		t.Errorf("%d cycles were not answered, and of as many bare frames %d", e.gone, e.lost)
	case alone && e.lost+e.late == 0:
		for _, s := range e.m.Slaves() {
			if st := s.Status(); st.Lost || st.State != wire.Op || st.Recoveries > 0 {
				t.Errorf("%v: %+v", s, st)
			}
		}
	default:
		e.recovers(t)
	}
	if err := e.m.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}

// allowed returns how many cycles may be lost where bare frames are: the machine has taken both, and what is lost by chance is not the
// same for both.
func (e *nearEnd) allowed() int { return 3*e.lost + 10*min(e.lost+e.late, 1) }

// recovers waits until all slaves are in Op.
func (e *nearEnd) recovers(t *testing.T) {
	t.Helper()
	var missing string
	for end := e.clock.Now() + int64(30*time.Second); e.clock.Now() < end; e.wait(10 * time.Millisecond) {
		if err := e.m.Tend(t.Context()); err != nil {
			t.Log(fmt.Errorf("looking after it: %w", err))
		}
		missing = ""
		for _, s := range e.m.Slaves() {
			if st := s.Status(); st.Lost || st.State != wire.Op {
				missing = fmt.Sprintf("%v: %+v", s, st)
			}
		}
		if missing == "" {
			return
		}
	}
	t.Errorf("not back in Op: %s", missing)
}

// look does for some time what is done beside the cycle.
func (e *nearEnd) look(t *testing.T, d time.Duration) {
	for end := e.clock.Now() + int64(d); e.clock.Now() < end; e.wait(100 * time.Millisecond) {
		if err := e.m.Tend(t.Context()); err != nil {
			t.Log(fmt.Errorf("looking after it: %w", err))
		}
		if _, err := e.m.Slaves()[3].Upload(t.Context(), 0x1018, 1, false); err != nil {
			t.Log(fmt.Errorf("reading an object: %w", err))
		}
	}
}
