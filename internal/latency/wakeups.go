package latency

import (
	"math"
	"time"
)

// Limit is the first lateness that is too long for the classes, which are a microsecond wide.
const Limit = 10 * time.Millisecond

const (
	class   = time.Microsecond
	classes = int(Limit / class)
)

// Wakeups counts how late a thread woke up, tick by tick.
type Wakeups struct {
	Ticks   uint64          // at which it woke up
	Missed  uint64          // ticks that it slept or was kept through; they are not made up for
	Classes [classes]uint64 // by whole microseconds of lateness
	Over    uint64          // Limit and more
	Max     time.Duration
}

// add counts one (cycle).
func (w *Wakeups) add(late int64) {
	w.Ticks++
	w.Max = max(w.Max, time.Duration(late))
	if i := uint64(late) / uint64(class); i < uint64(len(w.Classes)) {
		w.Classes[i]++
	} else {
		w.Over++
	}
}

// all returns the number of ticks that there were.
func (w *Wakeups) all() uint64 { return w.Ticks + w.Missed }

// Quantile returns the lateness that a share q of the wake-ups does not exceed, in whole microseconds: the end of its class.
func (w *Wakeups) Quantile(q float64) time.Duration {
	rank := uint64(math.Ceil(q * float64(w.Ticks)))
	for i, n := range w.Classes {
		if n > 0 && n >= rank {
			return min(time.Duration(i+1)*class, w.Max)
		}
		rank -= min(n, rank)
	}
	return w.Max
}
