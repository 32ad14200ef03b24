package rt

import (
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Alarm ends the sleep of a thread, or lets its next one end at once, until it is cleared.
type Alarm struct {
	word atomic.Uint32
}

const (
	futexWaitBitset = 9 | 128 // FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG: the timeout is an instant of CLOCK_MONOTONIC
	futexWake       = 1 | 128 // FUTEX_WAKE | FUTEX_PRIVATE_FLAG
	futexAny        = 0xffffffff
	everyone        = 1<<31 - 1
)

// farthest is an instant that does not overflow when zero is added to it.
const farthest = 1 << 62

// SleepUntil sleeps until an instant. It returns false, and early, when the alarm rings.
//
// A timer of the runtime would be late by up to a millisecond, the resolution with which it waits.
func (r *Real) SleepUntil(instant int64, a *Alarm) bool {
	ts := unix.NsecToTimespec(r.zero + min(instant, farthest))
	for a.word.Load() == 0 && r.Now() < instant {
		_, _, _ = unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&a.word)), futexWaitBitset, 0,
			uintptr(unsafe.Pointer(&ts)), 0, futexAny)
	}
	return a.word.Load() == 0
}

// SleepDetached is SleepUntil for detached threads. It watches the clock itself for the last spin nanoseconds, which takes
// the time out that a CPU needs to wake up (cycle).
func (r *Real) SleepDetached(instant, spin int64, a *Alarm) bool {
	ts := unix.NsecToTimespec(r.zero + min(instant, farthest) - spin)
	for asleep := r.Now() < instant-spin; asleep && a.word.Load() == 0; asleep = r.Now() < instant-spin {
		_, _, _ = unix.RawSyscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&a.word)), futexWaitBitset, 0,
			uintptr(unsafe.Pointer(&ts)), 0, futexAny)
	}
	for a.word.Load() == 0 && r.Now() < instant {
	}
	return a.word.Load() == 0
}

// left returns how long it is until an instant, which may be past.
func (r *Real) left(until int64) unix.Timespec {
	return unix.NsecToTimespec(max(0, min(until, farthest)-r.Now()))
}

// ThreadTime returns how long the calling thread has been executed by a CPU (cycle).
func ThreadTime() int64 {
	var ts unix.Timespec
	_, _, _ = unix.RawSyscall(unix.SYS_CLOCK_GETTIME, unix.CLOCK_THREAD_CPUTIME_ID, uintptr(unsafe.Pointer(&ts)), 0)
	return ts.Nano()
}

// Ring wakes the sleeping thread. It never waits (cycle).
func (a *Alarm) Ring() {
	if a.word.Swap(1) == 0 {
		_, _, _ = unix.RawSyscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&a.word)), futexWake, everyone, 0, 0, 0)
	}
}

// Clear lets the next sleep last. Memory written before a ring that it has cleared is visible after it.
func (a *Alarm) Clear() { a.word.Store(0) }
