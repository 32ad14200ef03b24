package rt

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"
)

// Never is an instant that does not come.
const Never = math.MaxInt64

// ErrNotPaused is returned by Advance while virtual time runs on its own.
var ErrNotPaused = errors.New("virtual clock: advance only while it is paused")

// Virtual is a time that only moves on command: by request, at a multiple of real time, or as fast as what
// happens in it can be computed. Nothing sleeps in it, so a run is the same every time.
//
// One scheduler drives it: it asks with Await for the next instant at which it has something to do.
type Virtual struct {
	unix int64 // Unix time of zero

	mu     sync.Mutex
	now    int64
	limit  int64 // paused: how far time may go
	speed  float64
	base   int64 // instant at which speed was set
	since  int64 // and the real time of that
	due    int64 // instant that the driver waits for
	driven bool

	changed chan struct{} // closed and renewed whenever the driver has to look again
	arrived chan struct{} // closed and renewed whenever the driver has come to rest
}

// NewVirtual makes a paused clock whose zero is a given Unix time.
func NewVirtual(zero time.Time) *Virtual {
	return &Virtual{unix: zero.UnixNano(), due: Never, changed: make(chan struct{}), arrived: make(chan struct{})}
}

// Unix returns the Unix time of an instant (cycle).
func (v *Virtual) Unix(instant int64) int64 { return v.unix + instant }

// Now returns the current instant.
func (v *Virtual) Now() int64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.flow()
	return v.now
}

// flow lets the time pass in which nothing is due.
func (v *Virtual) flow() {
	if until := min(v.allowed(), v.due); until != Never {
		v.now = max(v.now, until)
	}
}

// allowed returns the instant up to which time may go now.
func (v *Virtual) allowed() int64 {
	switch {
	case v.speed == 0:
		return v.limit
	case math.IsInf(v.speed, 1):
		return Never
	}
	gone := float64(Stopwatch()-v.since) * v.speed
	if gone >= float64(Never-v.base) {
		return Never - 1
	}
	return v.base + int64(gone)
}

// Speed returns the factor set last.
func (v *Virtual) Speed() float64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.speed
}

// SetSpeed lets time run on its own at a multiple of real time. Zero pauses; +Inf runs as fast as possible, and stands
// still while nothing is due. A negative factor or NaN counts as zero.
func (v *Virtual) SetSpeed(factor float64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.flow()
	if !(factor > 0) {
		factor = 0
	}
	v.speed, v.limit, v.base, v.since = factor, v.now, v.now, Stopwatch()
	v.renew(&v.changed)
}

func (v *Virtual) renew(c *chan struct{}) {
	close(*c)
	*c = make(chan struct{})
}

// Advance lets a paused clock go on by d. It returns when everything that was due on the way has been done.
func (v *Virtual) Advance(ctx context.Context, d time.Duration) error {
	v.mu.Lock()
	if v.speed != 0 {
		v.mu.Unlock()
		return ErrNotPaused
	}
	v.limit += max(0, int64(d))
	goal := v.limit
	if !v.driven {
		v.now = v.limit
	}
	v.renew(&v.changed)
	for v.now < goal || v.driven && v.due <= goal {
		arrived := v.arrived
		v.mu.Unlock()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-arrived:
		}
		v.mu.Lock()
		if v.limit < goal { // a speed was set in the meantime
			v.mu.Unlock()
			return ErrNotPaused
		}
	}
	v.mu.Unlock()
	return nil
}

// Drive declares that the caller is going to move the clock with Await; Leave ends that.
func (v *Virtual) Drive() { v.setDriven(true) }

// Leave lets the clock move without a driver.
func (v *Virtual) Leave() { v.setDriven(false) }

func (v *Virtual) setDriven(driven bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.driven, v.due = driven, Never
	if !driven {
		v.now = max(v.now, v.limit)
	}
	v.renew(&v.arrived)
}

// Await returns true when it is the given instant, which may be Never, or false as soon as wake can be received from.
// Everything that was due before must have been done.
func (v *Virtual) Await(instant int64, wake <-chan struct{}) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.due = instant
	for {
		v.flow()
		allowed := v.allowed()
		if instant != Never && instant <= allowed {
			return true
		}
		v.renew(&v.arrived)
		changed := v.changed
		timer, expired := v.timer(instant - allowed)
		v.mu.Unlock()
		woken := false
		select {
		case <-wake:
			woken = true
		case <-changed:
		case <-expired:
		}
		if timer != nil {
			timer.Stop()
		}
		v.mu.Lock()
		if woken {
			v.flow()
			return false
		}
	}
}

// timer fires when time that runs at a multiple of real time has gone on by d.
func (v *Virtual) timer(d int64) (*time.Timer, <-chan time.Time) {
	if v.speed == 0 || math.IsInf(v.speed, 1) {
		return nil, nil
	}
	const longest = float64(time.Hour) // look again then
	t := time.NewTimer(time.Duration(min(longest, float64(d)/v.speed)) + 1)
	return t, t.C
}
