package latency

import (
	"errors"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
)

// Pace is which thread wakes up, how often and how long.
type Pace struct {
	Thread *rt.Thread // detached; nil is an ordinary goroutine
	Period time.Duration
	For    time.Duration
	Spin   time.Duration // before each tick, on a detached thread
}

// Measure wakes up at every tick of a grid and notes how late.
func Measure(p Pace) (*Wakeups, error) {
	if p.Period <= 0 || p.For < p.Period {
		return nil, errors.New("latency: no tick in this time; measure for longer")
	}
	w := &watcher{clock: rt.NewReal(), period: int64(p.Period), spin: int64(p.Spin)}
	if p.Thread == nil {
		w.begin(int64(p.For))
		w.ordinary()
		return &w.wakeups, nil
	}
	err := p.Thread.Detach(func() {
		w.begin(int64(p.For))
		w.detached()
	})
	return &w.wakeups, err
}

// watcher goes from tick to tick.
type watcher struct {
	clock        *rt.Real
	alarm        rt.Alarm // never rings
	period, spin int64
	due, end     int64 // the tick that comes next, and the instant after which there is none
	wakeups      Wakeups
}

// begin makes a grid that begins now (cycle).
func (w *watcher) begin(length int64) {
	now := w.clock.Now()
	w.due, w.end = now+w.period, now+length
}

func (w *watcher) ordinary() {
	for w.due <= w.end {
		w.clock.SleepUntil(w.due, &w.alarm)
		w.woken(w.clock.Now())
	}
}

// detached is ordinary for detached threads (cycle).
func (w *watcher) detached() {
	for w.due <= w.end {
		w.clock.SleepDetached(w.due, w.spin, &w.alarm)
		w.woken(w.clock.Now())
	}
}

// woken notes a wake-up and goes on to the next tick that is still ahead (cycle).
func (w *watcher) woken(now int64) {
	late := max(0, now-w.due)
	w.wakeups.add(late)
	if w.period > 0 {
		missed := late / w.period
		w.wakeups.Missed += uint64(missed)
		w.due += (missed + 1) * w.period
	}
}
