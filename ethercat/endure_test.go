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

// enduring is how long the test lasts: what RCCD_SOAK says, such as 10m; a minute where everything is checked.
func enduring(t *testing.T) time.Duration {
	t.Helper()
	text := os.Getenv("RCCD_SOAK")
	switch {
	case text == "" && os.Getenv("CI") != "":
		return time.Minute
	case text == "":
		return 3 * time.Second
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal("RCCD_SOAK: ", err)
	}
	return d
}

// A bus at 1 ms on a cable loses no cycle while bare frames, one in the middle of each cycle, from the same thread and as long, are not
// lost either. Where those are lost as well, the machine has taken them, and cycles may be lost as often. Meanwhile the bus is looked
// after and objects are read, as always.
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
	d := enduring(t)
	var looking sync.WaitGroup
	looking.Go(func() { e.look(t, d) })
	e.spend(d, endures)
	looking.Wait()
	cycles := e.m.Statistics().Cycles - before
	t.Logf("%v: %d cycles, %d of them not answered and %d begun a cycle late; %d bare frames, %d of them not answered", d, cycles, e.gone, e.late, e.echoes.n+e.lost, e.lost)

	// What is lost by chance is not the same for both.
	if most := 3*e.lost + 10*min(e.lost+e.late, 1); e.gone > most {
		t.Errorf("%d cycles were not answered, and of as many bare frames %d", e.gone, e.lost)
	}
	if e.lost+e.late > 0 { // slaves may be on their way back just now, and their answers too
		t.Logf("the machine has taken frames from everybody: that no cycle is lost can be told on one that does not")
		_ = e.m.Stop(t.Context())
		return
	}
	for _, s := range e.m.Slaves() {
		if st := s.Status(); st.Lost || st.State != wire.Op || st.Recoveries > 0 {
			t.Errorf("%v: %+v", s, st)
		}
	}
	if err := e.m.Stop(t.Context()); err != nil {
		t.Error(err)
	}
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
