// Package thread is the thread that a driver lives in which has a time of its own (§9.4): detached from the runtime where the machine
// allows it, otherwise a goroutine on an ordinary thread, and in both cases with a word about which of them it is.
package thread

import (
	"fmt"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/internal/rt"
)

// Thread is one. The zero value is an ordinary one.
type Thread struct {
	thread   rt.Thread
	wanted   bool // that it is detached
	ordinary atomic.Pointer[error]
}

// New makes one for a device. It is detached if the device was given a thread (device.Env), and an ordinary one if that is nil.
func New(name string, given *rt.Thread) *Thread {
	t := &Thread{}
	if given != nil {
		t.thread, t.wanted = *given, true
		t.thread.Name = name
	}
	return t
}

// Run calls one of two functions that do the same, and returns when it has: the one that is cycle code in a detached thread, the
// other where there is none.
func (t *Thread) Run(detached, ordinary func()) {
	t.ordinary.Store(nil)
	if !t.wanted {
		ordinary()
		return
	}
	t.thread.Run(detached, func(why error) {
		t.ordinary.Store(&why)
		ordinary()
	})
}

// Execution says which kind of thread it is (any).
func (t *Thread) Execution() Execution {
	x := Execution{CPU: rt.AnyCPU}
	switch why := t.ordinary.Load(); {
	case why != nil:
		x.Ordinary = *why
	case t.wanted:
		x.Detached, x.CPU, x.Priority = true, t.thread.CPU, t.thread.Priority
	}
	return x
}

// Execution says in what kind of thread a driver lives.
type Execution struct {
	Detached bool
	Ordinary error // why it is not detached although that is wanted
	CPU      int   // that the thread keeps to, rt.AnyCPU if none
	Priority int   // of SCHED_FIFO, zero for the ordinary scheduling of the system
}

func (x Execution) String() string {
	if !x.Detached {
		return "ordinary"
	}
	where := "any CPU"
	if x.CPU != rt.AnyCPU {
		where = fmt.Sprintf("CPU %d", x.CPU)
	}
	return fmt.Sprintf("detached, %s, priority %d", where, x.Priority)
}
