package ethercat

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// TestObeyed: a driver does not see its slave take outputs while that is in Safe-Op after frames stayed away, however short that was,
// whatever the status of before says and whether or not another slave is missing for good; and it sees it again as soon as it is true.
func TestObeyed(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 2))
	for round := range 40 {
		r, e := running(t, six(), Options{Patience: 500})
		chain := slices.Collect(r.chain.Slaves())
		if round%2 == 1 {
			r.do("slave EL1018-6 vanish")
		}
		pass := func(d time.Duration) {
			for end := r.cable.Now() + int64(d); r.cable.Now() < end; {
				r.cycle()
				for i, d := range e.drivers[:5] {
					state, _ := chain[i].State()
					if known := d.quality == ecat.Fresh; known && d.obeyed && state != wire.Op {
						t.Fatalf("round %d: slave %d is in %v, and its driver is told that it is in Op", round, i, state)
					}
				}
			}
		}
		for range 4 {
			pass(time.Duration(random.IntN(100)) * time.Millisecond)
			_ = r.m.Tend(context.Background())
			r.cable.Unplugged = true
			pass(time.Duration(random.IntN(300)) * time.Millisecond)
			r.cable.Unplugged = false
		}
		for range 20 {
			pass(20 * time.Millisecond)
			_ = r.m.Tend(context.Background())
		}
		pass(10 * time.Millisecond)
		for i, d := range e.drivers[:5] {
			if state, _ := chain[i].State(); state != wire.Op || !d.obeyed || !r.m.Slaves()[i].Obeys() {
				t.Errorf("round %d: slave %d is in %v, and its driver is told %v", round, i, state, d.obeyed)
			}
		}
	}
}
