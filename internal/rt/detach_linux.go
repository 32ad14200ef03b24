//go:build linux && (amd64 || arm64) && go1.26 && !go1.28 && !race

package rt

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// What this file knows of the runtimes of Go 1.26 and 1.27: the first words of a g, and how far above the end of its stack a
// function begins to ask for more. Detachable compares it with a living one.
const stackGuard = 928

type goroutine struct {
	lo, hi, guard uintptr
}

// poisoned is what the guard contains while the runtime wants the goroutine to stop at the next call.
const poisoned = ^uintptr(1313)

// current returns the goroutine that calls it.
func current() *goroutine

//go:linkname entersyscallblock runtime.entersyscallblock
func entersyscallblock()

//go:linkname exitsyscall runtime.exitsyscall
func exitsyscall()

// Detachable reports why threads of this program cannot be detached, or nil.
func Detachable() error {
	g := current()
	var here byte
	at := uintptr(unsafe.Pointer(&here))
	if at <= g.lo || at >= g.hi || g.guard != g.lo+stackGuard && g.guard != poisoned {
		return fmt.Errorf("%w: the runtime of %s is not the one that was measured", ErrDetach, runtime.Version())
	}
	return nil
}

func (t Thread) detach(body func()) error {
	if err := Detachable(); err != nil {
		return err
	}
	if unix.Gettid() == unix.Getpid() { // the first thread never ends, and its name is that of the process
		return t.Detach(body) // by another one: this goroutine keeps the first one
	}
	d := detached{thread: t, body: body}
	if err := d.prepare(); err != nil {
		return err
	}
	run, g := d.run, current()
	for range 100 { // a collection may shrink the stack before the thread is detached
		runtime.Gosched()
		grow(Room)
		within(&g.guard, g.lo+stackGuard, run)
		if d.enough {
			return d.result()
		}
	}
	return fmt.Errorf("%w: no stack of %d bytes", ErrDetach, Room)
}

// detached is a thread on its way through a body. Only numbers of it change while it is detached.
type detached struct {
	thread   Thread
	body     func()
	cpus     unix.CPUSet // it keeps to
	everyone unix.CPUSet // where it came from

	enough             bool          // stack
	affinity, priority syscall.Errno // why it could not be set
}

// signals are those that a detached thread still takes: a fault is to be printed where it happens.
var signals = []syscall.Signal{unix.SIGSEGV, unix.SIGBUS, unix.SIGFPE, unix.SIGILL}

// prepare does what needs no rights.
func (d *detached) prepare() error {
	if err := unix.SchedGetaffinity(0, &d.everyone); err != nil {
		return os.NewSyscallError("sched_getaffinity", err)
	}
	if d.thread.CPU != AnyCPU {
		d.cpus.Set(d.thread.CPU)
	}
	name := make([]byte, 16)
	copy(name[:15], d.thread.Name)
	if err := unix.Prctl(unix.PR_SET_NAME, uintptr(unsafe.Pointer(&name[0])), 0, 0, 0); err != nil {
		return os.NewSyscallError("prctl", err)
	}
	if err := unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0); err != nil {
		return os.NewSyscallError("prctl", err)
	}
	var mask unix.Sigset_t
	for i := range mask.Val {
		mask.Val[i] = ^mask.Val[i]
	}
	for _, s := range signals {
		bit := int(s) - 1
		mask.Val[bit/bitsPerWord] &^= 1 << (bit % bitsPerWord)
	}
	return os.NewSyscallError("sigprocmask", unix.PthreadSigmask(unix.SIG_SETMASK, &mask, nil))
}

const bitsPerWord = 8 * int(unsafe.Sizeof(unix.Sigset_t{}.Val[0]))

func (d *detached) result() error {
	switch {
	case d.affinity != 0:
		return fmt.Errorf("CPU %d: %w", d.thread.CPU, os.NewSyscallError("sched_setaffinity", d.affinity))
	case d.priority != 0:
		return fmt.Errorf("priority %d: %w", d.thread.Priority, os.NewSyscallError("sched_setscheduler", d.priority))
	}
	return nil
}

// grow makes the stack of the goroutine grow.
//
//go:noinline
func grow(bytes int) byte {
	var frame [1 << 10]byte
	if bytes > 0 {
		return frame[bytes%len(frame)] + grow(bytes-len(frame))
	}
	return frame[0]
}

// settling is how long a thread waits before it opens the guard of its stack again: a thread that was about to stop the
// goroutine, and looked before it was detached, has poisoned the guard by then. The goroutine has begun a new share of time
// just before, so that no thread has a reason to.
var settling = unix.Timespec{Nsec: 500_000}

// within is the only frame that the collector sees of the thread while the body runs. Entering poisons the guard of the
// stack, because a thread in a system call has no business in calling functions; nothing may be called before it is
// open again.
//
// The blocking form of the entry hands the processor back. With the other one a stray allocation would go on using it
// beside its new owner.
//
//go:noinline
//go:nosplit
func within(guard *uintptr, open uintptr, body func()) {
	entersyscallblock()
	_, _, _ = syscall.RawSyscall6(unix.SYS_CLOCK_NANOSLEEP, unix.CLOCK_MONOTONIC, 0, uintptr(unsafe.Pointer(&settling)), 0, 0, 0)
	*guard = open
	body()
	exitsyscall()
}

// run is what happens detached. Real-time scheduling begins here and ends here: the runtime has no notion of threads that
// its own cannot push aside (cycle).
func (d *detached) run() {
	var here byte
	d.enough = uintptr(unsafe.Pointer(&here)) >= current().lo+stackGuard+Room
	if !d.enough {
		return
	}
	if d.thread.CPU != AnyCPU {
		if d.affinity = setAffinity(&d.cpus); d.affinity != 0 {
			return
		}
	}
	if d.thread.Priority != 0 {
		d.priority = setScheduler(unix.SCHED_FIFO, d.thread.Priority)
	}
	if d.priority == 0 {
		d.body()
		_ = setScheduler(unix.SCHED_NORMAL, 0)
	}
	_ = setAffinity(&d.everyone)
}

func setAffinity(cpus *unix.CPUSet) syscall.Errno {
	_, _, err := unix.RawSyscall(unix.SYS_SCHED_SETAFFINITY, 0, unsafe.Sizeof(*cpus), uintptr(unsafe.Pointer(cpus)))
	return err
}

func setScheduler(policy, priority int) syscall.Errno {
	param := int32(priority)
	_, _, err := unix.RawSyscall(unix.SYS_SCHED_SETSCHEDULER, 0, uintptr(policy), uintptr(unsafe.Pointer(&param)))
	return err
}
