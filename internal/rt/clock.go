package rt

import (
	"time"
	_ "unsafe" // linkname
)

// Clock is the time of the scheduler: the real one or a virtual one.
type Clock interface {
	// Now returns the current instant (cycle).
	Now() int64
	// Unix returns the Unix time of an instant in nanoseconds. The distance of the two never changes, so that time that is
	// derived from instants is immune to steps of the system's clock (cycle).
	Unix(instant int64) int64
}

var (
	_ Clock = (*Real)(nil)
	_ Clock = (*Virtual)(nil)
)

// Real is the time of the machine. Its zero is a whole second of Unix time, shortly before it was made.
//
// Time in which the machine is suspended does not count: Unix times lag behind by it until a new clock is made.
type Real struct {
	zero int64 // on the monotonic clock of the machine
	unix int64 // Unix time of zero
}

// NewReal reads the system's clock for the last time: from here on only monotonic time counts.
func NewReal() *Real {
	now, at := bothClocks()
	fraction := int64(now.Nanosecond())
	return &Real{zero: at - fraction, unix: now.UnixNano() - fraction}
}

// bothClocks reads both clocks of the machine. The shortest of a few tries is the one that was not interrupted.
func bothClocks() (now time.Time, at int64) {
	shortest := int64(Never)
	for range 10 {
		before := nanotime()
		t := time.Now()
		if took := nanotime() - before; took < shortest {
			now, at, shortest = t, before+took/2, took
		}
	}
	return now, at
}

// Now returns the current instant (cycle).
func (r *Real) Now() int64 { return nanotime() - r.zero }

// Unix returns the Unix time of an instant (cycle).
func (r *Real) Unix(instant int64) int64 { return r.unix + instant }

// Stopwatch reads the monotonic time of the machine in nanoseconds, for measuring how long something takes, also while
// the clock of the scheduler is a virtual one (cycle).
func Stopwatch() int64 { return nanotime() }

// nanotime is CLOCK_MONOTONIC. The package time has it only wrapped in code that the cycle must not reach.
//
//go:linkname nanotime runtime.nanotime
func nanotime() int64
