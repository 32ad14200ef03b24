package rt

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Affinity returns the CPUs on which a thread may run; zero is the calling one.
func Affinity(thread int) ([]int, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(thread, &set); err != nil {
		return nil, os.NewSyscallError("sched_getaffinity", err)
	}
	var list []int
	for cpu := range MaxCPUs {
		if set.IsSet(cpu) {
			list = append(list, cpu)
		}
	}
	return list, nil
}

// SetAffinity lets a thread run on some CPUs only.
func SetAffinity(thread int, cpus []int) error {
	var set unix.CPUSet
	for _, cpu := range cpus {
		set.Set(cpu)
	}
	if err := unix.SchedSetaffinity(thread, &set); err != nil {
		return fmt.Errorf("CPUs %v: %w", cpus, os.NewSyscallError("sched_setaffinity", err))
	}
	return nil
}

// LockMemory keeps all memory of the process that is ever used from being paged out. It refuses when only a limited amount
// may be locked: the limit would end the process as soon as its heap grows to it.
func LockMemory() error {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_MEMLOCK, &limit); err != nil {
		return os.NewSyscallError("getrlimit", err)
	}
	if limit.Cur != unix.RLIM_INFINITY && !capable(unix.CAP_IPC_LOCK) {
		return fmt.Errorf("only %d KiB may be locked", limit.Cur>>10)
	}
	return os.NewSyscallError("mlockall", unix.Mlockall(unix.MCL_CURRENT|unix.MCL_FUTURE|unix.MCL_ONFAULT))
}

// UnlockMemory undoes LockMemory.
func UnlockMemory() error { return os.NewSyscallError("munlockall", unix.Munlockall()) }

// capable reports whether the process has a right.
func capable(right uint) bool {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&header, &data[0]); err != nil {
		return false
	}
	return data[right/32].Effective&(1<<(right%32)) != 0
}
