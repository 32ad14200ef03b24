package rt

import (
	"errors"
	"os"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

// Hold calls body on a thread of its own that has the CPU and the priority of t and is an ordinary one of Go otherwise: collections of
// garbage may stop it, and it may do what the cycle must not. It is for code that has to be in time and is not cycle code, such
// as simulated machines. It returns when body has; an error means that body was not called.
//
// Every ten milliseconds the runtime stops a goroutine for a moment and lets it go on by way of another thread, which on a busy machine is
// not executed for longer than that. So with a priority all ordinary threads of the process get the lowest one of real time, and keep it:
// Hold is for processes that have no other business.
func (t Thread) Hold(body func()) error {
	ended := make(chan error)
	go func() {
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		err := t.hold()
		if err == nil {
			body()
		}
		ended <- err
	}()
	return <-ended
}

func (t Thread) hold() error {
	if t.CPU != AnyCPU {
		if err := SetAffinity(0, []int{t.CPU}); err != nil {
			return err
		}
	}
	if t.Priority == 0 {
		return nil
	}
	if err := setPriority(0, t.Priority); err != nil {
		return err
	}
	return raiseOthers()
}

func setPriority(thread, priority int) error {
	a := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: uint32(priority)}
	return os.NewSyscallError("sched_setattr", unix.SchedSetAttr(thread, &a, 0))
}

// raiseOthers gives the lowest priority to threads that have none.
func raiseOthers() error {
	_, err := reschedule(func(a *unix.SchedAttr) bool { return a.Policy == unix.SCHED_NORMAL }, unix.SCHED_FIFO, 1)
	return err
}

// Ordinary takes the priorities of real time from all threads of the process, and reports whether there were any: who starts a program may
// have had one, which is then inherited. Under it, what computes keeps even the runtime of Go from its processors.
func Ordinary() (was bool, err error) {
	return reschedule(func(a *unix.SchedAttr) bool { return a.Policy == unix.SCHED_FIFO || a.Policy == unix.SCHED_RR }, unix.SCHED_NORMAL, 0)
}

// reschedule gives some threads of the process another priority, until no such threads are left: those that are started in
// between inherit the priority of their creator.
func reschedule(which func(*unix.SchedAttr) bool, policy, priority uint32) (some bool, err error) {
	to := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: policy, Priority: priority}
	for found := true; found; {
		list, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return some, err
		}
		found = false
		for _, entry := range list {
			thread, err := strconv.Atoi(entry.Name())
			if err != nil {
				return some, err
			}
			a, err := unix.SchedGetAttr(thread, 0)
			if err == nil && which(a) {
				found, some = true, true
				err = unix.SchedSetAttr(thread, &to, 0)
			}
			if err != nil && !errors.Is(err, unix.ESRCH) { // it has ended
				return some, os.NewSyscallError("sched_setattr", err)
			}
		}
	}
	return some, nil
}
