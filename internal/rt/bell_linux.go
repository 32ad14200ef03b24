package rt

import (
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Bell wakes one goroutine from the cycle. Unanswered rings count as one.
type Bell struct {
	rung atomic.Uint32
	fd   int
}

// one is what is written to an eventfd.
var one = uint64(1)

// NewBell makes a bell.
func NewBell() (*Bell, error) {
	fd, err := unix.Eventfd(0, unix.EFD_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("eventfd", err)
	}
	return &Bell{fd: fd}, nil
}

// Ring wakes the waiting goroutine, or lets its next Wait return at once. It never waits (cycle).
func (b *Bell) Ring() {
	if b.rung.Swap(1) == 0 {
		_, _, _ = unix.RawSyscall(unix.SYS_WRITE, uintptr(b.fd), uintptr(unsafe.Pointer(&one)), unsafe.Sizeof(one))
	}
}

// Wait returns after a ring. Memory written before the ring is visible after it.
//
// It holds a thread: the poller of the runtime would look after the bell only every 10 ms while all processors are busy.
func (b *Bell) Wait() {
	var count [8]byte
	for {
		if _, err := unix.Read(b.fd, count[:]); err != unix.EINTR {
			break
		}
	}
	b.rung.Store(0)
}

// Close releases the bell, when it is not in use any more.
func (b *Bell) Close() error { return os.NewSyscallError("close", unix.Close(b.fd)) }
