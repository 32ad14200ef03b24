//go:build !linux

package rt

import (
	"sync"
	"time"
)

// Alarm ends the sleep of a thread, or lets its next one end at once, until it is cleared.
type Alarm struct {
	once sync.Once
	rung chan struct{}
}

func (a *Alarm) channel() chan struct{} {
	a.once.Do(func() { a.rung = make(chan struct{}, 1) })
	return a.rung
}

// SleepUntil sleeps until an instant. It returns false, and early, when the alarm rings.
func (r *Real) SleepUntil(instant int64, a *Alarm) bool {
	timer := time.NewTimer(time.Duration(instant - r.Now()))
	defer timer.Stop()
	select {
	case <-a.channel():
		a.Ring()
	case <-timer.C:
	}
	return len(a.channel()) == 0
}

// SleepDetached is for detached threads, which are not here.
func (r *Real) SleepDetached(instant, _ int64, a *Alarm) bool { return r.SleepUntil(instant, a) }

// ThreadTime returns the CPU time of the calling thread; it is unknown here.
func ThreadTime() int64 { return 0 }

// Ring wakes who sleeps. It never waits (cycle).
func (a *Alarm) Ring() {
	select {
	case a.channel() <- struct{}{}:
	default:
	}
}

// Clear lets the next sleep last. Memory written before a ring that it has cleared is visible after it.
func (a *Alarm) Clear() {
	select {
	case <-a.channel():
	default:
	}
}
