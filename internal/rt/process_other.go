//go:build !linux

package rt

import (
	"errors"
	"fmt"
	"runtime"
)

var errSystem = fmt.Errorf("%w on %s", errors.ErrUnsupported, runtime.GOOS)

// Affinity returns the CPUs on which a thread may run, which nobody tells here.
func Affinity(int) ([]int, error) { return nil, errSystem }

// SetAffinity lets a thread run on some CPUs only.
func SetAffinity(int, []int) error { return errSystem }

// Ordinary takes the priorities of real time from all threads of the process.
func Ordinary() (was bool, err error) { return false, nil }

// LockMemory keeps all memory of the process that is ever used from being paged out.
func LockMemory() error { return errSystem }

// UnlockMemory ends that.
func UnlockMemory() error { return errSystem }
