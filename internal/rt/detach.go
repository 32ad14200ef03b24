package rt

import (
	"errors"
	"runtime"
)

// Thread describes a detached thread.
type Thread struct {
	Name     string // as the tools of the system show it, 15 bytes at most
	CPU      int    // that it keeps to, or AnyCPU
	Priority int    // of SCHED_FIFO, 1 to 99; zero leaves it to the ordinary scheduling of the system
}

// AnyCPU lets a thread run wherever the process may.
const AnyCPU = -1

// MaxCPUs is the number of CPUs that can be named, from zero on.
const MaxCPUs = 1024

// ErrDetach is wrapped by errors about what keeps threads from being detached.
var ErrDetach = errors.New("no detached threads")

// Room is the least stack of a body that runs detached.
const Room = 64 << 10

// Detach calls body on a thread of its own that the runtime of Go takes for one in a long system call: it has no
// processor, so that neither collections of garbage nor preemption nor the monitor stop it, and none of them waits for it.
// It returns when body has.
//
// Body is cycle code (architecture: rules of the cycle). A forbidden operation ends the process on the spot, at best; only the
// checker of the binary finds all of them. (Nor may anything ask the runtime to make a system call on all threads, as
// syscall.Setuid does: a detached one would never answer.) Others must keep alive what it points to: the collector does not see
// its frames.
//
// An error means that the body was not called.
func (t Thread) Detach(body func()) error {
	ended := make(chan error)
	go func() {
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		ended <- t.detach(body)
	}()
	return <-ended
}

// Run calls detached on a thread as Detach does. Where threads cannot be detached it calls ordinary instead, in a goroutine
// that keeps to an ordinary thread, with the reason. It returns when one of them has.
func (t Thread) Run(detached func(), ordinary func(why error)) {
	err := t.Detach(detached)
	if err == nil {
		return
	}
	runtime.LockOSThread() // a thread reports how long it is executed, a goroutine does not
	defer runtime.UnlockOSThread()
	ordinary(err)
}
