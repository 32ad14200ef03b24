package rt

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Outside reports how long CPUs have worked for no thread of this machine: for interrupts, or for others, when a host takes a CPU from a
// virtual machine. The clock of a thread may count both as time of the thread.
type Outside struct {
	stat int // /proc/stat
}

// OutsideRoom is a caller's buffer for reading, enough for more than 100 CPUs.
type OutsideRoom [16 << 10]byte

// tickOfCounters is the unit of the system's counters of CPU time, on all architectures (USER_HZ).
const tickOfCounters = 10 * time.Millisecond

// NewOutside opens the counters of the system. Where they cannot be read, nothing is known.
func NewOutside() *Outside {
	stat, err := unix.Open("/proc/stat", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		stat = -1
	}
	return &Outside{stat: stat}
}

// Close closes the descriptor, which may be that of another file from then on. Nothing is known any more.
func (o *Outside) Close() error {
	if o.stat < 0 {
		return nil
	}
	stat := o.stat
	o.stat = -1
	return unix.Close(stat)
}

// Time returns how long that has been for a CPU since the machine was started, or for AnyCPU of all of them together, and
// whether it is known. It takes some microseconds (cycle).
func (o *Outside) Time(cpu int, room *OutsideRoom) (ns int64, known bool) {
	n, _, errno := unix.RawSyscall6(unix.SYS_PREAD64, uintptr(o.stat), uintptr(unsafe.Pointer(room)), uintptr(len(room)), 0, 0, 0)
	if errno != 0 || n > uintptr(len(room)) {
		return 0, false
	}
	ticks, known := outsideTicks(room[:n], cpu)
	return ticks * int64(tickOfCounters), known
}

// Blur returns how much longer it can have been between two readings than they say: each of three counters has a resolution of a
// tick (cycle).
func (o *Outside) Blur() int64 { return 3 * int64(tickOfCounters) }

// Words of a line of /proc/stat: the name, user, nice, system, idle, iowait, irq, softirq, steal.
const (
	firstOutside = 6
	lastOutside  = 8
)

// outsideTicks adds what the line of a CPU says about interrupts and the host (cycle).
func outsideTicks(text []byte, cpu int) (ticks int64, known bool) {
	word, cpuOfLine, number, inside := 0, AnyCPU, int64(-1), false
	for _, c := range text {
		switch {
		case '0' <= c && c <= '9':
			number = 10*max(0, number) + int64(c-'0')
			fallthrough
		case c != ' ' && c != '\n':
			inside = true
			continue
		case inside && word == 0:
			cpuOfLine = int(number) // that of all has none
		case inside && cpuOfLine == cpu && firstOutside <= word && word <= lastOutside:
			ticks += number
			if word == lastOutside {
				return ticks, true
			}
		}
		if inside {
			word++
		}
		if c == '\n' {
			word = 0
		}
		number, inside = -1, false
	}
	return 0, false
}
