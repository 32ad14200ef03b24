package latency

import (
	"fmt"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
)

// The self-test: the most tries, and the ticks of each.
const (
	tries      = 3
	testPeriod = 250 * time.Microsecond
	testTicks  = 200
)

// tolerated is the share of ticks that may be missed: one in this many.
//
// It was measured on a virtual machine with 2 CPUs beside other programs: 100 tries of each pacing under Load, and the same
// again with two more programs that compute without a break. The runtime made ordinary goroutines miss 12 % to 99 % of the
// ticks, 69 % and 81 % in the median, and 59 % and 62 % in the median of the best of three tries. Detached threads with
// SCHED_FIFO 80 missed none in the median and 8 % at most, because the host stopped the machine; 4 % at most in the best of
// three tries.
const tolerated = 8

// Selftest checks whether a thread keeps its pace whatever the runtime does. One good try is enough: other programs and the
// host of a virtual machine delay threads too, but only the runtime does it every time. It returns the best of its tries.
func Selftest(thread rt.Thread) (*Wakeups, error) {
	return keepsPace(func() (*Wakeups, error) {
		defer Load()()
		return Measure(Pace{Thread: &thread, Period: testPeriod, For: testTicks * testPeriod})
	})
}

func keepsPace(try func() (*Wakeups, error)) (*Wakeups, error) {
	var best *Wakeups
	for range tries {
		w, err := try()
		if err != nil {
			return nil, err
		}
		if best == nil || w.Missed < best.Missed || w.Missed == best.Missed && w.Max < best.Max {
			best = w
		}
		if !best.misses() && best.verdict(testPeriod).Grade == Yes {
			break
		}
	}
	if best.misses() {
		return best, fmt.Errorf("self-test: the thread missed %d of %d ticks of %v while garbage was collected", best.Missed, best.all(), testPeriod)
	}
	return best, nil
}

// misses reports whether more ticks were missed than other programs are to blame for.
func (w *Wakeups) misses() bool { return w.Missed*tolerated > w.all() }

// Keeps reports whether nets of a cycle time can be kept, perhaps with care, and says what was measured.
func (w *Wakeups) Keeps(period time.Duration) (ok bool, text string) {
	v := w.verdict(period)
	return v.Grade != No, v.Why
}
