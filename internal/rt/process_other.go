//go:build !linux

package rt

import (
	"errors"
	"fmt"
	"os"
	"runtime"
)

var errSystem = fmt.Errorf("%w on %s", errors.ErrUnsupported, runtime.GOOS)

// Affinity returns the CPUs on which a thread may run, which are unknown here.
func Affinity(int) ([]int, error) { return nil, errSystem }

// SetAffinity lets a thread run on some CPUs only.
func SetAffinity(int, []int) error { return errSystem }

// Ordinary takes the priorities of real time from all threads of the process.
func Ordinary() (was bool, err error) { return false, nil }

// LockMemory keeps all memory of the process that is ever used from being paged out.
func LockMemory() error { return errSystem }

// UnlockMemory undoes LockMemory.
func UnlockMemory() error { return errSystem }

// TerminalSize returns how many columns and rows a terminal has; they are unknown here.
func TerminalSize(*os.File) (columns, rows int, ok bool) { return 0, 0, false }

// TerminalKeys lets a terminal hand over each key at once.
func TerminalKeys(*os.File) (restore func(), err error) { return nil, errSystem }

// ReadUsage returns what the process uses of the machine, which is unknown here.
func ReadUsage() (Usage, error) { return Usage{Started: started}, errSystem }

// Hold calls body on a thread of its own. CPUs and priorities there are none here.
func (t Thread) Hold(body func()) error {
	if t.CPU != AnyCPU || t.Priority != 0 {
		return fmt.Errorf("threads with a CPU or a priority: %w on %s", errors.ErrUnsupported, runtime.GOOS)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	body()
	return nil
}
