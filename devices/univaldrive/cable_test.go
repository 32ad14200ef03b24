package univaldrive_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/testkit/cable"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// TestArmedAfterACable: a cable is cut and put back at any instant, and the drives are armed at any instant after they ask for it, also while
// slaves are still on their way back to Op. They are armed once, and that is enough: a command to a drive that does not take it
// yet is not an attempt to reset its fault.
func TestArmedAfterACable(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 1))
	for range 40 {
		cut := time.Duration(60+random.IntN(800)) * time.Millisecond
		arm := time.Duration(random.IntN(1500)) * time.Millisecond
		tend := 1 + random.IntN(20)
		t.Run(fmt.Sprintf("cut for %v, armed %v later", cut, arm), func(t *testing.T) { armedAfter(t, cut, arm, tend) })
	}
}

// armedAfter looks after the bus every so many cycles.
func armedAfter(t *testing.T, cut, arm time.Duration, tend int) {
	const slow = 20 * time.Millisecond
	c := started(t, options{bus: slow, params: params{"lost_frames": "25", "cycle": slow.String()}})
	c.bus.Cycles(200)
	c.is(device.Operational, "")
	now := func() time.Duration { return time.Duration(c.bus.Cable.Now()) }
	at := now() + slow/2
	due, armed := time.Duration(0), false
	c.bus.Cable.Faults = func(uint64, []byte) cable.Fault {
		switch {
		case now() >= at && now() < at+cut:
			return cable.Fault{Unheard: true}
		case armed || now() < at+cut || !strings.Contains(c.arm.Status().Cause, "to be armed"):
		case due == 0:
			due = now() + arm
		case now() >= due:
			armed = c.tell(params{"arm": "true"}) == nil
		}
		return cable.Fault{}
	}
	for end := at + cut + arm + time.Minute; now() < end && c.arm.Status().State != device.Operational || now() < at+cut; {
		c.bus.Cycles(tend)
		_ = c.bus.M.Tend(t.Context()) // says what is still missing
		if armed && strings.Contains(c.arm.Status().Cause, "to be armed") {
			break
		}
	}
	c.is(device.Operational, "")
}
