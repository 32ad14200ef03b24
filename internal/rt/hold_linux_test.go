package rt

import (
	"errors"
	"os"
	"strconv"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// A thread that is held is where it was put, and others are where they were.
func TestHold(t *testing.T) {
	before, err := Affinity(0)
	if err != nil {
		t.Fatal(err)
	}
	last := before[len(before)-1]
	var inside []int
	var policy, others *unix.SchedAttr
	thread := Thread{CPU: last, Priority: 2}
	body := func() {
		inside, _ = Affinity(0)
		policy, _ = unix.SchedGetAttr(0, 0)
		others, _ = unix.SchedGetAttr(anotherThread(), 0)
	}
	t.Cleanup(func() {
		raised := thread.Priority > 0
		if was, err := Ordinary(); err != nil || was != raised {
			t.Errorf("was in real time: %t, not %t: %v", was, raised, err)
		}
		if now, err := unix.SchedGetAttr(0, 0); err != nil || now.Policy != unix.SCHED_NORMAL {
			t.Errorf("%+v: %v", now, err)
		}
		if was, err := Ordinary(); err != nil || was {
			t.Errorf("is in real time once more: %v", err)
		}
	})
	if err := thread.Hold(body); errors.Is(err, syscall.EPERM) {
		t.Log("skip: without the right to real-time scheduling: ", err)
		thread.Priority = 0
		err = thread.Hold(body)
		if err != nil {
			t.Fatal(err)
		}
	} else if err != nil || policy.Policy != unix.SCHED_FIFO || policy.Priority != 2 || others.Policy != unix.SCHED_FIFO || others.Priority != 1 {
		t.Errorf("%v %+v %+v", err, policy, others)
	}
	if len(inside) != 1 || inside[0] != last {
		t.Errorf("ran on %v, not on %d", inside, last)
	}
	called := false
	if err := (Thread{CPU: MaxCPUs - 1}).Hold(func() { called = true }); err == nil || called {
		t.Error("ran on a CPU that does not exist: ", err)
	}
	if err := (Thread{CPU: AnyCPU}).Hold(func() { called = true }); err != nil || !called {
		t.Error(err)
	}
}

// anotherThread returns one of this process that does not call it. The first thread may be the one that is held.
func anotherThread() int {
	list, _ := os.ReadDir("/proc/self/task")
	for _, entry := range list {
		if thread, _ := strconv.Atoi(entry.Name()); thread != unix.Gettid() {
			return thread
		}
	}
	return 0
}
